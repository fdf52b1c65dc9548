"""Undo: what nobody has got is taken back whole, and nothing else is; what it had taken along comes back."""

from __future__ import annotations

import secrets
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from cli.transcript import write_key
from correspondence.answers import with_the_same_keys
from correspondence.players import LASTING, Player, begun, entropy, move, offered, players
from umpire.test_sealed import before_opening, before_sealing

from desk.test_plan import armed, at_decision, carried_out
from pbem.core.requests import Orders
from pbem.errors import ForkedFile, NotYourMove, SegmentRefused, StorageError, UndoneEntry
from pbem.format.document import whole_log_bytes
from pbem.player.actions.autoplay import write_planned_orders
from pbem.player.actions.undo import UndoResult, undo, undo_command, undoable_entries
from pbem.player.local_player import LocalPlayer, log_lines, practice_player
from pbem.player.pending import PendingMessages
from pbem.player.plans.plan_store import PlanStore
from pbem.player.practice import play_to_next_decision
from pbem.player.store.game_file import game_file_bytes
from pbem.player.store.log_relation import Log, Relation
from pbem.player.store.signed_entries import SendChannel
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.log_segment import segment_after
from pbem.umpire.verify import open_game, parse_file
from pbem.umpire.write import Claim, Person


@pytest.fixture
def both(tmp_path: Path) -> tuple[Player, Player]:
    """Their games are the same every time."""
    return with_the_same_keys(players(tmp_path))


def signed(game: Game, player: Player, number: int = 0, *, say: str = "") -> Game:
    """The game with one decision of a player, the orders offered at that place, saved by him."""
    asked = permissions.unlock_state(game, player.desk.key).pending_question
    assert asked
    orders: Orders = list(game.rules.offers(asked))[number]
    after = write.play(game, player.desk.key, orders, claim=Claim(say=say))
    player.desk.save(after, player.file)
    return after


def decides(game: Game, player: Player) -> bool:
    """Whether the player writes next, and has something to decide."""
    own = permissions.held_seats(game, player.desk.key)
    return game.state.writer in own and not permissions.has_forced_entry(game, player.desk.key)


def letter(game: Game, entries: int) -> bytes:
    """The file with so many entries of a game."""
    return whole_log_bytes(game.entries[:entries])


def taken_back(game: Game, player: Player) -> UndoResult:
    return undo(player.desk, game, player.file, nobody_has_it=True)


def why_not(game: Game, player: Player) -> str:
    """Why nothing can be undone, which is what `undo` says as well."""
    found = undoable_entries(player.desk, game)
    assert not found.entries
    before = player.file.read_bytes() if player.file.exists() else b""
    with pytest.raises(NotYourMove) as refused:
        taken_back(game, player)
    assert str(refused.value) == found.why_not != ""
    assert (player.file.read_bytes() if player.file.exists() else b"") == before
    assert undo_command(player.desk, game, "game.yaml") == ""
    return found.why_not


def on_shelf(player: Player) -> Game:
    (kept,) = player.desk.store.games()
    return player.desk.open(kept.data)


