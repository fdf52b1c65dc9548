"""Orders by reply: what a player's own computer asks him by mail, and does as he answers. SMTP is real."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem import texts
from pbem.base.limits import ANSWERS_AN_HOUR, WARNINGS_AN_HOUR
from pbem.correspondence.examiner import Examiner
from pbem.correspondence.orders_by_reply import OrdersByReply
from pbem.correspondence.question_record import QuestionRecord, ReplyCode, codes_in, make_code
from pbem.mail.outgoing import Address, OutgoingMail, to_bytes
from pbem.mail.settings import MailSettings
from pbem.player.plans.plan_store import entries_by_plan
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from player.test_player_language import Words
from support.correspondents import (
    ANNA,
    Correspondent,
    attached_game,
    mail_text,
    make_correspondents,
    parse_mail,
    play_share_and_orders,
    stored_game,
)
from support.mail_answers import answer_mail, carry_out_mail, game_asking_anna, reply_mail, with_fixed_keys
from support.mail_provider import MailProvider

pytestmark = pytest.mark.thorough

WATCH = ("mail", "watch", "--once", "--orders-by-reply")
EVE = "eve@example.org"


@pytest.fixture
def both(tmp_path: Path, office: MailProvider) -> tuple[Correspondent, Correspondent]:
    """Anna reads her mail from her Maildir, which is quicker."""
    anna, bruno = with_fixed_keys(make_correspondents(tmp_path))
    office.serve(anna.local_player, "anna", maildir=True)
    return anna, bruno


@pytest.fixture
def game(anna: Correspondent, bruno: Correspondent) -> Game:
    return game_asking_anna(anna, bruno)


class Desk:
    """Anna with her watch: what she answers, and what is mailed to her then."""

    def __init__(self, anna: Correspondent, office: MailProvider) -> None:
        self.anna, self.office = anna, office
        self.letters: list[bytes] = []

    def watch(self) -> list[bytes]:
        """Watch once; the new letters to Anna."""
        assert self.anna.type(*WATCH) == 0
        before = len(self.letters)
        self.letters = [one for one in self.office.mails_of("anna") if "X-Pbem-Reads" in parse_mail(one)]
        return self.letters[before:]

    def answers(self, words: str) -> str:
        """Anna answers the newest letter; the text of the one that this brings."""
        self.office.deliver("anna", reply_mail(self.letters[-1], words))
        (letter,) = self.watch()
        return mail_text(letter)


@pytest.fixture
def watched(anna: Correspondent, office: MailProvider, game: Game) -> Desk:
    """The question is mailed."""
    player = Desk(anna, office)
    assert len(player.watch()) == 1
    return player


class TestTheLetter:
    def test_has_all_that_a_decision_takes(self, watched: Desk, game: Game) -> None:
        (letter,) = watched.letters
        text = mail_text(letter)
        assert text.startswith("[pbem] Your move: ")
        for piece in ("pass\n", "What has happened:", "Turn: 1 of 1", "Code: ", "yes"):
            assert piece in text
        assert max(map(len, text.split("\n"))) <= 76
        assert parse_mail(letter)["To"] == ANNA
        assert parse_mail(letter)["Auto-Submitted"] == "auto-replied"
        assert parse_mail(letter)["Subject"] == f"[pbem] Stand at Mortain {game.ids[0][:8]}"
        assert watched.office.mails_of("bruno") == []

    def test_comes_once(self, watched: Desk) -> None:
        assert watched.watch() == []

    def test_only_where_the_player_wants_it(
        self, anna: Correspondent, office: MailProvider, game: Game
    ) -> None:
        assert anna.type("mail", "watch", "--once") == 0
        assert office.mails_of("anna") == []


class TestAnswers:
    def test_shown_then_done_then_mailed(self, watched: Desk, game: Game) -> None:
        shown = watched.answers("Pass")
        assert shown.startswith("[pbem] Reply yes to do this")
        assert "The Germans pass" in shown
        assert stored_game(watched.anna).ids == game.ids
        assert watched.answers("Yes").startswith("[pbem] Done.")
        after = stored_game(watched.anna)
        assert after.ids[:-1] == game.ids
        assert after.entries[-1].raw["orders"] == [{"pass": True}]
        (sent,) = watched.office.mails_of("bruno")
        assert attached_game(sent).ids == after.ids
        assert "Auto-Submitted" not in parse_mail(sent)
        assert watched.watch() == []
        assert watched.office.mails_of("bruno") == [sent]

    def test_a_yes_means_what_was_shown(
        self, watched: Desk, game: Game, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """In the language in which it was typed, whichever the player's has become since."""
        monkeypatch.setattr(texts, "_catalogue", lambda _, language: Words())
        monkeypatch.setenv("PBEM_LANG", "es")
        assert "The Germans pass" in watched.answers("pasar")
        monkeypatch.setenv("PBEM_LANG", "en")
        assert watched.answers("yes").startswith("[pbem] Done.")
        assert stored_game(watched.anna).entries[-1].raw["orders"] == [{"pass": True}]

    def test_now(self, watched: Desk, game: Game) -> None:
        assert watched.answers("now: pass").startswith("[pbem] Done.")
        assert len(stored_game(watched.anna).entries) == len(game.entries) + 1

    def test_refused_with_the_rule_and_asked_again(self, watched: Desk, game: Game) -> None:
        first = codes_in(mail_text(watched.letters[0]))
        text = watched.answers("now: enter 2SS-A 1101")
        assert text.startswith("[pbem] Refused, and nothing was done: M")
        assert "Your move: " in text
        assert "What you can order:" in text
        assert codes_in(text) != first
        assert watched.answers("now: pass").startswith("[pbem] Done.")

    def test_a_refusal_keeps_what_was_shown(self, watched: Desk, game: Game) -> None:
        watched.answers("pass\nsay: Nothing for now.")
        text = watched.answers("enter 2SS-A 1101")
        assert text.startswith("[pbem] Refused, and nothing was done: M")
        assert "Your earlier orders are still waiting for your yes:" in " ".join(text.split())
        assert "You say: Nothing for now." in text
        assert "What you can order:" in text
        assert watched.answers("yes").startswith("[pbem] Done.")
        last = stored_game(watched.anna).entries[len(game.entries)].raw
        assert (last["orders"], last["say"]) == ([{"pass": True}], "Nothing for now.")

    def test_a_near_miss_is_asked_and_a_yes_does_it(self, watched: Desk, game: Game) -> None:
        text = watched.answers("now: 2ssb in 1901")
        assert "Did you mean: enter 2SS-B 1901?" in text
        assert stored_game(watched.anna).ids == game.ids
        watched.answers("\U0001f44d")
        last = stored_game(watched.anna).entries[len(game.entries)].raw
        assert last["orders"] == [{"enter": "2SS-B", "at": "1901"}]

    def test_an_alias_with_a_tag(self, watched: Desk, game: Game) -> None:
        own = ANNA.replace("@", "+games@")
        watched.office.deliver("anna", reply_mail(watched.letters[-1], "now: pass", sender=own))
        (letter,) = watched.watch()
        assert mail_text(letter).startswith("[pbem] Done.")

    def test_a_plan_with_a_colon(self, watched: Desk) -> None:
        assert "  do pass\nIt orders now: pass\n" in watched.answers("Plan: do pass")

    def test_not_understood_with_the_place(self, watched: Desk) -> None:
        text = watched.answers("pas on")
        assert text.startswith("[pbem] Refused, and nothing was done: ")
        assert "^" in text

    def test_no_leaves_it(self, watched: Desk, game: Game) -> None:
        watched.answers("pass")
        assert watched.answers("no").startswith("[pbem] Nothing was done.")
        assert watched.answers("yes").startswith("[pbem] Refused")
        assert stored_game(watched.anna).ids == game.ids

    def test_a_yes_with_thanks(self, watched: Desk) -> None:
        watched.answers("pass\nsay: Nothing for now.")
        assert "You say: Nothing for now." in watched.answers("Yes, please! Anna\n\nCheers")

    def test_courtesies_alone_are_no_yes(self, watched: Desk, game: Game) -> None:
        """The orders that were shown still wait; whoever says no more gets no second letter of it."""
        watched.answers("pass")
        assert watched.answers("Thanks").startswith("[pbem] Reply yes to do this")
        watched.office.deliver("anna", reply_mail(watched.letters[-1], "thanks"))
        assert watched.watch() == []
        assert stored_game(watched.anna).ids == game.ids
        assert watched.answers("yes").startswith("[pbem] Done.")

    @pytest.mark.parametrize(
        "words",
        [
            "OK!",
            "\U0001f44d",
            "Yes\n\nCarla Rossi",
            "Yes\n\nEnvoyé de mon iPhone",
            "sì\nCarla Rossi\nRossi Srl, Via Po 12, 10123 Torino\nTel. 011 1901 1902",
            "Ja, bitte\n\nDr. C. Rossi\nPanzer & Co KG, Move 1901 e.V.\nwww.example.org/1901\n\nNur drucken, "
            "wenn nötig",
            "y\n\npass",
            "pass\nyes",
        ],
    )
    def test_a_yes_is_a_yes(self, words: str, watched: Desk) -> None:
        """Whatever stands below it, unless that is an order that was not shown."""
        watched.answers("pass")
        assert watched.answers(words).startswith("[pbem] Done.")
        assert stored_game(watched.anna).entries[-1].raw["orders"] == [{"pass": True}]

    @pytest.mark.parametrize(
        "words",
        [
            "yes\nenter DF 1901",
            "yes\n\nCarla\n\nenter DF 1901",
            "enter DF 1901\nyes",
            "OK, enter DF 1901",
            "Yes\nsay: Ha!\nenter DF 1901",
        ],
    )
    def test_a_yes_with_another_order_is_none(self, words: str, watched: Desk, game: Game) -> None:
        """The other order is shown."""
        watched.answers("pass")
        shown = watched.answers(words)
        assert shown.startswith("[pbem] Reply yes to do this")
        assert "DF enters at 1901" in shown
        assert stored_game(watched.anna).ids == game.ids

    @pytest.mark.parametrize("words", ["yes\nenter DF", "yes\n1902 is better"])
    def test_a_yes_with_half_an_order_is_none(self, words: str, watched: Desk, game: Game) -> None:
        watched.answers("pass")
        watched.answers(words)
        assert stored_game(watched.anna).ids == game.ids

    def test_a_yes_with_more_is_shown_again(self, watched: Desk, game: Game) -> None:
        """Whoever reads it cannot know whether the rest takes it back."""
        watched.answers("pass")
        text = watched.answers("yes\nbut not before Sunday")
        assert "The Germans pass" in text
        assert "but not before Sunday" in text
        assert stored_game(watched.anna).ids == game.ids
        assert watched.answers("yes").startswith("[pbem] Done.")

    def test_orders_below_say_are_orders(self, watched: Desk, game: Game) -> None:
        """They are shown as such, even after `now:`."""
        text = watched.answers("now: say: Good luck, Bruno!\nenter DF 1901\nand see you on Sunday")
        assert "DF enters at 1901" in text
        assert "You say: Good luck, Bruno!\n  and see you on Sunday" in text
        assert stored_game(watched.anna).ids == game.ids
        watched.answers("yes")
        last = stored_game(watched.anna).entries[len(game.entries)].raw
        assert last["say"] == "Good luck, Bruno!\nand see you on Sunday"

    def test_a_fresh_mail_with_the_code(self, watched: Desk, game: Game) -> None:
        code = codes_in(mail_text(watched.letters[0]))[0]
        watched.office.deliver("anna", fresh(f"Code: {code}\nnow: pass\nsay: At last."))
        (letter,) = watched.watch()
        assert "You say: At last." in mail_text(letter)
        assert len(stored_game(watched.anna).entries) == len(game.entries) + 1

    def test_other_orders_instead(self, watched: Desk) -> None:
        watched.answers("enter DF 1901")
        watched.answers("pass")
        watched.answers("yes")
        assert stored_game(watched.anna).entries[-1].raw["orders"] == [{"pass": True}]

    def test_words_go_along(self, watched: Desk) -> None:
        assert "goes with your next orders" in watched.answers("say: Good luck,\nBruno!")
        watched.answers("pass\nsay: I pass.")
        watched.answers("yes")
        assert stored_game(watched.anna).entries[-1].raw["say"] == "Good luck,\nBruno!\nI pass."

    def test_a_plan_is_shown_then_armed_and_answers(self, watched: Desk, game: Game) -> None:
        """Its entry goes to Bruno as any other, and its steps are hers alone."""
        text = watched.answers("plan do pass")
        assert "  do pass\nIt orders now: pass\n" in text
        assert stored_game(watched.anna).ids == game.ids
        assert "Done." in watched.answers("yes")
        after = stored_game(watched.anna)
        assert after.entries[len(game.entries)].raw["orders"] == [{"pass": True}]
        assert entries_by_plan(watched.anna.local_player.home, after)
        (sent,) = watched.office.mails_of("bruno")
        assert b"plan" not in sent

    def test_resign_is_always_confirmed(self, watched: Desk, game: Game) -> None:
        assert "You resign: the Americans win." in watched.answers("now: resign")
        assert stored_game(watched.anna).ids == game.ids
        watched.answers("yes")
        ending = stored_game(watched.anna).state.ending
        assert ending is not None
        assert ending.winner == "us"

    def test_a_proposal_of_ones_own(self, watched: Desk) -> None:
        assert "You propose a draw" in watched.answers("propose draw")
        watched.answers("yes")
        assert stored_game(watched.anna).entries[-1].kind == "propose"

    def test_the_opponents_proposal(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider, game: Game
    ) -> None:
        after = write.play(game, anna.local_player.key, [{"pass": True}])
        while after.state.writer == "german":
            after = write.play(after, anna.local_player.key)
        anna.save(write.propose(after, bruno.local_player.key, {"draw": True}))
        player = Desk(anna, office)
        (letter,) = player.watch()
        assert "the Americans propose a draw" in mail_text(letter)
        assert "answer this proposal first" in " ".join(player.answers("pass").split())
        player.answers("Answer yes.")
        ending = stored_game(anna).state.ending
        assert ending is not None
        assert ending.winner is None

    def test_moved_at_the_computer_meanwhile(self, watched: Desk, game: Game) -> None:
        watched.anna.save(after := write.play(game, watched.anna.local_player.key, [{"pass": True}]))
        assert watched.answers("now: enter DF 1901").startswith("[pbem] That decision has already been made")
        assert stored_game(watched.anna).ids == after.ids

    def test_the_same_answer_twice(self, watched: Desk, game: Game) -> None:
        (question,) = watched.letters
        for _ in range(2):
            watched.office.deliver("anna", reply_mail(question, "now: pass"))
        (letter,) = watched.watch()
        assert "Done." in mail_text(letter)
        assert "That decision has already been made" in mail_text(letter)
        assert len(stored_game(watched.anna).entries) == len(game.entries) + 1

    def test_an_old_answer_leaves_what_waits_for_a_yes(self, watched: Desk) -> None:
        (question,) = watched.letters
        watched.answers("pass")
        watched.office.deliver("anna", reply_mail(question, "now: enter DF 1901"))
        (told,) = watched.watch()
        assert "The Germans pass" in mail_text(told)
        assert "The code in that mail has already been used" in mail_text(told)
        watched.answers("yes")
        assert stored_game(watched.anna).entries[-1].raw["orders"] == [{"pass": True}]

    def test_all_mails_read_once_more(self, watched: Desk, game: Game) -> None:
        """As after a crash before the bookmark moved: nothing is done twice, nor undone."""
        watched.answers("pass")
        watched.answers("yes")
        after = stored_game(watched.anna).ids
        (watched.anna.local_player.home / "mail" / "state.json").unlink()
        watched.watch()
        assert stored_game(watched.anna).ids == after
        assert len(watched.office.mails_of("bruno")) == 1


