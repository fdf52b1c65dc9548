"""The contract that every installed game keeps, by random play. See `random_play` for what is checked.

`PBEM_LONG=1` plays many more of each; how many, the game's own contract module may say.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from pbem.games import all_versions, load, names, pins
from pbem.texts import LANGUAGES, speaking
from support.no_language import forbid_translation
from support.playout import contract, games_to_play, met_of, play, set_up
from support.processes import run_python
from support.random_play import check_game, ships_well

LONG = os.environ.get("PBEM_LONG") == "1"
CHUNKS = 20
FIRST = 1
"""How many of the chunks are always played."""


@pytest.mark.parametrize("name", [pin for name in names() for pin in all_versions(name)])
class TestEveryGame:
    """What `pbem.core.rules.Rules` promises, of each version."""

    @pytest.mark.parametrize(
        "chunk",
        [
            *range(FIRST),
            *(pytest.param(chunk, marks=pytest.mark.long) for chunk in range(FIRST, CHUNKS)),
        ],
    )
    def test_random_games_hold(self, name: str, chunk: int) -> None:
        for seed in range(chunk, games_to_play(name, long=LONG), CHUNKS):
            try:
                check_game(name, seed)
            except Exception as failure:
                again = f"cd tests && python -m support.random_play {name} {seed}"
                raise AssertionError(f"game {seed} fails; again: {again}") from failure

    def test_what_ships_can_be_read_and_played(self, name: str) -> None:
        ships_well(name)

    def test_rules_speak_no_language(self, name: str) -> None:
        moves = 0
        for seed in range(3):
            chooser = Random(seed)
            setup = set_up(name, chooser)
            with forbid_translation():
                moves += len([*play(setup, chooser)])
        assert moves

    @pytest.mark.thorough
    def test_states_are_the_same_in_every_language(self, name: str) -> None:
        ends = []
        for language in LANGUAGES:
            with speaking(language):
                chooser = Random(1)
                ends.append([(move.ask.state, move.told) for move in play(set_up(name, chooser), chooser)])
        assert all(one == ends[0] for one in ends)

    @pytest.mark.thorough
    def test_random_games_meet_every_rule_that_tells(self, name: str) -> None:
        met: set[tuple[str, str]] = set()
        for seed in range(games_to_play(name, long=LONG)):
            chooser = Random(seed)
            for move in play(set_up(name, chooser), chooser):
                met.add(("asked", move.ask.rule))
                met.update((tell.event, tell.rule) for tell in move.told)
            if met >= met_of(load(name)):
                break
        assert met == met_of(load(name))

    def test_every_option_is_played(self, name: str) -> None:
        for edition in load(name).editions.values():
            assert contract(name).OPTIONS.keys() >= edition.keys()
            assert contract(name).OPTIONS.keys() == edition.keys() or load(name).later

    @pytest.mark.thorough
    def test_games_are_the_same_under_another_hash_seed(self, name: str) -> None:
        assert _digest(name, hash_seed="1") == _digest(name, hash_seed="2")


def _digest(name: str, hash_seed: str) -> str:
    """What a process with this hash seed makes of the same games."""
    done = run_python("-m", "support.random_play", name, "0", "3", PYTHONHASHSEED=hash_seed)
    done.check_returncode()
    return done.stdout


def test_the_pins_are_those_of_the_rules() -> None:
    """Those of the built-in games stand in a table, so that `--version` loads none."""
    for name in names():
        assert list(pins(name)) == list(all_versions(name))
