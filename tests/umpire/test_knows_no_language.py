"""Nothing below the surfaces knows a language: why a game has ended is data until somebody reads it.

That refusals are so as well, `umpire.attacks` and the cases of the rules hold.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.texts import LANGUAGES, speaking
from pbem.umpire.next_duty import next_duty
from pbem.umpire.verify import open_game
from support.no_language import forbid_translation

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.yaml"))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_a_game_is_opened_where_nobody_reads(file: Path) -> None:
    with forbid_translation():
        assert opened(file.read_bytes())


@pytest.mark.thorough
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_a_game_is_the_same_whoever_opens_it(file: Path) -> None:
    data, found = file.read_bytes(), []
    for language in LANGUAGES:
        with speaking(language):
            found.append(opened(data))
    assert all(one == found[0] for one in found)


def test_an_end_is_said_to_whoever_reads() -> None:
    game = open_game((EXAMPLES[0].parent / "mortain-it-exits.yaml").read_bytes())
    assert game.state.ending is not None
    said = []
    for language in LANGUAGES:
        with speaking(language):
            said.append(str(game.state.ending.reason))
    assert len({*said}) == len(LANGUAGES)
    assert said[0] == "M8.3: five German units have exited"


def opened(data: bytes) -> list[Any]:
    """What opening a game comes to."""
    game = open_game(data)
    chapters = [(one.entry, one.events, one.beat, one.state) for one in game.replayed_entries]
    return [chapters, game.state.ending, game.state.proposal, next_duty(game.state)]
