"""What a cheat can do to a file, and where it is found out: one row for each attack.

A row says which step of FORMAT section 9 fails, which entry is named, and a word of what is said. An
attacker signs whatever he has the key for. The rows of ENTRIES, OFFERS and ACCEPTS are signed and linked
without a flaw, so that nothing but the attack itself can be refused.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeAlias

import pytest
from simulator import (
    KEYS,
    SHORT,
    STRANGER,
    Log,
    accepted,
    appended,
    file_of,
    forged,
    link,
    log_of,
    message,
    offered,
    reply,
    share,
    sign,
    turn,
)

from pbem.core.requests import Plain
from pbem.errors import VerificationError
from pbem.journal.canonical import digest
from pbem.umpire import Game, open_game
from umpire.situations import (
    PASS,
    PLACE,
    TINY,
    about_to_exit,
    after_beats,
    asked,
    beat_open,
    completing,
    completing_for_the_other,
    drawn,
    every_kind,
    offer,
    played_out,
    proposed,
    racing,
    refused,
    resigned,
    start,
    tiny,
)

Change: TypeAlias = Callable[[Log], object]


def refusal(data: bytes) -> VerificationError:
    """The refusal of a file; any other exception fails the test."""
    with pytest.raises(VerificationError) as caught:
        open_game(data)
    return caught.value


def check(data: bytes, step: int, entry: int, word: str) -> None:
    """The file is refused at this step, the message names the entry and can be printed as it is."""
    error = refusal(data)
    assert (error.step, f"log[{entry}]" in str(error)) == (step, True), str(error)
    assert error.entry in (entry, None)  # None where the shape is wrong: the path in the message names it
    assert word in str(error)
    assert str(error).isprintable()


# One entry more, of an attacker who writes well-signed entries by hand


def placing(unit: str, at: str) -> list[Plain]:
    """The placement, with one unit elsewhere."""
    return [{"place": {**PLACE[0]["place"], unit: at}}]


Entry: TypeAlias = tuple[Callable[[], Game], str, str, dict[str, Any], int, str]

X1 = share(start(), "us", 1)
WRONG = {"beat": 1, "share": "ab" * 32}
POSITION = {"position": "00" * 32}

ENTRIES: dict[str, Entry] = {
    # Who writes (FORMAT 6.2, 6.3)
    "out of turn": (start, "german", "play", {"orders": PASS}, 6, "an entry by us"),
    "after one's own beat": (beat_open, "us", "play", {"orders": PASS}, 6, "an entry by german"),
    "resigning out of turn": (start, "german", "resign", {}, 6, "an entry by us"),
    "a seat nobody holds": (start, "french", "resign", {}, 4, "one of german, us"),
    "a second accept": (start, "us", "accept", {"seat": log_of(start())[1]["seat"]}, 3, "kind: accept"),
    "a second offer": (
        start,
        "us",
        "offer",
        {key: value for key, value in log_of(offer())[0].items() if key not in ("by", "kind")},
        3,
        "kind: offer",
    ),
    "a kind that does not exist": (start, "us", "cheat", {}, 2, "one of offer, accept"),
    "an unknown key": (start, "us", "resign", {"why": "bored"}, 2, "unknown key 'why'"),
    "an unknown extension": (start, "us", "propose", {"what": {"draw": True}, "needs": ["blitz"]}, 2, "blitz"),
    # Orders (FORMAT 6.4)
    "no orders where they are asked": (start, "us", "play", X1 | POSITION, 6, "a play without orders"),
    "neither orders nor share": (start, "us", "play", POSITION, 2, "without orders and without a share"),
    "orders that are no list": (start, "us", "play", {"orders": {}} | X1, 2, "a list"),
    "orders that are no mappings": (start, "us", "play", {"orders": ["pass"]} | X1, 2, "orders[0]"),
    "no order at all": (start, "us", "play", {"orders": []} | X1, 7, "M9.1"),
    "the answer to another question": (start, "us", "play", {"orders": PASS} | X1, 7, "M9.1"),
    "a unit not there": (start, "us", "play", {"orders": placing("6SS", "1503")} | X1, 7, "M9.2"),
    "a unit named by an escape sequence": (
        start,
        "us",
        "play",
        {"orders": placing("\x1b[2J\u202e", "1503")} | X1,
        7,
        "M9.2",
    ),
    "the enemy's unit": (start, "us", "play", {"orders": placing("DF", "1503")} | X1, 7, "M9.2"),
    "an illegal order": (start, "us", "play", {"orders": placing("SPTD", "1901")} | X1, 7, "M2.1"),
    "a hex off the map": (start, "us", "play", {"orders": placing("SPTD", "2001")} | X1, 7, "M9.1"),
    "orders for the opponent's card": (
        lambda: completing_for_the_other("german"),
        "german",
        "play",
        {"orders": PASS} | share(start(), "german", 2),
        6,
        "who is not asked",
    ),
    "orders after the last question": (
        lambda: before_the_end(),
        "us",
        "play",
        {"orders": PASS} | share(start(), "us", 52),
        6,
        "who is not asked",
    ),
    # Shares (FORMAT 6.1, 6.2, 6.5)
    "orders to chance without a share": (start, "us", "play", {"orders": PLACE}, 6, "the share of beat 1"),
    "a share of one's own choice": (start, "us", "play", {"orders": PLACE} | WRONG, 6, "us's anchor"),
    "the next beat's share": (
        start,
        "us",
        "play",
        {"orders": PLACE} | share(start(), "us", 2),
        6,
        "a share of beat 1",
    ),
    "the next beat's secret": (
        start,
        "us",
        "play",
        {"orders": PLACE} | share(start(), "us", 2) | {"beat": 1},
        6,
        "hashes to us's anchor",
    ),
    "a beat without a share": (start, "us", "play", {"orders": PLACE, "beat": 1}, 2, "'share' alone"),
    "beat zero": (start, "us", "play", {"orders": PLACE} | X1 | {"beat": 0}, 2, "at least 1"),
    "an open beat without its share": (beat_open, "german", "play", {"orders": PASS}, 6, "the share of beat 1"),
    "the opponent's share given back": (beat_open, "german", "play", X1, 6, "german's anchor"),
    "a share of a beat not open": (beat_open, "german", "play", share(start(), "german", 3), 6, "of beat 3"),
    "a share of the beat to come": (beat_open, "german", "play", share(start(), "german", 2), 6, "of beat 1"),
    "a second share of a beat": (
        lambda: asked("us"),
        "us",
        "play",
        {"orders": PASS} | X1,
        6,
        "expected a share of beat 2; found one of beat 1",
    ),
    "an old secret for a new beat": (
        lambda: asked("us"),
        "us",
        "play",
        {"orders": PASS} | X1 | {"beat": 2},
        6,
        "us's share of beat 1",
    ),
    "a share of the completed beat where another opens": (
        lambda: completing("german"),
        "german",
        "play",
        {"orders": PASS} | share(start(), "german", 3),
        6,
        "a share of beat 4",
    ),
    "a share where the game ends": (
        lambda: about_to_exit(completing=False),
        "german",
        "play",
        {"orders": [{"exit": "Tiger102"}]},
        6,
        "no share, as no beat is open",
    ),
    "a share of the next beat where the game ends": (
        lambda: about_to_exit(completing=True),
        "german",
        "play",
        {"orders": [{"exit": "Tiger102"}]},
        6,
        "a share of beat 9",
    ),
    # Positions (FORMAT 7)
    "another position": (start, "us", "play", {"orders": PLACE} | X1 | POSITION, 8, "00000000"),
    "no position": (start, "us", "play", {"orders": PLACE} | X1, 8, "found none"),
    "a position where none belongs": (start, "us", "resign", POSITION, 2, "unknown key 'position'"),
    # Proposals and resignations (FORMAT 6.6, 6.7)
    "an answer to nothing": (start, "us", "answer", {"accept": True}, 6, "a proposal to answer"),
    "an answer to one's own proposal": (proposed, "us", "answer", {"accept": True}, 6, "an entry by german"),
    "a play instead of an answer": (
        proposed,
        "german",
        "play",
        {"orders": PASS},
        6,
        "an answer to the proposal",
    ),
    "a proposal instead of an answer": (
        proposed,
        "german",
        "propose",
        {"what": {"draw": True}},
        6,
        "an answer to the proposal",
    ),
    "a proposal while a beat is open": (
        beat_open,
        "german",
        "propose",
        {"what": {"draw": True}},
        6,
        "the share of beat 1",
    ),
    "a second proposal after a refusal": (refused, "us", "propose", {"what": {"draw": True}}, 6, "a play of us"),
    "another proposal after a refusal": (
        refused,
        "us",
        "propose",
        {"what": {"takeback": 1}},
        6,
        "a play of us",
    ),
    "a proposal of nothing": (start, "us", "propose", {"what": {}}, 2, "exactly one"),
    "a proposal of two things": (
        start,
        "us",
        "propose",
        {"what": {"draw": True, "takeback": 1}},
        2,
        "exactly one",
    ),
    "a proposal of no draw": (start, "us", "propose", {"what": {"draw": False}}, 2, "exactly one"),
    "a take-back of the offer": (start, "us", "propose", {"what": {"takeback": 0}}, 6, "to entry 0"),
    "a take-back to before the game": (start, "us", "propose", {"what": {"takeback": -1}}, 2, "at least 0"),
    "a take-back to itself": (start, "us", "propose", {"what": {"takeback": 2}}, 6, "to entry 2"),
    "a take-back to the future": (start, "us", "propose", {"what": {"takeback": 99}}, 6, "to entry 99"),
    "a take-back to an open beat": (
        lambda: asked("us"),
        "us",
        "propose",
        {"what": {"takeback": 2}},
        6,
        "left no beat open",
    ),
    "a take-back to a pending proposal": (
        lambda: completing("us"),
        "us",
        "play",
        {"orders": PASS},
        6,
        "share",
    ),
    "a take-back with too few beats left": (
        lambda: after_beats(54),
        "german",
        "propose",
        {"what": {"takeback": 1}},
        6,
        "at least half of the 106 beats",
    ),
    # After the end (step 10)
    "a play after a resignation": (resigned, "us", "play", {"orders": PASS}, 10, "us resigned"),
    "a second resignation": (resigned, "german", "resign", {}, 10, "us resigned"),
    "an answer after a draw": (drawn, "us", "answer", {"accept": False}, 10, "a draw was agreed"),
    "a proposal after the end by the rules": (
        played_out,
        "german",
        "propose",
        {"what": {"takeback": 1}},
        10,
        "M8.2",
    ),
}
