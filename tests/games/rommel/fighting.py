"""Fire and combat for the contract suite (R6, R7; R4.5), worked out from the text a second time."""

from __future__ import annotations

from collections.abc import Mapping

from games.rommel.board import Board
from pbem.core.requests import Plain

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
    """R7.1: the faces that were declared hit."""
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
    """R6.2 to R6.4: the faces times the factors; the lower loses, equal ones are thrown again."""
    attack, defence = facts["attack"], facts["defence"]
    assert attack == facts["attack_face"] * board.combat["attack"]
    assert defence == facts["defence_face"] * board.combat["defence"]
    if attack != defence:
        board.losers = list(board.combat["on"] if attack > defence else board.combat["units"])


def _next_combat(board: Board, facts: CombatFacts) -> bool:
    """R6.5: whether anybody is left on both sides of the combat that is next in the order written."""
    units, on = ([name for name in side if board.on_map(name)] for side in board.ahead.pop(0))
    assert (facts["units"], facts["on"]) == (units, on) or not (units and on)
    return bool(units and on)


def _check_factors(board: Board, facts: CombatFacts) -> None:
    assert facts["attack"] == sum(map(board.strength, facts["units"]))
    assert facts["defence"] == sum(board.strength(name) * (1 + _doubled(board, name)) for name in facts["on"])


def _doubled(board: Board, name: str) -> bool:
    """R6.6."""
    return not board.counter(name).flies and board.at(name) in board.forts
