"""A cheat writes the offer or takes the seat: the adversary table of FORMAT sections 1 to 5.

Each row: the attack, the change of entry 0 or 1, the step of section 9 that fails, and a word of the
message. All is linked and signed without a flaw.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from pbem.core.requests import Plain
from pbem.format.canonical import digest
from pbem.games.mortain import RULES
from support.attack_tables import Fails, parametrize_attacks
from support.game_stages import PASS, PLACE, TINY, offered_game, started_game, tiny_scenario
from support.simulator import KEYS, STRANGER, accept_game, forge_file, log_of, offer_game, true_share

Change: TypeAlias = Callable[[dict[str, Any]], object]

FIRST: dict[str, str] = log_of(offered_game())[0]["seat"]
SHIPPED = RULES.scenarios.data("mortain")
X1 = true_share(started_game(), "us", 1)
ZERO = "00" * 32


def ssh(raw: bytes) -> str:
    """32 bytes in the form of a key (FORMAT 2)."""
    return "ssh-ed25519 " + b64encode(b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + raw).decode()


def low_order_keys() -> list[str]:
    """The 14 encodings of section 2: both signs of y, and y + p where that fits into 255 bits."""
    p = 2**255 - 19
    of_order_8 = int.from_bytes(
        bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"
    )
    ys = (0, 1, p - 1, p, p + 1, of_order_8, p - of_order_8)
    return [ssh((y | sign << 255).to_bytes(32, "little")) for y in ys for sign in (0, 1)]


def set_to(*path: str, to: Plain) -> Change:
    """Set one value, deep inside the entry."""

    def change(raw: dict[str, Any]) -> None:
        for key in path[:-1]:
            raw = raw[key]
        raw[path[-1]] = to

    return change


def without(*path: str) -> Change:
    """Leave out one key, deep inside the entry."""

    def change(raw: dict[str, Any]) -> None:
        for key in path[:-1]:
            raw = raw[key]
        del raw[path[-1]]

    return change


def own(scenario: dict[str, Any], **keys: Plain) -> Change:
    """Offer a scenario of one's own, with its right digest unless `keys` say otherwise."""
    terms = {"name": "tiny", "sha256": digest(scenario), "data": scenario} | keys
    return lambda raw: raw.update(scenario=terms, options=TINY)


def flawed(change: Change) -> dict[str, Any]:
    """The tiny scenario with a flaw in it."""
    data = tiny_scenario()
    change(data)
    return data