class TestWhatNobodyHasGot:
    def test_the_newest_decision(self, game: Game, both: tuple[Player, Player]) -> None:
        anna, _ = both
        before = anna.file.read_bytes()
        after = signed(game, anna)
        found = undoable_entries(anna.desk, after)
        assert [one.entry.id for one in found.entries] == [after.ids[-1]]
        assert found.words[0].startswith(f"{len(game.ids)} German: pass")
        assert undo_command(anna.desk, after, "game.yaml") == "pbem undo game.yaml"
        undone = taken_back(after, anna)
        assert undone.game.ids == on_shelf(anna).ids == game.ids
        assert anna.file.read_bytes() == before, "the same status, the same map"
        assert open_game(undone.evidence.read_bytes()).ids == after.ids

    def test_other_orders_then(self, game: Game, both: tuple[Player, Player]) -> None:
        anna, _ = both
        first = signed(game, anna, 0)
        other = signed(taken_back(first, anna).game, anna, 3)
        assert other.entries[-1].raw["orders"] != first.entries[-1].raw["orders"]
        assert open_game(anna.file.read_bytes()).ids == on_shelf(anna).ids == other.ids

    def test_only_by_the_players_word(self, game: Game, both: tuple[Player, Player]) -> None:
        after = signed(game, both[0])
        with pytest.raises(NotYourMove, match="only what nobody else has can be undone"):
            undo(both[0].desk, after, both[0].file, nobody_has_it=False)
        assert on_shelf(both[0]).ids == after.ids

    def test_a_passphrase_is_not_asked_for(self, game: Game, both: tuple[Player, Player]) -> None:
        """Nothing is signed."""
        anna, _ = both
        after = signed(game, anna)
        anna.desk.protect_key("secret")
        locked = replace(
            anna, desk=LocalPlayer(anna.desk.home, lambda: pytest.fail("asked for the passphrase"))
        )
        assert taken_back(after, locked).game.ids == game.ids

    def test_a_resignation(self, game: Game, both: tuple[Player, Player]) -> None:
        anna, _ = both
        after = write.resign(game, anna.desk.key)
        anna.desk.save(after, anna.file)
        assert after.state.ending
        assert not taken_back(after, anna).game.state.ending

    def test_a_proposal_and_not_the_share_before_it(self, both: tuple[Player, Player]) -> None:
        """`propose` gives what is owed first: that stays, and is signed once."""
        anna, bruno = both
        game = begun(anna.person(), bruno.person())
        while not (game.state.open_beat and decides(game, anna)):
            game = move(game, anna.person() if game.state.writer == "german" else bruno.person())
        anna.save(game)
        after = write.propose(game, anna.desk.key, {"draw": True})
        anna.desk.save(after, anna.file)
        now = taken_back(after, anna).game
        assert now.ids == after.ids[:-1]
        assert why_not(now, anna).startswith(f"entry {len(now.ids) - 1} decides nothing")

    def test_an_answer_to_a_proposal(self, game: Game, both: tuple[Player, Player]) -> None:
        """Bruno agrees to take all back, thinks again, and refuses: the game goes on as if he had at once."""
        anna, bruno = both
        proposed = write.propose(game, anna.desk.key, {"takeback": 1})
        bruno.save(proposed)
        agreed = write.answer(proposed, bruno.desk.key, True)
        bruno.desk.save(agreed, bruno.file)
        now = taken_back(agreed, bruno).game
        assert now.ids == proposed.ids
        refused = write.answer(now, bruno.desk.key, False)
        bruno.desk.save(refused, bruno.file)
        assert refused.state.position_digest() == open_game(letter(proposed, -1)).state.position_digest()

    def test_decisions_one_by_one(self, both: tuple[Player, Player]) -> None:
        """Bruno has joined and set up; a slip in the set-up costs him no seat."""
        anna, bruno = both
        game = offered(anna.person())
        bruno.desk.record(game, game_file_bytes(game), new=True)
        joined = write.accept(game, bruno.person(), entropy("bruno"))
        bruno.desk.save(joined, bruno.file)
        after = signed(joined, bruno)
        assert taken_back(after, bruno).game.ids == joined.ids
        assert taken_back(joined, bruno).game.ids == game.ids
        assert why_not(game, bruno) == "the last entry, 0, is not yours: there is nothing to undo"

    def test_whoever_joins_again_has_other_secrets(self, both: tuple[Player, Player]) -> None:
        anna, bruno = both
        game = offered(anna.person())
        bruno.desk.record(game, game_file_bytes(game), new=True)
        seats = []
        for _ in range(2):
            joined = write.accept(game, bruno.person(), secrets.token_bytes)
            bruno.desk.save(joined, bruno.file)
            seats.append(joined.seats["us"])
            taken_back(joined, bruno)
        assert len({one.nonce for one in seats}) == len({one.anchor for one in seats}) == 2

    def test_a_seal_is_made_anew(self, tmp_path: Path) -> None:
        """Another salt: what the first has sealed stays unknown, also to who sees both."""
        rommel = player(tmp_path, "Rommel")
        rommel.save(before_sealing())
        seals = []
        for _ in range(2):
            asked = before_sealing().state.pending_question
            assert asked
            orders = next(before_sealing().rules.offers(asked))
            after = write.play(before_sealing(), rommel.desk.key, orders)
            rommel.desk.save(after, rommel.file)
            match after.entries[-1].raw["orders"]:
                case [{"seal": seal}]:
                    seals.append(seal)
            assert taken_back(after, rommel).game.ids == before_sealing().ids
        assert len(set(map(str, seals))) == 2


