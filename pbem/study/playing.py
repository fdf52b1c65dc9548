"""One game between practice players, all of it a function of its seed.

The cards and dice come from one stream of random numbers and each player's choices from another, so that two
games with one seed and other values on the counters differ by those values as long as they can.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from random import Random
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from pbem.core.requests import Ask, Chance, Orders, Plain, Question
from pbem.core.rules import Effort, Player
from pbem.core.run import Run
from pbem.core.sealing import Open, Seal
from pbem.errors import FileError, OrderError
from pbem.texts import Texts

tr = Texts("pbem")

_SALT = "0" * 64
"""The salt of every seal: nothing is secret here."""


def seeded_random(*parts: str | int) -> Random:
    """A random generator seeded by these parts, such as seed, cell, number of the game, and seat."""
    return Random(sha256("/".join(map(str, parts)).encode()).digest())


class SeatedPlayer(Struct, frozen=True):
    """A player at a seat: its name, its function, its random generator, and its playouts per decision."""

    name: str
    player: Player
    chooser: Random
    effort: Effort = ()


class RunDriver:
    """Advances a run: it has the players at their seats, the source of draws, and the sealed orders."""

    def __init__(
        self,
        seated: Mapping[str, SeatedPlayer],
        draws: Random | Callable[[Chance[Any, Any]], int],
        sealed: Mapping[str, Orders] = MappingProxyType({}),
    ) -> None:
        """`draws` is a random generator or returns an outcome's index; `sealed`: orders of earlier seals."""
        self._seated = seated
        self._draws = draws
        self._sealed = dict(sealed)

    def answer_pending(self, run: Run) -> None:
        """Answer what the run waits for: a question, by its player, or a draw.

        Raises `FileError` where a player gives orders that the rules refuse.
        """
        pending = run.pending
        if isinstance(pending, Chance):
            run.decide(self._draw_outcome(pending))
        elif isinstance(pending, Ask):
            seated = self._seated[pending.seat]
            if isinstance(pending, Open) and pending.seal in self._sealed:
                orders = self._sealed[pending.seal]
            else:  # of an earlier seal that cannot be opened, orders are chosen anew
                orders = seated.player(pending, seated.chooser, seated.effort)
            try:
                run.answer(self.orders_as_signed(pending, orders))
            except OrderError as error:
                raise FileError(
                    tr("the player '{player}' gives illegal orders: {error}", player=seated.name, error=error)
                ) from error

    def _draw_outcome(self, chance: Chance[Any, Any]) -> int:
        if isinstance(self._draws, Random):
            return self._draws.randrange(len(chance.outcomes))
        return self._draws(chance)

    def orders_as_signed(self, ask: Question, orders: Orders) -> Orders:
        """Orders in the form that an entry has: plain, as a seal, or as the opening of one."""
        if isinstance(ask, Open):
            return [{"open": {"salt": _SALT, "orders": orders}}]
        return self._seal(ask, orders) if isinstance(ask, Seal) else orders

    def _seal(self, ask: Seal[Any], orders: Orders) -> list[Plain]:
        """Check orders that must stay hidden, keep them, and return their seal."""
        ask.read(orders)
        seal = f"{len(self._sealed):064x}"
        self._sealed[seal] = orders
        return [{"seal": seal}]
