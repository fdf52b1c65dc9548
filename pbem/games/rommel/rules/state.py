"""The frozen state of a game of Rommel y Montgomery, and its public position as plain data (see schemas/).

The position shows all of the state but the setting; only what is under a seal is hidden (R2.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec.structs import replace

from pbem.core.pieces import Pieces
from pbem.core.requests import Plain
from pbem.core.rules import OVER, Outcome
from pbem.games.rommel.terms.setting import FOOT, Counter, Setting, Weather

UNPLACED, ELIMINATED = "unplaced", "eliminated"
OFF_MAP = (UNPLACED, ELIMINATED)
"""The places of units that are not in a hex."""


class Phase(StrEnum):
    """The steps of the sequence of play; a step with a question has the question's name (R10)."""

    AXIS_FIRST_SETUP = "axis_first_setup"
    AXIS_SCREEN_SETUP = "axis_screen_setup"
    ALLIED_SCREEN_SETUP = "allied_screen_setup"
    AXIS_OPEN = "axis_open"
    ALLIED_LAST_SETUP = "allied_last_setup"
    WEATHER = "weather"
    AIR = "air"
    LANDING = "landing"
    MOVE = "ground_move"
    FIRE = "ground_fire"
    COMBAT = "ground_combat"
    END_OF_TURN = "end_of_turn"
    OVER = OVER


Hold: TypeAlias = Literal["hold", "bombers", "all"]
"""R4.4: a gun's standing order: none, bombers, or all aircraft as its targets."""


class Unit(msgspec.Struct, frozen=True, gc=False):
    """A unit's place, a hex or a word of `OFF_MAP`, and whether a tank is struck (R1.3).

    It cannot be part of a reference cycle, so the garbage collector need not track it, nor a state's `units`.
    """

    at: str
    struck: bool = False


