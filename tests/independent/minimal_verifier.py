"""A second, minimal verifier of game files, written from docs/FORMAT.md alone.

It shares no code with pbem: the standard library, a stock YAML loader and Ed25519. Of FORMAT section 9 it
checks what needs no rules, entry by entry: extensions and proposals (step 2), the links (3), the keys (4),
every signature, that of a commander's part too (5), who writes and every share (6), where a position must
stand (8), and opened seals (9); and it gives the seed of every completed beat. It knows no game: whom the
rules ask, and where they come to chance, somebody may tell it. Its stock loader is not for files from
strangers, as it has no limits.

    python minimal_verifier.py game.yaml
"""

from __future__ import annotations

import json
import re
import sys
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

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


EXTENSIONS = {"commanders", "bound", "retract", "results"}  # FORMAT sections 11 to 13


class Fault(ValueError):
    """What is wrong with an entry, and the step of FORMAT section 9 that fails."""

    def __init__(self, step: int, problem: str) -> None:
        super().__init__(problem)
        self.step = step


class Fails(Exception):
    """The file does not hold: the step of section 9, the entry's number and what is wrong."""

    def __init__(self, step: int, entry: int, problem: str) -> None:
        super().__init__(f"log[{entry}]: {problem}")
        self.step = step
        self.entry = entry


def demand(holds: object, step: int, problem: str) -> None:
    """Raise `Fault` unless something holds."""
    if not holds:
        raise Fault(step, problem)


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
        raise Fault(4, "not an OpenSSH Ed25519 key")
    if (raw[:31] + bytes([raw[31] & 0x7F])).hex() in SMALL_ORDER:
        raise Fault(4, "a key of small order")
    return raw


def signed(key: bytes, sig: str, signed_bytes: bytes) -> bool:
    """Section 2: whether the signature is good."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(b64decode(sig), signed_bytes)
    except (InvalidSignature, ValueError):
        return False
    return b64encode(b64decode(sig)).decode() == sig


class Beats:
    """Sections 5, 6 and 12: each seat's newest secret, the open beat, the seeds of completed ones."""

    def __init__(self, offer: dict[str, Any], bound: bool) -> None:
        self.game = offer["game"]
        self.limit = offer["beats"]
        self.first_opener = offer["by"] if bound else None
        self.known: dict[str, tuple[int, bytes]] = {}
        self.newest = 0
        self.opener: str | None = None  # who opened the newest beat, while the other seat has not
        self.seeds: dict[int, str] = {}

    def opens(self, entry: dict[str, Any]) -> bool:
        """Whether an entry may open the next beat: by orders or an accept, or beat 1 of a bound game."""
        if self.first_opener is not None and self.newest == 0:
            return bool(entry["by"] == self.first_opener)
        return "orders" in entry or entry["kind"] == "accept"

    def take(self, entry: dict[str, Any]) -> None:
        """Check a share by hashing it down to the newest secret known of its seat; complete the open beat."""
        seat, beat, share = entry["by"], entry["beat"], entry["share"]
        due = beat == self.newest + 1 and self.opens(entry)
        due = due or (self.opener is not None and beat == self.newest)
        demand(due and beat <= self.limit, 6, f"a share of beat {beat}, which is not due")
        last, secret = self.known[seat]
        chain = {beat: bytes.fromhex(share)}
        for b in range(beat, last, -1):
            chain[b - 1] = sha256(f"pbem/1 link\n{self.game}\n{seat}\n".encode() + chain[b]).digest()
        demand(chain[last] == secret, 6, f"a share that is not x[{beat}]")
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


