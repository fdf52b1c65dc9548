"""Texts between quotation marks in typed orders, as telephones write them."""

from __future__ import annotations

import pytest

from pbem.core.phrases import phrases, quote, split_orders, strip_comment


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("a; b # c; d", ["a", "b"]),
        ('a "b; c"; d', ['a "b; c"', "d"]),
        ("a “b; c # d”; e", ["a “b; c # d”", "e"]),
        ("a „b; c“; d", ["a „b; c“", "d"]),
        ("a «b; c»; d", ["a «b; c»", "d"]),
        ('a "b; c', ['a "b; c']),  # an open one goes on to the end of its line
        ('a "b\nc; d', ['a "b', "c", "d"]),
        ("", []),
        (" ;; # nothing", []),
    ],
)
def test_split_orders(line: str, orders: list[str]) -> None:
    assert split_orders(line) == orders


def test_a_comment_begins_outside_quotation_marks() -> None:
    assert strip_comment('note "a # b" # c') == 'note "a # b"'


def test_words_and_texts() -> None:
    [phrase] = phrases(['note "Verdun, 3:1; +1" from red, green'])
    assert phrase.text("") == "note"
    text = phrase.next("")
    assert (text.text, text.quoted, text.line[text.start : text.end]) == (
        "Verdun, 3:1; +1",
        True,
        '"Verdun, 3:1; +1"',
    )
    assert phrase.takes("from")
    assert [phrase.next("").text, phrase.next("").text] == ["red", "green"]


def test_a_text_without_marks_keeps_its_commas_up_to_a_small_word() -> None:
    [phrase] = phrases(["Verdun, 3:1 for ops"])
    assert phrase.text("", "for") == "Verdun, 3:1"
    assert phrase.takes("for")


def test_a_quoted_small_word_is_text() -> None:
    [phrase] = phrases(['"for" x'])
    assert not phrase.takes("for")


@pytest.mark.parametrize("text", ["plain", 'with "marks"', "«mixed” ones"])
def test_quoted_text_is_read_back_as_one(text: str) -> None:
    [phrase] = phrases([quote(text)])
    assert phrase.next("").quoted
    assert not phrase.goes_on
