"""Games in which an attack missed, and the player who completed that draw gave orders in the same entry."""

from __future__ import annotations

import random
from typing import NamedTuple

from pbem.core.rules import Rules
from pbem.core.sealing import Open
from pbem.format.entries import BOUND, RETRACT, Play
from pbem.format.keys import PrivateKey
from pbem.games.mortain import RULES as MORTAIN
from pbem.games.rommel import RULES as ROMMEL
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game, ReplayedEntry
from pbem.umpire.verify import open_game
from pbem.umpire.write import Person, Terms
from support.simulator import clock, entropy, file_of, is_over, log_of


class MissedAttack(NamedTuple):
    """A game where it is Anna's turn; `entry` has her newest orders, and the miss before them."""

    game: Game
    entry: int
    anna: PrivateKey

    @property
    def words(self) -> list[str]:
        """Her orders as she types them."""
        body = self.game.entries[self.entry].body
        assert isinstance(body, Play)
        return self.game.rules.view.write_words(body.orders or [])

    def granted(self, proposed: Game, bruno: PrivateKey) -> Game:
        """Check that her proposal is about those orders only. Returns the game after Bruno grants it."""
        assert proposed.entries[-1].raw["what"] == {"retract": self.entry}
        return write.answer(proposed, bruno, True)

    def check_granted(self, game: Game) -> None:
        """Check that she has the question after the miss again, in exactly that state."""
        before = open_game(file_of(log_of(self.game)[: self.entry]))
        asked = permissions.unlock_state(before, self.anna)
        assert game.state.run.state == asked.run.state
        assert game.state.writer == self.game.entries[self.entry].raw["by"]

    def check_ordered_again(self, game: Game) -> None:
        """Check that her new orders are based on that position, and that nothing is drawn again."""
        answered = max(n for n, one in enumerate(game.entries) if one.kind == "answer")
        first, again = self.game.entries[self.entry].body, game.entries[answered + 1].body
        assert isinstance(first, Play)
        assert isinstance(again, Play)
        assert (again.orders, again.position) == (first.orders, first.position)
        before = self.game.state.beats
        completed = [beat for beat in before if len(beat.secrets) == 2]
        assert game.state.beats[: len(completed)] == completed
        assert again.beat is None or again.beat > len(before)


GAMES: dict[str, tuple[Rules, str, str, str]] = {
    "mortain": (MORTAIN, "it", MORTAIN.scenarios.names[0], "german"),
    "rommel": (ROMMEL, "nac", "alamein", "axis"),
}
"""The rules, edition and scenario of each game, and Anna's side."""


def missed_attack(name: str, anna: PrivateKey, bruno: PrivateKey) -> MissedAttack:
    """An attack by cards at Mortain, a bomb in the desert: the first suitable miss."""
    for seed in range(1000):  # in Rommel few bombs fly on the first day
        game, entry = _play(name, anna, bruno, seed)
        if entry:
            return MissedAttack(game, entry, anna)
    raise AssertionError(f"no attack has missed in {name}")


def _play(name: str, anna: PrivateKey, bruno: PrivateKey, seed: int) -> tuple[Game, int]:
    """Play until Anna decides after such an entry. Returns the game and the entry, 0 if there was none."""
    rules, edition, scenario, seat = GAMES[name]
    terms = Terms(rules, {**rules.editions[edition], "turns": 1}, scenario)
    needs, label = (BOUND, RETRACT), f"missed {name} {seed}"
    game = write.offer(Person("Anna", anna), seat, terms, entropy(label), extensions=needs, claim=clock(None))
    game = write.accept(game, Person("Bruno", bruno), entropy(f"{label} bruno"), claim=clock(game))
    chooser, found = random.Random(seed), 0
    while not is_over(game):
        writer = game.state.writer
        key = anna if writer == seat else bruno
        asked = permissions.unlock_state(game, key).pending_question
        decides = asked is not None and asked.seat == writer and not isinstance(asked, Open)
        if found and decides and writer == seat:
            return game, found
        orders = rules.players["sensible"](asked, chooser) if decides and asked else None
        game = write.play(
            game, key, orders, entropy=entropy(f"{label} {len(game.entries)}"), claim=clock(game)
        )
        if decides and writer == seat and _has_missed(game.replayed_entries[-1]):
            found = len(game.entries) - 1
    return game, 0


def _has_missed(replayed: ReplayedEntry) -> bool:
    """Whether an entry's share completed a draw with which an attack missed."""
    told = [(one.event, one.facts) for one in replayed.events]
    return replayed.beat is not None and any(
        kind == "misses" or (kind == "bombs" and not facts["hit"]) for kind, facts in told
    )
