"""The air phase for the contract suite (R4), worked out from the text a second time."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from games.rommel.board import Board
from pbem.core.requests import Plain
from pbem.games.rommel.terms.setting import ALLIED, AXIS

FlightFacts = Mapping[str, Plain]


def flies(board: Board, facts: FlightFacts) -> None:
    """R4.2, R4.3: one flight."""
    name, path = facts["unit"], facts["path"]
    grid, counter = board.setting.grid, board.counter(name)
    board.once(name, "flies")
    assert counter.flies
    assert facts["from"] == board.at(name)
    assert facts["to"] == path[-1]
    assert all(to in grid.adjacent(at) for at, to in pairwise([board.at(name), *path]))
    factor = {"clear": counter.movement, "dust": counter.movement // 2}[board.weather or ""]
    assert len(path) <= factor, f"{name} flies {path}"
    held = [board.at(other) for side in (ALLIED, AXIS) for other in board.sky(side) if other != name]
    assert [at for at in path[:-1] if at in held] == [], f"{name} flies over aircraft on {path}"
    friends = [other for other in board.sky(board.side(name)) if other != name]
    most = 4 if path[-1] in board.setting.airfields[board.side(name)] else 3
    assert sum(board.at(other) == path[-1] for other in friends) < most
    assert [at for at in path[:-1] if board.in_zone_of(name, at)] == [], f"{name} flies on in a zone: {path}"
    board.units[name]["at"] = path[-1]
    board.paths[name] = path


def flak(board: Board, facts: FlightFacts) -> None:
    """R4.4: one gun at one aircraft, in one hex of its path or, if it has not moved, in its own."""
    gun, name, at = facts["gun"], facts["at"], facts["hex"]
    board.once(gun, "flak")
    assert board.counter(gun).kind in ("mixed", "anti_aircraft")
    assert board.side(gun) == board.enemy(name)
    assert at in board.paths.get(name, [board.at(name)])
    parked = at == board.at(name) and at in board.setting.airfields[board.side(name)]
    assert not parked or at in board.paths.get(name, [])[:-1], f"{name} is safe on {at}"
    within = 2 if board.weather == "dust" else 3
    assert board.setting.grid.distance(board.at(gun), at) <= within
    standing = board.aa[gun]
    assert standing == "all" or (standing == "bombers" and board.counter(name).kind == "bomber")
    assert facts["hit"] == (facts["face"] == 3)
    if facts["hit"]:
        board.losers = [name]
        board.units[name]["at"] = at


def bombs(board: Board, facts: FlightFacts) -> None:
    """R4.5: a bomber that still flies, at the enemy land unit in its hex."""
    name, target = facts["unit"], facts["on"]
    board.once(name, "attacks")
    assert board.counter(name).kind == "bomber"
    assert target in board.land(board.enemy(name))
    assert board.at(name) == board.at(target) == facts["at"]
    assert facts["hit"] == (facts["face"] in board.setting.options.bomb_hits)
    board.losers = [target] if facts["hit"] else []


def no_bombs(board: Board, facts: FlightFacts) -> None:
    """R4.5: the bomber is over its hex, and nobody is left in it."""
    name = facts["unit"]
    board.once(name, "attacks")
    assert board.at(name) == facts["at"]
    assert board.held([facts["at"]], board.enemy(name)) == []


def lands(board: Board, facts: FlightFacts) -> None:
    """R4.6: on an airfield of its side without an enemy land unit."""
    name, to = facts["unit"], facts["to"]
    assert board.at(name) == facts["from"]
    assert to in board.setting.airfields[board.side(name)]
    assert board.held([to], board.enemy(name)) == []
    board.units[name]["at"] = to


def no_airfield(board: Board, facts: FlightFacts) -> None:
    """R4.6: every open airfield is full, or there is none."""
    name = facts["unit"]
    side = board.side(name)
    fields = board.setting.airfields[side]
    taken = board.held(fields, board.enemy(name))
    landed = [other for other in board.sky(side) if other != name and board.at(other) in fields]
    assert len(landed) >= 4 * (len(fields) - len(taken))
    board.losers = [name]
