"""The practice players: one that gives any legal orders, and one with some sense."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.requests import Orders, Plain
from pbem.core.rules import Chooser, Player
from pbem.games.mortain.drafts import Draft
from pbem.games.mortain.offers import accepts, offers
from pbem.games.mortain.setting import US
from pbem.games.mortain.state import Question
from pbem.games.mortain.tactics import Outlook, Wish

PASS_NOW_AND_THEN = 0.1
"""How often the random player passes without need."""
SUPPORT, FIRE = 0.5, 0.5
"""How often it uses support that is to be had, and lets a unit fire that could move as well."""
FACES = ("redraw", "miss", "ask")
ATTACKS = 3
"""How many attacks the sensible player weighs against each other."""


def random_player(ask: Question, chooser: Chooser) -> Orders:
    """Any legal orders: of several units, as far as the card goes, in no particular order."""
    if ask.question != "activate":
        answer: Orders = chooser.choice(list(offers(ask)))
        return answer
    if chooser.random() < PASS_NOW_AND_THEN:
        return [{"pass": True}]
    draft = Draft(ask.state)
    if ask.seat == US and chooser.random() < SUPPORT:
        add_support(draft, chooser)
    army = ask.state.army(ask.seat)
    for name in chooser.sample(army, chooser.choice(range(1, len(army) + 1))):
        if draft.may_act(name):
            add_unit(draft, name, chooser)
    return draft.orders(chooser.choice(FACES))


def add_support(draft: Draft, chooser: Chooser) -> None:
    """A use of support, if there is one: as soon an attack as a suppression."""
    for uses in chooser.sample((draft.attacks(), draft.suppressions()), 2):
        if uses:
            draft.use(chooser.choice(uses))
            return


def add_unit(draft: Draft, name: str, chooser: Chooser) -> None:
    """Something that a unit can do beside the others, if there is anything: as soon fire as movement."""
    goals, targets = draft.goals_of(name), draft.targets_of(name)
    if targets and (not goals or chooser.random() < FIRE):
        draft.fire(name, chooser.choice(targets))
    elif goals:
        draft.go(name, chooser.choice(goals))


def sensible_player(ask: Question, chooser: Chooser) -> Orders:
    """The list worth most: one of the best attacks, or none, and the best moves beside it."""
    match ask.question:
        case "place":
            return next(offers(ask))
        case "faces":
            return [{"faces": "redraw"}]
    outlook = Outlook(ask.state, ask.seat)
    attacks, moves = outlook.attacks(), outlook.moves()
    plans = [_plan(ask, [attack, *moves]) for attack in attacks[:ATTACKS]] + [_plan(ask, moves)]
    _, orders = max(plans, key=lambda plan: plan[0])
    return orders


def _plan(ask: Question, wishes: list[Wish]) -> tuple[float, Orders]:
    """The wishes that go together, the first ones first, and what they are worth."""
    orders = _together(ask, [wish.order for wish in wishes])
    return sum(wish.worth for wish in wishes if wish.order in orders), orders


def _together(ask: Question, wanted: Orders) -> Orders:
    """As many of the orders as make a legal list, the first ones first; a pass if none does."""
    orders: Orders = []
    for order in wanted:
        longer = [order, *orders] if _is_movement(order) else [*orders, order]
        if accepts(ask.read, longer):
            orders = longer
    return orders or [{"pass": True}]


def _is_movement(order: Plain) -> bool:
    return any(verb in order for verb in ("move", "enter", "exit"))


PLAYERS: Mapping[str, Player] = {"random": random_player, "sensible": sensible_player}
