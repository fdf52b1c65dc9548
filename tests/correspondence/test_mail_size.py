"""A mail late in a game has 8 kB at most; of a large map it shows the part where things happen."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from pbem.core.legend import Legend
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.letter import letter_paragraphs, needs_map
from pbem.correspondence.letter_layout import (
    FEW,
    LEAST_WINDOW,
    MANY,
    NARROW_COLUMNS,
    UNLIMITED,
    SizeBudget,
    as_plain_text,
    shrinking_budgets,
    shrinking_windows,
)
from pbem.correspondence.send import MAX_BYTES
from pbem.mail.outgoing import OutgoingMail, to_bytes
from pbem.render.ascii_map import crop_block, small_map, small_map_lines
from pbem.render.png import map_to_png
from pbem.texts import speaking
from pbem.umpire.game_state import Game
from support.mailed_game import mails_of_game

EXAMPLES = Path(__file__).parents[2] / "examples"
ROMMEL = sorted(EXAMPLES.glob("rommel-*.yaml"))

SOME = [5, 15, 18, 26, 27]
"""Of `rommel-allied-wins`: after the set-up, before movement, a flight, long moves, a question."""


def part_shown(text: str, legend: Legend) -> Legend:
    """The part of a map that a letter's rulers say is there."""
    over, *_ = re.findall(r"^ {3,}\d\d(?:  \d\d)+\n {3,}\d\d(?:  \d\d)+\n\n", text, re.MULTILINE)
    columns = sorted(map(int, over.split()))
    left = re.findall(r"^(\d\d) ", text.split(over)[1].split("\n\n")[0], re.MULTILINE)
    first = legend.cells[0].number
    west, north = columns[0] - int(first[:2]), int(left[0]) - int(first[2:])
    return crop_block(legend, range(west, west + len(columns)), range(north, north + len(left)))


def said(game: Game, room: SizeBudget) -> str:
    """The words of a mail with a part of the log."""
    return as_plain_text(letter_paragraphs(game, part=True, room=room))


def check(mails: Iterable[tuple[Game, OutgoingMail]]) -> dict[str, int]:
    """How many mails had which map. What HTML shows is what the text shows."""
    found = {"none": 0, "whole": 0, "part": 0, "in letters": 0}
    for game, mail in mails:
        assert len(to_bytes(mail)) <= MAX_BYTES
        if not needs_map(game):
            assert not mail.picture
            found["none"] += 1
            continue
        legend = game.rules.view.legend(game.state.run.state)
        part = part_shown(mail.body, legend)
        cut = len(part.cells) < len(legend.cells)
        chart = "\n".join(small_map_lines(part) if cut else small_map(part).lines(colour=False))
        assert f"\n\n{chart}\n\n" in mail.body
        assert ("Only a part of the map." in mail.body) == ("Only a part of the map." in mail.html) == cut
        if mail.picture:
            assert mail.picture == map_to_png(part)
        else:
            assert f"\n{html.escape(chart, quote=False)}\n</pre>" in mail.html
        found["in letters" if not mail.picture else "part" if cut else "whole"] += 1
    return found


@pytest.mark.thorough
def test_some_that_are_large() -> None:
    found = check(mails_of_game(EXAMPLES / "rommel-allied-wins.yaml", SOME))
    assert found == {"none": 1, "whole": 0, "part": 2, "in letters": 2}


@pytest.mark.long
@pytest.mark.parametrize("file", ROMMEL, ids=lambda file: file.stem)
def test_every_mail(file: Path) -> None:
    found = check(mails_of_game(file))
    assert found["part"] > 2 * found["in letters"] > 0


