"""Two players, a game between them, and an authority for the certificates of their mail server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from mail.smtpd import Authority

from correspondence.players import Player, begun, move, players
from correspondence.servers import PostOffice, post_office
from pbem.correspondence.judge_mail import Examiner
from pbem.umpire.game_state import Game


@pytest.fixture(scope="session")
def examiner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examiner]:
    """A process that reads answers, for which no player's home is needed."""
    with Examiner(tmp_path_factory.mktemp("nobody")) as examiner:
        yield examiner


@pytest.fixture(scope="module")
def running() -> Iterator[PostOffice]:
    with post_office("anna", "bruno") as office:
        yield office


@pytest.fixture
def office(running: PostOffice) -> PostOffice:
    """A provider where nobody has mail."""
    running.empty("anna", "bruno")
    return running


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.new(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def both(tmp_path: Path) -> tuple[Player, Player]:
    return players(tmp_path)


@pytest.fixture
def anna(both: tuple[Player, Player]) -> Player:
    return both[0]


@pytest.fixture
def bruno(both: tuple[Player, Player]) -> Player:
    return both[1]


@pytest.fixture
def game(anna: Player, bruno: Player) -> Game:
    """Anna has moved, and not yet mailed it."""
    return anna.save(move(begun(anna.person(), bruno.person()), anna.person()))
