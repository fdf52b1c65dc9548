"""Undo: what nobody has got is taken back whole, and nothing else is; what it had taken along comes back."""

from __future__ import annotations

import secrets
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

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
from player.test_plan_store import carry_out_plan, game_with_armed_plan, play_to_decision
from support.correspondents import (
    LASTING,
    Correspondent,
    begin_game,
    fixed_entropy,
    make_correspondents,
    offer_game,
    play_share_and_orders,
)
from support.mail_answers import with_fixed_keys
from support.markers import Posix, requires
from support.transcripts import write_key
from umpire.test_sealed_orders import game_before_opening, game_before_sealing


@pytest.fixture
def both(tmp_path: Path) -> tuple[Correspondent, Correspondent]:
    """Their games are the same every time."""
    return with_fixed_keys(make_correspondents(tmp_path))


def sign_orders(game: Game, player: Correspondent, number: int = 0, *, say: str = "") -> Game:
    """The game with one decision of a player, the orders offered at that place, saved by him."""
    asked = permissions.unlock_state(game, player.local_player.key).pending_question
    assert asked
    orders: Orders = list(game.rules.offers(asked))[number]
    after = write.play(game, player.local_player.key, orders, claim=Claim(say=say))
    player.local_player.save(after, player.file)
    return after


def decides(game: Game, player: Correspondent) -> bool:
    """Whether the player writes next, and has something to decide."""
    own = permissions.held_seats(game, player.local_player.key)
    return game.state.writer in own and not permissions.has_forced_entry(game, player.local_player.key)


def file_after(game: Game, entries: int) -> bytes:
    """The file with so many entries of a game."""
    return whole_log_bytes(game.entries[:entries])


def undo_newest(game: Game, player: Correspondent) -> UndoResult:
    return undo(player.local_player, game, player.file, nobody_has_it=True)


def why_not(game: Game, player: Correspondent) -> str:
    """Why nothing can be undone, which is what `undo` says as well."""
    found = undoable_entries(player.local_player, game)
    assert not found.entries
    before = player.file.read_bytes() if player.file.exists() else b""
    with pytest.raises(NotYourMove) as refused:
        undo_newest(game, player)
    assert str(refused.value) == found.why_not != ""
    assert (player.file.read_bytes() if player.file.exists() else b"") == before
    assert undo_command(player.local_player, game, "game.yaml") == ""
    return found.why_not


def game_in_store(player: Correspondent) -> Game:
    (kept,) = player.local_player.store.games()
    return player.local_player.open(kept.data)


