"""The checker opens pages and game files as data, runs nothing of them, and finds what a page would."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from independent import test_minimal_verifier
from simulator import appended, file_of, forged, letter, log_of
from umpire import test_adversary, test_adversary_log, test_sealed
from umpire import test_adversary_terms as terms
from umpire.attacks import Change, Make
from umpire.situations import every_kind, offer, start

from pbem.errors import FileError
from pbem.journal.strict import read_yaml
from pbem.umpire import Game
from pbem.web.checker import checker
from web.browser import Browser
from web.pages import EXAMPLES, NAMES, altered, page_of

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "protocol.json").read_text("utf-8"))

RULES_ALONE = {
    "a play out of turn",
    "a resignation out of turn",
    "no share of the beat to open",
    "the completed beat alone",
    "a share at the end",
    "a beat after the end",
    "a proposal after the last turn",
}
"""Attacks on what only the rules can say: whom they ask, where chance comes, and when the game is over."""


WITHOUT_RULES = {
    "another kind first",
    "a game of one's own length",
    "capital digits",
    "too many words",
    "an unknown extension",
    "an own scenario with another digest",
    "data that are null",
    "a name in capitals",
    "a name of nothing",
    "a name of 65 letters",
    "a name that clears the screen",
    "a name that runs backwards",
    "a name of two lines",
    "an address with a second header",
    "a key of another kind",
    "a key with a comment",
}
"""What is wrong with the form of an offer and needs no rules to be seen (step 2)."""


@pytest.fixture
def checking(browser: Browser, tmp_path: Path) -> Browser:
    """The browser with the checker open in it."""
    path = tmp_path / "check.html"
    path.write_bytes(checker())
    browser.wide(1280)
    browser.driver.get(path.as_uri())
    return browser


def found(browser: Browser, path: Path) -> tuple[str, str | None, str]:
    """What the checker says of a file that it is given."""
    browser.driver.find_element("id", "files").send_keys(str(path))
    return told(browser)


def told(browser: Browser) -> tuple[str, str | None, str]:
    """What it says of the file that it was given last: proof, failed, and its words."""
    script = """
    const done = arguments[0];
    const look = () => {
      const {proof, failed} = document.querySelector("article")?.dataset ?? {};
      if (!proof) return setTimeout(look, 20);
      done([proof, failed ?? null, document.querySelector("article .verdict").textContent]);
    };
    look();
    """
    proof, failed, words = browser.wait(script)
    return proof, failed, words


class TestFiles:
    """One drops a page or a game file on it."""

    @pytest.mark.parametrize("name", ["mortain-de-own-scenario", "rommel-axis-wins"])
    def test_a_page(self, checking: Browser, tmp_path: Path, name: str) -> None:
        path = tmp_path / "game.html"
        path.write_text(page_of(name), "utf-8")
        assert found(checking, path)[:2] == ("holds", None)
        assert checking.complaints() == []

    @pytest.mark.parametrize("name", NAMES)
    def test_a_game_file(self, checking: Browser, name: str) -> None:
        assert found(checking, EXAMPLES / f"{name}.yaml")[:2] == ("holds", None)

    def test_what_is_dropped(self, checking: Browser) -> None:
        checking.run(
            """
            const dropped = new DataTransfer();
            dropped.items.add(new File([arguments[0]], "<b>game</b>\\u202e.yaml"));
            document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: dropped, bubbles: true}));
            """,
            (EXAMPLES / "mortain-en-solitaire.yaml").read_text("utf-8"),
        )
        assert told(checking)[0] == "holds"
        assert checking.run("return document.querySelector('article h2').textContent") == "<b>game</b>?.yaml"

    def test_a_page_that_lies(self, checking: Browser, tmp_path: Path) -> None:
        """Its own script, which its policy allows, would say that it holds; it is not run."""
        html = altered(page_of("mortain-es-resigns"), "log", lambda log: log[2].update(say="Coward!"))
        lie = "<script>document.documentElement.dataset.proof = 'holds'; window.mine = 1;</script>"
        html = html.replace("script-src", "script-src 'unsafe-inline'").replace("</body>", f"{lie}</body>")
        path = tmp_path / "game.html"
        path.write_text(html, "utf-8")
        assert found(checking, path)[:2] == ("fails", "2")
        assert checking.run("return typeof window.mine") == "undefined"

    def test_an_altered_game_file(self, checking: Browser, tmp_path: Path) -> None:
        path = tmp_path / "game.yaml"
        data = (EXAMPLES / "mortain-es-resigns.yaml").read_bytes()
        path.write_bytes(data.replace(b"kind: resign", b"kind: answer\n    accept: true"))
        assert found(checking, path)[:2] == ("fails", "82")

    @pytest.mark.parametrize(
        ("data", "word"),
        [
            (b"", "no value"),
            (b"<!doctype html><p>nothing", "expected it once"),
            (page_of("mortain-es-resigns").replace('id="log"', 'id="lag"').encode(), "expected it once"),
            (b"pbem: 2\nlog: []\n", "version 1"),
            (b"pbem: 1\nlog: []\n", "no log"),
            (b"pbem: 1\nafter: {n: 1}\nlog: []\n", "part of a log"),
            (b"pbem: 1\nnews: 1\nlog: []\n", "news"),
            (b"\xff\xfe", "UTF-8"),
            (b"a: " + b"[" * 100_000, "levels"),
            (b"&a [x]", "line 1"),
        ],
    )
    def test_what_is_neither(self, checking: Browser, tmp_path: Path, data: bytes, word: str) -> None:
        path = tmp_path / "other"
        path.write_bytes(data)
        proof, _, words = found(checking, path)
        assert proof == "fails"
        assert word in words


class TestHonest:
    """What honest players write holds, wherever the game stands."""

    def test_every_situation(self, checking: Browser) -> None:
        games = {id(game): game for game in (row[1]() for row in adversary_rows())}
        answers = checking.check([letter(game) for game in (*games.values(), every_kind())])
        assert [state for state, *_ in answers] == ["holds"] * (len(games) + 1), answers

    def test_sealed_and_opened(self, checking: Browser) -> None:
        games = (test_sealed.sealed(), test_sealed.before_opening())
        answers = checking.check([test_sealed.forged(test_sealed.log_of(game)) for game in games])
        assert [state for state, *_ in answers] == ["holds"] * 2

    def test_a_game_that_begins_with_chance(self, checking: Browser) -> None:
        """The log of the minimal verifier's tests: the accept opens beat 1, and beats go every way."""
        log = test_minimal_verifier.honest_log()
        log[0] |= {"rules": "dicing/1", "options": {}, "scenario": {"name": "dicing", "sha256": "00" * 32}}
        log[2]["orders"] = [{"fire": True}]
        log[6]["say"] = "Glück auf"
        written = file_of(test_minimal_verifier.sign(log))
        assert checking.check([written]) == [["holds", None, None, ""]]


