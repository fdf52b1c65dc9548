"""The story of events in the player's language: each in one line with its rule, and its traces on the map."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pbem.core.requests import Event, Tell
from pbem.core.sentences import joined, listed
from pbem.core.sides import Side
from pbem.core.traces import Drawn, Lost, Settled, Shot, Struck, Trace, Turn, Way
from pbem.games.rommel.rules import air, combat, events, fire
from pbem.games.rommel.rules.state import Hold, Phase, State
from pbem.games.rommel.terms import setting
from pbem.games.rommel.terms.setting import ALLIED, FLAK_HITS, SIDES
from pbem.games.rommel.view.names import date_of_turn, format_chance
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")

SEAL_DIGITS = 12
"""How many digits of a seal are shown; the file has all of them."""


def describe_event(tell: Tell) -> str:
    """Describe one event in one line, without a full stop, with the rule in brackets."""
    return f"{_describe(tell.what)} ({tell.rule})"


def _describe(what: Event) -> str:
    """Describe an event without its rule; a set-up without its counters, which the orders above list."""
    match what:
        case events.Placed(seat, places):
            return tr.plural(
                "{side:The} {side:sets|set} up {number} counter",
                "{side:The} {side:sets|set} up {number} counters",
                len(places),
                side=SIDES[seat],
            )
        case events.Sealed(seat, seal):
            short = seal[:SEAL_DIGITS]
            return tr(
                "{side:The} {side:seals its|seal their} placement: {seal}", side=SIDES[seat], seal=short
            )
        case events.Standing(seat, fire, guns):
            return _describe_standing_order(seat, fire, listed(guns) or tr.sense("of guns", "there are none"))
        case events.WeatherComes(turn, turns, face, weather):
            return _describe_weather(
                turn, turns, tr("a roll of {face}", face=face), str(setting.weather_name(weather))
            )
        case events.Passes(seat, question):
            return _describe_pass(SIDES[seat], question)
        case events.StandsDown(seat):
            if seat == ALLIED:
                return tr("The Allied aircraft stand down for the rest of the air phase")
            return tr("The Axis aircraft stand down for the rest of the air phase")
        case events.TurnEnds(turn, turns, held, lost):
            return tr(
                "Turn {turn} of {turns} is over. Allied victory points: {held}. Allied villages lost: {lost}",
                turn=turn,
                turns=turns,
                held=_list_hexes(held),
                lost=_list_hexes(lost),
            )
        case events.Victory(str(winner), reason):
            return tr("{side:The} {side:wins|win}: {reason}", side=SIDES[winner], reason=reason)
        case events.Victory(_, reason):
            return tr("The game is a draw: {reason}", reason=reason)
    return _describe_in_the_air(what) or _describe_on_the_ground(what) or _describe_combat(what)


def _describe_in_the_air(what: Event) -> str:
    """Describe an event in the air (R4); empty for others."""
    match what:
        case events.Flies(unit, start, _, [to]):
            return tr("{unit} flies from {start} to {to}", unit=unit, start=start, to=to)
        case events.Flies(unit, start, _, [*via, to]):
            return tr(
                "{unit} flies from {start} over {via} to {to}", unit=unit, start=start, via=listed(via), to=to
            )
        case events.Flak(gun, unit, at, face, hit):
            return tr(
                "{gun} fires at {unit} in {at}: {throw}",
                gun=gun,
                unit=unit,
                at=at,
                throw=_throw_clause(face, hit),
            )
        case events.Bombs(unit, on, at, face, hit):
            return tr(
                "{unit} bombs {target} in {at}: {throw}",
                unit=unit,
                target=on,
                at=at,
                throw=_throw_clause(face, hit),
            )
        case events.NoBombs(unit, at):
            return tr("{unit} no longer finds anything to bomb in {at}", unit=unit, at=at)
        case events.Lands(unit, start, to):
            return tr("{unit} flies from {start} to land on {to}", unit=unit, start=start, to=to)
        case events.NoAirfield(unit, at):
            return tr("{unit} in {at} finds no airfield to land on", unit=unit, at=at)
    return ""


def _describe_on_the_ground(what: Event) -> str:
    """Describe an event of movement or fire (R5, R7); empty for others."""
    match what:
        case events.Moves(unit, start, _, [to]):
            return tr("{unit} moves from {start} to {to}", unit=unit, start=start, to=to)
        case events.Moves(unit, start, _, [*via, to]):
            return tr(
                "{unit} moves from {start} over {via} to {to}", unit=unit, start=start, via=listed(via), to=to
            )
        case events.Clears(unit, hexes):
            return tr("{unit} clears the mines of {hexes}", unit=unit, hexes=joined(hexes))
        case events.Obliged(unit, on):
            return tr("{unit} must attack {targets} this turn", unit=unit, targets=joined(on, "or"))
        case events.Aims(unit, on, away, hits):
            return tr(
                "{unit} aims at {target}, range {range}: hits on {faces}, {chance}",
                unit=unit,
                target=on,
                range=away,
                faces=joined(hits, "or"),
                chance=format_chance(combat.hit_chance(tuple(hits))),
            )
        case events.Shoots(unit, on, face, hit):
            return tr(
                "{unit} fires at {target}: {throw}", unit=unit, target=on, throw=_throw_clause(face, hit)
            )
        case events.LostShot(unit, on):
            return tr("{unit} does not fire: {target} is gone", unit=unit, target=on)
    return ""


def _describe_combat(what: Event) -> str:
    """Describe an event of combat, on the ground or in the air (R6), or a loss (R1.3)."""
    match what:
        case events.Declares(units, on, attack, defence, forts):
            return _describe_declaration(_attack_clause(units, on), attack, defence, forts)
        case events.Void(units, on):
            return tr.plural(
                "{units} no longer attacks {targets}: one side of the combat is gone",
                "{units} no longer attack {targets}: one side of the combat is gone",
                len(units),
                units=joined(units),
                targets=joined(on),
            )
        case events.Fights(units, on, attack, defence):
            return tr.plural(
                "{units} fights {targets}: {attack} against {defence}",
                "{units} fight {targets}: {attack} against {defence}",
                len(units),
                units=joined(units),
                targets=joined(on),
                attack=attack,
                defence=defence,
            )
        case events.Dice(ours, theirs, attack, defence):
            return tr(
                "The attacker rolls {ours}, the defender {theirs}: {attack} against {defence}, {result}",
                ours=ours,
                theirs=theirs,
                attack=attack,
                defence=defence,
                result=_result_clause(attack, defence),
            )
        case events.Struck(unit, at):
            return tr("{unit} in {at} is struck", unit=unit, at=at)
        case events.Eliminated(unit, at):
            return tr("{unit} in {at} is eliminated", unit=unit, at=at)
    raise AssertionError(what)


def _describe_standing_order(seat: str, fire: Hold, units: str) -> str:
    """R4.4: describe what the guns of a side fire at."""
    guns = tr("The Allied guns") if seat == ALLIED else tr("The Axis guns")
    match fire:
        case "hold":
            return tr("{guns} hold their fire: {units}", guns=guns, units=units)
        case "bombers":
            return tr("{guns} fire only at bombers: {units}", guns=guns, units=units)
        case "all":
            return tr("{guns} fire at all aircraft: {units}", guns=guns, units=units)


def _describe_weather(turn: int, turns: int, throw: str, weather: str) -> str:
    """R3.1: describe a turn and its weather, with its date if it has one."""
    if day := date_of_turn(turn):
        return tr(
            "Turn {turn} of {turns}, {day}: {throw}, {weather}",
            turn=turn,
            turns=turns,
            day=day,
            throw=throw,
            weather=weather,
        )
    return tr(
        "Turn {turn} of {turns}: {throw}, {weather}", turn=turn, turns=turns, throw=throw, weather=weather
    )


def _describe_pass(side: Side, question: Phase) -> str:
    """Describe a pass, by its question."""
    match question:
        case Phase.AIR:
            return tr("{side:The} {side:passes|pass} this air sub-turn", side=side)
        case Phase.MOVE:
            return tr("{side:The} {side:passes its|pass their} movement", side=side)
        case Phase.FIRE:
            return tr("{side:The} {side:passes its|pass their} fire", side=side)
        case Phase.COMBAT:
            return tr("{side:The} {side:passes its|pass their} combats", side=side)
    raise AssertionError(question)


def _describe_declaration(clause: str, attack: int, defence: int, forts: Sequence[str]) -> str:
    """R6.1: describe a combat with its factors and its chance."""
    wins = format_chance(combat.win_chance(attack, defence))
    if not forts:
        return tr(
            "{combat}: {attack} against {defence}, wins {chance} of the time",
            combat=clause,
            attack=attack,
            defence=defence,
            chance=wins,
        )
    return tr(
        "{combat}: {attack} against {defence}, {units} doubled by fortification, wins {chance} of the time",
        combat=clause,
        attack=attack,
        defence=defence,
        units=joined(forts),
        chance=wins,
    )


def _attack_clause(units: Sequence[str], on: Sequence[str]) -> str:
    """A clause about who attacks whom."""
    return tr.plural(
        "{units} attacks {targets}",
        "{units} attack {targets}",
        len(units),
        units=joined(units),
        targets=joined(on),
    )


def _throw_clause(face: int, hit: bool) -> str:
    return tr("a roll of {face} hits", face=face) if hit else tr("a roll of {face} misses", face=face)


def _result_clause(attack: int, defence: int) -> str:
    """A clause about who has won, from the products."""
    if attack == defence:
        return tr("a tie, and both roll again")
    return tr("the attacker wins") if attack > defence else tr("the defender wins")


def _list_hexes(hexes: Sequence[str]) -> str:
    return f"{len(hexes)} ({listed(hexes)})" if hexes else tr.sense("of hexes", "none")


def traces(tell: Tell) -> list[Trace]:
    """The traces of one event, in order."""
    now: State = tell.state
    match tell.what:
        case events.WeatherComes(turn):
            return [Turn(turn)]
        case events.Flies(unit, start, _, path) | events.Moves(unit, start, _, path):
            return [Way(now.side(unit), (start, *path), unit)]
        case events.Lands(unit, start, to):
            return [Way(now.side(unit), (start, to), unit)]
        case events.Flak(gun, unit, at, face, hit):
            return _shot_traces(now, [gun], [unit], at, combat.hit_chance((FLAK_HITS,)), face, hit)
        case events.Bombs(unit, on, at, face, hit):
            return _shot_traces(
                now, [unit], [on], at, combat.hit_chance(air.bombing_faces(now, on)), face, hit
            )
        case events.Aims(unit, on, _, hits):
            return [_attack_trace(now, [unit], [on], now.at(on), combat.hit_chance(tuple(hits)))]
        case events.Declares(units, on, attack, defence):
            return [_attack_trace(now, units, on, now.at(on[0]), combat.win_chance(attack, defence))]
        case events.Shoots(unit, on, face, hit):
            return _shot_traces(now, [unit], [on], now.at(on), _fire_chance(now, unit, on), face, hit)
        case events.Fights(units, on, attack, defence):
            return [_attack_trace(now, units, on, now.at(on[0]), combat.win_chance(attack, defence))]
        case events.Dice(ours, theirs, attack, defence):
            thrown = Drawn(f"{ours} : {theirs}")
            return [thrown] if attack == defence else [thrown, Settled(attack > defence)]
        case events.Struck(unit, at):
            return [Struck(at, unit)]
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
    """The traces of an attack decided by one throw."""
    return [_attack_trace(now, units, on, at, chance), Drawn(str(face)), Settled(hit)]


def _fire_chance(now: State, unit: str, on: str) -> Fraction:
    """R7.1: the chance in the fire table, even if the unit may not fire again: it just has."""
    row = now.setting.fire[fire.row(now, unit)]
    return combat.hit_chance(row.hits.get(fire.column(now, on), ()))
