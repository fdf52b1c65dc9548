"""Commitments, shares, beats and draws (FORMAT section 5): bytes and numbers, and no game."""

from pbem.draws.beats import Part, Preimage, beat_seed, draw_number, explain_beat, explain_draw
from pbem.draws.chains import Chain, Commitment, chain_seed

__all__ = [
    "Chain",
    "Commitment",
    "Part",
    "Preimage",
    "beat_seed",
    "chain_seed",
    "draw_number",
    "explain_beat",
    "explain_draw",
]
