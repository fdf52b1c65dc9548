"""`tests/vectors/protocol.json` in the browser: the formulas of the page are those of FORMAT."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest

from format.test_keys import small_order_encodings
from support.browsers import Browser

VECTORS = json.loads((Path(__file__).parent.parent / "vectors" / "protocol.json").read_text("utf-8"))
GAME = VECTORS["game"]
REFUSED = "(() => { try { %s; } catch (fault) { return fault.step; } })()"
SIGNED = "F.isSigned(F.publicKey(given[0]), given[1], given[2])"


@pytest.fixture
def formulas(checking: Browser) -> Formulas:
    """Those of the checker, which is open in the browser."""
    return Formulas(checking)


class Formulas:
    """The functions of formulas.js."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser

    def __call__(self, expression: str, *arguments: Any) -> Any:
        """What an expression gives in the browser; `given` in it are the arguments."""
        script = "const [given, done] = arguments; const F = formulas; (async () => done(await (%s)))();"
        return self.browser.wait(script % expression, list(arguments))


class TestVectors:
    def test_chains(self, formulas: Formulas) -> None:
        for name, seat in VECTORS["seats"].items():
            script = "Promise.all(given[2].map((above) => F.link(given[0], given[1], above)))"
            assert formulas(script, GAME, name, seat["chain"][1:]) == seat["chain"][:-1]

    def test_keys(self, formulas: Formulas) -> None:
        for seat in VECTORS["seats"].values():
            raw = formulas("[...F.publicKey(given[0])]", seat["key"])
            assert bytes(raw) == b64decode(seat["key"].removeprefix("ssh-ed25519 "))[-32:]

    @pytest.mark.parametrize("beat", VECTORS["beat_seeds"])
    def test_beats_and_draws(self, formulas: Formulas, beat: str) -> None:
        expected = VECTORS["beat_seeds"][beat]
        secrets = [{"secret": VECTORS["seats"][name]["chain"][int(beat)]} for name in ("german", "us")]
        assert formulas("F.seedOf(...given)", GAME, int(beat), secrets) == expected["seed"]
        script = "Promise.all([...Array(53).keys()].map((j) => F.drawOf(given[0], j)))"
        numbers = [int(digest, 16) for digest in formulas(script, expected["seed"])]
        assert [number % 53 for number in numbers[:8]] == expected["mod_53"]
        assert [number % 6 for number in numbers[:8]] == expected["mod_6"]
        left = list(range(53))
        assert [left.pop(number % len(left)) for number in numbers] == expected["shuffle_53"]

    def test_an_entry(self, formulas: Formulas) -> None:
        vector = VECTORS["entry"]
        entry = {**vector["entry"], "sig": vector["sig"]}
        text = "pbem/1 entry\n" + vector["canonical"]
        assert formulas("F.message(given[0])", entry) == text
        assert formulas("F.hash(given[0]).then(F.hex)", text) == vector["id"]
        key = VECTORS["seats"]["us"]["key"]
        assert formulas(SIGNED, key, text, vector["sig"]) is True
        assert formulas(SIGNED, key, text + " ", vector["sig"]) is False

    def test_a_seal(self, formulas: Formulas) -> None:
        vector = VECTORS["seal"]
        assert formulas("F.canonical(given[0])", vector["orders"]) == vector["canonical"]
        given = (GAME, vector["seat"], vector["salt"], vector["orders"])
        assert formulas("F.sealOf(...given)", *given) == vector["seal"]

    def test_a_position(self, formulas: Formulas) -> None:
        vector = VECTORS["position"]
        script = "F.hash('pbem/1 position\\n', F.canonical(given[0])).then(F.hex)"
        assert formulas(script, vector["position"]) == vector["id"]

    def test_a_part(self, formulas: Formulas) -> None:
        vector = VECTORS["part"]
        assert formulas(SIGNED, vector["key"], vector["message"], vector["sig"]) is True


class TestRefused:
    """What RFC 8785 has no form for, and keys and signatures that prove nothing."""

    @pytest.mark.parametrize(
        "value", ["1.5", "2 ** 53", "'\\ud800'", "undefined", "{'é': 1}", "NaN", "[() => 1]"]
    )
    def test_no_canonical_form(self, formulas: Formulas, value: str) -> None:
        assert formulas(REFUSED % f"F.canonical({value})") == 1

    @pytest.mark.parametrize("raw", small_order_encodings(), ids=bytes.hex)
    def test_no_key(self, formulas: Formulas, raw: bytes) -> None:
        """Of small order, so that anybody can sign under it."""
        wire = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + raw
        script = REFUSED % "F.publicKey(given[0])"
        assert formulas(script, "ssh-ed25519 " + b64encode(wire).decode()) == 4

    def test_no_signature(self, formulas: Formulas) -> None:
        """S + L instead of S: another text that some readers would take for the same signature."""
        vector = VECTORS["entry"]
        raw = b64decode(vector["sig"])
        order = 2**252 + 27742317777372353535851937790883648493
        malleable = raw[:32] + (int.from_bytes(raw[32:], "little") + order).to_bytes(32, "little")
        text = "pbem/1 entry\n" + vector["canonical"]
        key = VECTORS["seats"]["us"]["key"]
        for sig in (
            b64encode(malleable).decode(),
            vector["sig"].rstrip("="),
            vector["sig"] + "\n",
            "",
            "ab==",
        ):
            assert formulas(SIGNED, key, text, sig) is False
