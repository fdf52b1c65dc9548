"""What a player proposes, by the words he types: a draw, or which of his moves to take back (FORMAT 6.6)."""

from __future__ import annotations

import re

import typer

from pbem.cli.terminal import warn
from pbem.core.requests import Plain
from pbem.journal.shapes import Play
from pbem.keys import PrivateKey
from pbem.render.words import cut
from pbem.report import in_force, typed
from pbem.umpire import Game, seated

_TOLD = 3
"""How many of the player's moves are named where what he typed is none of them."""

_MOST = 40
"""How many columns of it."""

_NO_WORDS = {"", "to"}


def proposal(game: Game, key: PrivateKey, what: str) -> dict[str, Plain]:
    """What is proposed, as an entry says it: `draw`, `last`, a move as typed, or the number of an entry.

    `takeback` or `take-back` before it is taken as said. No log has an entry of more than five figures.
    Raises `typer.BadParameter`.
    """
    what = re.sub("^take-?back +", "", what)
    if what == "draw":
        return {"draw": True}
    if re.fullmatch("[0-9]{1,5}", what):
        return {"takeback": int(what)}
    moves = [one for one in in_force(game, len(game.entries)) if one.by in seated.held(game, key)]
    meant = [
        one for one in moves if what == "last" or _fits(what, game.rules.view.write_words(one.orders or []))
    ]
    if not meant:
        raise typer.BadParameter(_unknown(game, moves, what), param_hint="WHAT")
    entry = _before(game, meant[-1].n)
    for other in in_force(game, len(game.entries)):
        if entry < other.n < meant[-1].n:
            orders = cut(typed(game, other.orders or []), _MOST)
            warn(f"this takes back entry {other.n} of {other.by} as well: {orders}")
    return {"takeback": entry}


def _before(game: Game, n: int) -> int:
    """The last entry before `n` to which a take-back may go."""
    return max((one for one in range(1, n) if game.table.may_be_named(one)), default=n - 1)


def _fits(what: str, lines: list[str]) -> bool:
    """Whether what was typed is one of the orders, or the essence of one."""
    wanted = _words(what)
    return bool(wanted) and any(
        all(any(word.startswith(part) for word in _words(line)) for part in wanted) for line in lines
    )


def _words(text: str) -> set[str]:
    return set(re.split(r"[\s,;]+", text.lower())) - _NO_WORDS


def _unknown(game: Game, moves: list[Play], what: str) -> str:
    """What is wrong with what was typed: it is no move of the player's."""
    last = "; ".join(f"{one.n} ({cut(typed(game, one.orders or []), _MOST)})" for one in moves[-_TOLD:])
    yours = f"; your last moves: {last}" if last else ""
    return (
        f"found '{cut(what, _MOST)}', expected draw, last, a move of yours or the number of an entry{yours}"
    )
