"""The practice player that looks ahead: it tries whole plans out, and takes the one that comes out best.

A plan is what the sensible player would order in some manner of fighting. Each is played on until its side is
to move again, both sides sensible, the dice thrown anew each time, and where that leads to is judged
(`outcome`). It knows what everybody may know: the state of the question, which is public, and no die that is
not yet thrown.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random

from pbem.core.requests import Ask, Orders, Question, accepts
from pbem.core.rules import Advice, Chooser, Effort
from pbem.core.run import Position, Run
from pbem.games.rommel.players.manners import PLANS, STRONG
from pbem.games.rommel.players.outcome import allied_share
from pbem.games.rommel.players.sensible import in_manner, sensible_player
from pbem.games.rommel.rules import ready
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import ALLIED, AXIS

TRIED = (Phase.MOVE, Phase.FIRE, Phase.COMBAT)
"""The questions at which plans are tried out; at the others it is the sensible player."""
GOOD = {ALLIED: ("historical", "north"), AXIS: ("historical",)}
"""The ready-made set-ups with which matches were won more often; the Axis line *deep* loses them."""
CHANGES = 6
"""How many pairs of counters at most change places in it."""
CURIOUS = 0.1
"""How much better than now a plan is thought to be that was seldom tried."""
DICE = 64
"""Bits of a throw, as far as a playout needs them."""


class Plan:
    """Orders, and what came of them so far."""

    def __init__(self, orders: Orders) -> None:
        self.orders = orders
        self.playouts = 0
        self.won = 0.0

    @property
    def mean(self) -> float:
        """The share of the playouts that were won."""
        return self.won / self.playouts if self.playouts else 0.0

    def hope(self, playouts: int) -> float:
        """How good it may be, after so many playouts of all plans."""
        if not self.playouts:
            return 2.0
        return self.mean + CURIOUS * sqrt(log(playouts + 1) / self.playouts)

    @property
    def surely(self) -> float:
        """How good it is at least, as far as one may trust so few playouts."""
        return self.mean - CURIOUS / sqrt(self.playouts) if self.playouts else -1.0


def strong_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """What came out best; what the sensible player would do, where nothing was tried."""
    if ask.question == Phase.AIR:
        return sensible_player(ask, chooser)
    if ask.question not in TRIED:
        return set_up(ask, chooser)
    plans = plans_for(ask)
    return tried(ask, plans, chooser, effort)[0].orders if len(plans) > 1 else plans[0].orders


def set_up(ask: Question, chooser: Chooser) -> Orders:
    """A ready-made set-up that does well, some counters changed about, so that nobody knows it."""
    whole = ready.whole(ask.state)
    good = [name for name in whole if name in GOOD[ask.seat]] or whole or ready.names(ask.state)[-1:]
    [order] = ready.placement(ask.state, chooser.choice(good))
    places: dict[str, str] = order["place"]
    for _ in range(CHANGES):
        one = chooser.choice(list(places))
        like = [name for name in places if ask.state.kind(name) == ask.state.kind(one)]
        other = chooser.choice(like)
        changed = {**places, one: places[other], other: places[one]}
        if accepts(ask.read, [{"place": changed}]):
            places = changed
    return [{"place": places}]


def advise(ask: Question, chooser: Chooser, effort: Effort) -> list[Advice]:
    """What came of the plans that were tried, the best first."""
    if ask.question not in TRIED:
        return [Advice(strong_player(ask, chooser), 0, 0.0)]
    return [
        Advice(plan.orders, plan.playouts, plan.won) for plan in tried(ask, plans_for(ask), chooser, effort)
    ]


def tried(ask: Question, plans: list[Plan], chooser: Chooser, effort: Effort) -> list[Plan]:
    """The plans, the best first: a playout of the most hopeful for each item of effort."""
    seeds: list[float] = []
    for done, _ in enumerate(effort):
        plan = max(plans, key=lambda plan: plan.hope(done))
        if plan.playouts == len(seeds):
            seeds.append(chooser.random())
        plan.won += playout(ask, plan.orders, Random(seeds[plan.playouts]))
        plan.playouts += 1
    return sorted(plans, key=lambda plan: -plan.surely)


def plans_for(ask: Question) -> list[Plan]:
    """What one would order in each manner of one's side, each once."""
    found = {repr(orders): orders for manner in PLANS[ask.seat] for orders in [in_manner(ask, manner)]}
    return [Plan(orders) for orders in found.values()]


def playout(ask: Question, orders: Orders, dice: Random) -> float:
    """How good a plan turned out for the side that is asked: from 0, lost, to 1, won."""
    from pbem.games.rommel import RULES  # here, because it is what imports this room

    state: State = ask.state
    run = Run(RULES, Position(state))
    run.answer(orders)
    while (pending := run.pending) is not None:
        if not isinstance(pending, Ask):
            run.decide(dice.getrandbits(DICE))
        elif run.state.turn > state.turn and pending.question == Phase.MOVE and pending.seat == ask.seat:
            break
        elif pending.question == Phase.AIR:
            run.answer([{"stand_down": True}])
        else:
            run.answer(in_manner(pending, STRONG[pending.seat]))
    share = allied_share(run.state)
    return share if ask.seat == ALLIED else 1 - share
