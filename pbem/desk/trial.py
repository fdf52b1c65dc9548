"""Try orders before they are signed: what they would bring about."""

from __future__ import annotations

from functools import partial
from typing import Any

from pbem.core.requests import Orders, Tell
from pbem.core.rules import Forecast
from pbem.core.run import judged
from pbem.core.sealing import Seal
from pbem.render.words import safe, wrap
from pbem.report import events
from pbem.texts import Texts
from pbem.umpire import Game
from pbem.umpire.table import Table

tr = Texts("pbem")


def trial(table: Table, orders: Orders) -> tuple[tuple[Tell, ...], Any]:
    """What the orders would bring about up to the next card or die, and the state then. Raises `OrderError`.

    Of orders that will be sealed nothing is told; the state is the one that their giver foresees.
    """
    asked = table.asked
    assert asked is not None
    if isinstance(asked, Seal):
        answer = judged(table.rules, asked.read, orders)
        return (), asked.foresee(answer) if asked.foresee else asked.state
    twin = table.fork()
    twin.answer(asked.seat, orders)
    return tuple(twin.run.told), twin.run.state


def forecast(table: Table, orders: Orders) -> Forecast:
    """What the orders come to beside their story: chances and warnings. Raises `OrderError`."""
    asked, found = table.asked, table.rules.view.forecast
    assert asked is not None
    return Forecast() if found is None else judged(table.rules, partial(found, asked), orders)


def preview(game: Game, table: Table, orders: Orders) -> str:
    """What the orders would do, in words, with every chance and warning. Raises `OrderError`."""
    told, state = trial(table, orders)
    lines = events(game, told)
    if isinstance(table.asked, Seal):
        lines.append(f"      {tr('The orders are legal; they will be sealed until they are opened')}")
    chance = game.rules.view.chance(state)
    if chance is not None:
        percent = f"{float(chance):.0%}"
        lines.append(
            f"      {tr('The chance of success is {percent} ({exact})', percent=percent, exact=chance)}"
        )
    coming = forecast(table, orders)
    said = [*coming.chances, *(tr("Mind: {warning}", warning=one) for one in coming.warnings)]
    return "\n".join([*lines, *(wrap(f"      {safe(line)}", indent=8) for line in said)])