class TestWhatNobodyHasGot:
    def test_the_newest_decision(self, game: Game, both: tuple[Correspondent, Correspondent]) -> None:
        anna, _ = both
        before = anna.file.read_bytes()
        after = sign_orders(game, anna)
        found = undoable_entries(anna.local_player, after)
        assert [one.entry.id for one in found.entries] == [after.ids[-1]]
        assert found.words[0].startswith(f"{len(game.ids)} German (pass")
        assert undo_command(anna.local_player, after, "game.yaml") == "pbem undo game.yaml"
        undone = undo_newest(after, anna)
        assert undone.game.ids == game_in_store(anna).ids == game.ids
        assert anna.file.read_bytes() == before, "the same status, the same map"
        assert open_game(undone.evidence.read_bytes()).ids == after.ids

    def test_other_orders_then(self, game: Game, both: tuple[Correspondent, Correspondent]) -> None:
        anna, _ = both
        first = sign_orders(game, anna, 0)
        other = sign_orders(undo_newest(first, anna).game, anna, 3)
        assert other.entries[-1].raw["orders"] != first.entries[-1].raw["orders"]
        assert open_game(anna.file.read_bytes()).ids == game_in_store(anna).ids == other.ids

    def test_only_by_the_players_word(self, game: Game, both: tuple[Correspondent, Correspondent]) -> None:
        after = sign_orders(game, both[0])
        with pytest.raises(NotYourMove, match="you can undo only what nobody else has"):
            undo(both[0].local_player, after, both[0].file, nobody_has_it=False)
        assert game_in_store(both[0]).ids == after.ids

    def test_a_passphrase_is_not_asked_for(
        self, game: Game, both: tuple[Correspondent, Correspondent]
    ) -> None:
        """Nothing is signed."""
        anna, _ = both
        after = sign_orders(game, anna)
        anna.local_player.protect_key("secret")
        locked = replace(
            anna,
            local_player=LocalPlayer(anna.local_player.home, lambda: pytest.fail("asked for the passphrase")),
        )
        assert undo_newest(after, locked).game.ids == game.ids

    def test_a_resignation(self, game: Game, both: tuple[Correspondent, Correspondent]) -> None:
        anna, _ = both
        after = write.resign(game, anna.local_player.key)
        anna.local_player.save(after, anna.file)
        assert after.state.ending
        assert not undo_newest(after, anna).game.state.ending

    def test_a_proposal_and_not_the_share_before_it(self, both: tuple[Correspondent, Correspondent]) -> None:
        """`propose` gives what is owed first: that stays, and is signed once."""
        anna, bruno = both
        game = begin_game(anna.person(), bruno.person())
        while not (game.state.open_beat and decides(game, anna)):
            game = play_share_and_orders(
                game, anna.person() if game.state.writer == "german" else bruno.person()
            )
        anna.save(game)
        after = write.propose(game, anna.local_player.key, {"draw": True})
        anna.local_player.save(after, anna.file)
        now = undo_newest(after, anna).game
        assert now.ids == after.ids[:-1]
        assert why_not(now, anna).startswith(f"entry {len(now.ids) - 1} only adds your half")

    def test_an_answer_to_a_proposal(self, game: Game, both: tuple[Correspondent, Correspondent]) -> None:
        """Bruno agrees to take all back, thinks again, and refuses: the game goes on as if he had at once."""
        anna, bruno = both
        proposed = write.propose(game, anna.local_player.key, {"takeback": 1})
        bruno.save(proposed)
        agreed = write.answer(proposed, bruno.local_player.key, True)
        bruno.local_player.save(agreed, bruno.file)
        now = undo_newest(agreed, bruno).game
        assert now.ids == proposed.ids
        refused = write.answer(now, bruno.local_player.key, False)
        bruno.local_player.save(refused, bruno.file)
        assert refused.state.position_digest() == open_game(file_after(proposed, -1)).state.position_digest()

    def test_decisions_one_by_one(self, both: tuple[Correspondent, Correspondent]) -> None:
        """Bruno has joined and set up; a slip in the set-up costs him no seat."""
        anna, bruno = both
        game = offer_game(anna.person())
        bruno.local_player.record(game, game_file_bytes(game), new=True)
        joined = write.accept(game, bruno.person(), fixed_entropy("bruno"))
        bruno.local_player.save(joined, bruno.file)
        after = sign_orders(joined, bruno)
        assert undo_newest(after, bruno).game.ids == joined.ids
        assert undo_newest(joined, bruno).game.ids == game.ids
        assert why_not(game, bruno) == "the last entry, 0, is not yours: there is nothing to undo"

    def test_whoever_joins_again_has_other_secrets(self, both: tuple[Correspondent, Correspondent]) -> None:
        anna, bruno = both
        game = offer_game(anna.person())
        bruno.local_player.record(game, game_file_bytes(game), new=True)
        seats = []
        for _ in range(2):
            joined = write.accept(game, bruno.person(), secrets.token_bytes)
            bruno.local_player.save(joined, bruno.file)
            seats.append(joined.seats["us"])
            undo_newest(joined, bruno)
        assert len({one.nonce for one in seats}) == len({one.anchor for one in seats}) == 2

    def test_a_seal_is_made_anew(self, tmp_path: Path) -> None:
        """Another salt: what the first has sealed stays unknown, also to who sees both."""
        rommel = player(tmp_path, "Rommel")
        rommel.save(game_before_sealing())
        seals = []
        for _ in range(2):
            asked = game_before_sealing().state.pending_question
            assert asked
            orders = next(game_before_sealing().rules.offers(asked))
            after = write.play(game_before_sealing(), rommel.local_player.key, orders)
            rommel.local_player.save(after, rommel.file)
            match after.entries[-1].raw["orders"]:
                case [{"seal": seal}]:
                    seals.append(seal)
            assert undo_newest(after, rommel).game.ids == game_before_sealing().ids
        assert len(set(map(str, seals))) == 2


def player(folder: Path, name: str) -> Correspondent:
    """A player of Rommel y Montgomery, whose key is always the same."""
    player = LocalPlayer(folder / name)
    write_key(player.key_path, name)
    return Correspondent(name, player, folder / f"{name}.yaml")


