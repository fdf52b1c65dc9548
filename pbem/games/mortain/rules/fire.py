"""Fire: who may fire at whom (M5.1 to M5.3)."""

from __future__ import annotations

from pbem.core.sentences import listed
from pbem.errors import IllegalOrder
from pbem.games.mortain.rules.orders import Activation
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.terms.setting import enemy
from pbem.messages import Messages

tr = Messages("pbem.games.mortain")


def check_target(state: State, activation: Activation) -> None:
    """M5.1: units on the map fire at one enemy unit on the map."""
    for fire in activation.fires:
        if state.side(fire.at) == state.side(fire.firers[0]):
            raise IllegalOrder(
                "M5.1", tr("{target} is not an enemy of {unit}", target=fire.at, unit=fire.firers[0])
            )
        if not state.on_map(fire.at):
            raise IllegalOrder("M5.1", tr("{unit} waits off the map, where nothing can hit it", unit=fire.at))
        for name in fire.firers:
            if not state.on_map(name):
                raise IllegalOrder("M5.1", tr("{unit} waits off the map, and can fire at nothing", unit=name))


def check_range(state: State, activation: Activation) -> None:
    """M5.2: the target is 1 or 2 hexes away, from a hill 1 to 3."""
    for fire in activation.fires:
        target = state.at(fire.at)
        for firer in fire.firers:
            at = state.at(firer)
            away, reach = state.setting.grid.distance(at, target), state.setting.sight.reach(at)
            if away > reach:
                facts = tr(
                    "{target} in {there} is {number} hexes from {unit} in {here}, whose range is {range}",
                    target=fire.at,
                    there=target,
                    number=away,
                    unit=firer,
                    here=at,
                    range=reach,
                )
                raise IllegalOrder("M5.2", facts)


def check_sight(state: State, activation: Activation) -> None:
    """M5.3: only clear terrain lies between each firer and the target."""
    for fire in activation.fires:
        target = state.at(fire.at)
        for firer in fire.firers:
            at = state.at(firer)
            blocking = state.setting.sight.blocking_hexes(at, target)
            if blocking:
                facts = tr(
                    "{unit} in {here} does not see {target} in {there}: blocked by {hexes}",
                    unit=firer,
                    here=at,
                    target=fire.at,
                    there=target,
                    hexes=listed(blocking),
                )
                raise IllegalOrder("M5.3", facts)


def targets_of(state: State, name: str) -> list[str]:
    """M5.1 to M5.3: the enemy units in range and in sight of a unit."""
    if not state.on_map(name):
        return []
    units, field = state.units, state.setting.sight.field(state.at(name))
    return [target for target in state.army(enemy(state.side(name))) if units[target].at in field]
