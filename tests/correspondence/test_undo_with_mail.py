"""Undo and mail: what a server may have stays, what has only waited goes, and no program sends it later."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

from correspondence.test_commander_drafts import LeadAtHome
from correspondence.test_commander_mail import GRAZIANI, confirm_address, game_before_orders
from correspondence.test_fetch import game_mail
from correspondence.test_watch import game_waiting_for_anna
from mail.test_smtp import REPLIES
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.question_record import QuestionRecord, codes_in, make_code
from pbem.correspondence.send import send_by_server
from pbem.errors import UndoneEntry
from pbem.mail.settings import settings_to_send
from pbem.player.actions.undo import undoable_entries
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.plan_store import PlanStore
from pbem.player.store.game_file import game_file_bytes
from pbem.player.store.log_relation import Relation
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from player.test_undo import file_after, game_in_store, sign_orders
from support.commanders_game import practice_orders, write_play
from support.correspondents import (
    BRUNO,
    Correspondent,
    attached_game,
    make_correspondents,
    parse_mail,
    play_share_and_orders,
    serve_smtp_for,
    stored_game,
)
from support.mail_answers import reply_mail, with_fixed_keys
from support.mail_provider import MailProvider
from support.smtp_servers import PASSWORD, Authority, HangingServer, ReceivedMails, serve_smtp

pytestmark = pytest.mark.thorough

NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)
UNDO = ("undo", "game.yaml", "--nobody-has-it")
SEND = ("mail", "send", "game.yaml")


@pytest.fixture
def both(tmp_path: Path) -> tuple[Correspondent, Correspondent]:
    return with_fixed_keys(make_correspondents(tmp_path))


@pytest.fixture
def before(anna: Correspondent, bruno: Correspondent) -> Game:
    """Anna has a decision before her; she has confirmed Bruno's address."""
    game = game_waiting_for_anna(anna, bruno, decision=True)
    return anna.save(game)


@pytest.fixture
def game(before: Game, anna: Correspondent) -> Game:
    """She has taken it, and mailed nothing."""
    return sign_orders(before, anna)


def mails(anna: Correspondent, game: Game) -> int:
    """How many mails that tell of the newest entry are kept."""
    return Outbox(anna.local_player.home).count_copies(game.ids[0], game.ids[-1])


def resigned(before: Game, anna: Correspondent) -> Game:
    """Another decision in its place."""
    assert game_in_store(anna).ids == before.ids
    after = write.resign(before, anna.local_player.key)
    anna.local_player.save(after, anna.file)
    return after


class TestAMailThatWaits:
    """No server has begun to take it: it goes away, and the next is of what was signed instead."""

    def check(self, anna: Correspondent, before: Game, game: Game, authority: Authority) -> None:
        assert mails(anna, game) == 1
        assert anna.type(*UNDO) == 0
        assert mails(anna, game) == 0
        after = resigned(before, anna)
        with serve_smtp_for(anna, authority) as room:
            assert anna.type(*SEND) == 0
        ((_, _, data),) = room.accepted
        assert attached_game(data).ids == after.ids

    def test_no_server_was_found(
        self, anna: Correspondent, before: Game, game: Game, authority: Authority
    ) -> None:
        anna.server(authority, 1)
        assert anna.type(*SEND) == 1
        self.check(anna, before, game, authority)

    def test_the_password_is_wrong(
        self, anna: Correspondent, before: Game, game: Game, authority: Authority
    ) -> None:
        with serve_smtp(ReceivedMails(), authority, "tls") as port:
            anna.settings(authority.account(port, "tls", password="wrong" + PASSWORD))
            assert anna.type(*SEND) == 1
        self.check(anna, before, game, authority)


