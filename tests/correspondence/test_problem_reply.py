"""The answer to a mail that cannot be played on: precise, polite, and never of use to a second history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pbem.correspondence.contacts import Contacts
from pbem.correspondence.examiner import examine_mail
from pbem.correspondence.letter import body
from pbem.correspondence.letter_layout import COLUMNS
from pbem.correspondence.mail_stages import Examination, IncomingMail
from pbem.correspondence.outbox import message_id, thread
from pbem.correspondence.problem_reply import addressee, find_problem, problem_reply
from pbem.errors import MailError
from pbem.format.keys import PrivateKey
from pbem.mail import armour
from pbem.mail.outgoing import Address, OutgoingMail, to_bytes
from pbem.mail.parse_mail import find_in_message, parse_message
from pbem.player.local_player import LocalPlayer
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Person
from support.correspondents import (
    ANNA,
    BRUNO,
    Correspondent,
    begin_game,
    make_correspondents,
    offer_game,
    parse_mail,
    play_share_and_orders,
)
from support.simulator import STRANGER, file_of, log_of, message
from support.simulator import mailed_file as file
from support.smtp_servers import Authority, ReceivedMails, serve_smtp

NOW = datetime(2026, 8, 1, 12, tzinfo=UTC)


@dataclass
class Case:
    """Anna's home, with the game stored up to her unsent move, and mails such as Bruno's."""

    anna: Correspondent
    bruno: Correspondent
    game: Game

    def mail(self, data: bytes | None, text: str = "", *, headers: str = "") -> bytes:
        """A mail of Bruno's with this file attached, and this text."""
        attached = (
            f"--b\r\nContent-Type: application/yaml\r\n\r\n{data.decode()}\r\n" if data is not None else ""
        )
        return (
            f"From: {BRUNO}\r\nMessage-ID: <1@bruno.example>\r\n{headers}"
            f"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n{text}\r\n{attached}--b--\r\n"
        ).encode()

    def answer(self, mail: bytes) -> OutgoingMail:
        """Anna's answer to it."""
        problem = find_problem(
            self.anna.local_player,
            examine_mail(self.anna.local_player.home, IncomingMail("mail.eml", mail)),
            "mail.eml",
        )
        return problem_reply(self.anna.local_player, problem, Address(ANNA), Address(BRUNO, "Bruno"), NOW)

    @property
    def before(self) -> Game:
        """The game before Anna's move."""
        return begin_game(self.anna.person(), self.bruno.person())

    @property
    def answers(self) -> str:
        """A header by which Bruno's mail program says what it answers."""
        return f"In-Reply-To: {thread(self.before).in_reply_to}\r\n"


@pytest.fixture
def case(tmp_path: Path) -> Case:
    anna, bruno = make_correspondents(tmp_path)
    game = anna.save(play_share_and_orders(begin_game(anna.person(), bruno.person()), anna.person()))
    return Case(anna, bruno, game)


def flat(text: str) -> str:
    return " ".join(text.split())


def carries(outgoing: OutgoingMail) -> set[bytes]:
    """The games that an answer gives away, in its attachment or its text."""
    found = find_in_message(parse_message(to_bytes(outgoing)))
    return {candidate.data for candidate in found.candidates}


class TestWithTheNewestFile:
    """The mail is damaged or older: there is one history, and Anna's newest file helps."""

    def check(self, case: Case, outgoing: OutgoingMail, *said: str) -> None:
        kept = case.anna.local_player.store.find(case.game.ids[0]).data
        assert carries(outgoing) == {kept}
        assert outgoing.attachment_name == f"mortain-{case.game.ids[0][:8]}.yaml"
        assert "My own newest file is attached" in flat(outgoing.body)
        for words in said:
            assert words in flat(outgoing.body)

    def test_block_cut_off(self, case: Case) -> None:
        whole = body(case.before, file(case.before)).splitlines()
        cut = "\r\n".join(whole[:-3])
        said = "the end of this game is missing"
        self.check(
            case, case.answer(case.mail(None, cut, headers=case.answers)), said, "entries up to 2 (play"
        )

    def test_file_cut_off(self, case: Case) -> None:
        data = file(case.before)
        lines = data.decode().splitlines(keepends=True)
        cut = "".join(lines[:-4]).encode()
        self.check(case, case.answer(case.mail(cut, headers=case.answers)), "the end of this file is missing")

    def test_entry_missing(self, case: Case) -> None:
        """It fails step 3, the links; the first entry still says which game it is."""
        log = log_of(case.before)
        del log[1]
        self.check(case, case.answer(case.mail(file_of(log))), "entry 1 is missing", "Stand at Mortain")

    def test_attachment_lost(self, case: Case) -> None:
        self.check(case, case.answer(case.mail(None, "here", headers=case.answers)), "there is no game in it")

    def test_older(self, case: Case) -> None:
        self.check(
            case,
            case.answer(case.mail(file(offer_game(case.anna.person())))),
            "it ends with entry 0, but mine ends with entry 3",
            "We both have the entries up to 0 (offer",
        )


