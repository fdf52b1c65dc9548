"""Whatever bytes come in: an answer or a `PbemError`, no other exception. `PBEM_LONG=1` tries far more.

Finished games are changed and verified whole: `PBEM_FILES=100000 PBEM_SEED=7` says how many, and which.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzz.clock import Clock, run_clocked
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
from pbem.format import strict_yaml
from pbem.format.document import Draft, check_links, draft_bytes, parse_document, parse_draft
from pbem.format.yaml_reader import parse_yaml
from pbem.format.yaml_text import Plain, decode_text
from pbem.format.yaml_writer import dump_yaml
from pbem.mail.parse_mail import parse_mail
from pbem.umpire.drafts import CommanderSeat, orders_within_command, sign_draft, verify_draft
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.web.game_page import game_page
from pbem.web.html_file import is_own_page
from support.commanders_game import KEYS, game_before_move, game_before_sealing, practice_orders
from support.markers import sample_rows
from support.sample_log import plain_values, sample_file

pytestmark = pytest.mark.thorough

LONG = os.environ.get("PBEM_LONG") == "1"
EXAMPLES = 10_000 if LONG else 100
MUTANTS = 10_000 if LONG else 200

YAMLISH = st.lists(
    st.sampled_from([*PIECES, " ", "  ", "\n", "\n  ", "\r\n", "\t"]) | st.text(max_size=3)
).map("".join)

FILES = int(os.environ.get("PBEM_FILES", "20000" if LONG else "2000"))
SEED = int(os.environ.get("PBEM_SEED", "0"))

checked = settings(max_examples=EXAMPLES)


def judge(data: bytes) -> None:
    """Read as far as it goes; an error must be one of ours, on one line, and short."""
    problem = "none"
    try:
        check_links(parse_document(parse_yaml(data)).entries)
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
        patch.setattr(strict_yaml, "LOADER", yaml.SafeLoader)
        judge(text.encode())


@checked
@given(YAMLISH)
def test_an_accepted_text_means_what_an_ordinary_reader_says(text: str) -> None:
    """Strictness refuses; it never reads something else. What is accepted is also written and read again."""
    try:
        value = parse_yaml(text.encode())
    except PbemError:
        return
    assert yaml.load(decode_text(text.encode()), Loader=yaml.CSafeLoader) == value
    assert parse_yaml(dump_yaml({"k": value}).encode()) == {"k": value}


@checked
@given(st.dictionaries(st.sampled_from(["pbem", "log", "status", "board", "x"]), plain_values() | st.just(1)))
def test_documents_of_any_values(value: dict[str, Plain]) -> None:
    judge(dump_yaml(value).encode())


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(1, 4))]
)
def test_a_game_file_with_changed_bytes(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(MUTANTS):
        judge(change_bytes(sample_file(), source))


@pytest.mark.thorough
@pytest.mark.parametrize("name", sample_rows(NAMES, 2))
def test_nothing_but_a_beginning_of_a_finished_game_is_accepted(name: str, tmp_path: Path) -> None:
    def work(clock: Clock) -> Counter[int]:
        source, tally = random.Random(f"{SEED} {name}"), Tally(clock)
        for _ in range(FILES // len(NAMES)):
            tally.judge(name, mutant(name, source))
        return tally.steps

    steps = run_clocked(tmp_path / "mutants", work)
    sys.stdout.write(f"{name}: {sorted(steps.items())}\n")
    assert steps.total() == FILES // len(NAMES)
    assert {1, 2, 3} <= steps.keys()


@pytest.mark.thorough
@pytest.mark.parametrize("name", sample_rows(NAMES, 2))
def test_nothing_is_accepted_behind_a_finished_game_that_is_not_its_own(name: str, tmp_path: Path) -> None:
    """Parts of its log (FORMAT 10), changed."""

    def work(clock: Clock) -> Counter[int]:
        source, tally = random.Random(f"{SEED} part {name}"), Tally(clock)
        for _ in range(FILES // len(NAMES) // 2):
            tally.judge_part(name, mutant_of_a_part(name, source))
        return tally.steps

    steps = run_clocked(tmp_path / "mutants", work)
    sys.stdout.write(f"{name}: {sorted(steps.items())}\n")
    assert {0, 1, 2, 3, REFUSED} <= steps.keys()


@pytest.mark.thorough
def test_a_changed_draft_is_the_commanders_own_or_refused(tmp_path: Path) -> None:
    """Drafts of orders, of none, and of a set-up (FORMAT 11)."""
    drafts = [
        (game, sign_draft(game, KEYS["italian"], CommanderSeat("axis", 0), orders))
        for game, orders in ordered()
    ]

    def is_accepted(game: Game, honest: Draft, data: bytes) -> bool:
        try:
            found = parse_draft(data)
            verify_draft(game, game.state, found)
        except PbemError as error:
            problem = str(error)
        else:
            assert found == honest
            return True
        assert problem.isprintable()
        assert len(problem) < 1000
        return False

    def work(clock: Clock) -> int:
        source, accepted = random.Random(f"{SEED} draft"), 0
        for _ in range(FILES // 4):
            game, honest = source.choice(drafts)
            data = mutant_of(draft_bytes(honest), source)
            accepted += clock.judge(data, partial(is_accepted, game, honest, data))
        return accepted

    assert FILES / 1000 < run_clocked(tmp_path / "mutants", work) < FILES / 8


def ordered() -> Iterator[tuple[Game, Orders]]:
    """Games in which the Axis is asked, with what its commander of the Italians orders."""
    for game in (game_before_sealing(), game_before_move()):
        orders = orders_within_command(game, CommanderSeat("axis", 0), practice_orders(game))
        yield from ((game, orders), (game, []))


@pytest.mark.thorough
@pytest.mark.parametrize("name", [pytest.param("commanders", marks=pytest.mark.long), "mortain-it-exits"])
def test_a_changed_page_is_no_other_game(name: str, tmp_path: Path) -> None:
    """A page brings no game but its own to a reader of mails; what it proves, its checker says."""
    whole = game_page(open_game(SEEDS[name].read_bytes()))

    def work(clock: Clock) -> int:
        source, tally = random.Random(f"{SEED} page {name}"), Tally(clock)
        for _ in range(FILES // 40):
            data = mutant_of(whole, source)
            assert clock.judge(data, partial(is_own_page, data)) or data[:60] != whole[:60]
            for candidate in clock.judge(data, partial(parse_mail, data, "a page")).finding.candidates:
                tally.judge(name, candidate.data)
        return tally.steps.total()

    assert run_clocked(tmp_path / "mutants", work) < FILES