class Turns:
    """Sections 6 and 12: who may write what, as the log shows it or as somebody tells what the rules say.

    `told` gives, by entries, whom the rules ask after it, or that they wait for "chance" or are "over".
    """

    def __init__(self, log: list[dict[str, Any]], beats: Beats, told: dict[int, str] | None) -> None:
        self.log = log
        self.beats = beats
        self.told = told
        self.rules: str | None = None  # what the rules say now, if anybody has told it
        self.writer: str | None = None  # who writes next, as far as that is known
        self.proposal: dict[str, Any] | None = None
        self.barred: str | None = None
        self.over = False
        self.sealed: dict[str, tuple[str, ...]] = {}
        self.rests: list[Rest | None] = []  # by entries: what a take-back to it leads to; None: none may
        self.questions: dict[
            int, dict[str, tuple[str, ...]]
        ] = {}  # by entries with orders: what was sealed before

    @property
    def is_beat_due(self) -> bool:
        """Section 12, `bound`: beat 1 waits for the offering seat. Nobody can know it who is not told."""
        return self.rules == "chance" and self.beats.opener is None

    def check(self, entry: dict[str, Any]) -> None:
        """Whether an entry may stand here."""
        by, kind, first = entry["by"], entry["kind"], self.beats.first_opener
        open_beat = self.beats.opener is not None
        demand(not self.over, 10, "an entry after the end")
        demand(self.writer in (None, by), 6, "the other seat writes here")
        if self.proposal and kind != "resign":
            demand(kind == "answer", 6, "the proposal waits for its answer")
            demand(by != self.proposal["by"], 6, "the other seat answers")
        if open_beat and kind != "resign":
            demand(by != self.beats.opener and "share" in entry, 6, "the other seat owes its share")
        if self.is_beat_due and kind != "resign":
            demand(by == first and kind == "play" and "orders" not in entry, 6, "beat 1 is due")
            demand(entry.get("beat") == 1, 6, "the share of beat 1 is due")
        if kind == "answer":
            demand(self.proposal, 6, "an answer to nothing")
        if kind == "propose":
            self.check_proposal(entry)
        if kind == "play" and not open_beat and "orders" not in entry:
            before = self.log[entry["n"] - 1]
            led = before["by"] != first and (before["kind"] == "accept" or "orders" in before)
            demand(led and by == first, 6, "a share of a beat to which nobody's orders have led")
        if "orders" in entry:
            self.questions[entry["n"]] = dict(self.sealed)

    def check_proposal(self, entry: dict[str, Any]) -> None:
        """Rules 6 and 7 of section 6, and `retract` of section 12."""
        demand(entry["by"] != self.barred, 6, "a second proposal after a refusal")
        what = entry["what"]
        if "draw" in what:
            return
        demand(2 * (self.beats.limit - self.beats.newest) >= self.beats.limit, 6, "too few beats are left")
        if "retract" in what:
            demand(what["retract"] in self.questions, 6, f"entry {what['retract']} has no orders")
            return
        n = what["takeback"]
        demand(0 < n < len(self.rests) and self.rests[n], 6, f"no take-back may go to entry {n}")

    def take(self, entry: dict[str, Any]) -> None:
        """Note what an entry that may stand here leads to."""
        by, kind, n = entry["by"], entry["kind"], entry["n"]
        proposal, self.proposal = self.proposal, entry if kind == "propose" else None
        self.writer = None
        if kind == "resign":
            self.over = True
        elif kind == "answer" and proposal:
            self.settle(proposal, entry["accept"])
        elif kind in ("accept", "play"):
            self.barred = None if self.barred == by else self.barred
            self.learn(entry)
            if self.beats.opener == by and "orders" not in entry and kind == "play":
                self.rests[n - 1] = None  # as is seen now, beat 1 was due there
        at_rest = not (self.proposal or self.over or self.beats.opener or self.is_beat_due)
        self.rests.append(Rest(self.rules, dict(self.sealed)) if at_rest else None)

    def settle(self, proposal: dict[str, Any], granted: bool) -> None:
        """The answer to a proposal: a refusal leaves all as it was, and the proposer writes next."""
        what = proposal["what"]
        if not granted:
            self.barred = self.writer = proposal["by"]
        elif "draw" in what:
            self.over = True
        elif "retract" in what:
            self.sealed = dict(self.questions[what["retract"]])
            self.writer = self.log[what["retract"]]["by"]
            self.rules = self.writer if self.told else None
        else:
            rest = self.rests[what["takeback"]]
            assert rest is not None
            self.rules, self.sealed = rest.rules, dict(rest.sealed)
            self.writer = self.log[what["takeback"] + 1]["by"]

    def learn(self, entry: dict[str, Any]) -> None:
        """What the rules say after an accept or a play, if anybody has told it."""
        if self.told is None:
            return
        self.rules = self.told[entry["n"]]
        self.over = self.rules == "over"
        left_to_other = self.beats.newest == 0 and self.beats.first_opener not in (None, entry["by"])
        if self.rules == "chance":
            demand(
                self.beats.opener == entry["by"] or left_to_other, 6, "the share of the next beat is missing"
            )
        else:
            demand(self.beats.opener is None, 6, "a share, and the rules do not wait for chance")
            self.writer = None if self.over else self.rules

    def check_seal(self, entry: dict[str, Any]) -> None:
        """Section 8: orders that are sealed, or opened."""
        match entry.get("orders"):
            case [{"seal": seal}]:
                self.sealed[entry["by"]] = (*self.sealed.get(entry["by"], ()), seal)
            case [{"open": {"salt": salt, "orders": orders}}]:
                found = seal_of(self.beats.game, entry["by"], salt, orders)
                closed = self.sealed.get(entry["by"], ())
                demand(found in closed, 9, "salt and orders are not those of the seal")
                self.sealed[entry["by"]] = tuple(seal for seal in closed if seal != found)


class Rest(NamedTuple):
    """What stood after an entry: what the rules said, if that was told, and what was sealed."""

    rules: str | None
    sealed: dict[str, tuple[str, ...]]


