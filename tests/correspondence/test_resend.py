"""What is lost on its way: mailed once more after a silence, asked for where it came cut; and no flood."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from msgspec.structs import replace

from pbem.base.limits import RESEND_TIMES
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.outbox import Outbox
from pbem.player.store.delivery import Fate
from pbem.player.store.game_record import GameRecord
from pbem.umpire.game_state import Game
from support.bounces import delivery_report
from support.correspondents import (
    ANNA,
    BRUNO,
    Correspondent,
    attached_game,
    mail_text,
    make_correspondents,
    parse_mail,
    stored_game,
)
from support.mail_answers import game_asking_anna, with_fixed_keys
from support.mail_provider import MailProvider
from support.processes import free_port
from support.smtp_servers import Authority, ReceivedMails, serve_smtp

pytestmark = pytest.mark.thorough

START = datetime(2026, 12, 1, tzinfo=UTC)
DAY = timedelta(days=1)


class Two:
    """Anna and Bruno, each with his program, and the clock."""

    def __init__(self, office: MailProvider, anna: Correspondent, bruno: Correspondent) -> None:
        self.office, self.anna, self.bruno = office, anna, bruno
        self.now = START

    def type(self, player: Correspondent, *words: str) -> int:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SOURCE_DATE_EPOCH", str(int(self.now.timestamp())))
            return player.type(*words)

    def watch(self, player: Correspondent, times: int = 1) -> None:
        for _ in range(times):
            assert self.type(player, "mail", "watch", "--once") == 0

    def mails(self, player: Correspondent) -> list[EmailMessage]:
        return [parse_mail(one) for one in self.office.mails_of(player.name.lower())]

    def lose(self, player: Correspondent) -> None:
        """What has arrived and was not read is lost."""
        for file in (self.office.maildir(player.name.lower()) / "new").iterdir():
            file.unlink()


@pytest.fixture
def two(tmp_path: Path, office: MailProvider) -> Two:
    both = with_fixed_keys(make_correspondents(tmp_path))
    for one in both:
        office.serve(one.local_player, one.name.lower(), maildir=True)
    return Two(office, *both)


def forget_fate(player: Correspondent, game: Game, copy: str = "") -> None:
    """Delete from a record what became of the only mail with the game's last entry, or of a further copy."""
    name = f"{game.ids[-1]}{copy}"

    def forgetful(record: GameRecord) -> GameRecord:
        assert name in record.mails
        return replace(record, mails={other: fate for other, fate in record.mails.items() if other != name})

    player.local_player.store.records.change(game.ids[0], forgetful)


@pytest.fixture
def game(two: Two) -> Game:
    """Anna has mailed her orders; it is for Bruno to write."""
    game = game_asking_anna(two.anna, two.bruno)
    two.bruno.save(game)
    contacts = Contacts(two.bruno.local_player)
    contacts.confirm(contacts.opponent(game), ANNA)
    assert two.type(two.anna, "move", game.ids[0][:8], "pass") == 0
    assert two.type(two.anna, "send", game.ids[0][:8], "--to", BRUNO) == 0
    return stored_game(two.anna)


