"""A game told in a language of marks: all of it is translated but names and orders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pseudo import words_outside_marks

from pbem.games.mortain.terms.scenario import SCENARIOS
from pbem.games.mortain.view.typed_orders import TYPED
from pbem.player.status import describe_next_step, pending_question
from pbem.render.story import recent_events, story, summary
from pbem.umpire.verify import open_game

EXAMPLES = [
    Path(__file__).parents[1] / "examples" / f"mortain-{name}.yaml" for name in ("de-takebacks", "es-resigns")
]
SHIPPED = SCENARIOS.data("mortain")
NAMES = re.compile(
    r'"[^"]*"|Stand at Mortain|mortain/[\d.]+|SHA256:\S+|\b[0-9a-f]{12}\b|\d{4}-\d\d-\d\dT\S+|\b\w+=\w+'
    r"|\b\w+~|Tiger 102|\b(10|[2-9AJQK])[CDHS]\b|\bJoker\b|\b(AT|AI)\b|\bM\d+(\.\d)?\b"
    + r"|\b(german|us|es|it|en|de)\b|"
    + "|".join(sorted(map(re.escape, SHIPPED["units"]), key=len, reverse=True))
)
PLACES = {
    word for at in SHIPPED["map"]["hexes"].values() for word in re.findall("[A-Za-z]+", at.get("label", ""))
}
KEYS = ("modifiers", "hill", "value", "title", "mortain")
"""Of what an own scenario changes."""


@pytest.mark.usefixtures("pseudo")
def test_nothing_is_forgotten() -> None:
    told = ""
    for file in EXAMPLES:
        game = open_game(file.read_bytes())
        told += "\n".join(
            [story(game, None), *recent_events(game, game.replayed_entries, []), summary(game, None)]
        )
        told += describe_next_step(pending_question(game, None), game, None, "game.yaml").replace(
            "game.yaml", ""
        )
    assert words_outside_marks(" ".join(told.split()), NAMES) - PLACES <= {*TYPED, *KEYS}
    for said in (
        "proposes to undo all after",
        "agrees: the game is again",
        "refuses",
        "takes the seat",
        "resigns",
    ):
        assert f"\u27e6{said}" in told
