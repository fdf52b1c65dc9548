"""The orders open to a player now: as typed, where a unit can go, the chance of each attack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.core.requests import Orders, Plain, Question, accepts
from pbem.core.rules import Odds
from pbem.render.words import WIDTH, safe_text, wrap
from pbem.texts import Texts
from pbem.umpire.game import Game

tr = Texts("pbem")


def possible_orders(game: Game, asked: Question, unit: str = "") -> list[Orders]:
    """The possible orders, of one unit or of all; for one unit the movement to every hex, each once."""
    possible = [orders for orders in game.rules.offers(asked) if not unit or _names_unit(orders, unit)]
    routes = _routes(game, asked, unit)
    forms = [[order.keys() for order in orders] for orders in routes]
    return [orders for orders in possible if [order.keys() for order in orders] not in forms] + routes


def _routes(game: Game, asked: Question, unit: str) -> list[Orders]:
    """A unit's movements, one to each hex that it can reach by itself."""
    routes = game.rules.view.routes
    movements = routes(asked, unit).values() if unit and routes else ()
    return [orders for orders in movements if accepts(asked.read, orders)]


def attack_odds(game: Game, asked: Question, unit: str = "") -> list[Odds]:
    """The attacks with their chances, of one unit or of all."""
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
    """The possible orders, of one unit or of all, then the attacks with their chances, in lines."""
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
    return [*lines, *([tr("What may come of these, with the chance:"), *coming] if coming else [])]


def describe_attacks(game: Game, asked: Question, unit: str = "", width: int = WIDTH) -> list[str]:
    """The attacks of one unit or of all, with their chances, in lines."""
    lines = [
        wrap(
            f"  {float(attack.hit):>4.0%} {attack.hit!s:>6}  {attack.words}   {attack.why}", width, indent=17
        )
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
        tr("In reach, with the steps:"),
        *(wrap(f"  {line}", width, indent=6) for line in reached),
        f"  {tr('such as: {orders}', orders=first)}",
    ]


def describe_chances(game: Game, asked: Question, orders: Orders) -> tuple[str, ...]:
    """The forecast of orders: possible results with their chances, or certain ones."""
    forecast = game.rules.view.forecast
    return forecast(asked, orders).chances if forecast else ()


def _describe_outcomes(game: Game, asked: Question, orders: Orders, width: int) -> list[str]:
    """A line for each possible result of orders, after the orders as typed."""
    typed = "; ".join(game.rules.view.write_words(orders))
    return [
        wrap(f"  {typed}: {safe_text(line)}", width, indent=6)
        for line in describe_chances(game, asked, orders)
    ]


def group_orders(typed: Iterable[str], width: int = WIDTH) -> list[str]:
    """Orders as typed, with those that differ only in their last word on one line.

    Units with the same last words share a line too, as at a set-up: `place 1-SA, 2-SA 2106-2110`.
    """
    endings: dict[str, list[str]] = {}
    for orders in typed:
        beginning, _, last = orders.rpartition(" ")
        endings.setdefault(beginning, []).append(last)
    alike: dict[tuple[str, str], list[str]] = {}
    for beginning, lasts in endings.items():
        of_a_unit = len(lasts) > 1 and beginning.count(" ") == 1
        verb, _, unit = beginning.partition(" ") if of_a_unit else (beginning, "", "")
        alike.setdefault((verb, ", ".join(join_hex_runs(lasts))), []).append(unit)
    lines = (
        f"  {' '.join(filter(None, (verb, ', '.join(units), said)))}" for (verb, said), units in alike.items()
    )
    return [wrap(line, width, indent=6) for line in lines]


def join_hex_runs(words: Sequence[str]) -> list[str]:
    """Words, with runs of three or more consecutive hexes joined: `2106-2110`."""
    joined: list[list[str]] = []
    for word in words:
        last = joined[-1][-1] if joined else ""
        follows = word.isdecimal() and last.isdecimal() and int(word) == int(last) + 1
        joined[len(joined) - follows :] = [[*(joined[-1] if follows else []), word]]
    return [text for run in joined for text in (run if len(run) < 3 else [f"{run[0]}-{run[-1]}"])]
