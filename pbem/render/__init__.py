"""A position as ASCII, SVG or PNG, a game as a story, and text made safe to print.

It knows no game: each gives its position as a `pbem.core.legend.Legend`.
"""
