"""Two players, a game between them, and an authority for the certificates of their mail server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.correspondence.examiner import Examiner
from pbem.umpire.game_state import Game
from support.correspondents import Correspondent, begin_game, make_correspondents, play_share_and_orders
from support.mail_provider import MailProvider, run_mail_provider
from support.smtp_servers import Authority


@pytest.fixture(scope="session")
def examiner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Examiner]:
    """A process that reads answers, for which no player's home is needed."""
    with Examiner(tmp_path_factory.mktemp("nobody")) as examiner:
        yield examiner


@pytest.fixture(scope="module")
def running() -> Iterator[MailProvider]:
    with run_mail_provider("anna", "bruno") as office:
        yield office


@pytest.fixture
def office(running: MailProvider) -> MailProvider:
    """A provider where nobody has mail."""
    running.empty("anna", "bruno")
    return running


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.new(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def both(tmp_path: Path) -> tuple[Correspondent, Correspondent]:
    return make_correspondents(tmp_path)


@pytest.fixture
def anna(both: tuple[Correspondent, Correspondent]) -> Correspondent:
    return both[0]


@pytest.fixture
def bruno(both: tuple[Correspondent, Correspondent]) -> Correspondent:
    return both[1]


@pytest.fixture
def game(anna: Correspondent, bruno: Correspondent) -> Game:
    """Anna has moved, and not yet mailed it."""
    return anna.save(play_share_and_orders(begin_game(anna.person(), bruno.person()), anna.person()))
