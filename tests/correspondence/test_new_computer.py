"""A new computer with the player's key, and a new address of one of the players."""

from __future__ import annotations

import mailbox
import shutil
from pathlib import Path

import pytest

from pbem.correspondence.autoplay_by_mail import sign_and_mail_automatic_moves
from pbem.correspondence.contacts import Contacts
from pbem.errors import UnknownGame
from pbem.mail.settings import MailSettings
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions
from pbem.umpire.game_facts import address_of
from pbem.umpire.game_state import Game
from support.correspondents import (
    ANNA,
    BRUNO,
    Correspondent,
    begin_game,
    make_correspondents,
    play_share_and_orders,
    stored_game,
)
from support.mail_answers import game_asking_anna
from support.simulator import mailed_file
from support.terminal import Lines

NEW = "bruno@example.net"


@pytest.fixture
def both(tmp_path: Path) -> tuple[Correspondent, Correspondent]:
    return make_correspondents(tmp_path)


@pytest.fixture
def elsewhere(both: tuple[Correspondent, Correspondent], tmp_path: Path) -> Correspondent:
    """Anna's new computer: her key, and nothing else."""
    home = tmp_path / "laptop" / "home"
    home.mkdir(parents=True)
    shutil.copy(both[0].local_player.key_path, home / "key")
    return Correspondent("Anna", LocalPlayer(home), tmp_path / "laptop" / "game.yaml")


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A Maildir."""
    return Path(str(mailbox.Maildir(tmp_path / "box")._path))


def arrive(box: Path, game: Game) -> None:
    text = f"From: {BRUNO}\nTo: {ANNA}\nSubject: Mortain\n\n".encode() + mailed_file(game)
    (box / "new" / f"{len(game.entries)}.host").write_bytes(text)


class TestANewComputer:
    def test_is_told_shows_the_game_and_signs_nothing(
        self,
        both: tuple[Correspondent, Correspondent],
        elsewhere: Correspondent,
        box: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        game = begin_game(both[0].person(), both[1].person())
        arrive(box, game)
        assert elsewhere.type("mail", "fetch", "--from", str(box)) == 0
        told = " ".join(capsys.readouterr()[0].split())
        assert "You might not have the newest state of game" in told
        assert "if two computers answer the same mail, they sign two different histories" in told
        assert "To continue it here: pbem mail fetch --newest" in told
        assert stored_game(elsewhere).ids == game.ids
        assert elsewhere.type("show", game.ids[0][:8]) == 0
        assert elsewhere.type("move", game.ids[0][:8], "pass") == 1
        assert stored_game(elsewhere).ids == game.ids

    def test_goes_on_once_it_is_taken_up(
        self, both: tuple[Correspondent, Correspondent], elsewhere: Correspondent, box: Path
    ) -> None:
        game = game_asking_anna(*both)
        arrive(box, game)
        assert elsewhere.type("mail", "fetch", "--from", str(box), "--newest") == 0
        assert elsewhere.type("move", game.ids[0][:8], "pass") == 0
        assert len(stored_game(elsewhere).entries) > len(game.entries)

    @pytest.mark.thorough
    @pytest.mark.parametrize("word", ["yes", "no"])
    def test_is_asked_at_a_terminal(
        self, word: str, both: tuple[Correspondent, Correspondent], elsewhere: Correspondent, box: Path
    ) -> None:
        """What would be wrong with two computers is said before; without a yes nothing may be signed here."""
        game = game_asking_anna(*both)
        arrive(box, game)
        home = {"PBEM_HOME": str(elsewhere.local_player.home)}
        terminal = Lines(elsewhere.file.parent, "mail", "fetch", "--from", str(box), **home)
        try:
            before = " ".join(terminal.read_to("on this computer? [y/n]: ").split())
            assert "You might not have the newest state of game" in before
            assert "if two computers answer the same mail, they sign two different histories" in before
            terminal.type(word)
            terminal.read_to_end()
            assert terminal.process.wait() == 0
        finally:
            terminal.close()
        assert elsewhere.local_player.store.unconfirmed.has(game.ids[0]) == (word == "no")
        assert elsewhere.type("move", game.ids[0][:8], "pass") == (word == "no")

    def test_watch_answers_nothing_there(
        self, both: tuple[Correspondent, Correspondent], elsewhere: Correspondent, box: Path, tmp_path: Path
    ) -> None:
        game = begin_game(*(one.person() for one in both))
        while not (
            game.state.writer == "german" and permissions.has_forced_entry(game, both[0].local_player.key)
        ):
            game = play_share_and_orders(game, both[game.state.writer == "us"].person())
        arrive(box, game)
        assert elsewhere.type("mail", "fetch", "--from", str(box)) == 0
        player = elsewhere.local_player
        Contacts(player).confirm(Contacts(player).opponent(game), BRUNO)
        (answer,) = sign_and_mail_automatic_moves(player, MailSettings(address=ANNA), tmp_path, now(), 9)
        assert isinstance(answer.failure, UnknownGame)
        assert (answer.has_new_entry, answer.mailed) == (False, False)

    def test_without_a_key_one_is_made(
        self,
        both: tuple[Correspondent, Correspondent],
        box: Path,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        carla = Correspondent("Carla", LocalPlayer(tmp_path / "carla"), tmp_path / "game.yaml")
        assert carla.type("mail", "fetch", "--from", str(box)) == 0
        assert "made a new key: SHA256:" in capsys.readouterr()[0]
        assert carla.local_player.has_key


class TestANewAddress:
    def test_goes_with_the_next_decision_and_counts(self, both: tuple[Correspondent, Correspondent]) -> None:
        """Signed by the key whose address was confirmed before: nobody is asked again."""
        anna, bruno = both
        game = game_asking_anna(anna, bruno)
        assert anna.type("mail", "address", "anna@example.net") == 0
        assert anna.type("move", game.ids[0][:8], "pass") == 0
        after = stored_game(anna)
        assert after.entries[len(game.entries)].raw["x"] == {"mail": "anna@example.net"}
        assert address_of(after, "german") == "anna@example.net"
        contacts = Contacts(bruno.local_player)
        contacts.confirm(contacts.opponent(game), ANNA)
        found = contacts.opponent(after)
        assert (found.address, found.confirmed) == ("anna@example.net", True)
        contacts.confirm(found, "anna@elsewhere.org")
        assert contacts.opponent(after).address == "anna@elsewhere.org"

    def test_it_is_said_once(self, both: tuple[Correspondent, Correspondent]) -> None:
        anna, bruno = both
        game = game_asking_anna(anna, bruno)
        anna.type("mail", "address", "anna@example.net")
        anna.type("move", game.ids[0][:8], "pass")
        after = play_share_and_orders(stored_game(anna), bruno.person())
        anna.save(after)
        anna.type("resign", game.ids[0][:8], "--yes")
        assert all("x" not in one.raw for one in stored_game(anna).entries[len(game.entries) + 1 :])

    @pytest.mark.parametrize("claimed", ["eve@example.org, bruno@example.org", "x" * 300, 7, "a b@c"])
    def test_what_is_no_address_changes_nothing(
        self, both: tuple[Correspondent, Correspondent], claimed: object
    ) -> None:
        anna, bruno = both
        game = game_asking_anna(anna, bruno)
        forged = replace_claim(game, anna, claimed)
        contacts = Contacts(bruno.local_player)
        contacts.confirm(contacts.opponent(game), ANNA)
        assert contacts.opponent(forged) == contacts.opponent(game)
        assert contacts.opponent(forged).confirmed

    def test_an_address_never_confirmed_is_asked_about(
        self, both: tuple[Correspondent, Correspondent]
    ) -> None:
        """His word says where he gets his mail; whether to write there at all the player has said once."""
        anna, bruno = both
        game = game_asking_anna(anna, bruno)
        moved = replace_claim(game, anna, "anna@example.net")
        assert not Contacts(bruno.local_player).opponent(moved).confirmed


def replace_claim(game: Game, player: Correspondent, mail: object) -> Game:
    """The game with a pass that claims an address, whatever it is."""
    from pbem.umpire import write

    return write.play(game, player.local_player.key, [{"pass": True}], claim=write.Claim(mail=mail))  # type: ignore[arg-type]