@pytest.mark.long
def test_a_small_map_stays_whole() -> None:
    found = check(mails_of_game(EXAMPLES / "mortain-es-resigns.yaml"))
    assert found["whole"] > 0
    assert found["part"] == found["in letters"] == 0


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["es", "de", "it"])
def test_longer_words_fit_as_well(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """English is the shortest of the four languages; this is a long question after many shots."""
    monkeypatch.setattr(Contacts, "languages", lambda _, __: (language,))
    with speaking(language):
        ((_, mail),) = mails_of_game(EXAMPLES / "rommel-allied-wins.yaml", [27])
    assert len(to_bytes(mail)) <= MAX_BYTES


@pytest.mark.parametrize("numbers", [[32], pytest.param([], marks=pytest.mark.thorough)])
def test_two_languages(numbers: list[int]) -> None:
    """While it is not known what the opponent reads; without room the second says what is asked alone."""
    with speaking("es"):
        mails = [mail for _, mail in mails_of_game(EXAMPLES / "mortain-es-resigns.yaml", numbers)]
    assert {mail.languages for mail in mails} == {("es", "en")}
    assert max(len(to_bytes(mail)) for mail in mails) <= MAX_BYTES
    assert all("Lo que ha pasado desde tu último correo:" in mail.body for mail in mails)
    short = [mail for mail in mails if "What has happened since your last mail:" not in mail.body]
    assert all("(English below)" in mail.body and "\n\nYour move, " in mail.body for mail in short)
    assert 0 < len(short) < len(mails) or numbers


class TestWhatIsLeftOut:
    @pytest.fixture(scope="class")
    @staticmethod
    def moves() -> tuple[Game, OutgoingMail]:
        """51 moves in one entry, and dice to open."""
        (found,) = mails_of_game(EXAMPLES / "rommel-allied-wins.yaml", [26])
        return found

    @pytest.fixture(scope="class")
    @staticmethod
    def movement() -> Game:
        """The reader moves."""
        ((game, _),) = mails_of_game(EXAMPLES / "rommel-allied-wins.yaml", [25])
        return game

    @pytest.mark.thorough
    def test_each_says_less_than_the_one_before(self, movement: Game) -> None:
        told = [said(movement, room) for room in shrinking_budgets(shrinking_windows(movement), picture=True)]
        sizes = [len(said(movement, UNLIMITED)), *map(len, told)]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] > 2 * sizes[-1]

    @pytest.mark.thorough
    def test_what_every_mail_says_goes_first(self, movement: Game) -> None:
        full, terse = (said(movement, room) for room in (UNLIMITED, shrinking_budgets([], picture=True)[0]))
        for common in ("Without pbem mail fetch", "verified this before sending it", "To see the game"):
            assert common in full
            assert common not in terse
        assert "To answer, type:\n  pbem mail fetch\n  pbem move rommel-" in terse

    @pytest.mark.thorough
    def test_of_long_stories_the_end_is_left_to_the_log(self, moves: tuple[Game, OutgoingMail]) -> None:
        game, mail = moves
        (more,) = re.findall(r"\((\d+) lines more: pbem log rommel-\w+\.yaml\)", mail.body)
        told = max(len(one.events) for one in game.replayed_entries[-5:])
        assert FEW <= told - int(more) <= MANY
        terse = said(game, SizeBudget(terse=True, lines=FEW))
        assert re.search(r"; \.\.\.\s+\(pbem log\s+rommel-\w+\.yaml\)", terse)

    def test_parts_of_the_map_are_as_wide_as_a_telephone(self, movement: Game) -> None:
        """40 characters, and never so small that nothing is seen; the front is in the smallest."""
        parts = list(shrinking_windows(movement))
        columns, rows = parts[-1]
        assert (len(columns), len(rows)) == LEAST_WINDOW
        legend = movement.rules.view.legend(movement.state.run.state)
        for part in parts:
            shown = crop_block(legend, *part)
            assert len(part[1]) == legend.rows or max(map(len, small_map_lines(shown))) <= 40
            assert len(part[1]) == legend.rows or len(part[0]) <= NARROW_COLUMNS
        sides = {piece.side for cell in shown.cells for piece in cell.pieces}
        assert sides == {"axis", "allied"}
