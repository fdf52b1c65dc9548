"""The keen player: sensible, but with aims that were tuned until they won most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pbem.core.requests import Orders
from pbem.core.rules import Chooser
from pbem.games.mortain.players.aims import SENSIBLE, Aims
from pbem.games.mortain.players.outlook import Outlook
from pbem.games.mortain.players.sensible import rank_lists, sensible_player
from pbem.games.mortain.rules.orders import Question
from pbem.games.mortain.rules.state import Questions
from pbem.games.mortain.terms.setting import GERMAN, US

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
    ),
}
"""The best aims for each side. The Germans enter in the south and spread out within reach of each other; the
US units stand in pairs, leave good terrain for the line only at little risk, and shoot at every chance."""


def aims_to_try(seat: str) -> Iterator[Aims]:
    """The keen player's aims, the same without fear, with three times as much fear, and the sensible ones."""
    keen = KEEN[seat]
    yield keen
    yield replace(keen, exposure=0.0, caution=0.0)
    yield replace(keen, exposure=3 * keen.exposure, caution=3 * keen.caution)
    yield SENSIBLE


def keen_player(ask: Question, chooser: Chooser) -> Orders:
    """The most valuable list by the tuned aims."""
    if ask.question != Questions.ACTIVATE:
        return sensible_player(ask, chooser)
    return rank_lists(Outlook(ask.state, ask.seat, KEEN[ask.seat]))[0]
