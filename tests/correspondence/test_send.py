"""`pbem mail send` through real servers: to the confirmed opponent alone, and always the same bytes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from mail.test_smtp import REPLIES
from pbem.correspondence.contacts import Contact, Contacts
from pbem.correspondence.letter import letter, subject
from pbem.correspondence.outbox import Outbox, games_in_headers, thread
from pbem.correspondence.send import save_to_outbox
from pbem.errors import MailError
from pbem.mail import desktop
from pbem.mail.desktop import MailToOpen
from pbem.mail.parse_mail import find_in_message, parse_message
from pbem.player.store.delivery import Fate
from pbem.umpire import write
from pbem.umpire.game_facts import file_name
from pbem.umpire.game_state import Game
from support.correspondents import (
    ANNA,
    BRUNO,
    Correspondent,
    attached_game,
    begin_game,
    mail_text,
    offer_game,
    parse_mail,
    play_share_and_orders,
    serve_smtp_for,
)
from support.markers import Posix, requires
from support.processes import run_pbem
from support.simulator import STRANGER
from support.smtp_servers import PASSWORD, Authority, HangingServer, ReceivedMails, Security, serve_smtp
from support.terminal import Lines

pytestmark = pytest.mark.thorough

NOW = datetime(2026, 8, 1, 12, tzinfo=UTC)


class TestByServer:
    def test_arrives(
        self, anna: Correspondent, bruno: Correspondent, game: Game, authority: Authority
    ) -> None:
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
        ((sender, recipients, data),) = room.accepted
        assert (sender, recipients) == (ANNA, [BRUNO])
        mail = parse_mail(data)
        assert mail["To"].addresses[0].addr_spec == BRUNO
        assert mail["From"].addresses[0].addr_spec == ANNA
        assert mail["Subject"] == subject(game)
        assert mail["Message-ID"] == thread(game).message_id
        assert mail["In-Reply-To"] == thread(game).in_reply_to
        assert mail_text(data).startswith(letter(game))
        assert attached_game(data).ids == game.ids
        assert mail["Auto-Submitted"] is None
        assert mail["X-Unsent"] is None
        assert Outbox(anna.local_player.home).fate(game.ids[0], game.ids[-1]) is Fate.SENT

    def test_reader_finds_the_game_twice(self, anna: Correspondent, game: Game, authority: Authority) -> None:
        """As attachment, and as block, for a client that loses attachments."""
        with serve_smtp_for(anna, authority) as room:
            anna.type("mail", "send", "game.yaml", "--to", BRUNO)
        found = find_in_message(parse_message(room.accepted[0][2]))
        assert found.faults == ()
        assert len(found.candidates) >= 2
        assert {one.data for one in found.candidates} == {anna.local_player.store.find(game.ids[0]).data}

    def test_once_more(self, anna: Correspondent, game: Game, authority: Authority) -> None:
        """The same game to the same address, with an id that no server has seen; it stays in the thread."""
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
            assert anna.type("mail", "send", "game.yaml") == 0
            assert anna.type("mail", "send", "game.yaml") == 0
        first, second, third = (parse_mail(data) for _, _, data in room.accepted)
        ids = [mail["Message-ID"] for mail in (first, second, third)]
        head, begin = game.ids[-1][:32], game.ids[0][:16]
        assert ids == [f"<{head}.{begin}{copy}@pbem.invalid>" for copy in ("", ".2", ".3")]
        assert second["References"].split() == [*first["References"].split(), ids[0]]
        assert second["In-Reply-To"] == first["In-Reply-To"] == thread(game).in_reply_to
        assert second["Subject"] == first["Subject"]
        assert [attached_game(data).ids for _, _, data in room.accepted] == [game.ids] * 3
        assert [games_in_headers(one) for one in ids] == [[begin]] * 3

    def test_an_offer_once_more(self, anna: Correspondent, authority: Authority) -> None:
        """It is the first mail of its thread, so nothing else ties it to what will answer the first copy."""
        game = anna.save(offer_game(anna.person()))
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
            assert anna.type("mail", "send", "game.yaml") == 0
        again = parse_mail(room.accepted[1][2])
        assert again["References"] == thread(game).message_id != again["Message-ID"]
        assert again["In-Reply-To"] is None

    def test_the_next_move_is_another_mail_of_the_thread(
        self, anna: Correspondent, bruno: Correspondent, game: Game, authority: Authority
    ) -> None:
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
            answered = play_share_and_orders(game, bruno.person())
            anna.save(play_share_and_orders(answered, anna.person()))
            assert anna.type("mail", "send", "game.yaml") == 0
        first, second = (parse_mail(data) for _, _, data in room.accepted)
        assert second["In-Reply-To"] == thread(answered).message_id
        assert first["Message-ID"] in second["References"].split()

    def test_offer(
        self, anna: Correspondent, authority: Authority, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Nobody is known yet, so the address is given once for each offer."""
        anna.save(offer_game(anna.person()))
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml") == 1
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
        assert [recipients for _, recipients, _ in room.accepted] == [[BRUNO]]
        assert capsys.readouterr().out == f"Sent to {BRUNO}.\n"

    def test_offer_that_was_not_taken_at_once(self, anna: Correspondent, authority: Authority) -> None:
        """The outbox knows where it goes."""
        game = anna.save(offer_game(anna.person()))
        with serve_smtp(ReceivedMails(refuses={BRUNO: "451 come back later"}), authority, "tls") as port:
            anna.server(authority, port)
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1
        kept = Outbox(anna.local_player.home).read(game.ids[0], game.ids[0])
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml") == 0
        assert room.accepted == [(ANNA, [BRUNO], kept)]

    def test_after_an_offer_nothing_is_asked(
        self, anna: Correspondent, bruno: Correspondent, authority: Authority
    ) -> None:
        """Bruno has taken the seat, and gives the address that the offer went to."""
        anna.save(offer_game(anna.person()))
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
            anna.save(
                play_share_and_orders(begin_game(anna.person(), bruno.person(mail=BRUNO)), anna.person())
            )
            assert anna.type("mail", "send", "game.yaml") == 0
        assert [recipients for _, recipients, _ in room.accepted] == [[BRUNO], [BRUNO]]


