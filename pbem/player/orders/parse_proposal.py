"""A player's proposal as he types it: a draw, or the move of his to take back (FORMAT 6.6)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.errors import PbemError
from pbem.format.keys import PrivateKey
from pbem.format.shapes import Play
from pbem.lookalikes import plain_letters
from pbem.render.story import describe_orders, orders_in_force
from pbem.render.words import cut
from pbem.texts import ENGLISH, Texts, speaking
from pbem.umpire import permissions
from pbem.umpire.game import Game

tr = Texts("pbem")

_MOST_MOVES = 3
"""The most moves that a list names."""

_MOST_COLUMNS = 40
"""The most columns of a move in such a list."""

TYPED = ("draw", "last", "takeback")

_TO = "to"
"""A word of the games, in their catalogues, that is ignored."""


def proposed_entry(game: Game, key: PrivateKey, what: str) -> int | None:
    """The entry to take back to, given `last`, a move as typed, or its number; None for a `draw`.

    `takeback` or `take-back` may stand before it. No entry of a log has a number of more than five digits.
    Raises `PbemError` where it is none of these.
    """
    begun, _, rest = what.partition(" ")
    if rest and tr.meant(begun.replace("-", ""), TYPED) == "takeback":
        what = rest.strip()
    if is_draw(what):
        return None
    if re.fullmatch("[0-9]{1,5}", what):
        return int(what)
    moves = [move for move in orders_in_force(game) if move.by in permissions.held_seats(game, key)]
    last = tr.meant(what, TYPED) == "last"
    meant = [move for move in moves if last or _matches_move(what, move, game)]
    if not meant:
        raise PbemError(_describe_unknown_move(game, moves, what))
    return _entry_before(game, meant[-1].n)


def overlooked_losses(game: Game, proposer: Sequence[str], entry: int) -> tuple[str, ...]:
    """What a take-back to an entry costs beside the last move of the seats that propose it.

    Play cannot go back to an entry that left a draw open, so earlier moves of theirs may go too (FORMAT 6.6).
    Whatever was seen when sealed orders were opened stays seen (FORMAT 8).
    """
    undone = [move for move in orders_in_force(game) if move.n > entry]
    last = max((move.n for move in undone if move.by in proposer), default=0)
    undone = [move for move in undone if move.n != last]
    lines = [
        tr(
            "this takes back entry {n} of {side} as well: {orders}",
            n=move.n,
            side=game.rules.side(move.by),
            orders=cut(describe_orders(game, move), _MOST_COLUMNS),
        )
        for move in undone[:_MOST_MOVES]
    ]
    if more := len(undone[_MOST_MOVES:]):
        lines.append(tr.plural("and {number} more", "and {number} more", more))
    if seen := [n for n in game.state.openings if n > entry]:
        lines.append(tr("entry {n} opened sealed orders: what was seen stays seen", n=seen[0]))
    return tuple(lines)


def is_draw(what: str) -> bool:
    """Whether the words mean a draw."""
    return tr.meant(what, TYPED) == "draw"


def moves_to_take_back(game: Game, key: PrivateKey) -> list[tuple[int, str]]:
    """The player's moves in force, the newest first: the entry to go back to, and the orders as text."""
    own = permissions.held_seats(game, key)
    moves = [move for move in orders_in_force(game) if move.by in own]
    return [(_entry_before(game, move.n), describe_orders(game, move)) for move in reversed(moves)]


def _entry_before(game: Game, n: int) -> int:
    """The last entry before `n` to which a take-back may go."""
    return max((number for number in range(1, n) if game.state.may_take_back_to(number)), default=n - 1)


def _matches_move(what: str, move: Play, game: Game) -> bool:
    """Whether the typed words begin those of one of the orders, in the player's language or English."""
    wanted = _plain_words(what, game)
    lines = game.rules.view.write_words(move.orders or [])
    with speaking(ENGLISH):
        lines += game.rules.view.write_words(move.orders or [])
    return bool(wanted) and any(
        all(any(word.startswith(part) for word in _plain_words(line, game)) for part in wanted)
        for line in lines
    )


def _plain_words(text: str, game: Game) -> set[str]:
    small = map(plain_letters, Texts(game.rules.package).typed(_TO))
    return set(re.split(r"[\s,;]+", plain_letters(text))) - {"", _TO, *small}


def _describe_unknown_move(game: Game, moves: list[Play], what: str) -> str:
    """The error message for a typed text that is no move of the player's."""
    found, draw, last = cut(what, _MOST_COLUMNS), tr.own("draw"), tr.own("last")
    if not moves:
        return tr(
            "'{found}' is not {draw}, {last}, a move of yours or the number of an entry",
            found=found,
            draw=draw,
            last=last,
        )
    return tr(
        "'{found}' is not {draw}, {last}, a move of yours or the number of an entry; your "
        "last moves: {moves}",
        found=found,
        draw=draw,
        last=last,
        moves="; ".join(
            f"{move.n} ({cut(describe_orders(game, move), _MOST_COLUMNS)})" for move in moves[-_MOST_MOVES:]
        ),
    )
