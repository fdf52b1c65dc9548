"""The minimal verifier against a file made with pbem's own keys and chains, and against tampered copies.

The keys, nonces and game are those of the test vectors, so the vectors say what the beats must give.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import yaml

from independent.minimal_verifier import Fails, main, message, verify
from pbem.format.draws import Chain, chain_seed
from pbem.format.keys import PrivateKey

FOLDER = Path(__file__).parent.parent / "vectors"
VECTORS = json.loads((FOLDER / "protocol.json").read_text("utf-8"))
SECTION_12 = {
    row["name"]: row for row in json.loads((FOLDER / "section12" / "index.json").read_text("utf-8"))
}
GAME = VECTORS["game"]
KEYS = {name: PrivateKey(bytes.fromhex(seat["private"])) for name, seat in VECTORS["seats"].items()}

Log: TypeAlias = list[dict[str, Any]]


def chain(name: str) -> Chain:
    nonce = bytes.fromhex(VECTORS["seats"][name]["nonce"])
    return Chain(chain_seed(KEYS[name].seed, nonce, GAME, name), VECTORS["beats"], GAME, name)


CHAINS = {name: chain(name) for name in KEYS}


def seat(name: str) -> dict[str, str]:
    return {
        "name": name,
        "key": str(KEYS[name].public),
        "nonce": VECTORS["seats"][name]["nonce"],
        "anchor": CHAINS[name].anchor.hex(),
    }


def share(name: str, beat: int) -> dict[str, Any]:
    return {"beat": beat, "share": CHAINS[name].share(beat).hex()}


POSITION = {"position": "ab" * 32}
"""A digest; no reader that knows no game can compute it."""


def honest_log() -> Log:
    """A game that opens each beat in another way; unsigned."""
    both = share("german", 2)  # completes 1, opens 2
    third = share("us", 3) | POSITION
    return [
        {"by": "german", "kind": "offer", "game": GAME, "beats": 16, "seat": seat("german")},
        {"by": "us", "kind": "accept", "seat": seat("us"), **share("us", 1)},
        {"by": "german", "kind": "play", "orders": ["fire"], **both, **POSITION},
        {"by": "us", "kind": "play", **share("us", 2), **POSITION},
        {"by": "us", "kind": "propose", "what": {"draw": True}},
        {"by": "german", "kind": "answer", "accept": False},
        {"by": "us", "kind": "play", "orders": [], "say": "Glück auf \u2028 \x01", **third},
        {"by": "german", "kind": "resign"},
    ]


def sign(log: Log) -> Log:
    """Number, link and sign every entry, each with its writer's key."""
    prev = None
    for n, entry in enumerate(log):
        entry.update({"n": n, "prev": prev} if prev else {"n": n})
        entry["sig"] = KEYS[entry["by"]].sign(message(entry))
        prev = sha256(message(entry)).hexdigest()
    return log


def written(log: Log) -> bytes:
    return yaml.safe_dump({"pbem": 1, "log": log}, allow_unicode=True).encode()


