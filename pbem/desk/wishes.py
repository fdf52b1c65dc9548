"""Wishes that wait until they may be written: an offer of a draw, and a resignation (FORMAT 6).

    home/wishes.json    by the id of the game

They stand in no file until then. Like words that wait they are not taken off the list when they are written:
what has come of them follows from the log. An offer of a draw has been made, a resignation lapses where the
opponent proposes something, and all of it where the game ends. What an undone entry had done is suspended:
the player says it again, or leaves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.desk.desk import Desk
from pbem.files import Store, locked, make_folder
from pbem.journal.shapes import Propose
from pbem.keys import PrivateKey
from pbem.render.words import quoted
from pbem.texts import Texts
from pbem.umpire import Game, seated
from pbem.umpire.facts import decides_nothing

tr = Texts("pbem")

Sure: TypeAlias = Literal["", "ask", "certain"]
"""Whether a resignation waits, and whether its giver is asked again before it is written."""

What: TypeAlias = Literal["draw", "resign"]


class Wish(Struct, frozen=True):
    """What waits in a game; `suspended`: until the player says it again."""

    draw: bool = False
    resign: Sure = ""
    suspended: bool = False

    @property
    def waits(self) -> bool:
        """Whether anything goes by itself, or is asked again, as soon as it can be written."""
        return not self.suspended and bool(self.draw or self.resign)


class _Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """What was wished, and how many entries the game had then; None: nothing was."""

    draw: int | None = None
    resign: int | None = None
    certain: bool = False
    suspended: bool = False


class Wishes:
    """The wishes on the desk in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._store = Store(
            home / "wishes.json",
            dict[str, _Kept],
            hint=tr("mend or remove it: only wishes that wait are lost"),
        )

    def of(self, game: Game, key: PrivateKey) -> Wish:
        """What this key's holder has wished, as far as it has not come to anything. Raises `ShelfError`."""
        return _left(self._kept(game), game, seated.held(game, key))

    def draw(self, game: Game) -> None:
        """He wishes to offer a draw."""
        self._put(game, replace(self._fresh(game), draw=len(game.entries)))

    def resign(self, game: Game, *, certain: bool) -> None:
        """He wishes to give the game up; `certain`: without being asked again."""
        self._put(game, replace(self._fresh(game), resign=len(game.entries), certain=certain))

    def withdraw(self, game: Game, what: What) -> None:
        """He does not wish it any more."""
        kept = self._kept(game)
        self._put(game, replace(kept, draw=None) if what == "draw" else replace(kept, resign=None))

    def suspend(self, game: Game, entries: int, seats: Sequence[str]) -> None:
        """What waits once the game has only so many entries waits for the player's word."""
        kept = self._kept(game)
        if _left(kept, game, seats, entries) != Wish():
            draw = None if kept.draw is None else min(kept.draw, entries)
            resign = None if kept.resign is None else min(kept.resign, entries)
            self._put(game, _Kept(draw, resign, kept.certain, suspended=True))

    def _kept(self, game: Game) -> _Kept:
        return self._store.read().get(game.ids[0], _Kept())

    def _fresh(self, game: Game) -> _Kept:
        """The wishes kept, without suspended ones: who says something new has thought again."""
        kept = self._kept(game)
        return _Kept() if kept.suspended else kept

    def _put(self, game: Game, kept: _Kept) -> None:
        make_folder(self._home)
        with locked(self._home):
            self._store.put(game.ids[0], kept)


def wished(desk: Desk, game: Game) -> Wish:
    """What waits in a game for whoever's desk it is. Raises `ShelfError`."""
    if not (desk.has_key and (desk.home / "wishes.json").exists()):
        return Wish()
    return Wishes(desk.home).of(game, desk.key)


def told(wish: Wish, file: Path | str, *, due: bool = False) -> list[str]:
    """What waits, in lines, each with how it is taken back or said again; `due`: it may be written now."""
    draw, resign = f"pbem propose {quoted(file)} draw", f"pbem resign {quoted(file)}"
    lines = [_draw(wish, draw, due=due)] if wish.draw else []
    return [*lines, _resign(wish, resign, due=due)] if wish.resign else lines


def _draw(wish: Wish, again: str, *, due: bool) -> str:
    back = f"{again} --withdraw"
    if wish.suspended:
        return tr("Your offer of a draw came back with what you undid; again: {command}", command=again)
    if due:
        return tr(
            "Your offer of a draw goes first: {command}; to take it back: {back}", command=again, back=back
        )
    return tr("Your offer of a draw waits until you may write it; to take it back: {command}", command=back)


def _resign(wish: Wish, again: str, *, due: bool) -> str:
    back = f"{again} --withdraw"
    if wish.suspended:
        return tr("Your resignation came back with what you undid; again: {command}", command=again)
    if due:
        return tr(
            "You wanted to resign; if you still do: {command}; if not: {back}", command=again, back=back
        )
    if wish.resign == "certain":
        return tr(
            "Your resignation waits, and goes as soon as it may be written; to take it back: {command}",
            command=back,
        )
    return tr(
        "Your resignation waits until you may write it, and you are asked again; to take it back: {command}",
        command=back,
    )


def may_be_written(game: Game, seats: Sequence[str]) -> bool:
    """Whether these seats may write what they have wished: no proposal waits, or was just refused."""
    table = game.table
    return table.writer in seats and not table.proposal and table.barred != table.writer


def signs_here(desk: Desk, game: Game) -> bool:
    """Whether this home signs by itself what its player has planned or wished, so that two do not part.

    It does where it has signed the newest decision of his seat, and knows so. Raises `ShelfError`.
    """
    seats = desk.seats(game)
    own = [one for one in game.entries if one.body.by in seats and not decides_nothing(one.body)]
    handed = desk.shelf.handed(game.ids[0])
    return bool(own) and own[-1].id in handed.signed and not handed.moved


def _left(kept: _Kept, game: Game, seats: Sequence[str], before: int | None = None) -> Wish:
    """The wish as far as it has come to nothing yet, after all entries of the game or the first `before`."""
    if game.table.ending and before is None:
        return Wish()
    bodies = [one.body for one in game.entries[:before]]
    proposals = [body for body in bodies if isinstance(body, Propose)]
    his = [one.n for one in proposals if one.by not in seats]
    draws = [one.n for one in proposals if one.what.takeback is None]  # his too, which is answered
    draw, resign = kept.draw, kept.resign
    return Wish(
        draw=draw is not None and all(n < draw for n in draws),
        resign=("certain" if kept.certain else "ask")
        if resign is not None and all(n < resign for n in his)
        else "",
        suspended=kept.suspended,
    )
