"""The player of the playouts: sensible, but with aims that were tuned until they won most."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.requests import Orders
from pbem.core.rules import Chooser
from pbem.games.mortain.players.sensible import ranked, sensible_player
from pbem.games.mortain.players.tactics import Aims, Outlook
from pbem.games.mortain.rules.orders import Question
from pbem.games.mortain.rules.state import Questions
from pbem.games.mortain.terms.setting import GERMAN, US

KEEN: Mapping[str, Aims] = {
    GERMAN: Aims(
        enter=3.3, flip=2.4, kill=3.6, attack=2.7, exposure=0.87, caution=4.0, shot=0.3, late=2, hurry=1.9
    ),
    US: Aims(enter=1.7, flip=26.0, kill=11.0, exposure=0.73, suppress=1.7),
}
"""What each side does best to want: it shoots where the sensible player would walk."""


def keen_player(ask: Question, chooser: Chooser) -> Orders:
    """The list worth most by the tuned aims."""
    if ask.question != Questions.ACTIVATE:
        return sensible_player(ask, chooser)
    return ranked(Outlook(ask.state, ask.seat, KEEN[ask.seat]))[0]
