"""The overlays for the map of Rommel: zones of control or of the set-up, supply, and threats.

Threats are the attacks the enemy may make at its next decision: combats by units it can bring up, and shots
(R5 to R7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pbem.core.rules import Overlay, Threat
from pbem.core.sentences import listed
from pbem.games.rommel.rules import combat, fire, movement, setup
from pbem.games.rommel.rules.combat import hit_chance, win_chance
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms.setting import ALLIED, AXIS, MAY_FIRE, other_side
from pbem.games.rommel.view.forecast import describe_factors, describe_throw
from pbem.games.rommel.view.names import side_name as name_of
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


SIGNS = {AXIS: "X", ALLIED: "a"}
"""The sign of each side's hexes, in the case of its counters on the map; those of both have a plus."""

BOTH = "+"


def zones(state: State) -> Overlay:
    """R5.5: the hexes in zones of control of land units; during the set-up, those in set-up zones (R2)."""
    if state.step in setup.RULE:
        figures = _hexes_by_side(state, lambda side, at: at in state.setting.zones[side])
        return Overlay(figures, tr("in a side's set-up zone: {signs}", signs=_explain_signs()))
    controlled = {side: movement.zone_of_control(state, side) for side in SIGNS}
    figures = _hexes_by_side(state, lambda side, at: at in controlled[side])
    return Overlay(figures, tr("in a side's zone of control: {signs}", signs=_explain_signs()))


def supply(state: State) -> Overlay:
    """R5.4: the hexes in supply, and each side's units that are out of supply."""
    supplied = {side: movement.supply_reach(state, side) for side in SIGNS}
    figures = _hexes_by_side(state, lambda side, at: at in supplied[side])
    lines = tuple(_describe_cut_off(state, side) for side in SIGNS)
    return Overlay(figures, tr("where a side is in supply: {signs}", signs=_explain_signs()), lines)


def _describe_cut_off(state: State, side: str) -> str:
    """R5.4: list the units of a side that are out of supply."""
    cut = [name for name in state.army(side) if not movement.in_supply(state, name)]
    units = listed(tr("{unit} in {at}", unit=name, at=state.at(name)) for name in cut) or tr.sense(
        "of units", "none"
    )
    if side == ALLIED:
        return tr("Allied units out of supply (R5.4): {units}", units=units)
    return tr("Axis units out of supply (R5.4): {units}", units=units)


def _hexes_by_side(state: State, has: Callable[[str, str], bool]) -> dict[str, str]:
    """The land hexes of one side or both, according to a predicate, each with its sign."""
    figures = {}
    for at in state.setting.grid.numbers:
        sides = [side for side in SIGNS if at in state.setting.land and has(side, at)]
        if sides:
            figures[at] = BOTH if len(sides) > 1 else SIGNS[sides[0]]
    return figures


def _explain_signs() -> str:
    """The meaning of the signs."""
    meanings = {**{sign: name_of(side) for side, sign in SIGNS.items()}, BOTH: tr("both")}
    return listed(f"{sign}: {meaning}" for sign, meaning in meanings.items())


def describe_threat_scope() -> str:
    """A sentence about what `threats` counts, and what it leaves out."""
    return tr(
        "Counts enemy land units that could move up to fight or fire, each as if it moved first, "
        "in today's weather. Several count together if each finds a hex. Supply units and aircraft "
        "are left out, and so are paths that other moves or fire would open or block"
    )


def threats(state: State, seat: str) -> list[Threat]:
    """Combats and shots at each land unit of a seat by each enemy, and combats by all enemies with room.

    While the enemy fires or fights, it has already moved; at other times its next turn is assumed.
    """
    foe = other_side(seat)
    fights = state.active == foe and state.step in (Phase.FIRE, Phase.COMBAT)
    if not fights:
        state = state.with_changes(fired=(), obliged={})
    if foe == ALLIED and state.active == AXIS and state.step != Phase.AIR:  # its next part is in another turn
        state = state.with_changes(fired_at_aircraft=())
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
    """R6: combats by each enemy that may move next to the unit, and by the strongest with a hex for each."""
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

    The strongest comes first; an attacker that finds a hex, if necessary by moving others, keeps one.
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
    """R7.1: shots by each enemy in range, from where it is or may move to."""
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
