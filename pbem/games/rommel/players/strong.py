"""The strong computer player: it tries whole plans in playouts, and takes the one with the best results.

A plan is what the sensible player would order in some manner of fighting. Each is played out until its side
moves again, both sides sensible, with new throws each time, and the resulting position is evaluated
(`allied_hopes`). Only public knowledge is used: the state of the question, and no future throw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count
from math import log, sqrt
from statistics import fmean, stdev

from pbem.core.requests import Ask, Orders, Question, accepts
from pbem.core.rules import Advice, Chooser, Effort
from pbem.core.run import Position, Run
from pbem.games.rommel import RULES
from pbem.games.rommel.players.basic import orders_in_manner
from pbem.games.rommel.players.outlook import CANDIDATE_MANNERS, STRONG, allied_hopes, land_strength
from pbem.games.rommel.rules import setup, victory
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import ALLIED, AXIS, FOOT, SEATS

TRIED_QUESTIONS = (Phase.MOVE, Phase.FIRE, Phase.COMBAT)
"""The questions for which it tries plans."""
GOOD_SET_UPS = {ALLIED: "north", AXIS: "historical"}
"""The ready-made set-ups that won more matches; the Axis line *deep* loses them."""
WALL = "wall"
"""The set-up that did better for the Axis when fortifications may be anywhere (R2.4)."""
SWAPS = {ALLIED: 6, AXIS: 100}
"""How many swaps of two counters it tries."""
ENOUGH_PLAYOUTS = 3
"""The least number of playouts for a comparison."""
DOUBT = {ALLIED: 2.0, AXIS: 4.0}
"""By how many standard errors a plan must beat the most trusted one, with the same throws.

The Axis needs more: the cost of giving up its line comes later than playouts reach.
"""
MOST_CACHED = 4096
"""How many positions have their orders cached at a time."""
OPTIMISM = 0.1
"""The weight of optimism about a plan that was seldom tried."""


class ThrowSequence:
    """The throws of one playout, stored to try several plans with the same ones."""

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser
        self.thrown: list[float] = []

    def throws(self) -> Iterator[float]:
        """The throws from the first on, each from 0 up to but excluding 1."""
        for number in count():
            if number == len(self.thrown):
                self.thrown.append(self.chooser.random())
            yield self.thrown[number]


class Trial:
    """A plan's orders with the results of their playouts."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.values: list[float] = []
        self.led_to: Counter[str] = Counter()

    @property
    def playouts(self) -> int:
        """The number of playouts."""
        return len(self.values)

    @property
    def mean(self) -> float:
        """The mean result of the playouts."""
        return sum(self.values) / self.playouts if self.playouts else 0.0

    def record_result(self, before: State, after: State, seat: str) -> None:
        """Record the result of a playout."""
        share = allied_hopes(after)
        self.values.append(share if seat == ALLIED else 1 - share)
        self.led_to["points"] += len(victory.held_points(after))
        for side in SEATS:
            self.led_to[f"{side} lost"] += land_strength(before, side) - land_strength(after, side)

    def advice(self) -> Advice:
        """The results as advice for people."""
        figures = {name: number / self.playouts for name, number in self.led_to.items()}
        return Advice(self.orders, self.playouts, sum(self.values), figures, judged=True)

    def hope(self, playouts: int) -> float:
        """An optimistic estimate of its value, after this many playouts of all plans."""
        if not self.playouts:
            return 2.0
        return self.mean + OPTIMISM * sqrt(log(playouts + 1) / self.playouts)

    def is_clearly_better(self, other: Trial, doubt: float) -> bool:
        """Whether it did better than another trial with the same throws, by more than chance explains."""
        gains = [mine - his for mine, his in zip(self.values, other.values, strict=False)]
        if len(gains) < ENOUGH_PLAYOUTS:
            return False
        gain = fmean(gains)
        return gain > doubt * stdev(gains) / sqrt(len(gains))


def strong_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The orders with the best results; in the air, those of the side's best manner."""
    if ask.question == Phase.AIR:
        return orders_in_manner(ask, STRONG[ask.seat])
    if ask.question not in TRIED_QUESTIONS:
        return set_up(ask, chooser)
    plans = make_trials(ask)
    return rank_trials(ask, plans, chooser, effort)[0].orders if len(plans) > 1 else plans[0].orders


