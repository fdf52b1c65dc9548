"""The traces that the events of Mortain leave on the map."""

from __future__ import annotations

from pbem.core.requests import Tell
from pbem.core.sentences import joined
from pbem.core.traces import Drawn, Lost, Settled, Shot, Struck, Trace, Turn, Way
from pbem.games.mortain.rules import chances, events
from pbem.texts import Texts

tr = Texts("pbem.games.mortain")


def traces(tell: Tell) -> list[Trace]:
    """The traces of one event, in order."""
    match tell.what:
        case events.TurnBegins(turn, _):
            return [Turn(turn)]
        case events.Moves(seat, _, start, to):
            return [Way(seat, (start, to))]
        case events.Enters(seat, _, at) | events.Exits(seat, _, at):
            return [Way(seat, (at,))]
        case events.Attack() as attack:
            return [_attack_trace(tell, attack)]
        case events.AttackCard(card):
            return [Drawn(card)]
        case events.Hit(_, at):
            return [Settled(True), Struck(at)]
        case events.Eliminated(unit, at):
            return [Settled(True), Lost(at, unit)]
        case events.Misses():
            return [Settled(False)]
    return []


def _attack_trace(tell: Tell, attack: events.Attack) -> Shot:
    """The trace of a declared attack, with its chance at that moment (M5.5 to M5.8)."""
    out_of = tuple(dict.fromkeys(tell.state.at(name) for name in attack.firers))
    return Shot(
        attack.by, out_of, attack.at, chances.hit_chance(tell.state, tell.state.attack), _attack_label(attack)
    )


def _attack_label(attack: events.Attack) -> str:
    """A short label for an attack."""
    targets = joined(attack.targets)
    match attack.way:
        case "fire":
            return tr("{firers} at {targets}", firers=joined(attack.firers), targets=targets)
        case "air":
            return tr("Air at {targets}", targets=targets)
    return tr("Artillery at {targets}", targets=targets)
