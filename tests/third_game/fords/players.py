"""Whoever plays Three Fords guesses."""

from __future__ import annotations

from typing import Any

from fords.rules import VERBS
from pbem.core.requests import Ask, Orders
from pbem.core.rules import Chooser


def guess(ask: Ask[Any], chooser: Chooser) -> Orders:
    """Any ford."""
    return [{VERBS[ask.seat]: chooser.choice(list(ask.state.fords))}]


PLAYERS = {"random": guess, "sensible": guess}
