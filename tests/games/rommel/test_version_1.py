"""Version 1 lacks three options, and judges as if they had the values by which it was played."""

from __future__ import annotations

import pytest

from pbem.core.run import Position, Run
from pbem.errors import FileError, IllegalOrder
from pbem.games import all_versions
from pbem.games.rommel.rules.state import Phase
from support.rommel_positions import position

FIRST, SECOND = (all_versions("rommel")[f"rommel/{number}"] for number in (1, 2))
ADDED = {"aa_then_fight": True, "forts_anywhere": False, "set_up_in_mines": "infantry"}
"""The options that version 1 lacks, with what it meant by them."""


def test_its_edition_lacks_them() -> None:
    assert SECOND.editions["nac"].keys() - FIRST.editions["nac"].keys() == ADDED.keys()


@pytest.mark.parametrize("option", ADDED)
def test_its_games_cannot_have_them(option: str) -> None:
    chosen = {**FIRST.editions["nac"], option: ADDED[option]}
    with pytest.raises(FileError):
        FIRST.begin(chosen, FIRST.scenarios.data("alamein"))


def test_it_plays_as_with_these_values() -> None:
    begun = FIRST.begin(FIRST.editions["nac"], FIRST.scenarios.data("alamein"))
    assert {name: getattr(begun.setting.options, name) for name in ADDED} == ADDED


def test_its_position_does_not_name_the_guns_that_fired_at_aircraft() -> None:
    state = position(Phase.COMBAT, {}, fired_at_aircraft=("Bofors-1",))
    assert SECOND.public(state)["fired_at_aircraft"] == ["Bofors-1"]
    assert "fired_at_aircraft" not in FIRST.public(state)


UNITS = {"Bofors-1": "0706", "61-Tre": "0707", "20-Aus": "0807"}
ATTACK = [{"attack": ["Bofors-1"], "on": ["61-Tre"]}]


def test_a_gun_that_fired_at_aircraft_attacks_in_version_1_alone() -> None:
    """The option is all that differs: a state begun by either has the value of its version."""
    for aa_then_fight in (True, False):
        state = position(
            Phase.COMBAT, UNITS, fired_at_aircraft=("Bofors-1",), options={"aa_then_fight": aa_then_fight}
        )
        run = Run(FIRST if aa_then_fight else SECOND, Position(state))
        if aa_then_fight:
            run.answer(ATTACK)
            assert run.told[0].event == "declares"
        else:
            with pytest.raises(IllegalOrder, match=r"^R7\.2: Bofors-1 has fired at aircraft this turn"):
                run.answer(ATTACK)
