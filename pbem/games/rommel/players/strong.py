"""The practice player that looks ahead: it tries whole plans out, and takes the one that comes out best.

A plan is what the sensible player would order in some manner of fighting. Each is played on until its side is
to move again, both sides sensible, the dice thrown anew each time, and where that leads to is judged
(`outcome`). It knows what everybody may know: the state of the question, which is public, and no die that is
not yet thrown.
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
from pbem.games.rommel.players.air_war import in_the_air
from pbem.games.rommel.players.manners import PLANS, STRONG
from pbem.games.rommel.players.outcome import allied_share, strength
from pbem.games.rommel.players.sensible import in_manner
from pbem.games.rommel.rules import ready, victory
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import ALLIED, AXIS, FOOT, SEATS

TRIED = (Phase.MOVE, Phase.FIRE, Phase.COMBAT)
"""The questions at which plans are tried out."""
GOOD = {ALLIED: ("north",), AXIS: ("historical",)}
"""The ready-made set-ups with which matches were won more often; the Axis line *deep* loses them."""
CHANGES = {ALLIED: 6, AXIS: 100}
"""The pairs of counters that are tried in each other's places."""
ENOUGH = 3
"""With fewer playouts nothing is believed."""
DOUBT = {ALLIED: 2.0, AXIS: 4.0}
"""The standard errors by which a plan must be better, under the same dice, than the one trusted most.

For the Axis more: what it loses by giving up its line comes later than playouts see.
"""
MOST_KNOWN = 4096
"""The positions for which orders are kept at a time."""
CURIOUS = 0.1
"""The optimism about a plan that was seldom tried, beyond its results so far."""


class Dice:
    """The throws of one playout, so that several plans can be tried with the same luck."""

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser
        self.thrown: list[float] = []

    def throws(self) -> Iterator[float]:
        """The throws from the first on, each from 0 up to but not including 1."""
        for number in count():
            if number == len(self.thrown):
                self.thrown.append(self.chooser.random())
            yield self.thrown[number]


class Plan:
    """Orders, and what came of them so far."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.values: list[float] = []
        self.led_to: Counter[str] = Counter()

    @property
    def playouts(self) -> int:
        """The number of times it was tried."""
        return len(self.values)

    @property
    def mean(self) -> float:
        """The share of the playouts that were won."""
        return sum(self.values) / self.playouts if self.playouts else 0.0

    def learn(self, before: State, after: State, seat: str) -> None:
        """Take in what a playout led to."""
        share = allied_share(after)
        self.values.append(share if seat == ALLIED else 1 - share)
        self.led_to["points"] += len(victory.held(after))
        for side in SEATS:
            self.led_to[f"{side} lost"] += strength(before, side) - strength(after, side)

    def advice(self) -> Advice:
        """The results of an answer, for a person."""
        figures = {name: number / self.playouts for name, number in self.led_to.items()}
        return Advice(self.orders, self.playouts, sum(self.values), figures, judged=True)

    def hope(self, playouts: int) -> float:
        """The most that it may be worth, after so many playouts of all plans."""
        if not self.playouts:
            return 2.0
        return self.mean + CURIOUS * sqrt(log(playouts + 1) / self.playouts)

    def beyond_doubt(self, other: Plan, doubt: float) -> bool:
        """Whether it did better than another under the same dice, and hardly by luck."""
        gains = [mine - his for mine, his in zip(self.values, other.values, strict=False)]
        if len(gains) < ENOUGH:
            return False
        gain = fmean(gains)
        return gain > doubt * stdev(gains) / sqrt(len(gains))


def strong_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The orders that came out best; in the air nothing is tried (`air_war`)."""
    if ask.question == Phase.AIR:
        return in_the_air(ask)
    if ask.question not in TRIED:
        return set_up(ask, chooser)
    plans = plans_for(ask)
    return tried(ask, plans, chooser, effort)[0].orders if len(plans) > 1 else plans[0].orders


