"""Letters to oneself: what they say may be answered."""

from __future__ import annotations

from datetime import UTC, datetime

from pbem.correspondence.question_letters import question_letter
from pbem.correspondence.question_record import PendingLetter
from pbem.mail.settings import MailSettings
from pbem.player.actions.action import ActionContext
from pbem.player.actions.parse_action import action_from_reply, parse_reply_text
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from support.correspondents import ANNA, Correspondent, fixed_entropy, offer_game, play_share_and_orders
from support.mail_answers import game_asking_anna
from support.simulator import clock


class TestWhatIsOffered:
    """A letter offers what may be answered now, and nothing else."""

    def offered(self, player: Correspondent, game: Game) -> str:
        player.save(game)
        settings = MailSettings(address=ANNA)
        return question_letter(
            player.local_player, settings, game, PendingLetter(), datetime(2026, 12, 1, tzinfo=UTC)
        ).body

    def test_a_take_back_once_there_is_a_move(self, anna: Correspondent, bruno: Correspondent) -> None:
        game = game_asking_anna(anna, bruno)
        assert "propose draw: offer a draw" in self.offered(anna, game)
        assert "propose last" not in self.offered(anna, game)
        count = len(game.entries)
        while len(game.entries) == count or permissions.has_forced_entry(game, anna.local_player.key):
            game = play_share_and_orders(game, anna.person())
            while game.state.writer != "german":
                game = play_share_and_orders(game, bruno.person())
        assert "propose last: take back your last move; for other moves: pbem log " in self.offered(
            anna, game
        )

    def test_three_of_the_ten_set_ups(self, anna: Correspondent, bruno: Correspondent) -> None:
        game = write.accept(
            offer_game(anna.person()), bruno.person(), fixed_entropy("bruno"), claim=clock(None)
        )
        told = self.offered(bruno, game)
        assert told.count("\n  place ") == 3
        assert ("\n  and 7 more lines: pbem moves mortain-") in told

    def test_what_orders_would_do_is_a_line_each(self, anna: Correspondent, bruno: Correspondent) -> None:
        """However long: the letter wraps it."""
        game = write.accept(
            offer_game(anna.person()), bruno.person(), fixed_entropy("bruno"), claim=clock(None)
        )
        typed = parse_reply_text("place 117Inf 1501 823TD 1403 119Inf 1404 120Inf 1302 SPTD 1502")
        told = action_from_reply(
            ActionContext(bruno.local_player, bruno.save(game), bruno.file), typed
        ).description
        placed = "117Inf in 1501, 823TD in 1403, 119Inf in 1404, 120Inf in 1302, SPTD in 1502"
        assert f"\n      The Americans set up: {placed}\n" in told

    def test_no_second_proposal_after_one_that_was_refused(
        self, anna: Correspondent, bruno: Correspondent
    ) -> None:
        game = game_asking_anna(anna, bruno)
        game = write.propose(game, anna.local_player.key, {"draw": True}, claim=clock(game))
        game = write.answer(game, bruno.local_player.key, False, claim=clock(game))
        told = self.offered(anna, game)
        assert "propose" not in told.partition("Other answers:")[2]
        assert "resign: resign the game" in told

    def test_a_yes_needs_no_more(self, anna: Correspondent, bruno: Correspondent) -> None:
        game = game_asking_anna(anna, bruno)
        anna.save(game)
        shown = PendingLetter(shown="pass", preview="You pass.")
        told = question_letter(
            anna.local_player, MailSettings(address=ANNA), game, shown, datetime(2026, 12, 1, tzinfo=UTC)
        )
        assert "Reply yes to do this" in told.body
        assert "Reply with" not in told.body
        assert "Other answers" not in told.body