class TestTheAddressIsConfirmedOnce:
    def test_not_without(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        authority: Authority,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """An address that the game gives is a claim: it is shown, and not used."""
        anna.save(
            play_share_and_orders(
                begin_game(anna.person(), bruno.person(mail="eve@example.org")), anna.person()
            )
        )
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml") == 1
            error = capsys.readouterr().err
            assert 'you have not confirmed the address of "Bruno" yet; the game says eve@example.org' in error
            assert "hint: pbem asks for it at a terminal: pbem mail send game.yaml" in error
            assert room.accepted == []
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
            assert anna.type("mail", "send", "game.yaml") == 0
        assert [recipients for _, recipients, _ in room.accepted] == [[BRUNO], [BRUNO]]

    def test_another_address_later(self, anna: Correspondent, game: Game, authority: Authority) -> None:
        """The player's word counts: the mail is made anew for the new address."""
        with serve_smtp_for(anna, authority) as room:
            anna.type("mail", "send", "game.yaml", "--to", "wrong@example.org")
            anna.type("mail", "send", "game.yaml", "--to", BRUNO)
            anna.type("mail", "send", "game.yaml")
        assert [recipients for _, recipients, _ in room.accepted] == [["wrong@example.org"], [BRUNO], [BRUNO]]
        assert [parse_mail(data)["To"].addresses[0].addr_spec for _, _, data in room.accepted] == [
            "wrong@example.org",
            BRUNO,
            BRUNO,
        ]
        assert len({parse_mail(data)["Message-ID"] for _, _, data in room.accepted}) == 3

    def test_prepared_refuses_what_nobody_confirmed(self, anna: Correspondent, game: Game) -> None:
        contact = Contact("Bruno", "key", BRUNO, False)
        with pytest.raises(MailError, match="not confirmed"):
            save_to_outbox(anna.local_player, None, game, contact, NOW)

    def test_changed_key_stops_it(
        self, anna: Correspondent, bruno: Correspondent, authority: Authority
    ) -> None:
        """Somebody else calls himself Bruno."""
        anna.local_player.store.note_key("Bruno", str(STRANGER.public))
        anna.save(play_share_and_orders(begin_game(anna.person(), bruno.person()), anna.person()))
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1
        assert room.accepted == []


class TestAtATerminal:
    """A person is asked for the address, with what the game says as a suggestion."""

    def test_asked_once(self, anna: Correspondent, bruno: Correspondent) -> None:
        person = bruno.person(mail="bruno@claims.example")
        anna.save(play_share_and_orders(begin_game(anna.person(), person), anna.person()))
        for asked in (True, False):
            terminal = Lines(
                anna.file.parent,
                *("mail", "send", "game.yaml", "--eml", "out.eml"),
                PBEM_HOME=str(anna.local_player.home),
            )
            try:
                if asked:
                    terminal.read_to('Mail address of "Bruno" [bruno@claims.example]: ')
                    terminal.type(BRUNO)
                assert "wrote out.eml" in terminal.read_to_end()
            finally:
                terminal.close()
            data = (anna.file.parent / "out.eml").read_bytes()
            assert parse_mail(data)["To"].addresses[0].addr_spec == BRUNO


class TestWhatIsNotSent:
    """Nothing leaves, and the outbox stays empty."""

    @contextmanager
    def refused(self, anna: Correspondent, authority: Authority) -> Iterator[None]:
        with serve_smtp_for(anna, authority) as room:
            yield
        assert room.accepted == []
        assert not (anna.local_player.home / "outbox").exists()

    def test_a_file_that_fails(self, anna: Correspondent, game: Game, authority: Authority) -> None:
        good = anna.file.read_text()
        anna.file.write_text(good.replace('name: "Anna"', 'name: "Anne"').replace("name: Anna", "name: Anne"))
        with self.refused(anna, authority):
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1

    def test_an_older_file(self, anna: Correspondent, bruno: Correspondent, authority: Authority) -> None:
        before = anna.save(begin_game(anna.person(), bruno.person()))
        old = anna.file.read_bytes()
        anna.save(play_share_and_orders(before, anna.person()))
        anna.file.write_bytes(old)
        with self.refused(anna, authority):
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1

    def test_nothing_new(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        authority: Authority,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        anna.save(begin_game(anna.person(), bruno.person()))
        with self.refused(anna, authority):
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1
        assert (
            "there is nothing new to send: entry 2, the last, is your opponent's" in capsys.readouterr().err
        )

    def test_solitaire(self, anna: Correspondent, authority: Authority) -> None:
        anna.save(begin_game(anna.person(), anna.person()))
        with self.refused(anna, authority):
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1

    @pytest.mark.parametrize("bad", [f"{BRUNO}, eve@example.org", f"{BRUNO}\nBcc: eve@example.org", "Bruno"])
    def test_two_addresses(self, bad: str, anna: Correspondent, game: Game, authority: Authority) -> None:
        with self.refused(anna, authority):
            assert anna.type("mail", "send", "game.yaml", "--to", bad) == 1


def test_a_move_that_is_not_over_is_warned_of(
    anna: Correspondent, bruno: Correspondent, authority: Authority, capsys: pytest.CaptureFixture[str]
) -> None:
    """Bruno has taken his seat, and mails that before he sets up."""
    bruno.save(write.accept(offer_game(anna.person()), bruno.person(), lambda size: b"b" * size))
    with serve_smtp_for(bruno, authority) as room:
        assert bruno.type("mail", "send", "game.yaml", "--to", ANNA) == 0
    told = capsys.readouterr().err
    assert "warning: it is still your move, and your next entry will need another mail" in told
    assert [recipients for _, recipients, _ in room.accepted] == [[ANNA]]


class TestTheServerFails:
    """Whatever goes wrong: one line, nothing marked as sent, and the same bytes at the next attempt."""

    @pytest.mark.parametrize(
        ("security", "replies"), [(one, n) for one in ("tls", "starttls") for n in range(REPLIES[one])]
    )
    def test_connection_breaks(
        self,
        security: Security,
        replies: int,
        anna: Correspondent,
        game: Game,
        authority: Authority,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        broken = HangingServer(authority, security, replies)
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1785585600")
        with broken.serving() as port:
            anna.server(authority, port, security)
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1
        error, hint = capsys.readouterr().err.splitlines()
        assert error.startswith("error: ")
        assert hint == "hint: try again later: pbem will send the very same mail"
        outbox = Outbox(anna.local_player.home)
        assert outbox.fate(game.ids[0], game.ids[-1]) is None
        monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795585600")
        with serve_smtp_for(anna, authority, security) as room:
            assert anna.type("mail", "send", "game.yaml") == 0
        assert outbox.fate(game.ids[0], game.ids[-1]) is Fate.SENT
        (taken,) = (data for _, _, data in room.accepted)
        assert taken == outbox.read(game.ids[0], game.ids[-1])
        stuffed = taken.replace(b"\r\n.", b"\r\n..")  # RFC 5321, 4.5.2: as it goes over the line
        assert all(read == stuffed for read in broken.read)

    @pytest.mark.parametrize("fault", ["password", "recipient", "authority"])
    def test_refused(
        self, fault: str, anna: Correspondent, game: Game, authority: Authority, tmp_path: Path
    ) -> None:
        room = ReceivedMails(refuses={BRUNO: "550 no such user"} if fault == "recipient" else {})
        impostor = Authority.new(tmp_path) if fault == "authority" else authority
        with serve_smtp(room, impostor, "tls") as port:
            anna.settings(
                authority.account(port, "tls", password="wrong" if fault == "password" else PASSWORD)
            )
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1
        assert room.accepted == []
        outbox = Outbox(anna.local_player.home)
        fate = outbox.fate(game.ids[0], game.ids[-1])
        assert fate is (Fate.REFUSED if fault == "recipient" else None)
        kept = outbox.read(game.ids[0], game.ids[-1])
        with serve_smtp_for(anna, authority) as good:
            assert anna.type("mail", "send", "game.yaml") == 0
        assert [data for _, _, data in good.accepted] == [kept]
        assert outbox.fate(game.ids[0], game.ids[-1]) is Fate.SENT

    def test_refused_and_tried_again_when_the_server_is_away(
        self, anna: Correspondent, game: Game, authority: Authority
    ) -> None:
        """The player wants it to go, so it is not refused any more."""
        with serve_smtp(ReceivedMails(refuses={BRUNO: "550 no such user"}), authority, "tls") as port:
            anna.server(authority, port)
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 1
        assert anna.type("mail", "send", "game.yaml") == 1
        assert Outbox(anna.local_player.home).fate(game.ids[0], game.ids[-1]) is None


class TestWithoutServer:
    """The mail becomes a file beside the game, and its text is printed."""

    def test_eml(self, anna: Correspondent, game: Game, capsys: pytest.CaptureFixture[str]) -> None:
        assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
        out = anna.file.with_name(f"mortain-{game.ids[0][:8]}-3.eml")
        printed = capsys.readouterr()
        assert f"note: wrote {out.name}" in printed.err
        mail = parse_mail(out.read_bytes())
        assert mail["From"] is None
        assert mail["To"].addresses[0].addr_spec == BRUNO
        assert printed.out.rstrip("\n") == mail_text(out.read_bytes()).rstrip("\n")
        assert attached_game(out.read_bytes()).ids == game.ids

    def test_sender_as_the_game_says(self, anna: Correspondent, bruno: Correspondent) -> None:
        person = anna.person(mail=ANNA)
        anna.save(play_share_and_orders(begin_game(person, bruno.person()), person))
        assert anna.type("mail", "send", "game.yaml", "--to", BRUNO, "--eml", "out.eml") == 0
        mail = parse_mail((anna.file.parent / "out.eml").read_bytes())
        assert str(mail["From"].addresses[0]) == "Anna <anna@example.org>"

    def test_opens_as_a_draft(self, anna: Correspondent, game: Game) -> None:
        """In Outlook; and each is another mail, for nobody knows which of them has gone."""
        for name in ("one.eml", "two.eml"):
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO, "--eml", name) == 0
        mails = [parse_mail((anna.file.parent / name).read_bytes()) for name in ("one.eml", "two.eml")]
        assert [mail["X-Unsent"] for mail in mails] == ["1", "1"]
        assert mails[0]["Message-ID"] != mails[1]["Message-ID"]

    def test_by_server_later(self, anna: Correspondent, game: Game, authority: Authority) -> None:
        """That is another mail too, and no draft."""
        with serve_smtp_for(anna, authority) as room:
            assert anna.type("mail", "send", "game.yaml", "--to", BRUNO, "--eml", "out.eml") == 0
            assert room.accepted == []
            assert anna.type("mail", "send", "game.yaml") == 0
        ((_, _, data),) = room.accepted
        written = parse_mail((anna.file.parent / "out.eml").read_bytes())
        assert parse_mail(data)["X-Unsent"] is None
        assert parse_mail(data)["Message-ID"] != written["Message-ID"]

    def test_address_is_asked_for_as_well(self, anna: Correspondent, game: Game) -> None:
        assert anna.type("mail", "send", "game.yaml") == 1
        assert list(anna.file.parent.glob("*.eml")) == []


class TestTheDesktop:
    """Without a server the desktop's mail program opens with letter and game, for the player to send."""

    def test_at_a_terminal(self, anna: Correspondent, game: Game, tmp_path: Path) -> None:
        seen = standing_in(tmp_path, "xdg-email")
        standing_in(tmp_path, "xdg-mime")  # which names no browser, nor mutt, whatever is installed here
        at = Lines(
            anna.file.parent,
            *("send", "game.yaml", "--to", BRUNO),
            PBEM_HOME=str(anna.local_player.home),
            PATH=f"{tmp_path}:{os.environ['PATH']}",
            DISPLAY=":7",
        )
        assert "Your mail program is opening with a mail to" in at.read_to_end()
        assert json.loads(seen.read_text())[-3:] == [
            "--attach",
            str(attached_file(anna, game)),
            f"mailto:{BRUNO}",
        ]
        assert attached_file(anna, game).read_bytes() == anna.local_player.store.find(game.ids[0]).data

    @requires(Posix.SHELL)
    @pytest.mark.parametrize("program", ["xdg-email", "thunderbird"])
    def test_what_it_is_told(self, anna: Correspondent, game: Game, tmp_path: Path, program: str) -> None:
        """Programs of the test's own take the place of the desktop's; where one fails, the other is tried."""
        failing = standing_in(tmp_path, "xdg-email", code=3) if program != "xdg-email" else tmp_path / "none"
        seen = standing_in(tmp_path, program)
        done = self.send(anna, "--open", PATH=str(tmp_path), DISPLAY=":7")
        words = json.loads(seen.read_text())
        if program == "xdg-email":
            assert words[:3] == ["--utf8", "--subject", subject(game)]
            assert words[3:5] == ["--body", letter(game)]
            assert not failing.exists()
        else:
            assert words[0] == "-compose"
            assert words[1].startswith(f"to='{BRUNO}',subject='{subject(game)}',body='")
            assert words[1].endswith(f",attachment='{attached_file(anna, game).as_uri()}'")
            assert words[1].count("'") == 8
        first = done.stdout.splitlines()[0]
        assert first.startswith("Your mail program is opening with a mail to ")

    def test_no_program(self, anna: Correspondent, game: Game, tmp_path: Path) -> None:
        """The mail is a file then, and what to paste is printed where --open did not insist."""
        done = self.send(anna, "--open", PATH=str(tmp_path), DISPLAY=":7")
        assert done.returncode == 1
        assert done.stderr.startswith(
            "error: pbem found no mail program here that accepts attachments; the mail is in "
        )
        done = self.send(anna, PATH=str(tmp_path), DISPLAY=":7")
        assert done.returncode == 0
        assert done.stdout.startswith(letter(game))

    @pytest.mark.parametrize(
        ("named", "opens"),
        [("org.gnome.Evolution.desktop", True), ("firefox-esr.desktop", False), ("", True)],
    )
    @requires(Posix.SHELL)
    def test_a_browser_would_drop_the_attachment(
        self, named: str, opens: bool, anna: Correspondent, game: Game, tmp_path: Path
    ) -> None:
        seen = standing_in(tmp_path, "xdg-email")
        asked = tmp_path / "xdg-mime"
        asked.write_text(f"#!/bin/sh\necho {named}\n")
        asked.chmod(0o755)
        done = self.send(anna, "--open", PATH=f"{tmp_path}:/usr/bin:/bin", DISPLAY=":7")
        assert (done.returncode == 0) == opens == seen.exists()
        assert ("accepts attachments" in done.stderr) != opens
        assert ("hint: for mail in a browser: pbem send --paste" in done.stderr) != opens

    def test_to_paste(self, anna: Correspondent, bruno: Correspondent, game: Game, tmp_path: Path) -> None:
        """Address, subject, and the letter with the game in it, which the opponent's program finds."""
        done = self.send(anna, "--paste")
        assert done.returncode == 0
        assert done.stdout.startswith(letter(game))
        assert done.stderr == f"note: paste this into a mail to {BRUNO}, with the subject {subject(game)}\n"
        assert list(anna.file.parent.glob("*.eml")) == []
        pasted = tmp_path / "pasted.txt"
        pasted.write_text(done.stdout)
        assert bruno.type("verify", str(pasted)) == 0

    @requires(Posix.SHELL)
    def test_the_clipboard(self, anna: Correspondent, game: Game, tmp_path: Path) -> None:
        clipboard = tmp_path / "clipboard"
        program = tmp_path / "xclip"
        program.write_text(f"#!/bin/sh\ncat > {clipboard}\n")
        program.chmod(0o755)
        at = Lines(
            anna.file.parent,
            *("send", "game.yaml", "--to", BRUNO, "--paste"),
            PBEM_HOME=str(anna.local_player.home),
            PATH=f"{tmp_path}:{os.environ['PATH']}",
            DISPLAY=":7",
        )
        assert "Copied: a mail to" in at.read_to_end()
        assert clipboard.read_text().startswith(letter(game))

    def test_no_desktop(self, anna: Correspondent, game: Game, tmp_path: Path) -> None:
        seen = standing_in(tmp_path, "xdg-email")
        assert self.send(anna, "--open", PATH=str(tmp_path), DISPLAY="", WAYLAND_DISPLAY="").returncode == 1
        assert not seen.exists()

    def test_nobody_asked_for_a_window(self, anna: Correspondent, game: Game, tmp_path: Path) -> None:
        """Not at a terminal, so perhaps nobody is there."""
        seen = standing_in(tmp_path, "xdg-email")
        assert self.send(anna, PATH=str(tmp_path), DISPLAY=":7").returncode == 0
        assert not seen.exists()

    def test_no_address_is_an_option_or_another_field(self, tmp_path: Path) -> None:
        for address in ("--version@example.org", "a&bcc=eve@example.org", "o'hara@example.org"):
            mail = MailToOpen(address, "s", "l", tmp_path / "game.yaml", tmp_path / "mail.eml")
            *_, last = desktop.xdg_command(mail)
            assert last.startswith("mailto:")
            assert unquote(urlsplit(last).path) == address
            assert not urlsplit(last).query
        with pytest.raises(MailError):
            desktop.open_mail(MailToOpen(f"{BRUNO},eve@example.org", "s", "l", tmp_path, tmp_path))

    def send(self, anna: Correspondent, *more: str, **environment: str) -> subprocess.CompletedProcess[str]:
        words, home = ("send", "game.yaml", "--to", BRUNO, *more), str(anna.local_player.home)
        return run_pbem(*words, cwd=anna.file.parent, PBEM_HOME=home, **environment)


def attached_file(player: Correspondent, game: Game) -> Path:
    """What a mail program attaches: the game, by the name that the letter gives it."""
    return player.local_player.home / "outbox" / game.ids[0] / file_name(game)


def standing_in(folder: Path, name: str, code: int = 0) -> Path:
    """Put a program into the folder, and return the file into which that writes what it was told."""
    program, seen = folder / name, folder / f"seen by {name}"
    program.write_text(
        f"#!{sys.executable}\nimport json, sys\n"
        f"open({str(seen)!r}, 'w').write(json.dumps(sys.argv[1:]))\nsys.exit({code})\n"
    )
    program.chmod(0o700)
    return seen


def test_two_homes_play_on_by_mail(anna: Correspondent, bruno: Correspondent, authority: Authority) -> None:
    """What one sends the other reads, moves on from and sends back."""
    anna.save(play_share_and_orders(begin_game(anna.person(), bruno.person()), anna.person()))
    with serve_smtp_for(anna, authority) as room:
        assert anna.type("mail", "send", "game.yaml", "--to", BRUNO) == 0
    (bruno.file.parent / "mail.eml").write_bytes(room.accepted[0][2])
    assert bruno.type("show", "mail.eml") == 0
    game = attached_game(room.accepted[0][2])
    bruno.save(play_share_and_orders(game, bruno.person()))
    with serve_smtp_for(bruno, authority) as other:
        assert bruno.type("mail", "send", "game.yaml", "--to", ANNA) == 0
    back = attached_game(other.accepted[0][2])
    assert back.ids[: len(game.ids)] == game.ids
    assert Contacts(anna.local_player).check_and_remember(back).address == BRUNO
