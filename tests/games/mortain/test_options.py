"""Options: the default edition, what is refused, and the beats of a game; its table: `test_options_page`."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.core.requests import Plain
from pbem.errors import FileError
from pbem.games.mortain import RULES

SCENARIO = RULES.scenarios.data("mortain")

OPTIONS = ", ".join(RULES.editions["it"])


def chosen(**changes: Plain) -> dict[str, Any]:
    return {**RULES.editions["it"], **changes}


class TestEditions:
    """Each translation is a preset of all options; the Italian one is the default."""

    def test_the_default_comes_first(self) -> None:
        assert next(iter(RULES.editions)) == "it"


class TestRefusals:
    """Every option must be stated, known, and of a value that it has."""

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (
                chosen(early_joker="never"),
                "options.early_joker: found 'never', expected one of "
                "ends_turn, until_both_activated, until_both_could",
            ),
            (chosen(turns=0), "options.turns: found 0, expected a whole number from 1"),
            (chosen(turns=True), "options.turns: found true, expected a whole number from 1"),
            (chosen(turns="6"), "options.turns: found '6', expected a whole number from 1"),
            (chosen(turns=619), "options.turns: 619 turns are too many: at most 618"),
            (chosen(exits_to_win=9), "options.exits_to_win: 9 is too many: there are only 8 German units"),
            (chosen(exits_to_win=0), "options.exits_to_win: found 0, expected a whole number from 1"),
            (chosen(weather="fog"), "options: found the unknown key 'weather'"),
            (chosen(**{"a - at `$b": 1}), "options: found the unknown key 'a - at `$b'"),
            (
                chosen(**{"a\n- at `$.b`": 1}),
                r"options: found the unknown key 'a\n- at `$.b`'",
            ),
            (
                chosen(turns="1" * 1000),
                f"options.turns: found '{'1' * 30}'… (1000 characters), expected a whole number from 1",
            ),
            ({"turns": 6}, "options: found no key 'activation_rounding', expected one"),
            ([], f"options: found an empty list, expected a mapping of {OPTIONS}"),
        ],
    )
    def test_each(self, options: Any, message: str) -> None:
        with pytest.raises(FileError) as refusal:
            RULES.begin(options, SCENARIO)
        assert str(refusal.value) == message

    @pytest.mark.parametrize("options", [chosen(turns=619), chosen(turns=0), {}])
    def test_there_are_no_beats_for_them_either(self, options: Any) -> None:
        with pytest.raises(FileError):
            RULES.beats(options, SCENARIO)


class TestBeats:
    """Twice 53 cards for each turn, and at most 65,536."""

    @pytest.mark.parametrize(("turns", "beats"), [(1, 106), (6, 636), (618, 65_508)])
    def test_the_sum(self, turns: int, beats: int) -> None:
        assert RULES.beats(chosen(turns=turns), SCENARIO) == beats
