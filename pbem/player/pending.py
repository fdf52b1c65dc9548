"""What is pending at home for the player's next entries: an address, a message, deferred actions (FORMAT 6).

    home/address.json    {"mail": "anna@example.net"}: stated by the player's next decision in each game

A message to the opponent is in the game's record, and so is a draw offer, take-back or resignation that
cannot be written yet.

Nothing has to be removed when an entry includes it: whether one did follows from the log, so it does not
matter when pbem was killed. An address is not stated again if the game states it already. A message is sent
once a later entry of the player's contains it. A draw offer is made, a take-back is proposed or no longer
possible, a resignation lapses when the opponent proposes something, and all of them when the game ends.

A message is never sent by itself. What an undone entry included is suspended: the player repeats it, or
leaves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import JsonStore, lock_folder, make_folder
from pbem.errors import NotYourMove, PbemError
from pbem.format.document import MAX_SAY_OF_A_SEAT
from pbem.format.entries import MAX_SAY, Answer, Body, Propose, Resign
from pbem.format.keys import PrivateKey
from pbem.format.yaml_text import SURROGATE
from pbem.player.local_player import LocalPlayer
from pbem.player.store.game_record import DeferredKind, StoredDeferral, StoredMessage
from pbem.player.store.record_store import GameRecords
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_facts import ADDRESS_KEY, address_of, decides_nothing
from pbem.umpire.game_state import EntryRefused, Game
from pbem.umpire.next_duty import next_duty

tr = Texts("pbem")


ADDRESS_FILE = "address.json"


def save_address(home: Path, address: str) -> None:
    """Save the player's mail address from now on. Raises `StorageError`."""
    make_folder(home)
    with lock_folder(home):
        _address_store(home).save(ADDRESS_KEY, address)


def address_to_announce(home: Path, game: Game, key: PrivateKey) -> str:
    """The new address of this key's holder; empty if the game states it already, or is over."""
    if not (home / ADDRESS_FILE).exists():
        return ""
    address, seats = _address_store(home).read().get(ADDRESS_KEY, ""), permissions.held_seats(game, key)
    running = len(game.seats) > 1 and next_duty(game.state).what != "nothing"
    return address if running and any(address_of(game, seat) != address for seat in seats) else ""


def _address_store(home: Path) -> JsonStore[str]:
    return JsonStore(
        home / ADDRESS_FILE, dict[str, str], hint=tr("delete it; pbem then tells nobody your new address")
    )


class PendingMessages:
    """The pending messages in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._records = GameRecords(home)

    def pending_for(self, game: Game, key: PrivateKey) -> str:
        """The message that goes with the next decision of this key's holder; empty if there is none."""
        return _pending_words(self._stored_message(game), game, key)

    def suspended_message(self, game: Game) -> str:
        """The message kept back until the player releases it; empty if there is none."""
        kept = self._stored_message(game)
        return kept.words if kept.suspended else ""

    def suspend(self, game: Game, entries: int, seats: Sequence[str]) -> str:
        """Suspend the message that will be pending once the game has only this many `entries`.

        Returns the message; empty if there is none.
        """

        words = ""

        def suspended(kept: StoredMessage) -> StoredMessage:
            nonlocal words
            if not kept.words or _has_been_sent(kept, game, seats, entries):
                return kept
            words = kept.words
            return StoredMessage(words, min(kept.entries, entries), suspended=True)

        self._change(game, suspended)
        return words

    def join(self, game: Game, key: PrivateKey, words: str) -> str:
        """The pending message, then these words. Raises `PbemError` if that is too long for an entry."""
        return _join(self._stored_message(game), game, key, words)

    def check(self, game: Game, key: PrivateKey, words: str) -> str:
        """The pending or suspended message, then these words, checked. Raises as `join`; `NotYourMove`."""
        return _check(self._stored_message(game), game, key, words)

    def save(self, game: Game, key: PrivateKey, words: str) -> str:
        """Save the words after the message already pending. Returns the whole message. Raises as `check`."""
        entries = len(game.entries)
        return self._change(game, lambda kept: StoredMessage(_check(kept, game, key, words), entries)).words

    def is_empty(self, game: str) -> bool:
        """Whether the game with this id never had a message. Raises `StorageError`."""
        return self._records.read(game).message == StoredMessage("", 0)

    def remove(self, game: Game) -> None:
        """Delete the pending message."""
        self._change(game, lambda _: StoredMessage("", len(game.entries)))

    def _stored_message(self, game: Game) -> StoredMessage:
        return self._records.read(game.ids[0]).message

    def _change(self, game: Game, change: Callable[[StoredMessage], StoredMessage]) -> StoredMessage:
        changed = self._records.change(
            game.ids[0], lambda record: replace(record, message=change(record.message))
        )
        return changed.message


