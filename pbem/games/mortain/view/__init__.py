"""What the game tells and shows people, as `VIEW`."""

from __future__ import annotations

from fractions import Fraction

from pbem.core.rules import View
from pbem.games.mortain.rules import events
from pbem.games.mortain.rules.state import State
from pbem.games.mortain.view import aim, forecast, further, legend, odds, overlays, story, traces, words


def chance(state: State) -> Fraction | None:
    """The exact chance of the attack that waits for a card."""
    return None if state.attack is None else odds.chance(state, state.attack)


VIEW = View(
    prompt=words.prompt,
    read_words=words.read,
    write_words=words.write,
    legend=legend.legend,
    story=story.line,
    odds=odds.odds,
    chance=chance,
    reach=overlays.reach,
    combat=lambda tell: isinstance(tell.what, (events.AttackCard, events.Misses)),
    turn=lambda state: state.turn,
    routes=overlays.routes,
    sight=overlays.sight,
    threats=overlays.threats,
    threatening=overlays.threatening,
    further=further.further,
    after=further.after,
    aim=aim.aim,
    forecast=forecast.forecast,
    why=forecast.why,
    traces=traces.traces,
    allows=words.allows,
)
