"""The facts about Stand at Mortain that the contract suite needs (see `playout.Contract`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from pbem.core.requests import Orders, Plain, Question, Tell, accepts
from pbem.core.run import Position
from pbem.games.mortain.rules.orders import Activation, Fire, Support
from pbem.games.mortain.rules.state import ELIMINATED, EXITED, OFF_MAP, UNPLACED, WAITING, State, Step, Unit
from pbem.games.mortain.rules.victory import decisive_outcome
from pbem.games.mortain.terms.setting import GERMAN, SEATS, US, Setting

OPTIONS: Mapping[str, Sequence[Plain]] = {
    "activation_rounding": ("up", "down", "down_at_least_one"),
    "early_joker": ("ends_turn", "until_both_activated", "until_both_could"),
    "tiger_free": ("stacked", "with_another", "always"),
    "support_costs": ("activation", "one_unit"),
    "support_target": ("unit", "hex", "chosen"),
    "east_column": ("german_only", "open"),
    "los_edge": ("both_block", "either_blocks"),
    "turns": (1, 2, 3),
    "exits_to_win": (1, 2, 3, 8),
}

MET = {
    *(("asked", rule) for rule in ("M2.1", "M3.3", "M3.4", "M5.7")),
    *(("misses", rule) for rule in ("M5.6", "M5.7", "M5.8", "M7.3")),
    *(("victory", rule) for rule in ("M8.1", "M8.2", "M8.3")),
    *(("attack", rule) for rule in ("M5.1", "M6.3")),
    ("placed", "M2.1"),
    ("turn_begins", "M3.1"),
    ("card", "M3.2"),
    ("passes", "M3.2"),
    ("moves", "M4.1"),
    ("enters", "M4.4"),
    ("exits", "M4.5"),
    ("suppresses", "M6.4"),
    ("attack_card", "M5.5"),
    ("face", "M5.7"),
    ("hit", "M5.6"),
    ("eliminated", "M1.2"),
    ("joker_aside", "M7.2"),
    ("joker_ends", "M7.1"),
    ("deck_out", "M7.3"),
    ("turn_ends", "M7.4"),
}

PLAYING = [f"{rank}{suit}" for suit in "CDHS" for rank in ("A", *map(str, range(2, 11)), *"JQK")]
DECK = [*PLAYING, "Joker"]


def scatter(begun: State, chooser: Random) -> State:
    """A draw of an activation card in mid-game: both sides close together, a deck of any size."""
    setting = begun.setting
    grid, options = setting.grid, setting.options
    middle = min(chooser.randint(setting.west, setting.east) for _ in range(2))
    near = [at for at in grid.numbers if abs(grid.column(at) - middle) <= 2]
    gone = options.early_joker != "ends_turn" and chooser.random() < 0.5
    aside = ("Joker",) if gone else ()
    kept = {"Joker", *chooser.sample(PLAYING, chooser.randrange(chooser.randint(1, 52)))}
    worn = {side: chooser.choice((0.1, 0.4, 1)) for side in SEATS}
    state = replace(
        begun,
        step=Step.CARD,
        turn=chooser.randint(1, options.turns),
        deck=tuple(card for card in DECK if card in kept and card not in aside),
        aside=aside,
        support=chooser.choice(("available", "used")),
    )
    for name in setting.counters:
        state = state.with_unit_at(name, chooser.choice(_places(state, name, near)))
        if state.on_map(name):
            for _ in range(2):
                if chooser.random() < worn[state.side(name)]:
                    state = state.hit(name)
    return state if decisive_outcome(state) is None else begun


def _places(state: State, name: str, near: Sequence[str]) -> Sequence[str]:
    """Where a unit can be by now: usually a hex with room for it."""
    counter, setting = state.counter(name), state.setting
    if counter.arrives > state.turn:
        return [WAITING]
    side = counter.side
    hexes = [
        at
        for at in near
        if all(state.side(other) == side for other in state.stack(at)) and len(state.stack(at)) < 2
    ]
    off_map = [WAITING] if counter.starts != "map" else []
    if side == GERMAN and state.exits + 1 < setting.options.exits_to_win:
        off_map.append(EXITED)
    return [*hexes, *off_map * 9]


def varied(ask: Question, orders: Orders, chooser: Random) -> Orders:
    """What the computer players never do: any placement, joint fire, standing orders about face cards."""
    *others, last = orders
    if "place" in last:
        anywhere = [
            {"place": {name: chooser.choice(ask.state.setting.grid.numbers) for name in last["place"]}}
        ]
        return anywhere if accepts(ask.read, anywhere) else orders
    if "fire" in last:
        if chooser.random() < 0.5 and accepts(ask.read, [last]):
            others = []
        for name in ask.state.field(ask.seat):
            joint = {**last, "fire": [*last["fire"], name]}
            if accepts(ask.read, [*others, joint]):
                last = joint
    if last.keys() & {"fire", "artillery", "air"} and chooser.random() < 0.7:
        last = {**last, "faces": chooser.choice(("redraw", "miss", "ask"))}
    return [*others, last]


def restore(begun: State, position: Plain) -> Position:
    """M9.4: the game at a question, from the public position only.

    A question about a face card does not depend on which one was drawn, so any that is gone will do. Support
    that attacks was not used up when its card was drawn.
    """
    if position["asks"]["question"] == "place":
        return Position(begun)
    answers: list[Any] = [position["card"]]
    attack, support = position["attack"], position["support"]
    if attack is not None:
        answers += [_declared(attack), _lost_face_card(position)]
        support = support if attack["way"] == "fire" else "available"
    put_back = [*position["deck"], answers[0], answers[-1]]
    state = replace(
        begun,
        step=Step.CARD,
        turn=position["turn"],
        deck=tuple(card for card in DECK if card in put_back),
        aside=tuple(position["aside"]),
        support=support,
        suppressed=position["suppressed"],
        units={name: Unit(unit["at"], unit["face"] == "reduced") for name, unit in position["units"].items()},
        activated=tuple(seat for seat in SEATS if position["activated"][seat]),
        colours=tuple(colour for colour, come in position["colours"].items() if come),
    )
    return Position(state, tuple(answers))


def _declared(attack: Plain) -> Activation:
    """The list that made an attack; the units it moved have moved."""
    targets, faces = tuple(attack["targets"]), attack["faces"]
    if attack["way"] == "fire":
        return Activation.of((Fire(tuple(attack["firers"]), targets[0], faces),))
    return Activation.of((Support(attack["way"], targets, faces),))


def _lost_face_card(position: Plain) -> str:
    left = [*position["deck"], position["card"]]
    return next(card for card in PLAYING if card[0] in "JQK" and card not in left)


def hit(told: Sequence[Tell]) -> bool | None:
    """Whether the attack hit; None if it is not settled yet."""
    for tell in told:
        if tell.event in ("hit", "eliminated", "misses"):
            return tell.event != "misses"
    return None


def check(begun: State, before: Plain, told: Sequence[Tell], now: Plain) -> None:
    """Check what holds in every position, and between one and the next."""
    setting = begun.setting
    check_cards(before, told, now)
    check_hexes(setting, now)
    check_units(setting, before, now)
    check_turn(setting, before, now)
    if now["asks"] is None:
        check_winner(setting, told[-1], now)


def check_cards(before: Plain, told: Sequence[Tell], now: Plain) -> None:
    """M3.1, M3.2: the deck is unchanged, or a full one, in fixed order, less the cards drawn since."""
    deck, aside = before["deck"], before["aside"]
    for tell in told:
        match tell.event:
            case "turn_begins":
                deck, aside = DECK, []
            case "card":
                deck = [card for card in deck if card != tell.facts["card"]]
            case "attack_card":
                assert tell.facts["card"] in deck
                deck = [card for card in deck if card != tell.facts["card"]]
            case "joker_aside":
                deck, aside = [card for card in deck if card != "Joker"], ["Joker"]
            case "joker_ends":
                deck = [card for card in deck if card != "Joker"]
    assert (now["deck"], now["aside"]) == (deck, aside)


def check_hexes(setting: Setting, now: Plain) -> None:
    """M4.2, M4.3: at most two units in a hex besides Tiger 102, and never both sides."""
    held: dict[str, list[str]] = {}
    for name, unit in now["units"].items():
        if unit["at"] not in OFF_MAP:
            assert unit["at"] in setting.grid
            held.setdefault(unit["at"], []).append(name)
    for at, names in held.items():
        assert len({setting.counters[name].side for name in names}) == 1, f"{names} share {at}"
        assert sum(not setting.counters[name].tiger for name in names) <= 2, f"{names} stand in {at}"


def check_units(setting: Setting, before: Plain, now: Plain) -> None:
    """M1.2, M2.1, M4: units step to the next hex, enter and exit at their edges, never recover."""
    for name, unit in now["units"].items():
        was, at, counter = before["units"][name], unit["at"], setting.counters[name]
        assert (was["face"], unit["face"]) != ("reduced", "full"), f"{name} has recovered"
        if at == was["at"]:
            continue
        assert was["at"] not in (EXITED, ELIMINATED), f"{name} has come back"
        if was["at"] == UNPLACED:
            assert setting.grid.column(at) != setting.east
        elif was["at"] == WAITING:
            edge = setting.east if counter.side == GERMAN else setting.west
            assert setting.grid.column(at) == edge
            assert before["turn"] >= counter.arrives, f"{name} comes too early"
        elif at == EXITED:
            assert counter.side == GERMAN
            assert setting.grid.column(was["at"]) == setting.west
        elif at == ELIMINATED:
            assert was["face"] == "reduced", f"{name} was on its full face"
        else:
            assert setting.grid.distance(was["at"], at) == 1, f"{name} goes from {was['at']} to {at}"


def check_turn(setting: Setting, before: Plain, now: Plain) -> None:
    """M7.4: turns go up to the last one; within a turn support stays used and exits never fall."""
    assert before["turn"] <= now["turn"] <= setting.options.turns
    if before["turn"] == now["turn"] and before["support"] == "used":
        assert now["support"] == "used"
    assert now["suppressed"] is None or now["support"] == "used"
    places = Counter(unit["at"] for unit in now["units"].values())
    assert before["exits"] <= now["exits"] == places[EXITED]


def check_winner(setting: Setting, last: Tell, now: Plain) -> None:
    """M8.1 to M8.3: the German wins by exits, or if no US unit is on the map; else the US."""
    counters, units = setting.counters, now["units"]
    held = any(counters[name].side == US and unit["at"] not in OFF_MAP for name, unit in units.items())
    enough = now["exits"] >= setting.options.exits_to_win
    assert last.event == "victory"
    assert last.facts["winner"] == (GERMAN if enough or not held else US)