class TestWithoutAnyFile:
    """There may be two histories: the answer holds no game, and no share of Anna's."""

    def check(self, case: Case, outgoing: OutgoingMail, *said: str) -> None:
        assert carries(outgoing) == set()
        assert (outgoing.attachment_name, outgoing.attachment) == ("", b"")
        assert armour.BEGIN not in outgoing.body
        shares = [str(entry.raw["share"]) for entry in case.game.entries if "share" in entry.raw]
        assert shares
        assert not any(share in outgoing.body for share in shares)
        for words in said:
            assert words in flat(outgoing.body)

    def test_fork(self, case: Case) -> None:
        """Bruno has set up once more, in another way."""
        joined = write.accept(offer_game(case.anna.person()), case.bruno.person(), lambda size: b"b" * size)
        fork = play_share_and_orders(joined, case.bruno.person(), "another set-up")
        outgoing = case.answer(case.mail(file(fork)))
        self.check(case, outgoing, "its entry 1 is accept", "up to 0 (offer")

    def test_fork_later(self, case: Case) -> None:
        ours = play_share_and_orders(case.game, case.bruno.person())
        case.anna.save(ours)
        theirs = write.resign(case.game, case.bruno.local_player.key)
        outgoing = case.answer(case.mail(file(theirs)))
        both = (
            f"resign {theirs.ids[4][:8]} of the Americans, "
            f"but mine is play {ours.ids[4][:8]} of the Americans"
        )
        self.check(
            case,
            outgoing,
            f"its entry 4 is {both}",
            "We both have the entries up to 3 (play",
            "tell me and we can sort it out",
        )

    def test_edited(self, case: Case) -> None:
        """A word was changed: the links of what follows, or the signature, no longer hold."""
        log = log_of(play_share_and_orders(case.game, case.bruno.person(), "as I said"))
        log[-1]["say"] = "as I never said"
        told = "entry 4 has been changed since the Americans signed it, or was signed"
        self.check(case, case.answer(case.mail(file_of(log))), told, "We both have the entries up to 2")

    def test_strangers_signature(self, case: Case) -> None:
        log = log_of(play_share_and_orders(case.game, case.bruno.person()))
        log[-1] = signed(log[-1], STRANGER)
        self.check(
            case,
            case.answer(case.mail(file_of(log))),
            "entry 4 has been changed since the Americans signed it, or was signed",
        )

    def test_against_the_rules(self, case: Case) -> None:
        game = case.before
        raw = {"n": 3, "by": "us", "kind": "play", "prev": game.ids[-1], "orders": [{"pass": []}]}
        data = file_of([*log_of(game), signed(raw, case.bruno.local_player.key)])
        self.check(case, case.answer(case.mail(data)), "step 6, log[3]")

    def test_unknown_game(self, case: Case) -> None:
        other = Person("Eve", STRANGER)
        outgoing = case.answer(
            case.mail(file(play_share_and_orders(begin_game(other, case.bruno.person()), other))[:-40])
        )
        self.check(case, outgoing, "pbem mail send FILE")
        assert "Nothing has changed here" not in outgoing.body


def signed(raw: dict[str, Any], key: PrivateKey) -> dict[str, Any]:
    """An entry with a signature of this key, whatever it says."""
    return {**raw, "sig": key.sign(message(raw))}


class TestNothingToAnswer:
    @pytest.mark.parametrize("which", ["same", "newer"])
    def test_a_good_mail(self, which: str, case: Case) -> None:
        game = case.game if which == "same" else play_share_and_orders(case.game, case.bruno.person())
        with pytest.raises(MailError, match="nothing is wrong with this game") as caught:
            case.answer(case.mail(file(game)))
        assert caught.value.hint == "to see what to do next: pbem show mail.eml"

    def test_no_mail(self, case: Case) -> None:
        with pytest.raises(MailError, match="there is no mail"):
            find_problem(case.anna.local_player, Examination((), ()), "mail.eml")


