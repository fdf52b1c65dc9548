"""The game in a language of marks: all is translated but names; and orders typed in words of one's own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import pytest

from pbem import texts
from pbem.core.requests import Ask, Plain, Question
from pbem.core.rules import Advice
from pbem.core.run import Run
from pbem.errors import FileError, OrderError
from pbem.games.mortain import RULES
from pbem.games.mortain.rules.orders import VERBS
from pbem.games.mortain.terms.scenario import AT, SCENARIOS, TO
from pbem.games.mortain.view import typed_orders
from pbem.games.mortain.view.names import place_name
from pbem.games.mortain.view.overlays import BLOCKED
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
from support.mortain_cases import BOOK
from support.mortain_positions import random_game

VIEW = RULES.view
SHIPPED = SCENARIOS.data("mortain")
NAMES = re.compile(
    "|".join(
        [
            r"\b(10|[2-9AJQK])[CDHS]\b|\bJoker\b",  # cards
            r"\bM\d(\.\d)?\b",
            r"\bTiger 102\b",
            r"\b(AT|AI)\b",  # the factors, as the rules of every language have them
            *sorted(map(re.escape, SHIPPED["units"]), key=len, reverse=True),
        ]
    )
)
PLACES = {
    word
    for at in SHIPPED["map"]["hexes"].values()
    for word in re.findall(r"[^\W\d_]+", place_name(at.get("label", "")))
}


def asked(ask: Question, chooser: Random) -> Iterator[str]:
    """What is said of a question, and of an answer to it."""
    assert VIEW.sight is not None
    assert VIEW.threats is not None
    assert VIEW.forecast is not None
    yield VIEW.prompt(ask)
    yield from (one.why for one in VIEW.odds(ask))
    yield from (one.why for one in VIEW.threats(ask.state, ask.seat))
    overlay = VIEW.sight(ask.state, chooser.choice(ask.state.setting.grid.numbers))
    yield from (overlay.meaning, *overlay.lines)
    yield from VIEW.forecast(ask, RULES.players["random"](ask, chooser)).chances


JSON = ("true", "false", "null")


@pytest.mark.usefixtures("pseudo")
class TestNothingIsForgotten:
    @pytest.mark.parametrize(
        "edition", ["it", *(pytest.param(one, marks=pytest.mark.thorough) for one in ("es", "en", "de"))]
    )
    def test_in_a_game(self, edition: str) -> None:
        chooser = Random(5)
        said: list[str] = []
        for run in random_game(edition, 5):
            said += position_words(VIEW, run.state)
            if isinstance(run.pending, Ask) and chooser.random() < 0.2:
                said += asked(run.pending, chooser)
            told_last = run.told
        said += (line for tell in told_last for line in event_words(VIEW, tell))
        assert words_outside_marks("\n".join(said), NAMES) <= {*RULES.editions, BLOCKED}

    def test_of_what_stays_the_same(self) -> None:
        labels = [cell.label for cell in VIEW.legend(_begun().state).cells]
        assert words_outside_marks("\n".join(labels)) == PLACES - {"Hill", "Heights"}
        assert words_outside_marks(VIEW.threatening(), NAMES) == set()
        assert VIEW.why is not None
        figures = {"hit": 0.5, "german lost": 1.0, "us lost": 0.4, "cards": 12.0}
        [ask] = [run.pending for run in random_game("it", 5) if isinstance(run.pending, Ask)][:1]
        said = "\n".join(VIEW.why(ask, Advice([], 1, 0.5, figures)))
        assert words_outside_marks(said) == set()
        assert re.findall(r"\d\D\d", said) == ["1,0", "0,4"]

    def test_of_refusals(self) -> None:
        """Each of the rule cases."""
        assert len(refusal_rules(BOOK, NAMES, {*typed_orders.TYPED, *JSON})) > 15

    def test_of_scenarios_and_options(self) -> None:
        units = {name: {**unit, "starts": "map", "arrives": 7} for name, unit in SHIPPED["units"].items()}
        faults = SCENARIOS.check({**SHIPPED, "units": units})
        said = [str(fault).partition(": ")[2] for fault in faults]
        assert len(said) == 27
        assert words_outside_marks("\n".join(said), NAMES) <= {"map", "east", "west", "tiger", "true"}
        for wrong in ({"turns": 999}, {"exits_to_win": 99}):
            with pytest.raises(FileError) as fault:
                RULES.begin({**RULES.editions["it"], **wrong}, SHIPPED)
            assert words_outside_marks(str(fault.value.problem)) == set()

    @pytest.mark.parametrize("typed", ["air 1101", "fire DF", "fire", "move CCA", "exit Nobody", "faces x"])
    def test_of_what_is_not_understood(self, typed: str) -> None:
        asks = [run.pending for run in random_game("it", 5) if isinstance(run.pending, Ask)]
        for ask in asks[1:9]:
            with pytest.raises(OrderError) as refused:
                typed_orders.read(ask, [typed])
            left = words_outside_marks(f"{refused.value} {refused.value.hint}", NAMES)
            assert left <= {*typed.split(), *typed_orders.TYPED}


def _begun() -> Run:
    return next(random_game("it", 5))


@pytest.fixture
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is spoken."""
    speak_backwards(monkeypatch, typed_orders.TYPED)


