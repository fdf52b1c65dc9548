"""What the scripts know of a scenario that ships is what the scenario says."""

from __future__ import annotations

import pytest

from pbem.games.rommel import RULES
from pbem.games.rommel.terms.setting import AIRCRAFT
from support.browsers import Browser

pytestmark = pytest.mark.thorough  # in a browser

COUNTED = """
const [names, hexes, options] = arguments;
const offer = {rules: "rommel/1", options, scenario: {name: "alamein"}};
const {figures} = gameFacts.game(offer);
const beside = (name, at) => figures({turn: 1, units: {[name]: {at}}}).slice(4, 6);
return names.map((name) => hexes.map((at) => {
  const [points, villages] = beside(name, at);
  return [points(`1 of 5 (${at})`), points("0 of 5"), villages(`lost ${at}`), villages("safe")];
}));
"""
"""Which of the words beside the map are right, where a unit stands alone in a hex."""


def test_who_holds_points_and_villages(checking: Browser) -> None:
    """Each counter alone, in each hex that counts, and in one that does not."""
    data = RULES.scenarios.data("alamein")
    points, villages = data["map"]["victory_points"], data["map"]["villages"]
    hexes = [*points, *villages, "0101"]
    units = {name: unit for name, unit in data["units"].items() if unit["kind"] != "fort"}
    answers = checking.run(COUNTED, list(units), hexes, dict(RULES.editions["nac"]))
    for (name, unit), found in zip(units.items(), answers, strict=True):
        on_land = unit["kind"] not in AIRCRAFT
        axis = unit["nation"] in ("german", "italian")
        for at, answer in zip(hexes, found, strict=True):
            held = at in points and on_land and not axis
            lost = at in villages and villages[at]["side"] == "allied" and on_land and axis
            assert answer == [held, not held, lost, not lost], (name, at)
