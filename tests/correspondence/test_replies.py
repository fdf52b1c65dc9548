"""Orders by reply: what a player's own computer asks him by mail, and does as he answers. SMTP is real."""

from __future__ import annotations

from pathlib import Path

import pytest

from correspondence.players import ANNA, BRUNO, Player, attached, begun, move, parsed, players, text_of
from correspondence.servers import PostOffice
from pbem.correspondence.contacts import Contacts
from pbem.umpire import Game, seated

WATCH = ("mail", "watch", "--once", "--orders-by-reply")


@pytest.fixture
def both(tmp_path: Path, office: PostOffice) -> tuple[Player, Player]:
    """Anna reads her mail from her Maildir, which is quicker."""
    anna, bruno = players(tmp_path)
    (anna.desk.home / "config.yaml").write_text(office.config("anna", maildir=str(office.maildir("anna"))))
    return anna, bruno


@pytest.fixture
def game(anna: Player, bruno: Player) -> Game:
    """Anna is asked for orders, and Bruno's address is confirmed."""
    game = anna.save(begun(anna.person(), bruno.person()))
    while game.table.writer != "german" or seated.owes_no_decision(game, anna.desk.key):
        game = move(game, anna.person() if game.table.writer == "german" else bruno.person())
    anna.save(game)
    contacts = Contacts(anna.desk)
    contacts.confirm(contacts.opponent(game), BRUNO)
    return game


def shelved(player: Player) -> Game:
    (kept,) = player.desk.shelf.games()
    return player.desk.open(kept.data)


def reply(to: bytes, words: str, *, sender: str = ANNA, quote: bool = True, more: str = "") -> bytes:
    """An answer as most programs write it: above the letter, which is quoted."""
    letter = parsed(to)
    quoted = "".join(f"> {line}\n" for line in text_of(to).split("\n")) if quote else ""
    who = f"On Sun, 22 Nov 2026 at 12:00, pbem <{ANNA}> wrote:\n\n" if quote else ""
    return (
        f"From: Anna <{sender}>\nTo: pbem <{ANNA}>\nSubject: Re: {letter['Subject']}\n"
        f"In-Reply-To: {letter['Message-ID']}\n{more}Date: Sun, 22 Nov 2026 12:10:00 +0000\n"
        f"Message-ID: <{abs(hash((words, sender, more)))}@phone.example.org>\nMIME-Version: 1.0\n"
        f"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{words}\n\n{who}{quoted}"
    ).encode()


class TestADecision:
    def test_is_asked_shown_and_done(
        self, anna: Player, office: PostOffice, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert anna.type(monkeypatch, *WATCH) == 0
        (letter,) = office.received("anna")
        print(text_of(letter))
        office.deliver("anna", reply(letter, "Pass"))
        assert anna.type(monkeypatch, *WATCH) == 0
        shown = office.received("anna")[-1]
        print(text_of(shown))
        assert shelved(anna).ids == game.ids
        office.deliver("anna", reply(shown, "Yes"))
        assert anna.type(monkeypatch, *WATCH) == 0
        after = shelved(anna)
        assert after.ids[:-1] == game.ids
        assert after.entries[-1].raw["orders"] == [{"pass": True}]
        for one in office.received("anna"):
            print(text_of(one))
        (sent,) = office.received("bruno")
        assert attached(sent).ids == after.ids
