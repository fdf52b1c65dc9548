"""A cheat among commanders: the adversary table of FORMAT 11.

Each row: the attack, what is done to an honest log whose last entry has a part, the step of section 9 that
fails, the entry, and a word of the message. All else is linked and signed without a flaw.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

from pbem.core.sealing import Open
from pbem.format.keys import PrivateKey
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.write import Person, Terms
from support.attack_tables import Fails, parametrize_attacks
from support.commanders_game import (
    KEYS,
    OPTIONS,
    RULES,
    begun_game,
    commander,
    forge_file,
    game_before_move,
    game_before_sealing,
    orders_of_groups,
    practice_orders,
    sign_part,
    write_play,
    write_reply,
)
from support.simulator import STRANGER, Log, entropy, log_of

SMALL_ORDER = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43


@cache
def honest() -> Game:
    """The Axis has moved; Graziani has signed what the Italians do."""
    game = game_before_move()
    orders = practice_orders(game)
    return write_play(
        game, orders, [sign_part(game, "italian", orders_of_groups(game, orders, ("italian",)))]
    )


@cache
def opened() -> Game:
    """The Axis has opened its placement, of which Graziani has signed his."""
    game = game_before_sealing()
    orders = practice_orders(game)
    game = write_play(
        game, orders, [sign_part(game, "italian", orders_of_groups(game, orders, ("italian",)))]
    )
    while not isinstance(game.state.pending_question, Open):
        game = write_reply(game)
    return write_play(game)


@cache
def sealed() -> Game:
    """The Axis has sealed its placement."""
    return write_play(game_before_sealing(), practice_orders(game_before_sealing()))


@cache
def alone() -> Game:
    """Both leads play without commanders, which the offer allows."""
    terms = Terms(RULES, OPTIONS, "alamein")
    offered = write.offer(Person("Rommel", KEYS["axis"]), "axis", terms, entropy("axis"), shared=True)
    return write.accept(offered, Person("Monty", KEYS["allied"]), entropy("allied"))


LAST = len(honest().entries) - 1
OPENED, SEALED = len(opened().entries) - 1, len(sealed().entries) - 1

Attack = Callable[[Log], object]


def again(**other: Any) -> Attack:
    """Graziani's part signed anew: with another key, in another place, with other orders."""
    key: PrivateKey | None = other.pop("key", None)

    def attack(log: Log) -> None:
        (part,) = log[-1]["parts"]
        orders = other.pop("orders", part["orders"])
        log[-1]["parts"] = [sign_part(game_before_move(), "italian", orders, key=key, **other)]

    return attack


def part(**keys: Any) -> Attack:
    """Other values in the part as it stands."""
    return lambda log: log[-1]["parts"][0].update(keys)


def orders(change: Callable[[list[Any]], list[Any]]) -> Attack:
    """Graziani signs other orders than stand in the entry."""
    return lambda log: again(orders=change(log[-1]["parts"][0]["orders"]))(log)


def germans(log: Log) -> None:
    """Graziani signs what the Germans do."""
    again(orders=orders_of_groups(game_before_move(), log[-1]["orders"], ("german",))[:1])(log)


def swapped(log: Log) -> None:
    """The lead carries out Graziani's orders in another sequence, where each would stand."""
    italian = [raw for raw in log[-1]["orders"] if raw in log[-1]["parts"][0]["orders"]]
    first, second = (log[-1]["orders"].index(raw) for raw in italian[:2])
    both = log[-1]["parts"][0]["orders"]
    both[0], both[1] = both[1], both[0]
    assert first < second
    again(orders=both)(log)


def left_out(log: Log) -> None:
    """The lead leaves out what Graziani has signed."""
    log[-1]["orders"].remove(log[-1]["parts"][0]["orders"][0])


def elsewhere(log: Log) -> None:
    """The lead sends one of Graziani's units elsewhere than he signed: the last, in nobody's way."""
    *_, ordered = (raw for raw in log[-1]["parts"][0]["orders"] if len(raw["path"]) > 1)
    at = log[-1]["orders"].index(ordered)
    log[-1]["orders"][at] = {**ordered, "path": ordered["path"][:1]}


