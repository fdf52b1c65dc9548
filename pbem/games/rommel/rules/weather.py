"""R3, weather: the throw, and the effect on movement and ranges; clear weather has none (R3.4)."""

from __future__ import annotations

from pbem.core.requests import Tell, Throw
from pbem.games.rommel.rules.events import WeatherComes
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import ARTILLERY, FACES, FOOT, Weather

STORM_MOST = 2
"""R3.3: how many hexes a unit not on foot may go in a storm, with or without roads."""


async def throw_for_weather(state: State) -> State:
    """R3.1: a turn begins with a throw for its weather."""
    face = await Throw(state, "R3.1", FACES)
    state = state.with_changes(weather=state.setting.weather[face])
    turns = state.setting.options.final_turn
    await Tell(state, "R3.1", WeatherComes(state.turn, turns, face, state.setting.weather[face]))
    return state


def flight_range(state: State, name: str) -> int:
    """R4.2, R3.2, R3.3, R1.4: how many hexes an aircraft may fly in a sub-turn in today's weather."""
    match state.weather:
        case "storm":
            return 0
        case "dust":
            return state.movement(name) // 2
        case _:
            return state.movement(name)


def march_range(state: State, name: str, weather: Weather | None) -> int:
    """R5.2, R3.2, R3.3: how many hexes a land unit may go in that weather, apart from roads and mines."""
    factor, kind = state.movement(name), state.kind(name)
    if weather == "storm":
        return factor - 1 if kind in FOOT else min(factor, STORM_MOST)
    if weather == "dust" and kind not in FOOT:
        spared = kind in ARTILLERY and not state.setting.options.dust_artillery_moves_less
        return factor if spared else factor - 1
    return factor


def gun_range(printed: int, weather: Weather | None) -> int:
    """R4.4, R7.1, R3.2, R3.3: how far a gun with that printed range may fire in that weather, in hexes."""
    if weather == "storm":
        return 0
    return printed - 1 if weather == "dust" else printed
