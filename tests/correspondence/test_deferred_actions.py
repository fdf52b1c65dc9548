"""Wishes where the program answers mail: an offer of a draw and a resignation leave by themselves, once."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from correspondence.test_fetch import game_mail
from correspondence.test_plans_by_mail import arm_plan
from correspondence.test_watch import game_waiting_for_anna
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.question_letters import question_letter
from pbem.correspondence.question_record import PendingLetter
from pbem.mail.outgoing import to_bytes
from pbem.mail.settings import settings_to_send
from pbem.player.actions.autoplay import save_automatic_entries
from pbem.player.local_player import LocalPlayer
from pbem.player.pending import DeferredActions
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from support.correspondents import BRUNO, Correspondent, attached_game, mail_text, stored_game
from support.mail_provider import MailProvider
from support.simulator import clock, mailed_file


def watches(player: Correspondent, office: MailProvider, game: Game | None = None) -> None:
    """Her program looks at her mail once, in which a game may be."""
    if game:
        office.deliver("anna", game_mail(mailed_file(game)))
    assert player.type("mail", "watch", "--once") == 0


@pytest.fixture
def game(anna: Correspondent, bruno: Correspondent, office: MailProvider) -> Game:
    """Bruno's mail asks her for a decision."""
    office.serve(anna.local_player, "anna", maildir=True)
    return game_waiting_for_anna(anna, bruno, decision=True)


def test_an_offer_of_a_draw_is_mailed_and_the_plan_rests_until_it_is_answered(
    anna: Correspondent, bruno: Correspondent, office: MailProvider, game: Game
) -> None:
    arm_plan(anna, game, "do pass")
    DeferredActions(anna.local_player.home).save_draw(stored_game(anna))
    watches(anna, office, game)
    (sent,) = office.mails_of("bruno")
    offered = attached_game(sent)
    assert [one.kind for one in offered.entries[len(game.entries) :]][-1] == "propose"
    assert offered.state.proposal
    watches(anna, office)
    assert office.mails_of("bruno") == [sent], "once"
    watches(anna, office, write.answer(offered, bruno.local_player.key, False, claim=clock(offered)))
    assert stored_game(anna).entries[-1].raw["orders"] == [{"pass": True}]


def test_one_that_was_written_before_a_crash_is_mailed(
    anna: Correspondent, office: MailProvider, game: Game
) -> None:
    anna.save(game)
    contacts = Contacts(anna.local_player)
    contacts.confirm(contacts.opponent(game), BRUNO)
    DeferredActions(anna.local_player.home).save_draw(game)
    offered, _ = save_automatic_entries(anna.local_player, game, anna.file)
    assert office.mails_of("bruno") == []
    watches(anna, office)
    (sent,) = office.mails_of("bruno")
    assert attached_game(sent).ids == offered.ids


def test_what_she_has_proposed_herself_waits_for_her_to_mail_it(
    anna: Correspondent, office: MailProvider, game: Game
) -> None:
    anna.save(game)
    assert anna.type("propose", anna.file.name, "draw") == 0
    watches(anna, office)
    assert office.mails_of("bruno") == []


def test_a_resignation_that_is_certain(anna: Correspondent, office: MailProvider, game: Game) -> None:
    DeferredActions(anna.local_player.home).save_resignation(stored_game(anna), certain=True)
    watches(anna, office, game)
    (sent,) = office.mails_of("bruno")
    assert attached_game(sent).state.ending
    assert [one.kind for one in attached_game(sent).entries[len(game.entries) :]][-1] == "resign"


def test_one_that_is_asked_about_stops_the_plan_and_is_told(
    anna: Correspondent, office: MailProvider, game: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    arm_plan(anna, game, "do pass")
    DeferredActions(anna.local_player.home).save_resignation(stored_game(anna), certain=False)
    watches(anna, office, game)
    told = " ".join(capsys.readouterr()[0].split())
    assert "Your plan leaves this to you: your resignation comes first." in told
    assert "You wanted to resign. If you still do: pbem resign game.yaml" in told
    assert office.mails_of("bruno") == []
    settings = settings_to_send(anna.local_player.home)
    draft = question_letter(
        anna.local_player, settings, stored_game(anna), PendingLetter(), datetime(2026, 11, 22, tzinfo=UTC)
    )
    assert "You wanted to resign. If you still do" in " ".join(mail_text(to_bytes(draft)).split())


def test_a_second_computer_leaves_it_to_the_first(
    anna: Correspondent,
    bruno: Correspondent,
    office: MailProvider,
    game: Game,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Both get Bruno's mail, have the plan and the wish; she sits before neither."""
    home = tmp_path / "second" / "home"
    home.mkdir(parents=True, mode=0o700)
    for name in ("key", "config.yaml"):
        shutil.copy(anna.local_player.home / name, home / name)
    second = Correspondent("Anna", LocalPlayer(home), home.parent / "game.yaml")
    second.local_player.record(game, second.local_player.rewrite(game), new=True)
    contacts = Contacts(second.local_player)
    contacts.confirm(contacts.opponent(game), BRUNO)
    arm_plan(second, game, "do pass")
    watches(second, office, game)
    assert office.mails_of("bruno") == []
    DeferredActions(home).save_resignation(game, certain=True)
    watches(second, office)
    assert office.mails_of("bruno") == []
    assert stored_game(second).ids == game.ids
    assert second.type("show", game.ids[0][:8]) == 0
    assert "You wanted to resign. If you still do" in " ".join("".join(capsys.readouterr()).split())


def test_in_practice_an_offer_goes_and_is_refused(anna: Correspondent) -> None:
    """The program accepts no draw; then her own orders come first, and an offer right behind them."""
    assert anna.type("new", "mortain", "p.yaml", "--seat", "us", "--practice") == 0
    file = anna.file.parent / "p.yaml"

    def now() -> Game:
        return anna.local_player.open(file.read_bytes())

    def kinds(before: int) -> list[str]:
        return [f"{one.body.by} {one.kind}" for one in now().entries[before:]]

    assert anna.type("propose", "p.yaml", "draw") == 0
    assert kinds(2)[-2:] == ["us propose", "german answer"]
    entries = len(now().entries)
    assert anna.type("propose", "p.yaml", "draw") == 0
    assert len(now().entries) == entries, "it waits"
    asked = permissions.unlock_state(now(), anna.local_player.key).pending_question
    assert asked
    orders = now().rules.view.write_words(next(now().rules.offers(asked)))
    assert anna.type("move", "p.yaml", *orders) == 0
    found = kinds(entries)
    assert found[0] == "us play"
    assert "us propose" in found
    assert found[found.index("us propose") + 1] == "german answer"
