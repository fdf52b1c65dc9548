"""A board for the contract suite: the position as the story has it so far, and what can be read off it."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.core.requests import Plain
from pbem.games.rommel.terms.setting import ALLIED, AXIS, Counter, Setting

GONE = ("unplaced", "eliminated")
FOOT = ("infantry", "parachute")
UNDECIDED = "undecided"
ARTILLERY = ("field", "anti_tank", "mixed", "anti_aircraft")


class Board:
    """The position before an answer, into which the events go one by one (`retelling`)."""

    def __init__(self, setting: Setting, position: Plain) -> None:
        self.setting = setting
        self.asked: str = position["asks"]["question"]
        self.turn: int = position["turn"]
        self.weather: str | None = position["weather"]
        self.units: dict[str, dict[str, Plain]] = {
            name: dict(unit) for name, unit in position["units"].items()
        }
        self.forts: list[str] = list(position["forts"])
        self.cleared: list[str] = list(position["cleared"])
        self.aa: dict[str, str] = dict(position["aa"])
        self.fired: list[str] = list(position["fired"])
        self.seal: str | None = position["seal"]

        self.done: list[tuple[str, str]] = []
        """Who has done what in this answer."""
        self.paths: dict[str, list[str]] = {}
        """Which way units have gone in this answer."""
        self.mines: list[str] = []
        """Mined hexes entered and not yet told to be cleared."""
        self.aimed: dict[str, list[int]] = {}
        """Shots declared and not yet resolved: the faces that hit."""
        self.attacks: list[tuple[list[str], list[str]]] = []
        """Combats declared in this answer."""
        self.ahead: list[tuple[list[str], list[str]]] = []
        """Those not yet resolved."""
        self.combat: dict[str, Plain] = {}
        """The facts of the combat that is being fought."""
        self.losers: list[str] = []
        """Units that have been hit and have not yet suffered."""
        self.due: str | None = UNDECIDED
        """Who has won by the position at the end of the turn; None for a draw."""
        self.winner: str | None = UNDECIDED
        """Who is told to have won."""

    def once(self, name: str, what: str) -> None:
        """A unit does this now, and has not done it before."""
        assert (name, what) not in self.done, f"{name} {what} twice"
        self.done.append((name, what))

    def counter(self, name: str) -> Counter:
        """The counter as printed."""
        return self.setting.counters[name]

    def side(self, name: str) -> str:
        """Whose it is."""
        return self.setting.counters[name].side

    def at(self, name: str) -> str:
        """Where it is."""
        at: str = self.units[name]["at"]
        return at

    def on_map(self, name: str) -> bool:
        """Whether it is on a hex."""
        return self.at(name) not in GONE

    def distance(self, one: str, other: str) -> int:
        """How far a unit is from another."""
        return self.setting.grid.distance(self.at(one), self.at(other))

    def strength(self, name: str) -> int:
        """R1.1, R1.3: the combat factor."""
        counter = self.counter(name)
        return counter.struck_combat if self.units[name]["struck"] else counter.combat

    def fires_or_fights(self, name: str) -> bool:
        """R7.2: whether a unit may not do both in a turn."""
        tank = self.counter(name).kind == "tank" and not self.setting.options.tanks_fire_and_fight
        return tank or self.counter(name).kind in ARTILLERY

    def land(self, side: str) -> list[str]:
        """The land units of a side that are on the map."""
        return [name for name in self.setting.armies[side] if self.on_map(name)]

    def sky(self, side: str) -> list[str]:
        """The aircraft of a side that are on the map."""
        return [name for name in self.setting.air_forces[side] if self.on_map(name)]

    def held(self, hexes: Iterable[str], side: str) -> list[str]:
        """Which of these hexes hold a land unit of a side."""
        occupied = [self.at(name) for name in self.land(side)]
        return [at for at in hexes if at in occupied]

    def enemy(self, name: str) -> str:
        """The side against a unit."""
        return AXIS if self.side(name) == ALLIED else ALLIED

    def in_zone_of(self, name: str, at: str) -> list[str]:
        """R4.3, R5.5: the enemies of a unit's own sort in whose zone of control a hex lies."""
        of = self.sky if self.counter(name).flies else self.land
        near = self.setting.grid.adjacent(at)
        return [other for other in of(self.enemy(name)) if self.at(other) in near]
