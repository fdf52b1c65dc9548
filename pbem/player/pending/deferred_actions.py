"""Actions that are deferred until they may be written: an offer of a draw, and a resignation (FORMAT 6).

    home/wishes.json    by the id of the game

They are in no game file until then. Like a pending message they are not removed when they are written:
what became of them follows from the log. An offer of a draw has been made, a resignation lapses where the
opponent proposes something, and both lapse where the game ends. What an undone entry had done is suspended:
the player repeats it, or drops it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import JsonStore, lock_folder, make_folder
from pbem.format.keys import PrivateKey
from pbem.format.shapes import Body, Propose, Resign
from pbem.player.local_player import LocalPlayer
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game
from pbem.umpire.game_facts import decides_nothing

tr = Texts("pbem")

PendingResignation: TypeAlias = Literal["", "ask", "certain"]
"""Whether a resignation is pending, and whether the player is asked again before it is written."""

DeferredKind: TypeAlias = Literal["draw", "resign"]


class Deferred(Struct, frozen=True):
    """Actions that are written automatically, or asked about again, as soon as they can be.

    A `suspended` one waits until the player repeats it. `lapsed`: he had wanted to resign, and has to answer
    a proposal instead.
    """

    draw: bool = False
    resign: PendingResignation = ""
    suspended: tuple[DeferredKind, ...] = ()
    lapsed: bool = False

    @property
    def is_pending(self) -> bool:
        """Whether anything is pending."""
        return bool(self.draw or self.resign)


class _StoredDeferral(Struct, frozen=True, forbid_unknown_fields=True):
    """A deferred action: the number of entries then, if it is written without asking, if it is suspended."""

    entries: int
    certain: bool = False
    suspended: bool = False


class DeferredActions:
    """The deferred actions in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._store = JsonStore(
            home / "wishes.json",
            dict[str, dict[DeferredKind, _StoredDeferral]],
            hint=tr("mend or remove it: only wishes that wait are lost"),
        )

    def pending_for(self, game: Game, key: PrivateKey) -> Deferred:
        """The deferred actions of this key's holder that are not done yet. Raises `ShelfError`."""
        seats = permissions.held_seats(game, key)
        left = _still_pending(self._stored(game), game, seats)
        waits = {what: deferral for what, deferral in left.items() if not deferral.suspended}
        resign: PendingResignation = (
            ("certain" if waits["resign"].certain else "ask") if "resign" in waits else ""
        )
        return Deferred(
            draw="draw" in waits,
            resign=resign,
            suspended=tuple(what for what in left if what not in waits),
            lapsed=self._has_lapsed(game, seats),
        )

    def is_fulfilled_by(self, game: Game, body: Body) -> bool:
        """Whether an entry does what was deferred before it. Raises `ShelfError`."""
        if isinstance(body, Resign):
            deferral = self._stored(game).get("resign")
        elif isinstance(body, Propose) and body.what.takeback is None:
            deferral = self._stored(game).get("draw")
        else:
            return False
        return deferral is not None and deferral.entries <= body.n and not deferral.suspended

    def is_empty(self, game: str) -> bool:
        """Whether nothing was ever deferred in the game with this id. Raises `ShelfError`."""
        return not self._store.read().get(game)

    def save_draw(self, game: Game) -> None:
        """Save that the player defers an offer of a draw."""
        self._put(game, {**self._stored(game), "draw": _StoredDeferral(len(game.entries))})

    def save_resignation(self, game: Game, *, certain: bool) -> None:
        """Save that the player defers his resignation; `certain`: without being asked again."""
        self._put(game, {**self._stored(game), "resign": _StoredDeferral(len(game.entries), certain)})

    def withdraw(self, game: Game, what: DeferredKind) -> None:
        """Withdraw a deferred action."""
        self._put(game, {kind: kept for kind, kept in self._stored(game).items() if kind != what})

    def suspend(self, game: Game, entries: int, seats: Sequence[str]) -> None:
        """Suspend what is pending once the game has only so many entries."""
        left = _still_pending(self._stored(game), game, seats, entries).items()
        self._put(
            game,
            {
                what: replace(deferral, entries=min(deferral.entries, entries), suspended=True)
                for what, deferral in left
            },
        )

    def _has_lapsed(self, game: Game, seats: Sequence[str]) -> bool:
        """Whether the pending proposal is the first of the opponent's since a resignation was deferred."""
        wished, proposal = self._stored(game).get("resign"), game.state.proposal
        if not (wished and proposal) or proposal.by in seats:
            return False
        his = [earlier.n for earlier in _proposals(game, None) if earlier.by == proposal.by]
        return sum(n >= wished.entries for n in his) == 1

    def _stored(self, game: Game) -> Mapping[DeferredKind, _StoredDeferral]:
        return self._store.read().get(game.ids[0], {})

    def _put(self, game: Game, kept: Mapping[DeferredKind, _StoredDeferral]) -> None:
        make_folder(self._home)
        with lock_folder(self._home):
            self._store.save(game.ids[0], dict(kept))


def deferred_for(desk: LocalPlayer, game: Game) -> Deferred:
    """The player's deferred actions in a game. Raises `ShelfError`."""
    if not (desk.has_key and (desk.home / "wishes.json").exists()):
        return Deferred()
    return DeferredActions(desk.home).pending_for(game, desk.key)


def may_sign_here(desk: LocalPlayer, game: Game) -> bool:
    """Whether this home signs automatically what its player has planned or deferred; only one home may.

    It may where it has signed the newest decision of his seat (an offer and an accept are decisions too), and
    was not copied or restored since. Where it is unknown who has signed that, as in a game that was begun
    before homes had a ledger, it may once he has decided here again. Raises `ShelfError`.
    """
    seats = desk.seats(game)
    own = [entry for entry in game.entries if entry.body.by in seats and not decides_nothing(entry.body)]
    return bool(own) and own[-1].id in desk.store.signed_entries(game.ids[0]).signed_here


def _still_pending(
    kept: Mapping[DeferredKind, _StoredDeferral], game: Game, seats: Sequence[str], before: int | None = None
) -> dict[DeferredKind, _StoredDeferral]:
    """The deferred actions that are still pending after all entries of the game, or the first `before`."""
    if game.state.ending and before is None:
        return {}
    made: dict[DeferredKind, list[int]] = {
        "draw": [
            one.n for one in _proposals(game, before) if one.what.takeback is None
        ],  # the opponent's too, since it is answered
        "resign": [one.n for one in _proposals(game, before) if one.by not in seats],
    }
    return {what: one for what, one in kept.items() if all(n < one.entries for n in made[what])}


def _proposals(game: Game, before: int | None) -> list[Propose]:
    return [entry.body for entry in game.entries[:before] if isinstance(entry.body, Propose)]
