"""The story of an answer in Rommel y Montgomery, derived a second time from the text of the rules (R2 to R8).

Each event must follow from the board as the story has it so far, and together they must make the position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from pbem.core.requests import Plain, Tell
from pbem.games.rommel.terms.setting import ALLIED, AXIS, Counter, Setting

GONE = ("unplaced", "eliminated")
FOOT = ("infantry", "parachute")
UNDECIDED = "undecided"
ARTILLERY = ("field", "anti_tank", "mixed", "anti_aircraft")


class Board:
    """The position before an answer, to which the events are applied one by one (`retell`)."""

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
        self.fired_at_aircraft: list[str] = list(position.get("fired_at_aircraft", []))  # version 1 has none
        self.seal: str | None = position["seal"]

        self.done: list[tuple[str, str]] = []
        """Which unit has done what in this answer."""
        self.paths: dict[str, list[str]] = {}
        """The paths of units in this answer."""
        self.mines: list[str] = []
        """Mined hexes entered and not yet reported as cleared."""
        self.aimed: dict[str, list[int]] = {}
        """Shots declared and not yet resolved: the faces that hit."""
        self.attacks: list[tuple[list[str], list[str]]] = []
        """Combats declared in this answer."""
        self.ahead: list[tuple[list[str], list[str]]] = []
        """Those not yet resolved."""
        self.combat: dict[str, Plain] = {}
        """The facts of the current combat."""
        self.losers: list[str] = []
        """Units that have been hit and have not yet suffered."""
        self.due: str | None = UNDECIDED
        """The winner by the position at the end of the turn; None for a draw."""
        self.winner: str | None = UNDECIDED
        """The reported winner."""

    def once(self, name: str, what: str) -> None:
        """Note that a unit does this, and check that it has not done it before."""
        assert (name, what) not in self.done, f"{name} {what} twice"
        self.done.append((name, what))

    def counter(self, name: str) -> Counter:
        """The counter as printed."""
        return self.setting.counters[name]

    def side(self, name: str) -> str:
        """The side of a unit."""
        return self.setting.counters[name].side

    def at(self, name: str) -> str:
        """The hex of a unit."""
        at: str = self.units[name]["at"]
        return at

    def on_map(self, name: str) -> bool:
        """Whether a unit is on a hex."""
        return self.at(name) not in GONE

    def distance(self, one: str, other: str) -> int:
        """The distance between two units."""
        return self.setting.grid.distance(self.at(one), self.at(other))

    def strength(self, name: str) -> int:
        """R1.1, R1.3: the combat factor."""
        counter = self.counter(name)
        return counter.struck_combat if self.units[name]["struck"] else counter.combat

    def fires_or_fights(self, name: str) -> bool:
        """R7.2: whether a unit may not do both in a turn."""
        tank = self.counter(name).kind == "tank" and not self.setting.options.tanks_fire_and_fight
        return tank or self.counter(name).kind in ARTILLERY

    def forgoes_attack(self, name: str) -> bool:
        """R7.2: whether a purely anti-aircraft gun has fired at aircraft, and so may not attack."""
        spent = name in self.fired_at_aircraft and not self.setting.options.aa_then_fight
        return spent and self.counter(name).kind == "anti_aircraft"

    def land(self, side: str) -> list[str]:
        """The land units of a side that are on the map."""
        return [name for name in self.setting.armies[side] if self.on_map(name)]

    def sky(self, side: str) -> list[str]:
        """The aircraft of a side that are on the map."""
        return [name for name in self.setting.air_forces[side] if self.on_map(name)]

    def held(self, hexes: Iterable[str], side: str) -> list[str]:
        """Which of these hexes have a land unit of a side."""
        occupied = [self.at(name) for name in self.land(side)]
        return [at for at in hexes if at in occupied]

    def enemy(self, name: str) -> str:
        """The side opposed to a unit."""
        return AXIS if self.side(name) == ALLIED else ALLIED

    def in_zone_of(self, name: str, at: str) -> list[str]:
        """R4.3, R5.5: the enemies of a unit's own sort whose zone of control includes a hex."""
        of = self.sky if self.counter(name).flies else self.land
        near = self.setting.grid.adjacent(at)
        return [other for other in of(self.enemy(name)) if self.at(other) in near]


CombatFacts = Mapping[str, Plain]


