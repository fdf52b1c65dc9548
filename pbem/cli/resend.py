"""Resending mail that may be lost, and asking for a whole game, for `mail fetch` and `mail watch`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.cli.terminal import put, warn
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer
from pbem.render.words import safe_text, wrap
from pbem.texts import Texts
from pbem.umpire.game_facts import SHORT_ID_DIGITS

if TYPE_CHECKING:
    from pbem.correspondence.missing_mail import MissingMail
    from pbem.correspondence.resend import ResendResult
    from pbem.mail.config import MailSettings

tr = Texts("pbem")


def resend_mail(
    mine: LocalPlayer, settings: MailSettings, lost: MissingMail, most: int, *, silent: bool = False
) -> tuple[int, bool]:
    """Resend what may be lost, and ask for what is missing. How many mails were sent, and whether any failed.

    With `silent`, also resend to opponents who have been silent for long.
    """
    from pbem.correspondence.resend import request_whole_games, resend_newest

    mailed, failed = 0, False
    for again in resend_newest(mine, settings, now(), most, lost.wanted) if silent else ():
        told = tr(
            "Mailed game {game} to {mailbox} again: the last mail may be lost.", **_message_values(again)
        )
        mailed, failed = mailed + _put_resent(again, told), failed or again.failure is not None
    for again in request_whole_games(mine, settings, now(), most - mailed, lost):
        told = tr("Asked {mailbox} for the whole game {game}.", **_message_values(again))
        mailed, failed = mailed + _put_resent(again, told), failed or again.failure is not None
    return mailed, failed


def _message_values(again: ResendResult) -> dict[str, str]:
    return {"game": again.game.ids[0][:SHORT_ID_DIGITS], "mailbox": safe_text(again.contact.mailbox)}


def _put_resent(again: ResendResult, told: str) -> bool:
    """Print that a mail was sent, or why not. Whether it was."""
    if again.failure:
        warn(again.failure)
        return False
    put(wrap(told, indent=2))
    return True