def _pending_words(kept: StoredMessage, game: Game, key: PrivateKey) -> str:
    """The stored message, if it goes with the next decision of this key's holder; else empty."""
    sent = _has_been_sent(kept, game, permissions.held_seats(game, key))
    return "" if kept.suspended or sent else kept.words


def _join(kept: StoredMessage, game: Game, key: PrivateKey, words: str) -> str:
    said = "\n".join(one for one in (_pending_words(kept, game, key), words) if one)
    if SURROGATE.search(said):
        raise PbemError(tr("your message is not UTF-8 text"))
    if (size := len(said.encode())) > MAX_SAY:
        problem = tr(
            "your message has {found} bytes; at most {most} are allowed (FORMAT 4)", found=size, most=MAX_SAY
        )
        hint = tr("to delete the waiting message: {command}", command="pbem say --remove")
        raise PbemError(problem, hint=hint)
    seats = permissions.held_seats(game, key)
    spoken = sum(len((one.body.say or "").encode()) for one in game.entries if one.body.by in seats)
    if spoken + size > MAX_SAY_OF_A_SEAT:
        problem = tr(
            "your messages in this game have {found} bytes; at most {most} are allowed (FORMAT 4)",
            found=spoken,
            most=MAX_SAY_OF_A_SEAT,
        )
        raise PbemError(problem)
    return said


def _check(kept: StoredMessage, game: Game, key: PrivateKey, words: str) -> str:
    if not permissions.held_seats(game, key):
        raise NotYourMove(tr("you are not a player in this game"))
    if game.state.ending:
        raise NotYourMove(tr("the game is over: your message can no longer be sent"))
    before = kept.words if kept.suspended else ""
    return _join(kept, game, key, "\n".join(one for one in (before, words) if one))


def _has_been_sent(kept: StoredMessage, game: Game, seats: Sequence[str], before: int | None = None) -> bool:
    """Whether an entry of these seats (among the first `before`, if given) contains the message."""
    since = [entry.body for entry in game.entries[kept.entries : before] if entry.body.by in seats]
    return any(kept.words in (body.say or "") for body in since)


PendingResignation: TypeAlias = Literal["", "ask", "certain"]
"""Whether a resignation is pending, and whether the player has to confirm it before it is written."""

Deferrals: TypeAlias = Mapping[DeferredKind, StoredDeferral]


class Deferred(Struct, frozen=True):
    """Actions to be written, or confirmed, as soon as they can be.

    `takeback` has the terms of a take-back. A `suspended` action does nothing until the player repeats it.
    `lapsed`: the player wanted to resign, but has to answer a proposal first.
    """

    draw: bool = False
    takeback: dict[str, int] = {}
    resign: PendingResignation = ""
    suspended: tuple[DeferredKind, ...] = ()
    lapsed: bool = False

    @property
    def is_pending(self) -> bool:
        """Whether anything is pending."""
        return bool(self.draw or self.takeback or self.resign)


