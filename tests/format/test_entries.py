"""The shapes of FORMAT section 4: what is accepted, and how a refusal names the place and the fault."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pbem.errors import FileError
from pbem.format.entries import (
    KINDS,
    Accept,
    Answer,
    Offer,
    Play,
    Propose,
    Resign,
    kind_name,
    parse_entry,
    sign_entry,
)
from pbem.format.yaml_text import Plain
from support.sample_log import VECTORS, sample_log, signer_of

OFFER, ACCEPT, SHARE, PLAY, EXTRA, TAKEBACK, GRANT, DRAW, DENY, LONG, RESIGN = range(11)
"""Where the kinds of entries stand in the sample log."""


def changed(n: int, path: str, value: object) -> dict[str, Any]:
    """Entry n of the sample log with another value at a path such as `seat.name`."""
    raw = copy.deepcopy(sample_log()[n].raw)
    place: Any = raw
    *outer, last = path.split(".")
    for key in outer:
        place = place[key]
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return raw


GONE = object()


def refusal(n: int, path: str, value: object) -> FileError:
    with pytest.raises(FileError) as caught:
        parse_entry(changed(n, path, value), f"log[{n}]")
    return caught.value


class TestBodies:
    """Every kind becomes a Struct of its own; an optional key that is absent is None."""

    def test_kinds(self) -> None:
        kinds = [Offer, Accept, Play, Play, Play, Propose, Answer, Propose, Answer, Play, Resign]
        assert [type(entry.body) for entry in sample_log()] == kinds
        assert [entry.kind for entry in sample_log()][:3] == ["offer", "accept", "play"]

    @pytest.mark.parametrize("kind", KINDS)
    def test_every_kind_has_a_name(self, kind: str) -> None:
        assert str(kind_name(kind)) == kind

    def test_what_an_offer_says(self) -> None:
        offer = sample_log()[OFFER].body
        assert isinstance(offer, Offer)
        assert (offer.n, offer.by, offer.prev, offer.x) == (0, "german", None, None)
        assert (offer.game, offer.rules, offer.beats) == (VECTORS["game"], "mortain/1", 16)
        assert offer.options == {"tiger": True, "fog": "off", "turns": 5, "none": None, "n": ["n"]}
        assert offer.scenario.data == {"hexes": ["0101", "0e12"], "deep": [[[]]]}
        assert (offer.seat.name, offer.seat.mail) == ("Jörg  O'Neill: #1", "joerg@example.org")
        assert offer.seat.anchor == VECTORS["seats"]["german"]["chain"][0]

    def test_orders_may_be_empty_or_absent(self) -> None:
        share, extra = sample_log()[SHARE].body, sample_log()[EXTRA].body
        assert isinstance(share, Play)
        assert isinstance(extra, Play)
        assert (share.orders, share.beat) == (None, 1)
        assert (extra.orders, extra.beat) == ([], None)

    def test_proposals_and_answers(self) -> None:
        bodies = [sample_log()[n].body for n in (TAKEBACK, GRANT, DRAW, DENY)]
        takeback, grant, draw, deny = bodies
        assert isinstance(takeback, Propose)
        assert isinstance(draw, Propose)
        assert isinstance(grant, Answer)
        assert isinstance(deny, Answer)
        assert (takeback.what.takeback, takeback.what.draw) == (3, None)
        assert (draw.what.takeback, draw.what.draw) == (None, True)
        assert (grant.accept, deny.accept) == (True, False)


class TestIds:
    """The id covers every key but `sig`."""

    def test_the_signature_is_not_covered(self) -> None:
        entry = sample_log()[PLAY]
        assert parse_entry({**entry.raw, "sig": "A" * 86 + "=="}, "log[3]").id == entry.id

    @pytest.mark.parametrize(
        ("path", "value"), [("n", 4), ("by", "german"), ("say", ""), ("orders", []), ("at", GONE)]
    )
    def test_all_else_is(self, path: str, value: object) -> None:
        raw: dict[str, Plain] = {**sample_log()[PLAY].raw, "at": "2024-01-01T00:00:00Z"}
        entry = parse_entry(raw, "log[3]")
        other = {key: item for key, item in raw.items() if key != path}
        changes: Any = {} if value is GONE else {path: value}
        assert parse_entry(other | changes, "log[3]").id != entry.id

    def test_a_new_entry_signs_its_message_and_keeps_its_keys_in_order(self) -> None:
        raw: dict[str, Plain] = {"n": 3, "by": "us", "kind": "resign", "prev": "ab" * 32}
        entry = sign_entry(raw, signer_of("us"))
        assert list(entry.raw) == ["n", "by", "kind", "prev", "sig"]
        assert entry.raw["sig"] == signer_of("us")(entry.message)

    def test_a_new_entry_of_no_known_shape_is_refused(self) -> None:
        with pytest.raises(FileError, match=r"log\[3\].*there is no key 'prv'"):
            sign_entry({"n": 3, "by": "us", "kind": "resign", "prv": "ab" * 32}, signer_of("us"))


FAULTS = [
    (PLAY, "n", -1, "n", "must be a whole number from 0, not -1"),
    (PLAY, "n", True, "n", "must be a whole number from 0, not true"),
    (PLAY, "n", "3", "n", "must be a whole number from 0, not '3'"),
    (PLAY, "n", GONE, "", "the key 'n' is missing"),
    (PLAY, "by", "German", "by", "must be a seat's name, such as 'german', not 'German'"),
    (PLAY, "by", "us\n", "by", "must be a seat's name, such as 'german', not 'us\\n'"),
    (PLAY, "by", "a" * 17, "by", f"must be a seat's name, such as 'german', not '{'a' * 17}'"),
    (
        PLAY,
        "kind",
        "plya",
        "kind",
        "must be one of offer, accept, play, propose, answer, resign, not 'plya'",
    ),
    (PLAY, "kind", 3, "kind", "must be one of offer, accept, play, propose, answer, resign, not 3"),
    (PLAY, "kind", GONE, "", "the key 'kind' is missing"),
    (
        PLAY,
        "prev",
        "AB" * 32,
        "prev",
        f"must be 64 hexadecimal digits, not '{'AB' * 15}'… (64 characters)",
    ),
    (
        PLAY,
        "prev",
        "ab" * 32 + "\n",
        "prev",
        f"must be 64 hexadecimal digits, not '{'ab' * 15}'… (65 characters)",
    ),
    (PLAY, "prev", "ab", "prev", "must be 64 hexadecimal digits, not 'ab'"),
    (PLAY, "prev", None, "prev", "null is not allowed: give a value, or leave the key out"),
    (PLAY, "sig", GONE, "", "the key 'sig' is missing"),
    (PLAY, "sig", "", "sig", "must be the base64 of 64 bytes, not ''"),
    (
        PLAY,
        "sig",
        "A" * 85 + "B==",
        "sig",
        f"must be the base64 of 64 bytes, not '{'A' * 30}'… (88 characters)",
    ),
    (
        PLAY,
        "sig",
        "-" * 86 + "==",
        "sig",
        f"must be the base64 of 64 bytes, not '{'-' * 30}'… (88 characters)",
    ),
    (PLAY, "at", "2023-02-29T00:00:00Z", "at", "the time 2023-02-29T00:00:00Z does not exist"),
    (PLAY, "at", "2024-01-01T24:00:01Z", "at", "the time 2024-01-01T24:00:01Z does not exist"),
    (PLAY, "at", "0000-01-01T00:00:00Z", "at", "the time 0000-01-01T00:00:00Z does not exist"),
    (
        PLAY,
        "at",
        "2024-01-01 00:00:00Z",
        "at",
        "must be a time YYYY-MM-DDThh:mm:ssZ, not '2024-01-01 00:00:00Z'",
    ),
    (
        PLAY,
        "at",
        "2024-01-01T00:00:00",
        "at",
        "must be a time YYYY-MM-DDThh:mm:ssZ, not '2024-01-01T00:00:00'",
    ),
    (PLAY, "say", ["x"], "say", "must be a text, not a list"),
    *((n, "say", "é" * 500 + "x", "say", "1,001 bytes are too many: at most 1,000") for n in range(11)),
    (PLAY, "x", [], "x", "must be a mapping, not an empty list"),
    (PLAY, "x", {"a": "x" * 1017}, "x", "1,025 bytes are too many: at most 1,024"),
    (PLAY, "orders", {}, "orders", "must be a list, not an empty mapping"),
    (PLAY, "orders", [{}, "fire"], "orders[1]", "must be a mapping, not 'fire'"),
    (PLAY, "orders", None, "orders", "null is not allowed: give a value, or leave the key out"),
    (PLAY, "ordres", [], "", "there is no key 'ordres'"),
    (PLAY, "accept", True, "", "there is no key 'accept'"),
    (PLAY, "beat", 0, "beat", "must be a whole number from 1 to 65536, not 0"),
    (PLAY, "beat", 65_537, "beat", "must be a whole number from 1 to 65536, not 65537"),
    (PLAY, "beat", GONE, "", "'beat' and 'share' go together: give both or neither"),
    (PLAY, "share", GONE, "", "'beat' and 'share' go together: give both or neither"),
    (EXTRA, "orders", GONE, "", "a play needs orders or a share"),
    (PLAY, "position", 5, "position", "must be 64 hexadecimal digits, not 5"),
    (
        OFFER,
        "game",
        "ab" * 32,
        "game",
        f"must be 32 hexadecimal digits, not '{'ab' * 15}'… (64 characters)",
    ),
    (
        OFFER,
        "rules",
        "mortain",
        "rules",
        "must be a name and a version, such as 'mortain/1', not 'mortain'",
    ),
    (
        OFFER,
        "rules",
        "mortain/01",
        "rules",
        "must be a name and a version, such as 'mortain/1', not 'mortain/01'",
    ),
    (OFFER, "options", [], "options", "must be a mapping, not an empty list"),
    (OFFER, "options", GONE, "", "the key 'options' is missing"),
    (OFFER, "beats", 65_537, "beats", "must be a whole number from 0 to 65536, not 65537"),
    (OFFER, "beats", -2, "beats", "must be a whole number from 0 to 65536, not -2"),
    (OFFER, "to", "us", "to", "must be an OpenSSH key 'ssh-ed25519 AAAA…', not 'us'"),
    (OFFER, "scenario.name", "", "scenario.name", "must be 1 to 64 printable characters, not ''"),
    (OFFER, "scenario.sha256", GONE, "scenario", "the key 'sha256' is missing"),
    (
        OFFER,
        "scenario.data",
        None,
        "scenario.data",
        "null is not allowed: give a value, or leave the key out",
    ),
    (
        OFFER,
        "scenario.data",
        {"a": "x" * 2**20},
        "scenario.data",
        "1,048,584 bytes are too many: at most 1,048,576",
    ),
    (OFFER, "scenario.dat", {}, "scenario", "there is no key 'dat'"),
    (
        OFFER,
        "seat",
        "german",
        "seat",
        "must be a mapping of name, key, nonce, anchor, mail, commanders, not 'german'",
    ),
    (
        OFFER,
        "seat.name",
        "é" * 65,
        "seat.name",
        f"must be 1 to 64 printable characters, not '{'é' * 30}'… (65 characters)",
    ),
    (
        OFFER,
        "seat.name",
        "Mal\u202elory",
        "seat.name",
        "must be 1 to 64 printable characters, not 'Mal\\u202elory'",
    ),
    (OFFER, "seat.name", "a\x1b[2J", "seat.name", "must be 1 to 64 printable characters, not 'a\\x1b[2J'"),
    (OFFER, "seat.name", "a\n", "seat.name", "must be 1 to 64 printable characters, not 'a\\n'"),
    (
        OFFER,
        "seat.mail",
        "a@b\r\nBcc: c@d",
        "seat.mail",
        "must be 1 to 254 printable characters, not 'a@b\\r\\nBcc: c@d'",
    ),
    (OFFER, "seat.mail", None, "seat.mail", "null is not allowed: give a value, or leave the key out"),
    (
        OFFER,
        "seat.key",
        "ssh-rsa AAAA",
        "seat.key",
        "must be an OpenSSH key 'ssh-ed25519 AAAA…', not 'ssh-rsa AAAA'",
    ),
    (OFFER, "seat.nonce", "", "seat.nonce", "must be 64 hexadecimal digits, not ''"),
    (OFFER, "seat.ancor", "", "seat", "there is no key 'ancor'"),
    (ACCEPT, "beat", 2, "beat", "must be 1, not 2: an accept opens the first beat"),
    (ACCEPT, "seat.anchor", GONE, "seat", "the key 'anchor' is missing"),
    (TAKEBACK, "what", {}, "what", "give exactly one of {takeback: n}, {retract: n}, {draw: true}"),
    (TAKEBACK, "what.draw", True, "what", "give exactly one of {takeback: n}, {retract: n}, {draw: true}"),
    (TAKEBACK, "what.takeback", "3", "what.takeback", "must be a whole number, not '3'"),
    (TAKEBACK, "what.undo", 3, "what", "there is no key 'undo'"),
    (DRAW, "what.draw", False, "what", "give exactly one of {takeback: n}, {retract: n}, {draw: true}"),
    (DRAW, "what.draw", 1, "what.draw", "must be true or false, not 1"),
    (GRANT, "accept", "yes", "accept", "must be true or false, not 'yes'"),
    (GRANT, "accept", GONE, "", "the key 'accept' is missing"),
    (RESIGN, "position", "ab" * 32, "", "there is no key 'position'"),
]


class TestFaults:
    """A refusal says where in the file the fault is, what was found there and what was expected."""

    @pytest.mark.parametrize(("n", "path", "value", "where", "problem"), FAULTS)
    def test_place_and_words(self, n: int, path: str, value: object, where: str, problem: str) -> None:
        error = refusal(n, path, value)
        assert error.where == f"log[{n}].{where}".removesuffix(".")
        assert str(error.problem) == problem

    @pytest.mark.parametrize(
        ("n", "path", "hint"),
        [
            (PLAY, "ordres", "did you mean 'orders'?"),
            (OFFER, "seat.ancor", "did you mean 'anchor'?"),
            (TAKEBACK, "what.undo", "it can be one of takeback, draw, retract"),
        ],
    )
    def test_an_unknown_key_is_answered_with_a_known_one(self, n: int, path: str, hint: str) -> None:
        assert refusal(n, path, 1).hint == hint

    @pytest.mark.parametrize("value", [1, None])
    @pytest.mark.parametrize(
        "key",
        ["\x1b[2J", "a\nb", "x" * 9000, "x` - at `$.orders[99]", "x` - at `$.seat", "` - at `$.\x1b[2J"],
    )
    def test_a_hostile_key_cannot_speak_to_the_terminal(self, key: str, value: Plain) -> None:
        for n in (OFFER, PLAY, RESIGN):
            with pytest.raises(FileError) as caught:
                parse_entry({**sample_log()[n].raw, key: value}, f"log[{n}]")
            assert str(caught.value).isprintable()
            assert str(caught.value.problem).startswith("there is no key")
            assert len(str(caught.value)) < 200

    @pytest.mark.parametrize("value", [None, [], "offer", 7, True])
    def test_an_entry_is_a_mapping(self, value: Any) -> None:
        with pytest.raises(FileError, match=r"log\[4\]: must be a mapping, not .*"):
            parse_entry(value, "log[4]")

    @pytest.mark.parametrize(
        ("n", "path", "value"),
        [
            (PLAY, "say", "é" * 500),
            (PLAY, "say", ""),
            (PLAY, "x", {"a": "x" * 1016}),
            (OFFER, "scenario.data", {"a": "x" * (2**20 - 8)}),
            (OFFER, "seat.name", "😀" * 64),
            (OFFER, "seat.name", " "),
            (OFFER, "beats", 0),
            (OFFER, "beats", 65_536),
            (PLAY, "by", "a" * 16),
            (PLAY, "x", {"a": None}),
            (PLAY, "orders", [{"a": None}]),
            (PLAY, "at", "9999-12-31T23:59:59Z"),
        ],
    )
    def test_the_last_good_value_is_accepted(self, n: int, path: str, value: object) -> None:
        parse_entry(changed(n, path, value), f"log[{n}]")


class TestExtensions:
    """A program that does not know an extension named in `needs` refuses the file and says which."""

    @pytest.mark.parametrize("n", [OFFER, TAKEBACK])
    def test_named(self, n: int) -> None:
        error = refusal(n, "needs", ["clock", "teams"])
        assert error.where == f"log[{n}].needs"
        assert (
            str(error.problem)
            == "this file needs extension 'clock', 'teams', which this program does not have"
        )

    def test_before_the_keys_that_it_adds(self) -> None:
        raw = changed(OFFER, "needs", ["clock"]) | {"clock": {"days": 14}, "kind": "timed"}
        with pytest.raises(FileError, match="needs extension 'clock'"):
            parse_entry(raw, "log[0]")
