"""The possible orders as data for the board: each with units and hexes, and why others are not possible.

An order is split at the names on the map, so that `clicking.js` finds everything a click can mean here, and
no script parses text. A unit that has orders is offered different ones instead; several units can be placed
at once. A refusal includes the text of the rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from math import dist
from typing import Any, TypeAlias

from msgspec import Struct

from pbem.core import rulebook
from pbem.core.legend import Legend
from pbem.core.rules import Odds, Rules
from pbem.errors import IllegalOrder, OrderError, PbemError
from pbem.player.order_sheet import (
    OrderList,
    OrderSheet,
    commonest_refusal,
    complete_order,
    orders_meant,
    try_orders,
    why_unable,
)
from pbem.render.markdown import markdown_to_text
from pbem.render.safe_text import safe_text
from pbem.render.story import explain_departure
from pbem.render.svg_map import hex_centre
from pbem.texts import Texts, percent
from pbem.umpire.game_state import Game, GameState

tr = Texts("pbem")


Words: TypeAlias = tuple[str, ...]
"""The words of an order, sorted: the units of an attack can be typed in any order."""


class OrderOption(Struct, frozen=True):
    """An order as typed, the player's units in it, and the hexes it names directly or by a counter.

    `attack`: it names counters that are not the player's.
    """

    words: str
    units: tuple[str, ...]
    hexes: tuple[int, ...]
    attack: bool

    def as_data(self, chances: Mapping[Words, str]) -> list[Any]:
        """The data of the type `Option` in `server.js`, with its chance if that is known."""
        return [self.words, self.units, self.hexes, self.attack, chances.get(_in_any_order(self.words), "")]


class MapNames:
    """The names on a map: each counter's side and hex, and the hexes by their numbers."""

    def __init__(self, legend: Legend, seat: str) -> None:
        self._places = {cell.number: index for index, cell in enumerate(legend.cells)}
        lying = [(piece, index) for index, cell in enumerate(legend.cells) for piece in cell.pieces]
        beside = [piece for margin in legend.margins for piece in margin.pieces]
        self._own = {piece.name for piece in [*(piece for piece, _ in lying), *beside] if piece.side == seat}
        self.own_in_hex = {
            index: [piece.name for piece in cell.pieces if piece.side == seat]
            for index, cell in enumerate(legend.cells)
        }
        self._others = {piece.name: index for piece, index in lying if piece.side != seat}

    def parse_option(self, phrase: str) -> OrderOption:
        """Parse an order as typed."""
        words = re.split(r"[\s;,:]+", phrase)
        by = dict.fromkeys(word for word in words if word in self._own)
        at = dict.fromkeys(self._hexes_named(words))
        return OrderOption(phrase, tuple(by), tuple(at), any(word in self._others for word in words))

    def order_over_path(self, option: OrderOption, numbers: Iterable[str]) -> str:
        """The order of one unit, as typed, along these hexes to the last."""
        (unit,) = option.units
        beginning = option.words[: option.words.index(unit) + len(unit)]
        return " ".join((beginning, *numbers))

    def _hexes_named(self, words: Iterable[str]) -> Iterator[int]:
        for word in words:
            if word in self._places:
                yield self._places[word]
            elif word in self._others:
                yield self._others[word]


MAX_NEAR = 20
"""How many hexes are tried, nearest first, for each of several units placed at once."""


class DraftChange(Struct, frozen=True):
    """The draft without the orders of some units, whose new order goes to the index `at` in `lines`.

    A line that includes orders of other units, such as a ready-made set-up, stays in `lines`, and later lines
    override it. In `rest`, against which the new order is judged, only its other orders remain.
    """

    lines: list[str]
    at: int
    rest: OrderList

    def as_data(self) -> dict[str, Any]:
        """The data of the field `instead` of the type `Meant` in `server.js`."""
        return {"lines": self.lines, "at": self.at}


