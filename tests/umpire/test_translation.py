"""What is wrong with a game is said in the player's language: every attack once more, and what is owed.

Outside of the marks stand names alone: of seats, keys, kinds, values, and what the files hold.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pbem.format.document import whole_log_bytes
from pbem.texts import ENGLISH, speaking
from pbem.umpire.game_state import Game
from pbem.umpire.next_duty import next_duty
from pbem.umpire.verify import open_game
from support.attack_tables import Make, parametrize_attacks, refusal_of
from support.game_stages import (
    drawn_game,
    game_with_draw_proposed,
    game_with_open_beat,
    offered_game,
    resigned_game,
    started_game,
)
from support.marked_language import CLOSE, OPEN
from support.simulator import Log, append_forged, forge_file, log_of
from umpire import test_adversary_commanders, test_adversary_entries, test_adversary_terms

ADDED = (
    *test_adversary_entries.SHAPES,
    *test_adversary_entries.SEATS,
    *test_adversary_entries.SHARES,
    *test_adversary_entries.PROPOSALS,
    *test_adversary_entries.POSITIONS,
    *test_adversary_entries.ENDS[:-1],  # the last is told by the game's own rules
)
OFFERS = [(f"offer: {name}", 0, change) for name, change, *_ in test_adversary_terms.OFFERS]
ACCEPTS = [(f"accept: {name}", 1, change) for name, change, *_ in test_adversary_terms.ACCEPTS]

OF_THE_GAME = re.compile(r"scenario\.units: [^|]*|options\.\w+: [^|]*")
"""What the rules of a game say of its options and units, which is for its own tests."""


@pytest.mark.usefixtures("pseudo")
class TestRefusals:
    @parametrize_attacks(ADDED)
    def test_of_an_entry(self, attack: tuple[Callable[[], Game], Make, int, str]) -> None:
        game = made(attack[0])
        heard(append_forged(game, attack[1](game)))

    @parametrize_attacks((*OFFERS, *ACCEPTS))
    def test_of_terms(self, attack: tuple[int, Callable[[dict[str, Any]], object]]) -> None:
        n, change = attack
        log = log_of(made(started_game if n else offered_game))
        change(log[n])
        heard(forge_file(log))

    @parametrize_attacks(test_adversary_commanders.ATTACKS)
    def test_of_parts(
        self, attack: tuple[Callable[[], Game], Callable[[Log], object], int, int, str]
    ) -> None:
        log = log_of(made(attack[0]))
        attack[1](log)
        heard(forge_file(log))


def made(situation: Callable[[], Game]) -> Game:
    """A situation in English, for each is made once, and other tests have it too."""
    with speaking(ENGLISH):
        return situation()


def heard(data: bytes) -> None:
    """No words of a refusal are left in English."""
    error = refusal_of(data)
    assert english(f"{error} {error.hint}") == [], str(error)


def english(said: str) -> list[str]:
    """Outside of the marks, words in a row: names stand alone, or with commas between them."""
    rest = re.sub(f"{OPEN}[^{CLOSE}]*{CLOSE}", "|", said)
    return re.findall(r"[a-z]+ [a-z]+", OF_THE_GAME.sub("", rest))


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize(
    "situation", [started_game, game_with_open_beat, game_with_draw_proposed, resigned_game, drawn_game]
)
def test_what_is_owed(situation: Callable[[], Game]) -> None:
    opened = open_game(whole_log_bytes(made(situation).entries))
    assert english(str(next_duty(opened.state).text)) == []
