"""T1 to T3: what is on the table, and what both players may see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.requests import Plain
from pbem.core.rules import Outcome
from pbem.games.tabletop.terms.scenario import FIRST, SECOND, Setting, other_seat, read_setting


class Shuffle(Struct, frozen=True):
    """T6: a sealed order of cards.

    `sources` are what was put in order: cards by name, or places of an earlier shuffle such as `#7`. `order`
    is what was sealed: place n of the shuffle has `sources[order[n]]`. It is None until opened, and empty if
    the content of the seal is not an order of the cards.
    """

    seal: str
    sources: tuple[str, ...]
    order: tuple[int, ...] | None = None


class Deck(Struct, frozen=True):
    """A deck. If it is a side's own, `pile` has places such as `#7`, numbered through all its shuffles.

    `out` are the open cards, `gone` those out of the game. `claims` are, in sequence, the places that came
    into the hidden hand (`#7`) and the cards its owner says left it (`!Spy ring`).
    """

    pile: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    shuffles: tuple[Shuffle, ...] = ()
    claims: tuple[str, ...] = ()

    @property
    def held(self) -> int:
        """T6: how many cards are in the hidden hand."""
        return sum(-1 if claim[0] == "!" else 1 for claim in self.claims)


class State(Struct, frozen=True):
    """Everything the rules depend on; `step` names the next step.

    `active` has the table; `asked` is the other side's question to it. `shuffling` is the own deck to be put
    in order next; `proposed` is a result, a side's name or `draw`, with a text.
    """

    setting: Setting
    step: str
    decks: Mapping[str, Deck]
    tracks: Mapping[str, int]
    used: int = 0
    active: str = FIRST
    asked: str = ""
    shuffling: str | None = None
    proposed: tuple[str, str] | None = None
    outcome: Outcome | None = None
    own: Mapping[str, tuple[int, ...]] = {}
    """T6: the orders under the viewer's own seals: never public, and no public rule depends on them."""

    def side(self, seat: str) -> str:
        """The name of a seat's side."""
        return self.setting.side(seat)

    def owner(self, deck: str) -> str | None:
        """The seat that owns a deck, or None."""
        return self.setting.packs[deck].owner

    def with_deck(self, name: str, deck: Deck) -> State:
        """The state with a new value for a deck."""
        return replace(self, decks={**self.decks, name: deck})

    def unsealed_decks(self) -> Iterator[str]:
        """T6: the own decks not yet put in order, in the sequence in which that happens."""
        for seat in (SECOND, FIRST):
            yield from (name for name in self.setting.own_decks(seat) if not self.decks[name].shuffles)

    def unopened(self) -> Iterator[tuple[str, int]]:
        """T6: the shuffles still to be opened, by deck and number, first those of the side that agreed."""
        for seat in (other_seat(self.active), self.active):
            for name in self.setting.own_decks(seat):
                shuffles = enumerate(self.decks[name].shuffles)
                yield from ((name, n) for n, shuffle in shuffles if shuffle.order is None)


def begin(options: Mapping[str, Plain], scenario: Plain) -> State:
    """The state before the first step. Raises `FileError` if options or scenario are faulty."""
    setting = read_setting(options, scenario)
    decks = {name: Deck(() if pack.owner else pack.cards) for name, pack in setting.packs.items()}
    state = State(setting, "act", decks, dict(setting.tracks))
    return next_step(state)


def next_step(state: State) -> State:
    """T6: the state at the next step; every own deck is put in order before play begins."""
    name = next(state.unsealed_decks(), None)
    return replace(state, step="act" if name is None else "seal", shuffling=name)


def public_position(state: State) -> dict[str, Plain]:
    """The public position, which both players sign: all but the setting, and what only one player knows."""
    return {
        "active": state.active,
        "asked": state.asked,
        "shuffling": state.shuffling,
        "proposed": None if state.proposed is None else list(state.proposed),
        "used": state.used,
        "tracks": dict(state.tracks),
        "decks": {name: _public_deck(deck) for name, deck in state.decks.items()},
        "outcome": None if state.outcome is None else {"winner": state.outcome.winner},
    }


def _public_deck(deck: Deck) -> dict[str, Plain]:
    return {
        "pile": list(deck.pile),
        "out": list(deck.out),
        "gone": list(deck.gone),
        "claims": list(deck.claims),
        "shuffles": [_public_shuffle(shuffle) for shuffle in deck.shuffles],
    }


def _public_shuffle(shuffle: Shuffle) -> dict[str, Plain]:
    """A shuffle: with its seal until it is opened, then with its order."""
    known = {"seal": shuffle.seal} if shuffle.order is None else {"order": list(shuffle.order)}
    return {"sources": list(shuffle.sources), **known}
