"""The game store: each game's newest log, what was signed here and has been sent, and how other files
compare.
"""
