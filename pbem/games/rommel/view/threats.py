"""The enemy's possible attacks as soon as he is asked: combats by units he can bring up, shots (R5 to R7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.rules import Threat
from pbem.games.rommel.rules import combat, fire, movement
from pbem.games.rommel.rules.chances import hit_chance, win_chance
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import MAY_FIRE, other_side
from pbem.games.rommel.view.odds import describe_factors, describe_throw
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


def describe_threat_scope() -> str:
    """A sentence on what `threats` counts, and what it leaves out."""
    return tr(
        "Counts enemy land units that could move up to fight or fire. Each is taken as if it "
        "moved first, in today's weather; several count together if each finds a hex. Supply "
        "units, aircraft, and paths that other moves or fire would open or bar are left out"
    )


def threats(state: State, seat: str) -> list[Threat]:
    """Combats and shots at each land unit of a seat by each enemy, and combats by all that find room.

    While the enemy fires or fights he has already moved; at other times his next turn is assumed.
    """
    foe = other_side(seat)
    fights = state.active == foe and state.step in (Phase.FIRE, Phase.COMBAT)
    if not fights:
        state = state.with_changes(fired=(), obliged={})
    enemies = [name for name in state.army(foe) if state.kind(name) != "supply"]
    places = {name: _attack_places(state, name, moves=not fights) for name in enemies}
    found: list[Threat] = []
    for unit in state.army(seat):
        found += _combat_threats(state, unit, places)
        if not (fights and state.step == Phase.COMBAT):
            found += _fire_threats(state, unit, places)
    return [threat for threat in found if threat.hit]


def _attack_places(state: State, name: str, *, moves: bool) -> tuple[str, ...]:
    """The hexes from which a unit may attack: its own, and those it may move to, the nearest first."""
    return (state.at(name), *(movement.reach(state, name) if moves else ()))


def _combat_threats(state: State, unit: str, places: Mapping[str, tuple[str, ...]]) -> Iterator[Threat]:
    """R6: combats by each enemy that may come next to the unit, and by the strongest that find a hex each."""
    near = state.setting.grid.adjacent(state.at(unit))
    able = {name: [at for at in ways if at in near] for name, ways in places.items()}
    able = {name: ways for name, ways in able.items() if ways and combat.may_attack(state, name)}
    for name, ways in able.items():
        yield _combat_threat(state, unit, {name: ways[0]})
    together = _match_to_hexes(state, able)
    if len(together) > 1:
        yield _combat_threat(state, unit, together)


def _combat_threat(state: State, unit: str, by: Mapping[str, str]) -> Threat:
    attack, defence = combat.strength(state, by, False), combat.strength(state, [unit], True)
    return Threat(unit, state.at(unit), by, win_chance(attack, defence), describe_factors(attack, defence))


def _match_to_hexes(state: State, able: Mapping[str, list[str]]) -> dict[str, str]:
    """Match the strongest attackers with hexes, one each.

    The strongest comes first; an attacker that finds a hex, if need be by moving others to another, stays.
    """
    held: dict[str, str] = {}

    def find_hex(name: str, tried: set[str]) -> bool:
        for at in able[name]:
            if at not in tried:
                tried.add(at)
                if at not in held or find_hex(held[at], tried):
                    held[at] = name
                    return True
        return False

    for name in sorted(able, key=lambda name: -state.combat(name)):
        find_hex(name, set())
    return {name: at for at, name in held.items()}


def _fire_threats(state: State, unit: str, places: Mapping[str, tuple[str, ...]]) -> Iterator[Threat]:
    """R7.1: shots by each enemy that is in range where it stands or may move to."""
    grid, target, column = state.setting.grid, state.at(unit), fire.column(state, unit)
    for name, ways in places.items():
        most = fire.reach(state, name)
        faces = (
            state.setting.fire[fire.row(state, name)].hits.get(column, ())
            if state.kind(name) in MAY_FIRE
            else ()
        )
        at = next((at for at in ways if faces and grid.distance(at, target) <= most), None)
        if at is not None:
            yield Threat(
                unit, target, {name: at}, hit_chance(faces), tr("fire: {throw}", throw=describe_throw(faces))
            )