def player(folder: Path, name: str) -> Player:
    """A player of Rommel y Montgomery, whose key is always the same."""
    desk = LocalPlayer(folder / name)
    write_key(desk.key_path, name)
    return Player(name, desk, folder / f"{name}.yaml")


class TestNobodyGains:
    """What one may sign instead is chosen with no more knowledge than before."""

    def test_no_draw_is_known_that_was_not(self, game: Game, both: tuple[Player, Player]) -> None:
        """Both decisions open the same beat with the same share of hers; the other half is not here."""
        anna, bruno = both
        after = signed(game, anna)
        opened = after.state.open_beat
        assert opened
        assert permissions.unlock_state(after, anna.desk.key).open_beat == opened
        again = signed(taken_back(after, anna).game, anna, 1)
        shares = [(one.entries[-1].raw["beat"], one.entries[-1].raw["share"]) for one in (after, again)]
        assert shares[0] == shares[1]
        half = permissions.own_chain(after, bruno.desk.key, "us").share(opened.number).hex().encode()
        kept = [path.read_bytes() for path in anna.file.parent.rglob("*") if path.is_file()]
        assert not any(half in data for data in kept)
        completed = write.play(after, bruno.desk.key)
        assert half in game_file_bytes(completed), "or it was looked for in vain"

    def test_what_was_unlocked_is_as_it_was(self, both: tuple[Player, Player]) -> None:
        """Whoever completes a beat has seen its card before he decides, and decides with it again."""
        anna, bruno = both
        game = begun(anna.person(), bruno.person())
        while not (game.state.open_beat and decides(game, anna)):
            game = move(game, anna.person() if game.state.writer == "german" else bruno.person())
        anna.save(game)
        seen = permissions.unlock_state(game, anna.desk.key).position_digest()
        now = taken_back(signed(game, anna), anna).game
        assert permissions.unlock_state(now, anna.desk.key).position_digest() == seen


