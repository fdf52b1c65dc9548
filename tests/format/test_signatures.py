"""FORMAT section 2, signatures: Ed25519 as in RFC 8032, and one text for each signature."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64decode, b64encode
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.format.keys import PrivateKey, PublicKey, verify_signature

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "protocol.json").read_text("utf-8"))
US = PrivateKey(bytes.fromhex(VECTORS["seats"]["us"]["private"]))
GERMAN = PrivateKey(bytes.fromhex(VECTORS["seats"]["german"]["private"]))
MESSAGE = b"pbem/1 entry\n" + VECTORS["entry"]["canonical"].encode()
SIG = VECTORS["entry"]["sig"]
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point (RFC 8032, 5.1)."""


class TestVectors:
    """sig = base64 of Ed25519(M(entry)) under the writer's key."""

    def test_the_entry_of_the_vectors(self) -> None:
        assert US.sign(MESSAGE) == SIG
        assert verify_signature(US.public, MESSAGE, SIG)

    def test_rfc_8032_test_2(self) -> None:
        """Section 7.1 of the RFC: one byte, 0x72."""
        key = PrivateKey(bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
        assert key.public.raw.hex() == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
        assert b64decode(key.sign(b"\x72")).hex() == (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        )


class TestRefused:
    """Anything but the writer's own signature of these very bytes, as its one text."""

    def test_another_message(self) -> None:
        assert not verify_signature(US.public, MESSAGE + b" ", SIG)

    def test_another_key(self) -> None:
        assert not verify_signature(GERMAN.public, MESSAGE, SIG)

    def test_a_key_that_is_no_point(self) -> None:
        """y = 2 gives no x: (y² - 1) / (d y² + 1) is not a square."""
        assert not verify_signature(PublicKey((2).to_bytes(32, "little")), MESSAGE, SIG)

    @given(st.integers(0, 511))
    def test_one_bit_changed(self, bit: int) -> None:
        changed = int.from_bytes(b64decode(SIG), "big") ^ (1 << bit)
        assert not verify_signature(US.public, MESSAGE, b64encode(changed.to_bytes(64, "big")).decode())

    def test_s_plus_l(self) -> None:
        """The same curve equation holds for S + L; only S < L may pass, or a signature has two forms."""
        raw = b64decode(SIG)
        s = int.from_bytes(raw[32:], "little") + L
        assert not verify_signature(
            US.public, MESSAGE, b64encode(raw[:32] + s.to_bytes(32, "little")).decode()
        )

    @pytest.mark.parametrize(
        "sig",
        [
            "",
            SIG[:-2],
            SIG[:-1],
            SIG + "=",
            SIG + "\n",
            " " + SIG,
            SIG[:40] + "\n" + SIG[40:],
            SIG.replace("+", "-").replace("/", "_"),
            SIG[:-3] + "x==",
            "ä" + SIG[1:],
            b64encode(b64decode(SIG) + b"\x00").decode(),
            b64encode(b64decode(SIG)[:63]).decode(),
        ],
    )
    def test_another_text(self, sig: str) -> None:
        assert sig != SIG
        assert not verify_signature(US.public, MESSAGE, sig)

    @given(st.text())
    def test_garbage(self, sig: str) -> None:
        assert not verify_signature(US.public, MESSAGE, sig)


def test_checking_a_file_does_not_pay_for_reading_keys() -> None:
    """The import of key formats is slow, and every run of the program would wait for it."""
    slow = "cryptography.hazmat.primitives.serialization"
    code = f"import sys, pbem.format; sys.exit({slow!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