class State(Pieces[Counter], frozen=True, dict=True):
    """Everything the rules depend on. `step` is the next step, `active` the side whose part of it comes next.

    `subturn` counts the air sub-turns from 1 (0: not in the air phase). `seal` is the Axis's sealed
    placement (R2.2) from its sealing to its opening. Fortifications are in `forts`, not in `units`.
    """

    setting: Setting
    step: Phase
    active: str
    turn: int
    weather: Weather | None
    subturn: int
    units: Mapping[str, Unit]
    forts: tuple[str, ...]
    """The hexes of the fortifications, in order."""
    cleared: tuple[str, ...]
    """The mined hexes that have been cleared (R5.6), in order."""
    seal: str | None
    flak: Mapping[str, Hold]
    """R4.4: the standing order of every gun that may fire at aircraft, in the scenario's order."""
    stood_down: tuple[str, ...]
    """R4.1: the sides that have passed for the rest of the air phase."""
    landing: Mapping[str, str]
    """R4.6: the airfields where aircraft were ordered to land."""
    obliged: Mapping[str, tuple[str, ...]]
    """R5.5: the units that must attack in this turn, each with the enemies, one of which it must attack."""
    fired: tuple[str, ...]
    """R7.2: the units of the active side that have fired at land units in this turn."""
    fired_at_aircraft: tuple[str, ...]
    """R7.2: the guns of both sides that have fired at aircraft in this turn, in the order of their fire."""
    outcome: Outcome | None

    def kind(self, name: str) -> str:
        """The type of a unit."""
        return self.setting.counters[name].kind

    def combat(self, name: str) -> int:
        """R1.1, R1.3: the combat factor of the counter that is up."""
        counter = self.setting.counters[name]
        return counter.struck_combat if self.units[name].struck else counter.combat

    def movement(self, name: str) -> int:
        """R1.1, R1.3: the movement factor of the counter that is up."""
        counter = self.setting.counters[name]
        return counter.struck_movement if self.units[name].struck else counter.movement

    def army(self, side: str) -> tuple[str, ...]:
        """The land units of a side that are on the map, in the scenario's order."""
        return tuple([name for name in self.setting.armies[side] if self.units[name].at not in OFF_MAP])

    def air_force(self, side: str) -> tuple[str, ...]:
        """The aircraft of a side that are on the map, in the scenario's order."""
        return tuple([name for name in self.setting.air_forces[side] if self.units[name].at not in OFF_MAP])

    @cached_property
    def ground(self) -> dict[str, str]:
        """The land unit in each hex that has one."""
        units = self.units
        return {at: name for name in self.setting.land_units if (at := units[name].at) not in OFF_MAP}

    @cached_property
    def sky(self) -> dict[str, tuple[str, ...]]:
        """The aircraft in each hex that has any, including parked ones, in the scenario's order."""
        found: dict[str, tuple[str, ...]] = {}
        for name in self.setting.aircraft:
            at = self.units[name].at
            if at not in OFF_MAP:
                found[at] = (*found.get(at, ()), name)
        return found

    @cached_property
    def held_hexes(self) -> dict[str, frozenset[str]]:
        """The hexes held by each side's land units."""
        units = self.units
        return {
            side: frozenset([units[name].at for name in army]).difference(OFF_MAP)
            for side, army in self.setting.armies.items()
        }

    def foes(self, side: str, hexes: Iterable[str]) -> tuple[str, ...]:
        """The enemy land units of a side in these hexes, in the scenario's order."""
        counters, ground = self.setting.counters, self.ground
        there = {ground[at] for at in hexes if at in ground and counters[ground[at]].side != side}
        return tuple(name for name in self.setting.land_units if name in there) if there else ()

    def is_mined(self, at: str) -> bool:
        """R5.6: whether a hex is mined and not yet cleared."""
        return at in self.setting.mines and at not in self.cleared

    def may_stand_on_a_fort(self, name: str) -> bool:
        """R6.6: whether a unit is infantry that is not mechanised, or any artillery."""
        return self.kind(name) in (*FOOT, "field", "anti_tank", "mixed", "anti_aircraft")

    def in_fort(self, name: str) -> bool:
        """R6.6: whether a unit is on a fortification."""
        return self.units[name].at in self.forts

    def with_changes(self, **changes: Any) -> State:
        """The state with other values but the same units, so that cached properties stay valid."""
        state = replace(self, **changes)
        state.__dict__.update(self.__dict__)
        return state

    def with_unit_at(self, name: str, to: str) -> State:
        """The state with a unit moved to a hex, or off the map."""
        return self._with_unit(name, Unit(to, self.units[name].struck))

    def hit(self, name: str) -> State:
        """R1.3: an unstruck tank is struck; everything else is eliminated."""
        unit = self.units[name]
        tank = self.kind(name) == "tank" and not unit.struck
        return self._with_unit(name, Unit(unit.at, True) if tank else Unit(ELIMINATED, unit.struck))

    def _with_unit(self, name: str, unit: Unit) -> State:
        """The state with another value for a unit; the cached `ground` is updated, not recomputed."""
        units = dict(self.units)
        units[name] = unit
        state = replace(self, units=units)
        if "ground" in self.__dict__:
            flies = self.counter(name).flies
            state.__dict__["ground"] = self.ground if flies else self._ground_with(name, unit.at)
        return state

    def _ground_with(self, name: str, to: str) -> dict[str, str]:
        """`ground` with a land unit moved."""
        ground = dict(self.ground)
        ground.pop(self.at(name), None)
        if to not in OFF_MAP:
            ground[to] = name
        return ground


def public_position(state: State) -> dict[str, Plain]:
    """The public position. The run adds the pending question."""
    return {
        "turn": state.turn,
        "weather": state.weather,
        "subturn": state.subturn,
        "units": {name: {"at": unit.at, "struck": unit.struck} for name, unit in state.units.items()},
        "forts": list(state.forts),
        "cleared": list(state.cleared),
        "seal": state.seal,
        "aa": dict(state.flak),
        "stood_down": list(state.stood_down),
        "landing": dict(state.landing),
        "obliged": {name: list(targets) for name, targets in state.obliged.items()},
        "fired": list(state.fired),
        "fired_at_aircraft": list(state.fired_at_aircraft),
    }
