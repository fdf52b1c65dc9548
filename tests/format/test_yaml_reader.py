"""The reader's rules of FORMAT section 1. Each is tried with libyaml and with the pure Python parser."""

from __future__ import annotations

import json
import re

import pytest
import yaml

from pbem.base import limits
from pbem.errors import FileError, OverBudget
from pbem.format import strict_yaml
from pbem.format.yaml_reader import parse_yaml, top_level_keys
from pbem.format.yaml_text import MAX_INTEGER, Plain
from support.marked_language import CLOSE, OPEN
from support.sample_log import sample_file

STRINGS = """
12th a1 1a 1-2 117Inf + . 0x 0xg1 e5 yes! nn tru .infinity 2024-1 1e ye\u017f \u0661 ¡no! / ==
"""

DOUBTFUL = """
y Y n N yes Yes YES yEs no No on ON off Off True TRUE False Null NULL ~ = <<
-0 +1 00 007 0503 1.5 .5 1. 1_000 12:30 12:30:45 1e3 1E+3 -1.5e-3 12e45 -.5 12345678901234567
0x1F 0X1f -0b11 0o17 +0xdead_beef .inf -.INF +.Inf .nan .NaN
2024-01-01 2024-1-1 2024-01-01T12:00:00Z
"""


@pytest.fixture(autouse=True, params=[yaml.CSafeLoader, yaml.SafeLoader], ids=["libyaml", "pure"])
def _parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strict_yaml, "LOADER", request.param)


def read(text: str) -> Plain:
    return parse_yaml(text.encode())


def refusal(data: str | bytes) -> FileError:
    with pytest.raises(FileError) as caught:
        parse_yaml(data.encode() if isinstance(data, str) else data)
    return caught.value


class TestAllowed:
    """Block and flow collections; plain, quoted and literal scalars; comments; a leading `---`."""

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("a: b", {"a": "b"}),
            ("---\na: b\n", {"a": "b"}),
            ("--- {a: b}\n", {"a": "b"}),
            ("# words\na: b # more\n\n# end\n", {"a": "b"}),
            ("a:\n- b\n- - c\n  - d: e\n", {"a": ["b", ["c", {"d": "e"}]]}),
            ("{a: [b, 'c d', \"e\"], f: {}, g: []}", {"a": ["b", "c d", "e"], "f": {}, "g": []}),
            ("a: |\n  x\n   y\n\n", {"a": "x\n y\n"}),
            ("a: |2-\n    x\n", {"a": "  x"}),
            ("a: one\n  two\n", {"a": "one two"}),
            ("a: 'it''s'\n", {"a": "it's"}),
            ('a: "one\n  two\\\n  three\\ \\\n  four"\n', {"a": "one twothree four"}),
            (
                'a: "\\u2028\\x7f\\ufeff\\0\\e\\N\\_\\L\\P"\n',
                {"a": "\u2028\x7f\ufeff\x00\x1b\x85\xa0\u2028\u2029"},
            ),
            ("? a\n: b\n", {"a": "b"}),
            ("'': b\n", {"": "b"}),
            ('n: 0\n\'y\': 1\n"true": 2\n"<<": 3\n', {"n": 0, "y": 1, "true": 2, "<<": 3}),
            ("\ufeffa: b\r\nc: d\r\n", {"a": "b", "c": "d"}),
            ("a: |\r\n  x\r\n  y\r\n", {"a": "x\ny\n"}),
            ("a: b   \n  \nc: d  \n", {"a": "b", "c": "d"}),
            ('a: "one\\ \n  two\\   \r\n  three  \n  four"  ', {"a": "onetwothree four"}),
            ('a: "one  \r\r\n\n  two"', {"a": "one\ntwo"}),
            ("a: |\n  x  \n   \n  y \r\n", {"a": "x\n\ny\n"}),
            ("a: |\n  x", {"a": "x"}),
            ("a: |\r  x \r  y\rc: d \r", {"a": "x\ny\n", "c": "d"}),
            ("a: b? ?c\n", {"a": "b? ?c"}),
            ("a:[: b\nc: d:{\n", {"a:[": "b", "c": "d:{"}),
            ("{'a':[b], \"c\":{d: 'e?'}}", {"a": ["b"], "c": {"d": "e?"}}),
            ("a: | # words\n  x\n", {"a": "x\n"}),
            ("just words", "just words"),
        ],
    )
    def test_reads(self, text: str, value: Plain) -> None:
        assert read(text) == value

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            *[("true", True), ("false", False), ("null", None), ("0", 0), ("7", 7), ("-7", -7), ("10", 10)],
            *[("9007199254740991", MAX_INTEGER), ("-9007199254740991", -MAX_INTEGER)],
        ],
    )
    def test_constants_and_integers(self, text: str, value: Plain) -> None:
        read_value = read(f"[{text}]")
        assert read_value == [value]
        assert isinstance(read_value, list)
        assert type(read_value[0]) is type(value)

    @pytest.mark.parametrize("text", [*STRINGS.split(), "Hill 314", "12.5 km", "1 2"])
    def test_other_plain_scalars_are_strings(self, text: str) -> None:
        assert read(f"a: {text}\n") == {"a": text}