def aims(board: Board, facts: CombatFacts) -> None:
    """R7.1, R7.2, R3.2, R3.3: a shot within range of the fire table, whose entry says what hits."""
    name, target = facts["unit"], facts["on"]
    firer, aimed = board.counter(name), board.counter(target)
    board.once(name, "fires")
    assert board.weather in ("clear", "dust")
    assert name not in board.fired
    assert board.side(target) == board.enemy(name)
    row = board.setting.fire[f"tank{firer.stars}" if firer.kind == "tank" else firer.kind]
    assert facts["range"] == board.distance(name, target) <= row.reach - (board.weather == "dust")
    if aimed.kind == "tank":
        hits = {1: row.hits.get("one"), 2: row.hits.get("two"), 3: row.hits.get("three")}[aimed.stars]
    else:
        hits = row.hits.get("fort" if board.at(target) in board.forts else "soft")
    assert facts["hits"] == list(hits or ())
    assert facts["hits"]
    board.aimed[name] = facts["hits"]


def shoots(board: Board, facts: CombatFacts) -> None:
    """R7.1: the declared faces hit."""
    assert board.on_map(facts["on"])
    assert facts["hit"] == (facts["face"] in board.aimed.pop(facts["unit"]))
    board.losers = [facts["on"]] if facts["hit"] else []


def lost_shot(board: Board, facts: CombatFacts) -> None:
    """R7.3: a unit already gone."""
    assert not board.on_map(facts["on"])
    board.aimed.pop(facts["unit"])


def declares(board: Board, facts: CombatFacts) -> None:
    """R6.1, R7.2, R6.6: who attacks whom, with which factors; not aircraft shot down on the way."""
    units, on = facts["units"], facts["on"]
    for name in units:
        board.once(name, "attacks")
        assert name not in board.fired or not board.fires_or_fights(name), f"{name} has fired"
        assert not board.forgoes_attack(name), f"{name} has fired at aircraft"
        assert board.on_map(name), f"{name} is gone"
    for name in units:
        assert any(board.distance(name, other) == 1 for other in on), f"{name} is next to none of {on}"
    for name in on:
        assert board.side(name) == board.enemy(units[0])
        near = any(board.distance(name, other) == 1 for other in units)
        assert near or board.counter(name).flies, f"{name} is next to none of {units}"
        if not board.setting.options.defend_again:
            board.once(name, "defends")
    _check_factors(board, facts)
    assert facts["forts"] == [name for name in on if _doubled(board, name)]
    board.attacks.append((units, on))
    board.ahead.append((units, on))


def void(board: Board, facts: CombatFacts) -> None:
    """R6.5: attackers or defenders are all gone; attackers shot down on their way had declared nothing."""
    if any(board.on_map(name) for name in facts["units"]):
        assert not _next_combat(board, facts)


def fights(board: Board, facts: CombatFacts) -> None:
    """R6.5: those that remain fight."""
    assert _next_combat(board, facts)
    _check_factors(board, facts)
    board.combat = dict(facts)


def dice(board: Board, facts: CombatFacts) -> None:
    """R6.2 to R6.4: the faces times the factors; the lower loses, equal ones are rolled again."""
    attack, defence = facts["attack"], facts["defence"]
    assert attack == facts["attack_face"] * board.combat["attack"]
    assert defence == facts["defence_face"] * board.combat["defence"]
    if attack != defence:
        board.losers = list(board.combat["on"] if attack > defence else board.combat["units"])


def _next_combat(board: Board, facts: CombatFacts) -> bool:
    """R6.5: whether any unit is left on both sides of the next combat in the order written."""
    units, on = ([name for name in side if board.on_map(name)] for side in board.ahead.pop(0))
    assert (facts["units"], facts["on"]) == (units, on) or not (units and on)
    return bool(units and on)


def _check_factors(board: Board, facts: CombatFacts) -> None:
    assert facts["attack"] == sum(map(board.strength, facts["units"]))
    assert facts["defence"] == sum(board.strength(name) * (1 + _doubled(board, name)) for name in facts["on"])


def _doubled(board: Board, name: str) -> bool:
    """R6.6."""
    return not board.counter(name).flies and board.at(name) in board.forts


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
    if gun not in board.fired_at_aircraft:
        board.fired_at_aircraft.append(gun)
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
    """R4.5: the bomber is over its hex, and no unit is left in it."""
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
    """R5.5: the unit has just entered the zone of every one of these, and can attack (R7.2)."""
    name = facts["unit"]
    assert not board.forgoes_attack(name)
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
    """R5.2, R5.3, R5.6, R3.2, R3.3: how many hexes the unit may move on this path."""
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


Facts = Mapping[str, Plain]


