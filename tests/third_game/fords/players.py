"""Whoever plays Three Fords guesses."""

from __future__ import annotations

from collections.abc import Mapping

from fords.rules import VERBS
from pbem.core.requests import Orders, Question
from pbem.core.rules import Chooser, Effort, Player, Rules


def guess(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """Any ford."""
    return [{VERBS[ask.seat]: chooser.choice(list(ask.state.fords))}]


def keen(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """Any ford; the guard digs in at its first."""
    [order] = guess(ask, chooser)
    return [{"dig": order["guard"]}] if ask.question == "guard" and not ask.state.dug else [order]


PLAYERS: Mapping[str, Player] = {"random": guess, "sensible": keen}


def players_of(rules: Rules) -> Mapping[str, Player]:
    """In version 1 nobody digs in."""
    return {"random": guess, "sensible": guess} if rules.version == 1 else PLAYERS
