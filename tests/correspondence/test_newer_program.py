"""What a newer program has written is told as such: which program it needs; and nothing is touched."""

from __future__ import annotations

import mailbox
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem import __version__
from pbem.base.home import LAYOUT
from pbem.correspondence.fetch import fetch_mails
from pbem.errors import NewerNeeded
from pbem.format.document import parse_draft
from pbem.mail.mailbox import Maildir
from pbem.umpire.game_state import Game
from support.correspondents import Correspondent, begin_game, play_share_and_orders
from support.simulator import mailed_file

pytestmark = pytest.mark.thorough

NEWER: dict[str, tuple[str, str, str]] = {
    "format 2": ("pbem: 1", "pbem: 2", "this game file has version 2; pbem reads version 1"),
    "an extension": ("    kind: accept", "    needs: [fog]\n    kind: accept", "needs extension 'fog'"),
    "rules": ("rules: mortain/1", "rules: mortain/9", "needs the rules 'mortain/9'"),
}
"""What stands in a file, what a later program has written in its place, and what is told."""

NEEDED = f"this needs a newer pbem than yours, which is {__version__}"


@pytest.fixture
def running_game(anna: Correspondent, bruno: Correspondent) -> Game:
    """Both have it on their shelves, and Bruno in his file; Anna is to move."""
    game = begin_game(anna.person(), bruno.person())
    anna.save(game)
    return bruno.save(game)


def by_a_newer_program(game: Game, old: str, new: str) -> bytes:
    """The file of a game as a later program might write it."""
    text = mailed_file(game).decode()
    assert old in text
    return text.replace(old, new, 1).encode()


def everything(folder: Path) -> dict[Path, bytes]:
    """Every file below a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("what", NEWER)
@pytest.mark.parametrize(
    "command", ["show", "verify", "join", "move", "moves", "log", "page", "plan", "resign"]
)
def test_a_file(
    what: str,
    command: str,
    anna: Correspondent,
    bruno: Correspondent,
    running_game: Game,
    capsys: pytest.CaptureFixture[str],
) -> None:
    old, new, told = NEWER[what]
    newer = by_a_newer_program(play_share_and_orders(running_game, anna.person()), old, new)
    bruno.file.write_bytes(newer)
    before = everything(bruno.file.parent)
    assert bruno.type(command, bruno.file.name) == 1
    said = " ".join(" ".join(capsys.readouterr()).split())
    assert told in said
    assert NEEDED in said
    assert everything(bruno.file.parent) == before


@pytest.mark.parametrize("what", NEWER)
def test_a_mail(
    what: str, anna: Correspondent, bruno: Correspondent, running_game: Game, tmp_path: Path
) -> None:
    """It is set aside, no alarm; the game is as it was; and the copy is the mail, for that newer program."""
    old, new, told = NEWER[what]
    message = EmailMessage()
    message["Subject"] = "my move"
    message.set_content("Here it is.")
    newer = by_a_newer_program(play_share_and_orders(running_game, anna.person()), old, new)
    message.add_attachment(newer, maintype="application", subtype="yaml", filename="g.yaml")
    mailbox.Maildir(tmp_path / "mail")
    (tmp_path / "mail" / "new" / "1700000000.host").write_bytes(message.as_bytes())
    before = everything(bruno.local_player.home / "games") | {bruno.file: bruno.file.read_bytes()}
    with Maildir(tmp_path / "mail") as box:
        (arrival,) = fetch_mails(bruno.local_player, box, bruno.file.parent)
    assert (arrival.quarantined, arrival.alarm, arrival.file) == (True, False, None)
    assert told in str(arrival.verdict.damage)
    assert NEEDED in str(arrival.verdict.damage)
    assert {path: path.read_bytes() for path in before} == before
    (copy,) = (bruno.local_player.home / "mail" / "set-aside").iterdir()
    assert copy.read_bytes() == message.as_bytes()


def test_a_draft() -> None:
    with pytest.raises(NewerNeeded, match="has version 2"):
        parse_draft(b"pbem: 2\nafter: {}\npart: {}\n")


def later_layout(folder: Path) -> None:
    (folder / "layout").write_text(f"{LAYOUT + 1}\n")


def unknown_layout(folder: Path) -> None:
    (folder / "layout").write_bytes(b"\xff\x00")


@pytest.mark.parametrize("write", [later_layout, unknown_layout])
@pytest.mark.parametrize(
    "command",
    [
        "",
        "games",
        "show",
        "show game.yaml",
        "move game.yaml pass",
        "join game.yaml",
        "verify game.yaml",
        "key",
        "new mortain other.yaml --seat german",
        "plan game.yaml",
        "undo",
        "mail fetch",
        "mail watch",
        "mail send game.yaml",
        "play game.yaml",
    ],
)
def test_a_home_folder(
    command: str,
    write: Callable[[Path], None],
    bruno: Correspondent,
    running_game: Game,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(bruno.local_player.home)
    before = everything(bruno.file.parent)
    assert bruno.type(*command.split()) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert f"{bruno.local_player.home} was written by a newer pbem" in said
    assert NEEDED in said
    assert everything(bruno.file.parent) == before


def test_a_home_folder_of_ones_own_layout(bruno: Correspondent, running_game: Game) -> None:
    (bruno.local_player.home / "layout").write_text(f"{LAYOUT}\n")
    assert bruno.type("games") == 0
