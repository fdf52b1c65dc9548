"""`mail automatic`: have the system check the mail every ten minutes, or stop it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.command_groups import commands
from pbem.cli.session import local_player
from pbem.cli.terminal import ask_yes_no, is_interactive, put
from pbem.errors import StorageError
from pbem.mail.background import MINUTES, Installation, watch_installation
from pbem.mail.settings import settings_to_send
from pbem.mail.watch_record import WatchRecord
from pbem.player.clock import now
from pbem.render.safe_text import safe_text, wrap
from pbem.texts import Texts, time_in_words

tr = Texts("pbem")

app = commands()


@app.command()
def automatic(
    off: Annotated[bool, typer.Option("--off", help="Remove it.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Install it without asking.")] = False,
    by_reply: Annotated[
        bool,
        typer.Option("--orders-by-reply", help="Also play by answering mails; see docs/ORDERS-BY-REPLY.md."),
    ] = False,
) -> None:
    """Make your system run pbem mail watch every ten minutes; you first see what it would install.

    It checks your mail while you are logged in, and writes games to this folder.

    Example: pbem mail automatic
    """
    home = local_player().home
    if off:
        _remove(watch_installation(home, by_reply=False))
        return
    settings_to_send(home)
    wanted = watch_installation(home, by_reply=by_reply)
    if offer_background(wanted, sure=yes):
        return
    if not yes and not is_interactive():
        put(tr("To install it: {command}", command="pbem mail automatic --yes"))


def offer_background(wanted: Installation, *, sure: bool = False) -> bool:
    """Show what would be installed, and install it if the player says yes or is `sure`.

    Returns whether it was installed. Raises `StorageError`.
    """
    put(
        wrap(
            tr(
                "pbem can check your mail every {number} minutes, and answer for you when you have "
                "nothing to decide. For this, it would add to {means}:",
                number=MINUTES,
                means=wanted.means,
            )
        )
    )
    for line in wanted.describe():
        put(f"    {safe_text(line)}".rstrip())
    if not sure and not (is_interactive() and ask_yes_no(tr("Install it?"))):
        return False
    wanted.install()
    put(tr("Installed. To remove it again: {command}", command="pbem mail automatic --off"))
    return True


def describe_background(home: Path) -> str:
    """Whether the system checks the mail, and when it last did; empty if `watch` never ran here."""
    looked = WatchRecord(home).last_look
    if looked is None:
        return ""
    minutes = max(0, int((now() - looked).total_seconds() // 60))
    ago = tr.plural("{number} minute ago", "{number} minutes ago", minutes) if minutes else tr("just now")
    if minutes >= 2 * 60:
        ago = tr("on {time}", time=time_in_words(looked.astimezone()))
    try:
        runs = watch_installation(home, by_reply=False).is_installed
    except StorageError:
        runs = False
    if runs:
        return tr(
            "pbem checks your mail every {number} minutes; it last did so {ago}.", number=MINUTES, ago=ago
        )
    return tr(
        "pbem last checked your mail {ago}. To make it check by itself: {command}",
        ago=ago,
        command="pbem mail automatic",
    )


def _remove(installed: Installation) -> None:
    if not installed.is_installed:
        put(tr("Nothing is installed."))
        return
    installed.remove()
    put(tr("Removed. pbem no longer checks your mail by itself."))
