"""A whole game through mails that are lost, cut, late, doubled and out of order, and a computer replaced.

SMTP and Dovecot are real; what disturbs them takes the mails out of the Maildir and puts them back as it
likes. Nobody does anything but decide, and say once after `restore` that he knows no newer state.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from correspondence.test_whole_game import file, play_decision
from pbem.correspondence.outbox import entries_by_mail
from pbem.player.local_player import LocalPlayer
from support.correspondents import Correspondent, make_correspondents, stored_game
from support.mail_provider import DOMAIN, MailProvider, run_mail_provider

LONG = bool(os.environ.get("PBEM_LONG"))
DAY = timedelta(days=1)
ROUNDS = 4000


@pytest.fixture
def office() -> Iterator[MailProvider]:
    with run_mail_provider("anna", "bruno") as running:
        yield running


class Weather:
    """What becomes of mails on their way: every tenth is lost, one in twenty cut, some late or doubled."""

    def __init__(self, office: MailProvider) -> None:
        self.office = office
        self.sizes: list[int] = []
        self.held: list[tuple[datetime, str, bytes]] = []
        self.seen: set[str] = set()
        self.told = dict.fromkeys(("lost", "cut", "late", "doubled"), 0)

    @property
    def number(self) -> int:
        """How many mails the programs have sent."""
        return len(self.sizes)

    def settle(self) -> None:
        """Wait until all that a server has taken has arrived; this one has delivered it by then."""

    def blow(self, now: datetime) -> None:
        """Take each mail that has just arrived, and those whose time has come."""
        for name in ("anna", "bruno"):
            for path in sorted((self.office.maildir(name) / "new").iterdir()):
                if path.name not in self.seen:
                    self.seen.add(path.name)
                    self.sizes.append(path.stat().st_size)
                    self.disturb(name, path, now)
        due, self.held = (
            [one for one in self.held if one[0] <= now],
            [one for one in self.held if one[0] > now],
        )
        for _, name, data in due:
            self._deliver(name, data)

    def disturb(self, name: str, path: Path, now: datetime) -> None:
        """Do to a mail that has arrived what its number says."""
        data = path.read_bytes()
        if self.number % 10 == 6:
            self.told["lost"] += 1
            path.unlink()
        elif self.number % 20 == 8:
            self.told["cut"] += 1
            path.unlink()
            middle = data.rindex(b"BEGIN PBEM GAME") + 600 if b"BEGIN PBEM GAME" in data else len(data) // 2
            self._deliver(name, data[:middle])
        elif self.number % 20 in (4, 13):
            self.told["late"] += 1
            path.unlink()
            self.held.append((now + timedelta(days=2 if self.number % 20 == 4 else 1), name, data))
        elif self.number % 20 == 9:
            self.told["doubled"] += 1
            self._deliver(name, data)

    def _deliver(self, name: str, data: bytes) -> None:
        before = set((self.office.maildir(name) / "new").iterdir())
        self.office.deliver(name, data)
        self.seen |= {path.name for path in set((self.office.maildir(name) / "new").iterdir()) - before}


class Play:
    """Two homes with `watch` on both sides, and the clock."""

    def __init__(
        self, folder: Path, office: MailProvider, turns: int, weather: type[Weather] = Weather
    ) -> None:
        self.office, self.weather = office, weather(office)
        self.now = self.begun = datetime(2026, 12, 1, tzinfo=UTC)
        self.is_replaced = False
        self.choose = random.Random(7)
        self.both = list(make_correspondents(folder))
        for player in self.both:
            office.serve(player.local_player, player.name.lower())
            config = player.local_player.home / "config.yaml"
            config.write_text(f"{config.read_text()}  resend_after: 2d\n")
        anna, bruno = self.both
        self.type(anna, "new", "mortain", "--seat", "german", "--option", f"turns={turns}", "--name", "Anna")
        self.type(anna, "mail", "send", "mortain.yaml", "--to", f"bruno@{DOMAIN}")
        self.type(bruno, "mail", "fetch")
        self.type(bruno, "join", "--name", "Bruno")
        assert play_decision(bruno, self.choose)
        self.type(bruno, "mail", "send", file(bruno), "--to", f"anna@{DOMAIN}")
        self.type(anna, "mail", "fetch")
        if not play_decision(anna, self.choose):
            self.type(anna, "move", file(anna))
        self.type(anna, "mail", "send", file(anna), "--to", f"bruno@{DOMAIN}")

    def type(self, player: Correspondent, *words: str, may: tuple[int, ...] = (0,)) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SOURCE_DATE_EPOCH", str(int(self.now.timestamp())))
            patch.setenv("PBEM_BACKUP_PASSPHRASE", "correct horse")
            patch.setattr("pbem.player.backup.LEAST_WORK", 0)  # however busy this computer is
            assert player.type(*words) in may, words
        self.weather.settle()

    @property
    def days(self) -> int:
        """How long it has taken."""
        return (self.now - self.begun).days

    @property
    def is_over(self) -> bool:
        return all(stored_game(player).state.ending for player in self.both)

    def round(self) -> None:
        """A day: mail is fetched and answered on both sides, and whoever is asked decides."""
        self.now += DAY
        for number in (1, 0):
            player = self.both[number]
            self.weather.blow(self.now)
            self.type(player, "mail", "watch", "--once", may=(0, 1))
            doubted = player.local_player.store.unconfirmed.has(stored_game(player).ids[0])
            if not doubted and play_decision(player, self.choose):
                self.type(player, "mail", "send", file(player))
            self.weather.blow(self.now)

    def replace_anna(self, kept: Path) -> None:
        """Her computer is lost; on a new one she restores, waits for her mail, and says that it is newest."""
        old, (_, bruno) = self.both[0], self.both
        folder = old.local_player.home.with_name("laptop")
        folder.mkdir()
        self.both[0] = anna = replace(
            old, local_player=LocalPlayer(folder / "home"), file=folder / "game.yaml"
        )
        self.type(anna, "restore", str(kept))
        home = anna.local_player.home
        (home / "config.yaml.old").rename(home / "config.yaml")  # they run a program: nobody was asked
        signed, self.is_replaced = stored_game(old).ids, True
        for _ in range(60):
            if set(stored_game(anna).ids) >= set(signed) or stored_game(anna).ids == stored_game(bruno).ids:
                break
            self.round()
        self.type(anna, "mail", "fetch", "--newest", may=(0, 1))
        assert not anna.local_player.store.unconfirmed.has(signed[0])


def played(play: Play, folder: Path) -> int:
    """Play to the end, Anna's computer replaced in the middle; how many mails it took."""
    kept = folder / "anna.age"
    for number in range(ROUNDS):
        if play.is_over:
            return play.weather.number
        play.round()
        if number == 1:
            play.type(play.both[0], "backup", str(kept))
        anna, bruno = map(stored_game, play.both)
        due = not play.is_replaced and number > 3
        if due and anna.ids == bruno.ids[: len(anna.ids)] and not anna.state.ending:
            play.replace_anna(kept)
    raise AssertionError(
        f"not over after {ROUNDS} rounds: {play.now}, {[len(stored_game(p).ids) for p in play.both]}"
    )


@pytest.mark.thorough
@pytest.mark.parametrize("turns", [2, 6] if LONG else [1])
def test_it_ends(turns: int, office: MailProvider, tmp_path: Path) -> None:
    for attempt in range(20):  # until one has a middle: a joker may end the only turn with the first card
        folder = tmp_path / str(attempt)
        folder.mkdir()
        office.empty("anna", "bruno")
        play = Play(folder, office, turns)
        mails = played(play, folder)
        anna, bruno = map(stored_game, play.both)
        assert anna.ids == bruno.ids
        if play.is_replaced:
            break
    assert play.is_replaced
    assert all(play.weather.told.values())
    assert mails <= 3 * len(entries_by_mail(anna)) + 10
    assert len(list((play.both[0].local_player.home / "games").glob("*/evidence/*"))) == 0
    needs = f"{mails} mails in place of {len(entries_by_mail(anna))}"
    sys.stdout.write(f"{turns} turns: {needs}, in {play.days} days: {play.weather.told}\n")