class TestNobodyGains:
    """What one may sign instead is chosen with no more knowledge than before."""

    def test_no_draw_is_known_that_was_not(
        self, game: Game, both: tuple[Correspondent, Correspondent]
    ) -> None:
        """Both decisions open the same beat with the same share of hers; the other half is not here."""
        anna, bruno = both
        after = sign_orders(game, anna)
        opened = after.state.open_beat
        assert opened
        assert permissions.unlock_state(after, anna.local_player.key).open_beat == opened
        again = sign_orders(undo_newest(after, anna).game, anna, 1)
        shares = [(one.entries[-1].raw["beat"], one.entries[-1].raw["share"]) for one in (after, again)]
        assert shares[0] == shares[1]
        half = permissions.own_chain(after, bruno.local_player.key, "us").share(opened.number).hex().encode()
        kept = [path.read_bytes() for path in anna.file.parent.rglob("*") if path.is_file()]
        assert not any(half in data for data in kept)
        completed = write.play(after, bruno.local_player.key)
        assert half in game_file_bytes(completed), "or it was looked for in vain"

    def test_what_was_unlocked_is_as_it_was(self, both: tuple[Correspondent, Correspondent]) -> None:
        """Whoever completes a beat has seen its card before he decides, and decides with it again."""
        anna, bruno = both
        game = begin_game(anna.person(), bruno.person())
        while not (game.state.open_beat and decides(game, anna)):
            game = play_share_and_orders(
                game, anna.person() if game.state.writer == "german" else bruno.person()
            )
        anna.save(game)
        seen = permissions.unlock_state(game, anna.local_player.key).position_digest()
        now = undo_newest(sign_orders(game, anna), anna).game
        assert permissions.unlock_state(now, anna.local_player.key).position_digest() == seen