OFFERS = (
    # What opens a game
    ("another kind first", set_to("kind", to="resign"), 2, "there is no key"),
    ("an entry before", set_to("prev", to=ZERO), 3, "prev: absent"),
    ("a first number", set_to("n", to=1), 3, "n: 0"),
    ("a game of one's own length", set_to("game", to="00" * 15), 2, "32 hexadecimal digits"),
    ("capital digits", set_to("game", to="AB" * 16), 2, "32 hexadecimal digits"),
    ("no clock", set_to("at", to="2026-02-30T00:00:00Z"), 2, "the time 2026-02-30T00:00:00Z does not exist"),
    ("too many words", set_to("say", to="é" * 501), 2, "1,002 bytes"),
    ("too much beside", set_to("x", to={"a": "b" * 1017}), 2, "1,025 bytes"),
    # The rules, their options and the number of beats
    ("another version of the rules", set_to("rules", to="mortain/99"), 2, "this program has mortain/"),
    ("rules nobody has", set_to("rules", to="chess/1"), 2, "needs the rules 'chess/1'"),
    ("an unknown extension", set_to("needs", to=["fog"]), 2, "extension 'fog'"),
    ("an option left out", without("options", "turns"), 2, "turns"),
    ("an unknown option", set_to("options", "fog", to=True), 2, "fog"),
    ("an unknown value", set_to("options", "los_edge", to="sometimes"), 2, "options.los_edge"),
    ("a number for a word", set_to("options", "los_edge", to=1), 2, "options.los_edge"),
    ("no turns", set_to("options", "turns", to=0), 2, "options.turns"),
    ("endless turns", set_to("options", "turns", to=2**53 - 1), 2, "turns"),
    ("true for one", set_to("options", "turns", to=True), 2, "options.turns"),
    ("more exits than Germans", set_to("options", "exits_to_win", to=9), 2, "exits_to_win"),
    ("fewer beats", set_to("beats", to=104), 2, "beats must be 106"),
    ("more beats", set_to("beats", to=108), 2, "beats must be 106"),
    ("beats without end", set_to("beats", to=65_537), 2, "65536"),
    # The scenario
    ("another scenario's digest", set_to("scenario", "sha256", to=ZERO), 2, "the digest of"),
    ("an own map under the shipped name", own(tiny_scenario(), name="mortain"), 2, "the digest of"),
    (
        "data beside the shipped scenario",
        set_to("scenario", "data", to=SHIPPED),
        2,
        "scenario.data: data are not allowed here",
    ),
    (
        "other data beside its digest",
        set_to("scenario", "data", to=tiny_scenario()),
        2,
        ".data: data are not allowed here",
    ),
    ("the shipped name in capitals", own(tiny_scenario(), name="Mortain"), 2, 'scenario.name: "M'),
    ("the shipped name and a blank", own(tiny_scenario(), name="mortain "), 2, "looks like"),
    (
        "a Cyrillic letter in it",
        own(tiny_scenario(), name="m\u043ertain"),
        2,
        'scenario.name: "m\\u043ertain"',
    ),
    ("a letter of no width in it", own(tiny_scenario(), name="mort\u200bain"), 2, "looks like"),
    ("a digit for a letter", own(tiny_scenario(), name="m0rtain"), 2, "looks like"),
    ("an own scenario without its data", set_to("scenario", "name", to="tiny"), 2, "the data are missing"),
    ("an own scenario with another digest", own(tiny_scenario(), sha256=ZERO), 2, "the digest of"),
    ("an own scenario of nothing", own({}), 2, "scenario"),
    ("data that are null", own(tiny_scenario(), data=None), 2, "null is not allowed"),
    ("data that are no mapping", own(tiny_scenario(), data=[]), 2, "scenario.data"),
    ("too much data", own({"notes": ["n" * 1000] * 1050}), 2, "at most 1,048,576"),
    ("an army too small", own(flawed(lambda data: data["units"].pop("DF"))), 2, "not 7 (M1.1)"),
    ("a map too large", own(flawed(lambda data: data["map"].update(columns=[1, 99]))), 2, "map.columns"),
    ("a map of minus one hex", own(flawed(lambda data: data["map"].update(rows=[9, 1]))), 2, "map.rows"),
    ("a unit with a number's name", own(flawed(set_to("units", "102", to={}))), 2, "units.102"),
    ("a strength that is a word", own(flawed(set_to("support", "air", "value", to="ten"))), 2, "support.air"),
    ("an escape in the scenario", own(flawed(set_to("\x1b[2J", to=1))), 2, r"\x1b[2J"),
    # The seat
    ("a seat that the rules lack", set_to("by", to="french"), 4, "german or us"),
    ("a name in capitals", set_to("by", to="German"), 2, "a seat's name"),
    ("a name of nothing", set_to("seat", "name", to=""), 2, "printable"),
    ("a name of 65 letters", set_to("seat", "name", to="a" * 65), 2, "printable"),
    ("a name that clears the screen", set_to("seat", "name", to="\x1b[2J"), 2, "printable"),
    ("a name that runs backwards", set_to("seat", "name", to="Gerda\u202e"), 2, "printable"),
    ("a name of two lines", set_to("seat", "name", to="Gerda\n"), 2, "printable"),
    ("an address with a second header", set_to("seat", "mail", to="a@b\r\nBcc: c@d"), 2, "printable"),
    ("a key of another kind", set_to("seat", "key", to="ssh-rsa AAAA"), 2, "OpenSSH key"),
    ("a key with a comment", set_to("seat", "key", to=f"{KEYS['german'].public} me"), 2, "OpenSSH key"),
    ("a key that is none", set_to("seat", "key", to=f"ssh-ed25519 {'A' * 68}"), 4, "a valid Ed25519 key"),
    ("a key of nobody here", set_to("seat", "key", to=str(STRANGER.public)), 5, "of the Germans"),
    ("an offer to a key that is none", set_to("to", to=low_order_keys()[0]), 4, "a valid Ed25519 key"),
)

