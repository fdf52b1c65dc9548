"""Smugglers: what `RULES.md` says, S1 to S5."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.core import shape
from pbem.core.forms import Form, read_one, word
from pbem.core.requests import Ask, Draw, Event, Orders, Plain, Question, Tell, Throw
from pbem.core.rules import OVER, Outcome, Step
from pbem.core.scenarios import Scenarios
from pbem.core.sealing import Open, Seal
from pbem.errors import FileError
from pbem.messages import Messages, Said

tr = Messages("coves")

SMUGGLER, CUSTOMS = "smuggler", "customs"
FACES = (1, 2, 3, 4, 5, 6)
HAND = 3
"""S2: the cargoes in hand at first."""


class Scenario(shape.Struct, frozen=True, kw_only=True):
    """A scenario's file."""

    name: shape.Name
    coves: dict[str, shape.Line]
    cargoes: dict[shape.Name, int]


class State(Struct, frozen=True):
    """All that the rules depend on; `step` names the step that comes next."""

    step: str
    coves: Mapping[str, str]
    worth: Mapping[str, int]
    turns: int
    cutters: int
    turn: int
    deck: tuple[str, ...]
    hand: tuple[str, ...] = ()
    landed: tuple[str, ...] = ()
    seized: tuple[str, ...] = ()
    seal: str | None = None
    watched: str | None = None
    outcome: Outcome | None = None


class Deals(Event, frozen=True):
    """A cargo comes to the smuggler's hand."""

    cargo: str


class Watches(Event, frozen=True):
    """The customs watch a cove."""

    at: str


class Lands(Event, frozen=True):
    """A cargo is landed."""

    cargo: str
    at: str


class Caught(Event, frozen=True):
    """A cargo comes to the watched cove: the face thrown, and whether it is seized."""

    cargo: str
    at: str
    face: int
    seized: bool


class Ends(Event, frozen=True):
    """The game is over."""

    winner: str | None
    reason: Said


def _problems(scenario: Scenario) -> Iterator[tuple[str, Said]]:
    if not scenario.coves or not {f"0{column}01" for column in range(1, 7)} >= scenario.coves.keys():
        yield "scenario.coves", tr("expected some of 0101 to 0601, each with its name")
    if len(scenario.cargoes) < HAND or not all(1 <= worth <= 99 for worth in scenario.cargoes.values()):
        yield "scenario.cargoes", tr("expected three cargoes or more, each worth 1 to 99")


SCENARIOS = Scenarios("coves", ("smugglers",), Scenario, _problems, "scenarios")


def begin(options: Mapping[str, Plain], scenario: Plain) -> State:
    """The state before the first step."""
    if options.keys() != {"turns", "cutters"} or not all(type(value) is int for value in options.values()):
        raise FileError(tr("expected turns and cutters"), where="options")
    if not 1 <= options["turns"] <= 20 or not 0 <= options["cutters"] <= 6:
        raise FileError(tr("expected 1 to 20 turns, and 0 to 6 cutters"), where="options")
    read = SCENARIOS.read(scenario)
    SCENARIOS.look(read)
    return State(
        "deal", read.coves, read.cargoes, options["turns"], options["cutters"], 1, tuple(read.cargoes)
    )


def beats(options: Mapping[str, Plain], scenario: Plain) -> int:
    """Twice the most beats of one game: the first hand, then a throw, a card or both in each turn."""
    return 2 * (1 + int(options["turns"]))


def _land(cargo: str, at: str) -> tuple[str, str]:
    return cargo, at


def _forms(state: State) -> list[Form]:
    """S5: the forms of orders."""
    return [
        Form("land", _land, word(*state.hand), needed={"at": word(*state.coves)}),
        Form("watch", str, word(*state.coves)),
    ]


def read_order(state: State, verb: str, orders: Plain) -> Any:
    """S5: the one order of an answer. Raises `IllegalOrder`."""
    return read_one(orders, _forms(state), verb, "S5")


async def deal(state: State) -> State:
    """S2: cargoes come to hand."""
    while state.deck and len(state.hand) < HAND:
        cargo = await Draw(state, "S2", state.deck)
        deck = tuple(card for card in state.deck if card != cargo)
        state = replace(state, deck=deck, hand=(*state.hand, cargo))
        await Tell(state, "S2", Deals(cargo))
    return replace(state, step="choose")


async def choose(state: State) -> State:
    """S3: the smuggler chooses, sealed."""
    seal = await Seal(state, "S3", SMUGGLER, "land", partial(read_order, state, "land"), "S5")
    return replace(state, step="watch", seal=seal)


async def watch(state: State) -> State:
    """S3: the customs watch a cove."""
    watched: str = await Ask(state, "S3", CUSTOMS, "watch", partial(read_order, state, "watch"))
    state = replace(state, step="open", watched=watched)
    await Tell(state, "S3", Watches(watched))
    return state


async def open_(state: State) -> State:
    """S3, S4: the order is opened, and the cargo landed, seized or lost."""
    assert state.seal is not None
    reader = partial(read_order, state, "land")
    cargo, at = await Open(state, "S3", SMUGGLER, "open", reader, state.seal, "S5")
    state = replace(state, seal=None, hand=tuple(card for card in state.hand if card != cargo))
    if at != state.watched:
        state = replace(state, landed=(*state.landed, cargo))
        await Tell(state, "S4", Lands(cargo, at))
    else:
        face = await Throw(state, "S4", FACES)
        seized = face <= state.cutters
        state = replace(state, seized=(*state.seized, *([cargo] if seized else [])))
        await Tell(state, "S4", Caught(cargo, at, face, seized))
    if state.turn == state.turns or not (state.hand or state.deck):
        return await _end(state)
    return replace(state, step="deal", turn=state.turn + 1, watched=None)


def worths(state: State) -> dict[str, int]:
    """S1: what each side has."""
    return {
        SMUGGLER: sum(state.worth[cargo] for cargo in state.landed),
        CUSTOMS: sum(state.worth[cargo] for cargo in state.seized),
    }


async def _end(state: State) -> State:
    """S1: the game is over."""
    landed, seized = worths(state).values()
    winner = None if landed == seized else SMUGGLER if landed > seized else CUSTOMS
    reason = tr("{landed} landed, {seized} seized", landed=landed, seized=seized)
    state = replace(state, step=OVER, outcome=Outcome(winner, reason, "S1"))
    await Tell(state, "S1", Ends(winner, reason))
    return state


SEQUENCE: Mapping[str, Step] = {"deal": deal, "choose": choose, "watch": watch, "open": open_}


def public(state: State) -> dict[str, Any]:
    """The public position."""
    return {
        "turn": state.turn,
        "deck": list(state.deck),
        "hand": list(state.hand),
        "landed": list(state.landed),
        "seized": list(state.seized),
        "seal": state.seal,
        "watched": state.watched,
    }


def offers(ask: Question) -> Iterator[Orders]:
    """Every legal answer."""
    state: State = ask.state
    if ask.question == "watch":
        yield from ([{"watch": cove}] for cove in state.coves)
    else:
        yield from ([{"land": cargo, "at": cove}] for cargo in state.hand for cove in state.coves)
