"""Players at home: each with a folder, a program and a Maildir, who mail their game or hand it over."""

from __future__ import annotations

import email
import shutil
from dataclasses import dataclass
from email.policy import default
from pathlib import Path

from programs import Program, next_command

from pbem.umpire.verify import open_game


@dataclass(frozen=True)
class Home:
    """A player: his program, and the folder in which he types, with his home and his Maildir in it."""

    program: Program
    folder: Path

    def type(self, *words: str, code: int | None = 0) -> str:
        """What a command prints; it must end with that code (None: any), and never with a traceback."""
        done = self.program.run(self.folder, *words)
        assert code in (None, done.code), f"{self.folder.name}: {words}: {done.out}{done.err}"
        assert "Traceback" not in done.err
        return done.out + done.err

    @property
    def file(self) -> str:
        """The file that fetching writes; before that, the offerer's own."""
        found = sorted(self.folder.glob("*-????????.yaml"))
        return found[0].name if found else "game.yaml"

    @property
    def data(self) -> bytes:
        return (self.folder / self.file).read_bytes()

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the entries in his file."""
        return open_game(self.data).ids

    def play(self) -> None:
        """Order all that is his to order."""
        while command := next_command(self.folder, self.file):
            self.type(*command)

    def play_by_plan(self) -> int:
        """The like, by his plan where it answers; how often it did."""
        answers = 0
        while command := next_command(self.folder, self.file):
            if len(command) > 2 and not self.program.run(self.folder, "move", self.file, "--plan").code:
                answers += 1
            else:
                self.type(*command)
        return answers

    def mail_to(self, taker: Home, *, known: bool = False, code: int | None = 0) -> bytes:
        """Mail the game to somebody, whose address may be known, and who fetches it, with that exit code.

        The file, or the part of a log, that was attached. `code` as in `types`.
        """
        address = () if known else ("--to", f"{taker.folder.name}@example.org")
        self.type("mail", "send", self.file, *address, "--eml", "out.eml")
        mail = (self.folder / "out.eml").read_bytes()
        (self.folder / "out.eml").unlink()
        taker.receive(mail)
        taker.type("mail", "fetch", code=code)
        [attached] = email.message_from_bytes(mail, policy=default).iter_attachments()
        content = attached.get_payload(decode=True)
        assert isinstance(content, bytes)
        return content

    def receive(self, mail: bytes) -> None:
        """A mail comes into his Maildir."""
        number = len(list((self.folder / "mail" / "new").iterdir()))
        (self.folder / "mail" / "new" / f"{1_700_000_000 + number}.host").write_bytes(mail)

    def hand_to(self, taker: Home) -> None:
        """Give the file to somebody, who goes on from it."""
        shutil.copy(self.folder / self.file, taker.folder / taker.file)


def make_home(program: Program, folder: Path) -> Home:
    """A player who begins: with a key, an address and a Maildir."""
    player = Home(program, folder)
    player.type("key")
    (folder / "home" / "key").chmod(0o600)  # a program of Windows has let everybody read it
    for name in ("cur", "new", "tmp"):
        (folder / "mail" / name).mkdir(parents=True)
    settings = f"mail:\n  address: {folder.name}@example.org\n  maildir: {program.drive}{folder / 'mail'}\n"
    (folder / "home" / "config.yaml").write_text(settings, "utf-8")
    return player


def begin_by_mail(game: str, seat: str, offers: Home, joins: Home) -> None:
    """One offers a game by mail, Rommel of two turns, and another joins it."""
    short = ("--option", "turns=2", "--option", "air_subturns=1") if game == "rommel" else ()
    offers.type("new", game, "game.yaml", "--seat", seat, "--name", "Anna", *short)
    offers.mail_to(joins)
    joins.type("join", "--name", "Bruno")
