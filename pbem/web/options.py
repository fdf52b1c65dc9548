"""The possible orders as data for the board: each with units and hexes, and why others are not possible.

`clicking.js` gets from here everything that a click can mean, and parses no text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from pbem.errors import IllegalOrder, OrderError
from pbem.player.orders.order_sheet import OrderList, OrderSheet, complete_order
from pbem.render.story import explain_departure
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.game_state import GameState
from pbem.web.naming import MapNames, OrderOption
from pbem.web.reorder import expand_line, place_together, remove_orders_of, single_destinations
from pbem.web.rulings import refusal_with_rule

tr = Texts("pbem")

MAX_TRIED = 60
"""The most orders that are tried to explain why a click means none."""

MAX_COMPLETIONS = 40
"""The most completions of the typed text that are shown."""


class OptionsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request: what may these units do after the orders so far, or in this hex, or both.

    `hex` is the index of the hex, `over` those on the way to it, `typed` the beginning of an order; `ahead`
    asks for the traces of the order, if there is exactly one.
    """

    bound: str
    lines: list[str] = []
    units: list[str] = []
    hex: int = -1
    over: list[int] = []
    typed: str = ""
    ahead: bool = False


class OrderMenu:
    """The orders that can be added to a draft."""

    def __init__(self, draft: OrderList, seat: str) -> None:
        self.draft = draft
        self.names = MapNames(draft.legend, seat)

    @cached_property
    def all(self) -> tuple[OrderOption, ...]:
        """All possible orders."""
        return tuple(map(self.names.parse_option, self.draft.possible_additions))

    @cached_property
    def orderable_units(self) -> list[str]:
        """The names of the units that can be given an order."""
        return sorted({name for option in self.all for name in option.units})

    @property
    def without_units(self) -> list[OrderOption]:
        """The orders that name none of the player's units."""
        return [option for option in self.all if not option.units]

    def options_for(self, units: Iterable[str], at: int) -> list[OrderOption]:
        """The orders of all these units together, in the hex `at` if it is not negative."""
        wanted = set(units)
        return [
            option for option in self.all if wanted <= set(option.units) and (at < 0 or at in option.hexes)
        ]

    def ordered_units(self, sheet: OrderSheet) -> list[list[str]]:
        """For each line of the draft the player's units in it, and in the orders that it includes."""
        full = [expand_line(sheet, self.names, line).values() for line in self.draft.lines]
        return [list(dict.fromkeys(name for by in each for name in by)) for each in full]

    def completions(self, typed: str) -> list[str]:
        """The texts to which a partly typed order can be completed, in the order of the possible orders."""
        begun, words = complete_order(self.draft.possible_additions, typed)
        return [typed[: len(typed) - len(begun)] + word for word in words[:MAX_COMPLETIONS]]


def answer_click(options: OrderMenu, request: OptionsRequest, sheet: OrderSheet) -> dict[str, Any]:
    """The answer to a click: the units' possible orders in the hex, or the reason why there are none.

    Units that have orders may get others `instead`. For several units that are placed at once, the answer has
    the whole list of `lines`, or, before a hex is chosen, the `hexes` for each of them.
    """
    units, at = request.units, request.hex
    if not units and at < 0:
        return {"options": []}
    if (offered := options.options_for(units, at)) and not request.over:
        return _options_answer(offered, options.draft, sheet)
    change = remove_orders_of(sheet, options.names, options.draft, units)
    draft = change.rest if change else options.draft
    more: dict[str, Any] = {"instead": change.as_data()} if change else {}
    without_them = OrderMenu(draft, sheet.asked.seat) if change else options
    if change and (offered := _joint_attacks(options, units, at, sheet)):
        return _options_answer(offered, options.draft, sheet)
    if request.over:
        return {**_order_by_path(without_them, request, sheet), **more}
    if change and (offered := without_them.options_for(units, at)):
        return {**_options_answer(offered, draft, sheet), **more}
    if len(units) > 1 and at < 0 and (hexes := single_destinations(without_them.all, units)):
        return {"options": [], "hexes": hexes}
    if len(units) > 1 and 0 <= at < len(draft.legend.cells):
        try:
            if lines := place_together(sheet, options.names, options.draft, units, at):
                return {"options": [], "lines": lines}
        except OrderError as error:
            return {"options": [], "refused": refusal_with_rule(sheet.game.rules, error)}
    return {**_judge_click(options.names, draft, units, at, sheet), **more}


def _options_answer(offered: Sequence[OrderOption], draft: OrderList, sheet: OrderSheet) -> dict[str, Any]:
    """Possible orders with their chances."""
    chances = _hit_chances(draft, sheet.table, sheet.game) if any(option.attack for option in offered) else {}
    return {"options": [option.as_data(chances) for option in offered]}