class DeferredActions:
    """The deferred actions in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._records = GameRecords(home)

    def pending_for(self, game: Game, key: PrivateKey) -> Deferred:
        """The deferred actions of this key's holder that are still pending. Raises `StorageError`."""
        seats = permissions.held_seats(game, key)
        left = _still_pending(self._stored_deferrals(game), game, seats)
        waits = {what: deferral for what, deferral in left.items() if not deferral.suspended}
        resign: PendingResignation = (
            ("certain" if waits["resign"].certain else "ask") if "resign" in waits else ""
        )
        return Deferred(
            draw="draw" in waits,
            takeback=waits["takeback"].takeback if "takeback" in waits else {},
            resign=resign,
            suspended=tuple(what for what in left if what not in waits),
            lapsed=self._has_lapsed(game, seats),
        )

    def is_fulfilled_by(self, game: Game, body: Body) -> bool:
        """Whether an entry does what was deferred before it. Raises `StorageError`."""
        if isinstance(body, Resign):
            deferral = self._stored_deferrals(game).get("resign")
        elif isinstance(body, Propose) and body.what.draw:
            deferral = self._stored_deferrals(game).get("draw")
        elif isinstance(body, Propose):
            deferral = self._stored_deferrals(game).get("takeback")
        else:
            return False
        return deferral is not None and deferral.entries <= body.n and not deferral.suspended

    def is_empty(self, game: str) -> bool:
        """Whether nothing was ever deferred in the game with this id. Raises `StorageError`."""
        return not self._records.read(game).deferred

    def save_draw(self, game: Game) -> None:
        """Defer a draw offer."""
        self._put(game, "draw", StoredDeferral(len(game.entries)))

    def save_takeback(self, game: Game, takeback: dict[str, int]) -> None:
        """Defer a take-back with these terms."""
        self._put(game, "takeback", StoredDeferral(len(game.entries), takeback=takeback))

    def save_resignation(self, game: Game, *, certain: bool) -> None:
        """Defer a resignation; `certain`: it needs no confirmation later."""
        self._put(game, "resign", StoredDeferral(len(game.entries), certain))

    def withdraw(self, game: Game, what: DeferredKind) -> None:
        """Withdraw a deferred action."""
        self._change(
            game, lambda stored: {kind: deferral for kind, deferral in stored.items() if kind != what}
        )

    def suspend(self, game: Game, entries: int, seats: Sequence[str]) -> None:
        """Suspend what will be pending once the game has only this many `entries`."""
        self._change(
            game,
            lambda stored: {
                what: replace(deferral, entries=min(deferral.entries, entries), suspended=True)
                for what, deferral in _still_pending(stored, game, seats, entries).items()
            },
        )

    def _has_lapsed(self, game: Game, seats: Sequence[str]) -> bool:
        """Whether the pending proposal is the opponent's first since a resignation was deferred."""
        wished, proposal = self._stored_deferrals(game).get("resign"), game.state.proposal
        if not (wished and proposal) or proposal.by in seats:
            return False
        his = [earlier.n for earlier in _proposals(game, None) if earlier.by == proposal.by]
        return sum(n >= wished.entries for n in his) == 1

    def _stored_deferrals(self, game: Game) -> Deferrals:
        return self._records.read(game.ids[0]).deferred

    def _put(self, game: Game, what: DeferredKind, deferral: StoredDeferral) -> None:
        self._change(game, lambda stored: {**stored, what: deferral})

    def _change(self, game: Game, change: Callable[[Deferrals], Deferrals]) -> None:
        self._records.change(game.ids[0], lambda record: replace(record, deferred=change(record.deferred)))


def deferred_for(player: LocalPlayer, game: Game) -> Deferred:
    """The player's deferred actions in a game. Raises `StorageError`."""
    if not player.has_key or DeferredActions(player.home).is_empty(game.ids[0]):
        return Deferred()  # without asking for a passphrase
    return DeferredActions(player.home).pending_for(game, player.key)


def may_sign_here(player: LocalPlayer, game: Game) -> bool:
    """Whether this home automatically signs what its player has planned or deferred; only one home may.

    It may if it signed the newest decision of the player's seat (an offer and an accept are decisions too),
    and was not copied or restored since. If it is unknown where that was signed, as in a game older than the
    ledger, it may once the player has decided here again. Raises `StorageError`.
    """
    seats = player.seats(game)
    own = [
        entry for entry in game.entries if entry.body.by in seats and not decides_nothing(game, entry.body)
    ]
    return bool(own) and own[-1].id in player.store.signed_entries(game.ids[0]).signed_here


def _still_pending(kept: Deferrals, game: Game, seats: Sequence[str], before: int | None = None) -> Deferrals:
    """The deferred actions still pending after all entries of the game, or after the first `before`."""
    if game.state.ending and before is None:
        return {}
    made: dict[DeferredKind, list[int]] = {
        "draw": [
            one.n for one in _proposals(game, before) if one.what.draw
        ],  # including the opponent's, since the player has to answer it
        "takeback": [
            one.n
            for one in _proposals(game, before)
            if one.what.first_undone is not None and (one.by in seats or _is_granted(game, one.n))
        ],
        "resign": [one.n for one in _proposals(game, before) if one.by not in seats],
    }
    left = {what: one for what, one in kept.items() if all(n < one.entries for n in made[what])}
    if "takeback" in left and not _may_undo(game, left["takeback"].takeback):
        del left["takeback"]
    return left


def _is_granted(game: Game, n: int) -> bool:
    """Whether the proposal in entry `n` was granted."""
    answer = game.entries[n + 1].body if n + 1 < len(game.entries) else None
    return isinstance(answer, Answer) and answer.accept


def _may_undo(game: Game, takeback: dict[str, int]) -> bool:
    """Whether the rules of the file still allow a take-back (FORMAT 6.7 and 12)."""
    try:
        for what, n in takeback.items():
            game.state.check_may_undo("retract" if what == "retract" else "takeback", n)
    except EntryRefused:
        return False
    return True


def _proposals(game: Game, before: int | None) -> list[Propose]:
    return [entry.body for entry in game.entries[:before] if isinstance(entry.body, Propose)]
