"""What the reader of lines reads, and what it leaves to the strict one. Fuzz: `tests/fuzz/test_parsers`."""

from __future__ import annotations

import pytest

from pbem.base import limits
from pbem.errors import OverBudget
from pbem.format.strict_yaml import parse_strictly
from pbem.format.yaml_lines import read_lines
from pbem.format.yaml_text import Plain
from pbem.format.yaml_writer import dump_block, dump_yaml

READ: dict[str, dict[str, Plain]] = {
    "a: b\n": {"a": "b"},
    "a b: c d\n": {"a b": "c d"},
    "n: 0\n": {"n": 0},
    "a: -7\n": {"a": -7},
    "a: 9007199254740991\n": {"a": 9007199254740991},
    "a: true\nb: false\nc: null\n": {"a": True, "b": False, "c": None},
    'a: ""\n': {"a": ""},
    '"1803": "0904"\n': {"1803": "0904"},
    'a: "x: y # z"\n': {"a": "x: y # z"},
    'a: "\\"\\\\\\n\\r\\t\\x00\\u00e9\\U0001f600"\n': {"a": '"\\\n\r\t\x00é😀'},
    'a: "x\n  y"\n': {"a": "x y"},
    'a: "x\\\n  y"\n': {"a": "xy"},
    'a: "x\\\n  \\ y"\n': {"a": "x y"},
    'a: "x\n  "\n': {"a": "x "},
    "a: []\nb: {}\n": {"a": [], "b": {}},
    'a: [b, 1, "c", [d], {e: f, "1": g}]\n': {"a": ["b", 1, "c", ["d"], {"e": "f", "1": "g"}]},
    "a:\n  b: c\n  d: e\nf: g\n": {"a": {"b": "c", "d": "e"}, "f": "g"},
    "a:\n  - b\n  - c: d\n    e: f\n  - - g\n    - h\n": {"a": ["b", {"c": "d", "e": "f"}, ["g", "h"]]},
    "board: |\n  x\n\n   y\na: b\n": {"board": "x\n\n y\n", "a": "b"},
    "board: |2\n   x\n  y\n": {"board": " x\ny\n"},
    "board: |\na: b\n": {"board": "", "a": "b"},
}

LEFT = {
    "nothing": "",
    "a scalar": "a\n",
    "no line feed at the end": "a: b",
    "an empty line": "a: b\n\nc: d\n",
    "a comment": "a: b # c\n",
    "a marker": "---\na: b\n",
    "another indentation": "a:\n   b: c\n",
    "a list that is not indented": "a:\n- b\n",
    "two blanks behind a colon": "a:  b\n",
    "a word over two lines": "a: b\n  c\n",
    "a key below a word": "a: b\n  c: d\n",
    "a dash below a key": "a:\n  b: c\n  - d\n",
    "a key below a dash": "a:\n  - b\n  c: d\n",
    "no value": "a:\n",
    "a key of many lines": "? a\n: b\n",
    "single quotes": "a: 'b'\n",
    "a quote that does not end": 'a: "b\n',
    "a quote that ends twice": 'a: "b" c"\n',
    "a string that is not indented": 'a: "b\nc"\n',
    "another escape": 'a: "\\/"\n',
    "a surrogate": 'a: "\\ud83d\\ude00"\n',
    "beyond Unicode": 'a: "\\U00110000"\n',
    "an anchor": "a: &b c\n",
    "a folded block": "a: >\n  b\n",
    "a block that keeps its end": "a: |+\n  b\n",
    "a block elsewhere": "a:\n  b: |\n    c\n",
    "a block that begins empty": "a: |\n\n  b\n",
    "a block that ends empty": "a: |\n  b\n\nc: d\n",
    "a block indented without saying so": "a: |\n   b\n  c\n",
    "a list that does not end": "a: [b, c\n",
    "a list that ends twice": "a: [b]]\n",
    "a list with a comma at its end": "a: [b, ]\n",
    "a list without blanks": "a: [b,c]\n",
    "a pair in a list": "a: [b: c]\n",
    "a key alone": "a: {b}\n",
    "a number as a key": "a: {1: b}\n",
    "a true key": "true: a\n",
    "a key twice": "a: b\na: c\n",
    "a key twice in brackets": "a: {b: 1, b: 2}\n",
    "a key that is not ASCII": '"é": a\n',
    "a key that is not ASCII, in brackets": 'a: {"é": b}\n',
    "a doubtful word": "a: yes\n",
    "a doubtful word in brackets": "a: [n]\n",
    "a doubtful key": "N: a\n",
    "a doubtful number": "a: 0904\n",
    "a number that is too large": "a: 9007199254740992\n",
    "a long line": f"a: {'b' * 198}\n",
    "a key behind the log": "log: []\na: b\n",
}


@pytest.mark.parametrize("text", READ)
def test_read(text: str) -> None:
    assert repr(read_lines(text)) == repr(READ[text]) == repr(parse_strictly(text))


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_left_to_the_strict_reader(text: str) -> None:
    assert read_lines(text) is None


def test_depth() -> None:
    """The mapping of the document is one of the sixteen levels."""
    assert read_lines(f"a: {'[' * 15}{']' * 15}\n") is not None
    assert read_lines(f"a: {'[' * 16}{']' * 16}\n") is None
    assert read_lines(f"a:\n  {'- ' * 15}b\n") is not None
    assert read_lines(f"a:\n  {'- ' * 16}b\n") is None


def test_entries() -> None:
    assert read_lines("log:\n" + "  - a\n" * 20_000) == {"log": ["a"] * 20_000}
    assert read_lines("log:\n" + "  - a\n" * 20_001) is None


def test_keys_and_values_of_the_head() -> None:
    """1,000 above the log: a list and 999 words in it; beside it are none that count."""
    status = "status:\n" + "  - a\n" * 999
    assert read_lines(status + "log:\n  - a\n") is not None
    assert read_lines(status + "  - a\nlog:\n  - a\n") is None


def test_bytes_of_the_head() -> None:
    """64 KiB above the log, as they stand in the file."""
    # 8 bytes of the header, 327 lines of 199 with their line feed, two of 200: 55 are left for another line.
    board = "board: |\n" + f"  {'é' * 98}\n" * 327 + f"  {'x' * 197}\n" * 2
    assert read_lines(f"{board}  {'z' * 52}\nlog:\n  - a\n") is not None
    assert read_lines(f"{board}  {'z' * 53}\nlog:\n  - a\n") is None


def test_a_text_too_long_to_count() -> None:
    assert read_lines("log:\n" + f"  - {'a' * 100}\n" * 10_000) is None


def test_time() -> None:
    with pytest.raises(OverBudget, match="processor time"), limits.time_limit(seconds=0):
        read_lines("a: b\n")


def test_what_our_writer_writes_is_read() -> None:
    say = "Long words of a player, twice over. " * 14
    value: dict[str, Plain] = {
        "pbem": 1,
        "status": {"game": "Stand at Mortain", "next": f"over: {say}"},
        "log": [{"n": 0, "orders": [{"path": ["1803", "1804"] * 20}], "say": say}, [["a" * 60, "b" * 60]]],
    }
    text = dump_block("board", "  x\n\ny") + dump_yaml(value)
    assert read_lines(text) == {"board": "  x\n\ny\n", **value}
