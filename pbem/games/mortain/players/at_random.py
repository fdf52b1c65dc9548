"""The player that gives any legal orders."""

from __future__ import annotations

from pbem.core.requests import Orders
from pbem.core.rules import Chooser, Effort
from pbem.games.mortain.rules.offers import offers
from pbem.games.mortain.rules.orders import Question
from pbem.games.mortain.rules.partial import ActivationBuilder
from pbem.games.mortain.rules.state import Questions
from pbem.games.mortain.terms.setting import US

PASS_SHARE = 0.1
"""The share of cards on which it passes without need."""
SUPPORT_SHARE, FIRE_SHARE = 0.5, 0.5
"""The shares of times that it uses available support, and fires with a unit that could move as well."""
FACES = ("redraw", "miss", "ask")


def random_player(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """Any legal orders: for several units, as far as the card allows, in random order."""
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
    """Add a use of support, if there is one: an attack or a suppression with equal chance."""
    for uses in chooser.sample((draft.attacks(), draft.suppressions()), 2):
        if uses:
            draft.add_support(chooser.choice(uses))
            return


def add_unit(draft: ActivationBuilder, name: str, chooser: Chooser) -> None:
    """Add something that a unit can do beside the others, if anything: fire or movement with equal chance."""
    goals, targets = draft.goals_of(name), draft.targets_of(name)
    if targets and (not goals or chooser.random() < FIRE_SHARE):
        draft.add_firer(name, chooser.choice(targets))
    elif goals:
        draft.add_movement(name, chooser.choice(goals))
