"""Whatever bytes come in: an answer or a `PbemError`, no other exception. `PBEM_LONG=1` tries far more.

Finished games are changed and verified whole: `PBEM_FILES=100000 PBEM_SEED=7` says how many, and which.
"""

from __future__ import annotations

import os
import random
import sys

import pytest
import yaml
from amounts import some
from hypothesis import given, settings
from hypothesis import strategies as st
from journal.games import plain_values, sample_file

from fuzz.mutants import NAMES, REFUSED, Tally, change_bytes, mutant, mutant_of_a_part
from fuzz.pieces import PIECES
from pbem.errors import PbemError
from pbem.journal import events
from pbem.journal.document import check_links, read_entries
from pbem.journal.emit import write_yaml
from pbem.journal.plain import Plain
from pbem.journal.strict import read_yaml
from pbem.journal.text import decode

pytestmark = pytest.mark.thorough

LONG = os.environ.get("PBEM_LONG") == "1"
EXAMPLES = 10_000 if LONG else 100
MUTANTS = 10_000 if LONG else 200

YAMLISH = st.lists(
    st.sampled_from([*PIECES, " ", "  ", "\n", "\n  ", "\r\n", "\t"]) | st.text(max_size=3)
).map("".join)

FILES = int(os.environ.get("PBEM_FILES", "100000" if LONG else "2000"))
SEED = int(os.environ.get("PBEM_SEED", "0"))

checked = settings(max_examples=EXAMPLES)


def judge(data: bytes) -> None:
    """Read as far as it goes; an error must be one of ours, on one line, and short."""
    problem = "none"
    try:
        check_links(read_entries(read_yaml(data)).entries)
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
        patch.setattr(events, "LOADER", yaml.SafeLoader)
        judge(text.encode())


@checked
@given(YAMLISH)
def test_an_accepted_text_means_what_an_ordinary_reader_says(text: str) -> None:
    """Strictness refuses; it never reads something else. What is accepted is also written and read again."""
    try:
        value = read_yaml(text.encode())
    except PbemError:
        return
    assert yaml.load(decode(text.encode()), Loader=yaml.CSafeLoader) == value
    assert read_yaml(write_yaml({"k": value}).encode()) == {"k": value}


@checked
@given(st.dictionaries(st.sampled_from(["pbem", "log", "status", "board", "x"]), plain_values() | st.just(1)))
def test_documents_of_any_values(value: dict[str, Plain]) -> None:
    judge(write_yaml(value).encode())


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 4))]
)
def test_a_game_file_with_changed_bytes(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(MUTANTS):
        judge(change_bytes(sample_file(), source))


@pytest.mark.thorough
@pytest.mark.parametrize("name", some(NAMES, 2))
def test_nothing_but_a_beginning_of_a_finished_game_is_accepted(name: str) -> None:
    source = random.Random(f"{SEED} {name}")
    tally = Tally()
    for _ in range(FILES // len(NAMES)):
        tally.judge(name, mutant(name, source))
    sys.stdout.write(f"{name}: {sorted(tally.steps.items())}\n")
    assert tally.steps.total() == FILES // len(NAMES)
    assert {1, 2, 3} <= tally.steps.keys()


@pytest.mark.thorough
@pytest.mark.parametrize("name", some(NAMES, 2))
def test_nothing_is_accepted_behind_a_finished_game_that_is_not_its_own(name: str) -> None:
    """Parts of its log (FORMAT 10), changed."""
    source = random.Random(f"{SEED} part {name}")
    tally = Tally()
    for _ in range(FILES // len(NAMES) // 2):
        tally.judge_part(name, mutant_of_a_part(name, source))
    sys.stdout.write(f"{name}: {sorted(tally.steps.items())}\n")
    assert {0, 1, 2, 3, REFUSED} <= tally.steps.keys()
