"""What has become of a file that is no good game file, in a player's words: it is none, or was cut short."""

from __future__ import annotations

import io
import random
import re
import zipfile
from pathlib import Path

import pytest
import yaml

from pbem.errors import VerificationError
from pbem.umpire.verify import parse_log

EXAMPLES = Path(__file__).parents[2] / "examples"
CUT = "the end of this file is missing: ask for it again"


def refused(data: bytes) -> VerificationError:
    """The refusal of a file."""
    with pytest.raises(VerificationError) as caught:
        parse_log(data)
    return caught.value


def read(data: bytes) -> str:
    """How many entries are read, or why none is."""
    try:
        return f"{len(parse_log(data))} entries"
    except VerificationError as error:
        return str(error)


def archive(content: bytes) -> bytes:
    """A zip archive with one file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as opened:
        opened.writestr("holiday.txt", content)
    return packed.getvalue()


class TestNoGame:
    """Whatever is opened by mistake is called by what it is, and the line below says how a game begins."""

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b"", "this is not a game: the file is empty"),
            (b" \r\n\n", "this is not a game: the file is empty"),
            ((EXAMPLES.parent / "docs/pictures/page.png").read_bytes(), "this is a picture, not a game"),
            (b"\xff\xd8\xff\xe0\x00\x10JFIF", "this is a picture, not a game"),
            (b"GIF89a\x01\x00", "this is a picture, not a game"),
            (b"%PDF-1.7\n", "this is a PDF, not a game"),
            (archive(b"hello"), "this is an archive, not a game: unpack it first"),
            (bytes(range(256)), "this is not a game: it is not UTF-8 text"),
            ("Grüße aus Köln".encode("latin-1"), "this is not a game: it is not UTF-8 text"),
            (b"Dear Anna,\nhere is my move: good luck!\n", "this is not a game: it has no line 'pbem: 1'"),
            (b"hello\n", "this is not a game: it has no line 'pbem: 1'"),
            (b"# a comment\n", "this is not a game: it has no line 'pbem: 1'"),
            (b"null\n", "this is not a game: it has no line 'pbem: 1'"),
            (b"- a\n- list\n", "this is not a game: it has no line 'pbem: 1'"),
            (b'services:\n  web:\n    ports: ["80:80"]\n', "this is not a game: it has no line 'pbem: 1'"),
            (b'{"name": "x", "log": []}\n', "this is not a game: it has no line 'pbem: 1'"),
            (b"pbem: a program for wargames\n", "this is not a game: it has no line 'pbem: 1'"),
            (
                b"<!DOCTYPE html>\n<p>pbem: see <a href='x'>here</a></p>\n",
                "this is not a game: it has no line 'pbem: 1'",
            ),
            (b"pbe", "this is not a game: it has no line 'pbem: 1'"),
        ],
    )
    def test_what_it_is(self, data: bytes, words: str) -> None:
        error = refused(data)
        assert str(error) == words
        assert not error.hint


class TestCut:
    """Wherever a file breaks off, it is read as far as it goes, or its end is said to be missing."""

    @pytest.mark.thorough
    @pytest.mark.parametrize("example", ["mortain-de-own-scenario", "rommel-goes-on"])
    def test_anywhere(self, example: str) -> None:
        """At each byte around the ends of head and offer and of one entry, and at random elsewhere."""
        data = (EXAMPLES / f"{example}.yaml").read_bytes()
        entries = [found.start() for found in re.finditer(rb"^  - n: ", data, re.MULTILINE)]
        near = [at + shift for at in (entries[0], entries[1]) for shift in range(-40, 40)]
        drawn = random.Random(1).sample(range(8, len(data)), 20)
        whole = range(*entries[4:6])
        for end in {*near, *drawn, *whole}:
            beginning = data[:end]
            signed = re.findall(rb'^    sig: "[^"]+"', beginning, re.MULTILINE)
            assert read(beginning) in (CUT, f"{len(signed)} entries"), (end, beginning[-60:])

    @pytest.mark.parametrize(
        "beginning",
        [
            "pbem: 1",
            "pbem: 1\nstatus:\n  game: Stand at Mor",
            "pbem: 1\nstatus:\n  Tu",
            "pbem: 1\nboard: |\n  Turn: 4\n",
            "pbem: 1\nlog:",
            "pbem: 1\nlog:\n  -",
            "pbem: 1\r\nlog:\r\n  - n: 0\r\n    by: no",
            '\ufeffpbem: 1\nlog:\n  - n: 0\n    say: "G',
            "{pbem: 1, log: [{n: 0, by: ger",
            '{"pbem": 1, "log": [{"n": 0, "by"',
        ],
    )
    def test_in_any_form(self, beginning: str) -> None:
        assert str(refused(beginning.encode())) == CUT

    def test_in_the_middle_of_a_character(self) -> None:
        assert str(refused("pbem: 1\nstatus:\n  german: Jür".encode()[:-2])) == CUT

    def test_a_part_of_a_log(self) -> None:
        after = 'pbem: 1\nafter: {game: "00", n: 3, id: "00"}\n'
        assert str(refused(after.encode())) == CUT


class TestDamaged:
    """What is wrong in the middle, or written wrong, is named by its place: nothing need be missing."""

    @pytest.mark.parametrize(
        "text",
        [
            "pbem: 1\nlog: no\n",
            "pbem: 1\nlog: [&a x, *a]\n",
            "pbem: 1\npbem: 1\nlog: []\n",
            "pbem: 1\nlog: []\n",
            "pbem: 1\nlog: text",
            "pbem: 1\nlog: [{n: 0}, {n: 1, sig: x}]\n",
            "pbem: 1\nnotes: mine\n",
            "pbem: 2\nlog: []\n",
            "pbem: 2\n",
            "pbem: 1\nlog:\n\t- n: 0\n",
            'pbem: 1\nlog: [{n: 0, sig: "a\\qb"}]\n',
            "pbem: 1\nlog: []\n---\nlog: []\n",
        ],
    )
    def test_no_end_is_missed(self, text: str) -> None:
        error = refused(text.encode())
        assert not str(error.told)
        assert str(error).startswith("step ")

    def test_a_draft_is_named(self) -> None:
        assert "a commander's draft" in str(refused(b"pbem: 1\npart: {}\n"))

    def test_a_file_saved_by_another_program(self) -> None:
        """PyYAML leaves out quotes, and sorts: FORMAT 1 refuses it, and its end is there."""
        value = yaml.safe_load((EXAMPLES / "mortain-it-exits.yaml").read_bytes())
        value["log"][2]["sig"] = "0904"
        assert "needs quotes" in str(refused(yaml.safe_dump(value).encode()))
