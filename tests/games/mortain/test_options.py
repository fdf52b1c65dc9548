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
                "options.early_joker: must be one of "
                "ends_turn, until_both_activated, until_both_could, not 'never'",
            ),
            (chosen(turns=0), "options.turns: must be a whole number from 1, not 0"),
            (chosen(turns=True), "options.turns: must be a whole number from 1, not true"),
            (chosen(turns="6"), "options.turns: must be a whole number from 1, not '6'"),
            (chosen(turns=619), "options.turns: 619 turns are too many: at most 618"),
            (chosen(exits_to_win=9), "options.exits_to_win: 9 is too many: there are only 8 German units"),
            (chosen(exits_to_win=0), "options.exits_to_win: must be a whole number from 1, not 0"),
            (chosen(weather="fog"), "options: there is no key 'weather'"),
            (chosen(**{"a - at `$b": 1}), "options: there is no key 'a - at `$b'"),
            (
                chosen(**{"a\n- at `$.b`": 1}),
                r"options: there is no key 'a\n- at `$.b`'",
            ),
            (
                chosen(turns="1" * 1000),
                f"options.turns: must be a whole number from 1, not '{'1' * 30}'… (1,000 characters)",
            ),
            ({"turns": 6}, "options: the key 'activation_rounding' is missing"),
            ([], f"options: must be a mapping of {OPTIONS}, not an empty list"),
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