class TestDoubtful:
    """A plain scalar that some YAML reader takes for something else than a string is refused."""

    @pytest.mark.parametrize("text", [*DOUBTFUL.split(), "2024-01-01 and more"])
    def test_refused_unless_quoted(self, text: str) -> None:
        error = refusal(f"[ab,\n  {text}]")
        assert error.where == "line 2, column 3"
        assert str(error.problem) == f"{text!r} needs quotes (FORMAT section 1)"
        assert read(f"['{text}', \"{text}\"]") == [text, text]

    @pytest.mark.parametrize("text", ["9007199254740992", "-9007199254740992", "9999999999999999"])
    def test_an_integer_beyond_2_to_the_53_is_refused(self, text: str) -> None:
        error = refusal(f"a:\n  - {text}\n")
        assert error.where == "line 2, column 5"
        assert text in str(error.problem)

    @pytest.mark.parametrize(("key", "value"), [("1", 1), ("true", True), ("null", None)])
    def test_a_key_is_a_string(self, key: str, value: Plain) -> None:
        error = refusal(f"a: 1\n{key}: b\n")
        assert error.where == "line 2, column 1"
        assert "put it in quotes" in str(error.problem)
        assert read(f"'{key}': {key}") == {key: value}

    @pytest.mark.parametrize("key", ["y", "N", "no", "0503", "1.0"])
    def test_a_doubtful_key_is_refused(self, key: str) -> None:
        assert refusal(f"{{{key}: 1}}").where == "line 1, column 2"


