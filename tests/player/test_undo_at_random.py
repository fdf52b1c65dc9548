"""Two players and three computers at random: signing, undoing, sending, losing mails, coming late.

Whatever they do, of each player one history leaves: of each number one entry, so each share in one place.
"""

from __future__ import annotations

import os
import random
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from pbem.errors import StorageError
from pbem.player.actions.undo import undo, undoable_entries
from pbem.player.local_player import LocalPlayer
from pbem.player.store.game_file import game_file_bytes
from pbem.player.store.signed_entries import SendChannel
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim
from support.correspondents import Correspondent, begin_game, make_correspondents
from support.mail_answers import with_fixed_keys

STEPS = 1500 if os.environ.get("PBEM_LONG") else 300


class Computer:
    """One of a player's computers, with the programs that hold an older state of the game in hand."""

    def __init__(self, player: Correspondent, chance: random.Random) -> None:
        self.player = player.local_player
        self.file = player.file
        self.chance = chance
        self.in_hand: list[Game] = []
        self.undone = 0

    @property
    def game(self) -> Game:
        (kept,) = self.player.store.games()
        return self.player.open(kept.data)

    def sign(self, game: Game) -> None:
        """Give what is owed, or one of all orders, or propose, answer, resign."""
        key, clock = self.player.key, Claim(say=str(self.chance.random()))
        if game.state.writer not in permissions.held_seats(game, key):
            return
        asked = permissions.unlock_state(game, key).pending_question
        if game.state.proposal:
            after = write.answer(game, key, self.chance.random() < 0.5, claim=clock)
        elif permissions.has_forced_entry(game, key):
            after = write.play(game, key)
        elif not game.state.open_beat and game.state.may_take_back_to(1) and self.chance.random() < 0.1:
            after = write.propose(game, key, {"takeback": 1}, claim=clock)
        else:
            assert asked
            orders = self.chance.choice(list(game.rules.offers(asked))[:20])
            after = write.play(game, key, orders, claim=clock)
        with suppress(StorageError):  # another program was first
            self.player.save(after, self.file)

    def undo(self) -> None:
        """Undo what can be: nobody has a copy but what has left."""
        game = self.game
        if undoable_entries(self.player, game).why_not:
            return
        known = (
            permissions.unlock_state(game, self.player.key).position_digest()
            if game.state.pending_question
            else ""
        )
        now = undo(self.player, game, self.file, nobody_has_it=True).game
        assert game.ids[: len(now.ids)] == now.ids == open_game(self.file.read_bytes()).ids
        assert now.state.writer in self.player.seats(now) or len(now.ids) == 1, "it is his decision again"
        assert known is not None
        self.undone += 1

    def send(self, game: Game) -> bytes | None:
        """What leaves, if it may."""
        with suppress(StorageError):
            self.player.note_departure(game, self.chance.choice(list(SendChannel)))
            return game_file_bytes(game)
        return None

    def receive(self, data: bytes) -> None:
        with suppress(StorageError):
            self.player.record(open_game(data), data, new=True)


def computers(folder: Path, chance: random.Random) -> tuple[Computer, Computer, Computer]:
    """Anna's, Bruno's, and another of Bruno's with the same key."""
    anna, bruno = with_fixed_keys(make_correspondents(folder))
    game = begin_game(anna.person(), bruno.person())
    for one in (anna, bruno):
        one.local_player.record(game, game_file_bytes(game), new=True)
    home = folder / "elsewhere"
    home.mkdir()
    shutil.copy(bruno.local_player.key_path, home)
    other = Correspondent("Bruno", LocalPlayer(home), folder / "other.yaml")
    other.local_player.record(game, game_file_bytes(game), new=True)
    return Computer(anna, chance), Computer(bruno, chance), Computer(other, chance)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2])
def test_one_history_leaves(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    anna, bruno, other = computers(tmp_path, chance)
    mails: list[bytes] = []
    left: dict[int, str] = {}
    shares: dict[tuple[str, int], str] = {}
    for _ in range(STEPS):
        one = chance.choice([anna, anna, bruno, bruno, other])
        match chance.choice([*["sign"] * 4, "undo", *["send"] * 3, *["receive"] * 4, "take up", "late"]):
            case "sign" if one is not other:  # two computers that both decide make a fork without any undo
                one.sign(one.game)
            case "undo":
                one.undo()
            case "take up":
                one.in_hand = [*one.in_hand[-2:], one.game]
            case "late" if one.in_hand and one is not other:
                one.sign(chance.choice(one.in_hand))
            case "receive" if mails:
                one.receive(chance.choice([*mails[-9:], *mails[-1:] * 5]))
            case "send":
                game = chance.choice([*[one.game] * 5, *one.in_hand])
                if data := one.send(game):
                    mails.append(data)
                    for entry in game.entries:
                        assert left.setdefault(entry.body.n, entry.id) == entry.id
                        if beat := getattr(entry.body, "beat", None):
                            assert shares.setdefault((entry.body.by, beat), entry.id) == entry.id
    assert anna.undone + bruno.undone > 2, "or nothing was tried"
    assert other.undone == 0
    assert len(left) > 5, "nor were all the same"
