"""The strong computer player, which does not search, and what `hint` knows of its plans from playouts.

The player orders what the sensible one would in the manner of fighting that won most matches. To choose
among manners by playouts won no more (docs/decisions/0023-rommel-players.md), but a person who asks for
advice wants chances to win, and other ideas. So the plans that some manners make are each played out until
their side moves again, both sides strong, with new throws each time, and the position reached is evaluated
(`allied_hopes`). Only public knowledge is used: the state of the question, and no future throw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count

from pbem.core.requests import Ask, Orders, Question, accepts
from pbem.core.rules import Advice, Chooser, Effort
from pbem.core.run import Position, Run
from pbem.games.rommel import RULES
from pbem.games.rommel.players.basic import PLANNERS, orders_in_manner
from pbem.games.rommel.players.outlook import CANDIDATE_MANNERS, STRONG, allied_hopes, land_strength
from pbem.games.rommel.rules import setup, victory
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import ALLIED, AXIS, FOOT, SEATS

TRIED_QUESTIONS = (Phase.MOVE, Phase.FIRE, Phase.COMBAT)
"""The questions for which plans are played out."""
GOOD_SET_UPS = {ALLIED: "north", AXIS: "historical"}
"""The ready-made set-ups that won more matches; the Axis line *deep* loses them."""
WALL = "wall"
"""The set-up that did better for the Axis when fortifications may be anywhere (R2.4)."""
SWAPS = {ALLIED: 6, AXIS: 100}
"""How many swaps of two counters it tries."""
MOST_CACHED = 4096
"""How many positions have their orders cached at a time."""


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
        self.playouts = 0
        self.won = 0.0
        """The sum of the results."""
        self.led_to: Counter[str] = Counter()

    @property
    def mean(self) -> float:
        """The mean result; -1 without any, which comes last."""
        return self.won / self.playouts if self.playouts else -1.0

    def record_result(self, before: State, after: State, seat: str) -> None:
        """Record the result of a playout."""
        share = allied_hopes(after)
        self.playouts += 1
        self.won += share if seat == ALLIED else 1 - share
        self.led_to["points"] += len(victory.held_points(after))
        for side in SEATS:
            self.led_to[f"{side} lost"] += land_strength(before, side) - land_strength(after, side)

    def advice(self) -> Advice:
        """The results as advice for people."""
        figures = {name: number / self.playouts for name, number in self.led_to.items()}
        return Advice(self.orders, self.playouts, self.won, figures, judged=True)


def strong_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The orders of the strong manner; it does not search, and takes no effort."""
    if ask.question in PLANNERS:
        return orders_in_manner(ask, STRONG[ask.seat])
    return set_up(ask, chooser)


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
    """For `hint`: the player's own orders first, then its other plans, by their results in playouts.

    Its own stay first whatever the results, since to follow these won no more matches. In the air and for a
    set-up nothing is played out.
    """
    if ask.question not in TRIED_QUESTIONS:
        return [Advice(strong_player(ask, chooser), 0, 0.0)]
    own, *others = make_trials(ask)
    run_trials(ask, [own, *others], chooser, effort)
    others.sort(key=lambda plan: -plan.mean)
    return [plan.advice() for plan in (own, *others)]


def run_trials(ask: Question, plans: list[Trial], chooser: Chooser, effort: Effort) -> None:
    """Make a playout for each item of effort, of the plans in turn, all with the same throws."""
    known, fate = OrdersCache(), ThrowSequence(chooser)
    for number, _ in enumerate(effort):
        if number % len(plans) == 0:
            fate = ThrowSequence(chooser)
        plan = plans[number % len(plans)]
        plan.record_result(ask.state, play_out(ask, plan.orders, fate.throws(), known), ask.seat)


def make_trials(ask: Question) -> list[Trial]:
    """The different plans from the side's manners, the player's own first."""
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
