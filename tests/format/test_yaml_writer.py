"""The writer's rules of FORMAT section 1."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pbem.format import strict_yaml
from pbem.format.yaml_reader import parse_yaml
from pbem.format.yaml_text import MAX_INTEGER, Plain
from pbem.format.yaml_writer import dump_block, dump_yaml
from support.sample_log import TEXTS, plain_values

NO_WORDS = """
0503 117Inf 1e3 12:30 -a a- a. a,b a:b [a é ~ << +1 .inf 0x1f 2024-01-01
y n Yes NO on off True FALSE null
"""


def written(value: Plain) -> str:
    """How a value is written after its key."""
    return dump_yaml({"k": value}).removeprefix("k: ").removesuffix("\n")


class TestRoundTrip:
    """What is written is read as the same value, and written again as the same text."""

    @given(plain_values())
    def test_any_value(self, value: Plain) -> None:
        text = dump_yaml({"k": value})
        assert parse_yaml(text.encode()) == {"k": value}
        assert all(line == line.rstrip(" ") for line in text.split("\n"))

    @given(plain_values())
    def test_without_libyaml(self, value: Plain) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(strict_yaml, "LOADER", yaml.SafeLoader)
            assert parse_yaml(dump_yaml({"k": value}).encode()) == {"k": value}

    @given(plain_values())
    def test_an_ordinary_yaml_reader_agrees(self, value: Plain) -> None:
        assert yaml.safe_load(dump_yaml({"k": value})) == {"k": value}

    @given(TEXTS)
    def test_carriage_returns_and_other_indentation_do_no_harm(self, text: str) -> None:
        lines = dump_yaml({"k": {"deep": [text, {"n": text}]}}).split("\n")
        shifted = "\r\n".join(" " * (len(line) - len(line.lstrip(" "))) + line for line in lines)
        assert parse_yaml(shifted.encode()) == {"k": {"deep": [text, {"n": text}]}}

    @given(TEXTS, st.sampled_from([" ", "   ", " \r", "\r\r", "\r ", "  \r  \r"]))
    def test_blanks_and_carriage_returns_at_the_ends_of_lines_do_no_harm(self, text: str, end: str) -> None:
        padded = dump_yaml({"k": [text]}).replace("\n", f"{end}\n")
        assert parse_yaml(padded.encode()) == {"k": [text]}

    def test_the_deepest_and_the_longest(self) -> None:
        value: Plain = "z" * 70_000
        for _ in range(15):
            value = {"key" * 9: value}
        assert parse_yaml(dump_yaml({"k": value}).encode()) == {"k": value}


class TestQuotes:
    """Every string is in double quotes but words of letters, digits and inner - . / _ and space."""

    @pytest.mark.parametrize(
        "text", ["a", "german", "mortain/1", "St-Barthelemy", "a_b.c", "Hill 314", "N", "Nope"]
    )
    def test_words_are_plain(self, text: str) -> None:
        expected = text if text != "N" else '"N"'
        assert written(text) == expected

    @pytest.mark.parametrize("text", [*NO_WORDS.split(), "", " a", "a ", "a: b", "a #b", "Hill 314!"])
    def test_all_else_is_quoted(self, text: str) -> None:
        assert written(text) == f'"{text}"'

    @pytest.mark.parametrize("digits", ["abcdef01" * 4, "abcdef01" * 8, "deadbeef" * 8])
    def test_hexadecimal_is_quoted_even_if_it_begins_with_a_letter(self, digits: str) -> None:
        assert written(digits) == f'"{digits}"'

    def test_keys_follow_the_same_rule_but_n_is_plain(self) -> None:
        assert dump_yaml({"n": "n", "y": 1, "07": 2}) == 'n: "n"\n"y": 1\n"07": 2\n'

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('say "no"', r'"say \"no\""'),
            ("back\\slash", r'"back\\slash"'),
            ("a\nb\tc\rd", r'"a\nb\tc\rd"'),
            ("\x00\x1b[2J\x7f\x85\x9f", r'"\x00\x1b[2J\x7f\x85\x9f"'),
            ("\u2028\u2029\ufeff\u202e\ufffe", r'"\u2028\u2029\ufeff\u202e\ufffe"'),
            ("\U0001f600 \U000e0001", '"\U0001f600 \\U000e0001"'),
        ],
    )
    def test_what_may_not_stand_in_a_file_is_an_escape(self, text: str, expected: str) -> None:
        assert written(text) == expected

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            (0, "0"),
            (-MAX_INTEGER, "-9007199254740991"),
            (True, "true"),
            (None, "null"),
            ([], "[]"),
            ({}, "{}"),
        ],
    )
    def test_other_values(self, value: Plain, expected: str) -> None:
        assert written(value) == expected


class TestLines:
    """Signed strings stand on lines of at most 200 bytes of UTF-8 with indentation, never in a block."""

    @given(plain_values(), TEXTS)
    def test_no_line_is_longer_and_none_begins_a_block(self, value: Plain, text: str) -> None:
        written = dump_yaml({"k": [{"a": {"b": value}}, text * 9]})
        assert all(len(line.encode()) <= 200 for line in written.split("\n"))
        assert not any(getattr(event, "style", None) in ("|", ">") for event in yaml.parse(written))

    def test_a_line_is_broken_at_its_last_single_blank(self) -> None:
        words = "abc " * 49 + "xyzxyz end"
        assert dump_yaml({"k": words}) == f'k: "{("abc " * 49).rstrip()}\n  xyzxyz end"\n'

    def test_exactly_200_bytes_are_not_broken_and_201_are(self) -> None:
        assert dump_yaml({"k": "é" * 97 + "z"}).split("\n")[0] == f'k: "{"é" * 97}z"'
        assert dump_yaml({"k": "é" * 98}) == f'k: "{"é" * 97}\\\n  é"\n'

    def test_without_a_single_blank_a_backslash_ends_the_line(self) -> None:
        assert dump_yaml({"k": "a  " * 70}) == f'k: "{"a  " * 65}\\\n  a  a  a  a  a  "\n'

    def test_a_blank_after_a_backslash_is_escaped(self) -> None:
        assert dump_yaml({"k": "a" * 195 + "  b"}) == f'k: "{"a" * 195}\\\n  \\  b"\n'

    def test_a_long_key_is_explicit_since_readers_look_no_further_than_1024_characters(self) -> None:
        text = dump_yaml({"x": {"k" * 1000: 1, "short": 2}})
        assert text.startswith('x:\n  ? "kkk')
        assert parse_yaml(text.encode()) == {"x": {"k" * 1000: 1, "short": 2}}

    def test_small_collections_stand_on_one_line(self) -> None:
        orders: Plain = [{"move": "117Inf", "to": "0503"}, {"fire": ["A", "B"], "at": "DF"}]
        assert dump_yaml({"orders": orders}) == (
            'orders: [{move: "117Inf", to: "0503"}, {fire: [A, B], at: DF}]\n'
        )

    def test_a_flow_collection_takes_at_most_100_bytes(self) -> None:
        fits: Plain = ["é" * 22, "é" * 20]
        assert len(dump_yaml({"k": fits}).encode()) == len("k: []") + 4 + 2 + 84 + 1
        wide: Plain = ["a" * 26, "b" * 26, "c" * 26, "d" * 17]
        assert dump_yaml({"k": wide}).count("\n") == len("a line") - 1


class TestBlock:
    """The map is a literal block, with its indentation given where its first line begins with a blank."""

    @pytest.mark.parametrize(
        ("board", "expected"),
        [
            ("ab\ncd\n", "board: |\n  ab\n  cd\n"),
            ("ab", "board: |\n  ab\n"),
            ("  ab\ncd\n", "board: |2\n    ab\n  cd\n"),
            ("\n\nab  \n   \n\ncd \n\n", "board: |\n  ab\n\n\n  cd\n"),
            ("", "board: |\n"),
            (" \n \n", "board: |\n"),
            ("# no\n'\"%\n---\n...\n", "board: |\n  # no\n  '\"%\n  ---\n  ...\n"),
            ("a\tb\x1b[2J\u202eé\r\n", "board: |\n  a?b?[2J?é?\n"),
        ],
    )
    def test_board(self, board: str, expected: str) -> None:
        assert dump_block("board", board) == expected

    @given(TEXTS)
    def test_it_is_read_back_and_written_as_the_same_text(self, board: str) -> None:
        text = dump_block("board", board)
        read = parse_yaml(text.encode())
        assert isinstance(read, dict)
        assert dump_block("board", str(read["board"])) == text
