"""The facts about Tabletop that the contract suite needs (see `playout.Contract`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from pbem.core.requests import Orders, Plain, Question, Tell, accepts
from pbem.core.rules import Chooser, Effort, Player
from pbem.core.run import Position
from pbem.games.tabletop.rules.sequence import offers
from pbem.games.tabletop.rules.state import Deck, Shuffle, State

OPTIONS: Mapping[str, Sequence[Plain]] = {"exchanges": (1, 5, 40)}

MET = {
    *(("asked", rule) for rule in ("T4", "T6", "T8")),
    ("rolled", "T5"),
    ("drew", "T5"),
    ("drew", "T6"),
    ("moved", "T5"),
    ("moved", "T6"),
    ("shuffled", "T5"),
    ("shuffled", "T6"),
    ("noted", "T7"),
    ("track_set", "T7"),
    ("handed_over", "T4"),
    ("proposed", "T8"),
    ("answered", "T8"),
    ("opened", "T6"),
    ("ends", "T8"),
    ("ends", "T6"),
}

GAMES = (500, 2_000)

NOTES = ("Verdun, 3:1; +1", "mud # everywhere", "Überfall bei Kasserine", "retreat, or a step?")


def _chosen(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """Any player: offered orders, in several parts, with messages, notes and tracks between them.

    Players do not know their hands here, so they name cards at random, and are found out at the end.
    """
    state: State = ask.state
    if ask.question == "shuffle":
        [order] = next(offers(ask))
        return [{"shuffle": chooser.sample(order["shuffle"], len(order["shuffle"]))}]
    if ask.question != "act":
        chosen: Orders = chooser.choice(list(offers(ask)))
        return chosen
    orders: Orders = []
    for _ in range(int(chooser.random() * 4)):
        more = _more(state, chooser)
        if accepts(ask.read, [*orders, more]):
            orders.append(more)
    last = chooser.choice(list(offers(ask)))
    return [*orders, *last] if accepts(ask.read, [*orders, *last]) else last


def _more(state: State, chooser: Chooser) -> Plain:
    kind = chooser.choice(("roll", "draw", "play", "discard", "return", "note", "set"))
    deck = chooser.choice([*state.decks, "-"])
    match kind:
        case "roll":
            return {
                "roll": chooser.choice(("2d6", "d10+1", "d%", *state.setting.dice)),
                "for": chooser.choice(NOTES),
            }
        case "draw":
            return {"draw": chooser.choice((1, 2, 3)), "from": deck}
        case "note":
            return {"note": chooser.choice(NOTES)}
        case "set":
            return {"set": chooser.choice([*state.tracks]), "to": chooser.choice((0, 3, -2))}
    cards = state.setting.packs[deck].cards if deck in state.decks else ("-",)
    return {kind: chooser.choice(cards), "for": chooser.choice(NOTES)}


PLAYERS: Mapping[str, Player] = {"random": _chosen}


def scatter(begun: State, chooser: Random) -> State:
    """From the beginning: a table in mid-game would need seals that nobody has given."""
    return begun


def varied(ask: Question, orders: Orders, chooser: Random) -> Orders:
    """Unchanged: the player of this suite does everything."""
    return orders


def restore(begun: State, position: Plain) -> Position:
    """The table at a question, from the public position only."""
    decks = {
        name: Deck(
            pile=tuple(deck["pile"]),
            out=tuple(deck["out"]),
            gone=tuple(deck["gone"]),
            claims=tuple(deck["claims"]),
            shuffles=tuple(_shuffle(one) for one in deck["shuffles"]),
        )
        for name, deck in position["decks"].items()
    }
    steps = {"act": "act", "shuffle": "seal", "answer": "answer", "open": "open"}
    proposed: Any = position["proposed"] and tuple(position["proposed"])
    return Position(
        replace(
            begun,
            step=steps[position["asks"]["question"]],
            decks=decks,
            tracks=position["tracks"],
            used=position["used"],
            active=position["active"],
            asked=position["asked"],
            shuffling=position["shuffling"],
            proposed=proposed,
        )
    )


def _shuffle(said: Plain) -> Shuffle:
    order = said.get("order")
    return Shuffle(said.get("seal", ""), tuple(said["sources"]), None if order is None else tuple(order))


def hit(told: Sequence[Tell]) -> bool | None:
    """Nobody attacks."""
    return None


def check(begun: State, before: Plain, told: Sequence[Tell], now: Plain) -> None:
    """T3, T5, T6: no card is lost, and none appears from nowhere; a hidden hand is never overdrawn."""
    for name, deck in now["decks"].items():
        cards = begun.setting.packs[name].cards
        shown = [*deck["out"], *deck["gone"]]
        if begun.owner(name) is None:
            assert sorted([*shown, *deck["pile"]]) == sorted(cards)
            assert not deck["claims"]
            continue
        held = sum(-1 if claim[0] == "!" else 1 for claim in deck["claims"])
        assert held >= 0
        assert not deck["shuffles"] or held + len(shown) + len(deck["pile"]) == len(cards)
        assert all(shown.count(card) <= cards.count(card) for card in shown)
    assert now["used"] <= begun.setting.exchanges
    assert before["used"] <= now["used"] <= before["used"] + 1