def check_form(entry: dict[str, Any], n: int, needs: list[str]) -> None:
    """Sections 4, 11 to 13: where a kind may stand; extensions, and the keys that they bring."""
    kind, names = entry["kind"], entry.get("needs", [])
    wrong = (kind == "offer") != (n == 0) or (kind == "accept") != (n == 1)
    demand(not wrong, 2, f"the kind {kind} in the wrong place")
    demand(set(names) <= EXTENSIONS, 2, f"an extension that is not known here: {names}")
    demand(len(set(names)) == len(names), 2, "an extension named twice")
    demand(kind == "offer" or not names, 2, "an extension named outside the offer")
    if "commanders" not in needs:
        demand("commanders" not in entry.get("seat", {}) and "parts" not in entry, 2, "nobody shares a seat")
    demand(("beat" in entry) == ("share" in entry), 2, "beat and share stand together")
    if kind == "play":
        demand("orders" in entry or "share" in entry, 2, "a play of nothing")
    if kind == "propose":
        ((name, value),) = entry["what"].items()
        known = {"draw", "takeback"} | ({"retract"} & set(needs))
        demand(name in known, 2, f"nothing called {name} can be proposed")
        demand(value is True if name == "draw" else type(value) is int, 2, f"not a proposal: {value}")
        demand(name != "draw" or "results" not in needs, 6, "a draw where the rules settle the result")


def check_link(entry: dict[str, Any], n: int, prev: str | None) -> None:
    """Section 4: number and link of one entry."""
    demand(entry["n"] == n and entry.get("prev") == prev, 3, "n or prev does not follow the entry before")


def check_place_of_position(entry: dict[str, Any], asked: bool) -> None:
    """Section 7: `asked` is whether there has been a moment at which the rules asked, up to this entry."""
    kind = entry["kind"]
    due = asked and (kind == "play" or (kind == "accept" and ("orders" in entry or "share" in entry)))
    demand(
        ("position" in entry) == due, 8, "a position is missing" if due else "a position, and there is none"
    )


def take_seats(log: list[dict[str, Any]]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Section 4: the key and the anchor of each seat, from entries 0 and 1."""
    seats = {entry["by"]: entry["seat"] for entry in log[:2]}
    for what in ("nonce", "anchor"):
        several = {seat[what] for seat in seats.values()}
        demand(len(several) == len(log[:2]), 4, f"two seats with one name or {what}")
    keys = {name: public_key(seat["key"]) for name, seat in seats.items()}
    if len(log) > 1 and "to" in log[0]:
        demand(public_key(log[0]["to"]) == keys[log[1]["by"]], 4, "the offer was to another key")
    return keys, {name: seat["anchor"] for name, seat in seats.items()}


def seal_of(game: str, seat: str, salt: str, orders: Any) -> str:
    """Section 8: the seal of orders."""
    words = f"pbem/1 seal\n{game}\n{seat}\n".encode()
    return sha256(words + bytes.fromhex(salt) + canonical(orders)).hexdigest()


def signed_after(log: list[dict[str, Any]], n: int) -> str | None:
    """Section 11: the entry that parts of entry n go on from; of opened orders, the one before the seal."""
    entry = log[n]
    match entry.get("orders"):
        case [{"open": {"salt": salt, "orders": orders}}]:
            seal = seal_of(log[0]["game"], entry["by"], salt, orders)
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
        good = signed(key, part["sig"], b"pbem/1 part\n" + text)
        demand(good, 5, f"the part by commander {part['by']} is not signed by him")


def verify(data: bytes, told: dict[int, str] | None = None) -> dict[int, str]:
    """The hex seeds R[b] of all completed beats. Raises `Fails` where the file does not hold.

    `told` is what the rules say after each accept and play: the seat that they ask, "chance" or "over".
    """
    trimmed = re.sub(rb"[ \r]+\n", b"\n", data)
    log = yaml.load(trimmed, Loader=yaml.CSafeLoader)["log"]
    n = 0
    try:
        needs = log[0].get("needs", [])
        beats = Beats(log[0], "bound" in needs)
        turns = Turns(log, beats, told)
        prev, asked = None, False
        for n, entry in enumerate(log):
            check_form(entry, n, needs)
            check_link(entry, n, prev)
            if n < 2:
                keys, anchors = take_seats(log[: n + 1])
                beats.known[entry["by"]] = (0, bytes.fromhex(anchors[entry["by"]]))
            demand(
                signed(keys[entry["by"]], entry["sig"], message(entry)),
                5,
                "the signature is not the writer's",
            )
            check_parts(log, n)
            turns.check(entry)
            if "share" in entry:
                beats.take(entry)
            turns.check_seal(entry)
            turns.take(entry)
            asked = asked or "orders" in entry or bool(beats.seeds)
            check_place_of_position(entry, asked)
            prev = sha256(message(entry)).hexdigest()
    except Fault as fault:
        raise Fails(fault.step, n, str(fault)) from fault
    except (ValueError, KeyError, IndexError, StopIteration, TypeError, AttributeError) as fault:
        raise Fails(2, n, str(fault)) from fault
    return beats.seeds


def main(path: str) -> None:
    """Print the seed of each completed beat; a file that fails ends in an exception."""
    seeds = verify(Path(path).read_bytes())
    sys.stdout.writelines(f"{beat} {seed}\n" for beat, seed in seeds.items())


if __name__ == "__main__":
    main(sys.argv[1])