REFUSED = {
    "an anchor": ("a: &x b", 1, 4, "the anchor '&x' is not allowed"),
    "an anchor on nothing": ("a: &x\n", 1, 4, "the anchor '&x' is not allowed"),
    "an anchor on a list": ("a:\n  - &x [b]\n", 2, 5, "the anchor '&x' is not allowed"),
    "an anchor on a key": ("&x n: b", 1, 1, "the anchor '&x' is not allowed"),
    "an alias": ("a: b\nc: *x", 2, 4, "the alias '*x' is not allowed: write the value itself"),
    "an alias as key": ("*x : b", 1, 1, "the alias '*x' is not allowed"),
    "a tag": ("a: !!str b", 1, 4, "the tag 'tag:yaml.org,2002:str' is not allowed"),
    "a tag on a mapping": ("a:\n- b\n- !m {c: d}", 3, 3, "the tag '!m' is not"),
    "a tag on a key": ("a:\n  !!str n: c", 2, 3, "the tag"),
    "the tag without a name": ("a: ! b", 1, 4, "the tag '!' is not"),
    "a tag of Python's": ("a: !!python/object/apply:os.system [ls]", 1, 4, "the tag"),
    "a YAML directive": ("%YAML 1.1\n---\na: b\n", 1, 1, "a directive (%) is not allowed"),
    "a TAG directive": ("# x\n%TAG ! tag:x,2000:\n---\na: b\n", 2, 1, "a directive (%) is not allowed"),
    "a merge key": ("a: b\n<<: {c: d}\n", 2, 1, "'<<' needs quotes"),
    "a duplicate key": (
        "a: b\nc: d\na: e\n",
        3,
        1,
        "the key 'a' appears here a second time",
    ),
    "a duplicate key, quoted": ("{a: b, 'a': c}", 1, 8, "the key 'a' appears here a second time"),
    "a second document": ("a: b\n---\nc: d\n", 2, 1, "a file holds one document, and a second begins here"),
    "a second document, empty": ("a: b\n---\n", 2, 1, "a second begins here"),
    "a document's end": ("a: b\n...\n", 2, 1, "the marker '...' is allowed only at the end of the file"),
    "a folded block": (
        "a: >\n  b\n",
        1,
        4,
        "a folded block '>' is not allowed",
    ),
    "an empty value": ("a:\nb: c\n", 1, 3, "a value is missing"),
    "an empty item": ("-\n- a\n", 1, 2, "a value is missing"),
    "an empty flow value": ("{a: , b: c}", 1, None, "a value is missing"),
    "an empty key": ("? \n: b", 1, 2, "a value is missing"),
    "a list as key": ("? [a]\n: b\n", 1, 3, "a key must be text"),
    "a mapping as key": ("{{a: b}: c}", 1, 2, "a key must be text"),
    "a key beyond ASCII": ("a: b\n'é': c", 2, 1, "the key 'é' must be in ASCII only"),
    "a surrogate's escape": ('a: "x\\ud800"', 1, None, ""),
    "a pair of surrogates": ('a: "\\ud83d\\ude00"', 1, None, ""),
    "an escape beyond Unicode": ('a: "\\U00110000"', 1, None, ""),
    "an escape far beyond Unicode": ('a: "\\UFFFFFFFF"', 1, None, ""),
    "an unknown escape": ('a: "\\q"', 1, None, "escape character"),
    "an unknown directive": ("%FOO bar\n---\na: b\n", 1, None, "directive"),
    "a literal DEL": ("a: b\nc: 'x\x7f'", 2, 6, "the character U+007F is allowed only as an escape"),
    "a literal C1 control": ("a: x\x9b[2J", 1, 5, "U+009B"),
    "a literal NEL": ("a: b\x85c: d", 1, 5, "U+0085"),
    "a literal line separator": ("# x\u2028", 1, 4, "U+2028"),
    "a literal paragraph separator": ("a: 'é\u2029'", 1, 6, "U+2029"),
    "a second byte order mark": ("\ufeff\ufeffa: b", 1, 1, "U+FEFF"),
    "a byte order mark in the middle": ("a: b\r\nc: \ufeffd", 2, 4, "U+FEFF"),
    "a literal escape": ("a: \x1b[2J", 1, 4, "U+001B"),
    "a literal NUL": ("a: b\n\n\x00", 3, 1, "U+0000"),
    "a noncharacter": ("a: \uffff", 1, 4, "U+FFFF"),
    "an unclosed quote": ('a: "b\n', None, None, ""),
    "an unclosed list": ("a: [b, c\n", None, None, ""),
    "a tab as indentation": ("a:\n\tb: c\n", 2, 1, "a tab is not allowed: use spaces"),
    "a tab in quotes": ("a: b  \nc: 'd\te'", 2, 6, "a tab is not allowed"),
    "a tab in a comment": ("a: b\n\n# c\td", 3, 4, "a tab is not allowed"),
    "a tab at the end of a line": ("a: b  \r\nc: d \t \n", 2, 6, "a tab is not allowed"),
    "a character after blanks at ends of lines": ("a: b  \r\n \r\r\nc: \x7f", 3, 4, "U+007F"),
    "a byte order mark after old line ends": ("a: b \rc: \ufeff", 2, 4, "U+FEFF"),
    "a question mark in brackets": ("a: [b,\n  c?]", 2, None, ""),
    "a question mark in a key in brackets": ("{a: d, b?: c}", 1, None, ""),
    "no blank between a key and its list": ("{a: b, c:[d]}", 1, None, ""),
    "no blank between a key and its mapping": ("{a: b, c:{d: e}}", 1, None, ""),
    "a comment as a block's header": ("a: |#b\n  c", 1, None, ""),
    "a comment in a block's header": ("a: |-#b\n  c", 1, None, ""),
    "two values": ("a: b: c", 1, 5, "mapping values are not allowed"),
    "nothing": ("", 1, 1, "the file is empty"),
    "a comment alone": ("# a: b\n", None, 1, "the file is empty"),
    "17 levels of lists": ("[" * 17 + "]" * 17, 1, 17, "there are more than 16 levels"),
    "17 levels of mappings": (
        "".join(f"{' ' * n}a:\n" for n in range(17)) + " " * 17 + "b",
        17,
        17,
        "16 levels",
    ),
}


