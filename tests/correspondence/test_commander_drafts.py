"""Drafts of commanders that come by mail (FORMAT 11), and whose are missing: a Maildir and no server."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from msgspec import structs

from correspondence.test_fetch import deliver_mails, game_mail
from pbem.base.limits import DRAFTS
from pbem.core.legend import Cell, Margin
from pbem.core.requests import Orders, Plain
from pbem.correspondence.commander_drafts import games_missing_drafts
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.fetch import fetch_mails
from pbem.correspondence.mail_stages import Arrival
from pbem.correspondence.question_record import QuestionRecord
from pbem.errors import OrderError
from pbem.format.document import Draft, draft_bytes, is_draft, parse_draft
from pbem.format.entries import Play
from pbem.format.yaml_reader import parse_yaml
from pbem.format.yaml_writer import dump_yaml
from pbem.games.rommel import RULES
from pbem.mail import armour
from pbem.mail.mailbox import Maildir
from pbem.player.actions import parse_action
from pbem.player.actions.action import ActionContext
from pbem.player.actions.autoplay import write_planned_orders
from pbem.player.commanders import commanders_of
from pbem.player.local_player import LocalPlayer
from pbem.player.plans import grammar as plan_words
from pbem.player.plans.plan_store import PlanStore, commanders_decide_remark, consult_plan
from pbem.player.plans.plan_store import consult_armed_plan as chosen_by_plan
from pbem.umpire import permissions
from pbem.umpire.drafts import (
    CommanderSeat,
    check_and_sign_draft,
    fitting_orders,
    orders_within_command,
    sign_draft,
)
from pbem.web.board_session import ActionRequest, BoardSession, SignRequest
from pbem.web.plan_panel import PlanRequest
from support.commanders_game import KEYS, NAMES, game_before_move, practice_orders, sign_part, write_reply
from support.correspondents import type_command
from support.simulator import STRANGER
from support.transcripts import write_key

pytestmark = pytest.mark.thorough

FILE = f"rommel-{game_before_move().ids[0][:8]}-15-italian.draft"
"""The orders are for entry 13."""


@cache
def signed_draft(number: int = 2) -> Draft:
    """Graziani orders as many of his units."""
    game = game_before_move()
    asked = game.state.pending_question
    assert asked
    share = fitting_orders(
        game, asked, orders_within_command(game, CommanderSeat("axis", 0), practice_orders(game))
    )
    return check_and_sign_draft(game, KEYS["italian"], share[:number])


class LeadAtHome:
    """A lead at home, with the game stored, and a Maildir."""

    def __init__(self, folder: Path, seat: str) -> None:
        home = folder / "home"
        write_key(home / "key", NAMES[seat])
        self.local_player = LocalPlayer(home)
        self.folder = folder / "games"
        self.mails = folder / "mail"
        for one in (self.folder, *(self.mails / part for part in ("new", "cur", "tmp"))):
            one.mkdir(parents=True)
        self.local_player.save(game_before_move(), self.folder / "game.yaml", new=True)

    def receive(self, *letters: bytes) -> list[Arrival]:
        """What `fetch` makes of new mails."""
        deliver_mails(self.mails, *letters)
        with Maildir(self.mails) as box:
            return list(fetch_mails(self.local_player, box, self.folder))

    def drafts(self) -> list[str]:
        """The drafts in his folder."""
        return sorted(path.name for path in self.folder.glob("*.draft"))


@pytest.fixture
def rommel(tmp_path: Path) -> LeadAtHome:
    return LeadAtHome(tmp_path, "axis")


def in_the_text(one: Draft) -> bytes:
    """A mail with the draft as an armoured block in its text."""
    return game_mail(text=f"Avanti!\n\n{armour.enclose(draft_bytes(one))}\n")


def draft_mail(one: Draft) -> bytes:
    return game_mail(draft_bytes(one))


@pytest.mark.parametrize("letter", [draft_mail, in_the_text])
def test_a_draft_is_kept_beside_the_game(rommel: LeadAtHome, letter: Callable[[Draft], bytes]) -> None:
    (arrival,) = rommel.receive(letter(signed_draft()))
    assert (arrival.refusal, arrival.alarm, arrival.quarantined) == (None, False, False)
    assert arrival.file == rommel.folder / FILE
    assert arrival.file.read_bytes() == draft_bytes(signed_draft())
    assert arrival.verdict.description.startswith('a draft by "Graziani" (italian): move ')
    assert "nothing yet" not in arrival.verdict.description


def test_the_same_draft_twice_is_one(rommel: LeadAtHome) -> None:
    """However it comes, and with the time of the first."""
    rommel.receive(draft_mail(signed_draft()))
    os.utime(rommel.folder / FILE, (1e9, 1e9))
    (again,) = rommel.receive(in_the_text(signed_draft()))
    assert again.file == rommel.folder / FILE
    assert rommel.drafts() == [FILE]
    assert (rommel.folder / FILE).stat().st_mtime == 1e9
    assert "differs" not in again.verdict.description


def flow(data: bytes) -> bytes:
    """A draft on one line, in brackets, and without a mark that only blocks have."""
    return yaml.safe_dump(parse_yaml(data), default_flow_style=True, width=9999, sort_keys=False).encode()


def turned(data: bytes) -> bytes:
    """The part first, the version last."""
    value = parse_yaml(data)
    assert isinstance(value, dict)
    return dump_yaml(dict(reversed(value.items()))).encode()


LAYOUTS: dict[str, Callable[[bytes], bytes]] = {
    "one line in brackets": flow,
    "brackets over lines": lambda data: flow(data).replace(b", ", b",\r\n  "),
    "turned round": turned,
    "sixty lines of comments": lambda data: b"# from Graziani\n" * 60 + data,
    "a mark of the beginning": lambda data: b"---\n" + data,
    "quoted keys": lambda data: data.replace(b"part:", b'"part" :').replace(b"after:", b"'after' :"),
    "Windows": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"  \r\n"),
    "old Macintosh": lambda data: data.replace(b"\n", b"\r"),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_draft_in_any_layout_is_recognised(rommel: LeadAtHome, name: str) -> None:
    """FORMAT 1 allows them all; what was attached, and what the lead names, is kept and taken as one."""
    data = LAYOUTS[name](draft_bytes(signed_draft()))
    assert parse_draft(data) == signed_draft()
    assert is_draft(data)
    (arrival,) = rommel.receive(game_mail(data))
    assert arrival.file == rommel.folder / FILE
    assert rommel.drafts() == [FILE]
    assert parse_draft((rommel.folder / FILE).read_bytes()) == signed_draft()


@pytest.mark.parametrize(
    "data", [b"part", b"[part]", b"x: 1\npart: 2\n", b"\xff", b"board: |\n  x\nlog: []\npart: 1\n"]
)
def test_what_is_no_draft(data: bytes) -> None:
    assert not is_draft(data)


class TestTwoThatDiffer:
    """An old draft may be mailed again by anyone: which of two counts says the lead."""

    SECOND = FILE.replace(".draft", "-2.draft")

    @pytest.fixture(autouse=True)
    def came(self, rommel: LeadAtHome, monkeypatch: pytest.MonkeyPatch) -> list[Arrival]:
        """That with two orders on the first day of 2026, that with one after it."""
        monkeypatch.chdir(rommel.folder)
        first = rommel.receive(draft_mail(signed_draft(2)))
        os.utime(rommel.folder / FILE, (1767268800, 1767268800))
        return [*first, *rommel.receive(draft_mail(signed_draft(1)), draft_mail(signed_draft(2)))]

    def test_both_are_kept_and_told(self, rommel: LeadAtHome, came: list[Arrival]) -> None:
        assert rommel.drafts() == sorted([FILE, self.SECOND])
        assert (rommel.folder / FILE).read_bytes() == draft_bytes(signed_draft(2))
        assert (rommel.folder / self.SECOND).read_bytes() == draft_bytes(signed_draft(1))
        assert [arrival.file for arrival in came] == [
            rommel.folder / name for name in (FILE, self.SECOND, FILE)
        ]
        differs = f"differs from the draft in {FILE}, received 1 January 2026, 12:00 UTC"
        assert differs in came[1].verdict.description
        assert "differs" not in came[0].verdict.description

    def test_neither_is_taken_by_itself(self, rommel: LeadAtHome) -> None:
        game, key = game_before_move(), rommel.local_player.key
        side = commanders_of(rommel.local_player, game, permissions.unlock_state(game, key), rommel.folder)
        assert side
        first, second, how = side.describe()
        received = "received 1 January 2026, 12:00 UTC"
        assert first.startswith(f'draft 1, {received}: "Graziani" (italian) has signed')
        assert second.startswith("draft 2, received ")
        assert "uses none of them until you choose one: with drafts 2, or with the command pbem move " in how
        assert self.SECOND in how
        assert side.missing_lines([]) == []
        assert side.signed_parts(signed_draft(2).part.orders)[0] == []
        sitting = BoardSession(rommel.local_player, game, rommel.folder / "game.yaml")
        assert sitting.current_data()["drafts"] == []

    @pytest.mark.parametrize(("word", "number"), [("drafts 1", 2), ("Drafts 2.", 1), ("drafts 1 2", 1)])
    def test_an_answer_names_one(self, rommel: LeadAtHome, word: str, number: int) -> None:
        after = parse_action.action_from_reply(
            ActionContext(rommel.local_player, game_before_move()), parse_action.parse_reply_text(word)
        ).write()
        assert after
        assert after.entries[-1].raw["orders"] == signed_draft(number).part.orders
        assert after.entries[-1].raw["parts"] == [part_of(signed_draft(number))]

    @pytest.mark.parametrize("word", ["drafts 3", "drafts 0", f"drafts {'9' * 5000}"])
    def test_a_number_that_there_is_not(self, rommel: LeadAtHome, word: str) -> None:
        with pytest.raises(OrderError, match=r"there is no draft [0-9]+.* to choose"):
            parse_action.action_from_reply(
                ActionContext(rommel.local_player, game_before_move()), parse_action.parse_reply_text(word)
            )

    def test_the_command_names_one(self, rommel: LeadAtHome, capsys: pytest.CaptureFixture[str]) -> None:
        words = ("move", "game.yaml", "--with", self.SECOND, "--dry-run")
        assert type_command(rommel.local_player, rommel.folder, *words) == 0
        told = " ".join(capsys.readouterr().err.split())
        assert f"{FILE}, received 1 January 2026, 12:00 UTC, is another draft from the same commander" in told
        assert type_command(rommel.local_player, rommel.folder, "move", "game.yaml", "pass", "--dry-run") == 0
        told = " ".join(capsys.readouterr().err.split())
        for name in (FILE, self.SECOND):
            assert f"there is a draft in {name}, received " in told
            assert f"to use it, add --with {name}" in told

    def test_he_has_answered(self, rommel: LeadAtHome) -> None:
        assert list(games_missing_drafts(rommel.local_player, rommel.folder)) == []

    def test_no_more_than_a_few_are_kept(self, rommel: LeadAtHome) -> None:
        orders = signed_draft(2).part.orders
        others = [[{**orders[0], "path": [*orders[0]["path"][:-1], f"{n:04}"]}] for n in range(20)]
        arrivals = rommel.receive(*(draft_mail(signed_by_graziani(one)) for one in others))
        assert len(rommel.drafts()) == DRAFTS
        assert "9 other drafts by this commander" in str(arrivals[-1].refusal)


def signed_by_graziani(orders: Orders) -> Draft:
    """A draft with whatever he signs, legal or not."""
    return sign_draft(game_before_move(), KEYS["italian"], CommanderSeat("axis", 0), orders)


def altered(**part: Any) -> Draft:
    return structs.replace(signed_draft(), part=structs.replace(signed_draft().part, **part))


def strangers() -> Draft:
    orders = signed_draft().part.orders
    return altered(sig=sign_part(game_before_move(), "italian", orders, key=STRANGER)["sig"])


def elsewhere(**after: Any) -> Draft:
    return structs.replace(signed_draft(), after=structs.replace(signed_draft().after, **after))


REFUSED: dict[str, tuple[Callable[[], Draft], str]] = {
    "altered": (lambda: altered(orders=[]), "or has been altered since"),
    "signed by a stranger": (strangers, "not signed with its commander's key"),
    "of a game that is not here": (lambda: elsewhere(game="ab" * 32), "not on this computer"),
    "for the other side's lead": (
        lambda: altered(seat="allied"),
        "for the lead of the Allies, and you are not the lead",
    ),
    "late": (lambda: elsewhere(n=11, id=game_before_move().ids[11]), "late: it continues from entry 11"),
    "from the future": (lambda: elsewhere(n=40), "continues from entry 40"),
    "from another history": (lambda: elsewhere(id="ab" * 32), "continues from another entry 14"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(rommel: LeadAtHome, name: str) -> None:
    """In one line; nothing is written, and the honest draft that comes after it is kept."""
    make, words = REFUSED[name]
    before = [kept.data for kept in rommel.local_player.store.games()]
    (bad, good) = rommel.receive(draft_mail(make()), draft_mail(signed_draft()))
    assert words in str(bad.refusal)
    assert "\n" not in str(bad.refusal)
    assert (bad.file, bad.alarm) == (None, False)
    assert good.file == rommel.folder / FILE
    assert [kept.data for kept in rommel.local_player.store.games()] == before
    assert rommel.drafts() == [FILE]


def test_another_file_of_that_name_stays(rommel: LeadAtHome) -> None:
    (rommel.folder / FILE).write_text("my notes")
    (arrival,) = rommel.receive(draft_mail(signed_draft()))
    assert "already exists and is not a draft" in str(arrival.refusal)
    assert (rommel.folder / FILE).read_text() == "my notes"


def test_many_drafts_in_one_mail_are_not_all_looked_at(rommel: LeadAtHome) -> None:
    many = [draft_bytes(elsewhere(n=100 + number)) for number in range(9)]
    assert len(rommel.receive(game_mail(*many))) == 4


class TestWhoIsMissing:
    """`mail watch` says so as long as the lead is asked, and reminds again each time."""

    def watched(
        self, rommel: LeadAtHome, capsys: pytest.CaptureFixture[str], *more: str, code: int = 0
    ) -> str:
        """What `mail watch --once` prints; to a server that is none."""
        server = "  smtp:\n    host: localhost\n    port: 1\n    security: tls\n    user: rommel\n"
        password = "    password_command:\n      - echo\n      - nothing\n"
        (rommel.local_player.home / "config.yaml").write_text(
            f"mail:\n  address: rommel@example.org\n{server}{password}  maildir: '{rommel.mails}'\n"
        )
        assert type_command(rommel.local_player, rommel.folder, "mail", "watch", "--once", *more) == code
        return capsys.readouterr().out

    def test_until_the_draft_has_come(self, rommel: LeadAtHome, capsys: pytest.CaptureFixture[str]) -> None:
        for _ in range(2):
            told = self.watched(rommel, capsys)
            assert 'is still waiting for orders from "Graziani" (italian).' in " ".join(told.split())
        deliver_mails(rommel.mails, draft_mail(signed_draft()))
        told = self.watched(rommel, capsys)
        assert f"pbem move {game_before_move().ids[0][:8]} --with {FILE}" in told
        assert "still waiting for orders" not in told

    def test_not_when_the_other_side_writes_next(
        self, rommel: LeadAtHome, capsys: pytest.CaptureFixture[str]
    ) -> None:
        game = game_before_move()
        while not (
            game.state.pending_question
            and game.state.pending_question.seat == "allied"
            and not game.state.open_beat
        ):
            game = write_reply(game)
        rommel.local_player.save(game, rommel.folder / "game.yaml")
        assert "still waiting for orders" not in self.watched(rommel, capsys)

    def test_the_next_letter_to_oneself_says_so(
        self, rommel: LeadAtHome, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """A lead who plays from a telephone has been asked before the draft comes."""
        contacts = Contacts(rommel.local_player)
        contacts.confirm(contacts.opponent(game_before_move()), "monty@example.org")
        deliver_mails(rommel.mails, draft_mail(signed_draft()))
        self.watched(rommel, capsys, "--orders-by-reply", code=1)  # it cannot be mailed
        (note,) = QuestionRecord(rommel.local_player.home).stored_letter(game_before_move().ids[0]).notes
        assert note.startswith('A draft by "Graziani" (italian): move ')


class TestAtHand:
    """What the prompt, the board and answers by mail make of the drafts that lie there."""

    def test_their_words_and_their_parts(self, rommel: LeadAtHome) -> None:
        game, key = game_before_move(), rommel.local_player.key
        side = commanders_of(rommel.local_player, game, permissions.unlock_state(game, key), rommel.folder)
        assert side
        assert side.describe() == ['Nothing has arrived from "Graziani" (italian)']
        assert (side.missing_lines([]), side.signed_parts(practice_orders(game))[0]) == ([], [])
        rommel.receive(draft_mail(signed_draft()))
        orders = signed_draft().part.orders
        (told,) = side.describe()
        assert told.startswith('"Graziani" (italian) has signed: move ')
        typed = side.missing_lines([])
        assert game.state.pending_question
        assert game.rules.view.read_words(game.state.pending_question, typed) == orders
        assert side.missing_lines(orders) == []
        assert [part["orders"] for part in side.signed_parts(orders)[0]] == [orders]
        assert side.signed_parts(orders[1:])[0] == [], "what he has signed and the lead leaves out is no part"

    def test_an_answer_by_mail_takes_them_in(
        self, rommel: LeadAtHome, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With a line that says drafts; what is done then has the part."""
        monkeypatch.chdir(rommel.folder)
        rommel.receive(draft_mail(signed_draft()))
        done = parse_action.action_from_reply(
            ActionContext(rommel.local_player, game_before_move()),
            parse_action.parse_reply_text("drafts\nmove AxSup-4 1205"),
        )
        assert '"Graziani" (italian) has signed: move ' in done.description
        after = done.write()
        assert after
        assert after.entries[-1].raw["orders"] == [
            *signed_draft().part.orders,
            {"move": "AxSup-4", "path": ["1205"]},
        ]
        assert after.entries[-1].raw["parts"] == [part_of(signed_draft())]

    def test_an_answer_by_mail_without_them(
        self, rommel: LeadAtHome, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(rommel.folder)
        rommel.receive(draft_mail(signed_draft()))
        after = parse_action.action_from_reply(
            ActionContext(rommel.local_player, game_before_move()), parse_action.parse_reply_text("pass")
        ).write()
        assert after
        assert "parts" not in after.entries[-1].raw

    def test_the_board_takes_them_in(self, rommel: LeadAtHome) -> None:
        rommel.receive(draft_mail(signed_draft()))
        sitting = BoardSession(rommel.local_player, game_before_move(), rommel.folder / "game.yaml")
        first = sitting.current_data()
        assert first["staff"] == staff_told(rommel)
        wish = ActionRequest(first["bound"], lines=first["drafts"])
        assert sitting.look(wish)["drafts"] == []
        shown = sitting.confirm(wish)
        assert len(shown["words"]) == len(signed_draft().part.orders)
        sitting.sign(SignRequest(first["bound"], shown["digest"]))
        assert sitting.state.game.entries[-1].raw["parts"] == [part_of(signed_draft())]

    @pytest.mark.parametrize(("own", "others"), [("pass", []), ("move AxSup-4 1205", ["move AxSup-4 1205"])])
    def test_the_program_commands(
        self, rommel: LeadAtHome, own: str, others: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """At the board as in an answer: what it orders is shown beside the lead's, and signed by it."""
        monkeypatch.chdir(rommel.folder)
        write_key(rommel.local_player.home / "practice-commander" / "key", NAMES["italian"])
        sitting = BoardSession(rommel.local_player, game_before_move(), rommel.folder / "game.yaml")
        bound = sitting.current_data()["bound"]
        shown = sitting.confirm(ActionRequest(bound, lines=[own]))
        assert shown["told"][0].startswith('"Graziani" (italian) has signed: move ')
        done = parse_action.action_from_reply(
            ActionContext(rommel.local_player, game_before_move()), parse_action.parse_reply_text(own)
        )
        after = done.write()
        assert after
        sitting.sign(SignRequest(bound, shown["digest"]))
        body = sitting.state.game.entries[-1].body
        assert isinstance(body, Play)
        assert body.parts
        (part,) = body.parts
        assert sitting.state.game.entries[-1].raw["parts"] == after.entries[-1].raw["parts"]
        assert shown["words"] == [*RULES.view.write_words(part.orders), *others]
        assert part.orders

    def test_the_program_leaves_its_units_to_a_lead_who_orders_them(self, rommel: LeadAtHome) -> None:
        write_key(rommel.local_player.home / "practice-commander" / "key", NAMES["italian"])
        sitting = BoardSession(rommel.local_player, game_before_move(), rommel.folder / "game.yaml")
        words = RULES.view.write_words(signed_draft(1).part.orders)
        assert sitting.confirm(ActionRequest(sitting.current_data()["bound"], lines=words))["words"] == words

    def test_a_commander_has_a_board_too(self, tmp_path: Path) -> None:
        """His units alone may be ordered, and come first; what he signs is his draft."""
        graziani = LeadAtHome(tmp_path, "italian")
        sitting = BoardSession(graziani.local_player, game_before_move(), graziani.folder / "game.yaml")
        first = sitting.current_data()
        assert first["acts"] == ["orders"]
        counters = RULES.view.legend(game_before_move().state.run.state)
        named = set(first["able"])
        assert named
        places: list[Cell | Margin] = [*counters.cells, *counters.margins]
        germans = {piece.name for place in places for piece in place.pieces if piece.group == "german"}
        assert not named & germans
        refused = sitting.look(ActionRequest(first["bound"], lines=["move 125Inf 1705 1805"]))["refused"]
        assert "R9.1: a commander of italian units may not order" in refused["error"]
        words = RULES.view.write_words(signed_draft().part.orders)
        shown = sitting.confirm(ActionRequest(first["bound"], lines=words))
        signed = sitting.sign(SignRequest(first["bound"], shown["digest"]))
        assert signed["drafted"] == f'Mail {FILE} to "Rommel".'
        assert (graziani.folder / FILE).read_bytes() == draft_bytes(signed_draft())
        assert sitting.state.game.ids == game_before_move().ids

    def test_a_plan_leaves_a_shared_side_to_its_players(self, rommel: LeadAtHome) -> None:
        game, plans = game_before_move(), PlanStore(rommel.local_player.home)
        plans.save(game, plan_words.parse_plan("do pass", "plan"))
        plans.arm(game)
        choice = consult_plan(rommel.local_player, game)
        assert choice
        assert choice.words == "pass", "which the prompt shows, if the lead asks for it"
        choice = chosen_by_plan(rommel.local_player, game)
        assert choice
        assert (choice.orders, "your side has commanders, and they have a say" in choice.why) == ([], True)
        assert write_planned_orders(rommel.local_player, game) is None

    def test_the_board_says_that_a_plan_answers_nothing(self, rommel: LeadAtHome) -> None:
        game = game_before_move()
        PlanStore(rommel.local_player.home).save(game, plan_words.parse_plan("do pass", "plan"))
        sitting = BoardSession(rommel.local_player, game, rommel.folder / "game.yaml")
        said = sitting.plan(PlanRequest(sitting.state.bound, "arm"))["says"]
        assert said[0] == commanders_decide_remark()
        assert not any("watch follow it" in line for line in said)


def part_of(one: Draft) -> Plain:
    """The part of an entry that a draft comes to."""
    return {"by": one.part.by, "orders": one.part.orders, "sig": one.part.sig}


def staff_told(lead: LeadAtHome) -> list[str]:
    """Whose drafts lie there."""
    side = commanders_of(
        lead.local_player,
        game_before_move(),
        permissions.unlock_state(game_before_move(), lead.local_player.key),
        lead.folder,
    )
    return side.describe() if side else []
