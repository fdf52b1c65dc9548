"""`watch` opens the first draw by itself where an offer names `bound` (FORMAT 12). SMTP is real."""

from __future__ import annotations

import shutil

import pytest

from correspondence.test_fetch import game_mail
from pbem.correspondence.contacts import Contacts
from pbem.format.entries import BOUND, RETRACT
from pbem.player.local_player import LocalPlayer
from pbem.player.store.game_file import game_file_bytes
from pbem.umpire.game_state import Game
from support.correspondents import BRUNO, Correspondent, attached_game, stored_game
from support.game_stages import PLACE
from support.mail_provider import MailProvider
from support.simulator import accept_game, offer_game, write_play

pytestmark = pytest.mark.thorough

WATCH = ("mail", "watch", "--once")


@pytest.fixture
def placed(anna: Correspondent, bruno: Correspondent, office: MailProvider) -> Game:
    """Bruno has mailed his accept of Anna's offer, with his units placed: the first draw is due from her."""
    office.serve(anna.local_player, "anna", maildir=True)
    offered = offer_game(key=anna.local_player.key, extensions=(BOUND, RETRACT))
    anna.save(offered)
    key = bruno.local_player.key
    placed = write_play(accept_game(offered, key=key), PLACE, key=key)
    contacts = Contacts(anna.local_player)
    contacts.confirm(contacts.opponent(placed), BRUNO)
    office.deliver("anna", game_mail(game_file_bytes(placed)))
    return placed


def test_it_opens_and_mails(anna: Correspondent, office: MailProvider, placed: Game) -> None:
    """A share and nothing else, once."""
    assert placed.state.is_beat_due
    for _ in range(2):
        assert anna.type(*WATCH) == 0
        (sent,) = office.mails_of("bruno")
        opened = attached_game(sent)
        assert opened.ids == stored_game(anna).ids
        assert opened.ids[:-1] == placed.ids
        raw = opened.entries[-1].raw
        assert (raw["by"], raw["beat"], "orders" in raw) == ("german", 1, False)
        assert opened.state.writer == "us"


def test_not_where_the_offer_was_not_made(anna: Correspondent, office: MailProvider, placed: Game) -> None:
    """On another computer with her key, which may not know of an accept that the first has answered."""
    home = anna.local_player.home.parent / "second"
    home.mkdir()
    shutil.copy2(anna.local_player.key_path, home)
    second = Correspondent("Anna", LocalPlayer(home), home.parent / "second.yaml")
    office.serve(second.local_player, "anna", maildir=True)
    second.local_player.record(placed, second.local_player.rewrite(placed), new=True)
    contacts = Contacts(second.local_player)
    contacts.confirm(contacts.opponent(placed), BRUNO)
    second.type(*WATCH)
    assert stored_game(second).ids == placed.ids
    assert office.mails_of("bruno") == []