class TestRefused:
    """Anchors, aliases, tags, directives, duplicate keys, further documents, unsafe characters, and more."""

    @pytest.mark.parametrize(("text", "line", "column", "problem"), REFUSED.values(), ids=REFUSED)
    def test_with_line_and_column(
        self, text: str, line: int | None, column: int | None, problem: str
    ) -> None:
        error = refusal(text)
        place = re.fullmatch(r"line (\d+), column (\d+)", error.where)
        assert place is not None
        assert line in (None, int(place[1]))
        assert column in (None, int(place[2]))
        assert problem in str(error.problem)
        assert str(error.problem).endswith("(FORMAT section 1)")

    @pytest.mark.parametrize(
        ("data", "where"),
        [
            (b"a: b\nc: \xff\n", "line 2, column 4"),
            ("a: é\r\nb: ".encode() + b"\xc3", "line 2, column 4"),
            ("a: ü".encode("latin-1"), "line 1, column 4"),
            (b"\xef\xbb\xbf\xfe", "line 1, column 1"),
            ("a: b".encode("utf-16"), "line 1, column 1"),
            (b"a: \xed\xa0\x80", "line 1, column 4"),
            (b"\x89PNG\r\n\x1a\n", "line 1, column 1"),
            (b"\xc0\xaf", "line 1, column 1"),
        ],
    )
    def test_what_is_not_utf_8(self, data: bytes, where: str) -> None:
        error = refusal(data)
        assert error.where == where
        assert "is not UTF-8 text" in str(error.problem)


