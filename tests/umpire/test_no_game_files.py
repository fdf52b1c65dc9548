"""Files that are no game files at all: steps 1 and 2 of FORMAT section 9 refuse them, in words."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pbem.base import limits
from pbem.errors import OverBudget
from pbem.umpire.verify import open_game
from support.attack_tables import refusal_of
from support.game_stages import game_with_every_kind, game_with_open_beat
from support.simulator import file_of, log_of, mailed_file

GOOD = mailed_file(game_with_open_beat())

FILES = {
    # Step 1, the YAML subset
    "empty": (b"", 1, "the file is empty"),
    "only a comment": (b"# game\n", 1, "the file is empty"),
    "binary": (bytes(range(256)) * 16, 1, ""),
    "a picture": (b"\x89PNG\r\n\x1a\n" + b"\0" * 64, 1, ""),
    "no UTF-8": (GOOD.replace(b"Gerda", "Gérda".encode("latin-1")), 1, "UTF-8"),
    "UTF-16": (GOOD.decode().encode("utf-16"), 1, "UTF-8"),
    "huge": (b" " * (16 * 2**20 + 1), 1, "16,777,216"),
    "deep": (b"[" * 100_000, 1, "16 levels"),
    "deep in an entry": (b"pbem: 1\nlog:\n  - x: " + b"[" * 15 + b"]" * 15, 1, "16 levels"),
    "entries without end": (b"pbem: 1\nlog: [" + b"0, " * 20_001 + b"0]", 1, "20,000 entries"),
    "a bomb of aliases": (b"a: &a [x, x]\nb: &b [*a, *a]\nlog: [*b, *b]\n", 1, "anchor"),
    "a tag": (b"pbem: !!python/object/apply:os.system [ls]\n", 1, "tag"),
    "a key twice": (GOOD + b"log: []\n", 1, "second time"),
    "two documents": (GOOD + b"---\n" + GOOD, 1, "a second begins here"),
    "broken off": (GOOD[:-40], 1, "line"),
    # Step 2, the document
    "a word": (b"hello\n", 2, "a mapping"),
    "a list": (b"[1, 2, 3]\n", 2, "a mapping"),
    "another file": (b"name: example\n", 2, "is this a game file?"),
    "the next version": (GOOD.replace(b"pbem: 1", b"pbem: 2"), 2, "version 2"),
    "a key too many": (GOOD + b"notes: mine\n", 2, "there is no key 'notes'"),
    "no log": (b"pbem: 1\n", 2, "there is no list of entries"),
    "an empty log": (b"pbem: 1\nlog: []\n", 2, "empty list"),
    "a log of words": (b"pbem: 1\nlog: [one, two]\n", 2, "log[0]"),
}


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_refused(name: str) -> None:
    data, step, word = FILES[name]
    error = refusal_of(data)
    assert (error.step, error.entry) == (step, None)
    assert word in str(error.problem)
    assert str(error).isprintable()


def test_every_beginning_of_a_file_is_refused() -> None:
    """A file that is broken off anywhere but at the end of an entry is refused, never half read."""
    data = file_of(log_of(game_with_every_kind()))
    for end in range(0, len(data) - 1, 97):
        beginning = data[:end]
        if not beginning.rstrip().endswith(b'=="'):  # the signature, with which an entry ends
            refusal_of(beginning)


class TestWhatMailDoes:
    """FORMAT 1: what mail programs and editors do to a text does no harm, for signatures cover values."""

    @pytest.mark.parametrize(
        "data",
        [
            GOOD.replace(b"\n", b"\r\n"),
            GOOD.replace(b"\n", b"  \n"),
            b"\xef\xbb\xbf" + GOOD,
            b"# from: Gerda\n---\n" + GOOD,
            file_of(log_of(game_with_open_beat())),
        ],
        ids=["CRLF", "trailing blanks", "a byte order mark", "a comment", "no status and no board"],
    )
    def test_the_same_log_is_read(self, data: bytes) -> None:
        assert data != GOOD
        assert open_game(data).ids == game_with_open_beat().ids


class TestTime:
    """Each step that goes over all entries ends when the time for one file is up."""

    @pytest.mark.parametrize("room", ["format/document", "umpire/verify"])
    def test_time_is_looked_at_for_each_entry(self, room: str, monkeypatch: pytest.MonkeyPatch) -> None:
        looked: list[str] = []
        monkeypatch.setattr(limits, "check", lambda: looked.append(sys._getframe(1).f_code.co_filename))
        open_game(GOOD)
        loops = {"format/document": 1, "umpire/verify": 2}[room]
        assert sum(Path(name).as_posix().endswith(f"{room}.py") for name in looked) == loops * len(
            game_with_open_beat().entries
        )

    def test_a_file_that_takes_too_long_is_refused(self) -> None:
        with pytest.raises(OverBudget, match="processor time"), limits.time_limit(seconds=0):
            open_game(GOOD)
