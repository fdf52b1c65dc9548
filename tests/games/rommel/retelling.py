"""The story of an answer told again: each event must follow from the board, all of them make the position."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from games.rommel.board import GONE, UNDECIDED, Board
from games.rommel.fighting import aims, declares, dice, fights, lost_shot, shoots, void
from games.rommel.flying import bombs, flak, flies, lands, no_airfield, no_bombs
from games.rommel.march import clears, moves, obliged
from pbem.core.requests import Plain, Tell
from pbem.games.rommel.terms.setting import ALLIED, AXIS, Setting

Facts = Mapping[str, Plain]


def retell(setting: Setting, before: Plain, told: Sequence[Tell], now: Plain) -> None:
    """Take in the events one by one; nothing is left over, and nothing has changed that was not told."""
    board = Board(setting, before)
    for tell in told:
        assert not board.losers or tell.event in ("struck", "eliminated"), f"{board.losers} suffer nothing"
        EVENTS[tell.event](board, tell.facts)
    for key in ("units", "cleared", "forts", "seal", "aa", "turn", "weather"):
        assert now[key] == getattr(board, key), f"{key}: {now[key]}, by the story {getattr(board, key)}"
    _check_obligations(board, before)
    if now["asks"] is None:
        assert board.winner != UNDECIDED
    else:
        assert board.winner == board.due == UNDECIDED
        assert [*board.losers, *board.ahead, *board.aimed, *board.mines] == []
        assert board.asked in SET_UP or board.land(ALLIED)


def _check_obligations(board: Board, before: Plain) -> None:
    """R5.5: who has entered a zone attacks a unit whose zone it was, if it is there, or has fired instead."""
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
    """R8.1 to R8.3: who has won, or another turn."""
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


def victory(board: Board, facts: Facts) -> None:
    """R8."""
    assert facts["winner"] == (board.due if board.land(ALLIED) else AXIS)
    board.winner = facts["winner"]


def nothing(board: Board, facts: Facts) -> None:
    """The event changes nothing that is kept here."""


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