def adversary_rows() -> list[tuple[str, Callable[[], Game], Make, int, str]]:
    """The attacks that need no rules: name, situation, entry, step, word."""
    table = test_adversary
    return [*table.SHAPES, *table.SEATS, *table.SHARES, *table.PROPOSALS, *table.ENDS]


class TestAdversary:
    """The umpire's adversary tables: what needs no rules is found here too, at the same entry."""

    def test_an_entry_that_may_not_stand_there(self, checking: Browser) -> None:
        """All well linked and signed: by a cheat whose opponent is in league with him."""
        rows = adversary_rows()
        answers = checking.check([appended(game(), make(game())) for _, game, make, *_ in rows])
        for (name, game, _, step, _), (state, failed, found, problem) in zip(rows, answers, strict=True):
            if name in RULES_ALONE:
                assert state == "holds", name
            else:
                assert (state, failed) == ("fails", len(game().entries)), (name, problem)
                assert found == step, (name, problem)

    def test_the_offer_and_the_accept(self, checking: Browser) -> None:
        """What is wrong with options and scenarios the rules must say; keys, seats and words need none."""
        offers = [(0, *row) for row in terms.OFFERS if row[2] > 2 or row[0] in WITHOUT_RULES]
        accepts = [(1, *row) for row in terms.ACCEPTS if row[2] < 6 or row[0] == "orders with a false share"]
        rows = [*offers, *accepts]
        files = []
        for n, _, change, *_ in rows:
            log = log_of((offer, start)[n]())
            change(log[n])
            files.append(forged(log))
        for (n, name, *_), (state, failed, _, problem) in zip(rows, checking.check(files), strict=True):
            assert (state, failed) == ("fails", n), (name, problem)

    def test_a_cheat_who_signs_again(self, checking: Browser) -> None:
        """Here the first entry that fails is named, whatever the step."""
        files, expected = [], []
        naive: list[tuple[str, Change, int, int, str]] = list(test_adversary_log.NAIVE)
        for _, change, _, n, _ in naive:
            log = log_of(every_kind())
            change(log)
            files.append(file_of(log))
            expected.append(n)
        answers = checking.check(files)
        assert [state for state, *_ in answers] == ["fails"] * len(files)
        for (_, failed, _, problem), n in zip(answers, expected, strict=True):
            assert failed in (n - 1, n), problem

    def test_seals(self, checking: Browser) -> None:
        """FORMAT 8: another salt, other orders, another seal; all signed."""
        honest = test_sealed.turn(test_sealed.before_opening())
        files = [test_sealed.forged(test_sealed.log_of(honest))]
        for spoil in self.spoilt_seals():
            log = test_sealed.log_of(honest)
            spoil(log)
            files.append(test_sealed.forged(log))
        answers = checking.check(files)
        assert answers[0][0] == "holds"
        n = len(honest.entries) - 1
        assert [(state, failed, step) for state, failed, step, _ in answers[1:]] == [("fails", n, 9)] * 3

    def spoilt_seals(self) -> Iterator[Callable[[Any], Any]]:
        yield lambda log: log[-1]["orders"][0]["open"].update(salt="00" * 32)
        yield lambda log: log[-1]["orders"][0]["open"]["orders"].pop()
        yield lambda log: log[3]["orders"][0].update(seal="00" * 32)


