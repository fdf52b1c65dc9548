"""Where the map at the prompt opens, and what its key says."""

from __future__ import annotations

import re

import pytest

from pbem.cli.legal_moves import mark_placements
from pbem.cli.prompt_screen import Overview
from pbem.core.rules import Rules
from pbem.core.run import Position, Run
from pbem.games import mortain, rommel
from pbem.player.order_sheet import OrderSheet
from pbem.render.screen import draw_screen
from pbem.umpire.game_state import Game, GameState
from support.playout import signed_orders


def at_the_beginning(rules: Rules) -> OrderSheet:
    """A new game, where whoever sets up first is asked."""
    options, scenario = next(iter(rules.editions.values())), rules.scenarios.data(rules.scenarios.names[0])
    table = GameState(rules, "0" * 32, rules.begin(options, scenario), 100)
    return OrderSheet(Game((), rules, table), table)


def of_the_second_side() -> OrderSheet:
    """Rommel, where the Allied side sets up, when that of the Axis has been told."""
    table = at_the_beginning(rommel.RULES).table
    while (asked := table.pending_question) is not None and asked.seat != "allied":
        table.run.answer(signed_orders(asked, next(iter(rommel.RULES.offers(asked)))))
    return OrderSheet(Game((), rommel.RULES, table), table)


@pytest.mark.parametrize(("columns", "lines"), [(60, 24), (80, 24), (140, 40)])
def test_a_set_up_opens_on_ones_own_zone(
    columns: int, lines: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("LINES", str(lines))
    sheet = of_the_second_side()
    zone = {at[:2] for at in sheet.asked.state.setting.zones[sheet.asked.seat]}
    Overview(sheet, [list(sheet.asked.state.setting.grid.numbers[:20])]).draw()
    shown = capsys.readouterr().out
    ruler = next(line for line in shown.splitlines() if re.match(r"  +\d\d  ", line))[: columns // 2 + 10]
    drawn = set(re.findall(r"\b\d\d\b", ruler))
    assert len(drawn & zone) >= min(len(zone), len(drawn)) // 2, ruler


@pytest.mark.parametrize("rules", [mortain.RULES, rommel.RULES], ids=lambda rules: rules.name)
def test_where_a_unit_of_a_set_up_may_be_placed(rules: Rules) -> None:
    sheet = at_the_beginning(rules)
    first = next(phrase for phrase in sheet.current.possible_additions if phrase.startswith("place "))
    unit = first.split()[1]
    phrases = [phrase for phrase in sheet.current.possible_additions if unit in phrase.split()]
    legend, places = mark_placements(sheet.current.legend, unit, phrases)
    assert sorted(places) == sorted({phrase.split()[-1] for phrase in phrases})
    assert legend.marks["in hexes"] == f"+ where {unit} can be placed"


def test_every_sign_of_a_small_map_is_in_the_key() -> None:
    """Where the lists have little room: the counters' go first."""
    state = Run(rommel.RULES, Position(at_the_beginning(rommel.RULES).asked.state)).state
    legend = rommel.RULES.view.legend(state)
    said = "\n".join(draw_screen(legend, 80, 18, ["1708", "1809"]).lines)
    for sign in ("# mined", "@ village", "^ airfield", "\\ | / road", "* victory point"):
        drawn = sign.split()[0] in said.replace(sign, "")
        assert (sign in said) == drawn, sign
