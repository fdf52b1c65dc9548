"""A second, minimal verifier of game files, written from docs/FORMAT.md alone.

It shares no code with pbem: the standard library, a stock YAML loader and Ed25519. It checks the links,
the keys, every signature, that of a commander's part too, and every share (steps 3 to 6 of FORMAT section 9
as far as they need no rules), and gives the seed of every completed beat. It knows no game, so it cannot tell
whose move it is or whether an order is legal; and its stock loader is not for files from strangers, as it has
no limits.

    python minimal_verifier.py game.yaml
"""

from __future__ import annotations

import json
import re
import sys
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import yaml
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

SMALL_ORDER = {  # FORMAT section 2; the top bit of the last byte, the sign, is cleared
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}


class Fails(Exception):
    """The file does not hold: the entry's number and what is wrong."""


def message(entry: dict[str, Any]) -> bytes:
    """Section 2: M(entry). The keys are ASCII, so Python sorts them as RFC 8785 does."""
    return b"pbem/1 entry\n" + canonical({key: value for key, value in entry.items() if key != "sig"})


def canonical(value: Any) -> bytes:
    """Section 2: C(value)."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8")


def public_key(text: str) -> bytes:
    """Section 2: the 32 bytes of a key in OpenSSH form."""
    raw = b64decode(text.removeprefix("ssh-ed25519 "))[-32:]
    wire = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + raw
    if text != "ssh-ed25519 " + b64encode(wire).decode():
        raise ValueError("not an OpenSSH Ed25519 key")
    if (raw[:31] + bytes([raw[31] & 0x7F])).hex() in SMALL_ORDER:
        raise ValueError("a key of small order")
    return raw


def signed(key: bytes, sig: str, signed_bytes: bytes) -> bool:
    """Section 2: whether the signature is good."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(b64decode(sig), signed_bytes)
    except (InvalidSignature, ValueError):
        return False
    return b64encode(b64decode(sig)).decode() == sig


class Beats:
    """Sections 5 and 6: each seat's newest secret, the open beat, the seeds of completed ones."""

    def __init__(self, game: str, anchors: dict[str, str]) -> None:
        self.game = game
        self.known = {seat: (0, bytes.fromhex(anchor)) for seat, anchor in anchors.items()}
        self.newest = 0
        self.opener: str | None = None  # who opened the newest beat, while the other seat has not
        self.seeds: dict[int, str] = {}

    def take(self, seat: str, beat: int, share: str) -> None:
        """Check a share by hashing it down to the newest secret known of its seat; complete the open beat."""
        if beat != self.newest + 1 and (self.opener is None or beat != self.newest):
            raise ValueError(f"a share of beat {beat}, which is not due")
        last, secret = self.known[seat]
        chain = {beat: bytes.fromhex(share)}
        for b in range(beat, last, -1):
            chain[b - 1] = sha256(f"pbem/1 link\n{self.game}\n{seat}\n".encode() + chain[b]).digest()
        if chain[last] != secret:
            raise ValueError(f"a share that is not x[{beat}]")
        if self.opener is not None:
            self.complete({seat: chain[self.newest], self.opener: self.known[self.opener][1]})
        self.known[seat] = (beat, chain[beat])
        self.newest = beat
        self.opener = None if beat in self.seeds else seat

    def complete(self, secrets: dict[str, bytes]) -> None:
        """Seed the newest beat from both seats' secrets."""
        first, second = (secrets[seat] for seat in sorted(secrets))
        preimage = f"pbem/1 beat\n{self.game}\n{self.newest}\n".encode() + first + second
        self.seeds[self.newest] = sha256(preimage).hexdigest()


def check_entry(entry: dict[str, Any], n: int, prev: str | None, keys: dict[str, bytes]) -> None:
    """Sections 2 and 4: number, link, kind and signature of one entry."""
    if entry["n"] != n or entry.get("prev") != prev:
        raise ValueError("n or prev does not follow the entry before")
    if (entry["kind"] == "offer") != (n == 0) or (entry["kind"] == "accept") != (n == 1):
        raise ValueError(f"the kind {entry['kind']} in the wrong place")
    if not signed(keys[entry["by"]], entry["sig"], message(entry)):
        raise ValueError("the signature is not the writer's")


def take_seats(log: list[dict[str, Any]]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Section 4: the key and the anchor of each seat, from entries 0 and 1."""
    seats = {entry["by"]: entry["seat"] for entry in log[:2]}
    for what in ("nonce", "anchor"):
        if len({seat[what] for seat in seats.values()}) != len(log[:2]):
            raise ValueError(f"two seats with one name or {what}")
    keys = {name: public_key(seat["key"]) for name, seat in seats.items()}
    if len(log) > 1 and "to" in log[0] and public_key(log[0]["to"]) != keys[log[1]["by"]]:
        raise ValueError("the offer was to another key")
    return keys, {name: seat["anchor"] for name, seat in seats.items()}


def signed_after(log: list[dict[str, Any]], n: int) -> str | None:
    """Section 11: the entry that parts of entry n go on from; of opened orders, the one before the seal."""
    entry = log[n]
    match entry.get("orders"):
        case [{"open": {"salt": salt, "orders": orders}}]:
            words = f"pbem/1 seal\n{log[0]['game']}\n{entry['by']}\n"
            seal = sha256(words.encode() + bytes.fromhex(salt) + canonical(orders)).hexdigest()
            own = [one for one in reversed(log[:n]) if one["by"] == entry["by"] and one.get("orders")]
            return str(next(one["prev"] for one in own if one["orders"][0].get("seal") == seal))
    return entry.get("prev")


def check_parts(log: list[dict[str, Any]], n: int) -> None:
    """Section 11: what commanders have signed of the orders of entry n."""
    entry = log[n]
    for part in entry.get("parts", ()):
        seat = next(one["seat"] for one in log[:2] if one["by"] == entry["by"])
        about = {
            "game": sha256(message(log[0])).hexdigest(),
            "prev": signed_after(log, n),
            "seat": entry["by"],
        }
        text = canonical({**about, "by": part["by"], "orders": part["orders"]})
        key = public_key(seat["commanders"][part["by"]]["key"])
        if not signed(key, part["sig"], b"pbem/1 part\n" + text):
            raise ValueError(f"the part by commander {part['by']} is not signed by him")


def verify(data: bytes) -> dict[int, str]:
    """The hex seeds R[b] of all completed beats. Raises `Fails` where the file does not hold."""
    trimmed = re.sub(rb"[ \r]+\n", b"\n", data)
    log = yaml.load(trimmed, Loader=yaml.CSafeLoader)["log"]
    prev, n = None, 0
    try:
        keys, anchors = take_seats(log)
        beats = Beats(log[0]["game"], anchors)
        for n, entry in enumerate(log):
            check_entry(entry, n, prev, keys)
            waiting = beats.opener is not None and entry["kind"] != "resign"
            if beats.opener == entry["by"] or (waiting and "share" not in entry):
                raise ValueError("the other seat owes its share")
            if "share" in entry:
                beats.take(entry["by"], entry["beat"], entry["share"])
            check_parts(log, n)
            prev = sha256(message(entry)).hexdigest()
    except (ValueError, KeyError, IndexError, StopIteration) as fault:
        raise Fails(f"log[{n}]: {fault}") from fault
    return beats.seeds


def main(path: str) -> None:
    """Print the seed of each completed beat; a file that fails ends in an exception."""
    seeds = verify(Path(path).read_bytes())
    sys.stdout.writelines(f"{beat} {seed}\n" for beat, seed in seeds.items())


if __name__ == "__main__":
    main(sys.argv[1])
