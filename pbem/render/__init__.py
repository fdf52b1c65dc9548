"""Pictures and words for people: the map as plain ASCII, and text made safe to print.

Knows no game: a game hands over its position as a `pbem.core.legend.Legend`.
"""
