"""Options: what is refused, and the beats of a game; the table of the page: `test_options_page`."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.requests import Plain
from pbem.errors import FileError
from pbem.games.rommel import RULES

SCENARIO = RULES.scenarios.data("alamein")

MOST = 2730
"""Turns of twelve beats: 2 x (12 x 2730 + 1) is 65,522, and 24 more are beyond 65,536."""

OPTIONS = ", ".join(RULES.editions["nac"])


def chosen(**changes: Plain) -> dict[str, Any]:
    return {**RULES.editions["nac"], **changes}


REFUSED: list[tuple[Any, str]] = [
    (chosen(after_last_turn="stop"), "options.after_last_turn: must be draw or continue, not 'stop'"),
    (chosen(aa_then_fight="no"), "options.aa_then_fight: must be true or false, not 'no'"),
    (chosen(forts_anywhere=None), "options.forts_anywhere: must be true or false, not null"),
    (chosen(set_up_in_mines="foot"), "options.set_up_in_mines: must be all or infantry, not 'foot'"),
    (chosen(turns=0), "options.turns: must be a whole number from 1, not 0"),
    (chosen(turns=True), "options.turns: must be a whole number from 1, not true"),
    (chosen(turns="11"), "options.turns: must be a whole number from 1, not '11'"),
    (chosen(last_turn=10), "options.last_turn: 10 is less than turns, which is 11"),
    (chosen(turns=MOST + 1, last_turn=9999), "options.turns: must be at most 2,730, not 2,731"),
    (
        chosen(last_turn=MOST + 1, after_last_turn="continue"),
        "options.last_turn: must be at most 2,730, not 2,731",
    ),
    (chosen(bomb_hits=3), "options.bomb_hits: must be a list, not 3"),
    (
        chosen(bomb_hits=[3, "4"]),
        "options.bomb_hits[1]: must be a whole number, not '4'",
    ),
    (
        chosen(bomb_hits=[]),
        "options.bomb_hits: must be one or more different faces from 2 to 5, not []",
    ),
    (
        chosen(bomb_hits=[3, 3]),
        "options.bomb_hits: must be one or more different faces from 2 to 5, not [3, 3]",
    ),
    (
        chosen(bomb_hits=[1]),
        "options.bomb_hits: must be one or more different faces from 2 to 5, not [1]",
    ),
    (chosen(defend_again="yes"), "options.defend_again: must be true or false, not 'yes'"),
    (chosen(mechanised_in_mines=1), "options.mechanised_in_mines: must be true or false, not 1"),
    (chosen(air_subturns=5), "options.air_subturns: must be a whole number from 1 to 4, not 5"),
    (chosen(air_subturns=0), "options.air_subturns: must be a whole number from 1 to 4, not 0"),
    (chosen(weather="fog"), "options: there is no key 'weather'"),
    (chosen(**{"a - at `$b": 1}), "options: there is no key 'a - at `$b'"),
    (chosen(**{"a\n- at `$.b`": 1}), r"options: there is no key 'a\n- at `$.b`'"),
    (
        chosen(turns="1" * 1000),
        f"options.turns: must be a whole number from 1, not '{'1' * 30}'… (1,000 characters)",
    ),
    ({"turns": 6}, "options: the key 'after_last_turn' is missing"),
    ([], f"options: must be a mapping of {OPTIONS}, not an empty list"),
]


class TestRefusals:
    """Every option must be stated, known, and of a value that it has."""

    @pytest.mark.parametrize(("options", "message"), REFUSED)
    def test_each(self, options: Any, message: str) -> None:
        with pytest.raises(FileError) as refusal:
            RULES.begin(options, SCENARIO)
        assert str(refusal.value) == message

    @pytest.mark.parametrize("options", [chosen(turns=MOST + 1, last_turn=MOST + 1), chosen(turns=0), {}])
    def test_there_are_no_beats_for_them_either(self, options: Any) -> None:
        with pytest.raises(FileError):
            RULES.beats(options, SCENARIO)


class TestBeats:
    """FORMAT 4: twice the most beats of a game.

    The last placement leads to the weather of turn 1. In a turn both sides' answers in each air sub-turn, and
    to the questions of fire and combat, may each lead to one beat.
    """

    @pytest.mark.parametrize(
        ("options", "beats"),
        [
            (chosen(), 2 * (11 * 12 + 1)),
            (chosen(air_subturns=1), 2 * (11 * 6 + 1)),
            (chosen(turns=1), 2 * (12 + 1)),
            (chosen(last_turn=40), 2 * (11 * 12 + 1)),
            (chosen(after_last_turn="continue"), 2 * (30 * 12 + 1)),
            (chosen(turns=MOST, last_turn=MOST), 65_522),
            (chosen(last_turn=100_000), 266),
        ],
    )
    def test_each(self, options: dict[str, Any], beats: int) -> None:
        assert RULES.beats(options, SCENARIO) == beats
