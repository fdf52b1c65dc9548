"""Keep a copy of all that one has here: `backup`, `restore`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from pbem.budgets import BACKUP_BYTES
from pbem.cli.lazy import commands
from pbem.cli.session import desk
from pbem.cli.terminal import interactive, put, typed_in
from pbem.errors import FileError
from pbem.files import write_atomically
from pbem.home import home
from pbem.render.words import safe, wrap
from pbem.texts import Texts
from pbem.umpire.facts import BRIEF

tr = Texts("pbem")

app = commands()

VARIABLE = "PBEM_BACKUP_PASSPHRASE"
"""The passphrase where no person can be asked for it."""


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="file", help="The file to write, such as pbem.age.")],
) -> None:
    """Keep a copy of your key, your games, your contacts, plans and settings in one file, under a passphrase.

    It is a file of age (age-encryption.org). Passwords of mail servers are not in it.

    Example: pbem backup pbem-2026-11.age
    """
    from pbem.desk.shelf import is_backup, packed, sealed

    mine = desk()
    _ = mine.public
    if not mine.has_key:
        raise FileError(tr("there is no key yet, so there is nothing to back up"), where=str(mine.home))
    if file.exists() and not is_backup(file):
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=str(file), hint=tr("give another name"))
    data = sealed(packed(mine.home), _passphrase(anew=True))
    write_atomically(file, data, private=True)
    put(
        tr(
            "Kept in {file}, {number} kB. Nobody can open it without the passphrase.",
            file=safe(str(file)),
            number=len(data) // 1000 + 1,
        )
    )
    put(
        tr(
            "To put it back, on this computer or another: {command}",
            command=f"pbem restore {safe(file.name)}",
        )
    )


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="file", help="What pbem backup has written.")],
) -> None:
    """Put back what `pbem backup` has kept. Each game asks you once, before you go on in it.

    Refused where this computer knows more of a game, or has another key.

    Example: pbem restore pbem-2026-11.age
    """
    from pbem.desk.shelf import opened, put_back, unpacked

    try:
        with file.open("rb") as stream:
            data = stream.read(2 * BACKUP_BYTES)
    except OSError as error:
        raise FileError(tr("cannot be read: {reason}", reason=error.strerror), where=str(file)) from None
    found = unpacked(opened(data, _passphrase(), str(file)), str(file))
    games, before = put_back(found, home())
    _renumber(len(games))
    put(
        tr.plural("Restored your key and {number} game.", "Restored your key and {number} games.", len(games))
    )
    if before:
        put(tr("What was here before is now in {folder}.", folder=safe(str(before))))
    if games:
        put(
            wrap(
                tr(
                    "What you have signed since the backup is not in it. So nothing is signed or mailed in a "
                    "game before you have said that you know no newer state of it: get your mail, then move."
                )
            )
        )
        put("  pbem mail fetch")
        put(f"  pbem show {games[0][:BRIEF]}")


def _renumber(games: int) -> None:
    """Letters to oneself that were written since the backup count no more."""
    from pbem.correspondence import Notebook

    if games:
        Notebook(home()).skip()


def _passphrase(*, anew: bool = False) -> str:
    """The passphrase of the backup; a new one is typed twice."""
    if not interactive():
        if given := os.environ.get(VARIABLE):
            return given
        problem = tr("the passphrase is asked for at a terminal, or stands in {name}", name=VARIABLE)
        raise FileError(problem, where=VARIABLE)
    while True:
        typed = typed_in(tr("Passphrase of the backup"), default="", hidden=True)
        if not typed:
            put(tr("An empty passphrase protects nothing."))
        elif not anew or typed == typed_in(tr("Repeat for confirmation"), default="", hidden=True):
            return typed
        else:
            put(tr("The two are not the same."))
