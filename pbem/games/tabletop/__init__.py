"""Tabletop: dice, decks, hidden hands and a signed journal for any board game, as `RULES`. See RULES.md.

It has three packages: `terms`; `rules`, which needs only `terms`; and `view`, imported when used. There are
no computer players: only the two people know what a die or a card means.
"""

from __future__ import annotations

from pbem.core.rules import Rules, Sharing
from pbem.games.tabletop.rules import hands, sequence, state
from pbem.games.tabletop.terms import scenario

RULES = Rules(
    name="tabletop",
    version=1,
    title="Tabletop",
    package=__name__,
    seats=scenario.SEATS,
    editions=scenario.EDITIONS,
    beats=scenario.beats,
    scenarios=scenario.SCENARIOS,
    begin=state.begin,
    sequence=sequence.SEQUENCE,
    public=state.public_position,
    offers=sequence.offers,
    named_sides=scenario.named_sides,
    known=hands.known,
    computed=hands.computed,
    settles_results=True,
    compares_scenarios=False,
    sharing=Sharing("T1"),
)
