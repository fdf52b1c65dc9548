"""Pieces of YAML, and texts made of them: most are no YAML, many nearly are, a quarter are."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

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
