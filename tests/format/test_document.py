"""The document of FORMAT section 3, the links of section 4, and what does a file no harm."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml

from pbem.errors import FileError, VerificationError
from pbem.format.document import After, check_links, document_bytes, is_draft, parse_document, segment_bytes
from pbem.format.entries import Entry, parse_entry
from pbem.format.yaml_reader import parse_yaml
from pbem.format.yaml_text import Plain
from pbem.format.yaml_writer import dump_yaml
from support.sample_log import BOARD, STATUS, sample_file, sample_log, sign_entries

IDS = tuple(entry.id for entry in sample_log())


def ids(data: bytes) -> tuple[str, ...]:
    return tuple(entry.id for entry in parse_document(parse_yaml(data)).entries)


def unsigned(n: int) -> dict[str, Plain]:
    """What entry n of the sample log says, without its number, link and signature."""
    return {key: item for key, item in sample_log()[n].raw.items() if key not in ("n", "prev", "sig")}


class TestRoundTrip:
    """What is written is read again, and written again as the same bytes."""

    def test_read(self) -> None:
        document = parse_document(parse_yaml(sample_file()))
        assert document.status == STATUS
        assert document.board == BOARD
        assert document.entries == sample_log()

    def test_read_and_written(self) -> None:
        document = parse_document(parse_yaml(sample_file()))
        assert isinstance(document.board, str)
        assert document_bytes(document.status, document.board, document.entries) == sample_file()

    def test_the_order_of_the_parts_and_the_look_of_an_entry(self) -> None:
        text = sample_file().decode()
        assert text.startswith(
            'pbem: 1\nstatus: {turn: 1, next: us, score: "no, 2: 1"}\nboard: |2\n'
            "    ___     ___\n   /us \\___/ . \\\n\n   \\___/ger\\___/\n"
            "log:\n  - n: 0\n    by: german\n    kind: offer\n"
        )
        assert f'  - n: 10\n    prev: "{IDS[9]}"\n    by: us\n    kind: resign\n    sig: "' in text
        assert all(len(line.encode()) <= 200 for line in text.split("\n"))

    @pytest.mark.parametrize("lines", [2_000, 2_184, 2_185, 2_190, 20_000])
    def test_a_map_that_has_no_room_is_cut_at_a_line(self, lines: int) -> None:
        """Of 30 bytes a line, 65,536 bytes hold 2,184 lines; something is left for the status."""
        board = "é" * 14 + "x\n"
        read = parse_document(parse_yaml(document_bytes(STATUS, board * lines, sample_log())))
        whole = str(read.board) == board * lines
        assert whole == (lines == 2_000)
        assert whole or re.fullmatch(
            f"({board}){{2100,2183}}" + r"\(there is no room for the rest here\)\n", str(read.board)
        )
        assert read.status == STATUS
        assert read.entries == sample_log()


class TestHarmless:
    """CRLF line ends, trailing blanks, re-indentation, sorted keys and a re-saved file do no harm."""

    @pytest.mark.parametrize(
        "change",
        [
            lambda text: text.replace("\n", "\r\n"),
            lambda text: text.replace("\n", "\r"),
            lambda text: "\ufeff" + text,
            lambda text: "---\n" + text,
            lambda text: "# from us\n" + text.replace("\nlog:\n", "\n# the game\nlog: # here\n"),
            lambda text: text.replace("\n ", "\n    "),
            lambda text: re.sub(r"(?<!\\)\n", "   \n", text),
            lambda text: text.replace("\n  - n:", "\n\n  - n:") + "\n\n",
            lambda text: text.rstrip("\n"),
        ],
        ids=["CRLF", "CR", "BOM", "start", "comments", "indent", "blanks", "empty lines", "no last line end"],
    )
    def test_changed_text(self, change: Callable[[str], str]) -> None:
        data = change(sample_file().decode()).encode()
        assert data != sample_file()
        assert ids(data) == IDS

    @pytest.mark.parametrize("style", ['"', "'"])
    @pytest.mark.parametrize("flow", [True, False])
    def test_saved_by_another_program(self, style: str, flow: bool) -> None:
        """By PyYAML's writer, sorted by key and folded at another width."""
        value = yaml.safe_load(sample_file())
        saved = yaml.dump(value, Dumper=_quoting(style), sort_keys=True, default_flow_style=flow, width=70)
        assert ids(saved.encode()) == IDS

    def test_keys_in_any_order(self) -> None:
        value = parse_yaml(sample_file())
        assert isinstance(value, dict)
        backwards = dict(reversed(list(value.items())))
        assert parse_document(backwards) == parse_document(value)


