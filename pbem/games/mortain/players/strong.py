"""The strong computer player: it plays each promising list out for some cards, many times.

It takes the list with the best results. In a playout the cards are shuffled again; the deciding seat plays
keenly, the other sensibly. It is public which cards are left, nobody knows their order, and nothing else is
used. A list's attack is played both ways, hit and miss, each with its exact chance; all lists see the same
cards. The keen player's list is chosen unless another is clearly better.

Every movement must serve a purpose: the standing of the whole side has to gain from it. A unit by itself only
weighs its own place: if each of three moves to a better place, the whole can be as before, and the next card
brings them back. The side's standing depends only on the position, so as long as the enemy does nothing,
movements that all raise it never return to where they began. A German that comes nearer to its goal need not
raise it: since no German ever goes farther away, that route cannot be repeated either.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Sequence
from itertools import count
from math import inf, sqrt
from typing import Any, cast

from msgspec.structs import replace

from pbem.core.requests import Ask, Draw, Orders, Request, accepts
from pbem.core.rules import Advice, Chooser, Effort
from pbem.games.mortain.players.basic import KEEN, aims_to_try, keen_player, rank_lists, sensible_player
from pbem.games.mortain.players.outlook import (
    NEAR,
    SURVIVORS,
    Outlook,
    has_company,
    hits_left,
    win_chance,
)
from pbem.games.mortain.rules.fire import attack_of, highest_hit, hit_chance
from pbem.games.mortain.rules.orders import Activation, Question
from pbem.games.mortain.rules.sequence import SEQUENCE, carry_out
from pbem.games.mortain.rules.state import Questions, State, Step
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.setting import GERMAN, US


class CardOrder:
    """A random order of the cards of each turn, separate for activation and for attacks.

    Cards already drawn are skipped. So one attack more or less changes few of the following cards, and
    several lists of orders can be played with the same cards.
    """

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser
        self._coming: dict[tuple[int, str], list[str]] = {}

    def cards_for(self, draw: Draw[State]) -> Iterator[str]:
        """The cards that can be drawn now, in their order."""
        key = draw.state.turn, draw.rule
        if key not in self._coming:
            self._coming[key] = self.chooser.sample(cards.DECK, len(cards.DECK))
        return (card for card in self._coming[key] if card in draw.outcomes)


class PlayoutCards:
    """The cards of one playout. `hit` decides the first attack; None leaves it to the cards."""

    def __init__(self, fate: CardOrder, hit: bool | None) -> None:
        self.fate = fate
        self._hit = hit

    def draw(self, draw: Draw[State]) -> str:
        """The card for a draw."""
        if self._hit is None or draw.state.attack is None:
            return next(self.fate.cards_for(draw))
        coming = list(self.fate.cards_for(draw))
        most, hit = highest_hit(draw.state, draw.state.attack), self._hit
        self._hit = None
        settling = (card for card in coming if not cards.is_face(card))
        return next((card for card in settling if _is_hit(card, most) == hit), coming[0])


def _is_hit(card: str, most: int) -> bool:
    """Whether a card is a number card, at most the highest that hits."""
    number = cards.value(card)
    return number is not None and number <= most


def play_on(state: State, orders: Activation, luck: PlayoutCards, turned: int) -> State:
    """The state after these orders and `turned` more cards, or at the end of the game."""
    assert state.card is not None
    seat = cards.owner(state.card)
    state = replace(_run_step(carry_out(state, orders), seat, luck), card=None)
    while state.step != Step.OVER and (turned or state.step != Step.CARD):
        turned -= state.step == Step.CARD
        state = _run_step(SEQUENCE[state.step](state), seat, luck)
    return state


def _run_step(step: Coroutine[Request[Any, Any], Any, State], seat: str, luck: PlayoutCards) -> State:
    """Run a step of the rules to its end: `seat` plays keenly, the other sensibly."""
    answer: Any = None
    try:
        while True:
            request = step.send(answer)
            if isinstance(request, Ask):
                player = keen_player if request.seat == seat else sensible_player
                answer = request.read(player(request, luck.fate.chooser))
            else:
                answer = luck.draw(request) if isinstance(request, Draw) else None
    except StopIteration as finished:
        ended: State = finished.value
        return ended


LEAST_GAIN = 0.01
"""The least gain, in steps, that is more than a rounding error."""


def drop_idle_moves(state: State, seat: str, orders: Orders) -> Orders:
    """The orders without movements that neither gain anything nor bring a German nearer to its goal."""
    kept: Orders = []
    here = _side_standing(state, seat)
    for order in orders:
        if "move" in order and not _comes_nearer(state, seat, order["move"], order["to"]):
            after = state.with_unit_at(order["move"], order["to"])
            there = _side_standing(after, seat)
            if there < here + LEAST_GAIN:
                continue
            state, here = after, there
        elif "move" in order:
            state = state.with_unit_at(order["move"], order["to"])
            here = _side_standing(state, seat)
        kept.append(order)
    return kept


def _comes_nearer(state: State, seat: str, name: str, to: str) -> bool:
    """Whether a German comes nearer to the exit."""
    ahead = Outlook(state, seat, KEEN[seat]).steps_to_goal(name)
    return seat == GERMAN and ahead[to] < ahead[state.at(name)]


def _side_standing(state: State, seat: str) -> float:
    """The total value of the places of a side's units for the keen player."""
    outlook = Outlook(state, seat, KEEN[seat])
    return sum(outlook.standings(name, [at])[at] for name in state.field(seat) for at in [state.at(name)])


