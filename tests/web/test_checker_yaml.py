"""The checker's reader of game files: it reads what pbem reads, or refuses, and never reads another value."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import yaml

from pbem.errors import FileError
from pbem.format.yaml_reader import parse_yaml
from support.browsers import Browser
from support.game_pages import EXAMPLES

pytestmark = pytest.mark.thorough  # in a browser


class Saver(yaml.SafeDumper):
    """Writes as PyYAML does, and 0904 in quotes: without, FORMAT 1 refuses it."""


def _quoted(saver: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """A text as PyYAML would write it, in quotes where it begins with a 0."""
    return yaml.ScalarNode("tag:yaml.org,2002:str", text, style="'" if text[:1] == "0" else None)


Saver.add_representer(str, _quoted)


def same(value: Any, other: Any) -> bool:
    """Whether two values are the same, true being no 1."""
    return json.dumps(value, sort_keys=True) == json.dumps(other, sort_keys=True)


class TestYaml:
    """The reader of game files: it reads what pbem reads, or refuses; and never reads another value."""

    READ = """
    const [files, done] = arguments;
    done(files.map((file) => {
      try {
        const bytes = Uint8Array.from(atob(file), (letter) => letter.charCodeAt(0));
        return ["read", JSON.stringify(yaml.read(bytes))];
      } catch (fault) {
        return [fault.constructor.name, fault.message];
      }
    }));
    """

    def read(self, browser: Browser, files: list[bytes]) -> list[Any]:
        answers: list[Any] = browser.wait(self.READ, [b64encode(file).decode() for file in files])
        return answers

    @pytest.mark.parametrize("name", ["mortain-de-takebacks", "rommel-goes-on"])
    def test_a_file_saved_again(self, checking: Browser, name: str) -> None:
        """By other programs, which break lines, quote and sort as they like."""
        value = parse_yaml((EXAMPLES / f"{name}.yaml").read_bytes())
        files = [
            yaml.dump(value, Dumper=Saver, allow_unicode=True).encode(),
            yaml.dump(value, Dumper=Saver, default_flow_style=True).encode(),
            yaml.dump(value, Dumper=Saver, default_flow_style=None, width=40).encode(),
            json.dumps(value).encode(),
            json.dumps(value, indent=1, ensure_ascii=False).replace("\n", " \r\n").encode(),
        ]
        for file, (state, found) in zip(files, self.read(checking, files), strict=True):
            assert parse_yaml(file) == value
            assert state == "read", found
            assert same(json.loads(found), value)

    def test_what_format_1_refuses(self, checking: Browser) -> None:
        for file, (state, value) in zip(REFUSED, self.read(checking, REFUSED), strict=True):
            assert state == "Fault", (file, value)
            assert "line " in value or "UTF-8" in value
            with pytest.raises(FileError):
                parse_yaml(file)

    def test_no_file_is_misread(self, checking: Browser) -> None:
        files = list(self.spoilt(Random(5), 3000))
        read = 0
        for file, (state, value) in zip(files, self.read(checking, files), strict=True):
            try:
                expected = parse_yaml(file)
            except FileError:
                assert state == "Fault", (file, value)
            else:
                assert state == "Fault" or same(json.loads(value), expected), (file, value)
                read += state == "read"
        assert read > 200

    def spoilt(self, chooser: Random, number: int) -> Iterator[bytes]:
        """Small documents with something put in, taken out or put in another's place."""
        for _ in range(number):
            text = bytearray(chooser.choice(DOCUMENTS))
            for _ in range(chooser.randrange(1, 4)):
                place = chooser.randrange(len(text) + 1)
                length = chooser.choice((0, 0, 1, 3))
                text[place : place + length] = chooser.choice(PIECES) if chooser.random() < 0.7 else b""
            yield bytes(text)


REFUSED = [
    *(b"a: 1\na: 2\n", b"{a: 1, a: 2}", b'{a: 1, "a": 2}', b"a: &x 1", b"a: *x", b"a: !x 1", b"<<: {}\n"),
    *(b"%YAML 1.2\n---\na: 1\n", b"a: 1\n---\nb: 2\n", b"a: 1\n...\n", b"a:\t1", b"a: >\n  x\n"),
    *(
        b"a: |#\n  x\n",
        b'a: "\\ud83d\\ude00"',
        b'a: "\\U00110000"',
        b'a: "\\q"',
        b'a: "x',
        b"a: [1",
    ),
    *(b"a:\n", b"a: [,]", b"a:", b"a: 9007199254740993", b"a: 0904", b"a: 1.5", b"a: 12:30", b"a: yes"),
    *(b"a: NULL", b"a: 2026-01-01", b"a: 0x1F", b"a: -.inf", b"a: ~", b"1: a", b"true: a", b"? [a]\n: b\n"),
    *(b"\xc3\xa9: a", b"a: \xc2\x85", b"a: \xff", b"a: b: c", b"a: - b", b"a: 1\n b: 2\n", b" a: 1\nb: 2\n"),
    *(b"- a\nb: 1\n", b"a: [x]y", b'a: "x" y', b"[?a]", b"a: " + b"[" * 17 + b"]" * 17),
]
"""Small documents that no reader of game files takes."""

DOCUMENTS = (
    b"""\
a: 1
b: [x, "y", {c: d}]
c:
- 1
- two words
-   - nested
    - {q: "r"}
d: |
  text
   more

  end
# c
e: "long \\
   line

  x"
? "key"
: val
f: 'it''s'
g: plain over
  two lines # c
""",
    b"""\
---
log:
  - n: 0
    say: "h\\u00e9 \\"x\\""
    k: {a: [1, 2], "b": true}
  - n: 1
    t: |2-
       a
     b
z: null
""",
)

PIECES = [
    *(
        b"\n",
        b" ",
        b"  ",
        b": ",
        b"- ",
        b"#",
        b" #",
        b'"',
        b"'",
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b"\\",
        b"?",
        b"? ",
    ),
    *(
        b"&a",
        b"*a",
        b"!x",
        b"---\n",
        b"...\n",
        b"\r\n",
        b"\t",
        b"0",
        b"1e3",
        b"yes",
        b"n",
        b"n: ",
        b"~",
        b">",
        b"%",
    ),
    *(b"\xc3\xa9", b":", b"-", b"null", b"a", b"\\n", b"\\x41", b"\xef\xbb\xbf", b'"":', b"__proto__: 1\n"),
    *(b"|", b"|2\n", b"|+\n", b"|-\n"),
]