def remove_orders_of(
    sheet: OrderSheet, names: MapNames, draft: OrderList, units: Iterable[str]
) -> DraftChange | None:
    """The draft without the orders of these units; None if they have none, or the rest would be illegal."""
    wanted, kept, rest, gone = set(units), list[str](), list[str](), list[int]()
    for index, line in enumerate(draft.lines):
        full = expand_line(sheet, names, line)
        others = [one for one, by in full.items() if not by or not wanted.issuperset(by)]
        if others:
            kept.append(line)
            rest += others
        if len(others) < len(full):
            gone.append(len(draft.lines) if others else index)
    if not gone:
        return None
    changed = OrderList(sheet, tuple(rest))
    return None if rest and changed.refusal else DraftChange(kept, min(*gone, len(kept)), changed)


def expand_line(sheet: OrderSheet, names: MapNames, line: str) -> dict[str, tuple[str, ...]]:
    """The single orders in a line, as typed, each with the player's units in it."""
    by = names.parse_option(line).units
    if len(by) == 1:
        return {line: by}
    view = sheet.game.rules.view
    try:
        full = view.write_words(view.read_words(sheet.asked, [line]))
    except OrderError:  # it is legal only after other orders
        return {line: by}
    return {order: names.parse_option(order).units for order in full} if len(full) > 1 else {line: by}


def place_together(
    sheet: OrderSheet, names: MapNames, draft: OrderList, units: Sequence[str], at: int
) -> list[str] | None:
    """The whole list of orders with these units placed around a hex, in their present arrangement.

    Units not yet on the map are placed as near to the hex as possible; one that finds no room keeps its
    place. None if one of them was already on the map when the question was put. Raises `OrderError` if there
    is no room for any.
    """
    if counter_hexes(OrderList(sheet, ()).legend).keys() & set(units):
        return None
    change = remove_orders_of(sheet, names, draft, units)
    rest, lines = (change.rest, change.lines) if change else (draft, list(draft.lines))
    offered = list(map(names.parse_option, rest.possible_additions))
    now, middles = (
        counter_hexes(draft.legend),
        [hex_centre(draft.legend, cell) for cell in draft.legend.cells],
    )
    first = next((now[name] for name in units if name in now), at)
    placed: list[str] = []
    taken: set[int] = set()
    for name in units:
        (x, y), (from_x, from_y), (to_x, to_y) = (middles[one] for one in (now.get(name, first), first, at))
        target = x - from_x + to_x, y - from_y + to_y
        order = _nearest_legal(
            sheet, (*rest.lines, *placed), _moves_of(offered, name), target, middles, taken
        )
        if order:
            placed.append(order.words)
            taken.update(order.hexes)
    if not placed:
        raise OrderError(tr("there is no room for {units}", units=", ".join(units)))
    return [*lines, *placed]


def single_destinations(options: Iterable[OrderOption], units: Iterable[str]) -> list[int]:
    """The hexes any one of these units can be sent to alone."""
    return sorted({option.hexes[0] for name in units for option in _moves_of(options, name)})


def counter_hexes(legend: Legend) -> dict[str, int]:
    """The index of the hex of each counter on the map."""
    return {piece.name: index for index, cell in enumerate(legend.cells) for piece in cell.pieces}


def _moves_of(offered: Iterable[OrderOption], name: str) -> list[OrderOption]:
    """The orders that send only this unit to a single hex."""
    return [
        option
        for option in offered
        if option.units == (name,) and len(option.hexes) == 1 and not option.attack
    ]


def _nearest_legal(
    sheet: OrderSheet,
    lines: tuple[str, ...],
    offered: Sequence[OrderOption],
    target: tuple[int, int],
    middles: Sequence[tuple[int, int]],
    taken: set[int],
) -> OrderOption | None:
    """The order leading nearest to a point that is legal together with `lines`."""
    nearest = sorted(offered, key=lambda option: (dist(middles[option.hexes[0]], target), option.hexes))
    ahead = nearest[:1] + sorted(nearest[1:], key=lambda option: option.hexes[0] in taken)
    return next(
        (option for option in ahead[:MAX_NEAR] if not OrderList(sheet, (*lines, option.words)).refusal), None
    )


_UNWRAPPED_WIDTH = 1000
"""A width that leaves the wrapping of lines to the browser."""


def refusal_with_rule(rules: Rules, error: PbemError, rule: str = "") -> dict[str, str]:
    """Why orders are refused, a hint, and the rule with its text, if the rulebook has it.

    `rule` is the number to use for an error without a rule.
    """
    number = error.rule if isinstance(error, IllegalOrder) else rule
    text = _rule_text(rules, number)
    return {
        "error": safe_text(str(error)),
        "hint": safe_text(error.hint),
        "number": number if text else "",
        "rule": text,
    }


