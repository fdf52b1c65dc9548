"""How to play: the pages fit two screens, and what they tell is what the rules do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from pbem.cli.app import run
from pbem.core.requests import Ask, Orders
from pbem.core.rulebook import HOW_TO, filled, shipped
from pbem.core.run import Position, Run
from pbem.core.sealing import Open, Seal
from pbem.errors import OrderError
from pbem.format.yaml_writer import dump_yaml
from pbem.games import load
from pbem.render.markdown import markdown_to_text
from pbem.texts import LANGUAGES, speaking
from support.playout import signed_orders

TWO_SCREENS = 2 * 24 - 2
"""Lines of two screens of 80 x 24, of which each keeps one for the prompt."""

GAMES = ("mortain", "rommel")


def page(game: str, language: str = "en") -> str:
    """How to play a game by the edition of a language: without the marks of its numbers."""
    rules = load(game)
    return filled(shipped(rules.package, HOW_TO, language), rules.editions[rules.edition(language)])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_the_file_itself_tells_the_edition_of_its_language(game: str, language: str) -> None:
    """Whoever reads it where no program fills it in reads his own booklet's rules."""
    assert filled(shipped(load(game).package, HOW_TO, language), {}) == page(game, language)


def told(game: str, language: str) -> list[tuple[str, str]]:
    """The lines of the first turn: a card or a side, and what was typed, in two columns."""
    [block] = re.findall(r"```\n(.*?)```", page(game, language), re.DOTALL)
    lines = block.splitlines()
    column = max(re.match(r"\S* +", line).end() for line in lines)  # type: ignore[union-attr]
    return [(line[:column].strip(), line[column:]) for line in lines]


def begun(game: str, language: str, scenario: str = "") -> Run:
    """A new game of the edition of a language, with the default scenario if none is named."""
    rules = load(game)
    options = rules.editions[rules.edition(language)]
    return Run(
        rules, Position(rules.begin(options, rules.scenarios.data(scenario or rules.scenarios.names[0])))
    )


def answer(run: Run, typed: str) -> None:
    """Give orders as typed in the current language."""
    assert isinstance(run.pending, Ask)
    run.answer(run.rules.view.read_words(run.pending, [typed]))


def settle(run: Run, *outcomes: object) -> None:
    """Let these cards or faces come."""
    for outcome in outcomes:
        assert run.pending is not None
        assert not isinstance(run.pending, Ask)
        run.decide(run.pending.outcomes.index(outcome))


def mortain(language: str) -> Run:
    """The first turn of Mortain, with the 4 of clubs of its text."""
    run = begun("mortain", language)
    for card, typed in told("mortain", language):
        settle(run, *card.split())
        answer(run, typed)
    assert f"{float(run.rules.view.chance(run.state) or 0):.0%}" == "58%"
    settle(run, "4C")
    return run


def rommel(language: str) -> Run:
    """The first turn of Rommel y Montgomery, on a clear day, with the dice of its text."""
    run = begun("rommel", language)
    [set_up] = re.findall(r"^\*\*.*`(.+)`.*:$", page("rommel", language), re.MULTILINE)
    sealed: Orders = []
    while isinstance(ask := run.pending, Ask):
        chosen = sealed if isinstance(ask, Open) else run.rules.view.read_words(ask, [set_up])
        sealed = chosen if isinstance(ask, Seal) else sealed
        run.answer(signed_orders(ask, chosen))
    settle(run, 4)
    for side, typed in told("rommel", language):
        assert isinstance(run.pending, Ask)
        assert run.pending.seat == side
        answer(run, typed)
        if not isinstance(run.pending, Ask):  # the dice of both attacks
            settle(run, 5, 3, 2, 5)
    return run


OWN: list[tuple[str, dict[str, Any], tuple[str, ...], dict[str, list[str]]]] = [
    (
        "mortain",
        {
            "support": {
                way: {"value": value, "status": "known", "source": "rules_es"}
                for way, value in (("artillery", 5), ("air", 7))
            }
        },
        ("turns=4", "exits_to_win=3"),
        {
            "en": ["with 3 units off", "end of turn 4.", "(strength 5)", "(strength 7)"],
            "es": ["con 3 unidades fuera", "final del turno 4;", "(fuerza 5)", "(fuerza 7)"],
            "it": ["con 3 unità uscite", "fine del turno 4 ", "(forza 5)", "(forza 7)"],
            "de": ["mit 3 Einheiten", "von Runde 4 ", "(Stärke 5)", "(Stärke 7)"],
        },
    ),
    (
        "rommel",
        {"flak_range": 5, "supply_radius": 6},
        ("turns=9", "air_subturns=2"),
        {
            "en": [
                "end of turn 9 ",
                "aircraft act 2 times",
                "Guns within 5 hexes",
                "within 6 hexes of supply",
            ],
            "es": [
                "del turno 9 ",
                "2 veces actúan los aviones",
                "cañones a 5 hexágonos",
                "a 6 hexágonos o menos de la",
            ],
            "it": ["del turno 9 ", "2 volte gli aerei", "cannoni entro 5 esagoni", "entro 6 esagoni dal"],
            "de": ["von Runde 9 ", "2-mal die Flugzeuge", "feuert 5 Felder", "höchstens 6 Felder vom"],
        },
    ),
]
"""Own scenarios and options, and what is told of them."""

