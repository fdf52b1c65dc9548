"""The game in a language of marks: all is translated but names; and orders typed in words of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from games.rommel.test_scenario import ALAMEIN, FAULTS, Change
from games.rommel.test_story import LINES, what
from pbem import texts
from pbem.core.requests import Question, Tell
from pbem.core.rules import Advice
from pbem.core.shipped import data_of
from pbem.errors import FileError, OrderError
from pbem.games.rommel import RULES
from pbem.games.rommel.rules import setup
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms import setting
from pbem.games.rommel.terms.scenario import SCENARIOS
from pbem.games.rommel.terms.setting import (
    AIMS,
    AT,
    BOMB,
    CLEAR,
    DOGFIGHT,
    ON,
    PACKAGE,
    RESERVED,
    TO,
    TYPED,
    VERBS,
)
from pbem.games.rommel.view import typed_orders
from pbem.lookalikes import plain_letters
from pbem.texts import ENGLISH, LANGUAGES
from support.game_wording import (
    assert_words_distinct,
    event_words,
    position_words,
    refusal_rules,
    speak_backwards,
)
from support.marked_language import words_outside_marks
from support.playout import Move, play, set_up
from support.rommel_cases import BOOK

pytestmark = pytest.mark.thorough

VIEW = RULES.view
BEGUN: State = RULES.begin(RULES.editions["nac"], SCENARIOS.data("alamein"))

NAMES = re.compile(
    "|".join(
        [
            r"\bR\d+(\.\d+)?\b",
            r"\b(setup|place|stand down|pass)\b",  # what is typed, which has no marks
            r"\b[0-9a-f]{12}\b",  # the beginning of a seal
            *sorted(map(re.escape, {*ALAMEIN["units"], *BEGUN.setting.counters}), key=len, reverse=True),
        ]
    )
)
KEYS = {"seal", "box", "open", "salt", "orders", "true", "false", "null", "path", "on"}
"""What stands in orders as the file has them, and stays."""

PLACES = {
    word
    for which in ("victory_points", "villages", "airfields")
    for place in ALAMEIN["map"][which].values()
    for word in re.findall("[A-Za-z]+", place["name"])
}


def games(*seeds: int) -> Iterator[Move]:
    """The moves of some random games."""
    for seed in seeds:
        chooser = Random(seed)
        yield from play(set_up("rommel", chooser), chooser)


@cache
def questions() -> dict[str, Question]:
    """One of each kind."""
    with texts.speaking(ENGLISH):
        return {move.ask.question: move.ask for move in games(0, 1, 2)}


def overlaid(state: State) -> Iterator[str]:
    """What is said of the overlays of a position."""
    assert VIEW.zones is not None
    assert VIEW.supply is not None
    for overlay in (VIEW.zones(state), VIEW.supply(state)):
        yield overlay.meaning.replace("X:", "").replace("a:", "")  # the signs
        yield from overlay.lines


def asked(move: Move) -> Iterator[str]:
    """What is said of a question, and of the answer to it."""
    assert VIEW.threats is not None
    assert VIEW.forecast is not None
    yield VIEW.prompt(move.ask)
    yield from (one.why for one in VIEW.odds(move.ask))
    yield from (one.why for one in VIEW.threats(move.ask.state, move.ask.seat))
    forecast = VIEW.forecast(move.ask, move.chosen)
    yield from (*forecast.chances, *forecast.warnings)


@pytest.mark.usefixtures("pseudo")
class TestNothingIsForgotten:
    @pytest.mark.thorough
    @pytest.mark.parametrize("first", [0, pytest.param(8, marks=pytest.mark.long)])
    def test_in_games(self, first: int) -> None:
        chooser = Random(5)
        for move in games(*range(first, first + 8)):
            said = [line for tell in move.told for line in event_words(VIEW, tell)]
            assert words_outside_marks("\n".join(said), NAMES) == set(), said
            if chooser.random() < 0.1:
                said = [*position_words(VIEW, move.state), *overlaid(move.state)]
                assert words_outside_marks("\n".join(said), NAMES) <= {*RULES.editions, *PLACES}, said
                said = [*asked(move)]
                assert words_outside_marks("\n".join(said), NAMES) <= {*TYPED}, said

    @pytest.mark.parametrize(("event", "rule", "facts", "english"), LINES)
    def test_of_events(self, event: str, rule: str, facts: dict[str, Any], english: str) -> None:
        """Each of their kinds, of which random games may lack one."""
        line = VIEW.story(Tell(None, rule, what(event, facts)))
        assert words_outside_marks(line, NAMES) <= {*re.findall(r"[^\W\d]+", str([*facts.values()]))}

    def test_of_every_phase(self) -> None:
        """The figures name the step; in random games few positions are seen in which nothing is asked."""
        assert VIEW.aim is not None
        for phase in Phase:
            for turn in (1, 20, 60, 99):
                state = BEGUN.with_changes(step=phase, turn=turn, weather="dust")
                figures = [text for both in VIEW.legend(state).figures for text in both]
                assert words_outside_marks("\n".join([*figures, *VIEW.aim(state)]), NAMES) <= {"nac", *PLACES}

    @pytest.mark.thorough
    def test_of_advice(self) -> None:
        assert VIEW.why is not None
        figures = {"allied lost": 1.0, "axis lost": 0.4, "points": 2.5}
        fights = [move for move in games(0, 1, 2) if move.ask.question in (Phase.FIRE, Phase.COMBAT)]
        assert fights
        for move in fights:
            said = VIEW.why(move.ask, Advice(move.chosen, 1, 0.5, figures))
            assert words_outside_marks("\n".join(said), NAMES) == set()
            assert {"1,0", "0,4", "2,5"} <= set(re.findall(r"\d,\d", "\n".join(said)))
        assert words_outside_marks(VIEW.threatening()) == set()

    def test_of_places(self) -> None:
        """Some names are more than names."""
        labels = " ".join(cell.label for cell in VIEW.legend(BEGUN).cells)
        assert words_outside_marks(labels) == PLACES - {"Aqqaqir", "South", "Desert", "strip"} | {"Aqqaqir"}

    def test_of_refusals(self) -> None:
        """Each of the rule cases."""
        assert len(refusal_rules(BOOK, NAMES, {*TYPED, *KEYS})) > 20

    @pytest.mark.parametrize(
        "fault", [pytest.param(fault, id=name) for name, fault, english in FAULTS if "(R" in english]
    )
    def test_of_scenarios(self, fault: Change) -> None:
        """The faults that a rule makes one; the others are told by core."""
        data = SCENARIOS.data("alamein")
        fault(data)
        said = [problem.partition(": ")[2] for problem in map(str, SCENARIOS.check(data))]
        assert said
        left = words_outside_marks("\n".join(said), NAMES)
        assert left <= {"german", "italian", "british", *re.findall(r"[^\W\d]+", str(data["units"]))}

    @pytest.mark.parametrize(
        "wrong", [{"bomb_hits": []}, {"turns": 40}, {"turns": 9999}, {"last_turn": 9999, "turns": 3}]
    )
    def test_of_options(self, wrong: dict[str, object]) -> None:
        with pytest.raises(FileError) as fault:
            RULES.begin({**RULES.editions["nac"], "after_last_turn": "continue", **wrong}, ALAMEIN)
        assert words_outside_marks(str(fault.value.problem)) <= {"turns"}

    @pytest.mark.parametrize(
        "line",
        [
            *("walk", "move", "move Nobody", "move 125Inf", "fire", "fire Nobody", "bomb", "fly", "stand"),
            *("attack 125Inf", "attack", "dogfight", "land", "land Nobody", "aa", "aa x", "aa all Nobody"),
            *("place", "place Nobody", "setup", "setup x", "pass pass", "fly Ju88-1 1205 dogfight x"),
        ],
    )
    def test_of_what_is_not_understood(self, line: str) -> None:
        for ask in questions().values():
            with pytest.raises(OrderError) as refused:
                typed_orders.read(ask, [line])
            left = words_outside_marks(f"{refused.value} {refused.value.hint}", NAMES)
            assert left <= {*re.findall(r"[^\W\d]+", line), *TYPED}


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is spoken."""
    speak_backwards(monkeypatch, TYPED)


