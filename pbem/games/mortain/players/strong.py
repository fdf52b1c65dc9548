"""The strong player: it plays each list worth a thought on for some cards, many times, and takes the best.

The attack of a list is played both ways, hit and miss, each with its exact chance; all lists see the same
cards. What a keen player would do is done, unless something else is better beyond doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from math import inf, sqrt
from typing import cast

from pbem.core.requests import Orders, accepts
from pbem.core.rules import Advice, Chooser, Effort
from pbem.games.mortain.players.keen import aims_to_try
from pbem.games.mortain.players.outlook import Outlook
from pbem.games.mortain.players.playouts import CardOrder, PlayoutCards, play_on
from pbem.games.mortain.players.purpose import drop_idle_moves
from pbem.games.mortain.players.sensible import rank_lists, sensible_player
from pbem.games.mortain.players.set_ups import set_up
from pbem.games.mortain.players.value import hits_left, win_chance
from pbem.games.mortain.rules.chances import hit_chance
from pbem.games.mortain.rules.combat import attack_of
from pbem.games.mortain.rules.orders import Activation, Question
from pbem.games.mortain.rules.state import Questions, State
from pbem.games.mortain.terms.setting import GERMAN, US

NO_EFFORT_LEFT = object()
"""The sentinel for an iterator of effort that is exhausted."""
CARDS_TURNED = 6
"""The activation cards that are drawn in a playout."""
FIRST_CUT = 3
"""After so many playouts the worse half of the lists is dropped; after twice as many, half of the rest."""
ATTACKS = 5
"""How many legal attacks it tries."""
MOST_LEFT_OUT = 3
"""How many movements of a list it tries to leave out."""
DOUBT = 0.7
"""The standard errors by which a list must be better than the keen player's."""
CLEAR, CLOSE = 3.0, 0.002
"""Two lists are settled if they are so many standard errors apart, or the error is so small."""
ENOUGH_PLAYOUTS = 12
"""The playouts of each list before it may be settled."""


class Trial:
    """A list of orders with the results of its playouts, as values for its seat."""

    def __init__(self, ask: Question, orders: Orders) -> None:
        self.ask, self.orders = ask, orders
        self.activation = cast(Activation, ask.read(orders))
        self.hit = _attack_chance(ask.state, self.activation)
        self.values: list[float] = []
        self.lost = {GERMAN: 0.0, US: 0.0}

    @property
    def mean(self) -> float:
        """The mean value, a chance to win."""
        return sum(self.values) / max(len(self.values), 1)

    def lead(self, other: Trial) -> tuple[float, float]:
        """The mean lead over another trial with the same cards, and its standard error."""
        gains = [mine - others for mine, others in zip(self.values, other.values, strict=False)]
        if len(gains) < FIRST_CUT:
            return 0.0, inf
        mean = sum(gains) / len(gains)
        return mean, sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1) / len(gains))

    def is_clearly_better(self, other: Trial) -> bool:
        """Whether it is better than another trial by more than chance explains."""
        mean, error = self.lead(other)
        return mean > DOUBT * error

    def play(self, fate: CardOrder, effort: Iterator[object]) -> bool:
        """Run one playout, or one for a hit and one for a miss. Returns False if no effort is left."""
        branches = [(None, 1.0)] if self.hit is None else [(True, self.hit), (False, 1 - self.hit)]
        worth, lost = 0.0, dict.fromkeys(self.lost, 0.0)
        for hit, weight in branches:
            if weight:
                if next(effort, NO_EFFORT_LEFT) is NO_EFFORT_LEFT:
                    return False
                state = play_on(self.ask.state, self.activation, PlayoutCards(fate, hit), CARDS_TURNED)
                german = win_chance(state, self.ask.seat)
                worth += weight * (german if self.ask.seat == GERMAN else 1 - german)
                for side in lost:
                    lost[side] += weight * (hits_left(self.ask.state, side) - hits_left(state, side))
        self.values.append(worth)
        self.lost = {side: self.lost[side] + lost[side] for side in lost}
        return True

    def advice(self) -> Advice:
        """The results as advice for a person."""
        times = len(self.values)
        figures = {f"{side} lost": lost / times for side, lost in self.lost.items()} if times else {}
        if self.hit is not None:
            figures["hit"] = self.hit
        return Advice(self.orders, times, sum(self.values), {**figures, "cards": CARDS_TURNED})


