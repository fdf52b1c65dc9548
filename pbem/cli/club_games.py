"""The games of a club's folders: the arguments for them, and gathering them with a progress bar."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.base.home import home
from pbem.base.interrupts import catch
from pbem.cli.progress import TimeLeft
from pbem.cli.study_options import crews
from pbem.cli.terminal import say
from pbem.club.cache import Cache
from pbem.club.classify import DECIDING
from pbem.club.collect import BATCH_FILES, files_in
from pbem.club.judging_pool import judges
from pbem.club.provenance import Made, Request, make_table
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


def of_files(done: str, number: str) -> str:
    """How many files of how many are judged, in words."""
    return tr("{done} of {number} files", done=done, number=number)


def gathered(request: Request, workers: int, scheduler: str) -> Made:
    """Make the table, with a progress bar. Raises `typer.Exit` when interrupted."""
    bar = TimeLeft(of_files)
    if not workers and len(files_in(request.places)) <= 2 * BATCH_FILES:
        workers = 1  # one worker is done before others have started
    crew_of = crews(workers, scheduler)(bar.waits) if scheduler else judges(workers or cores())
    try:
        with catch(), Cache(home()) as cache, crew_of as crew:
            return make_table(request, cache, crew, bar, code_fingerprint(DECIDING) if scheduler else "")
    except KeyboardInterrupt:
        bar.clear()
        say(
            tr(
                "stopped: {files} files were read; the same command goes on from there",
                files=number(bar.done),
            )
        )
        raise typer.Exit(1) from None
    finally:
        bar.clear()