def same(value: Any, other: Any) -> bool:
    """Whether two values are the same, true being no 1."""
    return json.dumps(value, sort_keys=True) == json.dumps(other, sort_keys=True)


class Saver(yaml.SafeDumper):
    """Writes as PyYAML does, and 0904 in quotes: without, FORMAT 1 refuses it."""


def _quoted(saver: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """A text as PyYAML would write it, in quotes where it begins with a 0."""
    return yaml.ScalarNode("tag:yaml.org,2002:str", text, style="'" if text[:1] == "0" else None)


Saver.add_representer(str, _quoted)


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
        value = read_yaml((EXAMPLES / f"{name}.yaml").read_bytes())
        files = [
            yaml.dump(value, Dumper=Saver, allow_unicode=True).encode(),
            yaml.dump(value, Dumper=Saver, default_flow_style=True).encode(),
            yaml.dump(value, Dumper=Saver, default_flow_style=None, width=40).encode(),
            json.dumps(value).encode(),
            json.dumps(value, indent=1, ensure_ascii=False).replace("\n", " \r\n").encode(),
        ]
        for file, (state, found) in zip(files, self.read(checking, files), strict=True):
            assert read_yaml(file) == value
            assert state == "read", found
            assert same(json.loads(found), value)

    def test_what_format_1_refuses(self, checking: Browser) -> None:
        for file, (state, value) in zip(REFUSED, self.read(checking, REFUSED), strict=True):
            assert state == "Fault", (file, value)
            assert "line " in value or "UTF-8" in value
            with pytest.raises(FileError):
                read_yaml(file)

    def test_no_file_is_misread(self, checking: Browser) -> None:
        files = list(self.spoilt(Random(5), 3000))
        read = 0
        for file, (state, value) in zip(files, self.read(checking, files), strict=True):
            try:
                expected = read_yaml(file)
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
