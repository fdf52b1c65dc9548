"""The tracks and figures beside the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.core.legend import Track
from pbem.core.requests import Plain
from pbem.core.sentences import listed
from pbem.core.versions import edition
from pbem.games.rommel.rules import victory
from pbem.games.rommel.rules.state import Phase, State
from pbem.games.rommel.terms import names
from pbem.games.rommel.terms.names import SIDES
from pbem.games.rommel.terms.setting import Weather
from pbem.games.rommel.view.facts import date_of_turn
from pbem.texts import Texts

tr = Texts("pbem.games.rommel")

WEATHERS: tuple[Weather, ...] = ("clear", "dust", "storm")


def figures_beside_map(now: State, editions: Mapping[str, Mapping[str, Plain]]) -> Iterator[tuple[str, str]]:
    """The figures of a position, with their names."""
    options = now.setting.options
    yield tr("Turn"), tr("{turn} of {turns}", turn=now.turn, turns=options.final_turn)
    if day := date_of_turn(now.turn):
        yield tr("Date"), day
    yield tr("Weather"), str(names.weather_name(now.weather)) if now.weather else tr("not yet known")
    yield tr.sense("of a turn", "Phase"), _describe_phase(now)
    held, lost = victory.held_points(now), victory.lost_villages(now)
    points = tr("{held} of {points}", held=len(held), points=len(now.setting.victory_points))
    yield tr("Allied points"), points + (f" ({listed(held)})" if held else "")
    yield (
        tr("Allied villages"),
        tr("lost {hexes}", hexes=listed(lost)) if lost else tr.sense("of villages", "safe"),
    )
    yield tr("Edition"), edition(options, editions) or tr.sense("of an edition", "own")


def tracks_beside_map(now: State) -> Iterator[Track]:
    """The figures that have a track of boxes on the map."""
    options = now.setting.options
    yield Track(tr("Turn"), tuple(map(str, range(1, options.final_turn + 1))), now.turn - 1)
    weathers, today = tuple(str(names.weather_name(one)) for one in WEATHERS), now.weather
    yield Track(tr("Weather"), weathers, WEATHERS.index(today) if today else -1)
    flying = now.step == Phase.AIR
    subturns = tuple(map(str, range(1, options.air_subturns + 1)))
    yield Track(tr.sense("of sub-turns", "Air"), subturns, now.subturn - 1 if flying else -1)


def _describe_phase(now: State) -> str:
    """What happens now, and who does it."""
    match now.step:
        case Phase.AXIS_FIRST_SETUP:
            return tr("the Axis sets up sixteen counters")
        case Phase.AXIS_SCREEN_SETUP:
            return tr("the Axis sets up behind the screen")
        case Phase.ALLIED_SCREEN_SETUP:
            return tr("the Allies set up behind the screen")
        case Phase.AXIS_OPEN:
            return tr("the screen is removed")
        case Phase.ALLIED_LAST_SETUP:
            return tr("the Allies set up their last sixteen")
        case Phase.WEATHER:
            return tr("weather")
        case Phase.LANDING:
            return tr("aircraft land")
        case Phase.END_OF_TURN:
            return tr("end of the turn")
        case Phase.OVER:
            return tr("the game is over")
        case Phase.AIR:
            most = now.setting.options.air_subturns
            return tr(
                "{side} {side:flies|fly}, sub-turn {number} of {most}",
                side=SIDES[now.active],
                number=now.subturn,
                most=most,
            )
        case Phase.MOVE:
            return tr("{side} {side:moves|move}", side=SIDES[now.active])
        case Phase.FIRE:
            return tr("{side} {side:fires|fire}", side=SIDES[now.active])
        case Phase.COMBAT:
            return tr("{side} {side:fights|fight}", side=SIDES[now.active])
