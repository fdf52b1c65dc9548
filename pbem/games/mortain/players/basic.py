"""The computer players that do not look ahead: random, sensible, easy, and keen.

The random player gives any legal orders; the sensible one takes the most valuable that fit together; the easy
one is sensible but forgets most of them; the keen one is sensible, with aims tuned to win the most games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from pbem.core.requests import Orders, accepts
from pbem.core.rules import Chooser, Effort
from pbem.games.mortain.players.outlook import SENSIBLE, Aims, Outlook
from pbem.games.mortain.players.tactics import MoveOption, attacks, moves
from pbem.games.mortain.rules.activation_builder import ActivationBuilder
from pbem.games.mortain.rules.orders import Question
from pbem.games.mortain.rules.sequence import offers
from pbem.games.mortain.rules.state import Questions
from pbem.games.mortain.terms.setting import GERMAN, US

PASS_SHARE = 0.1
"""How often it passes on a card without need."""
SUPPORT_SHARE, FIRE_SHARE = 0.5, 0.5
"""How often it uses available support, and how often a unit that could also move fires."""
FACES = ("redraw", "miss", "ask")


def random_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """Any legal orders, for several units in random order, as far as the card allows."""
    if ask.question != Questions.ACTIVATE:
        answer: Orders = chooser.choice(list(offers(ask)))
        return answer
    if chooser.random() < PASS_SHARE:
        return [{"pass": True}]
    draft = ActivationBuilder(ask.state)
    if ask.seat == US and chooser.random() < SUPPORT_SHARE:
        add_support(draft, chooser)
    army = ask.state.army(ask.seat)
    for name in chooser.sample(army, chooser.choice(range(1, len(army) + 1))):
        if draft.may_act(name):
            add_unit(draft, name, chooser)
    return draft.orders(chooser.choice(FACES))


def add_support(draft: ActivationBuilder, chooser: Chooser) -> None:
    """Add a use of support, if possible: an attack or a suppression, equally likely."""
    for uses in chooser.sample((draft.attacks(), draft.suppressions()), 2):
        if uses:
            draft.add_support(chooser.choice(uses))
            return


def add_unit(draft: ActivationBuilder, name: str, chooser: Chooser) -> None:
    """Add an order for a unit that fits the others, if any: fire or movement, equally likely."""
    goals, targets = draft.goals_of(name), draft.targets_of(name)
    if targets and (not goals or chooser.random() < FIRE_SHARE):
        draft.add_firer(name, chooser.choice(targets))
    elif goals:
        draft.add_movement(name, chooser.choice(goals))


ATTACKS = 3
"""How many legal attacks it compares."""


def sensible_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The most valuable list: one of the best attacks, or none, and the best moves with it."""
    match ask.question:
        case Questions.PLACE:
            return set_up(ask, chooser)
        case Questions.FACES:
            return [{"faces": "redraw"}]
    return rank_lists(Outlook(ask.state, ask.seat, SENSIBLE))[0]


INFANTRY = ("117Inf", "119Inf", "120Inf")
GUNS = ("823TD", "SPTD")
SET_UPS = (
    (("1501", "1301", "1302"), ("1302", "1403")),
    (("1501", "1204", "1402"), ("1303", "1402")),
    (("1204", "1302", "1404"), ("1303", "1101")),
    (("1204", "1402", "1404"), ("1303", "1101")),
    (("1101", "1203", "1504"), ("1303", "1302")),
)
"""Set-ups that win about equally often (decision 22): the hexes of the infantry, and those of the guns.

Infantry units are all alike, and the guns are never far from them. Two have a regiment on Hill 314.
"""


def set_up(ask: Question, chooser: Chooser) -> Orders:
    """One of the good set-ups, with the infantry in random order, or if that is not legal one on the line."""
    infantry, guns = chooser.choice(SET_UPS)
    mixed = chooser.sample(infantry, len(infantry))
    orders = [{"place": {**dict(zip(INFANTRY, mixed, strict=True)), **dict(zip(GUNS, guns, strict=True))}}]
    return orders if accepts(ask.read, orders) else _placement_on_line(ask, chooser)


def _placement_on_line(ask: Question, chooser: Chooser) -> Orders:
    """The first placement offered, along the line, with the units in random order."""
    [order] = next(offers(ask))
    units, hexes = list(order["place"]), list(order["place"].values())
    return [{"place": dict(zip(units, chooser.sample(hexes, len(hexes)), strict=True))}]


def rank_lists(outlook: Outlook, most: int = ATTACKS) -> list[Orders]:
    """Lists of orders, best first: each of the best legal attacks, or none, with the best moves."""
    found: list[tuple[float, Orders]] = []
    goes = moves(outlook)
    for attack in attacks(outlook):
        draft = ActivationBuilder(outlook.state)
        if attack.add_to(draft):
            found.append((attack.worth + _add_moves(goes, draft), draft.orders()))
            if len(found) == most:
                break
    draft = ActivationBuilder(outlook.state)
    found.append((_add_moves(goes, draft), draft.orders()))
    return [orders for _, orders in sorted(found, key=lambda one: -one[0])]


def _add_moves(goes: Sequence[MoveOption], draft: ActivationBuilder) -> float:
    """Add the best fitting moves to a list, and return their total value."""
    return sum(go.worth for go in goes if go.add_to(draft))


FORGOTTEN_SHARES = {GERMAN: 0.55, US: 0.95}
"""The share of orders it forgets, by side: between two bad players the US nearly always wins."""


def easy_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """Some of the sensible player's orders; a pass if they are not legal."""
    planned = sensible_player(ask, chooser)
    if ask.question != Questions.ACTIVATE:
        return planned
    kept = [order for order in planned if chooser.random() >= FORGOTTEN_SHARES[ask.seat]]
    return kept if kept and accepts(ask.read, kept) else [{"pass": True}]


KEEN: Mapping[str, Aims] = {
    GERMAN: Aims(
        exit=24,
        enter=5,
        south=2,
        flip=7.2,
        kill=4,
        attack=3.5,
        exposure=0.98,
        caution=6,
        shot=0.55,
        mass=6,
        late=2,
        work=0.87,
        step=1.2,
        hurry=2,
        stack=-0.33,
        company=0.26,
        worn=0.53,
        price=0.03,
    ),
    US: Aims(
        enter=0.5,
        flip=20,
        kill=12.5,
        attack=1.25,
        suppress=1.7,
        exposure=0.95,
        shot=0.27,
        step=0.34,
        stack=0.67,
        company=0.08,
        price=-0.7,
        hold=1,
    ),
}
"""The best aims for each side.

The Germans enter in the south and spread out within reach of each other; the US units stay in pairs, leave
good terrain for the line only at little risk, and shoot at every opportunity. That the US keeps Hill 314 cost
it no games that could be seen (decision 22).
"""


def aims_to_try(seat: str) -> Iterator[Aims]:
    """The keen player's aims, the same without fear, with three times as much fear, and the sensible ones."""
    keen = KEEN[seat]
    yield keen
    yield replace(keen, exposure=0.0, caution=0.0)
    yield replace(keen, exposure=3 * keen.exposure, caution=3 * keen.caution)
    yield SENSIBLE


def keen_player(ask: Question, chooser: Chooser) -> Orders:
    """The most valuable list under the tuned aims."""
    if ask.question != Questions.ACTIVATE:
        return sensible_player(ask, chooser)
    return rank_lists(Outlook(ask.state, ask.seat, KEEN[ask.seat]))[0]