class TestLimits:
    """At most 16 MiB, 16 levels, 20,000 entries, checked before anything is built."""

    def test_sixteen_levels_are_read(self) -> None:
        assert read("[" * 16 + "]" * 16) == read("".join("- " * 15) + "[]")

    def test_16_mib_are_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(
            strict_yaml, "LOADER", yaml.CSafeLoader
        )  # the pure parser would take half a minute
        assert parse_yaml(b"a: b\n#".ljust(16 * 2**20, b" ")) == {"a": "b"}

    def test_one_byte_more_is_refused_before_it_is_decoded(self) -> None:
        error = refusal(b"\xff" * (16 * 2**20 + 1))
        assert str(error.problem) == "16,777,217 bytes are too many: at most 16,777,216 (FORMAT section 1)"

    def test_a_million_keys_and_values_are_read_and_one_more_is_refused(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(strict_yaml, "FILE_NODES", 1000)  # as a million, but sooner
        assert read("x:\n" + "- {a: b}\n" * 332 + "- a\n") == {"x": [{"a": "b"}] * 332 + ["a"]}
        error = refusal("x:\n" + "- {a: b}\n" * 332 + "- a\n- b\n")
        assert error.where == "line 335, column 3"
        assert str(error.problem).startswith("there are more than 1,000 keys and values")

    @pytest.mark.thorough
    def test_20_000_entries_are_read_and_one_more_is_refused(self) -> None:
        entries = "- a\n" * 20_000
        assert read(f"log:\n{entries}") == {"log": ["a"] * 20_000}
        assert refusal(f"log:\n{entries}- a\n").where == "line 20002, column 3"

    @pytest.mark.thorough
    def test_other_lists_may_be_longer(self) -> None:
        entries = " - a\n" * 20_001
        assert read(f"x:\n log:\n{entries}z:\n{entries}") == {
            "x": {"log": ["a"] * 20_001},
            "z": ["a"] * 20_001,
        }

    @pytest.mark.parametrize("text", ["[" * 100_000, "- " * 450_000, "{a: " * 30_000], ids=["[", "-", "{"])
    def test_deep_nesting_is_refused_where_it_gets_too_deep(self, text: str) -> None:
        error = refusal(text)
        assert "16 levels" in str(error.problem)
        assert error.where == f"line 1, column {16 * len(text) // text.count(text[0]) + 1}"

    def test_keys_that_hold_keys_are_refused_at_the_second(self) -> None:
        assert refusal("? " * 200_000).where == "line 1, column 3"

    def test_an_alias_bomb_is_refused_at_its_first_anchor(self) -> None:
        bomb = "a0: &a0 [x, x]\n" + "".join(f"a{n + 1}: &a{n + 1} [*a{n}, *a{n}]\n" for n in range(60))
        assert refusal(bomb).where == "line 1, column 5"

    def test_100_000_equal_keys_are_refused_at_the_second(self) -> None:
        assert refusal("a: b\n" * 100_000).where == "line 2, column 1"

    @pytest.mark.parametrize("text", ["a: &X b", "a: !X b", "X: *X", "{'X': b, 'X': c}", "[1X]", "'é X': b"])
    def test_messages_stay_short(self, text: str) -> None:
        assert len(str(refusal(text.replace("X", "1" * 9000)))) < 200


class TestTopLevelKeys:
    """The keys of the mapping in a file, each before its value is read; what it holds is checked like all."""

    @pytest.mark.parametrize(
        ("text", "keys"),
        [
            ("a: b\nc: {d: [e]}\na: f\n", ["a", "c", "a"]),
            ("{}", []),
            ("[a, b]", []),
            ("a", []),
        ],
    )
    def test_keys(self, text: str, keys: list[str]) -> None:
        assert list(top_level_keys(text.encode())) == keys

    def test_a_fault_comes_after_the_keys_before_it(self) -> None:
        keys = top_level_keys(b"a: b\nc: *d\ne: f\n")
        assert (next(keys), next(keys)) == ("a", "c")
        with pytest.raises(FileError, match="the alias '\\*d' is not allowed"):
            next(keys)


class TestTime:
    """Neither parser outlives the time that one file may take, however little it has to tell meanwhile."""

    @pytest.mark.parametrize("text", ["#" * 100_000, "x" * 100_000, "[" + "a, " * 30_000], ids="#x[")
    def test_a_parser_is_stopped_between_two_pieces(self, text: str) -> None:
        with pytest.raises(OverBudget, match="processor time"), limits.time_limit(seconds=0):
            read(text)


class TestHead:
    """FORMAT 3: `status` and `board` together have at most 64 KiB and 1,000 keys and values."""

    NODES = (
        "status and board have too many keys and values: at most 1,000, of 65,536 bytes in all, are allowed"
    )

    def test_1_000_keys_and_values_and_one_more(self) -> None:
        status = "status: [" + "a, " * 996 + "{b: c}]\n"
        assert read(f"log: [a]\n{status}")
        error = refusal(f"{status}board: d\n").problem
        assert str(error) == f"{self.NODES} (FORMAT section 3)"

    def test_64_kib_and_a_byte_more(self) -> None:
        head = f"board: |\n  {'é' * 32_000}\nlog: {'x' * 70_000}\nstatus: {{k: {'x' * 1534}}}\n"
        assert read(head)
        assert refusal(head.replace("k:", "kk:")).where == "line 4, column 14"

    def test_the_rest_is_not_read(self) -> None:
        rest = "log: [a, a]\nno: yaml: at: all\n"
        assert refusal(f"status: [{'a, ' * 1000}]\n{rest}").where == "line 1, column 3007"
        assert refusal(f"board: |\n  {'x' * 65_537}\n{rest}").where == "line 1, column 8"

    def test_keys_of_these_names_elsewhere_are_like_any_other(self) -> None:
        value = {"log": [{"status": ["a"] * 1500, "board": "x" * 70_000}]}
        assert read(json.dumps(value)) == value


def test_both_parsers_read_a_whole_game_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    values = []
    for loader in (yaml.CSafeLoader, yaml.SafeLoader):
        monkeypatch.setattr(strict_yaml, "LOADER", loader)
        values.append(parse_yaml(sample_file()))
    assert values[0] == values[1]


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("text", [row[0] for row in REFUSED.values()], ids=REFUSED)
def test_in_other_words(text: str) -> None:
    """The sentence is ours, but where PyYAML's parser refuses; the section of FORMAT is always said."""
    error = refusal(text)
    assert str(error.problem).endswith(f"{OPEN} (FORMAT section {CLOSE}1{OPEN}){CLOSE}")
    assert error.where.startswith(f"{OPEN}line ")