class TestWhatStays:
    """The reason is told, and nothing changes."""

    def test_the_opponents_entry(self, game: Game, both: tuple[Correspondent, Correspondent]) -> None:
        last = len(game.ids) - 1
        assert why_not(game, both[0]) == f"the last entry, {last}, is not yours: there is nothing to undo"

    def test_a_share_alone(self, both: tuple[Correspondent, Correspondent]) -> None:
        anna, bruno = both
        game = begin_game(anna.person(), bruno.person())
        anna.save(game)
        shared = write.play(game, anna.local_player.key)
        anna.local_player.save(shared, anna.file)
        assert (
            why_not(shared, anna)
            == "entry 3 only adds your half of a draw, which you can sign only once (FORMAT 6)"
        )

    def test_an_opening_alone(self, tmp_path: Path) -> None:
        rommel = player(tmp_path, "Rommel")
        rommel.save(game_before_opening())
        after = write.play(game_before_opening(), rommel.local_player.key)
        rommel.local_player.save(after, rommel.file)
        assert "only adds your half" in why_not(after, rommel)

    def test_an_offer(self, both: tuple[Correspondent, Correspondent]) -> None:
        game = both[0].save(offer_game(both[0].person()))
        assert why_not(game, both[0]).startswith("there is no need to undo an offer")

    def test_in_solitaire_all_but_the_joining(self, both: tuple[Correspondent, Correspondent]) -> None:
        """Who has both keys would know the cards; by joining anew he gets other ones."""
        anna, _ = both
        game = anna.save(offer_game(anna.person()))
        joined = write.accept(game, anna.person(), fixed_entropy("bruno"))
        anna.local_player.save(joined, anna.file)
        after = sign_orders(joined, anna)
        assert undoable_entries(anna.local_player, after).take_back == "now"
        assert "both sides' keys are on this computer" in why_not(after, anna)
        anna.local_player.store.retract(
            *(Log(game_file_bytes(one), log_lines(one.entries)) for one in (after, joined))
        )
        assert undo_newest(joined, anna).game.ids == game.ids

    def test_against_the_program(self, both: tuple[Correspondent, Correspondent]) -> None:
        anna, _ = both
        program = Person("Practice", practice_player(anna.local_player).key)
        game = play_to_next_decision(
            write.accept(offer_game(anna.person(), LASTING), program, fixed_entropy("bruno")),
            anna.local_player,
        )
        anna.save(game)
        while game.state.writer != "german" or permissions.has_forced_entry(game, anna.local_player.key):
            game = play_to_next_decision(game, anna.local_player)
        for after in (game, sign_orders(game, anna)):
            assert "both sides' keys are on this computer" in why_not(after, anna)

    @pytest.mark.parametrize("way", SendChannel)
    def test_what_has_left(
        self, way: SendChannel, game: Game, both: tuple[Correspondent, Correspondent]
    ) -> None:
        anna, _ = both
        after = sign_orders(game, anna)
        anna.local_player.note_departure(after, way)
        assert f"entry {len(game.ids)} " in why_not(after, anna)

    def test_what_leaves_meanwhile(
        self, game: Game, both: tuple[Correspondent, Correspondent], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Between the look and the deed another program begins to send: the shelf asks once more."""
        anna, _ = both
        after = sign_orders(game, anna)
        retract = anna.local_player.store.retract

        def sent_first(longer: Log, shorter: Log) -> Path:
            LocalPlayer(anna.local_player.home).note_departure(after, SendChannel.SERVER)
            return retract(longer, shorter)

        monkeypatch.setattr(anna.local_player.store, "retract", sent_first)
        with pytest.raises(
            StorageError, match="was mailed: a server has it, or might have it: nothing was undone"
        ):
            undo_newest(after, anna)
        assert game_in_store(anna).ids == open_game(anna.file.read_bytes()).ids == after.ids

    def test_what_another_computer_has_signed(
        self, game: Game, both: tuple[Correspondent, Correspondent]
    ) -> None:
        """The file came from there, whoever has it besides."""
        anna, _ = both
        after = sign_orders(game, anna)
        elsewhere = Correspondent("Anna", second_computer(anna), anna.file.with_name("other.yaml"))
        elsewhere.local_player.record(after, anna.file.read_bytes(), new=True)
        assert "was signed on another computer" in why_not(after, elsewhere)
        assert undo_newest(after, anna).game.ids == game.ids

    @pytest.mark.parametrize(
        "restored",
        [False, pytest.param(True, marks=requires(Posix.NUMBERS))],
        ids=["copied", "restored"],
    )
    def test_in_a_home_out_of_a_backup(
        self, restored: bool, game: Game, both: tuple[Correspondent, Correspondent], tmp_path: Path
    ) -> None:
        """It was copied before the entry left; what has left since it does not know."""
        anna, _ = both
        after = sign_orders(game, anna)
        backup = shutil.copytree(anna.local_player.home, tmp_path / "backup")
        anna.local_player.note_departure(after, SendChannel.SERVER)
        home = anna.local_player.home if restored else backup
        if restored:
            shutil.rmtree(home)
            shutil.copytree(backup, home)
        assert "copied or restored since" in why_not(after, replace(anna, local_player=LocalPlayer(home)))


def second_computer(player: Correspondent) -> LocalPlayer:
    """A home with the same key, and nothing else."""
    home = player.local_player.home.with_name("elsewhere")
    home.mkdir()
    shutil.copy(player.local_player.key_path, home)
    return LocalPlayer(home)


class TestWhatComesBackWithIt:
    def test_the_plan_is_disarmed(self, both: tuple[Correspondent, Correspondent]) -> None:
        """Or it would answer again at once."""
        anna, _ = both
        game = game_with_armed_plan(both, "do pass")
        after = carry_out_plan(game, anna)
        undone = undo_newest(after, anna)
        plans = PlanStore(anna.local_player.home)
        assert undone.disarmed
        assert not plans.record(undone.game).is_armed
        assert plans.record(undone.game).text == "do pass"
        assert write_planned_orders(anna.local_player, undone.game) is None
        assert not undo_newest(sign_orders(undone.game, anna), anna).disarmed

    def test_words_that_waited_are_suspended(
        self, game: Game, both: tuple[Correspondent, Correspondent]
    ) -> None:
        """They went along with what is undone; with what comes next they go if the player says so."""
        anna, _ = both
        words, key = PendingMessages(anna.local_player.home), anna.local_player.key
        words.save(game, key, "Good luck!")
        after = sign_orders(game, anna, say=words.join(game, key, "Now you!"))
        undone = undo_newest(after, anna)
        assert undone.words == words.suspended_message(undone.game) == "Good luck!"
        assert words.pending_for(undone.game, key) == words.join(undone.game, key, "") == ""
        assert words.save(undone.game, key, "") == words.pending_for(undone.game, key) == "Good luck!"
        assert words.suspended_message(undone.game) == ""

    def test_words_of_an_earlier_entry_stay_said(
        self, game: Game, both: tuple[Correspondent, Correspondent]
    ) -> None:
        anna, bruno = both
        words, key = PendingMessages(anna.local_player.home), anna.local_player.key
        words.save(game, key, "Good luck!")
        said = sign_orders(game, anna, say="Good luck!")
        anna.local_player.note_departure(said, SendChannel.SERVER)
        answered = play_to_decision(said, anna, bruno)
        anna.local_player.record(answered, game_file_bytes(answered))
        assert undo_newest(sign_orders(answered, anna), anna).words == ""
        assert words.suspended_message(answered) == words.pending_for(answered, key) == ""

    def test_words_kept_behind_it_go_once(
        self, game: Game, both: tuple[Correspondent, Correspondent]
    ) -> None:
        """They were kept when the log was longer: the entry that takes them stands before that place."""
        anna, _ = both
        words, key = PendingMessages(anna.local_player.home), anna.local_player.key
        after = sign_orders(game, anna)
        words.save(after, key, "Sorry it took so long")
        undone = undo_newest(after, anna)
        assert undone.words == "Sorry it took so long"
        words.save(undone.game, key, "")
        again = sign_orders(undone.game, anna, 1, say=words.join(undone.game, key, ""))
        assert words.pending_for(again, key) == ""


class TestAnUndoneEntryComesBack:
    """It is told as one's own slip, and no fork; and if the opponent has answered it, it counts."""

    @pytest.fixture
    def undone(self, game: Game, both: tuple[Correspondent, Correspondent]) -> Game:
        """Anna has undone this; Bruno has got it all the same."""
        anna, bruno = both
        after = sign_orders(game, anna)
        bruno.save(after)
        undo_newest(after, anna)
        return after

    def test_alone(self, undone: Game, both: tuple[Correspondent, Correspondent]) -> None:
        anna, _ = both
        before = game_in_store(anna).ids
        for _ in range(2):
            assert anna.local_player.relation(undone, game_file_bytes(undone)) is Relation.UNDONE
            with pytest.raises(UndoneEntry, match="which you have undone") as told:
                anna.local_player.record(undone, game_file_bytes(undone))
            assert "pbem games" in told.value.hint
            assert game_in_store(anna).ids == before
            before = (
                sign_orders(game_in_store(anna), anna, 1).ids if len(before) < len(undone.ids) else before
            )

    def test_more_is_not_signed_on_it(self, undone: Game, both: tuple[Correspondent, Correspondent]) -> None:
        """A program that had it in hand when it was undone."""
        anna, bruno = both
        shared = play_share_and_orders(undone, bruno.person())
        late = write.resign(undone, anna.local_player.key) if undone.state.writer == "german" else None
        assert shared.ids[: len(undone.ids)] == undone.ids
        if late:
            with pytest.raises(UndoneEntry):
                anna.local_player.save(late, anna.file)
        with pytest.raises(UndoneEntry, match=r"entry \d+ was undone"):
            anna.local_player.note_departure(undone, SendChannel.SERVER)

    def test_answered(self, undone: Game, both: tuple[Correspondent, Correspondent]) -> None:
        anna, bruno = both
        answered = play_share_and_orders(undone, bruno.person())
        assert anna.local_player.relation(answered, game_file_bytes(answered)) is Relation.ANSWERED
        anna.local_player.record(answered, game_file_bytes(answered))
        assert game_in_store(anna).ids == answered.ids
        assert "is not yours" in why_not(answered, anna)

    def test_answered_after_another_was_signed(
        self, undone: Game, both: tuple[Correspondent, Correspondent]
    ) -> None:
        """The other one gives way, whether it has left or not: he may go on from either, and from one."""
        anna, bruno = both
        other = sign_orders(game_in_store(anna), anna, 1)
        anna.local_player.note_departure(other, SendChannel.SERVER)
        answered = play_share_and_orders(undone, bruno.person())
        anna.local_player.record(answered, game_file_bytes(answered))
        assert game_in_store(anna).ids == answered.ids
        assert anna.local_player.relation(other, game_file_bytes(other)) is Relation.UNDONE
        both_ways = play_share_and_orders(other, bruno.person())
        with pytest.raises(ForkedFile):
            anna.local_player.record(both_ways, game_file_bytes(both_ways))

    def test_answered_in_a_small_mail(self, undone: Game, both: tuple[Correspondent, Correspondent]) -> None:
        """It brings only what follows the entry, of which the evidence is kept (FORMAT 10)."""
        anna, bruno = both
        answered = play_share_and_orders(undone, bruno.person())
        small = parse_file(segment_after(answered, len(undone.ids) - 1))
        assert [one.id for one in anna.local_player.complete_log(small)] == list(answered.ids)
        elsewhere = second_computer(anna)
        with pytest.raises(SegmentRefused):
            elsewhere.complete_log(small)
