"""Orders before they are signed: what they would do, which ones are possible, and with what chances."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any

from msgspec import Struct

from pbem.core.requests import Orders, Plain, Question, Tell, accepts
from pbem.core.rules import Forecast, Odds
from pbem.core.run import judged
from pbem.core.sealing import Seal
from pbem.render.safe_text import WIDTH, safe_text, wrap
from pbem.render.story import describe_events
from pbem.texts import Texts, percent
from pbem.umpire.game_state import Game, GameState

tr = Texts("pbem")


MANY_UNITS, EXAMPLES = 4, 3
"""From how many units placed at once a set-up counts as large, and how many complete examples it shows."""


class Effect(Struct, frozen=True):
    """The effect of an action: its story up to the next card or die, every chance, and every warning.

    Each text has one or more lines, wrapped for a terminal.
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
        """The whole effect, one unwrapped line per text, for callers that wrap it themselves."""
        texts = (*self.story, *self.chances_and_warnings)
        return [f"{text[: len(text) - len(text.lstrip(' '))]}{' '.join(text.split())}" for text in texts]

    @property
    def lines(self) -> list[str]:
        """The whole effect, in lines."""
        return [line for text in (*self.story, *self.chances_and_warnings) for line in text.split("\n")]


def trial(table: GameState, orders: Orders) -> tuple[tuple[Tell, ...], Any]:
    """The events orders would cause up to the next card or die, and the state then. Raises `OrderError`.

    Orders that will be sealed cause no events; the state is the one their player foresees.
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
        likely = percent(float(chance))
        chances.append(
            f"      {tr('The chance of success is {chance} ({exact})', chance=likely, exact=chance)}"
        )
    coming = _forecast(table, orders)
    chances += map(_wrap_indented, coming.chances)
    return Effect(tuple(story), tuple(chances), coming.warnings)


def _forecast(table: GameState, orders: Orders) -> Forecast:
    """The chances and warnings of orders, which complete their story. Raises `OrderError`."""
    asked, forecast = table.pending_question, table.rules.view.forecast
    assert asked is not None
    return Forecast() if forecast is None else judged(table.rules, partial(forecast, asked), orders)


def _wrap_indented(line: str) -> str:
    return wrap(f"      {safe_text(line)}", indent=8)


def possible_orders(game: Game, asked: Question, unit: str = "") -> list[Orders]:
    """The possible orders of one unit or all; for one unit, one movement to each hex in reach."""
    possible = [orders for orders in game.rules.offers(asked) if not unit or _names_unit(orders, unit)]
    routes = _routes(game, asked, unit)
    forms = [[order.keys() for order in orders] for orders in routes]
    return [orders for orders in possible if [order.keys() for order in orders] not in forms] + routes


def _routes(game: Game, asked: Question, unit: str) -> list[Orders]:
    """A unit's movements, one to each hex it can reach on its own."""
    routes = game.rules.view.routes
    movements = routes(asked, unit).values() if unit and routes else ()
    return [orders for orders in movements if accepts(asked.read, orders)]


def attack_odds(game: Game, asked: Question, unit: str = "") -> list[Odds]:
    """The attacks of one unit or all, with their chances."""
    return [attack for attack in game.rules.view.odds(asked) if not unit or _names_unit(attack.orders, unit)]


def _names_unit(value: Plain, unit: str) -> bool:
    """Whether orders, or a part of them, name a unit."""
    match value:
        case list():
            return any(_names_unit(part, unit) for part in value)
        case dict():
            return unit in value or any(_names_unit(part, unit) for part in value.values())
        case _:
            return bool(value == unit)


def describe_possible_orders(game: Game, asked: Question, unit: str = "", width: int = WIDTH) -> list[str]:
    """The possible orders of one unit or all, then the attacks with their chances, in lines."""
    attacking = [one.orders for one in attack_odds(game, asked, unit)]
    routes = _routes(game, asked, unit)
    others = [one for one in possible_orders(game, asked, unit) if one not in attacking and one not in routes]
    typed = ("; ".join(game.rules.view.write_words(orders)) for orders in others)
    lines = [*_describe_reach(game, asked, unit, routes, width), *group_orders(typed, width)]
    if attacks := describe_attacks(game, asked, unit, width):
        return [*lines, *attacks]
    coming = [
        line for orders in [*routes, *others] for line in _describe_outcomes(game, asked, orders, width)
    ]
    return [*lines, *([tr("Possible outcomes, with the chance of each:"), *coming] if coming else [])]


def set_up_phrases(game: Game, asked: Question, unit: str = "") -> list[str]:
    """Each order of a set-up as typed, of one unit or all; none for any other question.

    The possible orders of a set-up each place many units, and are only examples.
    """
    view, first = game.rules.view, next(iter(game.rules.offers(asked)), [])
    words = {word for line in view.write_words(first) for word in line.split()}
    placed = [piece for margin in view.legend(asked.state).margins for piece in margin.pieces]
    if not view.further or sum(piece.name in words for piece in placed) < MANY_UNITS:
        return []
    return [phrase for phrase in view.further(asked, []) if not unit or unit in phrase.split()]


