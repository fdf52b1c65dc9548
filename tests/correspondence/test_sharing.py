"""The game mailed to the commanders of a side by `watch`: once for each moment, with the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from mail.smtpd import Authority, Mailroom, serving
from umpire.shared import chosen, moving, reply, turn

from correspondence.players import Player, brought, parsed, typed
from correspondence.test_drafts import Lead, attached, drafted
from pbem.core.sealing import Open
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.outbox import Outbox
from pbem.player.commanders import human_commanders
from pbem.umpire.game_state import Game

pytestmark = pytest.mark.thorough

GRAZIANI = "graziani@example.org"


def confirm(rommel: Lead, address: str) -> None:
    """Rommel has confirmed Graziani's address, and Monty's."""
    contacts = Contacts(rommel.desk)
    (one,) = moving().state.commanders["axis"]
    contacts.confirm(contacts.contact_of_key(one.name, one.key), address)
    contacts.confirm(contacts.opponent(moving()), "monty@example.org")


def before_orders(rommel: Lead) -> Game:
    """His game, in which he owes a share before his side is asked for orders."""
    game = moving()
    while not leads_to_orders(game):
        game = reply(game)
    rommel.desk.save(game, rommel.folder / "game.yaml")
    return game


def leads_to_orders(game: Game) -> bool:
    """Whether the Axis is asked for orders once it has given what it owes."""
    if game.state.writer != "axis" or not game.state.open_beat:
        return False
    after = turn(game)
    return bool(
        after.state.writer == "axis"
        and after.state.pending_question
        and not isinstance(after.state.pending_question, Open)
    )


class TestWatch:
    @pytest.fixture
    def rommel(self, tmp_path: Path) -> Lead:
        return Lead(tmp_path, "axis")

    @pytest.fixture
    def room(self, rommel: Lead, authority: Authority) -> Iterator[Mailroom]:
        room = Mailroom()
        with serving(room, authority, "tls") as port:
            Player("Rommel", rommel.desk, rommel.folder / "game.yaml").server(authority, port)
            with (rommel.desk.home / "config.yaml").open("a") as config:
                config.write(f"  maildir: '{rommel.mails}'\n")
            yield room

    def watched(self, rommel: Lead, *more: str) -> int:
        return typed(rommel.desk, rommel.folder, "mail", "watch", "--once", *more)

    def test_once(self, rommel: Lead, room: Mailroom) -> None:
        confirm(rommel, GRAZIANI)
        for _ in range(2):
            assert self.watched(rommel) == 0
        ((_, to, data),) = room.taken
        assert to == [GRAZIANI]
        assert brought(data, moving()) == moving().ids
        after = turn(moving(), chosen(moving()))
        while not human_commanders(rommel.desk, after):
            after = reply(after)
        rommel.desk.save(after, rommel.folder / "game.yaml")
        for _ in range(2):
            assert self.watched(rommel) == 0
        assert [brought(data, after) for _, _, data in room.taken] == [moving().ids, after.ids]

    def test_what_was_owed_is_written_first(self, rommel: Lead, room: Mailroom) -> None:
        confirm(rommel, GRAZIANI)
        game = before_orders(rommel)
        assert self.watched(rommel) == 0
        ((_, to, data),) = room.taken
        assert to == [GRAZIANI]
        (kept,) = rommel.desk.store.games()
        after = rommel.desk.open(kept.data)
        assert after.ids[:-1] == game.ids
        assert brought(data, moving()) == after.ids

    def test_not_to_an_address_that_is_not_confirmed(
        self, rommel: Lead, room: Mailroom, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert self.watched(rommel) == 0
        assert room.taken == []
        assert f"pbem mail share {moving().ids[0][:8]}\n" in capsys.readouterr().out

    def test_not_to_who_has_answered(self, rommel: Lead, room: Mailroom) -> None:
        confirm(rommel, GRAZIANI)
        rommel.gets(attached(drafted()))
        assert self.watched(rommel) == 0
        assert room.taken == []

    def test_not_after_it_was_mailed_by_hand(self, rommel: Lead, room: Mailroom) -> None:
        """Which may be done twice, by another mail."""
        confirm(rommel, GRAZIANI)
        assert self.watched(rommel) == 0
        for _ in range(2):
            assert typed(rommel.desk, rommel.folder, "mail", "share", "game.yaml") == 0
            assert self.watched(rommel) == 0
        assert len({parsed(data)["Message-ID"] for _, _, data in room.taken}) == len(room.taken) == 3

    def test_at_most_so_many(self, rommel: Lead, room: Mailroom, capsys: pytest.CaptureFixture[str]) -> None:
        confirm(rommel, GRAZIANI)
        assert self.watched(rommel, "--most", "1") == 0
        assert len(room.taken) == 1

    def test_with_the_same_bytes_again(
        self, rommel: Lead, room: Mailroom, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A mail that no server took goes out as it was; one that is refused for good does not."""
        confirm(rommel, GRAZIANI)
        outbox, names = Outbox(rommel.desk.home), (f"italian-{moving().ids[0]}", moving().ids[-1])
        room.refuses_data = "451 not now"
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1785600000")
        assert self.watched(rommel) == 1
        first = outbox.read(*names)
        room.refuses_data = ""
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1785700000")
        assert self.watched(rommel) == 0
        assert [data for _, _, data in room.taken] == [first]

    def test_not_again_what_is_refused_for_good(
        self, rommel: Lead, room: Mailroom, capsys: pytest.CaptureFixture[str]
    ) -> None:
        confirm(rommel, GRAZIANI)
        room.refuses_data = "554 never"
        assert self.watched(rommel) == 1
        assert f"to try it again: pbem mail share {moving().ids[0][:8]}" in capsys.readouterr().err
        room.refuses_data = ""
        assert self.watched(rommel) == 0
        assert room.taken == []
        assert typed(rommel.desk, rommel.folder, "mail", "share", moving().ids[0][:8]) == 0
        assert len(room.taken) == 1