def drop_reckless_moves(state: State, seat: str, orders: Orders) -> Orders:
    """The orders without movements that take a German away from the others, or a last US unit from cover.

    A German already alone can continue, and all can if walking off the map is less work.
    """
    if seat == US:
        left = Outlook(state, seat).us_left
        return _drop_moves_from_cover(state, orders) if left <= SURVIVORS else orders
    if Outlook(state, seat, KEEN[seat]).is_walking_out:
        return orders
    after = state
    for order in orders:
        if "move" in order:
            after = after.with_unit_at(order["move"], order["to"])
    return [
        order for order in orders if "move" not in order or not _leaves_company(state, after, order["move"])
    ]


def _leaves_company(before: State, after: State, name: str) -> bool:
    """Whether a German near US units no longer has anybody near, but had before."""
    near = before.setting.grid.within(after.at(name), NEAR)
    is_in_front = any(before.at(foe) in near for foe in before.field(US))
    return is_in_front and has_company(before, name) and not has_company(after, name)


def _drop_moves_from_cover(state: State, orders: Orders) -> Orders:
    """The orders without the movements that leave the US units more exposed, or as much and nearer."""
    kept: Orders = []
    for order in orders:
        if "move" in order:
            after = state.with_unit_at(order["move"], order["to"])
            if _danger(after, order["move"]) > _danger(state, order["move"]):
                continue
            state = after
        kept.append(order)
    return kept


def _danger(state: State, name: str) -> tuple[float, int]:
    """The exposure of the US units; where it is equal, how near a unit stands to the Germans."""
    grid, at = state.setting.grid, state.at(name)
    nearest = min((grid.distance(at, state.at(foe)) for foe in state.field(GERMAN)), default=0)
    return Outlook(state, US).exposure, -nearest


NO_EFFORT_LEFT = object()
"""The sentinel for an exhausted effort."""
CARDS_TURNED = 6
"""The number of activation cards drawn in a playout."""
FIRST_CUT = 3
"""After how many playouts the worse half of the lists is dropped; after twice as many, half of the rest."""
ATTACKS = 5
"""How many legal attacks it tries."""
MOST_LEFT_OUT = 3
"""How many movements of a list it tries without."""
DOUBT = 0.7
"""By how many standard errors a list must be better than the keen player's."""
CLEAR, CLOSE = 3.0, 0.002
"""Two lists are settled if they are `CLEAR` standard errors apart, or the error is at most `CLOSE`."""
ENOUGH_PLAYOUTS = 12
"""The least number of playouts before two lists can be settled."""


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
        """The mean value, as a chance to win."""
        return sum(self.values) / max(len(self.values), 1)

    def lead(self, other: Trial) -> tuple[float, float]:
        """The mean lead over another trial with the same cards, and the standard error of that mean."""
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
        """The results as advice for people."""
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
    """The best answer found with the effort; a single candidate takes none."""
    if ask.question != Questions.ACTIVATE:
        return sensible_player(ask, chooser)
    lists = _candidate_lists(ask)
    if len(lists) == 1:
        return lists[0]
    trials = [Trial(ask, orders) for orders in lists]
    return _rank_trials(trials, chooser, iter(effort), hasty=True)[0].orders


def advise(ask: Question, chooser: Chooser, effort: Effort = ()) -> Sequence[Advice]:
    """The candidate answers, best first; a single one for questions without a choice to weigh."""
    if ask.question != Questions.ACTIVATE:
        return [Advice(sensible_player(ask, chooser), 0, 0)]
    trials = [Trial(ask, orders) for orders in _candidate_lists(ask)]
    return [trial.advice() for trial in _rank_trials(trials, chooser, iter(effort))]


def _candidate_lists(ask: Question) -> list[Orders]:
    """The keen player's lists, its best one with less movement, and the best list for each of the other aims.

    None has an idle or reckless move, unless the attack would be illegal without it.
    """
    keen, *others = (Outlook(ask.state, ask.seat, aims) for aims in aims_to_try(ask.seat))
    lists = rank_lists(keen, ATTACKS)
    movements = [order for order in lists[0] if not {"move", "enter"}.isdisjoint(order)]
    less = [[order for order in lists[0] if order != one] for one in movements[:MOST_LEFT_OUT]]
    still = [order for order in lists[0] if order not in movements]
    found: list[Orders] = []
    for orders in [*lists, *less, still, *(rank_lists(other)[0] for other in others)]:
        steady = drop_reckless_moves(ask.state, ask.seat, orders)
        serving = orders and (drop_idle_moves(ask.state, ask.seat, steady) or [{"pass": True}])
        each = serving if accepts(ask.read, serving) else orders
        if each and each not in found and accepts(ask.read, each):
            found.append(each)
    return found


def _rank_trials(
    trials: list[Trial], chooser: Chooser, effort: Iterator[object], *, hasty: bool = False
) -> list[Trial]:
    """The trials, best first. The worse half is dropped after `FIRST_CUT` playouts and at each doubling.

    Trials that continued longer come first, since a few playouts can be luck. If `hasty`, it stops once it is
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