class TestWhatStays:
    """The reason is told, and nothing changes."""

    def test_the_opponents_entry(self, game: Game, both: tuple[Player, Player]) -> None:
        last = len(game.ids) - 1
        assert why_not(game, both[0]) == f"the last entry, {last}, is not yours: there is nothing to undo"

    def test_a_share_alone(self, both: tuple[Player, Player]) -> None:
        anna, bruno = both
        game = begun(anna.person(), bruno.person())
        anna.save(game)
        shared = write.play(game, anna.desk.key)
        anna.desk.save(shared, anna.file)
        assert (
            why_not(shared, anna)
            == "entry 3 decides nothing: your half of a draw is signed only once (FORMAT 6)"
        )

    def test_an_opening_alone(self, tmp_path: Path) -> None:
        rommel = player(tmp_path, "Rommel")
        rommel.save(before_opening())
        after = write.play(before_opening(), rommel.desk.key)
        rommel.desk.save(after, rommel.file)
        assert "decides nothing" in why_not(after, rommel)

    def test_an_offer(self, both: tuple[Player, Player]) -> None:
        game = both[0].save(offered(both[0].person()))
        assert why_not(game, both[0]).startswith("an offer is not undone")

    def test_in_solitaire_all_but_the_joining(self, both: tuple[Player, Player]) -> None:
        """Who has both keys would know the cards; by joining anew he gets other ones."""
        anna, _ = both
        game = anna.save(offered(anna.person()))
        joined = write.accept(game, anna.person(), entropy("bruno"))
        anna.desk.save(joined, anna.file)
        after = signed(joined, anna)
        assert undoable_entries(anna.desk, after).take_back == "now"
        assert "the keys of both sides are on this computer" in why_not(after, anna)
        anna.desk.store.retract(
            *(Log(game_file_bytes(one), log_lines(one.entries)) for one in (after, joined))
        )
        assert taken_back(joined, anna).game.ids == game.ids

    def test_against_the_program(self, both: tuple[Player, Player]) -> None:
        anna, _ = both
        program = Person("Practice", practice_player(anna.desk).key)
        game = play_to_next_decision(
            write.accept(offered(anna.person(), LASTING), program, entropy("bruno")), anna.desk
        )
        anna.save(game)
        while game.state.writer != "german" or permissions.has_forced_entry(game, anna.desk.key):
            game = play_to_next_decision(game, anna.desk)
        for after in (game, signed(game, anna)):
            assert "the keys of both sides are on this computer" in why_not(after, anna)

    @pytest.mark.parametrize("way", SendChannel)
    def test_what_has_left(self, way: SendChannel, game: Game, both: tuple[Player, Player]) -> None:
        anna, _ = both
        after = signed(game, anna)
        anna.desk.note_departure(after, way)
        assert f"entry {len(game.ids)} " in why_not(after, anna)

    def test_what_leaves_meanwhile(
        self, game: Game, both: tuple[Player, Player], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Between the look and the deed another program begins to send: the shelf asks once more."""
        anna, _ = both
        after = signed(game, anna)
        retract = anna.desk.store.retract

        def sent_first(longer: Log, shorter: Log) -> Path:
            LocalPlayer(anna.desk.home).note_departure(after, SendChannel.SERVER)
            return retract(longer, shorter)

        monkeypatch.setattr(anna.desk.store, "retract", sent_first)
        with pytest.raises(
            StorageError, match="was mailed: a server has it, or may have: nothing was undone"
        ):
            taken_back(after, anna)
        assert on_shelf(anna).ids == open_game(anna.file.read_bytes()).ids == after.ids

    def test_what_another_computer_has_signed(self, game: Game, both: tuple[Player, Player]) -> None:
        """The file came from there, whoever has it besides."""
        anna, _ = both
        after = signed(game, anna)
        elsewhere = Player("Anna", second_computer(anna), anna.file.with_name("other.yaml"))
        elsewhere.desk.record(after, anna.file.read_bytes(), new=True)
        assert "was signed on another computer" in why_not(after, elsewhere)
        assert taken_back(after, anna).game.ids == game.ids

    @pytest.mark.parametrize("restored", [False, True], ids=["copied", "restored"])
    def test_in_a_home_out_of_a_backup(
        self, restored: bool, game: Game, both: tuple[Player, Player], tmp_path: Path
    ) -> None:
        """It was copied before the entry left; what has left since it does not know."""
        anna, _ = both
        after = signed(game, anna)
        backup = shutil.copytree(anna.desk.home, tmp_path / "backup")
        anna.desk.note_departure(after, SendChannel.SERVER)
        home = anna.desk.home if restored else backup
        if restored:
            shutil.rmtree(home)
            shutil.copytree(backup, home)
        assert "copied or restored since" in why_not(after, replace(anna, desk=LocalPlayer(home)))


def second_computer(player: Player) -> LocalPlayer:
    """A desk with the same key, and nothing else."""
    home = player.desk.home.with_name("elsewhere")
    home.mkdir()
    shutil.copy(player.desk.key_path, home)
    return LocalPlayer(home)


class TestWhatComesBackWithIt:
    def test_the_plan_is_disarmed(self, both: tuple[Player, Player]) -> None:
        """Or it would answer again at once."""
        anna, _ = both
        game = armed(both, "do pass")
        after = carried_out(game, anna)
        undone = taken_back(after, anna)
        plans = PlanStore(anna.desk.home)
        assert undone.disarmed
        assert not plans.record(undone.game).is_armed
        assert plans.record(undone.game).text == "do pass"
        assert write_planned_orders(anna.desk, undone.game) is None
        assert not taken_back(signed(undone.game, anna), anna).disarmed

    def test_words_that_waited_are_suspended(self, game: Game, both: tuple[Player, Player]) -> None:
        """They went along with what is undone; with what comes next they go if the player says so."""
        anna, _ = both
        words, key = PendingMessages(anna.desk.home), anna.desk.key
        words.save(game, key, "Good luck!")
        after = signed(game, anna, say=words.join(game, key, "Now you!"))
        undone = taken_back(after, anna)
        assert undone.words == words.suspended_message(undone.game) == "Good luck!"
        assert words.pending_for(undone.game, key) == words.join(undone.game, key, "") == ""
        assert words.save(undone.game, key, "") == words.pending_for(undone.game, key) == "Good luck!"
        assert words.suspended_message(undone.game) == ""

    def test_words_of_an_earlier_entry_stay_said(self, game: Game, both: tuple[Player, Player]) -> None:
        anna, bruno = both
        words, key = PendingMessages(anna.desk.home), anna.desk.key
        words.save(game, key, "Good luck!")
        said = signed(game, anna, say="Good luck!")
        anna.desk.note_departure(said, SendChannel.SERVER)
        answered = at_decision(said, anna, bruno)
        anna.desk.record(answered, game_file_bytes(answered))
        assert taken_back(signed(answered, anna), anna).words == ""
        assert words.suspended_message(answered) == words.pending_for(answered, key) == ""

    def test_words_kept_behind_it_go_once(self, game: Game, both: tuple[Player, Player]) -> None:
        """They were kept when the log was longer: the entry that takes them stands before that place."""
        anna, _ = both
        words, key = PendingMessages(anna.desk.home), anna.desk.key
        after = signed(game, anna)
        words.save(after, key, "Sorry it took so long")
        undone = taken_back(after, anna)
        assert undone.words == "Sorry it took so long"
        words.save(undone.game, key, "")
        again = signed(undone.game, anna, 1, say=words.join(undone.game, key, ""))
        assert words.pending_for(again, key) == ""


class TestAnUndoneEntryComesBack:
    """It is told as one's own slip, and no fork; and if the opponent has answered it, it counts."""

    @pytest.fixture
    def undone(self, game: Game, both: tuple[Player, Player]) -> Game:
        """Anna has undone this; Bruno has got it all the same."""
        anna, bruno = both
        after = signed(game, anna)
        bruno.save(after)
        taken_back(after, anna)
        return after

    def test_alone(self, undone: Game, both: tuple[Player, Player]) -> None:
        anna, _ = both
        before = on_shelf(anna).ids
        for _ in range(2):
            assert anna.desk.relation(undone, game_file_bytes(undone)) is Relation.UNDONE
            with pytest.raises(UndoneEntry, match="which you have undone") as told:
                anna.desk.record(undone, game_file_bytes(undone))
            assert "pbem games" in told.value.hint
            assert on_shelf(anna).ids == before
            before = signed(on_shelf(anna), anna, 1).ids if len(before) < len(undone.ids) else before

    def test_more_is_not_signed_on_it(self, undone: Game, both: tuple[Player, Player]) -> None:
        """A program that had it in hand when it was undone."""
        anna, bruno = both
        shared = move(undone, bruno.person())
        late = write.resign(undone, anna.desk.key) if undone.state.writer == "german" else None
        assert shared.ids[: len(undone.ids)] == undone.ids
        if late:
            with pytest.raises(UndoneEntry):
                anna.desk.save(late, anna.file)
        with pytest.raises(UndoneEntry, match=r"entry \d+ was undone"):
            anna.desk.note_departure(undone, SendChannel.SERVER)

    def test_answered(self, undone: Game, both: tuple[Player, Player]) -> None:
        anna, bruno = both
        answered = move(undone, bruno.person())
        assert anna.desk.relation(answered, game_file_bytes(answered)) is Relation.ANSWERED
        anna.desk.record(answered, game_file_bytes(answered))
        assert on_shelf(anna).ids == answered.ids
        assert "is not yours" in why_not(answered, anna)

    def test_answered_after_another_was_signed(self, undone: Game, both: tuple[Player, Player]) -> None:
        """The other one gives way, whether it has left or not: he may go on from either, and from one."""
        anna, bruno = both
        other = signed(on_shelf(anna), anna, 1)
        anna.desk.note_departure(other, SendChannel.SERVER)
        answered = move(undone, bruno.person())
        anna.desk.record(answered, game_file_bytes(answered))
        assert on_shelf(anna).ids == answered.ids
        assert anna.desk.relation(other, game_file_bytes(other)) is Relation.UNDONE
        both_ways = move(other, bruno.person())
        with pytest.raises(ForkedFile):
            anna.desk.record(both_ways, game_file_bytes(both_ways))

    def test_answered_in_a_small_mail(self, undone: Game, both: tuple[Player, Player]) -> None:
        """It brings only what follows the entry, of which the evidence is kept (FORMAT 10)."""
        anna, bruno = both
        answered = move(undone, bruno.person())
        small = parse_file(segment_after(answered, len(undone.ids) - 1))
        assert [one.id for one in anna.desk.complete_log(small)] == list(answered.ids)
        elsewhere = second_computer(anna)
        with pytest.raises(SegmentRefused):
            elsewhere.complete_log(small)