def describe_set_up(game: Game, asked: Question, unit: str = "", width: int = WIDTH) -> list[str]:
    """The orders of a set-up, of one unit or all, with complete ones to copy; nothing for other questions."""
    if not (phrases := set_up_phrases(game, asked, unit)):
        return []
    lines, view = group_orders(phrases, width), game.rules.view
    if unit or (view.setups and view.setups(asked)):
        return lines
    whole = ("; ".join(view.write_words(orders)) for orders in islice(game.rules.offers(asked), EXAMPLES))
    return [
        *lines,
        tr("Complete set-ups, for example:"),
        *(wrap(f"  {one}", width, indent=6) for one in whole),
    ]


def describe_attacks(game: Game, asked: Question, unit: str = "", width: int = WIDTH) -> list[str]:
    """The attacks of one unit or all, with their chances, in lines."""
    lines = [
        wrap(f"  {percent(float(attack.hit)):>4} {attack.hit!s:>6}  {attack.words}   {attack.why}", width, 17)
        for attack in attack_odds(game, asked, unit)
    ]
    return [tr("Attacks, with the chance of success:"), *lines] if lines else []


def _describe_reach(game: Game, asked: Question, unit: str, routes: list[Orders], width: int) -> list[str]:
    """The hexes in reach of a unit, by steps, and how to type the first movement."""
    reach_of = game.rules.view.reach
    if not routes or not reach_of:
        return []
    by_steps: dict[str, list[str]] = {}
    for number, steps in sorted(reach_of(asked, unit).items(), key=lambda item: (len(item[1]), *item[::-1])):
        by_steps.setdefault(steps, []).append(number)
    reached = (tr("{steps} to {hexes}", steps=one, hexes=", ".join(hexes)) for one, hexes in by_steps.items())
    first = "; ".join(game.rules.view.write_words(routes[0]))
    return [
        tr("In reach, with the number of steps:"),
        *(wrap(f"  {line}", width, indent=6) for line in reached),
        f"  {tr('such as: {orders}', orders=first)}",
    ]


def describe_chances(game: Game, asked: Question, orders: Orders) -> tuple[str, ...]:
    """The forecast of orders: the possible results with their chances, or the certain one."""
    forecast = game.rules.view.forecast
    return forecast(asked, orders).chances if forecast else ()


def _describe_outcomes(game: Game, asked: Question, orders: Orders, width: int) -> list[str]:
    """The orders as typed, then a line for each possible result."""
    typed = "; ".join(game.rules.view.write_words(orders))
    return [
        wrap(f"  {typed}: {safe_text(line)}", width, indent=6)
        for line in describe_chances(game, asked, orders)
    ]


def group_orders(typed: Iterable[str], width: int = WIDTH) -> list[str]:
    """Orders as typed. Those that differ only in the last word share a line, with the first in full.

    Such a line can be copied as it is: `order_reader` reads the order before the bracket. Units with the same
    last words share a line too, as in a set-up: `place 1-SA 2106 (or 2107-2110, or 2-SA, 3-SA)`.
    """
    endings: dict[str, list[str]] = {}
    for orders in typed:
        beginning, _, last = orders.rpartition(" ")
        endings.setdefault(beginning, []).append(last)
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for beginning, lasts in endings.items():
        of_a_unit = len(lasts) > 1 and beginning.count(" ") == 1
        verb, _, unit = beginning.partition(" ") if of_a_unit else (beginning, "", "")
        alike.setdefault((verb, tuple(lasts)), []).append(unit)
    lines = []
    for (verb, (last, *lasts)), (unit, *units) in alike.items():
        bracket = _alternatives(", ".join(join_hex_runs(lasts)), ", ".join(units)) if lasts or units else ""
        lines.append(f"  {' '.join(filter(None, (verb, unit, last, bracket)))}")
    return [wrap(line, width, indent=6) for line in lines]


def _alternatives(words: str, units: str) -> str:
    """The bracket after a possible order, with the last words and units that could replace its own."""
    if words and units:
        return tr("(or {words}, or {units})", words=words, units=units)
    return tr("(or {others})", others=words or units)


def join_hex_runs(words: Sequence[str]) -> list[str]:
    """Join runs of three or more consecutive hexes among the words: `2106-2110`."""
    joined: list[list[str]] = []
    for word in words:
        last = joined[-1][-1] if joined else ""
        follows = word.isdecimal() and last.isdecimal() and int(word) == int(last) + 1
        joined[len(joined) - follows :] = [[*(joined[-1] if follows else []), word]]
    return [text for run in joined for text in (run if len(run) < 3 else [f"{run[0]}-{run[-1]}"])]