def _attack_chance(state: State, activation: Activation) -> float | None:
    """The exact chance that the attack of a list hits after its movement; None without an attack."""
    for movement in activation.movements:
        state = state.with_unit_at(movement.unit, movement.to)
    return next((float(hit_chance(state, attack_of(state, order))) for order in activation.attacks), None)


def strong_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The best answer that the effort finds. A single candidate takes no effort."""
    if ask.question != Questions.ACTIVATE:
        return _unweighed_answer(ask, chooser)
    lists = _candidate_lists(ask)
    if len(lists) == 1:
        return lists[0]
    trials = [Trial(ask, orders) for orders in lists]
    return _rank_trials(trials, chooser, iter(effort), hasty=True)[0].orders


def advise(ask: Question, chooser: Chooser, effort: Effort = ()) -> Sequence[Advice]:
    """The candidate answers, the best first; a single one for questions that are not weighed."""
    if ask.question != Questions.ACTIVATE:
        return [Advice(_unweighed_answer(ask, chooser), 0, 0)]
    trials = [Trial(ask, orders) for orders in _candidate_lists(ask)]
    return [trial.advice() for trial in _rank_trials(trials, chooser, iter(effort))]


def _unweighed_answer(ask: Question, chooser: Chooser) -> Orders:
    """The answer to a question other than `activate`, without playouts."""
    return (set_up if ask.question == Questions.PLACE else sensible_player)(ask, chooser)


def _candidate_lists(ask: Question) -> list[Orders]:
    """The keen player's lists; his best with less movement, or none; the best list by each of the other aims.

    None of them has an idle move, unless the attack would be illegal without it.
    """
    keen, *others = (Outlook(ask.state, ask.seat, aims) for aims in aims_to_try(ask.seat))
    lists = rank_lists(keen, ATTACKS)
    movements = [order for order in lists[0] if not {"move", "enter"}.isdisjoint(order)]
    less = [[order for order in lists[0] if order != one] for one in movements[:MOST_LEFT_OUT]]
    still = [order for order in lists[0] if order not in movements]
    found: list[Orders] = []
    for orders in [*lists, *less, still, *(rank_lists(other)[0] for other in others)]:
        serving = orders and (drop_idle_moves(ask.state, ask.seat, orders) or [{"pass": True}])
        each = serving if accepts(ask.read, serving) else orders
        if each and each not in found and accepts(ask.read, each):
            found.append(each)
    return found


def _rank_trials(
    trials: list[Trial], chooser: Chooser, effort: Iterator[object], *, hasty: bool = False
) -> list[Trial]:
    """The trials, the best first. After every so many playouts only the better half goes on.

    Trials that went on longer come first, since a few playouts may be luck. If `hasty` it stops when it is
    clear which of the last two is better.
    """
    keen, going, out = trials[0], list(trials), list[Trial]()
    limit = FIRST_CUT
    for times in count(1):
        fate = CardOrder(chooser)
        if not all(trial.play(fate, effort) for trial in going):
            break
        if times == limit:
            going.sort(key=lambda trial: -trial.mean)
            most = max(2, (len(going) + 1) // 2)
            out = [trial for trial in going[most:] if trial is not keen] + out
            going = [trial for trial in going if trial not in out]
            limit *= 2
        if hasty and times >= ENOUGH_PLAYOUTS and len(going) == 2 and _is_settled(*going):
            break
    best = max(going, key=lambda trial: trial.mean)
    first = best if best.is_clearly_better(keen) else keen
    others = sorted([trial for trial in going if trial is not first], key=lambda trial: -trial.mean)
    return [first, *others, *out]


def _is_settled(one: Trial, other: Trial) -> bool:
    """Whether more playouts would hardly change the comparison of two trials."""
    mean, error = one.lead(other)
    return abs(mean) > CLEAR * error or error < CLOSE
