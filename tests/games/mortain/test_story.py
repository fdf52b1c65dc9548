"""The story of the game: each event in a line of English."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from pbem.core.requests import Event, Tell
from pbem.games.mortain import RULES
from pbem.games.mortain.rules import events
from pbem.games.mortain.view import story
from support.mortain_positions import random_game

FIRE = {
    "by": "german",
    "way": "fire",
    "firers": ["2SS-A", "DF"],
    "targets": ["117Inf"],
    "at": "1403",
    "factor": "AI",
    "strength": 6,
    "modifier": 1,
    "why": [["city", 2], ["all adjacent", -1]],
}
AIR = {
    "by": "us",
    "way": "air",
    "firers": [],
    "targets": ["DF", "D", "37SS"],
    "at": "1604",
    "factor": None,
    "strength": 4,
    "modifier": 0,
    "why": [],
}
CARD = {"card": "7S", "seat": "german", "colour": "black", "allowance": 4, "asked": True}

LINES: list[tuple[str, dict[str, Any], str]] = [
    (
        "placed",
        {"units": {"117Inf": "1403", "SPTD": "1501"}},
        "The Americans set up: 117Inf in 1403, SPTD in 1501",
    ),
    ("turn_begins", {"turn": 2, "turns": 6}, "Turn 2 of 6: all 53 cards are shuffled"),
    ("card", CARD, "7 of spades: the Germans may activate up to 4 units"),
    ("card", {**CARD, "card": "2S", "allowance": 1}, "2 of spades: the Germans may activate one unit"),
    (
        "card",
        {**CARD, "card": "KH", "seat": "us", "allowance": None},
        "King of hearts: the Americans may activate one unit, or units of one hex",
    ),
    (
        "card",
        {**CARD, "card": "AS", "allowance": 0},
        "Ace of spades: the Germans may only activate a free Tiger 102",
    ),
    (
        "card",
        {**CARD, "card": "AH", "seat": "us", "allowance": 0},
        "Ace of hearts: the Americans may only use support",
    ),
    ("card", {**CARD, "asked": False}, "7 of spades: the Germans can only pass"),
    ("passes", {"seat": "us", "card": "7H"}, "The Americans pass"),
    (
        "moves",
        {"seat": "german", "unit": "2SS-A", "from": "1903", "to": "1803"},
        "2SS-A moves from 1903 to 1803",
    ),
    ("enters", {"seat": "german", "unit": "D", "at": "1902"}, "D enters at 1902"),
    (
        "exits",
        {"seat": "german", "unit": "DF", "from": "1103", "exits": 3, "needed": 5},
        "DF leaves the map from 1103: exit 3 of 5",
    ),
    (
        "suppresses",
        {"seat": "us", "at": "1604"},
        "Air suppresses the Germans in 1604 and the hexes around it for the rest of the turn",
    ),
    ("attack", FIRE, "2SS-A and DF fire at 117Inf in 1403: 6 AI, city +2, all adjacent -1"),
    ("attack", {**FIRE, "firers": ["DF"]}, "DF fires at 117Inf in 1403: 6 AI, city +2, all adjacent -1"),
    ("attack", AIR, "Air attacks DF, D and 37SS in 1604: strength 4"),
    (
        "attack",
        {**AIR, "way": "artillery", "targets": ["DF"], "why": [["woods", 1]]},
        "Artillery attacks DF in 1604: strength 4, woods +1",
    ),
    ("attack_card", {"card": "7C", "result": 8, "strength": 6}, "7 of clubs: 8 against 6"),
    ("attack_card", {"card": "KC", "result": None, "strength": 6}, "King of clubs is not a number card"),
    ("face", {"card": "KC", "choice": "redraw"}, "Another card is drawn"),
    ("face", {"card": "KC", "choice": "miss"}, "The attack counts as a miss"),
    ("hit", {"unit": "117Inf", "at": "1403"}, "117Inf in 1403 is hit and reduced"),
    ("eliminated", {"unit": "117Inf", "at": "1403"}, "117Inf in 1403 is hit again and eliminated"),
    ("misses", {"targets": ["DF"], "reason": "card"}, "DF is not hit"),
    ("misses", {"targets": ["DF", "D"], "reason": "face"}, "DF and D are not hit"),
    ("misses", {"targets": ["DF"], "reason": "joker"}, "The joker spoils the attack: DF is not hit"),
    ("misses", {"targets": ["DF"], "reason": "deck"}, "No card is left for the attack: DF is not hit"),
    (
        "joker_aside",
        {"during": "combat"},
        "The joker is drawn too early and set aside: the turn continues until the deck is empty",
    ),
    ("joker_ends", {"during": "activation"}, "The joker ends the turn"),
    ("deck_out", {"turn": 3}, "The deck is empty, and the turn ends"),
    (
        "turn_ends",
        {"turn": 3, "turns": 6, "exits": 2, "needed": 5},
        "Turn 3 of 6 is over: 2 of 5 exits",
    ),
    (
        "victory",
        {"winner": "german", "reason": "five German units have exited"},
        "The Germans win: five German units have exited",
    ),
]

KINDS: dict[str, type[Event]] = {
    str(kind.__struct_config__.tag): kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
}
"""Every kind of event of the game, by its name."""


class TestLines:
    """Each event and each of its kinds."""

    @pytest.mark.parametrize(("event", "facts", "line"), LINES)
    def test_line(self, event: str, facts: dict[str, Any], line: str) -> None:
        kind = KINDS[event]  # what has words is made, since nobody reads words back
        tell = Tell(None, "M0.0", kind(**facts) if event == "victory" else msgspec.convert(facts, kind))
        assert (tell.event, tell.facts) == (event, facts)
        assert story.describe_event(tell) == line

    def test_every_kind_of_event_has_its_lines(self) -> None:
        assert sorted({event for event, _, _ in LINES}) == sorted(KINDS)


class TestWholeGames:
    """Whatever happens in a game has its one line."""

    @pytest.mark.parametrize("edition", RULES.editions)
    def test_every_event_of_a_game(self, edition: str) -> None:
        *_, end = random_game(edition, 7)
        lines = [RULES.view.story(tell) for tell in end.told]
        assert lines[0].startswith("The Americans set up: ")
        assert " win: " in lines[-1]
        assert all(line.isascii() and line.isprintable() for line in lines)
