"""The traces that the events of Rommel y Montgomery leave on the map."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pbem.core.requests import Tell
from pbem.core.sentences import joined
from pbem.core.traces import Drawn, Lost, Settled, Shot, Struck, Trace, Turn, Way
from pbem.games.rommel.rules import chances, events, fire
from pbem.games.rommel.rules.air import bombing
from pbem.games.rommel.rules.state import State
from pbem.games.rommel.terms.setting import FLAK_HITS
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")


def traces(tell: Tell) -> list[Trace]:
    """The traces of one event, in order."""
    now: State = tell.state
    match tell.what:
        case events.WeatherComes(turn):
            return [Turn(turn)]
        case events.Flies(unit, start, _, path) | events.Moves(unit, start, _, path):
            return [Way(now.side(unit), (start, *path))]
        case events.Lands(unit, start, to):
            return [Way(now.side(unit), (start, to))]
        case events.Flak(gun, unit, at, face, hit):
            return _shot_traces(now, [gun], [unit], at, chances.hit_chance((FLAK_HITS,)), face, hit)
        case events.Bombs(unit, on, at, face, hit):
            return _shot_traces(
                now, [unit], [on], at, chances.hit_chance(bombing.bombing_faces(now, on)), face, hit
            )
        case events.Aims(unit, on, _, hits):
            return [_attack_trace(now, [unit], [on], now.at(on), chances.hit_chance(tuple(hits)))]
        case events.Declares(units, on, attack, defence):
            return [_attack_trace(now, units, on, now.at(on[0]), chances.win_chance(attack, defence))]
        case events.Shoots(unit, on, face, hit):
            return _shot_traces(now, [unit], [on], now.at(on), _fire_chance(now, unit, on), face, hit)
        case events.Fights(units, on, attack, defence):
            return [_attack_trace(now, units, on, now.at(on[0]), chances.win_chance(attack, defence))]
        case events.Dice(ours, theirs, attack, defence):
            thrown = Drawn(f"{ours} : {theirs}")
            return [thrown] if attack == defence else [thrown, Settled(attack > defence)]
        case events.Struck(_, at):
            return [Struck(at)]
        case events.Eliminated(unit, at):
            return [Lost(at, unit)]
    return []


def _attack_trace(now: State, units: Sequence[str], on: Sequence[str], at: str, chance: Fraction) -> Shot:
    out_of = tuple(dict.fromkeys(now.at(unit) for unit in units))
    words = tr("{units} at {targets}", units=joined(units), targets=joined(on))
    return Shot(now.side(units[0]), out_of, at, chance, words)


def _shot_traces(
    now: State, units: list[str], on: list[str], at: str, chance: Fraction, face: int, hit: bool
) -> list[Trace]:
    """The traces of an attack that one throw decides."""
    return [_attack_trace(now, units, on, at, chance), Drawn(str(face)), Settled(hit)]


def _fire_chance(now: State, unit: str, on: str) -> Fraction:
    """R7.1: the chance by the fire table, whether the unit may still fire or not: it just has."""
    row = now.setting.fire[fire.row(now, unit)]
    return chances.hit_chance(row.hits.get(fire.column(now, on), ()))