class TestWhatMayHaveLeft:
    """The reason is told, and the game stays as it is."""

    def check(self, anna: Correspondent, game: Game, told: str, capsys: pytest.CaptureFixture[str]) -> None:
        kept = mails(anna, game)
        capsys.readouterr()
        assert anna.type(*UNDO) == 4
        error, *hint = capsys.readouterr().err.splitlines()
        assert told in error
        assert "pbem propose game.yaml last" in " ".join(hint)
        assert game_in_store(anna).ids == open_game(anna.file.read_bytes()).ids == game.ids
        assert mails(anna, game) == kept

    @pytest.mark.parametrize("replies", range(REPLIES["tls"]))
    def test_the_connection_broke(
        self,
        replies: int,
        anna: Correspondent,
        game: Game,
        authority: Authority,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """After the third reply, with which the server knows her, it may have any of what follows."""
        broken = HangingServer(authority, "tls", replies)
        with broken.serving() as port:
            anna.server(authority, port)
            assert anna.type(*SEND) == 1
        if replies < 3:
            assert broken.read == []
            assert anna.type(*UNDO) == 0
        else:
            self.check(anna, game, "was mailed: a server has it, or might have it", capsys)

    def test_refused_for_good(
        self, anna: Correspondent, game: Game, authority: Authority, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with serve_smtp(ReceivedMails(refuses={BRUNO: "550 no such user"}), authority, "tls") as port:
            anna.server(authority, port)
            assert anna.type(*SEND) == 1
        self.check(anna, game, "was mailed: a server has it, or might have it", capsys)

    def test_sent(
        self, anna: Correspondent, game: Game, authority: Authority, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with serve_smtp_for(anna, authority):
            assert anna.type(*SEND) == 0
        self.check(anna, game, "was mailed: a server has it, or might have it", capsys)

    def test_a_mail_was_written(
        self, anna: Correspondent, game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert anna.type(*SEND, "--eml", "out.eml") == 0
        self.check(anna, game, f"wrote a mail with entry {len(game.ids) - 1} for you to send", capsys)

    def test_a_page_was_written(
        self, anna: Correspondent, game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert anna.type("page", "game.yaml") == 0
        self.check(anna, game, "is in a page that pbem has written", capsys)

    def test_what_was_undone_gets_into_no_page(
        self, anna: Correspondent, game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (anna.file.parent / "copy.yaml").write_bytes(anna.file.read_bytes())
        assert anna.type(*UNDO) == 0
        assert anna.type("page", "copy.yaml") == 1
        assert "was undone, so pbem no longer sends it" in capsys.readouterr().err
        assert not (anna.file.parent / "copy.html").exists()

    def test_a_commander_got_it(self, tmp_path: Path, authority: Authority) -> None:
        rommel = LeadAtHome(tmp_path / "lead", "axis")
        confirm_address(rommel, GRAZIANI)
        player = Correspondent("Rommel", rommel.local_player, rommel.folder / "game.yaml")
        game = game_before_orders(rommel)
        game = write_play(write_play(game), practice_orders(write_play(game)))
        rommel.local_player.save(game, player.file)
        assert not undoable_entries(rommel.local_player, game).why_not
        with serve_smtp_for(player, authority):
            assert player.type("mail", "share", "game.yaml") == 0
        assert "was mailed to a commander" in undoable_entries(rommel.local_player, game).why_not


class TestProgramsAtWork:
    """A program that had the game in hand when it was undone."""

    def test_sends_nothing_and_signs_nothing(
        self, anna: Correspondent, game: Game, authority: Authority
    ) -> None:
        contact = Contacts(anna.local_player).opponent(game)
        assert anna.type(*UNDO) == 0
        now = game_in_store(anna).ids
        with serve_smtp_for(anna, authority) as room, pytest.raises(UndoneEntry):
            send_by_server(anna.local_player, settings_to_send(anna.local_player.home), game, contact, NOON)
        assert room.accepted == []
        late = game if game.state.writer != "german" else write.resign(game, anna.local_player.key)
        if late is not game:
            with pytest.raises(UndoneEntry):
                anna.local_player.save(late, anna.file)
        assert game_in_store(anna).ids == now

    def test_a_plan_of_watch(self, anna: Correspondent, bruno: Correspondent, office: MailProvider) -> None:
        """It has answered while no server could be reached; undone, it is neither sent nor signed again."""
        before = game_waiting_for_anna(anna, bruno, decision=True)
        anna.save(before)
        plans = PlanStore(anna.local_player.home)
        plans.save(before, parse_plan("despite hits, range, words\ndo pass", "plan"))
        plans.arm(before)
        office.serve(anna.local_player, "anna", maildir=True, smtp=1)
        assert anna.type("mail", "watch", "--once") == 1
        assert len(stored_game(anna).ids) > len(before.ids)
        while stored_game(anna).ids != before.ids:
            assert anna.type("undo", before.ids[0][:8], "--nobody-has-it") == 0
        office.serve(anna.local_player, "anna", maildir=True)
        assert anna.type("mail", "watch", "--once") == 0
        assert office.mails_of("bruno") == []
        assert stored_game(anna).ids == before.ids
        assert not plans.record(before).is_armed

    def test_an_answer_by_mail(self, anna: Correspondent, bruno: Correspondent, office: MailProvider) -> None:
        """It was done and not sent. Its code is used up; what is typed then is no answer, and stays here."""
        watch = ("mail", "watch", "--once", "--orders-by-reply")
        before = anna.save(game_waiting_for_anna(anna, bruno, decision=True))
        office.serve(anna.local_player, "anna", maildir=True)
        assert anna.type(*watch) == 0
        (question,) = office.mails_of("anna")
        done = reply_mail(question, "now: pass")
        office.deliver("anna", done)
        office.serve(anna.local_player, "anna", maildir=True, smtp=1)
        anna.type(*watch)
        assert len(stored_game(anna).ids) == len(before.ids) + 1
        assert anna.type("undo", before.ids[0][:8], "--nobody-has-it") == 0
        office.serve(anna.local_player, "anna", maildir=True)
        office.deliver("anna", done)
        assert anna.type(*watch) == 0
        assert stored_game(anna).ids == before.ids, "the code has served"
        letters = [one for one in office.mails_of("anna") if "X-Pbem-Reads" in parse_mail(one)]
        first, *_, last = (codes_in(one.decode("ascii", "replace"))[0] for one in letters)
        assert (first.entry, last.entry) == (len(before.ids) - 1,) * 2
        assert last.letter > first.letter
        after = resigned(before, anna)
        assert anna.type(*watch) == 0
        assert office.mails_of("bruno") == []
        assert stored_game(anna).ids == after.ids

    def test_a_decision_that_comes_back_has_another_code(
        self, anna: Correspondent, before: Game, game: Game
    ) -> None:
        """Letters were mailed about it, and about the one after it; a code of before serves no more."""
        notebook, key = QuestionRecord(anna.local_player.home), anna.local_player.key
        numbers = []
        for now in (before, game, before):
            asked = notebook.current_letter(now)
            notebook.save(now.ids[0], replace(asked, sent=True))
            numbers.append(asked.letter)
        first, _, again = numbers
        last = len(before.ids) - 1
        assert make_code(before, key, last, again) != make_code(before, key, last, first)


class TestItComesBack:
    """By mail, as files do."""

    def test_alone(
        self, anna: Correspondent, game: Game, office: MailProvider, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """From a folder of sent mails, say: no alarm, and the look goes on."""
        office.serve(anna.local_player, "anna", maildir=True)
        data = anna.file.read_bytes()
        assert anna.type(*UNDO) == 0
        now = game_in_store(anna).ids
        office.deliver("anna", game_mail(data))
        capsys.readouterr()
        assert anna.type("mail", "fetch") == 0
        told, complained = capsys.readouterr()
        assert "has an entry you have undone" in " ".join(told.split())
        assert complained == ""
        assert game_in_store(anna).ids == now
        assert not list(anna.local_player.home.rglob("set-aside/*"))

    @pytest.mark.parametrize("instead", [False, True])
    def test_answered(
        self,
        instead: bool,
        anna: Correspondent,
        bruno: Correspondent,
        before: Game,
        game: Game,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """He had got it after all: he may go on from it, whatever she has signed since."""
        office.serve(anna.local_player, "anna", maildir=True)
        assert anna.type(*UNDO) == 0
        if instead:
            resigned(before, anna)
        answered = play_share_and_orders(game, bruno.person())
        office.deliver("anna", game_mail(game_file_bytes(answered)))
        capsys.readouterr()
        assert anna.type("mail", "fetch") == 0
        told = " ".join(capsys.readouterr().out.split())
        assert "answers an entry you have undone; your opponent had it, so it counts" in told
        assert game_in_store(anna).ids == answered.ids
        assert anna.local_player.relation(game, file_after(game, len(game.ids))) is Relation.OLDER