class TestLoops:
    def test_letters_an_hour(self, watched: Desk, game: Game) -> None:
        """A program that answers, each time in other words, is answered for a while only."""
        for number in range(ANSWERS_AN_HOUR):
            watched.answers(f"I am on holiday, ticket {number}")
        watched.office.deliver("anna", reply_mail(watched.letters[-1], "I am on holiday"))
        assert watched.watch() == []

    def test_the_next_question_has_letters_of_its_own(
        self, watched: Desk, game: Game, bruno: Correspondent
    ) -> None:
        """A program that answers has used up its letters; then there is something new to decide."""
        anna, notebook = watched.anna, QuestionRecord(watched.anna.local_player.home)
        for _ in range(ANSWERS_AN_HOUR):
            notebook.save_sent("answers", datetime.now(UTC))
        watched.office.deliver("anna", reply_mail(watched.letters[-1], "I am on holiday"))
        assert watched.watch() == []
        after = play_share_and_orders(game, anna.person())
        while after.state.writer != "german" or permissions.has_forced_entry(after, anna.local_player.key):
            after = play_share_and_orders(
                after, anna.person() if after.state.writer == "german" else bruno.person()
            )
        anna.save(after)
        assert len(watched.watch()) == 1

    def test_a_loop_is_seen_at_its_second_turn(
        self, watched: Desk, game: Game, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """It is told in a line and answered by no letter; the newest letter serves its reader still."""
        for words in ("I am on holiday.", "I  am on\nHOLIDAY."):
            watched.office.deliver("anna", reply_mail(watched.letters[-1], words))
            capsys.readouterr()
            found = watched.watch()
            told = " ".join(capsys.readouterr()[0].split())
        assert found == []
        assert "has arrived again, as if a program had sent it" in told
        for _ in range(3):
            watched.office.deliver("anna", reply_mail(watched.letters[-1], "I am on holiday."))
            assert watched.watch() == []
        assert len(watched.letters) == 2
        assert "Done." in watched.answers("now: pass")
        assert len(stored_game(watched.anna).entries) == len(game.entries) + 1

    def test_what_was_refused_may_be_good_later(self, watched: Desk, game: Game) -> None:
        """The file is in the way at first: the same words again are judged anew."""
        place = watched.anna.file
        place.write_text("my notes")
        assert "Refused" in watched.answers("now: pass")
        place.unlink()
        assert "Done." in watched.answers("now: pass")

    def test_a_loop_of_answers_to_an_old_letter(self, watched: Desk) -> None:
        (question,) = watched.letters
        watched.answers("now: pass")
        for number in range(3):
            watched.office.deliver("anna", reply_mail(question, "I am on holiday"))
            assert len(watched.watch()) == (number == 0)

    def test_warnings_an_hour(self, watched: Desk) -> None:
        for number in range(WARNINGS_AN_HOUR + 2):
            watched.office.deliver("anna", answer_mail(f"pass {number}"))
            assert len(watched.watch()) == (number < WARNINGS_AN_HOUR)

    def test_nobody_answers_a_program(self, watched: Desk, capsys: pytest.CaptureFixture[str]) -> None:
        away = reply_mail(watched.letters[0], "now: pass", "Auto-Submitted: auto-replied")
        watched.office.deliver("anna", away)
        assert watched.watch() == []
        assert "a program sent it automatically" in " ".join(capsys.readouterr()[0].split())


Row = Callable[[Game, Correspondent, Correspondent], bytes]


def good(game: Game, anna: Correspondent, letter: int = 1) -> ReplyCode:
    return make_code(game, anna.local_player.key, len(game.entries) - 1, letter)


def with_code(words: str = "now: pass", *headers: str, sender: str = f"Anna <{ANNA}>") -> Row:
    """An answer with the good code, typed below the words as a quote."""
    return lambda game, anna, bruno: answer_mail(
        f"{words}\n\n> Code: {good(game, anna)}", *headers, sender=sender
    )


def fresh(words: str) -> bytes:
    """A mail that answers none, about something else by its subject."""
    return answer_mail(words, subject="Lunch").replace(b"Subject: Re: ", b"Subject: ")


def with_altered(change: Callable[[ReplyCode], object]) -> Row:
    return lambda game, anna, bruno: answer_mail(f"now: pass\n\n> {change(good(game, anna))}")


def own_letter(game: Game, anna: Correspondent, bruno: Correspondent) -> bytes:
    """A letter of ours, whose words somebody has made orders."""
    outgoing = OutgoingMail(
        sender=Address(ANNA),
        recipient=Address(ANNA),
        subject="[pbem] Stand at Mortain",
        body=f"now: pass\n\n> Code: {good(game, anna)}\n",
        attachment_name="",
        attachment=b"",
        message_id="<1@pbem.invalid>",
        in_reply_to=f"<{good(game, anna)}@pbem.invalid>",
        references=(),
        date=datetime.now(UTC),
    )
    return to_bytes(outgoing)


def other_proof(found: ReplyCode) -> ReplyCode:
    return ReplyCode(
        found.game, found.entry, found.letter, ("b" if found.proof[0] == "a" else "a") + found.proof[1:]
    )


ON_SCREEN, WARNED, TOLD, IGNORED = "on the screen", "in a warning", "in a letter about the game", "not at all"

HOSTILE: dict[str, tuple[Row, str]] = {
    "no code": (lambda game, anna, bruno: answer_mail("now: pass"), WARNED),
    "another proof": (with_altered(other_proof), WARNED),
    "half a proof": (with_altered(lambda one: str(one)[:-12]), WARNED),
    "a proof too long": (with_altered(lambda one: f"{one}a"), WARNED),
    "the opponent's proof": (
        lambda game, anna, bruno: answer_mail(f"now: pass\n\n> {good(game, bruno)}"),
        WARNED,
    ),
    "the proof of another entry": (
        with_altered(lambda one: ReplyCode(one.game, one.entry - 1, one.letter, one.proof)),
        WARNED,
    ),
    "the proof of another letter": (
        with_altered(lambda one: ReplyCode(one.game, one.entry, one.letter + 1, one.proof)),
        WARNED,
    ),
    "an entry that is not there": (
        with_altered(lambda one: ReplyCode(one.game, 99_999, one.letter, one.proof)),
        WARNED,
    ),
    "no such game": (
        with_altered(lambda one: ReplyCode("00000000", one.entry, one.letter, one.proof)),
        WARNED,
    ),
    "a letter that was not written yet": (
        lambda game, anna, bruno: answer_mail(f"now: pass\n\n> {good(game, anna, 2)}"),
        TOLD,
    ),
    "a decision that is made": (
        lambda game, anna, bruno: answer_mail(
            f"now: pass\n\n> {make_code(game, anna.local_player.key, 1, 1)}"
        ),
        TOLD,
    ),
    "another sender": (with_code(sender=f"Anna <{EVE}>"), WARNED),
    "his name as a sender's name": (with_code(sender=f'"{ANNA}" <{EVE}>'), WARNED),
    "two senders": (with_code(sender=f"{ANNA}, {EVE}"), WARNED),
    "two headers of a sender": (with_code("now: pass", f"From: {EVE}"), WARNED),
    "no sender": (with_code(sender=""), WARNED),
    "a sender of brackets": (with_code(sender="(" * 60_000), WARNED),
    "a sender behind brackets": (with_code(sender=f"{'(' * 999} <{ANNA}>"), WARNED),
    "marks alone": (with_code("!" * 99), TOLD),
    "a mailing list": (with_code("now: pass", "List-Id: <x.example.org>"), ON_SCREEN),
    "mail as bulk": (with_code("now: pass", "Precedence: bulk"), ON_SCREEN),
    "an auto-reply": (with_code("now: pass", "Auto-Submitted: auto-replied"), ON_SCREEN),
    "an old auto-reply": (with_code("now: pass", "X-Autoreply: yes"), ON_SCREEN),
    "a bounce": (with_code("now: pass", "Return-Path: <>"), ON_SCREEN),
    "our own letter": (own_letter, IGNORED),
    "orders in the quote": (with_code("> now: pass"), TOLD),
    "orders below the signature": (with_code("-- \nnow: pass"), TOLD),
    "no orders": (with_code(""), TOLD),
    "orders that are none": (with_code("now: pass the salt"), TOLD),
    "against the rules": (with_code("now: enter DF 1101"), TOLD),
    "the opponent's units": (with_code("now: move 117Inf 1302"), TOLD),
    "one order of two against the rules": (with_code("now: enter DF 1901; enter D 1101"), TOLD),
    "yes to nothing": (with_code("yes"), TOLD),
    "more words than an entry says": (with_code(f"now: pass\nsay: {'x' * 5000}"), TOLD),
    "escapes and bidi marks": (with_code("now: pass\x1b[2J\u202e\u0007"), TOLD),
    "a mail that is no text": (
        lambda game, anna, bruno: with_code()(game, anna, bruno).replace(b"text/plain", b"image/png"),
        WARNED,
    ),
    "a charset that is none": (
        lambda game, anna, bruno: answer_mail("now: pass\u00ff").replace(b"utf-8", b"idna"),
        WARNED,
    ),
    "not about pbem": (lambda game, anna, bruno: fresh("now: pass"), IGNORED),
    "a wrong code in a fresh mail": (
        lambda game, anna, bruno: fresh(f"now: pass\n{other_proof(good(game, anna))}"),
        WARNED,
    ),
    "a code in a stranger's fresh mail": (
        lambda game, anna, bruno: fresh(f"now: pass\n{good(game, anna)}").replace(
            ANNA.encode(), EVE.encode()
        ),
        WARNED,
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_is_done(
    name: str, anna: Correspondent, bruno: Correspondent, game: Game, tmp_path: Path, examiner: Examiner
) -> None:
    build, told = HOSTILE[name]
    replies = OrdersByReply(anna.local_player, MailSettings(address=ANNA), tmp_path)
    lines = carry_out_mail(replies, examiner, build(game, anna, bruno))
    assert stored_game(anna).ids == game.ids
    notebook = QuestionRecord(anna.local_player.home)
    warned, letter = notebook.stored_letter("").notes, notebook.stored_letter(game.ids[0]).notes
    assert (bool(lines), bool(warned), bool(letter)) == {
        ON_SCREEN: (True, False, False),
        WARNED: (True, True, False),
        TOLD: (True, False, True),
        IGNORED: (False, False, False),
    }[told]


def test_a_good_answer_behind_all_of_them(
    watched: Desk, anna: Correspondent, bruno: Correspondent, game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is worth nothing uses no code up, and stops nothing; each is told on the screen."""
    rows = {name: build for name, (build, told) in HOSTILE.items() if told != TOLD}
    for build in rows.values():
        watched.office.deliver("anna", build(game, anna, bruno))
    watched.office.deliver("anna", reply_mail(watched.letters[-1], "now: pass"))
    _own, about_the_game, warning = watched.watch()
    assert mail_text(about_the_game).startswith("[pbem] Done.")
    assert "because its code is wrong" in " ".join(mail_text(warning).split())
    assert codes_in(mail_text(warning)) == []
    assert len(stored_game(anna).entries) == len(game.entries) + 1
    assert "\x1b" not in capsys.readouterr()[0]
