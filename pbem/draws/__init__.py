"""Commitments, shares, beats and draws (FORMAT section 5): bytes and numbers, and no game."""
