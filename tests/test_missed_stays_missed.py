"""The bomb that missed stays a miss: orders taken back and given again, on every surface (FORMAT 12)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from correspondence.test_orders_by_reply import Desk
from pbem.correspondence.contacts import Contacts
from pbem.player.local_player import practice_player
from pbem.web.board_session import ActionRequest, BoardSession, SignRequest
from support.board_player import sign_at
from support.correspondents import BRUNO, Correspondent, make_correspondents, stored_game
from support.mail_answers import with_fixed_keys
from support.mail_provider import MailProvider, run_mail_provider
from support.missed_attacks import GAMES, MissedAttack, missed_attack
from support.terminal import ENTER, Screen


@pytest.fixture
def both(tmp_path: Path) -> tuple[Correspondent, Correspondent]:
    return with_fixed_keys(make_correspondents(tmp_path))


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def missed(name: str, both: tuple[Correspondent, Correspondent]) -> MissedAttack:
    """Anna is to decide; her program and her file have the game."""
    anna, bruno = both
    missed = missed_attack(name, anna.local_player.key, bruno.local_player.key)
    anna.save(missed.game)
    return missed


def grant(missed: MissedAttack, both: tuple[Correspondent, Correspondent]) -> None:
    """Bruno grants what Anna has proposed, and she has his file."""
    anna, bruno = both
    granted = missed.granted(stored_game(anna), bruno.local_player.key)
    missed.check_granted(granted)
    anna.save(granted)


def test_by_command(missed: MissedAttack, both: tuple[Correspondent, Correspondent]) -> None:
    anna, _ = both
    assert anna.type("propose", anna.file.name, "last") == 0
    grant(missed, both)
    assert anna.type("move", anna.file.name, *missed.words) == 0
    missed.check_ordered_again(stored_game(anna))


def test_at_the_board(missed: MissedAttack, both: tuple[Correspondent, Correspondent]) -> None:
    anna, _ = both
    board = BoardSession(anna.local_player, missed.game, anna.file)
    bound = board.state.bound
    shown = board.confirm(ActionRequest(bound, "takeback", entry=missed.entry))
    board.sign(SignRequest(bound, shown["digest"]))
    grant(missed, both)
    board = BoardSession(anna.local_player, stored_game(anna), anna.file)
    sign_at(board, "\n".join(missed.words))
    missed.check_ordered_again(stored_game(anna))


@pytest.fixture(scope="module")
def running() -> Iterator[MailProvider]:
    with run_mail_provider("anna", "bruno") as office:
        yield office


@pytest.mark.thorough
def test_by_mail(
    missed: MissedAttack, both: tuple[Correspondent, Correspondent], running: MailProvider
) -> None:
    anna, _ = both
    running.empty("anna", "bruno")
    running.serve(anna.local_player, "anna", maildir=True)
    contacts = Contacts(anna.local_player)
    contacts.confirm(contacts.opponent(missed.game), BRUNO)
    player = Desk(anna, running)
    player.watch()
    player.answers("propose last")
    player.answers("yes")
    grant(missed, both)
    player.watch()
    assert player.answers("now: " + "\n".join(missed.words)).startswith("[pbem] Done.")
    missed.check_ordered_again(stored_game(anna))


@pytest.mark.thorough
def test_at_the_prompt(name: str, both: tuple[Correspondent, Correspondent]) -> None:
    """In practice `undo` without orders takes the last ones back; the program grants it at once."""
    anna, _ = both
    player = anna.local_player
    missed = missed_attack(name, player.key, practice_player(player).key)
    anna.save(missed.game)
    terminal = Screen(anna.file.parent, 80, 40, "move", anna.file.name, PBEM_HOME=str(player.home))
    with closing(terminal) as screen:
        screen.wait_for("Order:")
        screen.type("undo" + ENTER)
        screen.wait_for("Sign and save?")
        screen.type("y" + ENTER)
        screen.wait_for("Order:", times=2)
        missed.check_granted(stored_game(anna))
        screen.type("quit" + ENTER)
        screen.wait_for_end()
    assert anna.type("move", anna.file.name, *missed.words) == 0
    missed.check_ordered_again(stored_game(anna))


def test_in_practice(name: str, both: tuple[Correspondent, Correspondent]) -> None:
    """`undo` proposes it there, and the program grants it at once."""
    anna, _ = both
    player = anna.local_player
    missed = missed_attack(name, player.key, practice_player(player).key)
    anna.save(missed.game)
    assert anna.type("undo", anna.file.name) == 0
    missed.check_granted(stored_game(anna))
    assert anna.type("move", anna.file.name, *missed.words) == 0
    missed.check_ordered_again(stored_game(anna))
