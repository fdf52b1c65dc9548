"""Whatever bytes come in: an answer or a `PbemError`, no other exception. `PBEM_LONG=1` tries far more.

Finished games are changed and verified whole: `PBEM_FILES=100000 PBEM_SEED=7` says how many, and which.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator

import pytest
import yaml
from amounts import some
from hypothesis import given, settings
from hypothesis import strategies as st
from journal.games import plain_values, sample_file
from umpire.shared import KEYS, before_sealing, chosen, moving

from fuzz.mutants import (
    NAMES,
    REFUSED,
    SEEDS,
    Tally,
    change_bytes,
    mutant,
    mutant_of,
    mutant_of_a_part,
)
from fuzz.pieces import PIECES
from pbem.core.requests import Orders
from pbem.errors import PbemError
from pbem.journal import events
from pbem.journal.document import check_links, read_entries
from pbem.journal.draft import read_draft, write_draft
from pbem.journal.emit import write_yaml
from pbem.journal.plain import Plain
from pbem.journal.strict import read_yaml
from pbem.journal.text import decode
from pbem.mail.sources import received
from pbem.umpire.drafts import Post, check, own_share, sign
from pbem.umpire.game import Game
from pbem.umpire.verify import open_game
from pbem.web.document import is_ours
from pbem.web.page import page

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


@pytest.mark.thorough
def test_a_changed_draft_is_the_commanders_own_or_refused() -> None:
    """Drafts of orders, of none, and of a set-up (FORMAT 11)."""
    source, accepted = random.Random(f"{SEED} draft"), 0
    drafts = [(game, sign(game, KEYS["italian"], Post("axis", 0), orders)) for game, orders in ordered()]
    for _ in range(FILES // 4):
        game, honest = source.choice(drafts)
        problem = "none"
        try:
            found = read_draft(mutant_of(write_draft(honest), source))
            check(game, game.table, found)
        except PbemError as error:
            problem = str(error)
        else:
            assert found == honest
            accepted += 1
        assert problem.isprintable()
        assert len(problem) < 1000
    assert FILES / 1000 < accepted < FILES / 8


def ordered() -> Iterator[tuple[Game, Orders]]:
    """Games in which the Axis is asked, with what its commander of the Italians orders."""
    for game in (before_sealing(), moving()):
        orders = own_share(game, Post("axis", 0), chosen(game))
        yield from ((game, orders), (game, []))


@pytest.mark.thorough
@pytest.mark.parametrize("name", [pytest.param("commanders", marks=pytest.mark.long), "mortain-it-exits"])
def test_a_changed_page_is_no_other_game(name: str) -> None:
    """A page brings no game but its own to a reader of mails; what it proves, its checker says."""
    source = random.Random(f"{SEED} page {name}")
    whole, tally = page(open_game(SEEDS[name].read_bytes())), Tally()
    for _ in range(FILES // 40):
        data = mutant_of(whole, source)
        assert is_ours(data) or data[:60] != whole[:60]
        for candidate in received(data, "a page").finding.candidates:
            tally.judge(name, candidate.data)
    assert tally.steps.total() < FILES