def answers(edition: str) -> Iterator[tuple[Question, Plain]]:
    """Every question of a game with some answer."""
    for number, run in enumerate(random_game(edition, 13)):
        if isinstance(run.pending, Ask):
            yield run.pending, RULES.players["random"](run.pending, Random(number))


class TestTyped:
    """Orders in one's own words are the same orders, and writing them is the inverse of reading them."""

    @pytest.mark.usefixtures("backwards")
    def test_reads_as_in_english(self) -> None:
        met: set[str] = set()
        for ask, orders in answers("it"):
            own = typed_orders.write(orders)
            met |= {word for line in own for word in line.split() if plain_letters(word) != word}
            with texts.speaking(ENGLISH):
                english = typed_orders.write(orders)
            assert not {word for line in own for word in line.split()} & set(typed_orders.TYPED)
            for typed in (
                own,
                english,
                [plain_letters(line) for line in own],
                [line.upper() for line in own],
            ):
                assert typed_orders.read(ask, typed) == orders
        assert {word[:0:-1] for word in met} >= {"place", "pass", "move", "enter", "fire", "at", "suppress"}

    @pytest.mark.usefixtures("backwards")
    def test_may_be_shortened(self) -> None:
        [(ask, [order])] = [one for one in answers("it") if "move" in one[1][0]][:1]
        for typed in (f"éev {order['move']} éot {order['to']}", f"movexx {order['move']} {order['to']}"):
            assert typed_orders.read(ask, [typed]) == [order]

    @pytest.mark.usefixtures("backwards")
    def test_what_may_be_ordered_is_in_ones_own_words(self) -> None:
        assert VIEW.further is not None
        for ask, _ in list(answers("it"))[:12]:
            lines = [*VIEW.further(ask, []), *(one.words for one in VIEW.odds(ask))]
            assert lines
            assert all(line.startswith("é") for line in lines)

    @pytest.mark.usefixtures("compiled")
    @pytest.mark.parametrize("language", [name for name in LANGUAGES if name != ENGLISH])
    def test_in_every_language(self, language: str) -> None:
        """No verb or choice means two things, and no word of it is the name of a unit."""
        for alike in (VERBS, typed_orders.CHOICES, (AT,), (TO,)):
            assert_words_distinct(typed_orders.tr.package, language, alike, SHIPPED["units"])
        with texts.speaking(language):
            for ask, orders in answers("it"):
                assert typed_orders.read(ask, typed_orders.write(orders)) == orders
