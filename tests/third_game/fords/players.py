"""Whoever plays Three Fords guesses."""

from __future__ import annotations

from fords.rules import VERBS
from pbem.core.requests import Orders, Question
from pbem.core.rules import Chooser, Effort


def guess(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """Any ford."""
    return [{VERBS[ask.seat]: chooser.choice(list(ask.state.fords))}]


PLAYERS = {"random": guess, "sensible": guess}
