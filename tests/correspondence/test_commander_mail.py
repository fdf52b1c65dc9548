"""The game mailed to the commanders of a side by `watch`: once for each moment, with the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from correspondence.test_commander_drafts import LeadAtHome, draft_mail, signed_draft
from pbem.core.sealing import Open
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.outbox import Outbox
from pbem.player.commanders import human_commanders
from pbem.umpire.game_state import Game
from support.commanders_game import game_before_move, practice_orders, write_play, write_reply
from support.correspondents import Correspondent, log_ids_in, parse_mail, type_command
from support.smtp_servers import Authority, ReceivedMails, serve_smtp

pytestmark = pytest.mark.thorough

GRAZIANI = "graziani@example.org"


def confirm_address(rommel: LeadAtHome, address: str) -> None:
    """Rommel has confirmed Graziani's address, and Monty's."""
    contacts = Contacts(rommel.local_player)
    (one,) = game_before_move().state.commanders["axis"]
    contacts.confirm(contacts.contact_of_key(one.name, one.key), address)
    contacts.confirm(contacts.opponent(game_before_move()), "monty@example.org")


def game_before_orders(rommel: LeadAtHome) -> Game:
    """His game, in which he owes a share before his side is asked for orders."""
    game = game_before_move()
    while not leads_to_orders(game):
        game = write_reply(game)
    rommel.local_player.save(game, rommel.folder / "game.yaml")
    return game


def leads_to_orders(game: Game) -> bool:
    """Whether the Axis is asked for orders once it has given what it owes."""
    if game.state.writer != "axis" or not game.state.open_beat:
        return False
    after = write_play(game)
    return bool(
        after.state.writer == "axis"
        and after.state.pending_question
        and not isinstance(after.state.pending_question, Open)
    )


class TestWatch:
    @pytest.fixture
    def rommel(self, tmp_path: Path) -> LeadAtHome:
        return LeadAtHome(tmp_path, "axis")

    @pytest.fixture
    def room(self, rommel: LeadAtHome, authority: Authority) -> Iterator[ReceivedMails]:
        room = ReceivedMails()
        with serve_smtp(room, authority, "tls") as port:
            Correspondent("Rommel", rommel.local_player, rommel.folder / "game.yaml").server(authority, port)
            with (rommel.local_player.home / "config.yaml").open("a") as config:
                config.write(f"  maildir: '{rommel.mails}'\n")
            yield room

    def watched(self, rommel: LeadAtHome, *more: str) -> int:
        return type_command(rommel.local_player, rommel.folder, "mail", "watch", "--once", *more)

    def test_once(self, rommel: LeadAtHome, room: ReceivedMails) -> None:
        confirm_address(rommel, GRAZIANI)
        for _ in range(2):
            assert self.watched(rommel) == 0
        ((_, to, data),) = room.accepted
        assert to == [GRAZIANI]
        assert log_ids_in(data, game_before_move()) == game_before_move().ids
        after = write_play(game_before_move(), practice_orders(game_before_move()))
        while not human_commanders(rommel.local_player, after):
            after = write_reply(after)
        rommel.local_player.save(after, rommel.folder / "game.yaml")
        for _ in range(2):
            assert self.watched(rommel) == 0
        assert [log_ids_in(data, after) for _, _, data in room.accepted] == [
            game_before_move().ids,
            after.ids,
        ]

    def test_what_was_owed_is_written_first(self, rommel: LeadAtHome, room: ReceivedMails) -> None:
        confirm_address(rommel, GRAZIANI)
        game = game_before_orders(rommel)
        assert self.watched(rommel) == 0
        ((_, to, data),) = room.accepted
        assert to == [GRAZIANI]
        (kept,) = rommel.local_player.store.games()
        after = rommel.local_player.open(kept.data)
        assert after.ids[:-1] == game.ids
        assert log_ids_in(data, game_before_move()) == after.ids

    def test_not_to_an_address_that_is_not_confirmed(
        self, rommel: LeadAtHome, room: ReceivedMails, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.watched(rommel) == 0
        assert room.accepted == []
        assert f"pbem mail share {game_before_move().ids[0][:8]}\n" in capsys.readouterr().out

    def test_not_to_who_has_answered(self, rommel: LeadAtHome, room: ReceivedMails) -> None:
        confirm_address(rommel, GRAZIANI)
        rommel.receive(draft_mail(signed_draft()))
        assert self.watched(rommel) == 0
        assert room.accepted == []

    def test_not_after_it_was_mailed_by_hand(self, rommel: LeadAtHome, room: ReceivedMails) -> None:
        """Which may be done twice, by another mail."""
        confirm_address(rommel, GRAZIANI)
        assert self.watched(rommel) == 0
        for _ in range(2):
            assert type_command(rommel.local_player, rommel.folder, "mail", "share", "game.yaml") == 0
            assert self.watched(rommel) == 0
        assert (
            len({parse_mail(data)["Message-ID"] for _, _, data in room.accepted}) == len(room.accepted) == 3
        )

    def test_at_most_so_many(
        self, rommel: LeadAtHome, room: ReceivedMails, capsys: pytest.CaptureFixture[str]
    ) -> None:
        confirm_address(rommel, GRAZIANI)
        assert self.watched(rommel, "--most", "1") == 0
        assert len(room.accepted) == 1

    def test_with_the_same_bytes_again(
        self, rommel: LeadAtHome, room: ReceivedMails, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A mail that no server took goes out as it was; one that is refused for good does not."""
        confirm_address(rommel, GRAZIANI)
        outbox, names = (
            Outbox(rommel.local_player.home),
            (f"italian-{game_before_move().ids[0]}", game_before_move().ids[-1]),
        )
        room.refuses_data = "451 not now"
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1785600000")
        assert self.watched(rommel) == 1
        first = outbox.read(*names)
        room.refuses_data = ""
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1785700000")
        assert self.watched(rommel) == 0
        assert [data for _, _, data in room.accepted] == [first]

    def test_not_again_what_is_refused_for_good(
        self, rommel: LeadAtHome, room: ReceivedMails, capsys: pytest.CaptureFixture[str]
    ) -> None:
        confirm_address(rommel, GRAZIANI)
        room.refuses_data = "554 never"
        assert self.watched(rommel) == 1
        assert f"to try again: pbem mail share {game_before_move().ids[0][:8]}" in capsys.readouterr().err
        room.refuses_data = ""
        assert self.watched(rommel) == 0
        assert room.accepted == []
        assert (
            type_command(rommel.local_player, rommel.folder, "mail", "share", game_before_move().ids[0][:8])
            == 0
        )
        assert len(room.accepted) == 1