def seat(n: int, change: Callable[[dict[str, Any]], object]) -> Attack:
    """The seat of entry n is another."""

    def attack(log: Log) -> None:
        del log[2:]
        change(log[n]["seat"])

    return attack


def commanders(n: int, *who: Any) -> Attack:
    """Other commanders of the seat of entry n."""
    raw = [{"name": one.name, "key": one.key, "of": one.of} for one in who]
    return seat(n, lambda taken: taken.update(commanders=raw))


def key(text: str) -> Attack:
    """Graziani comes with this key."""
    return seat(0, lambda taken: taken["commanders"][0].update(key=text))


def needs(value: Any) -> Attack:
    """What the offer needs."""
    return lambda log: log[0].update(needs=value) if value is not None else log[0].pop("needs")


def named(group: str) -> PrivateKey:
    """The key of a commander who is nobody else."""
    return PrivateKey(sha256(group.encode()).digest())


STR = {name: str(one.public) for name, one in KEYS.items()}
OTHER = PrivateKey(bytes(range(32)))
FREE = {"key": OTHER}

ATTACKS = (
    (
        "another key signs the part",
        honest,
        again(key=STRANGER),
        5,
        LAST,
        "the part by commander 0 of the Axis does not match",
    ),
    ("the lead signs the part himself", honest, again(key=KEYS["axis"]), 5, LAST, "does not match"),
    ("the other side's commander signs", honest, again(key=KEYS["commonwealth"]), 5, LAST, "does not match"),
    ("a part of another entry", honest, again(prev=game_before_move().ids[-2]), 5, LAST, "does not match"),
    ("a part of another game", honest, again(game="ab" * 32), 5, LAST, "does not match"),
    ("a part for the other seat", honest, again(seat="allied"), 5, LAST, "does not match"),
    ("a part signed in another's place", honest, again(by=1), 5, LAST, "does not match"),
    ("orders of a part altered", honest, part(orders=[]), 5, LAST, "does not match"),
    ("a signature that is none", honest, part(sig="A" * 86 + "=="), 5, LAST, "does not match"),
    ("a part by nobody", honest, part(by=1), 5, LAST, "commander 1 of the Axis, who does not exist"),
    ("a part below nobody", honest, part(by=-1), 2, LAST, "parts[0].by"),
    (
        "the units of others",
        honest,
        germans,
        7,
        LAST,
        "a commander of italian units may not order german units (R9.1)",
    ),
    (
        "an order of no units",
        honest,
        orders(lambda own: [{"pass": True}]),
        7,
        LAST,
        "an order that names no unit",
    ),
    (
        "the other side's units",
        honest,
        orders(lambda own: [{"move": "20-Aus"}]),
        7,
        LAST,
        "may not order commonwealth units",
    ),
    ("orders that are not in the entry", honest, left_out, 7, LAST, "must be among the entry's own"),
    ("an order carried out otherwise", honest, elsewhere, 7, LAST, "must be among the entry's own"),
    ("orders in another sequence", honest, swapped, 7, LAST, "in the same sequence"),
    ("one order twice", honest, orders(lambda own: [own[0], *own]), 7, LAST, "in the same sequence"),
    (
        "two parts by one",
        honest,
        lambda log: log[-1]["parts"].append(log[-1]["parts"][0]),
        2,
        LAST,
        "may have only one part",
    ),
    (
        "two parts by one that differ",
        honest,
        lambda log: log[-1]["parts"].append(sign_part(game_before_move(), "italian", [])),
        2,
        LAST,
        "may have only one part",
    ),
    ("a part with more in it", honest, part(say="Avanti!"), 2, LAST, "there is no key 'say'"),
    (
        "a part without orders",
        honest,
        lambda log: log[-1]["parts"][0].pop("orders"),
        2,
        LAST,
        "the key 'orders' is missing",
    ),
    ("parts that are no list", honest, lambda log: log[-1].update(parts={}), 2, LAST, "parts"),
    ("parts that are null", honest, lambda log: log[-1].update(parts=None), 2, LAST, "null is not allowed"),
    (
        "parts without orders beside",
        honest,
        lambda log: log[-1].pop("orders"),
        2,
        LAST,
        "parts need orders beside them",
    ),
    (
        "parts of sealed orders before they are opened",
        sealed,
        lambda log: log[-1].update(parts=[sign_part(game_before_sealing(), "italian", [])]),
        7,
        SEALED,
        "in the entry that opens them",
    ),
    (
        "a part of sealed orders made when they are opened",
        opened,
        lambda log: log[-1].update(
            parts=[
                sign_part(
                    opened(), "italian", log[-1]["parts"][0]["orders"], seat="axis", prev=opened().ids[-2]
                )
            ]
        ),
        5,
        OPENED,
        "does not match",
    ),
    (
        "a placement elsewhere than its commander signed",
        opened,
        lambda log: log[-1]["parts"].__setitem__(
            0,
            sign_part(
                game_before_sealing(),
                "italian",
                [{"place": dict.fromkeys(log[-1]["parts"][0]["orders"][0]["place"], "0101")}],
            ),
        ),
        7,
        OPENED,
        "must be among the entry's own",
    ),
    (
        "a part in an opening of nothing",
        opened,
        lambda log: log[-1]["orders"][0]["open"].update(salt="00" * 32),
        5,
        OPENED,
        "does not match",
    ),
    ("parts without the extension", honest, needs(None), 2, 0, "there is no key 'commanders'"),
    ("another extension", honest, needs(["blitz"]), 2, 0, "extension 'blitz'"),
    ("an extension beside it", honest, needs(["commanders", "blitz"]), 2, 0, "extension 'blitz'"),
    ("the extension twice", honest, needs(["commanders", "commanders"]), 2, 0, "is allowed only once"),
    (
        "the extension later",
        begun_game,
        lambda log: log.append(
            {"by": "axis", "kind": "propose", "what": {"draw": True}, "needs": ["commanders"]}
        ),
        2,
        2,
        "in the offer",
    ),
    ("no commander in the list", honest, commanders(0), 2, 0, "not 0"),
    ("four commanders", honest, commanders(1, *[commander("greek", **FREE)] * 4), 2, 1, "not 4"),
    (
        "a commander of nothing",
        honest,
        seat(0, lambda taken: taken["commanders"][0].update(of=[])),
        2,
        0,
        "at least one group",
    ),
    (
        "a commander without a key",
        honest,
        seat(0, lambda taken: taken["commanders"][0].pop("key")),
        2,
        0,
        "'key'",
    ),
    (
        "a commander of the other side",
        honest,
        commanders(0, commander("greek", **FREE)),
        4,
        0,
        "german or italian",
    ),
    ("a group that there is not", honest, commanders(0, commander("polish", **FREE)), 4, 0, "'polish'"),
    (
        "a group twice",
        honest,
        commanders(0, commander("italian", "italian")),
        4,
        0,
        "italian units have two commanders",
    ),
    (
        "a group of two commanders",
        honest,
        commanders(0, commander("italian"), commander("german", "italian", **FREE)),
        4,
        0,
        "italian units have two commanders",
    ),
    (
        "one key of two commanders",
        honest,
        commanders(0, commander("italian"), commander("german", key=KEYS["italian"])),
        4,
        0,
        "a key that is already in this game",
    ),
    (
        "a third commander of the game",
        honest,
        commanders(1, commander("commonwealth"), commander("greek", **FREE)),
        4,
        1,
        "at most two commanders are allowed",
    ),
    (
        "three commanders of one side, none of the other",
        alone,
        commanders(1, *(commander(group, key=named(group)) for group in ("greek", "french", "british"))),
        4,
        1,
        "at most two commanders are allowed",
    ),
    ("the lead's key", honest, key(STR["axis"]), 4, 0, "a key that is already in this game"),
    ("the opponent's key", honest, key(STR["allied"]), 4, 0, "a key that is already in this game"),
    (
        "a key of the other side's commander",
        honest,
        key(STR["commonwealth"]),
        4,
        1,
        "a key that is already in this game",
    ),
    ("a key of small order", honest, key(SMALL_ORDER), 4, 0, "valid Ed25519 key"),
)


@parametrize_attacks(ATTACKS)
def test_refused(attack: tuple[Callable[[], Game], Attack, int, int, str]) -> None:
    game, change, step, entry, word = attack
    log = log_of(game())
    change(log)
    Fails(step, entry, word).check(forge_file(log))