def _joint_attacks(options: OrderMenu, units: Sequence[str], at: int, sheet: OrderSheet) -> list[OrderOption]:
    """The legal joint attacks on a hex by units that have orders already."""
    cells = options.draft.legend.cells
    candidates = (
        _orders_meant(sheet.game, sheet.table, units, cells[at].number) if 0 <= at < len(cells) else ()
    )
    attacks = [words for words in candidates if options.names.parse_option(words).attack]
    return list(map(options.names.parse_option, _try_orders(sheet, options.draft, attacks)[0]))


def _order_by_path(options: OrderMenu, request: OptionsRequest, sheet: OrderSheet) -> dict[str, Any]:
    """A unit's order along a path of several hexes, made from its order to a single hex."""
    cells, names = options.draft.legend.cells, options.names
    way = [at for at in (*request.over, request.hex) if 0 <= at < len(cells)]
    (unit,) = request.units[:1] or [""]
    option = next(
        (option for option in options.options_for([unit], -1) if option.units == (unit,) and option.hexes),
        None,
    )
    if option is None:
        return _judge_click(names, options.draft, request.units, request.hex, sheet)
    words = names.order_over_path(option, [cells[at].number for at in way])
    refused = OrderList(sheet, (*options.draft.lines, words)).refusal
    if refused is None:
        return {"options": [names.parse_option(words).as_data({})]}
    return {"options": [], "refused": refusal_with_rule(sheet.game.rules, refused)}


def _judge_click(
    names: MapNames, draft: OrderList, units: Sequence[str], at: int, sheet: OrderSheet
) -> dict[str, Any]:
    """The legal ones of the orders that a click may mean, or the reason why there are none."""
    table, game, cells = sheet.table, sheet.game, draft.legend.cells
    number = cells[at].number if 0 <= at < len(cells) else ""
    there = units
    if not units and (there := names.own_in_hex.get(at, [])):
        number = ""  # then explain why the units there can do nothing
    legal, refusals = _try_orders(sheet, draft, _orders_meant(game, table, there, number))
    if legal:  # legal, though not among the listed orders
        return {"options": [names.parse_option(words).as_data({}) for words in legal]}
    error: OrderError | None = None
    if refusals:
        error = refusals[0] if number else _commonest_refusal(refusals)
    elif number and there:  # nothing is there that an order could refer to
        error = _why_unable(sheet, draft, there)
    explained = explain_departure(game, table.run.told, error or OrderError(_explain_nothing(there, number)))
    return {"options": [], "refused": refusal_with_rule(game.rules, explained, sheet.asked.rule)}


def _why_unable(sheet: OrderSheet, draft: OrderList, units: Sequence[str]) -> IllegalOrder | None:
    """Why these units cannot be given any order; None if they can."""
    legal, refusals = _try_orders(sheet, draft, _orders_meant(sheet.game, sheet.table, units, ""))
    return _commonest_refusal(refusals) if refusals and not legal else None


def _hit_chances(draft: OrderList, table: GameState, game: Game) -> dict[str, str]:
    """The chance of each attack, by its text; none after other orders, which change the chances."""
    odds = game.rules.view.odds(table.pending_question) if table.pending_question and not draft.lines else ()
    return {attack.words: f"{float(attack.hit):.0%}" for attack in odds}


def _orders_meant(game: Game, table: GameState, units: Sequence[str], at: str) -> Iterable[str]:
    meant = game.rules.view.meant
    return meant(table.pending_question, units, at) if meant and table.pending_question else ()


def _try_orders(
    sheet: OrderSheet, draft: OrderList, candidates: Iterable[str]
) -> tuple[list[str], list[IllegalOrder]]:
    """Those of the orders that are legal, and the refusals of the others."""
    legal, refusals = [], []
    for _, words in zip(range(MAX_TRIED), candidates, strict=False):
        refused = OrderList(sheet, (*draft.lines, words)).refusal
        if refused is None:
            legal.append(words)
        elif isinstance(refused, IllegalOrder):
            refusals.append(refused)
    return legal, refusals


def _commonest_refusal(refusals: Sequence[IllegalOrder]) -> IllegalOrder:
    """The first refusal by the rule that forbids most of the orders."""
    (rule, _), *_ = Counter(error.rule for error in refusals).most_common(1)
    return next(error for error in refusals if error.rule == rule)


def _explain_nothing(units: Sequence[str], at: str) -> str:
    """The message that a click means no order."""
    if units and at:
        return tr("{units} can be ordered nothing at {hex} now", units=", ".join(units), hex=at)
    if units:
        return tr("{units} can be ordered nothing now", units=", ".join(units))
    return tr("nothing can be ordered at {hex} now", hex=at)
