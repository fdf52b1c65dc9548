"""Back up everything in the player's home, and restore it: `backup`, `restore`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from pbem.base.files import write_atomically
from pbem.base.home import home
from pbem.cli.command_groups import commands
from pbem.cli.session import local_player
from pbem.cli.terminal import ask_text, ask_yes_no, is_interactive, put, report_problem
from pbem.correspondence.question_record import QuestionRecord
from pbem.errors import FileError
from pbem.mail.settings import programs_run_by, rename_config
from pbem.player.backup import (
    check_passphrase,
    decrypt,
    encrypt,
    is_backup,
    pack,
    propose_passphrase,
    read_backup,
    restore_home,
    unpack,
)
from pbem.render.safe_text import quote_path, safe_text, wrap
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS

tr = Texts("pbem")

app = commands()

VARIABLE = "PBEM_BACKUP_PASSPHRASE"
"""The environment variable with the passphrase, for use without a terminal."""


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="file", help="The file to write, such as pbem.age.")],
) -> None:
    """Back up your key, games, contacts, plans and settings to one file, protected by a passphrase.

    The file is in age format (age-encryption.org). It does not contain your mail passwords.

    Example: pbem backup pbem-2026-11.age
    """

    player = local_player()
    _ = player.public_key
    if not player.has_key:
        raise FileError(tr("there is no key yet, so there is nothing to back up"), where=str(player.home))
    if (file.is_symlink() or file.exists()) and not is_backup(file):
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=str(file), hint=tr("choose another name"))
    data = encrypt(pack(player.home), _ask_new_passphrase())
    write_atomically(file, data, private=True)
    put(
        tr(
            "Saved to {file}, {number} kB. Nobody can open it without the passphrase.",
            file=safe_text(str(file)),
            number=len(data) // 1000 + 1,
        )
    )
    put(
        tr(
            "To restore it, on this computer or another: {command}",
            command=f"pbem restore {safe_text(file.name)}",
        )
    )


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(metavar="file", help="The file that pbem backup wrote.")],
) -> None:
    """Restore a backup made by `pbem backup`. Each game asks you once before you continue it.

    Refused if this computer has a newer state of a game, or a different key.

    Example: pbem restore pbem-2026-11.age
    """

    where = str(file)
    files = unpack(decrypt(read_backup(file), _ask_passphrase(), where), where)
    games, before = restore_home(files, home(), _confirm_programs)
    _skip_old_letters(len(games))
    put(
        tr.plural("Restored your key and {number} game.", "Restored your key and {number} games.", len(games))
    )
    if before:
        put(tr("What was here before is now in {folder}.", folder=safe_text(str(before))))
    if games:
        put(
            wrap(
                tr(
                    "The backup does not contain what you signed after making it. So pbem signs "
                    "and mails nothing in a game until you confirm that you know no newer state of "
                    "it: fetch your mail first, then move."
                )
            )
        )
        put("  pbem mail fetch")
        put(f"  pbem show {quote_path(games[0][:SHORT_ID_DIGITS])}")


def _skip_old_letters(games: int) -> None:
    """Invalidate letters to the player written since the backup, if games were restored."""

    if games:
        QuestionRecord(home()).invalidate_earlier_letters()


def _confirm_programs(restored: Path) -> None:
    """Ask before restoring settings that run programs; without a yes, rename the file, so it is never read.

    Whoever made the backup chose these programs, and `pbem mail fetch` would run them.
    """

    programs = programs_run_by(restored)
    if not programs:
        return
    put(tr("The settings in this backup run programs:"))
    for place, words in programs:
        put(f"  {safe_text(place)}: {' '.join(map(quote_path, words))}", indent=4)
    if is_interactive() and ask_yes_no(tr("Keep these settings?")):
        return
    aside = rename_config(restored).name
    told = tr(
        "pbem did not restore them. To use them, rename {file} in your pbem folder to {name}.",
        file=aside,
        name="config.yaml",
    )
    put(told, indent=0)


def _ask_new_passphrase() -> str:
    """Ask for the passphrase of a new backup: the proposed one, or the player's own, typed twice."""

    if not is_interactive():
        given = _passphrase_from_environment()
        check_passphrase(given, VARIABLE)
        return given
    proposed = propose_passphrase()
    put(tr("A passphrase of random words:"))
    put(f"  {proposed}")
    put(tr("Write it down: without it, nobody can open the backup."))
    while True:
        typed = ask_text(tr("Press Return to use it, or type your own"), default="", hidden=True)
        if not typed:
            return proposed
        try:
            check_passphrase(typed)
        except FileError as error:
            report_problem(error)
            continue
        if typed == ask_text(tr("Repeat for confirmation"), default="", hidden=True):
            return typed
        put(tr("The two are not the same."))


def _ask_passphrase() -> str:
    """Ask for the passphrase of an existing backup."""
    if not is_interactive():
        return _passphrase_from_environment()
    while not (typed := ask_text(tr("Passphrase of the backup"), default="", hidden=True)):
        put(tr("An empty passphrase protects nothing."))
    return typed


def _passphrase_from_environment() -> str:
    """The passphrase from the environment. Raises `FileError` if there is none."""
    if given := os.environ.get(VARIABLE):
        return given
    problem = tr("type the passphrase at a terminal, or put it in {name}", name=VARIABLE)
    raise FileError(problem, where=VARIABLE)
