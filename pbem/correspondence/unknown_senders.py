"""The limits on strangers' mails that are kept and told in one look into the mail.

    home/mail/refused.json    earlier refusals: digests of sender, game, and how far the game was

Anybody may send a thousand mails. Those that bring nothing new are told one by one up to a number, and a
sender's refusal about a game only once, as long as the game has not gone on; the others are
counted. So are offers for which there is no room.
"""

from __future__ import annotations

from hashlib import sha256

from pbem.base.files import Store, make_folder
from pbem.base.limits import REFUSED, TOLD
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.verdict import Verdict
from pbem.player.local_player import LocalPlayer
from pbem.player.store.offers import Shown
from pbem.texts import Texts
from pbem.umpire.verify import read_log

tr = Texts("pbem")

_REFUSED = "refused"


class UnknownSenders:
    """The yield of one look into the mail from people who need not be known."""

    def __init__(self, desk: LocalPlayer) -> None:
        self._desk = desk
        self._offers: set[str] = set()
        self._no_room = 0
        self._told = 0
        self._counted = 0
        self._folder = desk.home / "mail"
        self._refused = Store(
            self._folder / "refused.json",
            dict[str, tuple[str, ...]],
            hint=tr("remove it: then what was refused is told once more"),
        )

    def offer(self, verdict: Verdict) -> bool:
        """Keep an offer; whether that is to be told. Raises `ShelfError`."""
        game, offers = verdict.game, self._desk.offers
        assert game is not None
        first = game.ids[0]
        waiting = offers.look_up(first)
        if waiting and len(read_log(waiting.data)) >= len(game.entries):
            return self.tells()
        key = Contacts(self._desk).opponent(game).key
        shown = Shown(key, verdict.reads_parts, verdict.language)
        if not offers.keep(first, lambda: verdict.ours or self._desk.rewritten(game), shown, self._offers):
            self._no_room += 1
            return False
        self._offers.add(first)
        return True

    def tells(self, sender: str = "", game: str = "") -> bool:
        """Whether a mail that brings nothing new is told by itself; else it is counted. Raises `ShelfError`.

        A refusal about a `game` is told once to each sender's account, until that game has gone on.
        """
        before = self._refused.read().get(_REFUSED, ())
        mark = self._mark(sender, game) if game else ""
        if self._told >= TOLD or mark in before:
            self._counted += 1
            return False
        self._told += 1
        if mark:
            make_folder(self._folder)
            self._refused.put(_REFUSED, (*before, mark)[-REFUSED:])
        return True

    def rest(self) -> str:
        """The mails not told by themselves, in one line; empty where there are none."""
        offers = tr.plural(
            "there is no room for {number} more offer; to list those kept: {command}",
            "there is no room for {number} more offers; to list those kept: {command}",
            self._no_room,
            command="pbem games --offers",
        )
        others = tr.plural(
            "and {number} more that brought nothing new",
            "and {number} more that brought nothing new",
            self._counted,
        )
        told = [offers] if self._no_room else []
        return "; ".join([*told, *([others] if self._counted else [])])

    def _mark(self, sender: str, game: str) -> str:
        """The mark of a sender, a game, and how far that is here."""
        kept = self._desk.shelf.look_up(game)
        stands = sha256(kept.data).hexdigest() if kept else ""
        return sha256(f"{sender}\n{game}\n{stands}".encode()).hexdigest()[:16]