def _quoting(style: str) -> type[yaml.SafeDumper]:
    """A writer that puts every string in quotes of one style."""

    class Quoting(yaml.SafeDumper):
        pass

    def quoted(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Quoting.add_representer(str, quoted)
    return Quoting


class TestDocument:
    """Only `pbem` and `log` are required; no other keys than the four are known."""

    def refusal(self, change: dict[str, Any]) -> FileError:
        value: dict[str, Any] = {"pbem": 1, "log": [sample_log()[0].raw]} | change
        with pytest.raises(FileError) as caught:
            parse_document({key: item for key, item in value.items() if item is not ...})
        return caught.value

    def test_status_and_board_may_be_absent_or_anything(self) -> None:
        document = parse_document({"log": [sample_log()[0].raw], "pbem": 1})
        assert (document.status, document.board) == (None, None)
        other = parse_document({"log": [sample_log()[0].raw], "pbem": 1, "status": [1], "board": {"a": "b"}})
        assert (other.status, other.board) == ([1], {"a": "b"})

    @pytest.mark.parametrize(
        ("value", "problem"),
        [
            (..., "there is no version: is this a game file?"),
            ("1", "must be 1, not '1': is this a game file?"),
            (True, "must be 1, not true: is this a game file?"),
            (2, "this game file has version 2; pbem reads version 1"),
            (0, "this game file has version 0; pbem reads version 1"),
        ],
    )
    def test_the_version_is_the_integer_1(self, value: object, problem: str) -> None:
        error = self.refusal({"pbem": value, "later": "keys"})
        assert (error.where, str(error.problem)) == ("pbem", problem)

    @pytest.mark.parametrize(
        ("key", "hint"), [("Log", "did you mean 'log'?"), ("game", "it can be one of pbem, status")]
    )
    def test_an_unknown_key_is_refused(self, key: str, hint: str) -> None:
        error = self.refusal({key: 1})
        assert str(error.problem) == f"there is no key '{key}'"
        assert error.hint.startswith(hint)

    @pytest.mark.parametrize(
        ("value", "found"),
        [([], "an empty list"), ({}, "an empty mapping"), (None, "null"), ("x", "'x'")],
    )
    def test_the_log_is_a_list_with_at_least_one_entry(self, value: object, found: str) -> None:
        error = self.refusal({"log": value})
        assert (error.where, str(error.problem)) == ("log", f"must be a list of entries, not {found}")
        error = self.refusal({"log": ...})
        assert (error.where, str(error.problem)) == ("log", "there is no list of entries")

    def test_a_long_unknown_key_is_not_compared_with_ours(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """To compare one of 16 MiB, difflib first makes an index of all its characters."""
        compared: list[int] = []
        find = difflib.get_close_matches

        def counted(word: str, *more: Any, **keys: Any) -> list[str]:
            compared.append(len(word))
            return find(word, *more, **keys)

        monkeypatch.setattr(difflib, "get_close_matches", counted)
        assert str(self.refusal({"log" * 100_000: 1}).problem).endswith("… (300,000 characters)")
        assert compared == [40]

    @pytest.mark.parametrize("value", [None, [], "pbem", 1])
    def test_a_document_is_a_mapping(self, value: Plain) -> None:
        with pytest.raises(FileError, match="must be a mapping with the keys pbem, status, board, log"):
            parse_document(value)

    def test_a_faulty_entry_is_named(self) -> None:
        faulty = {**sample_log()[1].raw, "n": "1"}
        assert self.refusal({"log": [sample_log()[0].raw, faulty]}).where == "log[1].n"

    def test_128_kib_of_words_by_one_seat_are_accepted_and_one_byte_more_refused(self) -> None:
        resign = sample_log()[10].raw
        words: list[Any] = [resign | {"say": "é" * 500}] * 131 + [resign | {"say": "x" * 72}]
        words += [resign | {"by": "german", "say": "x" * 1000}] * 9
        parse_document({"pbem": 1, "log": words})
        error = self.refusal({"log": [*words, resign | {"say": "."}]})
        assert error.where == "log[141].say"
        assert str(error.problem) == (
            "the messages of 'us' have 131,073 bytes in all; at most 131,072 are allowed"
        )


class TestExtension:
    """FORMAT 11: an entry has `parts` only in a game whose offer names the extension."""

    PARTS: Plain = [{"by": 0, "orders": [], "sig": "A" * 86 + "=="}]  # noqa: RUF012

    def log(self, needs: Plain) -> Plain:
        offer, *others = (entry.raw for entry in sample_log())
        return [offer | {"needs": needs}, *others[:2], others[2] | {"parts": self.PARTS}]

    def test_without_it(self) -> None:
        with pytest.raises(FileError) as caught:
            parse_document({"pbem": 1, "log": self.log([])})
        assert (caught.value.where, str(caught.value.problem)) == ("log[3]", "there is no key 'parts'")
        assert caught.value.hint.endswith("x, orders, beat, share, position")

    def test_with_it(self) -> None:
        entries = parse_document({"pbem": 1, "log": self.log(["commanders"])}).entries
        assert entries[3].raw["parts"] == self.PARTS


class TestIsDraft:
    """A draft is told from a game file by its keys, in any layout, and also where the rest is damaged."""

    AFTER = After("ab" * 32, 3, "cd" * 32)
    DRAFT: dict[str, Plain] = {  # noqa: RUF012
        "pbem": 1,
        "after": {"game": "ab" * 32, "n": 3, "id": "cd" * 32},
        "part": {"seat": "axis", "by": 0, "orders": [], "sig": "A" * 86 + "=="},
    }

    @pytest.mark.parametrize(
        "text",
        [
            dump_yaml(DRAFT),
            dump_yaml(dict(reversed(DRAFT.items()))),
            "{after: x, part: y, pbem: 1}",
            'pbem: 2\n"part": []\nlog: []\n',
            "# to you\r\n---\r\npart: [\r\n",
        ],
        ids=["as written", "backwards", "on one line", "in a newer form", "cut off"],
    )
    def test_a_draft(self, text: str) -> None:
        assert is_draft(text.encode())

    @pytest.mark.parametrize(
        "text",
        [
            "pbem: 1\nlog: []\npart: {}\n",
            "pbem: 1\npbem: 1\npart: {}\n",
            "pbem: 1\nafter: {}\n",
            "pbem: [\npart: {}\n",
            "- part: {}\n",
            "part\n",
            "",
        ],
        ids=["a log first", "a key twice", "no part", "no YAML before it", "a list", "a word", "nothing"],
    )
    def test_no_draft(self, text: str) -> None:
        assert not is_draft(text.encode())

    def test_neither_a_game_nor_a_part_of_a_log(self) -> None:
        assert not is_draft(sample_file())
        assert not is_draft(segment_bytes(self.AFTER, sample_log()[4:]))

    def test_of_64_kib_at_most(self) -> None:
        text = dump_yaml(self.DRAFT).encode()
        assert is_draft(text.ljust(64 * 1024, b"\n"))
        assert not is_draft(text.ljust(64 * 1024 + 1, b"\n"))


class TestLinks:
    """Each entry has its number and the id of the one before; entry 0 is the offer, entry 1 the accept."""

    def failure(self, entries: tuple[Entry, ...]) -> VerificationError:
        with pytest.raises(VerificationError) as caught:
            check_links(entries)
        assert caught.value.step == 3
        return caught.value

    def changed(self, n: int, **keys: Plain) -> tuple[Entry, ...]:
        """The sample log with other keys in entry n."""
        entry = parse_entry(sample_log()[n].raw | keys, f"log[{n}]")
        return (*sample_log()[:n], entry, *sample_log()[n + 1 :])

    @pytest.mark.parametrize("length", range(1, 12))
    def test_every_beginning_of_a_log_holds(self, length: int) -> None:
        check_links(sample_log()[:length])

    def test_an_entry_left_out(self) -> None:
        error = self.failure(sample_log()[:4] + sample_log()[5:])
        assert (error.entry, str(error.problem)) == (4, "this should be n: 4, not n: 5")
        assert str(error) == "entry 4 is missing from this file: ask for it again"

    def test_the_last_entry_alone(self) -> None:
        error = self.failure(sample_log()[-1:])
        assert (
            str(error) == f"entries 0 to {len(sample_log()) - 2} are missing from this file: ask for it again"
        )

    def test_two_entries_exchanged(self) -> None:
        log = sample_log()
        error = self.failure((*log[:4], log[5], log[4], *log[6:]))
        assert (error.entry, str(error)) == (4, "step 3, log[4]: this should be n: 4, not n: 5")

    def test_an_entry_twice(self) -> None:
        assert self.failure(sample_log()[:5] + sample_log()[4:]).entry == 5

    def test_a_changed_entry_breaks_the_next_link(self) -> None:
        error = self.failure(self.changed(3, say="something else"))
        assert (error.entry, str(error.found)) == (4, f"prev: {IDS[3]}")
        assert str(error.expected).startswith("prev: ")

    def test_a_changed_last_entry_breaks_no_link(self) -> None:
        check_links(self.changed(10, say="something else"))

    def test_a_changed_signature_breaks_no_link(self) -> None:
        check_links(self.changed(3, sig="A" * 86 + "=="))

    def test_a_wrong_link(self) -> None:
        error = self.failure(self.changed(4, prev=IDS[2]))
        assert (error.entry, str(error.expected), str(error.found)) == (
            4,
            f"prev: {IDS[3]}",
            f"prev: {IDS[2]}",
        )

    def test_a_missing_link(self) -> None:
        log = sample_log()
        unlinked = parse_entry({key: item for key, item in log[4].raw.items() if key != "prev"}, "log[4]")
        error = self.failure((*log[:4], unlinked, *log[5:]))
        assert (error.entry, str(error.found)) == (4, "prev: absent")

    def test_a_link_before_the_first_entry(self) -> None:
        error = self.failure(self.changed(0, prev="ab" * 32))
        assert (error.entry, str(error.expected)) == (0, "prev: absent")

    def test_an_entry_of_another_game(self) -> None:
        other = sign_entries(unsigned(0) | {"game": "ff" * 16}, unsigned(1))
        assert self.failure((sample_log()[0], other[1])).entry == 1

    def test_the_first_entry_is_an_offer(self) -> None:
        error = self.failure(sign_entries(unsigned(10)))
        assert (error.entry, str(error.expected), str(error.found)) == (0, "an offer", "kind: resign")

    @pytest.mark.parametrize("second", [0, 10])
    def test_the_second_entry_is_an_accept(self, second: int) -> None:
        error = self.failure(sign_entries(unsigned(0), unsigned(second)))
        assert (error.entry, str(error.expected)) == (1, "an accept")

    @pytest.mark.parametrize("third", [0, 1])
    def test_there_is_one_offer_and_one_accept(self, third: int) -> None:
        error = self.failure(sign_entries(unsigned(0), unsigned(1), unsigned(third)))
        assert (error.entry, str(error.expected)) == (2, "neither an offer nor an accept")
