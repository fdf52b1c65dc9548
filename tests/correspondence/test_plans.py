"""Plans answer the mail: two homes play on without a person, and nobody can see that a plan answered."""

from __future__ import annotations

import os
import re

import pytest
from simulator import letter

from correspondence.players import ANNA, BRUNO, Player, attached, move, parsed, shelved
from correspondence.servers import PostOffice
from correspondence.test_fetch import mail
from correspondence.test_watch import waiting
from pbem.correspondence.contacts import Contacts
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.plan_store import PlanStore, entries_by_plan
from pbem.umpire.game_state import Game


def plan(player: Player, game: Game, *lines: str) -> None:
    """Arm a plan that nothing stops but its own words."""
    plans = PlanStore(player.desk.home)
    plans.save(game, parse_plan("\n".join(["despite hits, range", *lines]), "plan"))
    plans.arm(game)


class TestWatch:
    def test_a_plan_answers_as_a_person_does(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The mail has the headers of one that Anna sends, and her log alone says who wrote the entry."""
        office.serve(anna.desk, "anna", maildir=True)
        game = waiting(anna, bruno, decision=True)
        plan(anna, game, "do pass")
        office.deliver("anna", mail(letter(game)))
        assert anna.type("mail", "watch", "--once") == 0
        assert ": your plan orders pass " in " ".join(capsys.readouterr()[0].split())
        (sent,) = office.received("bruno")
        after = attached(sent)
        assert after.ids[:-1] == game.ids
        assert after.entries[-1].raw["orders"] == [{"pass": True}]
        assert "Auto-Submitted" not in parsed(sent)
        assert b"plan" not in sent
        assert anna.type("log", after.ids[0][:8]) == 0
        assert capsys.readouterr()[0].count("(by your plan, step 1)") == 1
        assert anna.type("mail", "watch", "--once") == 0
        assert office.received("bruno") == [sent], "once"
        (bruno.file.parent / "got.yaml").write_bytes(letter(after))
        assert bruno.type("log", "got.yaml") == 0
        assert "by your plan" not in capsys.readouterr()[0]

    def test_a_stop_is_told_and_nothing_mailed(
        self, anna: Player, bruno: Player, office: PostOffice, capsys: pytest.CaptureFixture[str]
    ) -> None:
        office.serve(anna.desk, "anna", maildir=True)
        game = waiting(anna, bruno, decision=True)
        plan(anna, game, "when turn 2", "do pass")
        office.deliver("anna", mail(letter(game)))
        assert anna.type("mail", "watch", "--once") == 0
        assert "Your plan asks you: no step applies now.\n" in capsys.readouterr()[0]
        assert office.received("bruno") == []
        assert anna.type("plan", game.ids[0][:8], "--explain") == 0
        assert "step 1: not so: turn 2\n" in capsys.readouterr()[0]
        assert anna.type("move", game.ids[0][:8], "--plan") == 3

    def test_what_move_has_done_by_plan_is_mailed(
        self, anna: Player, bruno: Player, office: PostOffice
    ) -> None:
        """An entry that a plan wrote at the computer, before anybody mailed it."""
        office.serve(anna.desk, "anna", maildir=True)
        game = waiting(anna, bruno, decision=True)
        anna.save(game)
        contacts = Contacts(anna.desk)
        contacts.confirm(contacts.opponent(game), BRUNO)
        plan(anna, game, "do pass")
        assert anna.type("move", "game.yaml", "--plan") == 0
        assert office.received("bruno") == []
        assert anna.type("mail", "watch", "--once") == 0
        (sent,) = office.received("bruno")
        assert attached(sent).ids == shelved(anna).ids

    @pytest.mark.thorough
    def test_both_play_on_without_a_person(self, anna: Player, bruno: Player, office: PostOffice) -> None:
        """By SMTP and IMAP, with PBEM_LONG to the end: both have the same game, all decided by plans."""
        to_the_end = bool(os.environ.get("PBEM_LONG"))
        game = waiting(anna, bruno)
        for player, address in ((anna, BRUNO), (bruno, ANNA)):
            office.serve(player.desk, player.name.lower())
            player.save(game)
            contacts = Contacts(player.desk)
            contacts.confirm(contacts.opponent(game), address)
            plan(player, game, "do pass")
        start = len(game.entries)
        for _ in range(150):
            for player in (anna, bruno):
                assert player.type("mail", "watch", "--once") == 0
            other, ended = sorted((shelved(anna), shelved(bruno)), key=lambda one: len(one.entries))
            decided = {entry.id for entry in ended.entries[start:] if "orders" in entry.raw}
            if other.state.ending or (len(decided) > 5 and not to_the_end):
                break
        assert ended.ids[: len(other.ids)] == other.ids
        if to_the_end:
            assert ended.ids == other.ids
            assert re.match("M8.2: ", str(ended.state.ending.reason) if ended.state.ending else "")
        planned = {one for player in (anna, bruno) for one in entries_by_plan(player.desk.home, ended)}
        assert decided == planned
        assert len(decided) > 5


def test_move_by_plan(anna: Player, bruno: Player, capsys: pytest.CaptureFixture[str]) -> None:
    """It answers until it is for the other to write, and says so as any move does."""
    game = waiting(anna, bruno, decision=True)
    anna.save(game)
    assert anna.type("move", "game.yaml", "--plan") == 3
    assert "error: no plan is armed here\n" in capsys.readouterr()[1]
    plan(anna, game, "do pass")
    assert anna.type("move", "game.yaml", "pass", "--plan") == 2
    capsys.readouterr()
    assert anna.type("move", "game.yaml", "--plan") == 0
    assert "German: pass" in capsys.readouterr()[0]
    after = shelved(anna)
    assert after.ids[:-1] == game.ids
    assert anna.type("move", "game.yaml", "--plan") == 4, "it is Bruno's move"
    assert move(after, bruno.person()).ids[:-1] >= after.ids
