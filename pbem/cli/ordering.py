"""What commands and the prompt share about orders: the question, a set-up's orders, a unit and its reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from pbem.core.legend import Cell, Legend, Margin
from pbem.core.phrases import Word
from pbem.core.requests import Question
from pbem.errors import FileError, NotYourMove
from pbem.player.actions.preconditions import check_no_proposal, seat_to_write
from pbem.player.local_player import LocalPlayer
from pbem.player.orders.possible_orders import attack_odds
from pbem.render.screen import mentioned_hexes
from pbem.render.story import describe_next_duty
from pbem.render.window import mark_reach
from pbem.render.words import quote_path
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_state import GameState

tr = Texts("pbem")

PLACE, TARGET = "+", "x"
"""The marks of a hex where a unit may be placed, and of an enemy that a unit may attack."""


def question_for_player(game: Game, table: GameState, mine: LocalPlayer, file: Path | str) -> Question:
    """The pending question, if it is put to the player. Raises `NotYourMove`."""
    seat = seat_to_write(mine, game, file)
    check_no_proposal(game, file)
    if table.pending_question is None or table.pending_question.seat != seat:
        raise NotYourMove(
            tr(
                "{side} {side:is|are} not asked for orders now: {awaited}",
                side=game.rules.side(seat),
                awaited=describe_next_duty(table),
            ),
            hint=tr("to do what is due: {command}", command=f"pbem move {quote_path(file)}")
            if game.state.open_beat
            else "",
        )
    return table.pending_question


def read_setup_orders(mine: LocalPlayer, setup: str) -> list[str]:
    """The orders of `--setup`: the lines of a file, where `#` begins a comment; or those of a set-up."""
    path = Path(setup)
    if not path.is_file():
        return [f"setup {setup}"]
    try:
        text = mine.read(path).decode()
    except UnicodeDecodeError:
        raise FileError(tr("is not UTF-8 text"), where=setup) from None
    return [order for line in text.splitlines() if (order := line.partition("#")[0].strip())]


def parse_unit(game: Game, asked: Question, typed: str) -> str:
    """The unit of the asked side whose name, or its beginning, is typed. Raises `OrderError`."""
    legend = game.rules.view.legend(asked.state)
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    names = [piece.name for place in places for piece in place.pieces if piece.side == asked.seat]
    return Word(typed, typed, 0, len(typed)).choose(
        names, tr("a unit of {side}", side=game.rules.side(asked.seat))
    )


def mark_unit_reach(game: Game, asked: Question, unit: str, legend: Legend) -> tuple[Legend, list[str]]:
    """A map with the reach of a unit and its targets marked, and the hexes that are marked."""
    targets = _targets(game, asked, unit) if unit else []
    figures = {**reach(game, asked, unit), **dict.fromkeys(targets, TARGET)}
    meaning = (
        tr("steps of {unit}, ten as 0; {mark}: whom it may attack", unit=unit, mark=TARGET)
        if targets
        else tr("steps of {unit}, ten as 0", unit=unit)
    )
    return mark_reach(legend, figures, meaning) if figures else legend, list(figures)


def mark_placements(legend: Legend, unit: str, phrases: Iterable[str]) -> tuple[Legend, list[str]]:
    """A map with the hexes that a unit's orders name marked, as those of a set-up do, and these hexes.

    With an empty name the orders are those of several units.
    """
    named = {word for phrase in phrases for word in phrase.split()}
    places = {cell.number: PLACE for cell in legend.cells if cell.number in named}
    meaning = (
        tr("{mark} where {unit} may be placed", mark=PLACE, unit=unit)
        if unit
        else tr("{mark} where units may be placed", mark=PLACE)
    )
    return mark_reach(legend, places, meaning) if places else legend, list(places)


def reach(game: Game, asked: Question, unit: str) -> Mapping[str, str]:
    """The hexes that a unit may go to, each with the steps; empty for no unit."""
    reach_of = game.rules.view.reach
    return reach_of(asked, unit) if unit and reach_of else {}


def _targets(game: Game, asked: Question, unit: str) -> list[str]:
    """The hexes of the enemies that a unit may attack now."""
    legend = game.rules.view.legend(asked.state)
    named = {
        number
        for attack in attack_odds(game, asked, unit)
        for number in mentioned_hexes(legend, attack.orders)
    }
    foes = {cell.number for cell in legend.cells for piece in cell.pieces if piece.side != asked.seat}
    return sorted(named & foes)
