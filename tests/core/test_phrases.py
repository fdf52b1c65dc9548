"""Orders as typed: words, shortened names, hexes, and where a line fails."""

from __future__ import annotations

import pytest

from pbem.core.hexes import Grid
from pbem.core.phrases import Phrase, Word, line, phrases
from pbem.errors import Ambiguous, NotUnderstood
from pbem.texts import Texts
from support.marked_language import OPEN, words_outside_marks

tr = Texts("pbem")
GRID = Grid(11, 19, 1, 5, "odd")
UNITS = ("DF", "D", "2SS-A", "2SS-B")


def phrase(typed: str) -> Phrase:
    """The one order of a line."""
    [found] = phrases([typed])
    return found


def unit(word: Word) -> str:
    """The unit that a word means."""
    return word.choose(UNITS, tr("a unit"))


class TestPhrases:
    """Orders are parted by lines and semicolons, words by blanks, commas and colons."""

    def test_parted(self) -> None:
        typed = ["one two;three ; ;", "  ", "four: five, six"]
        found = [each.names(lambda word: word.text, "a word") for each in phrases(typed)]
        assert found == [["one", "two"], ["three"], ["four", "five", "six"]]

    def test_where_words_stand(self) -> None:
        assert phrase("  abc, de").next("a word") == Word("abc", "  abc, de", 2, 5)


class TestNames:
    """A name may be shortened and in any case; a whole one comes before a longer one."""

    @pytest.mark.parametrize(("typed", "name"), [("d", "D"), ("df", "DF"), ("2ss-b", "2SS-B")])
    def test_chosen(self, typed: str, name: str) -> None:
        assert unit(phrase(typed).next("a unit")) == name

    def test_ambiguous(self) -> None:
        with pytest.raises(Ambiguous) as refused:
            unit(phrase("2s").next("a unit"))
        assert refused.value.candidates == ("2SS-A", "2SS-B")

    @pytest.mark.parametrize(
        ("typed", "candidates", "hint"),
        [
            ("2SS_A", UNITS, "did you mean 2SS-A?"),
            ("panther", UNITS, "it can be DF, D, 2SS-A, 2SS-B"),
            ("panther", [f"unit-{number}" for number in range(13)], ""),
            ("panther", [], ""),
        ],
    )
    def test_none(self, typed: str, candidates: list[str], hint: str) -> None:
        with pytest.raises(NotUnderstood) as refused:
            phrase(typed).next("a unit").choose(candidates, "a unit")
        assert str(refused.value) == f"'{typed}' is not a unit"
        assert refused.value.hint == hint
        assert refused.value.guessed == (hint == "did you mean 2SS-A?")


class TestParts:
    """What a game's orders are made of."""

    def test_a_small_word_is_taken_where_it_stands(self) -> None:
        found = phrase("TO 1101")
        assert not found.takes("at")
        assert found.takes("to")
        assert found.hex(GRID) == "1101"
        assert not found.takes("to")

    def test_hexes_up_to_a_word(self) -> None:
        found = phrase("1101 1102 clear 1103")
        assert found.hexes(GRID) == ["1101", "1102"]
        assert found.takes("clear")
        assert found.hexes(GRID) == ["1103"]

    def test_names_up_to_a_small_word_or_the_end(self) -> None:
        found = phrase("DF 2SS-A on D 2SS-B")
        assert found.names(unit, "a unit", until="on") == ["DF", "2SS-A"]
        assert found.names(unit, "a unit") == ["D", "2SS-B"]

    def test_places(self) -> None:
        assert phrase("DF 1101, D: 1102").places(unit, GRID) == {"DF": "1101", "D": "1102"}

    @pytest.mark.parametrize(
        ("typed", "caret", "problem"),
        [
            ("DF", "  ^", "the order is incomplete: next comes a hex"),
            ("DF 2101", "   ^^^^", "'2101' is not a hex on the map"),
            ("DF 1101 d", "         ^", "the order is incomplete: next comes a hex"),
            ("DF 1101 df 1102", "        ^^", "DF is placed twice"),
        ],
    )
    def test_the_caret_shows_what_is_wrong(self, typed: str, caret: str, problem: str) -> None:
        with pytest.raises(NotUnderstood) as refused:
            phrase(typed).places(unit, GRID)
        assert str(refused.value) == problem
        assert refused.value.caret() == f"{typed}\n{caret}"

    def test_nothing_may_be_left_over(self) -> None:
        found = phrase("pass now")
        found.next("a verb")
        with pytest.raises(NotUnderstood, match="the order is already complete before 'now'"):
            found.ends()


class TestLine:
    """Words become a line if each could be typed as one word."""

    def test_words(self) -> None:
        assert line(["move", "2SS-A", "1803"]) == "move 2SS-A 1803"

    @pytest.mark.parametrize("word", ["DF; pass", "", "\x1b[2J", "é", 7, None, ["DF"]])
    def test_what_is_no_word(self, word: object) -> None:
        assert line(["move", word]) == ""


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("typed", ["DF", "DF 2101", "DF 1101 df 1102", "DX 1101", "x 1101", "d"])
def test_all_that_is_wrong_is_said_in_ones_own_language(typed: str) -> None:
    with pytest.raises(NotUnderstood) as refused:
        phrase(typed).places(unit, GRID)
    said = f"{refused.value} {refused.value.hint}"
    assert OPEN in said
    assert words_outside_marks(said) <= {"DF", "D", "SS", "A", "B", "DX", "x"}


class TestOwnWords:
    """Words that are translated are understood in both languages, and shown in the player's."""

    def own(self, word: str) -> tuple[str, ...]:
        return {"move": ("mover",), "fire": ("disparar",), "at": ("a",)}.get(word, ())

    def verb(self, typed: str) -> str:
        [found] = phrases([typed], self.own)
        return found.one_of(("move", "fire"), "a verb")

    @pytest.mark.parametrize("typed", ["move", "MOV", "mover", "Móver"])
    def test_understood(self, typed: str) -> None:
        assert self.verb(typed) == "move"

    @pytest.mark.parametrize(
        ("typed", "hint"), [("x", "it can be mover, disparar"), ("disparen", "did you mean disparar?")]
    )
    def test_shown(self, typed: str, hint: str) -> None:
        with pytest.raises(NotUnderstood) as refused:
            self.verb(typed)
        assert refused.value.hint == hint

    def test_the_word_that_is_missing(self) -> None:
        [found] = phrases(["DF"], self.own)
        with pytest.raises(NotUnderstood, match="next comes a unit, or 'a'"):
            found.names(unit, "a unit", until="at")
