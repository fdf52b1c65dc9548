"""Unknown senders: limits on the strangers' mails saved and reported in one fetch.

    home/mail/refused.json    earlier refusals: digests of sender, game, and the game's state then

Anybody can send a thousand mails. Those that bring nothing new are reported one by one up to a limit, and a
sender's refusal about a game only once, as long as the game does not continue; the others are counted. So are
offers for which there is no room.
"""

from __future__ import annotations

from hashlib import sha256

from pbem.base.files import JsonStore, make_folder
from pbem.base.limits import REMEMBERED_REFUSALS, REPORTED_MAILS
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.verdict import Verdict
from pbem.player.local_player import LocalPlayer
from pbem.player.store.game_store import MailFacts
from pbem.texts import Texts
from pbem.umpire.verify import parse_log

tr = Texts("pbem")

_REFUSED = "refused"


class UnknownSenders:
    """What one fetch saves and reports of mails from possible strangers."""

    def __init__(self, player: LocalPlayer) -> None:
        self._player = player
        self._offers: set[str] = set()
        self._no_room = 0
        self._told = 0
        self._counted = 0
        self._folder = player.home / "mail"
        self._refused = JsonStore(
            self._folder / "refused.json",
            dict[str, tuple[str, ...]],
            hint=tr("delete it; pbem then reports once more what it refused"),
        )

    def save_offer(self, verdict: Verdict) -> bool:
        """Save an offer. Returns whether to report it. Raises `StorageError`."""
        game, offers = verdict.game, self._player.offers
        assert game is not None
        first = game.ids[0]
        waiting = offers.look_up(first)
        if waiting and len(parse_log(waiting.data)) >= len(game.entries):
            return self.admit_report()
        key = Contacts(self._player).opponent(game).key
        details = MailFacts(key, verdict.reads_parts, verdict.language)
        if not offers.save(first, lambda: verdict.ours or self._player.rewrite(game), details, self._offers):
            self._no_room += 1
            return False
        self._offers.add(first)
        return True

    def admit_report(self, sender: str = "", game: str = "") -> bool:
        """Whether a mail that brings nothing new is reported itself, not counted. Raises `StorageError`.

        A refusal about a `game` is reported once for each sender, until that game continues; that is saved.
        """
        before = self._refused.read().get(_REFUSED, ())
        mark = self._digest_of_refusal(sender, game) if game else ""
        if self._told >= REPORTED_MAILS or mark in before:
            self._counted += 1
            return False
        self._told += 1
        if mark:
            make_folder(self._folder)
            self._refused.save(_REFUSED, (*before, mark)[-REMEMBERED_REFUSALS:])
        return True

    def describe_rest(self) -> str:
        """The mails that were only counted, in one line; empty if there are none."""
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
        parts = [offers] if self._no_room else []
        return "; ".join([*parts, *([others] if self._counted else [])])

    def _digest_of_refusal(self, sender: str, game: str) -> str:
        """The digest of a sender, a game, and the game's stored state."""
        stored = self._player.store.look_up(game)
        stands = sha256(stored.data).hexdigest() if stored else ""
        return sha256(f"{sender}\n{game}\n{stands}".encode()).hexdigest()[:16]
