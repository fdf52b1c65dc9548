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
"""The attacker's change to the log before it is linked or signed again."""

Make: TypeAlias = Callable[[Game], dict[str, Any]]
"""The entry the attacker adds, without number, link and signature."""


@dataclass(frozen=True)
class Fails:
    """Where a file is refused, and a word of the message."""

    step: int
    entry: int
    word: str

    def check(self, data: bytes) -> None:
        """Check that the file is refused here, with a printable message."""
        error = refusal_of(data)
        assert error.step == self.step, str(error)
        assert error.entry in (self.entry, None)  # None if a shape is wrong: its path then names the entry
        assert error.told or f"log[{self.entry}]" in str(error)
        assert self.word in f"{error} {error.problem}"
        assert str(error).isprintable()


def refusal_of(data: bytes) -> VerificationError:
    """The refusal of a file, not in any language yet; any other exception fails the test."""
    with forbid_translation(), pytest.raises(VerificationError) as caught:
        open_game(data)
    return caught.value


def parametrize_attacks(table: Iterable[tuple[Any, ...]]) -> pytest.MarkDecorator:
    """A test for each row of a table, named by its first cell, with the others as `attack`."""
    cells = list(table)
    return pytest.mark.parametrize("attack", [row[1:] for row in cells], ids=[row[0] for row in cells])


def make_entry(by: str, kind: str, **keys: Plain) -> Make:
    """An entry exactly as given here."""
    return lambda game: {"by": by, "kind": kind, **keys}


def make_play(by: str, orders: Orders | None = None, beat: int | None = None, **keys: Plain) -> Make:
    """A play with the seat's true share of a beat; `keys` replace the right ones, or are added."""

    def make(game: Game) -> dict[str, Any]:
        fields = {} if orders is None else {"orders": orders}
        opened = {} if beat is None else {"beat": beat, "share": true_share(game, by, beat)}
        return {"by": by, "kind": "play", **fields, **opened, **keys}

    return make
