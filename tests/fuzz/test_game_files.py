"""Whatever bytes come in: an answer or a `PbemError`, no other exception. `PBEM_LONG=1` tries far more."""

from __future__ import annotations

import os
import random

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from journal.games import plain_values, sample_file

from pbem.errors import PbemError
from pbem.journal import strict
from pbem.journal.document import check_links, read_document
from pbem.journal.emit import write_yaml
from pbem.journal.plain import Plain
from pbem.journal.strict import read_yaml

LONG = os.environ.get("PBEM_LONG") == "1"
EXAMPLES = 10_000 if LONG else 300
MUTANTS = 10_000 if LONG else 500

SIGNS = r"""
- ? : , [ ] { } & * # | > @ ` % ! !! !<x> &a *a << ~ = --- ... "a" 'b' "\ud800" "\U00110000" "\UFFFFFFFF"
"\x0" " ' |2 |- >+ |9 %YAML %TAG %FOO 1.2 y n null true -0 1e3 0x1 log pbem: a: b :c é \ "\
"""
PIECES = [*SIGNS.split(), "\u2028", "\ufeff", "\x00", "\x85", "\U0001f600"]
YAMLISH = st.lists(
    st.sampled_from([*PIECES, " ", "  ", "\n", "\n  ", "\r\n", "\t"]) | st.text(max_size=3)
).map("".join)

checked = settings(max_examples=EXAMPLES, suppress_health_check=[HealthCheck.too_slow], deadline=None)


def judge(data: bytes) -> None:
    """Read as far as it goes; an error must be one of ours, on one line, and short."""
    problem = "none"
    try:
        check_links(read_document(data).entries)
    except PbemError as error:
        problem = str(error)
    assert problem.isprintable()
    assert len(problem) < 400


@checked
@given(st.binary(max_size=300))
def test_bytes(data: bytes) -> None:
    judge(data)


@checked
@given(YAMLISH)
def test_text_that_looks_like_yaml(text: str) -> None:
    judge(text.encode())


@checked
@given(YAMLISH)
def test_text_that_looks_like_yaml_without_libyaml(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(strict, "_LOADER", yaml.SafeLoader)
        judge(text.encode())


@checked
@given(YAMLISH)
def test_an_accepted_text_means_what_an_ordinary_reader_says(text: str) -> None:
    """Strictness refuses; it never reads something else. What is accepted is also written and read again."""
    try:
        value = read_yaml(text.encode())
    except PbemError:
        return
    assert yaml.load(text.removeprefix("\ufeff"), Loader=yaml.CSafeLoader) == value
    assert read_yaml(write_yaml({"k": value}).encode()) == {"k": value}


@checked
@given(st.dictionaries(st.sampled_from(["pbem", "log", "status", "board", "x"]), plain_values() | st.just(1)))
def test_documents_of_any_values(value: dict[str, Plain]) -> None:
    judge(write_yaml(value).encode())


@pytest.mark.parametrize("seed", range(4))
def test_a_game_file_with_changed_bytes(seed: int) -> None:
    source = random.Random(seed)
    whole = sample_file()
    for _ in range(MUTANTS):
        data = bytearray(whole)
        for _ in range(source.randint(1, 4)):
            _change(data, source)
        judge(bytes(data))


def _change(data: bytearray, source: random.Random) -> None:
    """Overwrite, remove, insert or repeat some bytes somewhere."""
    at = source.randrange(len(data))
    length = source.choice([1, 1, 1, 2, 8, 100])
    kind = source.randrange(4)
    if kind == 0:
        data[at : at + length] = source.randbytes(length)
    elif kind == 1:
        del data[at : at + length]
    elif kind == 2:
        data[at:at] = source.choice(PIECES).encode() * length
    else:
        data[at:at] = data[at : at + length]
