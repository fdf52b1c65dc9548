"""The events that the rules report, each with its rule and typed facts: units, hexes, faces, factors."""

from __future__ import annotations

from pbem.core.requests import Event
from pbem.games.rommel.rules.state import Hold, Phase
from pbem.games.rommel.terms.setting import Weather
from pbem.messages import Said


class Placed(Event, frozen=True):
    """R2.1 to R2.3: counters, also fortifications, are set up; the hex of each."""

    seat: str
    places: dict[str, str]


class Sealed(Event, frozen=True):
    """R2.2: a placement is sealed."""

    seat: str
    seal: str


class Standing(Event, frozen=True):
    """R4.4: these guns have a standing order."""

    seat: str
    fire: Hold
    units: list[str]


class WeatherComes(Event, frozen=True, tag="weather"):
    """R3.1: a turn begins with a throw for the weather; `turns` is the number of the last turn."""

    turn: int
    turns: int
    face: int
    weather: Weather


class Passes(Event, frozen=True):
    """A seat passes in answer to a question, under its rule (R4.1, R5.1, R6.1, R7.1)."""

    seat: str
    question: Phase


class StandsDown(Event, frozen=True):
    """R4.1: a side passes for the rest of the air phase."""

    seat: str


class Flies(Event, frozen=True, rename={"from_": "from"}):
    """R4.2: an aircraft starts along a path."""

    unit: str
    from_: str
    to: str
    path: list[str]


class Flak(Event, frozen=True):
    """R4.4: a gun fires at the aircraft `at`, in a hex."""

    gun: str
    at: str
    hex: str
    face: int
    hit: bool


class Bombs(Event, frozen=True):
    """R4.5: a bomber bombs a unit in the hex `at`."""

    unit: str
    on: str
    at: str
    face: int
    hit: bool


class NoBombs(Event, frozen=True):
    """R4.5: the unit in the hex of a bomber is gone."""

    unit: str
    at: str


class Declares(Event, frozen=True):
    """R6.1, R4.5: a combat is declared, with both sides' factors, and the units a fortification doubles."""

    units: list[str]
    on: list[str]
    attack: int
    defence: int
    forts: list[str]


class Void(Event, frozen=True):
    """R6.5: all attackers or all defenders of a combat are gone."""

    units: list[str]
    on: list[str]


class Fights(Event, frozen=True):
    """R6.2: the remaining units fight, with both sides' factors."""

    units: list[str]
    on: list[str]
    attack: int
    defence: int


class Dice(Event, frozen=True):
    """R6.2, for a tie R6.3: both throws, and the products."""

    attack_face: int
    defence_face: int
    attack: int
    defence: int


class Struck(Event, frozen=True):
    """R1.3: a tank is struck."""

    unit: str
    at: str


class Eliminated(Event, frozen=True):
    """R1.3: a unit is eliminated."""

    unit: str
    at: str


class Lands(Event, frozen=True, rename={"from_": "from"}):
    """R4.6: an aircraft flies to another hex to land."""

    unit: str
    from_: str
    to: str


class NoAirfield(Event, frozen=True):
    """R4.6: an aircraft finds no place to land, and is eliminated."""

    unit: str
    at: str


class Moves(Event, frozen=True, rename={"from_": "from"}):
    """R5.2: a land unit moves along a path."""

    unit: str
    from_: str
    to: str
    path: list[str]


class Clears(Event, frozen=True):
    """R5.6: a unit clears mines."""

    unit: str
    hexes: list[str]


class Obliged(Event, frozen=True):
    """R5.5: a unit must attack one of these enemies."""

    unit: str
    on: list[str]


class Aims(Event, frozen=True):
    """R7.1: fire is declared, with the range in hexes and the faces that hit."""

    unit: str
    on: str
    range: int
    hits: list[int]


class Shoots(Event, frozen=True):
    """R7.1: declared fire is resolved."""

    unit: str
    on: str
    face: int
    hit: bool


class LostShot(Event, frozen=True):
    """R7.3: the target of declared fire is gone."""

    unit: str
    on: str


class TurnEnds(Event, frozen=True):
    """R8.1: a turn ends; the victory points held by the Allies, and the villages lost to the Axis."""

    turn: int
    turns: int
    held: list[str]
    lost: list[str]


class Victory(Event, frozen=True):
    """R8: the game is over; no winner means a draw."""

    winner: str | None
    reason: Said
