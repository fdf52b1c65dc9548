"""Ground movement for the contract suite (R5), worked out from the text a second time."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from games.rommel.board import ARTILLERY, FOOT, Board
from pbem.core.requests import Plain
from pbem.games.rommel.terms.setting import ALLIED

MarchFacts = Mapping[str, Plain]


def moves(board: Board, facts: MarchFacts) -> None:
    """R5.2 to R5.6: one move of a land unit."""
    name, path = facts["unit"], facts["path"]
    board.once(name, "moves")
    assert facts["from"] == board.at(name)
    assert facts["to"] == path[-1]
    assert _in_supply(board, name), f"{name} is not in supply at {board.at(name)}"
    _check_way(board, name, path)
    board.mines = [at for at in dict.fromkeys(path) if at in board.setting.mines and at not in board.cleared]
    _check_mines(board, name, path)
    assert len(path) <= _allowance(board, name, path), f"{name} goes too far along {path}"
    board.units[name]["at"] = path[-1]
    board.paths[name] = path


def clears(board: Board, facts: MarchFacts) -> None:
    """R5.6: the mined hexes that the unit has entered, and for each of the Axis one more beside the path."""
    name, hexes = facts["unit"], facts["hexes"]
    assert len(dict.fromkeys(hexes)) == len(hexes)
    assert [at for at in board.mines if at not in hexes] == [], "a mined hex that was entered is not cleared"
    more = [at for at in hexes if at not in board.mines]
    assert len(more) <= (0 if board.side(name) == ALLIED else len(board.mines))
    for at in more:
        assert at not in board.paths[name]
        assert any(near in board.mines for near in board.setting.grid.adjacent(at))
    for at in hexes:
        assert at in board.setting.mines
        assert at not in board.cleared
    board.cleared = sorted([*board.cleared, *hexes])
    board.mines = []


def obliged(board: Board, facts: MarchFacts) -> None:
    """R5.5: the unit has just entered the zone of every one of these."""
    name = facts["unit"]
    assert sorted(facts["on"]) == sorted(board.in_zone_of(name, board.at(name)))
    assert facts["on"]
    assert name in board.paths


def _in_supply(board: Board, name: str) -> bool:
    """R5.4."""
    trains = [other for other in board.land(board.side(name)) if board.counter(other).kind == "supply"]
    return board.counter(name).kind == "supply" or any(board.distance(name, train) <= 8 for train in trains)


def _check_way(board: Board, name: str, path: list[str]) -> None:
    """R5.2, R5.5, R6.6: step by step over free land, no farther than the first zone of control."""
    setting, kind = board.setting, board.counter(name).kind
    for at, to in pairwise([board.at(name), *path]):
        assert to in setting.grid.adjacent(at)
        assert to in setting.land
    everybody = [other for other in board.units if board.on_map(other) and not board.counter(other).flies]
    occupied = [board.at(other) for other in everybody if other != name]
    assert [at for at in path if at in occupied] == [], f"{name} goes through another unit"
    assert [at for at in path[:-1] if board.in_zone_of(name, at)] == [], f"{name} goes through a zone"
    assert path[-1] not in board.forts or kind in (*FOOT, *ARTILLERY)


def _check_mines(board: Board, name: str, path: list[str]) -> None:
    """R5.6: who may enter mines, and how many."""
    kind, options = board.counter(name).kind, board.setting.options
    if board.mines:
        assert kind in FOOT or (kind == "mechanised" and options.mechanised_in_mines)
        if board.side(name) == ALLIED:
            assert len(board.mines) == 1 or (len(board.mines) == 2 and len(path) == 2)


def _allowance(board: Board, name: str, path: list[str]) -> int:
    """R5.2, R5.3, R5.6, R3.2, R3.3: how many hexes the unit may go on this path."""
    counter = board.counter(name)
    kind, on_road = counter.kind, True
    factor = counter.struck_movement if board.units[name]["struck"] else counter.movement
    for at, to in pairwise([board.at(name), *path]):
        on_road = on_road and (at, to) in board.setting.roads
    if board.weather == "dust" and kind not in FOOT:
        spared = kind in ARTILLERY and not board.setting.options.dust_artillery_moves_less
        factor -= 0 if spared else 1
    if board.weather == "storm":
        factor = factor - 1 if kind in FOOT else min(factor, 2)
    if board.mines and board.side(name) != ALLIED:
        factor -= 1
    limited = board.weather == "storm" and kind not in FOOT
    return factor + 2 if on_road and not limited else factor