class TestHonestFile:
    def test_seeds_are_those_of_the_vectors(self) -> None:
        seeds = verify(written(sign(honest_log())))
        assert seeds == {beat: VECTORS["beat_seeds"][str(beat)]["seed"] for beat in (1, 2)}

    def test_main_prints_them(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "game.yaml"
        path.write_bytes(written(sign(honest_log())))
        main(str(path))
        assert capsys.readouterr().out.splitlines()[0] == f"1 {VECTORS['beat_seeds']['1']['seed']}"

    def test_an_offer_alone_holds(self) -> None:
        assert verify(written(sign(honest_log()[:1]))) == {}

    def test_the_message_is_that_of_the_vectors(self) -> None:
        vector = VECTORS["entry"]
        assert sha256(message(vector["entry"])).hexdigest() == vector["id"]
        assert message(vector["entry"]) == b"pbem/1 entry\n" + vector["canonical"].encode()


def small_order_key() -> str:
    return "ssh-ed25519 " + b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0\x20\x01" + bytes(31)).decode()


TAMPERED: dict[str, tuple[Callable[[Log], object], str]] = {
    "a word changed": (lambda log: log[6].update(say="no"), r"log\[6\]: the signature"),
    "a signature taken from elsewhere": (lambda log: log[4].update(sig=log[3]["sig"]), r"log\[4\]: the sig"),
    "an entry cut out": (lambda log: log.pop(4), r"log\[4\]: n or prev"),
    "two entries swapped": (lambda log: log.insert(4, log.pop(5)), r"log\[4\]: n or prev"),
    "an entry under the other name": (lambda log: log[4].update(by="german"), r"log\[4\]: the signature"),
}
"""What a stranger can do to a signed log, and where it shows."""

CHEATED: dict[str, tuple[Callable[[Log], object], str]] = {
    "a share of one's own choice": (
        lambda log: log[3].update(share="ab" * 32),
        r"log\[3\]: a share that is not",
    ),
    "another beat's share": (lambda log: log[3].update(share=log[1]["share"]), r"log\[3\]: a share that is"),
    "a beat left out": (lambda log: log[6].update(share("us", 4)), r"log\[6\]: a share of beat 4"),
    "a beat opened twice": (lambda log: log[6].update(share("us", 2)), r"log\[6\]: a share of beat 2"),
    "a share withheld": (
        lambda log: [log[3].pop(key) for key in ("beat", "share")] + [log[3].update(orders=[])],
        r"log\[3\]: the other seat",
    ),
    "writing on while a beat is open": (lambda log: log[3].update(by="german"), r"log\[3\]: the other seat"),
    "a second offer": (lambda log: log[4].update(kind="offer"), r"log\[4\]: the kind offer"),
    "the opponent's anchor": (
        lambda log: log[1]["seat"].update(anchor=log[0]["seat"]["anchor"]),
        "two seats with one name or anchor",
    ),
    "both seats": (lambda log: log[1].update(by="german"), "two seats with one name"),
    "an offer to somebody else": (lambda log: log[0].update(to=seat("german")["key"]), "to another key"),
    "a key that says nothing": (
        lambda log: log[1]["seat"].update(key=small_order_key()),
        "a key of small order",
    ),
    "a key with a line end": (
        lambda log: log[1]["seat"].update(key=seat("us")["key"] + "\n"),
        "not an OpenSSH Ed25519 key",
    ),
}
"""What a player can do who signs whatever he likes, and where it shows."""


class TestTamperedFile:
    @pytest.mark.parametrize("attack", TAMPERED)
    def test_a_stranger_is_found_out(self, attack: str) -> None:
        change, fault = TAMPERED[attack]
        log = sign(honest_log())
        change(log)
        with pytest.raises(Fails, match=fault):
            verify(written(log))

    @pytest.mark.parametrize("attack", CHEATED)
    def test_a_cheating_player_is_found_out(self, attack: str) -> None:
        change, fault = CHEATED[attack]
        log = honest_log()
        change(log)
        with pytest.raises(Fails, match=fault):
            verify(written(sign(log)))


def expected(name: str, how: str) -> list[int] | None:
    """The step and the entry at which a log of section 12 or 13 fails; None where it holds."""
    failure: list[int] | None = SECTION_12[name]["expect"][how]
    return failure


@pytest.mark.parametrize("how", ["log", "game"])
@pytest.mark.parametrize("name", SECTION_12)
class TestSection12:
    """The forty logs of `tests/vectors/section12`, made by a second implementation from FORMAT alone."""

    def test_it_holds_or_fails_where_the_index_says(self, name: str, how: str) -> None:
        told = {int(n): what for n, what in SECTION_12[name]["told"].items()}
        found = None
        try:
            verify((FOLDER / "section12" / f"{name}.yaml").read_bytes(), told if how == "game" else None)
        except Fails as failure:
            found = [failure.step, failure.entry]
        assert found == expected(name, how)
