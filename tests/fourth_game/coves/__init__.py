"""Smugglers: its rules, as `RULES`. See RULES.md for what they say."""

from __future__ import annotations

from coves import rules
from pbem.core.rules import Rules

RULES = Rules(
    name="smugglers",
    version=1,
    title="Smugglers",
    package=__name__,
    seats=(rules.SMUGGLER, rules.CUSTOMS),
    editions={"standard": {"turns": 5, "cutters": 4}},
    scenarios=rules.SCENARIOS,
    sequence=rules.SEQUENCE,
    begin=rules.begin,
    beats=rules.beats,
    public=rules.public,
    offers=rules.offers,
)