class TestTyped:
    """Orders in one's own words are the same orders, and writing them is the inverse of reading them."""

    @pytest.mark.thorough
    @pytest.mark.usefixtures("backwards")
    def test_reads_as_in_english(self) -> None:
        met: set[str] = set()
        for move in games(*range(12)):
            own = typed_orders.write(move.chosen)
            met |= {word for line in own for word in line.split() if plain_letters(word) != word}
            with texts.speaking(ENGLISH):
                english = typed_orders.write(move.chosen)
            assert not {word for line in own for word in line.split()} & set(TYPED)
            for lines in (own, english, [plain_letters(line) for line in own]):
                assert typed_orders.read(move.ask, lines) == move.chosen
        verbs = {*VERBS} - {"setup"}
        assert {word[:0:-1] for word in met} >= {*verbs, *AIMS, "at", "on", "down"}

    @pytest.mark.usefixtures("backwards")
    @pytest.mark.parametrize(
        "line",
        ["éevom {0} 1705 1805 éraelc 1804", "eev {0} 1705 1805 CLEARXX 1804", "mov {0} 1705 1805 clear 1804"],
    )
    def test_may_be_shortened_and_mixed(self, line: str) -> None:
        for move in games(1):
            if move.ask.question != Phase.MOVE:
                continue
            ask, unit = move.ask, move.ask.state.army(move.ask.seat)[0]
            orders = [{"move": unit, "path": ["1705", "1805"], "clear": ["1804"]}]
            assert typed_orders.read(ask, [line.format(unit)]) == orders
            assert typed_orders.write(orders) == [f"éevom {unit} 1705 1805 éraelc 1804"]

    @pytest.mark.usefixtures("backwards")
    def test_what_may_be_ordered_is_in_ones_own_words(self) -> None:
        assert VIEW.further is not None
        seen: set[str] = set()
        for move in games(0, 1):
            if move.ask.question not in seen or move.ask.state.turn < 2:
                seen.add(move.ask.question)
                offered = [*VIEW.further(move.ask, []), *(one.words for one in VIEW.odds(move.ask))]
                assert offered
                for line in offered:
                    assert not {*line.split()} & {*TYPED}, line
        assert seen >= {Phase.AIR, Phase.MOVE, Phase.COMBAT}

    @pytest.mark.thorough
    @pytest.mark.usefixtures("backwards")
    def test_ready_made_set_ups(self) -> None:
        [ask] = [move.ask for move in games(*range(9)) if move.ask.question == Phase.AXIS_FIRST_SETUP][:1]
        for own, name in zip(typed_orders.setups(ask), setup.ready_names(ask.state), strict=True):
            assert own == f"é{name[::-1]}"
            for line in (f"éputes {own}", f"setup {name}"):
                assert typed_orders.read(ask, [line]) == setup.ready_placement(ask.state, name)

    def test_all_words_may_be_translated(self) -> None:
        setups = data_of(PACKAGE, "setups")
        assert sorted(TYPED) == sorted({*VERBS, *RESERVED, *AIMS, *setups, setup.SPREAD})

    @pytest.mark.usefixtures("compiled")
    @pytest.mark.parametrize("language", [name for name in LANGUAGES if name != ENGLISH])
    def test_in_every_language(self, language: str) -> None:
        """No word means two things where it may stand, and none is the name of a unit."""
        for alike in (VERBS, AIMS, (BOMB, DOGFIGHT), (TO,), (AT,), (ON,), (CLEAR,)):
            assert_words_distinct(setting.tr.package, language, alike, ALAMEIN["units"])
        with texts.speaking(language):
            for move in games(0):
                assert typed_orders.read(move.ask, typed_orders.write(move.chosen)) == move.chosen
