"""The hexes a unit may reach now, with the orders for them, and why others are out of reach."""

from __future__ import annotations

from pbem.core.paths import Path
from pbem.core.requests import Orders
from pbem.errors import IllegalOrder
from pbem.games.rommel.rules import flights, movement, weather
from pbem.games.rommel.rules.orders import Question, check_units
from pbem.games.rommel.rules.state import Phase, State
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


def reach(ask: Question, name: str) -> dict[str, str]:
    """R4.2, R5.2: the number of steps to each hex where a unit may stop; none if it may not move now.

    Raises `IllegalOrder` (R10.2) for a unit that is not the player's.
    """
    return {at: str(len(path)) for at, path in _paths(ask, name).items()}


def routes(ask: Question, name: str) -> dict[str, Orders]:
    """R4.2, R5.2: for the same hexes, the order to go there on the path that pbem chooses."""
    verb = "fly" if ask.question == Phase.AIR else "move"
    return {at: [{verb: name, "path": list(path)}] for at, path in _paths(ask, name).items()}


def _paths(ask: Question, name: str) -> dict[str, Path]:
    state = ask.state
    check_units(state, ask.seat, (name,))
    flies = state.counter(name).flies
    if ask.question == Phase.AIR and flies:
        return flights.reach(state, name)
    if ask.question == Phase.MOVE and not flies:
        return movement.reach(state, name)
    return {}


def check_march(state: State, name: str, to: str) -> None:
    """R5.2 to R5.4: check that a land unit is in supply, and near enough to a hex. Raises `IllegalOrder`."""
    movement.check_supply(state, name)
    start = movement.first_leg(state, name)
    most, clear = (movement.path_limit(state, name, start, day) for day in (state.weather, "clear"))
    far = _distance(state, name, to)
    if far > most:
        by_weather = "R3.2" if state.weather == "dust" else "R3.3"
        rule = by_weather if far <= clear else "R5.2"
        raise IllegalOrder(
            rule, _describe_too_far(state, name, to, weather.march_range(state, name, state.weather), most)
        )


def check_flight(state: State, name: str, to: str) -> None:
    """R4.2, R3.2: check that an aircraft is near enough to a hex. Raises `IllegalOrder`."""
    most, far = weather.flight_range(state, name), _distance(state, name, to)
    if far > most:
        rule = "R3.2" if far <= state.movement(name) else "R4.2"
        raise IllegalOrder(rule, _describe_too_far(state, name, to, most, most))


def _distance(state: State, name: str, to: str) -> int:
    """The distance of a unit from a hex. Raises `IllegalOrder` if it is there already."""
    if state.at(name) == to:
        rule = "R4.2" if state.counter(name).flies else "R5.2"
        raise IllegalOrder(rule, tr("{unit} is already in {hex}", unit=name, hex=to))
    return state.setting.grid.distance(state.at(name), to)


def _describe_too_far(state: State, name: str, to: str, most: int, by_road: int) -> str:
    """Describe how far a hex is from a unit, and how far the unit may go."""
    places = {"hex": to, "unit": name, "most": most}
    if by_road > most:
        return tr.plural(
            "{hex} is {number} hex from {unit}, which may go {most} now, or {road} by road",
            "{hex} is {number} hexes from {unit}, which may go {most} now, or {road} by road",
            _distance(state, name, to),
            road=by_road,
            **places,
        )
    return tr.plural(
        "{hex} is {number} hex from {unit}, which may go {most} now",
        "{hex} is {number} hexes from {unit}, which may go {most} now",
        _distance(state, name, to),
        **places,
    )
