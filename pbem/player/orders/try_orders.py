"""Try orders before they are signed: their effect."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Struct

from pbem.core.requests import Orders, Tell
from pbem.core.rules import Forecast
from pbem.core.run import judged
from pbem.core.sealing import Seal
from pbem.render.story import describe_events
from pbem.render.words import safe_text, wrap
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_state import GameState

tr = Texts("pbem")


class Effect(Struct, frozen=True):
    """The effect of an action: its story up to the next card or die, every chance, and every warning.

    Texts of one line or more, wrapped for a terminal.
    """

    story: tuple[str, ...] = ()
    chances: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def chances_and_warnings(self) -> list[str]:
        """The chances and the warnings, which are always shown before signing."""
        warnings = (_wrap_indented(tr("Note: {warning}", warning=warning)) for warning in self.warnings)
        return [*self.chances, *warnings]

    @property
    def unwrapped_lines(self) -> list[str]:
        """The whole effect, one line for each text however long, for callers that wrap it themselves."""
        texts = (*self.story, *self.chances_and_warnings)
        return [f"{text[: len(text) - len(text.lstrip(' '))]}{' '.join(text.split())}" for text in texts]

    @property
    def lines(self) -> list[str]:
        """The whole effect, in lines."""
        return [line for text in (*self.story, *self.chances_and_warnings) for line in text.split("\n")]


def trial(table: GameState, orders: Orders) -> tuple[tuple[Tell, ...], Any]:
    """The events that orders would cause up to the next card or die, and the state then. Raises `OrderError`.

    Orders that will be sealed cause no events; the state is the one that the player foresees.
    """
    asked = table.pending_question
    assert asked is not None
    if isinstance(asked, Seal):
        answer = judged(table.rules, asked.read, orders)
        return (), asked.foresee(answer) if asked.foresee else asked.state
    twin = table.fork()
    twin.apply_orders(asked.seat, orders)
    return tuple(twin.run.told), twin.run.state


def effect_of(game: Game, table: GameState, orders: Orders) -> Effect:
    """The effect of orders, with every chance and warning. Raises `OrderError`."""
    told, state = trial(table, orders)
    story = describe_events(game, told)
    if isinstance(table.pending_question, Seal):
        story.append(f"      {tr('The orders are legal; they will be sealed until they are opened')}")
    chances = []
    chance = game.rules.view.chance(state)
    if chance is not None:
        percent = f"{float(chance):.0%}"
        chances.append(
            f"      {tr('The chance of success is {percent} ({exact})', percent=percent, exact=chance)}"
        )
    coming = _forecast(table, orders)
    chances += map(_wrap_indented, coming.chances)
    return Effect(tuple(story), tuple(chances), coming.warnings)


def _forecast(table: GameState, orders: Orders) -> Forecast:
    """The forecast of orders beside their story: chances and warnings. Raises `OrderError`."""
    asked, forecast = table.pending_question, table.rules.view.forecast
    assert asked is not None
    return Forecast() if forecast is None else judged(table.rules, partial(forecast, asked), orders)


def _wrap_indented(line: str) -> str:
    return wrap(f"      {safe_text(line)}", indent=8)
