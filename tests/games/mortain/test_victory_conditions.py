"""M7, M8: what each side is told of its aim, and of how far it is; reckoned by hand from the rules."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pbem.core.rules import Outcome
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.state import State, Step
from pbem.games.mortain.terms.cards import DECK
from support.mortain_positions import first_state, position

EDITIONS = ("it", "es", "en", "de")

UNITS = {
    **{"117Inf": "1503", "SPTD": "1504 reduced", "CCA": "waiting", "CCB": "1102"},
    **{"DF": "1505", "D": "waiting", "37SS": "exited", "38SS": "exited reduced", "Tiger102": "1602"},
}
"""On the map three US units, one to come; two exits, and three German units that can still exit."""


def aim(state: State) -> list[str]:
    """The lines."""
    assert RULES.view.aim is not None
    return RULES.view.aim(state)


@pytest.mark.parametrize("edition", EDITIONS)
class TestEveryEdition:
    """M8 is the same in all: five exits or no US unit on the map, after six turns."""

    def test_at_the_beginning(self, edition: str) -> None:
        """Eight US units: none on the map yet, five of them to be placed."""
        german, us, _ = aim(first_state(edition))
        assert german == (
            "The Germans win with 5 more exits off the west edge (0 of 5 so far), or if no US unit "
            "is on the map after turn 6 (0 now, 8 still to come; M8.1)"
        )
        assert us == "The Americans win otherwise (M8.2), or at once if no German unit is left (now 8; M8.3)"

    def test_in_the_middle(self, edition: str) -> None:
        german, us, _ = aim(position(UNITS, edition=edition))
        assert german == (
            "The Germans win with 3 more exits off the west edge (2 of 5 so far), or if no US unit "
            "is on the map after turn 6 (3 now, 1 still to come; M8.1)"
        )
        assert us.endswith("or at once if no German unit is left (now 3; M8.3)")

    def test_too_few_are_left_to_exit(self, edition: str) -> None:
        """Two have exited and two are left, of five."""
        german, *_ = aim(position({**UNITS, "D": "eliminated"}, edition=edition))
        assert german == (
            "The Germans have too few units left for 5 exits (2 of 5 so far); they win if no US "
            "unit is on the map after turn 6 (3 now, 1 still to come; M8.1)"
        )

    def test_own_values(self, edition: str) -> None:
        options = {"turns": 4, "exits_to_win": 3}
        german, *_ = aim(position(UNITS, edition=edition, options=options))
        assert "with 1 more exit off the west edge (2 of 3 so far)" in german
        assert "after turn 4" in german

    def test_nothing_when_it_is_over(self, edition: str) -> None:
        outcome = Outcome("us", "two German units have exited, of 5 needed", "M8.2")
        over = replace(position(UNITS, edition=edition), step=Step.OVER, outcome=outcome)
        assert aim(over) == []


class TestEndOfTheTurn:
    """M7.1 to M7.3: when the joker counts, by `early_joker`."""

    @pytest.mark.parametrize(
        ("edition", "changes", "ends"),
        [
            ("es", {}, "when the joker is drawn; 53 cards left (M7.1)"),
            ("it", {}, "when the joker is drawn, once both have acted; 53 cards left (M7.2)"),
            (
                "de",
                {"activated": ("german",)},
                "when the joker is drawn, once the Americans have acted; 53 cards left (M7.2)",
            ),
            (
                "it",
                {"activated": ("us",)},
                "when the joker is drawn, once the Germans have acted; 53 cards left (M7.2)",
            ),
            ("it", {"activated": ("german", "us")}, "when the joker is drawn; 53 cards left (M7.1)"),
            ("en", {}, "when the joker is drawn, once both colours have been drawn; 53 cards left (M7.2)"),
            (
                "en",
                {"colours": ("red",)},
                "when the joker is drawn, once a black card has been drawn; 53 cards left (M7.2)",
            ),
            ("en", {"colours": ("red", "black")}, "when the joker is drawn; 53 cards left (M7.1)"),
        ],
    )
    def test_with_the_joker(self, edition: str, changes: dict[str, Any], ends: str) -> None:
        assert aim(position(UNITS, edition=edition, turn=2, **changes))[2] == f"Turn 2 of 6 ends {ends}"

    def test_with_the_deck(self) -> None:
        state = position(UNITS, deck=("2H", "3S"), aside=("Joker",))
        assert aim(state)[2] == "Turn 1 of 6 ends when the deck is empty; 2 cards left (M7.3)"

    def test_the_joker_has_come(self) -> None:
        state = replace(position(UNITS), deck=DECK[:7], step=Step.END_OF_TURN)
        assert aim(state)[2] == "Turn 1 of 6 is ending"
