"""A mail late in a game has 40 kB at most, with a map to read on a telephone and every counter in a list."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from pbem.core.legend import Legend
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.letter import letter_paragraphs, needs_map
from pbem.correspondence.letter_layout import LARGE_COLUMNS, LARGE_ROWS, as_plain_text
from pbem.correspondence.send import MAX_BYTES
from pbem.mail.outgoing import OutgoingMail, to_bytes
from pbem.render.ascii_map import crop_block
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
    over, *_ = re.findall(r"^ {3,}\d\d(?:  \d\d)+\n {3,}\d\d(?:  \d\d)+\n", text, re.MULTILINE)
    columns = sorted(map(int, over.split()))
    left = re.findall(r"^(\d\d) ", text.split(over)[1].split("\n\n")[0], re.MULTILINE)
    first = legend.cells[0].number
    west, north = columns[0] - int(first[:2]), int(left[0]) - int(first[2:])
    return crop_block(legend, range(west, west + len(columns)), range(north, north + len(left)))


def check(mails: Iterable[tuple[Game, OutgoingMail]]) -> dict[str, int]:
    """How many mails had which map; each lists every counter on the whole of it, in text and HTML."""
    found = {"none": 0, "whole": 0, "part": 0}
    for game, mail in mails:
        assert len(to_bytes(mail)) <= MAX_BYTES
        if not needs_map(game):
            assert not mail.picture
            found["none"] += 1
            continue
        legend = game.rules.view.legend(game.state.run.state)
        part = part_shown(mail.body, legend)
        cut = len(part.cells) < len(legend.cells)
        assert mail.picture == map_to_png(part)
        assert ("A part of the map." in mail.body) == ("A part of the map." in mail.html) == cut
        if cut:
            assert len({cell.column for cell in part.cells}) == LARGE_COLUMNS
            assert len({cell.row for cell in part.cells}) == LARGE_ROWS
        shown = html.unescape(re.sub(r"<[^>]+>", " ", mail.html))
        for text in (" ".join(mail.body.split()), " ".join(shown.split())):
            for cell in legend.cells:
                for piece in cell.pieces:
                    assert re.search(rf"(?<![\w-]){re.escape(piece.name)} [^;]*?{cell.number}", text)
        found["part" if cut else "whole"] += 1
    return found


def test_some_that_are_large() -> None:
    assert check(mails_of_game(EXAMPLES / "rommel-allied-wins.yaml", SOME)) == {
        "none": 1,
        "whole": 0,
        "part": 4,
    }


@pytest.mark.long
@pytest.mark.parametrize("file", ROMMEL, ids=lambda file: file.stem)
def test_every_mail(file: Path) -> None:
    found = check(mails_of_game(file))
    assert found["part"] > found["whole"] == 0


@pytest.mark.thorough
def test_a_small_map_stays_whole() -> None:
    found = check(mails_of_game(EXAMPLES / "mortain-es-resigns.yaml"))
    assert found["whole"] > found["part"] == 0


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["es", "de", "it"])
def test_longer_words_fit_as_well(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """English is the shortest of the four languages; this is a long question after many shots."""
    monkeypatch.setattr(Contacts, "languages", lambda _, __: (language,))
    with speaking(language):
        ((_, mail),) = mails_of_game(EXAMPLES / "rommel-allied-wins.yaml", [27])
    assert len(to_bytes(mail)) <= MAX_BYTES


def test_two_languages() -> None:
    """While it is not known what the opponent reads: all of it in both, and the map once."""
    with speaking("es"):
        ((_, mail),) = mails_of_game(EXAMPLES / "mortain-es-resigns.yaml", [32])
    assert mail.languages == ("es", "en")
    for words in ("Lo que ha pasado desde tu último correo:", "What has happened since your last mail:"):
        assert words in mail.body
    assert mail.html.count("<img") == 1


@pytest.mark.thorough
def test_of_long_stories_the_end_is_left_to_the_log() -> None:
    """51 moves in one entry."""
    ((game, mail),) = mails_of_game(EXAMPLES / "rommel-allied-wins.yaml", [26])
    told = max(len(one.events) for one in game.replayed_entries[-5:])
    assert told > 12
    short = as_plain_text(letter_paragraphs(game, part=True, most=12))
    (more,) = re.findall(r"\((\d+) lines more: pbem log rommel-\w+\.yaml\)", short)
    assert told - int(more) == 12
    assert "lines more" not in mail.body, "there is room"