def retell(setting: Setting, before: Plain, told: Sequence[Tell], now: Plain) -> None:
    """Apply the events one by one; none is left over, and nothing has changed without an event."""
    board = Board(setting, before)
    for tell in told:
        assert not board.losers or tell.event in ("struck", "eliminated"), f"{board.losers} suffer nothing"
        EVENTS[tell.event](board, tell.facts)
    for key in ("units", "cleared", "forts", "seal", "aa", "turn", "weather"):
        assert now[key] == getattr(board, key), f"{key}: {now[key]}, by the story {getattr(board, key)}"
    if "fired_at_aircraft" in now:
        assert now["fired_at_aircraft"] == board.fired_at_aircraft
    _check_obligations(board, before)
    if now["asks"] is None:
        assert board.winner != UNDECIDED
    else:
        assert board.winner == board.due == UNDECIDED
        assert [*board.losers, *board.ahead, *board.aimed, *board.mines] == []
        assert board.asked in SET_UP or board.land(ALLIED)


def _check_obligations(board: Board, before: Plain) -> None:
    """R5.5: a unit that entered a zone attacks a unit whose zone it was, if it is there, or has fired."""
    if before["asks"]["question"] != "ground_combat":
        return
    frees = board.setting.options.fire_frees_from_combat
    for name, targets in before["obliged"].items():
        there = [target for target in targets if before["units"][target]["at"] not in GONE]
        freed = frees and name in board.fired and board.fires_or_fights(name)
        if there and not freed:
            met = [target for units, on in board.attacks if name in units for target in on]
            assert any(target in there for target in met), f"{name} does not attack one of {there}"


def placed(board: Board, facts: Facts) -> None:
    """R2."""
    for name, at in facts["places"].items():
        assert board.side(name) == facts["seat"]
        if name in board.units:
            assert board.at(name) == "unplaced"
            board.units[name]["at"] = at
        else:
            board.forts = sorted([*board.forts, at])
    if board.asked == "axis_open":
        board.seal = None


def sealed(board: Board, facts: Facts) -> None:
    """R2.2."""
    board.seal = facts["seal"]


def standing(board: Board, facts: Facts) -> None:
    """R4.4."""
    for gun in facts["units"]:
        assert board.side(gun) == facts["seat"]
        board.aa[gun] = facts["fire"]


def weather(board: Board, facts: Facts) -> None:
    """R3.1."""
    assert facts["turn"] == board.turn
    assert facts["weather"] == board.setting.weather[facts["face"]]
    board.weather = facts["weather"]


def struck(board: Board, facts: Facts) -> None:
    """R1.3: a tank on its full counter."""
    name = _suffers(board, facts)
    assert board.counter(name).kind == "tank"
    assert not board.units[name]["struck"]
    board.units[name]["struck"] = True


def eliminated(board: Board, facts: Facts) -> None:
    """R1.3: a struck tank, or anything else."""
    name = _suffers(board, facts)
    assert board.counter(name).kind != "tank" or board.units[name]["struck"]
    board.units[name]["at"] = "eliminated"


def _suffers(board: Board, facts: Facts) -> str:
    name: str = facts["unit"]
    assert facts["at"] == board.at(name)
    board.losers.remove(name)
    return name


def turn_ends(board: Board, facts: Facts) -> None:
    """R8.1 to R8.3: the winner, or another turn."""
    setting, options = board.setting, board.setting.options
    points, lost = board.held(setting.victory_points, ALLIED), board.held(setting.villages[ALLIED], AXIS)
    assert (facts["turn"], facts["held"], facts["lost"]) == (board.turn, points, lost)
    last = options.turns if options.after_last_turn == "draw" else options.last_turn
    if len(points) >= 3 and not lost:
        board.due = ALLIED
    elif board.turn >= options.turns and not points:
        board.due = AXIS
    elif board.turn == last:
        board.due = None
    else:
        board.turn += 1
        board.fired_at_aircraft = []


def victory(board: Board, facts: Facts) -> None:
    """R8."""
    assert facts["winner"] == (board.due if board.land(ALLIED) else AXIS)
    board.winner = facts["winner"]


def nothing(board: Board, facts: Facts) -> None:
    """The event changes nothing tracked here."""


SET_UP = ("axis_first_setup", "axis_screen_setup", "allied_screen_setup", "axis_open", "allied_last_setup")

EVENTS: Mapping[str, Callable[[Board, Facts], None]] = {
    "placed": placed,
    "sealed": sealed,
    "standing": standing,
    "weather": weather,
    "passes": nothing,
    "stands_down": nothing,
    "flies": flies,
    "flak": flak,
    "bombs": bombs,
    "no_bombs": no_bombs,
    "declares": declares,
    "void": void,
    "fights": fights,
    "dice": dice,
    "struck": struck,
    "eliminated": eliminated,
    "lands": lands,
    "no_airfield": no_airfield,
    "moves": moves,
    "clears": clears,
    "obliged": obliged,
    "aims": aims,
    "shoots": shoots,
    "lost_shot": lost_shot,
    "turn_ends": turn_ends,
    "victory": victory,
}
