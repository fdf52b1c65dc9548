"""Names, words, addresses and file names from strangers add no header and no recipient to a mail."""

from __future__ import annotations

from email.utils import getaddresses

import pytest

from mail.test_outgoing import HEADERS
from pbem.umpire.game_facts import file_name
from pbem.umpire.game_state import Game
from support.correspondents import (
    BRUNO,
    Correspondent,
    begin_game,
    mail_text,
    parse_mail,
    play_share_and_orders,
    serve_smtp_for,
)
from support.markers import WINDOWS
from support.smtp_servers import Authority

HOSTILE = [
    "Bruno, eve@example.org",
    "Bruno <eve@example.org>",
    'Bruno" <eve@example.org>, "',
    "=?utf-8?q?Bruno=0D=0ABcc:_eve=40example.org?=",
    "=?utf-8?b?PGV2ZUBleGFtcGxlLm9yZz4=?=",
    "Bcc: eve@example.org",
    "Brünö; <eve@example.org>:",
    "Bruno\u200b\u00ad",
]
"""Names that FORMAT allows (control and bidi characters it refuses)."""


class TestHostileFiles:
    """Whatever a file says, one confirmed recipient gets the mail, and its headers are ours."""

    @pytest.mark.thorough
    @pytest.mark.parametrize("name", HOSTILE)
    def test_names_and_claimed_addresses(
        self, name: str, anna: Correspondent, bruno: Correspondent, authority: Authority
    ) -> None:
        hostile = bruno.person(name=name, mail=f"{name} {BRUNO}, eve@example.org")
        anna.save(play_share_and_orders(begin_game(anna.person(name=name), hostile), anna.person()))
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml") == 1
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
        ((_, recipients, data),) = room.accepted
        assert recipients == [BRUNO]
        mail = parse_mail(data)
        assert mail.keys() == HEADERS
        assert [found for _, found in getaddresses([str(mail["To"])])] == [BRUNO]
        assert data.isascii()

    def test_words(self, anna: Correspondent, bruno: Correspondent, authority: Authority) -> None:
        say = (
            "\r\n.\r\nRCPT TO:<eve@example.org>\r\n\r\n--=_\x00\x1b[2J\u202e\nFrom eve\nBcc: eve@example.org"
        )
        anna.save(play_share_and_orders(begin_game(anna.person(), bruno.person()), anna.person(), say))
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
        ((_, recipients, data),) = room.accepted
        assert recipients == [BRUNO]
        mail = parse_mail(data)
        assert mail.keys() == HEADERS
        assert len(list(mail.iter_parts())) == 2
        assert all(line.isprintable() for line in mail_text(data).splitlines())

    def test_file_names(self, anna: Correspondent, game: Game, authority: Authority) -> None:
        """The attachment is named for the game, whatever the player's own file is called."""
        odd = "a;Bcc, eve@example.org.yaml" if WINDOWS else 'a"b;c=?utf-8?q?x?=\r\nBcc: eve@example.org.yaml'
        (anna.file.parent / odd).write_bytes(anna.file.read_bytes())
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", odd, "--to", BRUNO) == 0
        ((_, recipients, data),) = room.accepted
        assert recipients == [BRUNO]
        (part,) = parse_mail(data).iter_attachments()
        assert part.get_filename() == file_name(game)
        assert parse_mail(data).keys() == HEADERS
