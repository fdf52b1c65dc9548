"""Playouts: a game played on from a card, the cards shuffled anew, who was asked keen, the other sensible.

Which cards are left is public, their order is nobody's to know, and no more than that is used.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterator
from typing import Any

from msgspec.structs import replace

from pbem.core.requests import Ask, Draw, Request
from pbem.core.rules import Chooser
from pbem.games.mortain.players.keen import keen_player
from pbem.games.mortain.players.sensible import sensible_player
from pbem.games.mortain.rules.combat import highest_hit
from pbem.games.mortain.rules.orders import Activation
from pbem.games.mortain.rules.sequence import SEQUENCE, carry_out
from pbem.games.mortain.rules.state import State, Step
from pbem.games.mortain.terms import cards


class CardOrder:
    """A random order of the cards of each turn, separate for activation and for attacks.

    Cards already drawn are skipped. So one attack more or less changes few of the cards that follow, and
    several lists of orders can be played with the same cards.
    """

    def __init__(self, chooser: Chooser) -> None:
        self.chooser = chooser
        self._coming: dict[tuple[int, str], list[str]] = {}

    def cards_for(self, draw: Draw[State]) -> Iterator[str]:
        """The cards that may be drawn now, in their order."""
        key = draw.state.turn, draw.rule
        if key not in self._coming:
            self._coming[key] = self.chooser.sample(cards.DECK, len(cards.DECK))
        return (card for card in self._coming[key] if card in draw.outcomes)


class PlayoutCards:
    """The cards of one playout. `hit` decides the first attack; None leaves it to the cards."""

    def __init__(self, fate: CardOrder, hit: bool | None) -> None:
        self.fate = fate
        self._hit = hit

    def draw(self, draw: Draw[State]) -> str:
        """The card that a draw gives."""
        if self._hit is None or draw.state.attack is None:
            return next(self.fate.cards_for(draw))
        coming = list(self.fate.cards_for(draw))
        most, hit = highest_hit(draw.state, draw.state.attack), self._hit
        self._hit = None
        settling = (card for card in coming if not cards.is_face(card))
        return next((card for card in settling if _is_hit(card, most) == hit), coming[0])


def _is_hit(card: str, most: int) -> bool:
    """Whether a card is a number, at most the highest that hits."""
    number = cards.value(card)
    return number is not None and number <= most


def play_on(state: State, orders: Activation, luck: PlayoutCards, turned: int) -> State:
    """The state after these orders for a card, and after so many more cards, or at the end of the game."""
    assert state.card is not None
    seat = cards.owner(state.card)
    state = replace(_run_step(carry_out(state, orders), seat, luck), card=None)
    while state.step != Step.OVER and (turned or state.step != Step.CARD):
        turned -= state.step == Step.CARD
        state = _run_step(SEQUENCE[state.step](state), seat, luck)
    return state


def _run_step(step: Coroutine[Request[Any, Any], Any, State], seat: str, luck: PlayoutCards) -> State:
    """Run a step of the rules to its end. One seat plays keenly, the other sensibly."""
    answer: Any = None
    try:
        while True:
            request = step.send(answer)
            if isinstance(request, Ask):
                player = keen_player if request.seat == seat else sensible_player
                answer = request.read(player(request, luck.fate.chooser))
            else:
                answer = luck.draw(request) if isinstance(request, Draw) else None
    except StopIteration as finished:
        ended: State = finished.value
        return ended
