"""Delivery reports about one's own mails: known by the outbox, told, and not taken for games."""

from __future__ import annotations

from pathlib import Path

import pytest

from correspondence.test_fetch import game_mail
from pbem.correspondence.fetch import fetch_mails
from pbem.correspondence.mail_stages import Arrival
from pbem.correspondence.outbox import Outbox
from pbem.mail.mailbox import Maildir
from pbem.player.store.delivery import Fate
from pbem.umpire.game_state import Game
from support.bounces import delivery_report, exim_warning, qmail_report
from support.correspondents import BRUNO, Correspondent, begin_game, parse_mail, serve_smtp_for
from support.simulator import mailed_file
from support.smtp_servers import Authority


@pytest.fixture
def inbox(tmp_path: Path) -> Path:
    """Anna's Maildir."""
    for name in ("cur", "new", "tmp"):
        (tmp_path / "Mail" / name).mkdir(parents=True)
    return tmp_path / "Mail"


@pytest.fixture
def sent(anna: Correspondent, game: Game, authority: Authority) -> bytes:
    """The third mail of the game, as Anna's server has taken it."""
    with serve_smtp_for(anna, authority) as room:
        assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
    return room.accepted[0][2]


def fetched(anna: Correspondent, inbox: Path, *mails: bytes) -> list[Arrival]:
    """What becomes of these mails in Anna's Maildir."""
    for data in mails:
        number = len(list((inbox / "new").iterdir()))
        (inbox / "new" / f"{1_700_000_000 + number}.host").write_bytes(data)
    with Maildir(inbox) as box:
        return list(fetch_mails(anna.local_player, box, anna.file.parent))


def told(arrivals: list[Arrival]) -> str:
    """What is told of the only mail that is told of; it is neither a game nor an alarm."""
    (arrival,) = arrivals
    assert (arrival.verdict.game, arrival.file, arrival.refusal) == (None, None, None)
    assert not arrival.alarm
    return arrival.verdict.description


def fate(anna: Correspondent, game: Game) -> Fate | None:
    return Outbox(anna.local_player.home).fate(game.ids[0], game.ids[-1])


class TestReports:
    """Who reads the report is told which mail it was, to whom, and why."""

    @pytest.mark.parametrize("kind", ["message/rfc822", "text/rfc822-headers"])
    def test_came_back(self, kind: str, anna: Correspondent, game: Game, sent: bytes, inbox: Path) -> None:
        words = told(fetched(anna, inbox, delivery_report(sent, kind=kind)))
        assert words.startswith(f"your mail 3 to {BRUNO} bounced: 550 5.1.1 no such user (game ")
        assert game.ids[0][:8] in words
        assert fate(anna, game) is Fate.RETURNED

    def test_delayed(self, anna: Correspondent, game: Game, sent: bytes, inbox: Path) -> None:
        """It may still arrive, so it counts as sent."""
        report = delivery_report(sent, action="delayed", diagnostic="smtp; 451 4.7.1 greylisted")
        words = told(fetched(anna, inbox, report))
        assert words == f"your mail 3 to {BRUNO} is delayed: 451 4.7.1 greylisted (game {game.ids[0][:8]})"
        assert fate(anna, game) is Fate.SENT

    def test_for_people_alone(self, anna: Correspondent, game: Game, sent: bytes, inbox: Path) -> None:
        delayed, returned = fetched(anna, inbox, exim_warning(sent), qmail_report(sent))
        assert f"your mail 3 to {BRUNO} is delayed: " in delayed.verdict.description
        assert f"your mail 3 to {BRUNO} bounced: Sorry, no mailbox here by " in returned.verdict.description
        assert fate(anna, game) is Fate.RETURNED

    def test_arrived(self, anna: Correspondent, game: Game, sent: bytes, inbox: Path) -> None:
        assert fetched(anna, inbox, delivery_report(sent, action="delivered")) == []
        assert fate(anna, game) is Fate.SENT

    def test_of_a_copy_that_went_to_another_address(
        self, anna: Correspondent, game: Game, sent: bytes, authority: Authority, inbox: Path
    ) -> None:
        """The first came back; what has gone to the right address since stays sent."""
        with serve_smtp_for(anna, authority) as room:
            command = ("mail", "send", "game.yaml", "--to", "bruno@example.net")
            assert anna.type(*command) == 0
        assert f"to {BRUNO} bounced" in told(fetched(anna, inbox, delivery_report(sent)))
        assert fate(anna, game) is Fate.SENT
        assert "to bruno@example.net bounced" in told(
            fetched(anna, inbox, delivery_report(room.accepted[0][2]))
        )
        assert fate(anna, game) is Fate.RETURNED


class TestOtherMails:
    def test_a_report_about_a_mail_of_somebody_else(
        self, bruno: Correspondent, game: Game, sent: bytes, inbox: Path
    ) -> None:
        """Bruno has the game, and never mailed this; whatever the report returns is passed over."""
        bruno.save(game)
        bruno.file.unlink()
        assert fetched(bruno, inbox, delivery_report(sent)) == []
        assert list(bruno.file.parent.glob("*.yaml")) == []
        assert not (bruno.local_player.home / "outbox").exists()

    def test_a_game_in_a_mail_with_an_empty_return_path(
        self, anna: Correspondent, bruno: Correspondent, sent: bytes, game: Game, inbox: Path
    ) -> None:
        """As a mail program may write it that never wants an answer."""
        data = game_mail(mailed_file(begin_game(anna.person(), bruno.person())))
        (arrival,) = fetched(anna, inbox, b"Return-Path: <>\n" + data)
        assert arrival.verdict.game is not None
        assert fate(anna, game) is Fate.SENT


class TestAnsweringThem:
    """`--reply-problem` writes to nobody who is not there."""

    def test_a_report(self, anna: Correspondent, sent: bytes, capsys: pytest.CaptureFixture[str]) -> None:
        (anna.file.parent / "mail.eml").write_bytes(delivery_report(sent))
        assert anna.type("mail", "send", "mail.eml", "--reply-problem") == 1
        error = capsys.readouterr().err
        assert error.startswith(f"error: this is a mail server's report: your mail 3 to {BRUNO} bounced: ")
        assert list(anna.file.parent.glob("*-problem.eml")) == []

    @pytest.mark.parametrize("automatic", [True, False])
    def test_a_mail_that_a_program_sent(
        self,
        automatic: bool,
        anna: Correspondent,
        bruno: Correspondent,
        sent: bytes,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """A draft is written, for somebody may read it after all; and the player is told."""
        older = game_mail(mailed_file(begin_game(anna.person(), bruno.person())))
        header = b"Auto-Submitted: auto-replied\n" if automatic else b"Auto-Submitted: no\n"
        (anna.file.parent / "mail.eml").write_bytes(header + older)
        assert anna.type("mail", "send", "mail.eml", "--reply-problem") == 0
        warned = "warning: a program sent this mail automatically, so perhaps nobody would read an answer"
        assert (warned in capsys.readouterr().err) is automatic
        draft = parse_mail((anna.file.parent / "mail.eml-problem.eml").read_bytes())
        assert draft["X-Unsent"] == "1"
        assert draft["Auto-Submitted"] is None
