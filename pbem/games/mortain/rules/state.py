"""The frozen state of a game of Mortain, its steps and questions, and its public position (M1, M9.4).

The public position is plain data, described in schemas/; nothing is hidden in Mortain.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from pbem.core.pieces import Pieces
from pbem.core.requests import Plain
from pbem.core.rules import OVER, Outcome
from pbem.games.mortain.terms import cards
from pbem.games.mortain.terms.cards import BLACK, RED
from pbem.games.mortain.terms.setting import GERMAN, SEATS, Counter, Factors, Setting

OFF_MAP = ("unplaced", "waiting", "exited", "eliminated")
"""The places of units that are not in a hex."""

UNPLACED, WAITING, EXITED, ELIMINATED = OFF_MAP

GONE = frozenset((EXITED, ELIMINATED))
"""The places of units that never return."""


class Step(StrEnum):
    """The steps of the sequence of play."""

    SET_UP = "set_up"
    SHUFFLE = "shuffle"
    CARD = "card"
    END_OF_TURN = "end_of_turn"
    OVER = OVER


class Questions(StrEnum):
    """The questions to players (M9)."""

    PLACE = "place"
    ACTIVATE = "activate"
    FACES = "faces"


Way: TypeAlias = Literal["fire", "artillery", "air"]
"""How an attack is made (M5.1, M6.3)."""


Choice: TypeAlias = Literal["redraw", "miss"]
"""M5.7: how a face card counts."""

Faces: TypeAlias = Choice | Literal["ask"]
"""M5.7: the same, ordered in advance, or `ask` to decide when it happens."""


class Unit(msgspec.Struct, frozen=True):
    """A unit's place, a hex number or a word of `OFF_MAP`, and whether it shows its reduced face."""

    at: str
    reduced: bool = False


class Attack(msgspec.Struct, frozen=True):
    """An attack awaiting a card (M5.5) or an answer (M5.7). Support attacks have no firers."""

    by: str
    way: Way
    firers: tuple[str, ...]
    targets: tuple[str, ...]
    faces: Faces


class State(Pieces[Counter], frozen=True):
    """Everything the rules depend on (M9.4). `step` names the next step of the sequence."""

    setting: Setting
    step: Step
    turn: int
    deck: tuple[str, ...]
    units: Mapping[str, Unit]
    aside: tuple[str, ...] = ()
    card: str | None = None
    support: Literal["available", "used"] = "available"
    suppressed: str | None = None
    activated: tuple[str, ...] = ()
    colours: tuple[cards.Colour, ...] = ()
    attack: Attack | None = None
    outcome: Outcome | None = None
    supported: Literal["artillery", "air"] | None = None
    """M6.1: the support used in this turn; for display only, so not part of the position."""

    def factors(self, name: str) -> Factors:
        """M1.1: the factors on the face that is up."""
        counter = self.setting.counters[name]
        return counter.reduced if self.units[name].reduced else counter.full

    def army(self, side: str) -> tuple[str, ...]:
        """All units of a side, wherever they are, in the scenario's order."""
        return self.setting.armies[side]

    def field(self, side: str) -> tuple[str, ...]:
        """The units of a side that are on the map."""
        units = self.units
        return tuple([name for name in self.setting.armies[side] if units[name].at not in OFF_MAP])

    def places(self, side: str) -> list[str]:
        """The places of a side's units, in the scenario's order."""
        units = self.units
        return [units[name].at for name in self.setting.armies[side]]

    def stack(self, at: str) -> tuple[str, ...]:
        """The units in a hex, in the scenario's order."""
        return tuple([name for name, unit in self.units.items() if unit.at == at])

    @property
    def allowance(self) -> int | None:
        """M3.3: how many units the card activates; None for a face card (M3.4)."""
        assert self.card is not None
        return cards.allowance(self.card, self.setting.options.activation_rounding)

    def without_card(self, card: str) -> State:
        """The state after a card has left the deck."""
        place = self.deck.index(card)
        return replace(self, deck=self.deck[:place] + self.deck[place + 1 :])

    @property
    def exits(self) -> int:
        """M4.5: how many German units have exited."""
        return self.places(GERMAN).count(EXITED)

    def with_unit_at(self, name: str, to: str) -> State:
        """The state with a unit moved to a hex, or off the map."""
        return self._with_unit(name, Unit(to, self.units[name].reduced))

    def hit(self, name: str) -> State:
        """M1.2: a full unit flips, a reduced one is eliminated."""
        unit = self.units[name]
        return self._with_unit(name, Unit(ELIMINATED, True) if unit.reduced else Unit(unit.at, True))

    def _with_unit(self, name: str, unit: Unit) -> State:
        return replace(self, units={**self.units, name: unit})


def public_position(state: State) -> dict[str, Plain]:
    """The public position. The run adds the pending question."""
    return {
        "turn": state.turn,
        "deck": list(state.deck),
        "aside": list(state.aside),
        "card": state.card,
        "support": state.support,
        "suppressed": state.suppressed,
        "exits": state.exits,
        "activated": {seat: seat in state.activated for seat in SEATS},
        "colours": {colour: colour in state.colours for colour in (BLACK, RED)},
        "attack": None if state.attack is None else _attack_data(state.attack),
        "units": {
            name: {"at": unit.at, "face": "reduced" if unit.reduced else "full"}
            for name, unit in state.units.items()
        },
    }


def _attack_data(attack: Attack) -> dict[str, Plain]:
    return {
        "by": attack.by,
        "way": attack.way,
        "firers": list(attack.firers),
        "targets": list(attack.targets),
        "faces": attack.faces,
    }
