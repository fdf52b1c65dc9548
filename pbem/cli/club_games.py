"""The games of a club's folders: the arguments for them, and gathering them with a progress bar."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.base.home import home
from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.progress import TimeLeft
from pbem.cli.study_options import pool_factory
from pbem.cli.terminal import put_stderr
from pbem.club.cache import Cache
from pbem.club.classify import JUDGING_CODE
from pbem.club.collect import BATCH_FILES, find_files
from pbem.club.judging_pool import judging_pool
from pbem.club.provenance import ClubTable, TableRequest, make_table
from pbem.study.worker_pool import cores
from pbem.texts import Texts, number
from pbem.umpire.fingerprint import code_fingerprint

tr = Texts("pbem")

Places = Annotated[
    list[Path], typer.Argument(metavar="folders", help="Folders of games, mailboxes, Maildirs, single files.")
]
MembersFile = Annotated[
    Path | None,
    typer.Option("--members", help="Which keys are whose; else a folder's members.yaml."),
]
SeasonFile = Annotated[
    Path | None, typer.Option("--season", help="Who plays whom, in which period, made by pbem club pair.")
]


def describe_files_done(done: str, number: str) -> str:
    """How many files of how many are judged, in words."""
    return tr("{done} of {number} files", done=done, number=number)


def gather_table(request: TableRequest, workers: int, scheduler: str) -> ClubTable:
    """Make the table, with a progress bar. Raises `typer.Exit` when interrupted."""
    bar = TimeLeft(describe_files_done)
    if not workers and len(find_files(request.places)) <= 2 * BATCH_FILES:
        workers = 1  # one worker is done before others have started
    crew_of = (
        pool_factory(workers, scheduler)(bar.show_waiting) if scheduler else judging_pool(workers or cores())
    )
    try:
        with raise_on_interrupt(), Cache(home()) as cache, crew_of as crew:
            return make_table(request, cache, crew, bar, code_fingerprint(JUDGING_CODE) if scheduler else "")
    except KeyboardInterrupt:
        bar.clear()
        put_stderr(
            tr(
                "stopped: {files} files were read; the same command goes on from there",
                files=number(bar.done),
            )
        )
        raise typer.Exit(1) from None
    finally:
        bar.clear()
