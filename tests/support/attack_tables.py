"""How an attack is refused: the step of FORMAT section 9, the entry, and a word of the message."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import pytest

from pbem.core.requests import Orders, Plain
from pbem.errors import VerificationError
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from support.no_language import forbid_translation
from support.simulator import Log, true_share

Change: TypeAlias = Callable[[Log], object]
"""What the attacker does to the log before it is linked or signed again."""

Make: TypeAlias = Callable[[Game], dict[str, Any]]
"""The entry that the attacker adds, without number, link and signature."""


@dataclass(frozen=True)
class Fails:
    """Where a file is refused, and a word of what is said."""

    step: int
    entry: int
    word: str

    def check(self, data: bytes) -> None:
        """The file is refused here, in words that can be printed as they are."""
        error = refusal_of(data)
        assert error.step == self.step, str(error)
        assert error.entry in (self.entry, None)  # None where a shape is wrong: then its path names the entry
        assert error.told or f"log[{self.entry}]" in str(error)
        assert self.word in f"{error} {error.problem}"
        assert str(error).isprintable()


def refusal_of(data: bytes) -> VerificationError:
    """The refusal of a file, in no language yet; any other exception fails the test."""
    with forbid_translation(), pytest.raises(VerificationError) as caught:
        open_game(data)
    return caught.value


def parametrize_attacks(table: Iterable[tuple[Any, ...]]) -> pytest.MarkDecorator:
    """A test for each row of a table, named by its first cell, with the others as `attack`."""
    cells = list(table)
    return pytest.mark.parametrize("attack", [row[1:] for row in cells], ids=[row[0] for row in cells])


def make_entry(by: str, kind: str, **keys: Plain) -> Make:
    """An entry as it stands here."""
    return lambda game: {"by": by, "kind": kind, **keys}


def make_play(by: str, orders: Orders | None = None, beat: int | None = None, **keys: Plain) -> Make:
    """A play with the seat's true share of a beat; `keys` stand instead of, or beside, the right ones."""

    def make(game: Game) -> dict[str, Any]:
        fields = {} if orders is None else {"orders": orders}
        opened = {} if beat is None else {"beat": beat, "share": true_share(game, by, beat)}
        return {"by": by, "kind": "play", **fields, **opened, **keys}

    return make