def set_up(ask: Question, chooser: Chooser) -> Orders:
    """A ready-made set-up that does well, with counters swapped to make it unpredictable.

    The Axis swaps only if its strength is not moved farther from the victory points.
    """
    whole = setup.complete_names(ask.state)
    walls = ask.seat == AXIS and ask.state.setting.options.forts_anywhere
    best = WALL if walls else GOOD_SET_UPS[ask.seat]
    good = [name for name in whole if name == best] or whole or setup.ready_names(ask.state)[-1:]
    [order] = setup.ready_placement(ask.state, chooser.choice(good))
    places: dict[str, str] = order["place"]
    for _ in range(SWAPS[ask.seat]):
        one = chooser.choice(list(places))
        other = chooser.choice([name for name in places if _may_swap(ask.state, name, one)])
        changed = {**places, one: places[other], other: places[one]}
        worse = ask.seat == AXIS and _distance_from_points(ask.state, changed) > _distance_from_points(
            ask.state, places
        )
        if not worse and accepts(ask.read, [{"place": changed}]):
            places = changed
    return [{"place": places}]


def _may_swap(state: State, one: str, other: str) -> bool:
    """Whether two counters can be swapped: they are of one kind, or both on foot."""
    return state.kind(one) == state.kind(other) or {state.kind(one), state.kind(other)} == {*FOOT}


def _distance_from_points(state: State, places: Mapping[str, str]) -> int:
    """The distance from the victory points, summed over the counters: combat factors times hexes."""
    distance, points = state.setting.grid.distance, state.setting.victory_points
    return sum(
        state.counter(name).combat * min(distance(at, point) for point in points)
        for name, at in places.items()
    )


def advise(ask: Question, chooser: Chooser, effort: Effort) -> list[Advice]:
    """The results of the plans, the best first."""
    if ask.question not in TRIED_QUESTIONS:
        return [Advice(strong_player(ask, chooser), 0, 0.0)]
    return [plan.advice() for plan in rank_trials(ask, make_trials(ask), chooser, effort)]


def rank_trials(ask: Question, plans: list[Trial], chooser: Chooser, effort: Effort) -> list[Trial]:
    """Rank the plans, the best first, after one playout of the most promising for each item of effort."""
    fates, known = list[ThrowSequence](), OrdersCache()
    for done, _ in enumerate(effort):
        plan = max(plans, key=lambda plan: plan.hope(done))
        if plan.playouts == len(fates):
            fates.append(ThrowSequence(chooser))
        plan.record_result(
            ask.state, play_out(ask, plan.orders, fates[plan.playouts].throws(), known), ask.seat
        )
    trusted, doubt = plans[0], DOUBT[ask.seat]
    better = [plan for plan in plans if plan.is_clearly_better(trusted, doubt)]
    first = max(better, key=lambda plan: plan.mean, default=trusted)
    return sorted(plans, key=lambda plan: (plan is not first, plan.playouts < ENOUGH_PLAYOUTS, -plan.mean))


def make_trials(ask: Question) -> list[Trial]:
    """The different plans from the side's manners."""
    found = {
        repr(orders): orders
        for manner in CANDIDATE_MANNERS[ask.seat]
        for orders in [orders_in_manner(ask, manner)]
    }
    return [Trial(orders) for orders in found.values()]


class OrdersCache:
    """A cache of orders by position: a third of the positions in one answer's playouts are repeated."""

    def __init__(self) -> None:
        self._orders: dict[tuple[object, ...], Orders] = {}

    def orders(self, ask: Question) -> Orders:
        """The orders in the best manner of the deciding side; not for the set-up."""
        state = ask.state
        told = ask.question, ask.seat, state.turn, state.weather, state.cleared
        fired = state.fired, state.fired_at_aircraft
        key = *told, *fired, *state.obliged.items(), *state.units.values()
        found = self._orders.get(key)
        if found is None:
            if len(self._orders) >= MOST_CACHED:
                self._orders.clear()
            found = self._orders[key] = orders_in_manner(ask, STRONG[ask.seat])
        return found


def play_out(ask: Question, orders: Orders, throws: Iterator[float], known: OrdersCache) -> State:
    """Play orders out once: to the end of the game, or to the next movement of the deciding side."""

    state: State = ask.state
    run = Run(RULES, Position(state))
    run.answer(orders)
    while (pending := run.pending) is not None:
        if not isinstance(pending, Ask):
            run.decide(int(next(throws) * len(pending.outcomes)))
        elif run.state.turn > state.turn and pending.question == Phase.MOVE and pending.seat == ask.seat:
            break
        elif pending.question == Phase.AIR:
            run.answer([{"stand_down": True}])
        else:
            run.answer(known.orders(pending))
    after: State = run.state
    return after
