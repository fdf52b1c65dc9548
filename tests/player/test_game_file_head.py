"""The status and the map in a game's file, held against the game.

They are false where they say otherwise in our words, and for no other reason; what cannot be compared is
never taken for the game's.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem.format import document
from pbem.format.document import document_bytes
from pbem.format.yaml_reader import parse_yaml
from pbem.player.store.game_file import Head, board_text, compare_head, game_file_bytes, status_fields
from pbem.render.ascii_picture import ascii_picture
from pbem.render.story import describe_next_duty, next_duty_in_file
from pbem.texts import LANGUAGES, speaking
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import to_bytes
from support.markers import LONG, sample_rows

EXAMPLES = Path(__file__).parents[2] / "examples"
MORTAIN, ROMMEL, OWN_SCENARIO = "mortain-it-exits", "rommel-goes-on", "mortain-de-own-scenario"
SHARED = "shared"
HOLDS = Head("same", "same")


def example(name: str) -> bytes:
    path = EXAMPLES.parent / "tests/released/0.1.0/homes/shared/anna/game.yaml" if name == SHARED else None
    return (path or EXAMPLES / f"{name}.yaml").read_bytes()


@pytest.fixture(scope="module")
def games() -> dict[str, Game]:
    return {name: open_game(example(name)) for name in (MORTAIN, ROMMEL, OWN_SCENARIO, SHARED)}


def before(game: Game, entries: int) -> Game:
    """The game when it had so many entries."""
    return open_game(document_bytes(None, "", game.entries[:entries]))


def under(head: bytes, log: bytes) -> bytes:
    """The status and the map of one file over the log of another."""
    return head[: head.index(b"\nlog:")] + log[log.index(b"\nlog:") :]


def map_changed(data: bytes, old: str, new: str) -> bytes:
    """A file in our words of today with a place in its board changed."""
    return changed(data, f"(?s)(board: .*?){re.escape(old)}", rf"\g<1>{new}")


def changed(data: bytes, pattern: str, new: str) -> bytes:
    """A file with a place in its map changed, which must be there."""
    head, log = data.decode().split("\nlog:")
    made, number = re.subn(pattern, new, head, count=1)
    assert number == 1, pattern
    return f"{made}\nlog:{log}".encode()


class TestTheGames:
    """What our writer writes, in every language and for a reader of every language."""

    @pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml")), ids=lambda path: path.stem)
    def test_examples(self, path: Path) -> None:
        """Their maps are the games'; the words on whose move it is are of an earlier program."""
        data = path.read_bytes()
        head = compare_head(open_game(data), data)
        assert head.map == "same"
        assert head.status != "false"

    @pytest.mark.parametrize("name", [MORTAIN, ROMMEL, OWN_SCENARIO, SHARED])
    @pytest.mark.parametrize("entries", [2, 31, 0])
    def test_as_it_is_written(self, name: str, entries: int, games: dict[str, Game]) -> None:
        game = before(games[name], entries or len(games[name].entries))
        for writer in LANGUAGES:
            with speaking(writer):
                data = game_file_bytes(game)
            for reader in LANGUAGES if entries == 31 else ["en"]:
                with speaking(reader):
                    assert compare_head(game, data) == HOLDS, (writer, reader)

    def test_an_earlier_release_finds_its_own_words(self) -> None:
        """It compares them word for word: counters without plurals, whose move it is with a colon."""
        path = EXAMPLES.parent / "tests/released/0.1.0/homes/sealed/anna/game.yaml"
        data = path.read_bytes()
        game = open_game(data)
        assert b"8 tank, 5 field gun\n" in data
        assert compare_head(game, data) == HOLDS
        assert "8 tanks, 5 field guns" in ascii_picture(game.rules.view.legend(game.state.run.state))
        assert next_duty_in_file(game.state).startswith("the Allies: place ")
        assert describe_next_duty(game.state).startswith("the Allies are to move. Place ")

    def test_a_scenario_and_commanders_are_in_it(self, games: dict[str, Game]) -> None:
        """So that the two games above try more than others."""
        assert b"\n  scenario: " in game_file_bytes(games[OWN_SCENARIO])
        assert b"\n  commanders: " in game_file_bytes(games[SHARED])

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_map_that_had_to_be_cut(
        self, language: str, games: dict[str, Game], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The board has the room that the status leaves, of 64 KiB in all (FORMAT 3): here less."""
        monkeypatch.setattr(document, "HEAD_BYTES", 3_000)
        with speaking(language):
            data = game_file_bytes(games[MORTAIN])
        assert len(data.partition(b"\nlog:")[0]) < 3_300
        assert compare_head(games[MORTAIN], data) == HOLDS

    @pytest.mark.parametrize("name", [MORTAIN, ROMMEL])
    def test_what_mail_and_other_programs_do(self, name: str, games: dict[str, Game]) -> None:
        data = game_file_bytes(games[name])
        value = parse_yaml(data)
        assert isinstance(value, dict)
        anew = yaml.safe_dump({"board": value["board"], "pbem": 1, "status": value["status"]}).encode()
        for mangled in (
            data.replace(b"\n", b"\r\n"),
            data.replace(b"\n", b"   \n"),
            b"\xef\xbb\xbf" + data,
            anew + data[data.index(b"log:") :],
        ):
            assert compare_head(games[name], mangled) == HOLDS

    def test_without_either(self, games: dict[str, Game]) -> None:
        """There is nothing to be told."""
        game = games[MORTAIN]
        log = example(MORTAIN).partition(b"\nlog:")[2]
        for head in (b"", b"status: null\n", b'board: ""\n', b"status: {}\nboard: null\n"):
            assert compare_head(game, b"pbem: 1\n" + head + b"log:" + log) == Head()


class TestFalse:
    """A counter elsewhere, in the map or in a list, a face, a figure, a side to move."""

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("SPTD     T   4-2  1104", "SPTD     T   4-2  1204"),  # elsewhere in the list
            ("SPTD     T   4-2  1104", "SPTD     t   2-1  1104"),  # its other face
            ("  SPTD     T   4-2  1104  ", "                            "),  # no more in the list
            ("D        I   3-3", "2SS-A    I   3-3"),  # another unit
            ("/ SPTD T  \\", r"/         \\"),  # no more on the map
            ("\\_____/   D I   \\", r"\\_____/ D I     \\"),  # in another place of it
            ("/ Juvigny \\_____/", r"/ 2SS-B T \\_____/"),  # one more on the map
            ("Exits: 5 of 5", "Exits: 4 of 5"),
            ("Deck: 24 of", "Deck: 42 of"),
        ],
    )
    def test_map_of_mortain(self, old: str, new: str, games: dict[str, Game]) -> None:
        data = map_changed(game_file_bytes(games[MORTAIN]), old, new)
        in_every_language(games[MORTAIN], data, Head("same", "false"))

    @pytest.mark.thorough
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("104PzG 1707", "104PzG 1807"),
            ("  07 .   .   .   .   .   .   S   A ", "  07 .   .   .   .   .   .   S   I "),
            ("  07 .   .   .   .   .   .   S   A ", "  07 .   .   .   .   .   .   A   S "),
            ("  07 .   .   .   .   .   .   S   A ", "  07 .   .   .   .   .   .   S   . "),
            ("  10 .   . ", "  10 .   T "),
            ("Allied points: 0 of 5", "Allied points: 3 of 5"),
        ],
    )
    def test_map_of_rommel(self, old: str, new: str, games: dict[str, Game]) -> None:
        data = map_changed(game_file_bytes(games[ROMMEL]), old, new)
        in_every_language(games[ROMMEL], data, Head("same", "false"))

    @pytest.mark.parametrize(
        ("name", "key", "value"),
        [
            (MORTAIN, "turn", "3 of 6"),
            (MORTAIN, "deck", "42 of 53 left, joker in it"),
            (MORTAIN, "exits", "4 of 5"),
            (MORTAIN, "next", "the Americans: a card: activate one unit, or pass"),
            (MORTAIN, "next", "german: a card: activate one unit, or pass"),
            (ROMMEL, "turn", "11 of 12"),
            (ROMMEL, "date", "29 October 1942"),
            (ROMMEL, "allied points", "3 of 5"),
            (ROMMEL, "next", "the Axis: place sixteen counters"),
        ],
    )
    def test_status(self, name: str, key: str, value: str, games: dict[str, Game]) -> None:
        game = games[name]
        head: dict[str, Any] = status_fields(game)
        assert head[key] != value
        in_every_language(game, document_bytes(head | {key: value}, "", game.entries), Head("false"))
        in_every_language(game, to_bytes(game, head | {key: value}, board_text(game)), Head("false", "same"))

    def test_the_side_below_the_map(self, games: dict[str, Game]) -> None:
        """Whose move it is belongs to the status, wherever it stands."""
        game = before(games[MORTAIN], 22)
        data = game_file_bytes(game)
        assert b"Next: the Americans: " in data
        data = map_changed(data, "Next: the Americans:", "Next: the Germans:")
        in_every_language(game, data, Head("false", "same"))

    @pytest.mark.thorough
    @pytest.mark.parametrize("name", [MORTAIN, ROMMEL])
    @pytest.mark.parametrize("language", sample_rows([*LANGUAGES], 2))
    def test_the_head_of_another_time(self, name: str, language: str, games: dict[str, Game]) -> None:
        """As where somebody has put the newer entries under the older head by hand."""
        game = games[name]
        for entries in (5, len(game.entries) - 6):
            with speaking(language):
                head = game_file_bytes(before(game, entries))
            found = compare_head(game, under(head, example(name)))
            assert found.map == "false"
            assert found.status != "same"


class TestUnclear:
    """What another program or version may have drawn and worded so: neither the game's nor false."""

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
            (r"(?s)board: \|\n.*", "board: [1, 2]"),
        ],
    )
    def test_a_map(self, pattern: str, new: str, games: dict[str, Game]) -> None:
        data = changed(game_file_bytes(games[MORTAIN]), pattern, new)
        in_every_language(games[MORTAIN], data, Head("same", "unclear"))

    @pytest.mark.parametrize(
        "said",
        [
            {"turn": "the fourth of 6"},
            {"turn": 4},
            {"support": "available"},
            {"activated": "nobody"},
            {"next": "the game is over: german wins (M8.3: five German units have exited)"},
            {"weather": "fine, 20 degrees"},
            {"turn": ["4 of 6"]},
        ],
        ids=str,
    )
    def test_a_status(self, said: dict[str, Any], games: dict[str, Game]) -> None:
        game = games[MORTAIN]
        data = document_bytes(status_fields(game) | said, "", game.entries)
        in_every_language(game, data, Head("unclear"))

    def test_a_status_in_a_line(self, games: dict[str, Game]) -> None:
        game = games[MORTAIN]
        in_every_language(game, document_bytes("turn 4 of 6", "", game.entries), Head("unclear"))

    def test_a_status_in_other_words_of_a_language(self, games: dict[str, Game]) -> None:
        """A language may turn the numbers of another round, which is no other count of cards."""
        game = games[MORTAIN]
        with speaking("es"):
            head: dict[str, Any] = status_fields(game)
        assert head["deck"].startswith("quedan 24 de 53")
        head["deck"] = "de 53 quedan 24"
        in_every_language(game, document_bytes(head, "", game.entries), Head("unclear"))