LACKED: dict[str, set[str]] = {"mortain": set(), "rommel": {"aa_then_fight"}}
"""The options of words in HOWTO.md that an earlier version lacks: the view tells their values to its page."""

FIRST_TURNS: dict[str, Callable[[str], Run]] = {"mortain": mortain, "rommel": rommel}


@pytest.mark.parametrize("game", GAMES)
class TestPages:
    """`HOWTO.md` of each game."""

    def test_fits_two_screens(self, game: str) -> None:
        lines = markdown_to_text(page(game)).splitlines()
        assert len(lines) <= TWO_SCREENS
        assert max(map(len, lines)) <= 78


@pytest.mark.parametrize("language", LANGUAGES)
class TestNumbers:
    """What options or scenario may alter is told as it is in the game."""

    @pytest.mark.parametrize("game", GAMES)
    def test_as_they_ship(self, game: str, language: str) -> None:
        raw = shipped(load(game).package, HOW_TO, language)
        state = begun(game, language).state
        numbers = load(game).view.numbers(state)
        values = {**msgspec.to_builtins(state.setting.options), **numbers}
        assert filled(raw, values) == page(game, language)
        marked = set(re.findall(r"<!-- (\w+) -->", raw))
        assert marked == set(numbers) - LACKED[game]

    @pytest.mark.parametrize(("game", "altered", "options", "told"), OWN, ids=GAMES)
    def test_of_a_game_of_ones_own(
        self,
        game: str,
        altered: dict[str, Any],
        options: tuple[str, ...],
        told: dict[str, list[str]],
        language: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("PBEM_HOME", "home")
        rules = load(game)
        data = {**rules.scenarios.data(rules.scenarios.names[0]), "name": "own", **altered}
        Path("own.yaml").write_text(dump_yaml(data))
        chosen = (word for option in options for word in ("--option", option))
        assert not run(["new", game, "g.yaml", "--seat", rules.seats[0], "--scenario", "own.yaml", *chosen])
        assert not run(["--lang", language, "rules", "g.yaml"])
        said = " ".join(capsys.readouterr().out.split())
        assert [words for words in told[language] if words not in said] == []


@pytest.mark.parametrize("language", LANGUAGES)
class TestFirstTurns:
    """What the text says came of the turn, by the edition of its language, typed in that language."""

    @pytest.fixture(autouse=True)
    def _spoken(self, language: str) -> Iterator[None]:
        with speaking(language):
            yield

    def test_mortain(self, language: str) -> None:
        run = mortain(language)
        assert run.state.units["DF"].reduced
        settle(run, "Joker")
        assert run.state.turn == 2

    def test_rommel(self, language: str) -> None:
        run = rommel(language)
        assert not run.state.on_map("7-Bers")
        assert not run.state.on_map("5-NZ")
        assert run.state.on_map("24-Aus")


def orders_of_the_table(language: str) -> list[list[str]]:
    """What each order on the page of the tabletop does, read in a scenario that has what it names."""
    rules = load("tabletop")
    page = shipped(rules.package, HOW_TO, language)
    [block] = re.findall(r"```\n(.*?)```", page, re.DOTALL)
    typed = [code for code in re.findall(r"`([^`\n]+)`", page) if not code.startswith("pbem ")]
    found = []
    for order in [*(line.strip() for line in block.splitlines()), *typed]:
        for kind in rules.scenarios.names:
            run = begun("tabletop", language, kind)
            with suppress(OrderError):
                assert isinstance(run.pending, Ask)
                found.append([next(iter(one)) for one in rules.view.read_words(run.pending, [order])])
                break
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_orders_of_the_table(language: str) -> None:
    with speaking("en"):
        english = orders_of_the_table("en")
    with speaking(language):
        assert orders_of_the_table(language) == english
    assert len(english) == 14
