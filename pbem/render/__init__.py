"""Pictures and words for people: the map as plain ASCII, and text made safe to print.

Knows no game: a game hands over its position as a `pbem.core.legend.Legend`.
"""

from pbem.render.picture import board
from pbem.render.window import MOST_RADIUS, around, only, reaching
from pbem.render.words import WIDTH, cut, safe, wrap

__all__ = ["MOST_RADIUS", "WIDTH", "around", "board", "cut", "only", "reaching", "safe", "wrap"]
