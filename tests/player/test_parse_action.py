"""The words of an answer: how they are taken apart, and that all that may be typed is read from them."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.core.rules import Rules
from pbem.correspondence.question_record import ReplyCode, codes_in, is_genuine, make_code
from pbem.games.mortain import RULES as MORTAIN
from pbem.games.rommel import RULES as ROMMEL
from pbem.player.actions.action import ActionContext
from pbem.player.actions.parse_action import action_from_reply, parse_reply_text
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from support.simulator import entropy

pytestmark = pytest.mark.thorough

ENTRIES = 30


def begin_games(rules: Rules, first: LocalPlayer, second: LocalPlayer) -> Game:
    options = next(iter(rules.editions.values()))
    terms = write.Terms(rules, dict(options), rules.scenarios.names[0])
    game = write.offer(write.Person("Anna", first.key), rules.seats[0], terms, entropy("anna"))
    return write.accept(game, write.Person("Bruno", second.key), entropy("bruno"))


@pytest.fixture
def desks(tmp_path: Path) -> tuple[LocalPlayer, LocalPlayer]:
    both = LocalPlayer(tmp_path / "anna"), LocalPlayer(tmp_path / "bruno")
    for player in both:
        player.make_key()
    return both


@pytest.mark.parametrize("rules", [MORTAIN, ROMMEL], ids=lambda rules: rules.name)
def test_what_may_be_typed_may_be_answered(rules: Rules, desks: tuple[LocalPlayer, LocalPlayer]) -> None:
    """Sealed orders too; and nothing is written by showing them."""
    game, choose = begin_games(rules, *desks), random.Random(7)
    answered = 0
    while len(game.entries) < ENTRIES:
        player = next(one for one in desks if game.state.writer in permissions.held_seats(game, one.key))
        if permissions.has_forced_entry(game, player.key):
            game = write.play(game, player.key)
            continue
        asked = permissions.unlock_state(game, player.key).pending_question
        assert asked is not None
        orders = rules.players["sensible"](asked, choose)
        act = action_from_reply(
            ActionContext(player, game), parse_reply_text("\n".join(rules.view.write_words(orders)))
        )
        assert act.confirmation == "first"
        after = act.write()
        assert after is not None
        assert after.ids[:-1] == game.ids
        game, answered = after, answered + 1
    assert answered > 5


class TestWords:
    def test_orders_on_lines_or_parted(self) -> None:
        assert parse_reply_text("move A 1; move B 2\n\n pass.").lines == ("move A 1", "move B 2", "pass")

    def test_a_list_as_telephones_make_it(self) -> None:
        assert parse_reply_text("- move A 1\n\u2022 move B 2\n3. pass").lines == (
            "move A 1",
            "move B 2",
            "pass",
        )

    def test_now(self) -> None:
        assert parse_reply_text("Now: pass").now
        assert parse_reply_text("now:\npass").lines == ("pass",)
        assert not parse_reply_text("pass now:").now

    def test_words_to_the_opponent_go_on_to_the_end(self) -> None:
        found = parse_reply_text("pass\nSay: well; played\nnow: pass")
        assert (found.lines, found.say) == (("pass",), "well; played\nnow: pass")
        assert not found.now

    @pytest.mark.parametrize("words", ["yes", "Yes.", "YES!", "answer yes", "yes\nsay: gladly"])
    def test_yes(self, words: str) -> None:
        assert parse_reply_text(words).is_yes

    @pytest.mark.parametrize("words", ["", "yes please", "yes\nno", "no", "say: yes", "eyes"])
    def test_not_yes(self, words: str) -> None:
        assert not parse_reply_text(words).is_yes


class TestCodes:
    def test_each_is_another(self, desks: tuple[LocalPlayer, LocalPlayer]) -> None:
        """By key, game, entry and letter."""
        anna, bruno = desks
        game, other = begin_games(MORTAIN, anna, bruno), begin_games(MORTAIN, bruno, anna)
        made = [
            make_code(game, anna.key, 0, 1),
            make_code(game, anna.key, 1, 1),
            make_code(game, anna.key, 1, 2),
            make_code(game, bruno.key, 1, 1),
            make_code(other, anna.key, 1, 1),
        ]
        assert len({one.proof for one in made}) == len(made)
        assert [is_genuine(one, game, anna.key) for one in made] == [True, True, True, False, False]

    def test_found_in_whatever_stands_around(self) -> None:
        one = ReplyCode("0f3a9c12", 57, 2, "k7qd73mdx2fa5wvnk7qd73md")
        for text in (
            f"> Code: {one}.",
            f"<{one}.a1b2@pbem.invalid>",
            f"http://{one}/",
            f"CODE:{str(one).upper()}",
        ):
            assert codes_in(text) == [one]
        for text in (f"{one}x", f"a{one}", str(one).replace(".2.", ".0."), str(one)[:-1], f"1.{one}"):
            assert codes_in(text) == []