class TestTheAnswer:
    def test_polite_and_narrow(self, case: Case) -> None:
        outgoing = case.answer(case.mail(None, "here", headers=case.answers))
        assert outgoing.body.startswith("Hello,\n\nyour mail about Stand at Mortain (game ")
        asked = f"\nPlease mail me the whole game again:\n\n  pbem mail send {case.game.ids[0][:8]} --whole\n"
        assert asked in outgoing.body
        assert outgoing.wants == case.game.ids[0]
        assert max(map(len, outgoing.body.splitlines())) <= COLUMNS

    def test_threaded(self, case: Case) -> None:
        outgoing = case.answer(case.mail(None, "here", headers=case.answers))
        assert outgoing.in_reply_to == "<1@bruno.example>"
        assert outgoing.message_id not in [message_id(case.game.ids[0], head) for head in case.game.ids]
        assert outgoing.message_id.endswith(f".{case.game.ids[0][:16]}@pbem.invalid>")
        assert outgoing.subject == f"[pbem] Stand at Mortain {case.game.ids[0][:8]}: a problem with your mail"

    @pytest.mark.parametrize(
        "bad", ["<a@b>\r\n\tBcc: eve@example.org", "a, <b@c>", "=?utf-8?q?<a=40b>=0ABcc:_eve?=", ""]
    )
    def test_odd_message_ids(self, bad: str, case: Case) -> None:
        mail = case.mail(None, "here").replace(b"<1@bruno.example>", bad.encode())
        outgoing = case.answer(mail)
        assert (outgoing.in_reply_to, outgoing.references) == ("", ())
        assert "Bcc" not in parse_mail(to_bytes(outgoing))

    def test_hostile_words_are_harmless(self, case: Case) -> None:
        """What is found is quoted from the mail, and made harmless."""
        data = file(case.before).replace(b"kind: play", b'"k\\e[2J\\u202e": play')
        outgoing = case.answer(case.mail(data, headers=case.answers))
        assert all(line.isprintable() for line in outgoing.body.splitlines())


class TestToWhom:
    """The confirmed opponent of that game, or whom the player names; never whom the mail names."""

    def test_confirmed_opponent(self, case: Case) -> None:
        contacts = Contacts(case.anna.local_player)
        mail = case.mail(None, "x", headers=case.answers)
        problem = find_problem(
            case.anna.local_player,
            examine_mail(case.anna.local_player.home, IncomingMail("mail", mail)),
            "mail.eml",
        )
        assert addressee(case.anna.local_player, problem, "") is None
        contacts.confirm(contacts.check_and_remember(case.game), "bruno@home.example")
        assert addressee(case.anna.local_player, problem, "") == Address("bruno@home.example", "Bruno")
        assert addressee(case.anna.local_player, problem, "other@example.org") == Address("other@example.org")

    def test_another_who_accepts_the_offer(self, case: Case) -> None:
        contacts = Contacts(case.anna.local_player)
        contacts.confirm(contacts.check_and_remember(case.game), BRUNO)
        other = write.accept(
            offer_game(case.anna.person()), Person("Eve", STRANGER), lambda size: b"e" * size
        )
        found = examine_mail(case.anna.local_player.home, IncomingMail("mail", case.mail(file(other))))
        problem = find_problem(case.anna.local_player, found, "mail.eml")
        assert addressee(case.anna.local_player, problem, "") is None


class TestCommand:
    def test_drafts_and_sends_nothing(
        self, case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        anna, room = case.anna, ReceivedMails()
        (anna.file.parent / "bad.eml").write_bytes(case.mail(None, "x", headers=case.answers))
        authority = Authority.new(tmp_path)
        with serve_smtp(room, authority, "tls") as port:
            anna.server(authority, port)
            typed = ("mail", "send", "bad.eml", "--reply-problem")
            assert anna.type(*typed) == 1
            asked = "hint: pbem asks for it at a terminal: pbem mail send bad.eml --reply-problem"
            assert asked in capsys.readouterr().err
            assert anna.type(*typed, "--to", f"{BRUNO}, eve@example.org") == 1
            assert list(anna.file.parent.glob("*-problem.eml")) == []
            assert anna.type(*typed, "--to", BRUNO) == 0
        assert room.accepted == []
        mail = parse_mail((anna.file.parent / "bad.eml-problem.eml").read_bytes())
        assert mail["To"].addresses[0].addr_spec == BRUNO
        assert mail["From"].addresses[0].addr_spec == ANNA
        printed = capsys.readouterr()
        assert printed.out.startswith("Hello,\n")
        assert "Nothing was sent" in printed.err


def test_the_shelf_stays_as_it_is(case: Case) -> None:
    """To look for what is wrong with a mail files nothing."""
    before = everything(case.anna.local_player)
    case.answer(case.mail(file(offer_game(case.anna.person()))))
    assert everything(case.anna.local_player) == before


def everything(player: LocalPlayer) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(player.home.rglob("*")) if path.is_file()}
