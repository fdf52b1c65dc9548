"""The story of the game: each event in a line of English, with its rule."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from pbem.core.requests import Event, Tell
from pbem.games.rommel import RULES
from pbem.games.rommel.rules import events
from pbem.games.rommel.view import story
from support.playout import play, set_up

EVENTS = {
    str(kind.__struct_config__.tag): kind
    for kind in vars(events).values()
    if isinstance(kind, type) and issubclass(kind, Event) and kind is not Event
}
"""Every event of the game, by its name."""

LINES: list[tuple[str, str, dict[str, Any], str]] = [
    (
        "placed",
        "R2.1",
        {"seat": "axis", "places": {"125Inf": "1605", "Fort-1": "1703"}},
        "The Axis sets up 2 counters",
    ),
    ("sealed", "R2.2", {"seat": "axis", "seal": "1a2b"}, "The Axis seals its placement: 1a2b"),
    (
        "standing",
        "R4.4",
        {"seat": "axis", "fire": "hold", "units": ["88mm-1", "Flak-1"]},
        "The Axis guns hold their fire: 88mm-1, Flak-1",
    ),
    (
        "standing",
        "R4.4",
        {"seat": "allied", "fire": "bombers", "units": ["Bofors-1"]},
        "The Allied guns fire only at bombers: Bofors-1",
    ),
    (
        "standing",
        "R4.4",
        {"seat": "allied", "fire": "all", "units": []},
        "The Allied guns fire at all aircraft: there are none",
    ),
    (
        "weather",
        "R3.1",
        {"turn": 2, "turns": 11, "face": 2, "weather": "dust"},
        "Turn 2 of 11, 24 October 1942: a roll of 2, dust",
    ),
    (
        "weather",
        "R3.1",
        {"turn": 71, "turns": 80, "face": 3, "weather": "clear"},
        "Turn 71 of 80: a roll of 3, clear",
    ),
    ("passes", "R4.1", {"seat": "axis", "question": "air"}, "The Axis passes this air sub-turn"),
    ("passes", "R5.1", {"seat": "axis", "question": "ground_move"}, "The Axis passes its movement"),
    ("passes", "R7.1", {"seat": "axis", "question": "ground_fire"}, "The Axis passes its fire"),
    ("passes", "R6.1", {"seat": "axis", "question": "ground_combat"}, "The Axis passes its combats"),
    (
        "stands_down",
        "R4.1",
        {"seat": "allied"},
        "The Allied aircraft stand down for the rest of the air phase",
    ),
    (
        "flies",
        "R4.2",
        {"unit": "Ju88-1", "from": "1204", "to": "1506", "path": ["1305", "1405", "1506"]},
        "Ju88-1 flies from 1204 over 1305, 1405 to 1506",
    ),
    (
        "flak",
        "R4.4",
        {"gun": "Bofors-1", "at": "Ju88-1", "hex": "1405", "face": 3, "hit": True},
        "Bofors-1 fires at Ju88-1 in 1405: a roll of 3 hits",
    ),
    (
        "bombs",
        "R4.5",
        {"unit": "Ju88-1", "on": "20-Aus", "at": "1506", "face": 4, "hit": False},
        "Ju88-1 bombs 20-Aus in 1506: a roll of 4 misses",
    ),
    ("no_bombs", "R4.5", {"unit": "Ju88-1", "at": "1506"}, "Ju88-1 no longer finds anything to bomb in 1506"),
    (
        "declares",  # of 36 throws 2 are equal; his 2, 3, 4 and 5 win 1, 6, 10 and 6
        "R6.1",
        {"units": ["20-Aus"], "on": ["61-Tre"], "attack": 5, "defence": 4, "forts": []},
        "20-Aus attacks 61-Tre: 5 against 4, wins 68% (23/34) of the time",
    ),
    (
        "declares",
        "R6.1",
        {"units": ["A", "B", "C"], "on": ["X", "Y"], "attack": 9, "defence": 9, "forts": ["X", "Y"]},
        "A, B and C attack X and Y: 9 against 9, X and Y doubled by fortification, wins 50% (1/2) "
        "of the time",
    ),
    (
        "void",
        "R6.5",
        {"units": ["A", "B"], "on": ["X"]},
        "A and B no longer attack X: one side of the combat is gone",
    ),
    (
        "fights",
        "R6.2",
        {"units": ["A"], "on": ["X", "Y"], "attack": 5, "defence": 6},
        "A fights X and Y: 5 against 6",
    ),
    (
        "fights",
        "R6.2",
        {"units": ["A", "B"], "on": ["X"], "attack": 9, "defence": 3},
        "A and B fight X: 9 against 3",
    ),
    (
        "dice",
        "R6.2",
        {"attack_face": 4, "defence_face": 3, "attack": 20, "defence": 12},
        "The attacker rolls 4, the defender 3: 20 against 12, the attacker wins",
    ),
    (
        "dice",
        "R6.2",
        {"attack_face": 2, "defence_face": 3, "attack": 10, "defence": 12},
        "The attacker rolls 2, the defender 3: 10 against 12, the defender wins",
    ),
    (
        "dice",
        "R6.3",
        {"attack_face": 3, "defence_face": 4, "attack": 12, "defence": 12},
        "The attacker rolls 3, the defender 4: 12 against 12, a tie, and both roll again",
    ),
    ("struck", "R1.3", {"unit": "PzIII-1", "at": "1605"}, "PzIII-1 in 1605 is struck"),
    ("eliminated", "R1.3", {"unit": "61-Tre", "at": "1605"}, "61-Tre in 1605 is eliminated"),
    (
        "lands",
        "R4.6",
        {"unit": "Ju88-1", "from": "1506", "to": "1204"},
        "Ju88-1 flies from 1506 to land on 1204",
    ),
    ("no_airfield", "R4.6", {"unit": "Ju88-1", "at": "1506"}, "Ju88-1 in 1506 finds no airfield to land on"),
    (
        "moves",
        "R5.2",
        {"unit": "125Inf", "from": "1605", "to": "1706", "path": ["1706"]},
        "125Inf moves from 1605 to 1706",
    ),
    (
        "clears",
        "R5.6",
        {"unit": "125Inf", "hexes": ["1805", "1905"]},
        "125Inf clears the mines of 1805 and 1905",
    ),
    (
        "obliged",
        "R5.5",
        {"unit": "20-Aus", "on": ["61-Tre", "62-Tre"]},
        "20-Aus must attack 61-Tre or 62-Tre this turn",
    ),
    (
        "aims",  # of the faces 2, 3, 3, 4, 4, 5 four are hits
        "R7.1",
        {"unit": "88mm-1", "on": "Grant-1", "range": 3, "hits": [3, 4]},
        "88mm-1 aims at Grant-1, range 3: hits on 3 or 4, 67% (2/3)",
    ),
    (
        "shoots",
        "R7.1",
        {"unit": "88mm-1", "on": "Grant-1", "face": 4, "hit": True},
        "88mm-1 fires at Grant-1: a roll of 4 hits",
    ),
    ("lost_shot", "R7.3", {"unit": "88mm-1", "on": "Grant-1"}, "88mm-1 does not fire: Grant-1 is gone"),
    (
        "turn_ends",
        "R8.1",
        {"turn": 3, "turns": 11, "held": ["1704", "1813"], "lost": []},
        "Turn 3 of 11 is over. Allied victory points: 2 (1704, 1813). Allied villages lost: none",
    ),
    (
        "victory",
        "R8.2",
        {"winner": "axis", "reason": "no victory point has an Allied land unit"},
        "The Axis wins: no victory point has an Allied land unit",
    ),
    (
        "victory",
        "R8.3",
        {"winner": None, "reason": "turn 11 was the last"},
        "The game is a draw: turn 11 was the last",
    ),
]


def what(event: str, facts: dict[str, Any]) -> Event:
    """An event of these facts; one with words is made as the rules make it, since nobody reads words back."""
    kind = EVENTS[event]
    return kind(**facts) if event == "victory" else msgspec.convert({"event": event, **facts}, kind)


class TestLines:
    """Each event and each of its kinds."""

    @pytest.mark.parametrize(("event", "rule", "facts", "line"), LINES)
    def test_line(self, event: str, rule: str, facts: dict[str, Any], line: str) -> None:
        tell = Tell(None, rule, what(event, facts))
        assert story.describe_event(tell) == f"{line} ({rule})"
        assert (tell.event, tell.facts) == (event, facts)

    def test_every_event_is_told(self) -> None:
        assert sorted(EVENTS) == sorted({event for event, _, _, _ in LINES})


class TestWholeGames:
    """Whatever happens in a game has its one line."""

    @pytest.mark.parametrize("seed", range(3))
    def test_every_event_of_a_game(self, seed: int) -> None:
        chooser = Random(seed)
        moves = list(play(set_up("rommel", chooser), chooser))
        lines = [RULES.view.story(tell) for move in moves for tell in move.told]
        assert lines[-1].startswith(("The Allies win: ", "The Axis wins: ", "The game is a draw: "))
        assert all(line.isascii() and line.isprintable() for line in lines)
