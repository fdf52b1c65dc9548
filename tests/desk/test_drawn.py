"""The map in a game's file is called false where it shows another position, and for no other reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from pbem.desk.shelf.drawn import is_false
from pbem.desk.shelf.page import written
from pbem.journal.document import write_document
from pbem.journal.strict import read_yaml
from pbem.texts import LANGUAGES, speaking
from pbem.umpire import Game, open_game

EXAMPLES = Path(__file__).parents[2] / "examples"
MORTAIN, ROMMEL = "mortain-it-exits", "rommel-goes-on"


def example(name: str) -> bytes:
    return (EXAMPLES / f"{name}.yaml").read_bytes()


@pytest.fixture(scope="module")
def games() -> dict[str, Game]:
    return {name: open_game(example(name)) for name in (MORTAIN, ROMMEL)}


def before(game: Game, entries: int) -> Game:
    """The game when it had so many entries."""
    return open_game(write_document(None, "", game.entries[:entries]))


def under(head: bytes, log: bytes) -> bytes:
    """The status and the map of one file over the log of another."""
    return head[: head.index(b"\nlog:")] + log[log.index(b"\nlog:") :]


def changed(data: bytes, pattern: str, new: str) -> bytes:
    """A file with a place in its map changed, which must be there."""
    head, log = data.decode().split("\nlog:")
    made, number = re.subn(pattern, new, head, count=1)
    assert number == 1, pattern
    return f"{made}\nlog:{log}".encode()


class TestTrue:
    """A map of the position, however it is drawn, worded, laid out or mangled on its way."""

    @pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
    def test_examples(self, path: Path) -> None:
        data = path.read_bytes()
        assert not is_false(open_game(data), data)

    @pytest.mark.thorough
    @pytest.mark.parametrize("name", [MORTAIN, ROMMEL])
    def test_in_every_language_for_a_reader_of_every_language(
        self, name: str, games: dict[str, Game]
    ) -> None:
        game = before(games[name], 31)
        for writer in LANGUAGES:
            with speaking(writer):
                data = written(game)
            for reader in LANGUAGES:
                with speaking(reader):
                    assert not is_false(game, data), (writer, reader)

    @pytest.mark.parametrize(
        ("pattern", "new"),
        [
            ("  Counters: T tank;", "  Pieces: T tank;"),  # another wording of the key
            ("Hill 314", "Hill 317"),  # the name of a place, mended
            (r"Exits: 5 of 5", "Exits: five"),  # a figure in other words
            (r"Edition: it", "Edition: it | Weather: fine, 20 degrees"),  # a figure more
            (r"Terrain: blank clear; \^ woods", r"Terrain: ^ woods; blank clear"),  # a key in another order
            (r"SPTD     T   4-2  1104", "SPTD T 4-2 1104"),  # a list with other columns
            (r"SPTD     T   4-2  1104", "SPTD    tank  4-2   full strength  1104"),  # more said of a counter
            (
                r"(?s)  US  +GERMAN\n.*?\n  German exited",
                "  US: SPTD T 4-2 1104\n  GERMAN: D I 3-3 1203\n  German exited",
            ),
            (r"(?s)board: \|\n.*", "board: |\n  See the page."),  # no map at all
            (r"(?s)board: \|\n.*", "status: none"),
        ],
    )
    def test_drawn_by_another_program_or_version(
        self, pattern: str, new: str, games: dict[str, Game]
    ) -> None:
        data = changed(example(MORTAIN), pattern, new)
        assert not is_false(games[MORTAIN], data)

    def test_without_a_map(self, games: dict[str, Game]) -> None:
        game = games[MORTAIN]
        assert not is_false(game, write_document(None, "", game.entries))
        assert not is_false(game, b"pbem: 1\n" + example(MORTAIN).partition(b"\nlog:")[2])

    @pytest.mark.parametrize("name", [MORTAIN, ROMMEL])
    def test_what_mail_and_other_programs_do(self, name: str, games: dict[str, Game]) -> None:
        data = example(name)
        value = read_yaml(data)
        assert isinstance(value, dict)
        anew = yaml.safe_dump({"board": value["board"], "pbem": 1}).encode() + data[data.index(b"log:") :]
        for mangled in (
            data.replace(b"\n", b"\r\n"),
            data.replace(b"\n", b"   \n"),
            b"\xef\xbb\xbf" + data,
            anew,
        ):
            assert not is_false(games[name], mangled)


class TestFalse:
    """A counter elsewhere, in the map or in a list, a face, a figure; the map of another time."""

    @pytest.mark.parametrize(
        ("pattern", "new"),
        [
            (r"SPTD     T   4-2  1104", "SPTD     T   4-2  1204"),  # elsewhere in the list
            (r"SPTD     T   4-2  1104", "SPTD     t   2-1  1104"),  # its other face
            (r"  SPTD     T   4-2  1104  ", "                            "),  # no more in the list
            ("D        I   3-3", "2SS-A    I   3-3"),  # another unit
            (r"/ SPTD T  \\", r"/         \\"),  # no more on the map
            (r"\\_____/   D I   \\", r"\\_____/ D I     \\"),  # in another place of it
            (r"/ Juvigny \\_____/", r"/ 2SS-B T \\_____/"),  # one more on the map
            ("Exits: 5 of 5", "Exits: 4 of 5"),
            ("Deck: 24 of", "Deck: 42 of"),
        ],
    )
    def test_mortain(self, pattern: str, new: str, games: dict[str, Game]) -> None:
        self.in_every_language(games[MORTAIN], changed(example(MORTAIN), pattern, new))

    @pytest.mark.parametrize(
        ("pattern", "new"),
        [
            ("104PzG 1707", "104PzG 1807"),
            ("  07 .   .   .   .   .   .   S   A ", "  07 .   .   .   .   .   .   S   I "),
            ("  07 .   .   .   .   .   .   S   A ", "  07 .   .   .   .   .   .   A   S "),
            ("  07 .   .   .   .   .   .   S   A ", "  07 .   .   .   .   .   .   S   . "),
            ("  10 .   . ", "  10 .   T "),
            ("Allied points: 0 of 5", "Allied points: 3 of 5"),
        ],
    )
    def test_rommel(self, pattern: str, new: str, games: dict[str, Game]) -> None:
        self.in_every_language(games[ROMMEL], changed(example(ROMMEL), pattern, new))

    @pytest.mark.thorough
    @pytest.mark.parametrize("name", [MORTAIN, ROMMEL])
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_the_map_of_another_time(self, name: str, language: str, games: dict[str, Game]) -> None:
        """As where somebody has put the newer entries under the older head by hand."""
        game = games[name]
        for entries in (5, len(game.entries) - 6):
            with speaking(language):
                head = written(before(game, entries))
            assert is_false(game, under(head, example(name)))

    def in_every_language(self, game: Game, data: bytes) -> None:
        """What a reader is told does not depend on his language."""
        for reader in LANGUAGES:
            with speaking(reader):
                assert is_false(game, data), reader
