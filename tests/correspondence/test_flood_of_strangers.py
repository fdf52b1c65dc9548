"""A thousand mails of strangers: how large the home is then, what a look costs, what `pbem` alone says."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from correspondence.test_fetch import deliver_mails, mails
from correspondence.test_watch_alarms import Table, after_an_entry_that_nobody_signed
from pbem.base.limits import OFFERS, REPORTED_MAILS
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions, write
from pbem.umpire.game_facts import file_name
from pbem.umpire.game_state import Game
from support.correspondents import Correspondent, begin_game, offer_game, play_share_and_orders
from support.simulator import file_of, log_of
from support.strangers import (
    game_naming_commander,
    game_of_strangers,
    pad_file,
    stranger,
    stranger_mail,
    stranger_offer,
    total_size,
    with_unsigned_words,
    zip_files,
)

pytestmark = pytest.mark.thorough
__all__ = ["mails"]

MIB = 2**20
SETTINGS = """mail:
  address: bruno@example.org
  maildir: '{mails}'
  smtp: {{host: localhost, port: 1, security: tls, user: bruno, password_command: ['true']}}
"""


class Home:
    """Bruno's: a game with Anna that waits for him, and an offer of his own that Carla has taken."""

    def __init__(self, anna: Correspondent, bruno: Correspondent, mails: Path) -> None:
        self.bruno, self.mails = bruno, mails
        self.game = self._decides(
            play_share_and_orders(begin_game(anna.person(), bruno.person()), anna.person()), anna
        )
        bruno.local_player.save(self.game, bruno.file.with_name(file_name(self.game)), new=True)
        self.mine = offer_game(bruno.person())
        self.taken = write.accept(self.mine, stranger(5000), os.urandom, claim=write.Claim())
        bruno.local_player.save(self.taken, bruno.file.with_name("mine.yaml"), new=True)
        (bruno.local_player.home / "config.yaml").write_text(SETTINGS.format(mails=mails))
        deliver_mails(mails, stranger_mail(0, text="Hello."))
        assert self.watch() == 0

    def _decides(self, game: Game, anna: Correspondent) -> Game:
        """Up to where Bruno is to give orders, since a share alone `watch` would answer."""
        while (
            permissions.has_forced_entry(game, self.bruno.local_player.key) or game.state.writer == "german"
        ):
            game = play_share_and_orders(
                game, (anna if game.state.writer == "german" else self.bruno).person()
            )
        return game

    def watch(self) -> int:
        """One look into the mail."""
        return self.bruno.type("mail", "watch", "--once")

    def attack(self, mails: int) -> list[bytes]:
        """So many mails, a multiple of a hundred, of kinds that each have their own way to be a nuisance."""
        table, key = Table(self.bruno, self.bruno, self.game), str(self.bruno.local_player.key.public)
        unwanted = after_an_entry_that_nobody_signed(table)
        made: list[tuple[int, Callable[[int], bytes]]] = [
            (10, lambda n: stranger_mail(n, *(bare(stranger_offer(3 * n + i)) for i in range(3)))),
            (
                5,
                lambda n: stranger_mail(
                    n, zip_files(pad_file(bare(stranger_offer(1000 + n)), MIB)), name="g.zip"
                ),
            ),
            (2, lambda n: stranger_mail(n, bare(game_naming_commander(n, key)))),
            (20, lambda n: stranger_mail(n, pad_file(bare(game_of_strangers(n)), 10_000))),
            (20, lambda n: stranger_mail(n, pad_file(with_unsigned_words(self.game), 10_000))),
            (18, lambda n: stranger_mail(n, unwanted)),
            (5, lambda n: stranger_mail(n, bare(self.also_taken(n)))),
            (10, lambda n: stranger_mail(n, pad_file(bare(self.game), 10_000))),
            (10, lambda n: stranger_mail(n, text="-----BEGIN PBEM GAME-----\n" * 200)),
        ]
        return [make(n) for number, make in made for n in range(number * mails // 100)]

    def also_taken(self, number: int) -> Game:
        """Bruno's offer, taken by one more."""
        return write.accept(self.mine, stranger(number), os.urandom, claim=write.Claim())


def bare(game: Game) -> bytes:
    """The file of a game without its map."""
    return file_of(log_of(game))


class Effort:
    """What one look costs: the games that it verifies, and the files of the home that it opens."""

    def __init__(self, home: Path) -> None:
        self._home = str(home)
        self.games = self.files = 0
        self.counting = False
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.counting and event == "open" and str(arguments[0]).startswith(self._home):
            self.files += 1

    def of(self, look: Callable[[], int], monkeypatch: pytest.MonkeyPatch) -> tuple[int, int]:
        """Games and files of one look."""
        self.games = self.files = 0
        real = LocalPlayer.open

        def counted(player: LocalPlayer, data: bytes) -> Game:
            self.games += 1
            return real(player, data)

        with monkeypatch.context() as patch:
            patch.setattr(LocalPlayer, "open", counted)
            self.counting = True
            assert look() == 0
            self.counting = False
        return self.games, self.files


@pytest.mark.parametrize("number", [100, pytest.param(1000, marks=pytest.mark.long)])
def test_a_thousand_mails(
    number: int,
    anna: Correspondent,
    bruno: Correspondent,
    mails: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    home, effort = Home(anna, bruno, mails), Effort(bruno.local_player.home)
    sent = home.attack(number)
    assert len(sent) == number
    lying = {path.name for path in bruno.file.parent.iterdir()}
    before = total_size(bruno.local_player.home)
    idle = effort.of(home.watch, monkeypatch)
    assert idle[0] > 0
    assert bruno.type() == 0
    capsys.readouterr()
    assert bruno.type() == 0
    own = capsys.readouterr().out

    deliver_mails(mails, *sent)
    assert home.watch() == 0
    told = "".join(capsys.readouterr())

    assert total_size(bruno.local_player.home) - before < MIB
    assert {path.name for path in bruno.file.parent.iterdir()} == lying
    assert len(bruno.local_player.offers.ids()) == OFFERS
    assert len(list(bruno.local_player.home.rglob("evidence/*"))) == 1
    assert told.count("eve") == 0
    assert told.count("pbem join") + told.count("pbem moves") <= OFFERS + 1
    assert told.count('("pbem ') <= OFFERS + REPORTED_MAILS
    assert "there is no room for" in " ".join(told.split())
    assert "more that brought nothing new" in " ".join(told.split())

    assert effort.of(home.watch, monkeypatch) == idle
    assert capsys.readouterr() == ("No new games in your mail.\n", "")
    assert bruno.type() == 0
    offers = f"You have {OFFERS} offers; to list them: pbem games --offers"
    assert set(capsys.readouterr().out.splitlines()) == {*own.splitlines(), offers}
    held = [bruno.local_player.open(kept.data).ids for kept in bruno.local_player.store.games()]
    assert sorted(held) == sorted([home.game.ids, home.taken.ids])
