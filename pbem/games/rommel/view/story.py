"""What has happened, in English: each event in one line, with its rule."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.requests import Event, Tell
from pbem.core.sentences import counted, joined, listed
from pbem.games.rommel.rules import events
from pbem.games.rommel.rules.state import Phase
from pbem.games.rommel.view import odds
from pbem.games.rommel.view.facts import SIDES, chance, date

AIMS = {"hold": "hold their fire", "bombers": "fire at bombers alone", "all": "fire at all aircraft"}
PARTS = {
    Phase.AIR: "this air sub-turn",
    Phase.MOVE: "its movement",
    Phase.FIRE: "its fire",
    Phase.COMBAT: "its combats",
}


def line(tell: Tell) -> str:
    """Tell one event in one line, without a full stop, the rule in brackets."""
    return f"{_told(tell.what)} ({tell.rule})"


def _told(what: Event) -> str:
    """An event without its rule. Which counters are set up and where, the orders say one line above."""
    match what:
        case events.Placed(seat, places):
            return f"The {SIDES[seat]} side sets up {counted(len(places), 'counter')}"
        case events.Sealed(seat, seal):
            return f"The {SIDES[seat]} side seals its placement: {seal}"
        case events.Standing(seat, fire, guns):
            return f"The {SIDES[seat]} guns {AIMS[fire]}: {listed(guns) or 'there are none'}"
        case events.WeatherComes(turn, turns, face, weather):
            day = f", {date(turn)}" if date(turn) else ""
            return f"Turn {turn} of {turns}{day}: a throw of {face}, {weather}"
        case events.Passes(seat, question):
            return f"The {SIDES[seat]} side passes {PARTS[question]}"
        case events.StandsDown(seat):
            return f"The {SIDES[seat]} aircraft stand down for the rest of the air phase"
        case events.Flies(unit, start, _, path):
            return f"{unit} flies from {start}{_way(path)}"
        case events.Flak(gun, unit, at, face, hit):
            return f"{gun} fires at {unit} in {at}: {_throw(face, hit)}"
        case events.Bombs(unit, on, at, face, hit):
            return f"{unit} bombs {on} in {at}: {_throw(face, hit)}"
        case events.NoBombs(unit, at):
            return f"{unit} finds nothing to bomb in {at} any more"
        case events.Declares(units, on, attack, defence, forts):
            doubled = f", {joined(forts)} doubled by fortification" if forts else ""
            wins = chance(odds.wins(attack, defence))
            return f"{_attack(units, on)}: {attack} against {defence}{doubled}, wins with {wins}"
        case events.Void(units, on):
            return f"{_attack(units, on)} no more: one side of the combat is gone"
        case events.Fights(units, on, attack, defence):
            verb = "fights" if len(units) == 1 else "fight"
            return f"{joined(units)} {verb} {joined(on)}: {attack} against {defence}"
        case events.Dice(ours, theirs, attack, defence):
            thrown = f"The attacker throws {ours}, the defender {theirs}: {attack} against {defence}"
            return f"{thrown}, {_result(attack, defence)}"
        case events.Struck(unit, at):
            return f"{unit} in {at} is struck"
        case events.Eliminated(unit, at):
            return f"{unit} in {at} is eliminated"
        case events.Lands(unit, start, to):
            return f"{unit} flies from {start} to land on {to}"
        case events.NoAirfield(unit, at):
            return f"{unit} in {at} finds no airfield to land on"
        case events.Moves(unit, start, _, path):
            return f"{unit} moves from {start}{_way(path)}"
        case events.Clears(unit, hexes):
            return f"{unit} clears the mines of {joined(hexes)}"
        case events.Obliged(unit, on):
            return f"{unit} must attack {joined(on, 'or')} in this turn"
        case events.Aims(unit, on, away, hits):
            faces = f"hits with {joined(hits, 'or')}, {chance(odds.hits(tuple(hits)))}"
            return f"{unit} aims at {on}, range {away}: {faces}"
        case events.Shoots(unit, on, face, hit):
            return f"{unit} fires at {on}: {_throw(face, hit)}"
        case events.LostShot(unit, on):
            return f"{unit} does not fire: {on} is gone"
        case events.TurnEnds(turn, turns, held, lost):
            points = f"Allied victory points: {_those(held)}; Allied villages lost: {_those(lost)}"
            return f"Turn {turn} of {turns} is over: {points}"
        case events.Victory(str(winner), reason):
            return f"The {SIDES[winner]} side wins: {reason}"
        case events.Victory(_, reason):
            return f"The game is a draw: {reason}"
    raise AssertionError(what)


def _way(path: Sequence[str]) -> str:
    """A path with all its hexes, so that a player learns which one was chosen for him."""
    *via, to = path
    return f" over {listed(via)} to {to}" if via else f" to {to}"


def _throw(face: int, hit: bool) -> str:
    return f"a throw of {face} {'hits' if hit else 'misses'}"


def _attack(units: Sequence[str], on: Sequence[str]) -> str:
    return f"{joined(units)} {'attacks' if len(units) == 1 else 'attack'} {joined(on)}"


def _result(attack: int, defence: int) -> str:
    """Who has won, by the products."""
    if attack == defence:
        return "equal, and both throw again"
    return "the attacker wins" if attack > defence else "the defender wins"


def _those(hexes: Sequence[str]) -> str:
    return f"{len(hexes)} ({listed(hexes)})" if hexes else "none"