class TestSilence:
    def test_is_noticed_after_three_days(self, two: Two, game: Game) -> None:
        two.lose(two.bruno)
        two.now += 3 * DAY - timedelta(minutes=1)
        two.watch(two.anna)
        assert two.mails(two.bruno) == []
        two.now += timedelta(minutes=2)
        two.watch(two.anna, 3)
        (mail,) = two.mails(two.bruno)
        assert mail["Auto-Submitted"] == "auto-replied"
        assert "This is a reminder, because nothing has arrived" in " ".join(
            mail_text(mail.as_bytes()).split()
        )

    def test_heals_and_goes_on(self, two: Two, game: Game) -> None:
        two.lose(two.bruno)
        two.now += 3 * DAY
        two.watch(two.anna)
        two.watch(two.bruno)
        assert len(stored_game(two.bruno).entries) >= len(game.entries)

    def test_no_flood(self, two: Two, game: Game) -> None:
        """Three in all for one last entry, each at least as late as the silence that is set."""
        two.lose(two.bruno)
        for _ in range(40):
            two.now += DAY / 2
            two.watch(two.anna)
        assert len(two.mails(two.bruno)) == RESEND_TIMES

    def test_the_second_has_the_game_once(self, two: Two, game: Game) -> None:
        """Attached; a third has it in the text too, in case attachments get lost."""
        two.lose(two.bruno)
        for _ in range(2):
            two.now += 3 * DAY
            two.watch(two.anna)
        second, third = (mail.as_bytes() for mail in two.mails(two.bruno))
        assert [b"BEGIN PBEM GAME" in mail for mail in (second, third)] == [False, True]
        for mail in (second, third):
            assert attached_game(mail).ids == game.ids
        assert len(second) < 0.8 * len(third)

    def test_a_setting_ends_it_or_hastens_it(self, two: Two, game: Game) -> None:
        """But never more often than once a day."""
        config = two.anna.local_player.home / "config.yaml"
        config.write_text(f"{(before := config.read_text())}  resend_after: never\n")
        two.lose(two.bruno)
        two.now += 30 * DAY
        two.watch(two.anna)
        assert two.mails(two.bruno) == []
        config.write_text(f"{before}  resend_after: 1h\n")
        two.watch(two.anna, 2)
        two.now += timedelta(hours=5)
        two.watch(two.anna)
        assert len(two.mails(two.bruno)) == 1

    def test_other_ids_and_one_killed_keeps_its_own(self, two: Two, game: Game) -> None:
        two.now += 3 * DAY
        two.watch(two.anna)
        ids = {one["Message-ID"] for one in two.mails(two.bruno)}
        assert len(ids) == 2
        forget_fate(two.anna, game, ".2")  # as if killed between the server's word and the note
        two.watch(two.anna)
        assert {one["Message-ID"] for one in two.mails(two.bruno)} == ids

    def test_is_told_where_nobody_watches(
        self, two: Two, game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for command in ((), ("games",)):
            capsys.readouterr()
            two.type(two.anna, *command)
            assert "might not have" not in capsys.readouterr()[0]
        two.now += 3 * DAY
        for command in ((), ("games",)):
            two.type(two.anna, *command)
            told = " ".join(capsys.readouterr()[0].split())
            assert "Your opponent might not have your mail of 1 December 2026. Type: pbem mail send" in told

    def test_his_lost_answer_comes_by_the_repetition(self, two: Two, game: Game) -> None:
        """Bruno has answered, and that mail was lost: the next mail of Anna's has him repeat it."""
        two.watch(two.bruno)
        mine = stored_game(two.bruno)
        if mine.ids == game.ids:
            assert two.type(two.bruno, "resign", game.ids[0][:8], "--yes") == 0
            assert two.type(two.bruno, "send", game.ids[0][:8]) == 0
            mine = stored_game(two.bruno)
        two.lose(two.anna)
        assert stored_game(two.anna).ids == game.ids
        two.now += 3 * DAY
        two.watch(two.anna)
        two.watch(two.bruno)
        two.watch(two.anna)
        assert stored_game(two.anna).ids[: len(mine.ids)] == mine.ids

    def test_is_told_of_what_a_mail_program_was_given(
        self, two: Two, game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Who sends by his own program has no settings."""
        (two.anna.local_player.home / "config.yaml").unlink()
        two.now += DAY
        assert two.type(two.anna, "send", game.ids[0][:8]) == 0
        capsys.readouterr()
        for days, told in ((2.9, False), (3, True)):
            two.now = START + DAY * (1 + days)
            for command in ((), ("games",)):
                two.type(two.anna, *command)
                printed = " ".join(capsys.readouterr()[0].split())
                assert (
                    "Your opponent might not have your mail of 2 December 2026. Type: pbem mail" in printed
                ) == told


class TestRefused:
    def test_it_is_not_he_who_owes(self, two: Two, game: Game, capsys: pytest.CaptureFixture[str]) -> None:
        outbox = Outbox(two.anna.local_player.home)

        forget_fate(two.anna, game)
        outbox.save_fate(game.ids[0], game.ids[-1], Fate.REFUSED, "552 too large")
        two.type(two.anna, "games")
        told = " ".join(capsys.readouterr()[0].split())
        assert "A server refused your mail, so your opponent does not have it" in told
        assert "waiting since" not in told

    def test_until_it_has_gone(
        self, two: Two, game: Game, authority: Authority, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Refused in our own session, told; mailed again, it is told no more, and he owes."""
        again = ("send", game.ids[0][:8])
        with serve_smtp(ReceivedMails(refuses={BRUNO: "550 no such user"}), authority, "tls") as port:
            two.anna.server(authority, port)
            assert two.type(two.anna, *again) == 1
        two.now += DAY
        for office in (False, True):
            if office:
                two.office.serve(two.anna.local_player, "anna", maildir=True)
                assert two.type(two.anna, *again) == 0
            capsys.readouterr()
            two.type(two.anna)
            printed = " ".join(capsys.readouterr()[0].split())
            assert ("your mail has not been sent" in printed, "Americans are to move" in printed) == (
                not office,
                office,
            )

    def test_a_greylisted_one_goes_out_by_itself(
        self, two: Two, game: Game, authority: Authority, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """And where nobody watches, it is told."""
        two.watch(two.bruno)
        if stored_game(two.bruno).ids == game.ids:
            assert two.type(two.bruno, "resign", game.ids[0][:8], "--yes") == 0
        with serve_smtp(ReceivedMails(refuses={ANNA: "451 greylisted"}), authority, "tls") as port:
            two.bruno.server(authority, port)
            assert two.type(two.bruno, "send", game.ids[0][:8]) == 1
        capsys.readouterr()
        two.type(two.bruno, "games")
        assert "No server has taken your mail yet. Type: pbem mail send" in " ".join(
            capsys.readouterr()[0].split()
        )
        mine = stored_game(two.bruno)
        kept = Outbox(two.bruno.local_player.home).read(mine.ids[0], mine.ids[-1])
        two.office.serve(two.bruno.local_player, "bruno", maildir=True)
        two.watch(two.bruno)
        assert two.office.mails_of("anna")[-1] == kept
        two.watch(two.bruno)
        assert two.office.mails_of("anna").count(kept) == 1

    def test_a_forged_bounce_stops_no_repetition(self, two: Two, game: Game) -> None:
        (mail,) = two.office.mails_of("bruno")
        two.office.deliver("anna", delivery_report(mail))
        two.watch(two.anna)
        two.lose(two.bruno)
        two.now += 3 * DAY
        two.watch(two.anna)
        assert len(two.mails(two.bruno)) == 1


def cut(data: bytes) -> bytes:
    """A mail as a relay has cut it: in the block below its words."""
    return data[: data.index(b"BEGIN PBEM GAME") + 1500]


class TestACutMail:
    @pytest.fixture
    def broken(self, two: Two, game: Game) -> Game:
        """Bruno gets two thirds of Anna's mail."""
        (mail,) = two.office.mails_of("bruno")
        two.lose(two.bruno)
        two.office.deliver("bruno", cut(mail))
        return game

    def test_asks_for_itself_and_is_healed_in_one_exchange(self, two: Two, broken: Game) -> None:
        two.watch(two.bruno)
        (request,) = [one for one in two.mails(two.anna) if one["X-Pbem-Wants"]]
        assert request["To"].endswith(f"<{ANNA}>") or request["To"] == ANNA
        assert request["Auto-Submitted"] == "auto-replied"
        assert request["X-Pbem-Wants"] == broken.ids[0]
        assert not list(request.iter_attachments())
        two.watch(two.anna)
        two.watch(two.bruno)
        assert stored_game(two.bruno).ids[: len(broken.ids)] == broken.ids

    def test_is_asked_for_until_it_comes(
        self, two: Two, broken: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Who fetched it by hand is told of it; his `watch` asks then, and again where that is lost too."""
        assert two.type(two.bruno, "mail", "fetch") == 0
        for command in ((), ("games",)):
            capsys.readouterr()
            two.type(two.bruno, *command)
            printed = capsys.readouterr()[0]
            assert "A mail from your opponent arrived damaged, or out of order." in printed
            (command_line,) = [one for one in printed.splitlines() if "--reply-problem" in one]
            assert Path(command_line.split()[4]).exists()
        two.watch(two.bruno, 2)
        two.lose(two.anna)
        two.now += DAY
        two.watch(two.bruno)
        two.watch(two.anna)
        two.watch(two.bruno)
        assert stored_game(two.bruno).ids[: len(broken.ids)] == broken.ids
        capsys.readouterr()
        two.type(two.bruno)
        assert "broken" not in capsys.readouterr()[0]
        two.now += DAY
        before = len(two.mails(two.anna))
        two.watch(two.bruno)
        assert len(two.mails(two.anna)) == before

    @pytest.mark.parametrize("command", [(), ("games",)])
    def test_once_asked_for_it_is_waited_for(
        self, two: Two, broken: Game, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
    ) -> None:
        """`watch` gives no advice to do what it does itself; after three days one may ask again."""
        two.watch(two.bruno)
        printed = capsys.readouterr()[0]
        assert "for the whole game" in printed
        assert "--reply-problem" not in printed
        two.type(two.bruno, *command)
        printed = capsys.readouterr()[0]
        assert "arrived damaged, or out of order. You asked for the whole game on 1 December 2026." in printed
        assert "--reply-problem" not in printed
        two.now += 3 * DAY
        two.type(two.bruno, *command)
        printed = capsys.readouterr()[0]
        assert "You asked for the whole game on 1 December 2026." in printed
        assert "--reply-problem" in printed

    def test_when_it_comes_broken_again_it_says_that_it_was_asked_for(
        self, two: Two, broken: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (mail,) = two.office.mails_of("bruno")
        two.watch(two.bruno)
        two.office.deliver("bruno", mail + b"x\r\n")
        capsys.readouterr()
        two.type(two.bruno, "mail", "fetch")
        printed = " ".join("".join(capsys.readouterr()).split())
        assert "You asked for the whole game on 1 December 2026." in printed
        assert "--reply-problem" not in printed

    def test_a_request_that_no_server_took_is_none(
        self, two: Two, broken: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        two.office.serve(two.bruno.local_player, "bruno", smtp=free_port(), maildir=True)
        assert two.type(two.bruno, "mail", "watch", "--once") == 1
        capsys.readouterr()
        two.type(two.bruno)
        printed = capsys.readouterr()[0]
        assert "You asked" not in printed
        assert "--reply-problem" in printed

    def test_is_set_aside_with_a_command_that_works(
        self, two: Two, broken: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert two.type(two.bruno, "mail", "fetch") in (0, 1)
        printed = " ".join("".join(capsys.readouterr()).split())
        assert "--reply-problem" in printed
        (copy,) = (two.bruno.local_player.home / "mail" / "set-aside").iterdir()
        assert str(copy) in printed.replace(" ", "") or copy.name in printed.replace(" ", "")
        assert two.type(two.bruno, "mail", "send", str(copy), "--reply-problem") == 0

    def test_whoever_sends_it_the_address_on_record_is_asked(self, two: Two, game: Game) -> None:
        """Neither From nor Reply-To, and once a day, three times in all, whatever arrives."""
        (mail,) = two.office.mails_of("bruno")
        two.lose(two.bruno)
        mine = stored_game(two.bruno)
        evil = (
            cut(mail)
            .replace(b"anna@example.org", b"evey@example.org")
            .replace(b"To: ", b"Reply-To: evey@example.org\r\nTo: ", 1)
        )
        before = len(two.mails(two.anna))
        for hour in range(24 * 8):
            if hour % 6 == 0:
                two.now += timedelta(hours=6)
                two.office.deliver("bruno", evil.replace(b"Subject:", f"X-N: {hour}\r\nSubject:".encode(), 1))
                two.type(two.bruno, "mail", "watch", "--once")
        later = two.mails(two.anna)[before:]
        requests = [one for one in later if one["X-Pbem-Wants"] and not list(one.iter_attachments())]
        assert 0 < len(requests) <= RESEND_TIMES
        assert all("evey" not in str(one["To"]) for one in requests)
        assert not two.office.maildir("evey").exists()
        assert stored_game(two.bruno).ids == mine.ids

    def test_a_forged_request_reaches_nobody_else(self, two: Two, game: Game) -> None:
        """Anybody may claim to want the game: it goes to Bruno, once a day, three times in all."""
        for hour in range(20):
            forged = (
                f"From: Eve <eve@example.org>\nReply-To: eve@example.org\nTo: {ANNA}\nSubject: pbem {hour}\n"
                f"X-Pbem-Wants: {game.ids[0]}\n\npbem: please\n"
            )
            two.office.deliver("anna", forged.encode())
            two.now += timedelta(hours=6)
            two.watch(two.anna)
        assert not two.office.maildir("eve").exists()
        assert len(two.mails(two.bruno)) == 1 + RESEND_TIMES

    @pytest.mark.parametrize("wants", ["", "0" * 64, "x" * 64, "0" * 15, "0" * 6400])
    def test_a_request_for_what_is_not_here(self, two: Two, game: Game, wants: str) -> None:
        forged = f"From: {BRUNO}\nTo: {ANNA}\nSubject: pbem\nX-Pbem-Wants: {wants}\n\npbem: please\n"
        two.office.deliver("anna", forged.encode())
        two.watch(two.anna)
        assert len(two.mails(two.bruno)) == 1