ACCEPTS = (
    ("the same seat", set_to("by", to="german"), 4, "a free seat: us"),
    ("a third seat", set_to("by", to="french"), 4, "a free seat: us"),
    (
        "the first seat's nonce",
        lambda raw: raw["seat"].update(nonce=FIRST["nonce"]),
        4,
        "both seats have the same nonce",
    ),
    (
        "the first seat's anchor",
        lambda raw: raw["seat"].update(anchor=FIRST["anchor"]),
        4,
        "both seats have the same anchor",
    ),
    (
        "a key not invited",
        set_to("seat", "key", to=str(STRANGER.public)),
        4,
        "the key that the offer is made to",
    ),
    (
        "a play first",
        lambda raw: (raw.update(kind="play", orders=PASS), raw.pop("seat")),
        3,
        "this should be an accept",
    ),
    (
        "a resignation first",
        lambda raw: (raw.update(kind="resign"), raw.pop("seat")),
        3,
        "this should be an accept",
    ),
    ("no seat", without("seat"), 2, "the key 'seat' is missing"),
    ("a share where the rules ask", set_to("share", to=ZERO), 2, "give both or neither"),
    ("the second beat", lambda raw: raw.update(beat=2, share=ZERO), 2, "must be 1"),
    (
        "a share of no beat",
        lambda raw: raw.update(beat=1, share=X1),
        6,
        "an entry without a share, since no beat is open",
    ),
    ("orders without a share", set_to("orders", to=PLACE), 6, "the share of beat 1"),
    (
        "orders with a false share",
        lambda raw: raw.update(orders=PLACE, beat=1, share=ZERO),
        6,
        "the anchor of the Americans",
    ),
    ("illegal orders", lambda raw: raw.update(orders=PASS, beat=1, share=X1), 7, "M9.1"),
    ("orders without a position", lambda raw: raw.update(orders=PLACE, beat=1, share=X1), 8, "none"),
    ("a position without orders", set_to("position", to=ZERO), 8, "this should be an entry without one"),
)


@parametrize_attacks(OFFERS)
def test_the_offer_is_refused(attack: tuple[Change, int, str]) -> None:
    change, step, word = attack
    log = log_of(offered_game())
    change(log[0])
    Fails(step, 0, word).check(forge_file(log))


@parametrize_attacks(ACCEPTS)
def test_the_accept_is_refused(attack: tuple[Change, int, str]) -> None:
    change, step, word = attack
    log = log_of(started_game())
    change(log[1])
    Fails(step, 1, word).check(forge_file(log))


def test_orders_of_a_seat_that_is_not_asked() -> None:
    """The rules ask the US player first; if he has offered, the accept can carry no orders."""
    log = log_of(accept_game(offer_game("us")))
    log[1] |= {"orders": PLACE, "beat": 1, "share": ZERO}
    Fails(6, 1, "orders of the Germans, but they are not due").check(forge_file(log))


class TestKeysOfSmallOrder:
    """FORMAT 2: under 14 keys one signature fits every message; none may take a seat."""

    def test_they_are_14(self) -> None:
        assert len(set(low_order_keys())) == 14

    @pytest.mark.parametrize("key", low_order_keys())
    @pytest.mark.parametrize("n", [0, 1])
    def test_none_takes_a_seat(self, key: str, n: int) -> None:
        log = log_of(started_game())
        log[n]["seat"]["key"] = key
        Fails(4, n, "small order").check(forge_file(log))
