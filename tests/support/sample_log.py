"""A small signed game with every kind of entry, made with the keys and chains of the published vectors."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import strategies as st

from pbem.format.document import document_bytes
from pbem.format.entries import Entry, sign_entry
from pbem.format.yaml_text import MAX_INTEGER, Plain

VECTORS: dict[str, Any] = json.loads(
    Path(__file__).parent.with_name("vectors").joinpath("protocol.json").read_text("utf-8")
)

STATUS: dict[str, Plain] = {"turn": 1, "next": "us", "score": "no, 2: 1"}
BOARD = "  ___     ___\n /us \\___/ . \\\n\n \\___/ger\\___/\n"


def signer_of(seat: str) -> Callable[[bytes], str]:
    """The signing function for a seat of the vectors."""
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(VECTORS["seats"][seat]["private"]))
    return lambda message: b64encode(key.sign(message)).decode()


def seat_keys(seat: str, name: str) -> dict[str, Plain]:
    """The key `seat` of an offer or an accept."""
    facts = VECTORS["seats"][seat]
    return {"name": name, "key": facts["key"], "nonce": facts["nonce"], "anchor": facts["chain"][0]}


@cache
def sample_log() -> tuple[Entry, ...]:
    """Eleven entries, every kind and every optional key among them."""
    position = VECTORS["position"]["id"]
    offer: dict[str, Plain] = {
        "by": "german",
        "kind": "offer",
        "at": "2024-02-29T23:59:59Z",
        "say": '¡Suerte! Viel Glück €\n"quoted" \\ tab\t 😀 \u202e \x00 end ' + "and so on " * 40,
        "game": VECTORS["game"],
        "rules": "mortain/1",
        "options": {"tiger": True, "fog": "off", "turns": 5, "none": None, "n": ["n"]},
        "scenario": {
            "name": "Hill 314",
            "sha256": position,
            "data": {"hexes": ["0101", "0e12"], "deep": [[[]]]},
        },
        "beats": 16,
        "seat": seat_keys("german", "Jörg  O'Neill: #1") | {"mail": "joerg@example.org"},
        "to": VECTORS["seats"]["us"]["key"],
        "needs": [],
    }
    accept: dict[str, Plain] = {
        "by": "us",
        "kind": "accept",
        "seat": seat_keys("us", "null"),
        "orders": [],
        **_share("us", 1),
    }
    orders: list[Plain] = [{"move": "117Inf", "to": "0503"}, {"fire": ["117Inf", "823TD"], "at": "DF"}]
    played: list[dict[str, Plain]] = [
        {"by": "german", "kind": "play", **_share("german", 1), "position": position},
        {"by": "us", "kind": "play", "orders": orders, **_share("us", 2), "position": position},
        {"by": "german", "kind": "play", "orders": [], "x": {"client": "other 2.0", "mood": -3}},
        {"by": "us", "kind": "propose", "what": {"takeback": 3}, "needs": []},
        {"by": "german", "kind": "answer", "accept": True},
        {"by": "us", "kind": "propose", "what": {"draw": True}, "say": ""},
        {"by": "german", "kind": "answer", "accept": False},
        {"by": "us", "kind": "play", "orders": orders * 20, "say": "x" * 700},
        {"by": "us", "kind": "resign"},
    ]
    return sign_entries(offer, accept, *played)


def sign_entries(*raws: dict[str, Plain]) -> tuple[Entry, ...]:
    """A log of these entries, numbered, linked and signed by the seats they name."""
    log: list[Entry] = []
    for n, raw in enumerate(raws):
        link: dict[str, Plain] = {"n": n, "prev": log[-1].id} if log else {"n": n}
        log.append(sign_entry({**link, **raw}, signer_of(str(raw["by"]))))
    return tuple(log)


def sample_file() -> bytes:
    """The game file of the sample log."""
    return document_bytes(STATUS, BOARD, sample_log())


def _share(seat: str, beat: int) -> dict[str, Plain]:
    return {"beat": beat, "share": VECTORS["seats"][seat]["chain"][beat]}


TEXTS = (
    st.text()
    | st.text(alphabet='ab \n\t\\":#-é😀\u2028\x85', max_size=900)
    | st.from_regex(r"[A-Za-z0-9 ./_-]+")
)
KEYS = st.text(st.characters(max_codepoint=127), max_size=90) | st.sampled_from(
    ["n", "y", "null", "a b", "1"]
)


def plain_values(most: int = 25) -> st.SearchStrategy[Plain]:
    """Any value that a game file can hold, with about `most` leaves, at most ten levels deep."""
    leaves = st.none() | st.booleans() | st.integers(-MAX_INTEGER, MAX_INTEGER) | TEXTS
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5),
        max_leaves=most,
    )
