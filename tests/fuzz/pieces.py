"""Pieces of YAML, and texts made of them: most are no YAML, many nearly are, a quarter are.

`near_written` makes texts of the form that our writer writes, changed at a few places or at none.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

from pbem.format.yaml_writer import dump_block, dump_yaml

EXAMPLES = Path(__file__).parents[2] / "examples"
VECTORS = Path(__file__).parents[1] / "vectors"

SIGNS = r"""
- ? : , [ ] { } & * # | > @ ` % ! !! !<x> &a *a << ~ = --- ... "a" 'b' "\ud800" "\U00110000" "\UFFFFFFFF"
"\x0" " ' |2 |- >+ |9 %YAML %TAG %FOO 1.2 y n null true -0 1e3 0x1 log pbem: a: b :c é \ "\
"""

PIECES = [*SIGNS.split(), "\u2028", "\ufeff", "\x00", "\x85", "\U0001f600"]

_WORDS = r"""
a b 0 -1 a- a? -a ?a :a a: a#b #c \/ \x41 \u0041 \_ \N \" \e '' |1- |-1 |0 |+ |# "a":b a:b {a:[b]} [a?]
"""
_PHRASES = [
    *("- ", "? ", ": ", "a b", "a: b", "[a, b]", "{a: b}", "[a: b]", " #", "# c", "--- ", "a: ", "\xa0"),
    *("|\n", "|-\n", "| # c\n ", '"a\n b"', "'a\n b'", "\\\n", "\\ \n", '"a\\\n  b"', "a\n b", "\n---\n"),
    *(" ", "  ", "\n", "\n", "\n ", "\n  ", "\n    ", "\r\n", "\r", "\n- ", "\n-", "\n  - ", "\n? ", "\n: "),
    *("\n  a: ", "\n\n", " \n", "b" * 1023, "b" * 1025 + ": c", "\ufffd", "...\n"),
]
_ALL = [*PIECES, *_WORDS.split(), *_PHRASES]
_SIGNS_ALONE = "ab \n-?:,[]{}#|'\"\\%!&*>0"


def document(source: random.Random) -> str:
    """A text of pieces, of pieces and single signs, or of some lines of a real game, changed."""
    kind = source.random()
    if kind < 0.6:
        return "".join(source.choices(_ALL, k=source.randint(1, 14)))
    if kind < 0.75:
        return "".join(
            source.choice(_ALL if source.random() < 0.6 else _SIGNS_ALONE)
            for _ in range(source.randint(1, 30))
        )
    lines = source.choice(_real())
    start = source.randrange(len(lines))
    text = "\n".join(lines[start : start + source.randint(1, 12)])
    for _ in range(source.randint(1, 4)):
        at = source.randrange(len(text) + 1)
        piece = source.choice([*_ALL, ""])
        text = text[:at] + piece + text[at + source.choice([0, 0, 1, 1, 3]) :]
    return text


@cache
def _real() -> list[list[str]]:
    names = ("mortain-it-exits", "rommel-goes-on")
    return [(EXAMPLES / f"{name}.yaml").read_text("utf-8").split("\n") for name in names]


_STRINGS = [
    *("us", "Stand at Mortain", "a-b/c_d.e", "1803", "x: y # z", 'say "no"', "back\\slash", "n", "yes"),
    *("", " ", " both ends ", "two  blanks", "line\nfeed\ttab\r", "é", "\U0001f600", "\x00\x85\u2028"),
    *("-", "- a", "|", "[a, b]", "2026-03-01T14:55:00Z", "0" * 64, "null", "word " * 60, "é" * 150),
    *('\\"' * 90, " " * 201, "x" * 120 + " " + "y" * 120, "a " + "\\" * 198 + " b", "z" * 198 + "  z"),
]
_KEYS = ["n", "by", "kind", "sig", "log", "status", "board", "a b", "yes", "1803", "2SS-A", "a: b", "k" * 40]
_ODD_KEYS = ["", " ", "N", "long key " * 8, "k" * 250, "é", 'q"', "back\\slash"]
_EDITS = [
    *(" ", "  ", "    ", "\n", "\n\n", "\n  ", " \n", "\r", '"', '""', "'", "\\", "\\\n", "\\ ", ":", ": "),
    *(", ", ",", "- ", "-", "? ", "#", " # c", "|", "|2", "|-", ">", "{", "}", "[", "]", "[]", "{}", "&a "),
    *("*a", "!", "---\n", "\\x41", "\\x4", "\\u00e9", "\\uD83D", "\\ud83d\\ude00", "\\U0001f600", "\\/"),
    *("\\U00110000", "\\e", "\\0", "0", "-0", "1e3", "9" * 15, "9" * 16, "~", "null", "y", "é", "\xa0"),
    *(
        "\t",
        "a",
        "A",
        "a: b",
        "a: b\n",
        ": 0904\n",
        ": -0\n",
        ".",
        "/",
        "log:\n",
        "log: []\n",
        "board: |\n",
        "status: ",
    ),
    *("k" * 190, "k" * 1025, "\ufeff", "\u2028"),
]
_BLOCKS = ["", "a\n\n  b", "  a\n b", "a\n    b\n\nc", "|", '"', "- a", "log:"]


def near_written(source: random.Random) -> str:
    """A text that our writer wrote, of any values or of a real game, changed at up to three places."""
    if source.random() < 0.6:
        text = dump_yaml({_key(source): _value(source, 1) for _ in range(source.randint(1, 4))})
        if source.random() < 0.3:
            block = dump_block("board", source.choice(_BLOCKS))
            text = block + text if source.random() < 0.7 else text + block
    else:
        lines = source.choice(_real())
        start = source.choice([n for n, line in enumerate(lines) if line.startswith("  - n: ")])
        text = "\n".join(["log:", *lines[start : start + source.randint(1, 14)], ""])
    for _ in range(source.choice([0, 0, 1, 1, 2, 3])):
        at = source.randrange(len(text) + 1)
        kind = source.random()
        if kind < 0.6:
            text = text[:at] + source.choice(_EDITS) + text[at + source.choice([0, 0, 1, 1, 3]) :]
        elif kind < 0.75:
            text = text[:at] + text[at + source.choice([1, 1, 2, 10]) :]
        else:
            lines = text.split("\n")
            one, line = source.randrange(len(lines)), source.choice(lines)
            lines[one] = source.choice([line, f" {lines[one]}", f"  {lines[one]}", lines[one][2:], ""])
            text = "\n".join(lines)
    return text


def _key(source: random.Random) -> str:
    return source.choice(_ODD_KEYS if source.random() < 0.03 else _KEYS)


def _value(source: random.Random, depth: int) -> Any:
    """Any plain value: most are small, a few are deeper than a file may be."""
    kind = source.random()
    if kind < 0.5 or depth > 18:
        return source.choice(_STRINGS)
    if kind < 0.62:
        return source.choice([True, False, None, 0, -1, 7, 2**53 - 1, -(2**53) + 1, 2**53])
    if kind < 0.67:
        return [_value(source, depth + 3)] if depth % 2 else {"n": _value(source, depth + 3)}
    items = [_value(source, depth + 1) for _ in range(source.choice([0, 1, 2, 2, 5]))]
    return items if kind < 0.85 else {_key(source): item for item in items}