class TestEvaded:
    """Nothing that is altered in a head passes for the game's, and nothing hides it."""

    def test_a_counter_moved_and_a_word_of_the_key_changed(self, games: dict[str, Game]) -> None:
        data = game_file_bytes(games[MORTAIN])
        for old, new in (
            ("SPTD     T   4-2  1104", "SPTD     T   4-2  1204"),
            ("Exits: 5 of 5", "Exits: 4 of 5"),
            ("Counters:", "Counter:"),
        ):
            data = map_changed(data, old, new)
        in_every_language(games[MORTAIN], data, Head("same", "unclear"))

    @pytest.mark.thorough
    @pytest.mark.parametrize("name", [MORTAIN, ROMMEL])
    def test_any_line_of_the_map(self, name: str, games: dict[str, Game]) -> None:
        """Its last letter, figure or sign becomes another."""
        game = games[name]
        lines = board_text(game).split("\n")
        for n, line in list(enumerate(lines))[:: 1 if LONG else 7]:
            if line:
                other = "8" if line[-1] != "8" else "9"
                board = "\n".join([*lines[:n], line[:-1] + other, *lines[n + 1 :]])
                assert not compare_head(game, to_bytes(game, status_fields(game), board)).is_right, line

    @pytest.mark.thorough
    @pytest.mark.parametrize("name", [MORTAIN, ROMMEL, OWN_SCENARIO, SHARED])
    def test_any_value_of_the_status(self, name: str, games: dict[str, Game]) -> None:
        game = games[name]
        for key in status_fields(game):
            said: dict[str, Any] = status_fields(game) | {key: "seven"}
            data = document_bytes(said, "", game.entries)
            assert not compare_head(game, data).is_right, key

    def test_a_false_map_above_the_right_one(self, games: dict[str, Game]) -> None:
        game = games[MORTAIN]
        false = board_text(game).replace("1104", "1204")
        board = f"{false}\n\n{board_text(game)}"
        assert not compare_head(game, to_bytes(game, status_fields(game), board)).is_right

    @pytest.mark.thorough
    @pytest.mark.parametrize("key", ["status", "board"])
    def test_wherever_it_stands(self, key: str, games: dict[str, Game]) -> None:
        """After the log, in a document in braces, under a key in quotes, behind what looks like the log."""
        game = games[MORTAIN]
        log = example(MORTAIN).partition(b"\nlog:")[2]
        lie = f"{key}: the fifth turn\n".encode()
        value = {"pbem": 1, key: "the fifth turn", "log": [entry.raw for entry in game.entries]}
        for data in (
            b"pbem: 1\nlog:" + log + lie,
            b"pbem: 1\nlog:" + log.replace(b"\n", b"\r\n") + lie,
            b"pbem: 1\nlog:" + log + b'"' + lie.replace(b":", b'":', 1),
            json.dumps(value).encode(),
            b'"log":' + log + lie + b"pbem: 1\n",
            f'{key}: "on\nlog: of the war"\npbem: 1\nlog:'.encode() + log,
        ):
            assert open_game(data).ids == game.ids
            assert not compare_head(game, data).is_right, data[:40]


def in_every_language(game: Game, data: bytes, head: Head) -> None:
    """What a reader is told does not depend on his language."""
    for reader in LANGUAGES:
        with speaking(reader):
            assert compare_head(game, data) == head, reader
