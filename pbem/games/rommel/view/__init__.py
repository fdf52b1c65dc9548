"""What the game tells and shows people, as `VIEW`."""

from __future__ import annotations

from pbem.core.rules import View
from pbem.games.rommel.view import aim, forecast, legend, odds, reach, story, words

VIEW = View(
    read_words=words.read,
    write_words=words.write,
    prompt=words.prompt,
    story=story.line,
    legend=legend.legend,
    odds=odds.odds,
    chance=lambda state: None,  # a list of orders has many; the story tells each before its dice
    setups=words.setups,
    reach=reach.reach,
    aim=aim.aim,
    forecast=forecast.forecast,
)
