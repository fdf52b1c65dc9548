"""Two players, each with a home and a game file, and the `pbem` command as one of them types it."""

from __future__ import annotations

import email
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import shake_256
from pathlib import Path

import pytest
from msgspec import structs

from pbem.cli.app import run
from pbem.core.requests import Plain
from pbem.format.document import whole_log_bytes
from pbem.games.mortain import RULES
from pbem.mail.armour import blocks, unpack
from pbem.mail.settings import Account
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.log_segment import join_segment
from pbem.umpire.verify import open_game, parse_file
from pbem.umpire.write import Person
from support.simulator import SHORT, clock
from support.smtp_servers import Authority, ReceivedMails, Security, serve_smtp

ANNA, BRUNO = "anna@example.org", "bruno@example.org"
LASTING = {**SHORT, "turns": 3}
"""A game that no joker ends too soon."""


@dataclass(frozen=True)
class Correspondent:
    """A player: their local player, and the game file in their folder."""

    name: str
    local_player: LocalPlayer
    file: Path

    def person(self, *, name: str = "", mail: str = "") -> Person:
        """The player as somebody who takes a seat."""
        return Person(name or self.name, self.local_player.key, mail)

    def save(self, game: Game) -> Game:
        """Save the game in the store and in the file."""
        self.local_player.save(game, self.file, new=True)
        return game

    def type(self, *arguments: str) -> int:
        """Type a command in the player's folder. Returns its exit code."""
        return type_command(self.local_player, self.file.parent, *arguments)

    def settings(self, account: Account | None) -> None:
        """Write the player's config.yaml."""
        lines = ["mail:", f"  address: {self.name.lower()}@example.org"]
        if account:
            lines += [
                "  smtp:",
                f"    host: {account.host}",
                f"    port: {account.port}",
                f"    security: {account.security}",
                f"    user: {account.user}",
                f"    ca: '{account.ca}'",
                "    password_command:",
                *(f"      - {word!r}" for word in account.password_command),
            ]
        (self.local_player.home / "config.yaml").write_text("".join(f"{line}\n" for line in lines))

    def server(self, authority: Authority, port: int, security: Security = "tls") -> None:
        """Write settings for a server of the tests."""
        self.settings(authority.account(port, security))


def type_command(player: LocalPlayer, folder: Path, *arguments: str) -> int:
    """Type a command as a player, in a folder. Returns its exit code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("PBEM_HOME", str(player.home))
        return run(list(arguments))


def make_correspondents(folder: Path) -> tuple[Correspondent, Correspondent]:
    """Anna and Bruno, with their keys."""
    both = []
    for name in ("Anna", "Bruno"):
        home = folder / name / "home"
        home.mkdir(parents=True)
        player = LocalPlayer(home)
        player.make_key()
        both.append(Correspondent(name, player, folder / name / "game.yaml"))
    return both[0], both[1]


def stored_game(player: Correspondent) -> Game:
    """A player's only stored game."""
    (kept,) = player.local_player.store.games()
    return player.local_player.open(kept.data)


def fixed_entropy(label: str) -> write.Entropy:
    """Bytes that are the same every time."""
    return lambda size: shake_256(label.encode()).digest(size)


def offer_game(anna: Person, options: dict[str, Plain] = SHORT) -> Game:
    """Anna offers a game as German, of one turn by default."""
    terms = write.Terms(RULES, dict(options), RULES.scenarios.names[0])
    return write.offer(anna, "german", terms, fixed_entropy("anna"), claim=clock(None))


def begin_game(anna: Person, bruno: Person) -> Game:
    """Bruno has accepted and set up; it is Anna's turn to move."""
    game = write.accept(offer_game(anna), bruno, fixed_entropy("bruno"), claim=clock(None))
    return play_share_and_orders(game, bruno)


def play_share_and_orders(game: Game, player: Person, say: str = "") -> Game:
    """All of the player's due entries, with the first orders offered; the first has a message."""
    seat = game.state.writer
    while game.state.writer == seat:
        asked = permissions.unlock_state(game, player.key).pending_question
        if asked and asked.seat == seat:
            orders = next(game.rules.offers(asked))
            game = write.play(game, player.key, orders, claim=structs.replace(clock(game), say=say))
            say = ""
        else:
            game = write.play(game, player.key)
    return game


@contextmanager
def serve_smtp_for(
    anna: Correspondent, authority: Authority, security: Security = "tls"
) -> Iterator[ReceivedMails]:
    """A server named in Anna's settings."""
    room = ReceivedMails()
    with serve_smtp(room, authority, security) as port:
        anna.server(authority, port, security)
        yield room


def parse_mail(data: bytes) -> EmailMessage:
    """A mail as another program reads it."""
    return email.message_from_bytes(data, policy=SMTP)


def mail_text(data: bytes) -> str:
    """The text of a mail."""
    part = parse_mail(data).get_body(("plain",))
    assert part is not None
    text = part.get_content()
    assert isinstance(text, str)
    return text.replace("\r\n", "\n")


def attached_game(data: bytes) -> Game:
    """The game attached to a mail."""
    (part,) = parse_mail(data).iter_attachments()
    content = part.get_content()
    assert isinstance(content, bytes)
    return open_game(content)


def segment_in(data: bytes) -> bytes:
    """The part of a log attached to a mail."""
    (part,) = parse_mail(data).iter_attachments()
    (block,) = blocks(part.get_content())
    return unpack(block)


def brings_segment(data: bytes) -> bool:
    """Whether a mail has a part of a log, by the name of the attached file."""
    (part,) = parse_mail(data).iter_attachments()
    return not str(part.get_filename()).endswith(".yaml")


def log_ids_in(data: bytes, game: Game) -> tuple[str, ...]:
    """The ids of the log that a mail gives a reader who has some of the game's entries, or none."""
    if not brings_segment(data):
        return attached_game(data).ids
    document = parse_file(segment_in(data))
    return open_game(
        whole_log_bytes(join_segment(document, game.entries)) if document.after else segment_in(data)
    ).ids
