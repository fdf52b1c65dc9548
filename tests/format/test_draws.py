"""FORMAT section 5, beats and draws: against the vectors, by hand, and exact bounds on the bias."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pbem.format.draws import Preimage, PreimagePart, beat_seed, draw_number, explain_beat, explain_draw

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "protocol.json").read_text("utf-8"))
GAME = VECTORS["game"]
BEATS = sorted(VECTORS["beat_seeds"].items())
beats = pytest.mark.parametrize(("beat", "expected"), BEATS, ids=[beat for beat, _ in BEATS])


def secrets_of(beat: int) -> dict[str, bytes]:
    return {name: bytes.fromhex(seat["chain"][beat]) for name, seat in VECTORS["seats"].items()}


class TestBeatSeed:
    """R[b] is the hash of both secrets of the beat, the seats sorted by name."""

    @beats
    def test_vector(self, beat: str, expected: dict[str, Any]) -> None:
        assert beat_seed(GAME, int(beat), secrets_of(int(beat))).hex() == expected["seed"]

    def test_the_order_of_the_mapping_does_not_matter(self) -> None:
        secrets = {"us": b"u" * 32, "german": b"g" * 32}
        assert beat_seed(GAME, 7, secrets) == beat_seed(GAME, 7, dict(reversed(secrets.items())))

    def test_each_secret_the_beat_and_the_game_matter(self) -> None:
        german, us = b"g" * 32, b"u" * 32
        seeds = {
            beat_seed(GAME, 7, {"german": german, "us": us}),
            beat_seed(GAME, 7, {"german": us, "us": german}),
            beat_seed(GAME, 7, {"german": german, "us": german}),
            beat_seed(GAME, 8, {"german": german, "us": us}),
            beat_seed("ff" * 16, 7, {"german": german, "us": us}),
        }
        assert len(seeds) == 5


class TestDraw:
    """The j-th draw among k outcomes is D[b][j] mod k."""

    @beats
    @pytest.mark.parametrize("k", [6, 53])
    def test_vector(self, beat: str, expected: dict[str, Any], k: int) -> None:
        seed = bytes.fromhex(expected["seed"])
        assert [draw_number(seed, j) % k for j in range(8)] == expected[f"mod_{k}"]

    @beats
    def test_cards_are_drawn_from_those_left_in_their_fixed_order(
        self, beat: str, expected: dict[str, Any]
    ) -> None:
        seed = bytes.fromhex(expected["seed"])
        left = list(range(53))
        drawn = [left.pop(draw_number(seed, j) % len(left)) for j in range(53)]
        assert drawn == expected["shuffle_53"]

    def test_by_hand(self) -> None:
        digest = hashlib.sha256(b"pbem/1 draw\n" + b"s" * 32 + b"\x00\x00\x01\x02").hexdigest()
        assert draw_number(b"s" * 32, 258) == int(digest, 16)

    @pytest.mark.parametrize("k", [2, 3, 6, 53, 65_535])
    def test_the_bias_is_below_2_to_the_minus_240(self, k: int) -> None:
        """Of 2^256 equally likely digests the low outcomes get one more than the high ones, no more."""
        low_outcomes, each = 2**256 % k, 2**256 // k
        assert low_outcomes * (each + 1) + (k - low_outcomes) * each == 2**256
        assert Fraction(each + 1, 2**256) - Fraction(1, k) < Fraction(1, 2**240)


class TestExplained:
    """What is shown to whoever wants to recompute a draw."""

    def test_a_beat(self) -> None:
        beat = explain_beat(GAME, 12, {"us": b"\xbb" * 32, "german": b"\xaa" * 32})
        assert [(str(part.meaning()), str(part)) for part in beat.parts] == [
            ("beat tag", r'"pbem/1 beat\n"'),
            ("game", rf'"{GAME}\n"'),
            ("beat", r'"12\n"'),
            ("x[12] of german", "aa" * 32),
            ("x[12] of us", "bb" * 32),
        ]
        assert beat.data == f"pbem/1 beat\n{GAME}\n12\n".encode() + b"\xaa" * 32 + b"\xbb" * 32

    def test_a_draw(self) -> None:
        draw = explain_draw(b"\xcc" * 32, 3)
        assert [str(part) for part in draw.parts] == [r'"pbem/1 draw\n"', "cc" * 32, "00000003"]
        assert int.from_bytes(draw.digest, "big") == draw_number(b"\xcc" * 32, 3)

    def test_the_digest_is_that_of_the_joined_bytes(self) -> None:
        """The SHA-256 of `abc`, as FIPS 180 gives it."""
        preimage = Preimage((PreimagePart(lambda: "a letter", "a"), PreimagePart(lambda: "two bytes", b"bc")))
        assert preimage.digest.hex() == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
