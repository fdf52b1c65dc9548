"""Correspondence: a game by mail. Incoming mail is judged and filed, and the player's own moves are
mailed.
"""