def set_up(ask: Question, chooser: Chooser) -> Orders:
    """A ready-made set-up that does well, counters changed about, so that nobody knows it.

    Those of the Axis change only if its strength comes nearer to the victory points, or stays.
    """
    whole = ready.whole(ask.state)
    good = [name for name in whole if name in GOOD[ask.seat]] or whole or ready.names(ask.state)[-1:]
    [order] = ready.placement(ask.state, chooser.choice(good))
    places: dict[str, str] = order["place"]
    for _ in range(CHANGES[ask.seat]):
        one = chooser.choice(list(places))
        other = chooser.choice([name for name in places if _alike(ask.state, name, one)])
        changed = {**places, one: places[other], other: places[one]}
        worse = ask.seat == AXIS and _far(ask.state, changed) > _far(ask.state, places)
        if not worse and accepts(ask.read, [{"place": changed}]):
            places = changed
    return [{"place": places}]


def _alike(state: State, one: str, other: str) -> bool:
    """Whether two counters may change places: they are of a kind, or both on foot."""
    return state.kind(one) == state.kind(other) or {state.kind(one), state.kind(other)} == {*FOOT}


def _far(state: State, places: Mapping[str, str]) -> int:
    """The distance of strength from the victory points: a sum over the counters, factors times hexes."""
    distance, points = state.setting.grid.distance, state.setting.victory_points
    return sum(
        state.counter(name).combat * min(distance(at, point) for point in points)
        for name, at in places.items()
    )


def advise(ask: Question, chooser: Chooser, effort: Effort) -> list[Advice]:
    """The results of the plans tried, the best first."""
    if ask.question not in TRIED:
        return [Advice(strong_player(ask, chooser), 0, 0.0)]
    return [plan.advice() for plan in tried(ask, plans_for(ask), chooser, effort)]


def tried(ask: Question, plans: list[Plan], chooser: Chooser, effort: Effort) -> list[Plan]:
    """The plans, the best first: a playout of the most hopeful for each item of effort."""
    fates, known = list[Dice](), Known()
    for done, _ in enumerate(effort):
        plan = max(plans, key=lambda plan: plan.hope(done))
        if plan.playouts == len(fates):
            fates.append(Dice(chooser))
        plan.learn(ask.state, playout(ask, plan.orders, fates[plan.playouts].throws(), known), ask.seat)
    trusted, doubt = plans[0], DOUBT[ask.seat]
    better = [plan for plan in plans if plan.beyond_doubt(trusted, doubt)]
    first = max(better, key=lambda plan: plan.mean, default=trusted)
    return sorted(plans, key=lambda plan: (plan is not first, plan.playouts < ENOUGH, -plan.mean))


def plans_for(ask: Question) -> list[Plan]:
    """The plans by each manner of one's side, each once."""
    found = {repr(orders): orders for manner in PLANS[ask.seat] for orders in [in_manner(ask, manner)]}
    return [Plan(orders) for orders in found.values()]


class Known:
    """What a side orders in positions that playouts of one answer come to; a third of them come again."""

    def __init__(self) -> None:
        self._orders: dict[tuple[object, ...], Orders] = {}

    def orders(self, ask: Question) -> Orders:
        """The orders of the best manner of the side that is asked, after the set-up."""
        state = ask.state
        told = ask.question, ask.seat, state.turn, state.weather, state.cleared, state.fired
        key = *told, *state.obliged.items(), *state.units.values()
        found = self._orders.get(key)
        if found is None:
            if len(self._orders) >= MOST_KNOWN:
                self._orders.clear()
            found = self._orders[key] = in_manner(ask, STRONG[ask.seat])
        return found


def playout(ask: Question, orders: Orders, throws: Iterator[float], known: Known) -> State:
    """The state that orders led to, once: the game's end, or the next movement of the asked side."""
    from pbem.games.rommel import RULES  # here, because it is what imports this room

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