def _rule_text(rules: Rules, number: str) -> str:
    """The text of the rule or chapter with this number; empty if there is none."""
    book = _rulebook(rules)
    if rule := book.rule(number):
        return markdown_to_text(rule.text, _UNWRAPPED_WIDTH)
    chapter = book.chapter(number)
    return markdown_to_text(chapter.text, _UNWRAPPED_WIDTH) if chapter else ""


@cache
def _rulebook(rules: Rules) -> rulebook.Rulebook:
    return rulebook.of(rules)


MAX_COMPLETIONS = 40
"""The most completions of the typed text that are shown."""


class OptionsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request: the orders of these units after the orders so far, or in this hex, or both.

    `hex` is the index of the hex, `over` those on the way to it, `typed` the beginning of an order; `ahead`
    requests the traces of the order, if there is exactly one.
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
        """For each line of the draft, the player's units in it and in the orders it includes."""
        full = [expand_line(sheet, self.names, line).values() for line in self.draft.lines]
        return [list(dict.fromkeys(name for by in each for name in by)) for each in full]

    def completions(self, typed: str) -> list[str]:
        """The texts to which a partly typed order can be completed, in the order of the possible orders."""
        begun, words = complete_order(self.draft.possible_additions, typed)
        return [typed[: len(typed) - len(begun)] + word for word in words[:MAX_COMPLETIONS]]


def answer_click(options: OrderMenu, request: OptionsRequest, sheet: OrderSheet) -> dict[str, Any]:
    """The answer to a click: the units' possible orders in the hex, or the reason there are none.

    Units with orders can get others `instead`. For several units placed at once, the answer has the whole
    list of `lines`, or, before a hex is chosen, the `hexes` for each of them.
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
    """The legal joint attacks on a hex by units that already have orders."""
    cells = options.draft.legend.cells
    candidates = orders_meant(sheet, units, cells[at].number) if 0 <= at < len(cells) else ()
    attacks = [words for words in candidates if options.names.parse_option(words).attack]
    return list(map(options.names.parse_option, try_orders(sheet, options.draft, attacks)[0]))


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
    """The legal orders that a click might mean, or the reason there are none."""
    table, game, cells = sheet.table, sheet.game, draft.legend.cells
    number = cells[at].number if 0 <= at < len(cells) else ""
    there = units
    if not units and (there := names.own_in_hex.get(at, [])):
        number = ""  # then explain why the units there can do nothing
    legal, refusals = try_orders(sheet, draft, orders_meant(sheet, there, number))
    if legal:  # legal, though not among the listed orders
        return {"options": [names.parse_option(words).as_data({}) for words in legal]}
    error: OrderError | None = None
    if refusals:
        error = refusals[0] if number else commonest_refusal(refusals)
    elif number and there:  # nothing there that an order could refer to
        error = why_unable(sheet, draft, there)
    explained = explain_departure(game, table.run.told, error or OrderError(_explain_nothing(there, number)))
    return {"options": [], "refused": refusal_with_rule(game.rules, explained, sheet.asked.rule)}


def _hit_chances(draft: OrderList, table: GameState, game: Game) -> dict[Words, str]:
    """The chance of each attack, by its words; after other orders, only chances these do not change."""
    view, asked = game.rules.view, table.pending_question
    odds: Sequence[Odds] = ()
    if asked and not draft.lines:
        odds = view.odds(asked)
    elif asked and view.further_odds:
        odds = view.further_odds(asked, draft.orders)
    return {_in_any_order(attack.alone or attack.words): percent(float(attack.hit)) for attack in odds}


def _in_any_order(words: str) -> Words:
    return tuple(sorted(words.split()))


def _explain_nothing(units: Sequence[str], at: str) -> str:
    """The message that a click means no order."""
    if units and at:
        return tr("{units} cannot do anything at {hex} now", units=", ".join(units), hex=at)
    if units:
        return tr("{units} cannot do anything now", units=", ".join(units))
    return tr("you cannot order anything at {hex} now", hex=at)
