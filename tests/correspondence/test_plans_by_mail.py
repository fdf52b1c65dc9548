"""Plans answer the mail: two homes play on without a person, and nobody can see that a plan answered."""

from __future__ import annotations

import os
import re

import pytest

from correspondence.test_fetch import game_mail
from correspondence.test_watch import game_waiting_for_anna
from pbem.correspondence.contacts import Contacts
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.plan_store import PlanStore, entries_by_plan
from pbem.umpire.game_state import Game
from support.correspondents import (
    ANNA,
    BRUNO,
    Correspondent,
    attached_game,
    parse_mail,
    play_share_and_orders,
    stored_game,
)
from support.mail_provider import MailProvider
from support.simulator import mailed_file


def arm_plan(player: Correspondent, game: Game, *lines: str) -> None:
    """Arm a plan that nothing stops but its own words."""
    plans = PlanStore(player.local_player.home)
    plans.save(game, parse_plan("\n".join(["despite hits, range", *lines]), "plan"))
    plans.arm(game)


class TestWatch:
    def test_a_plan_answers_as_a_person_does(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """The mail has the headers of one that Anna sends, and her log alone says who wrote the entry."""
        office.serve(anna.local_player, "anna", maildir=True)
        game = game_waiting_for_anna(anna, bruno, decision=True)
        arm_plan(anna, game, "do pass")
        office.deliver("anna", game_mail(mailed_file(game)))
        assert anna.type("mail", "watch", "--once") == 0
        assert ": your plan orders pass " in " ".join(capsys.readouterr()[0].split())
        (sent,) = office.mails_of("bruno")
        after = attached_game(sent)
        assert after.ids[:-1] == game.ids
        assert after.entries[-1].raw["orders"] == [{"pass": True}]
        assert "Auto-Submitted" not in parse_mail(sent)
        assert b"plan" not in sent
        assert anna.type("log", after.ids[0][:8]) == 0
        assert capsys.readouterr()[0].count("(by your plan, step 1)") == 1
        assert anna.type("mail", "watch", "--once") == 0
        assert office.mails_of("bruno") == [sent], "once"
        (bruno.file.parent / "got.yaml").write_bytes(mailed_file(after))
        assert bruno.type("log", "got.yaml") == 0
        assert "by your plan" not in capsys.readouterr()[0]

    def test_a_stop_is_told_and_nothing_mailed(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        office.serve(anna.local_player, "anna", maildir=True)
        game = game_waiting_for_anna(anna, bruno, decision=True)
        arm_plan(anna, game, "when turn 2", "do pass")
        office.deliver("anna", game_mail(mailed_file(game)))
        assert anna.type("mail", "watch", "--once") == 0
        assert ("Your plan leaves this to you: no step applies at the moment.\n") in capsys.readouterr()[0]
        assert office.mails_of("bruno") == []
        assert anna.type("plan", game.ids[0][:8], "--explain") == 0
        assert "step 1: not true: turn 2\n" in capsys.readouterr()[0]
        assert anna.type("move", game.ids[0][:8], "--plan") == 3

    def test_what_move_has_done_by_plan_is_mailed(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider
    ) -> None:
        """An entry that a plan wrote at the computer, before anybody mailed it."""
        office.serve(anna.local_player, "anna", maildir=True)
        game = game_waiting_for_anna(anna, bruno, decision=True)
        anna.save(game)
        contacts = Contacts(anna.local_player)
        contacts.confirm(contacts.opponent(game), BRUNO)
        arm_plan(anna, game, "do pass")
        assert anna.type("move", "game.yaml", "--plan") == 0
        assert office.mails_of("bruno") == []
        assert anna.type("mail", "watch", "--once") == 0
        (sent,) = office.mails_of("bruno")
        assert attached_game(sent).ids == stored_game(anna).ids

    @pytest.mark.thorough
    def test_both_play_on_without_a_person(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider
    ) -> None:
        """By SMTP and IMAP, with PBEM_LONG to the end: both have the same game, all decided by plans."""
        to_the_end = bool(os.environ.get("PBEM_LONG"))
        game = game_waiting_for_anna(anna, bruno)
        for player, address in ((anna, BRUNO), (bruno, ANNA)):
            office.serve(player.local_player, player.name.lower())
            player.save(game)
            contacts = Contacts(player.local_player)
            contacts.confirm(contacts.opponent(game), address)
            arm_plan(player, game, "do pass")
        start = len(game.entries)
        for _ in range(150):
            for player in (anna, bruno):
                assert player.type("mail", "watch", "--once") == 0
            other, ended = sorted((stored_game(anna), stored_game(bruno)), key=lambda one: len(one.entries))
            decided = {entry.id for entry in ended.entries[start:] if "orders" in entry.raw}
            if other.state.ending or (len(decided) > 5 and not to_the_end):
                break
        assert ended.ids[: len(other.ids)] == other.ids
        if to_the_end:
            assert ended.ids == other.ids
            assert re.match("M8.2: ", str(ended.state.ending.reason) if ended.state.ending else "")
        planned = {
            one for player in (anna, bruno) for one in entries_by_plan(player.local_player.home, ended)
        }
        assert decided == planned
        assert len(decided) > 5


def test_move_by_plan(anna: Correspondent, bruno: Correspondent, capsys: pytest.CaptureFixture[str]) -> None:
    """It answers until it is for the other to write, and says so as any move does."""
    game = game_waiting_for_anna(anna, bruno, decision=True)
    anna.save(game)
    assert anna.type("move", "game.yaml", "--plan") == 3
    assert ("error: you have no armed plan on this computer\n") in capsys.readouterr()[1]
    arm_plan(anna, game, "do pass")
    assert anna.type("move", "game.yaml", "pass", "--plan") == 2
    capsys.readouterr()
    assert anna.type("move", "game.yaml", "--plan") == 0
    assert "German: pass" in capsys.readouterr()[0]
    after = stored_game(anna)
    assert after.ids[:-1] == game.ids
    assert anna.type("move", "game.yaml", "--plan") == 4, "it is Bruno's move"
    assert play_share_and_orders(after, bruno.person()).ids[:-1] >= after.ids
