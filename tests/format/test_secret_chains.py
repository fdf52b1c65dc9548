"""FORMAT section 5, chains: against the vectors, and against hmac and hashlib used by hand."""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.format.draws import Chain, Commitment, chain_seed

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "protocol.json").read_text("utf-8"))
GAME = VECTORS["game"]
BEATS = VECTORS["beats"]
SEATS = VECTORS["seats"]
seats = pytest.mark.parametrize("seat", sorted(SEATS))


def chain_of(seat: str) -> Chain:
    return Chain(bytes.fromhex(SEATS[seat]["chain_seed"]), BEATS, GAME, seat)


def commitment_of(seat: str) -> Commitment:
    return Commitment(GAME, seat, 0, bytes.fromhex(SEATS[seat]["chain"][0]))


class TestChainSeed:
    """The private key and the nonce give the top of the chain by HKDF-SHA256."""

    @seats
    def test_vector(self, seat: str) -> None:
        private, nonce = (bytes.fromhex(SEATS[seat][key]) for key in ("private", "nonce"))
        assert chain_seed(private, nonce, GAME, seat).hex() == SEATS[seat]["chain_seed"]

    @given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
    def test_rfc_5869_by_hand(self, private: bytes, nonce: bytes) -> None:
        extracted = hmac.digest(nonce, private, "sha256")
        info = b"pbem/1 chain\n" + GAME.encode() + b"\nus"
        assert chain_seed(private, nonce, GAME, "us") == hmac.digest(extracted, info + b"\x01", "sha256")

    def test_every_input_matters(self) -> None:
        seeds = {
            chain_seed(b"p" * 32, b"n" * 32, GAME, "us"),
            chain_seed(b"q" * 32, b"n" * 32, GAME, "us"),
            chain_seed(b"p" * 32, b"o" * 32, GAME, "us"),
            chain_seed(b"p" * 32, b"n" * 32, "ff" * 16, "us"),
            chain_seed(b"p" * 32, b"n" * 32, GAME, "german"),
        }
        assert len(seeds) == 5


class TestChain:
    """Each secret is the hash of the one above it; the lowest is the anchor."""

    @seats
    def test_vector(self, seat: str) -> None:
        chain = chain_of(seat)
        secrets = [chain.anchor, *(chain.share(beat) for beat in range(1, BEATS + 1))]
        assert [secret.hex() for secret in secrets] == SEATS[seat]["chain"]

    def test_link_by_hand(self) -> None:
        chain = Chain(b"top" * 8, 1, GAME, "us")
        assert chain.share(1) == b"top" * 8
        assert (
            chain.anchor == hashlib.sha256(b"pbem/1 link\n" + GAME.encode() + b"\nus\n" + b"top" * 8).digest()
        )

    @pytest.mark.parametrize("beat", [-1, 0, BEATS + 1])
    def test_no_share_beyond_the_chain(self, beat: int) -> None:
        with pytest.raises(ValueError, match=f"found beat {beat}, expected 1 to 16"):
            chain_of("us").share(beat)

    def test_the_longest_chain(self) -> None:
        chain = Chain(bytes(32), 65_536, GAME, "us")
        assert Commitment(GAME, "us", 0, chain.anchor).open(65_536, bytes(32)) is not None


class TestCommitment:
    """Section 6 rule 5: a share is checked by hashing down to the last one known."""

    @seats
    def test_beats_one_by_one(self, seat: str) -> None:
        chain, known = chain_of(seat), commitment_of(seat)
        for beat in range(1, BEATS + 1):
            opened = known.open(beat, chain.share(beat))
            assert opened == replace(known, beat=beat, secret=chain.share(beat))
            known = opened

    @given(st.integers(0, BEATS), st.integers(0, BEATS), st.integers(0, BEATS))
    def test_only_the_beats_own_secret_opens_a_later_beat(self, known: int, beat: int, secret: int) -> None:
        secrets = [bytes.fromhex(text) for text in SEATS["us"]["chain"]]
        opened = Commitment(GAME, "us", known, secrets[known]).open(beat, secrets[secret])
        assert (opened is not None) == (beat > known and secret == beat)

    def test_the_other_seats_secret_does_not(self) -> None:
        assert commitment_of("us").open(1, chain_of("german").share(1)) is None

    def test_nor_one_of_another_game(self) -> None:
        seed = bytes.fromhex(SEATS["us"]["chain_seed"])
        assert commitment_of("us").open(1, Chain(seed, BEATS, "ff" * 16, "us").share(1)) is None

    @given(st.binary(max_size=64))
    def test_nor_any_other_bytes(self, share: bytes) -> None:
        assert commitment_of("us").open(1, share) is None

    def test_a_share_gives_the_secrets_below_it(self) -> None:
        """Section 6 rule 2: a reader computes x[b] from the share x[b+1] by one link."""
        chain = chain_of("us")
        known = commitment_of("us").open(5, chain.share(5))
        assert known is not None
        assert known.secret_of(5) == chain.share(5)
        assert known.secret_of(4) == chain.share(4)
        assert known.secret_of(0) == chain.anchor
