"""Players at home, each with a folder, a pbem and a Maildir, and half a game between two of them.

They mail their game or hand over its file. The versions of pbem can differ: earlier ones, or one on Windows.
"""

from __future__ import annotations

import email
import re
import shutil
from dataclasses import dataclass, replace
from email.policy import default
from pathlib import Path

from pbem.umpire.verify import open_game
from support.programs import Program, next_command


@dataclass(frozen=True)
class Home:
    """A player: their pbem, and the folder in which they type, with home and Maildir in it."""

    program: Program
    folder: Path

    def type(self, *words: str, code: int | None = 0) -> str:
        """The output of a command, which must end with that code (None: any), and never with a traceback."""
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
        """The ids of the entries in the player's file."""
        return open_game(self.data).ids

    def play(self) -> None:
        """Give all orders that are the player's to give."""
        while command := next_command(self.folder, self.file):
            self.type(*command)

    def play_by_plan(self) -> int:
        """Give all orders, by the plan if it gives them. Returns how often it did."""
        answers = 0
        while command := next_command(self.folder, self.file):
            if len(command) > 2 and not self.program.run(self.folder, "move", self.file, "--plan").code:
                answers += 1
            else:
                self.type(*command)
        return answers

    def mail_to(self, taker: Home, *, known: bool = False, code: int | None = 0) -> bytes:
        """Mail the game to another player, who fetches it with that exit code.

        `known`: the address is known already. Returns the attached file, or part of a log. `code` is as in
        `type`.
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
        """Put a mail into the player's Maildir."""
        number = len(list((self.folder / "mail" / "new").iterdir()))
        (self.folder / "mail" / "new" / f"{1_700_000_000 + number}.host").write_bytes(mail)

    def hand_to(self, taker: Home) -> None:
        """Give the file to another player, who continues from it."""
        shutil.copy(self.folder / self.file, taker.folder / taker.file)


def make_home(program: Program, folder: Path) -> Home:
    """A new player, with a key, an address and a Maildir."""
    player = Home(program, folder)
    player.type("key")
    (folder / "home" / "key").chmod(0o600)  # pbem on Windows has made it readable for everybody
    for name in ("cur", "new", "tmp"):
        (folder / "mail" / name).mkdir(parents=True)
    settings = f"mail:\n  address: {folder.name}@example.org\n  maildir: {program.drive}{folder / 'mail'}\n"
    (folder / "home" / "config.yaml").write_text(settings, "utf-8")
    return player


def begin_by_mail(game: str, seat: str, offers: Home, joins: Home) -> None:
    """One player offers a game by mail, Rommel of two turns, and another joins it."""
    short = ("--option", "turns=2", "--option", "air_subturns=1") if game == "rommel" else ()
    offers.type("new", game, "game.yaml", "--seat", seat, "--name", "Anna", *short)
    offers.mail_to(joins)
    joins.type("join", "--name", "Bruno")


PASSING = {
    "mortain": {"activate": "pass"},
    "rommel": {"air": "stand down", "ground_move": "pass"},
}
"""What a plan orders in each game, whatever was hit; each side decides so once per turn, in a storm too."""


def play_half_a_game(
    game: str, seat: str, programs: tuple[Program, Program], folder: Path, offers: Program | None = None
) -> tuple[Home, Home]:
    """Anna, who offers with the first pbem, and Bruno; both programs have verified their file then.

    `offers`: Anna made the offer with this one, and has used the first since.
    """
    anna, bruno = make_home(programs[0], folder / "anna"), make_home(programs[1], folder / "bruno")
    begin_by_mail(game, seat, replace(anna, program=offers or programs[0]), bruno)
    attached = []
    for giver, taker in ((bruno, anna), (anna, bruno)) * 2:
        giver.play()
        attached.append(giver.mail_to(taker))
    assert sum(one.startswith(b"New entries of a game") for one in attached) > 1, "parts of the log have gone"
    assert anna.ids == bruno.ids
    take_back(anna, bruno)
    for player in (anna, bruno):
        for asked, orders in PASSING[game].items():
            step = f"when asked {asked}", f"do {orders}", "despite hits, range"
            player.type("plan", player.file, "add", *step)
        player.type("plan", player.file, "arm")
    by_plan = 0, 0
    for _ in range(30):
        by_plan = by_plan[0] + anna.play_by_plan(), by_plan[1]
        anna.hand_to(bruno)
        by_plan = by_plan[0], by_plan[1] + bruno.play_by_plan()
        bruno.hand_to(anna)
        if all(by_plan) and is_halfway(anna):
            break
    assert all(by_plan), by_plan
    assert is_halfway(anna)
    assert anna.ids == bruno.ids
    for player, other in ((anna, bruno), (bruno, anna)):
        assert re.search("10 (holds|passes)", player.type("verify", player.file))
        (other.folder / "copy.yaml").write_bytes(player.data)
        assert re.search("10 (holds|passes)", other.type("verify", "copy.yaml"))
    return anna, bruno


def is_halfway(player: Home) -> bool:
    """Whether a turn is over, or half the cards of an average turn of Mortain are drawn."""
    game = open_game(player.data)
    assert game.state.rest
    assert game.rules.view.turn
    return game.rules.view.turn(game.state.rest[0]) > 1 or len(game.state.beats) > CARDS / 2


CARDS = 27
"""A joker among 53 cards ends a turn of Mortain."""


def take_back(anna: Home, bruno: Home) -> None:
    """The player to write proposes by mail to take back their last move, and the other agrees."""
    proposes, agrees = (anna, bruno) if next_command(anna.folder, anna.file) else (bruno, anna)
    while next_command(proposes.folder, proposes.file) == ["move", proposes.file]:  # only a share of a draw
        proposes.play()
        proposes.mail_to(agrees)
        proposes, agrees = agrees, proposes
    proposes.type("propose", proposes.file, "last")
    proposes.mail_to(agrees)
    agrees.type("answer", agrees.file, "yes")
    agrees.mail_to(proposes)
    assert anna.ids == bruno.ids
    told = proposes.type("log", proposes.file)
    whole = "the game (is again as|goes back to how) it was after entry"
    granted = whole + "|the orders of entry .* (are asked for|have to be given) again"
    assert re.search(granted, told), "whole entries, or orders alone (FORMAT 12)"
