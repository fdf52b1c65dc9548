"""T4 to T8, the sequence of play: a side carries out its orders, and hands over the table or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from pbem.core.requests import Ask, Draw, Orders, Question, Tell, Throw
from pbem.core.rules import OVER, Outcome, Step
from pbem.games.tabletop.rules import events, hands
from pbem.games.tabletop.rules.orders import (
    ANSWERS,
    DRAW,
    HANDING_OVER,
    Order,
    carry_out,
    draw_place,
    parse_dice,
    read_answer,
    read_orders,
)
from pbem.games.tabletop.rules.state import State, next_step
from pbem.games.tabletop.terms.scenario import Face, other_seat
from pbem.messages import Messages, Said

tr = Messages("pbem.games.tabletop")


async def act(state: State) -> State:
    """T4, T5: the side with the table carries out its orders, one after another."""
    given: tuple[Order, ...] = await Ask(state, "T4", state.active, "act", partial(read_orders, state))
    state = replace(state, used=state.used + any(order.needs_chance for order in given), asked="")
    for order in given:
        match order.verb:
            case "roll":
                await _roll(state, order)
            case "draw":
                state = await _draw(state, order)
            case _:
                state, event = carry_out(state, order)
                if event is not None:
                    await Tell(state, _rule_of(order), event)
    return state


def _rule_of(order: Order) -> str:
    """The chapter of an order without chance."""
    if order.verb in HANDING_OVER:
        return "T8" if order.verb == "result" else "T4"
    return {"play": "T6", "discard": "T6", "note": "T7", "set": "T7"}.get(order.verb, "T5")


async def _roll(state: State, order: Order) -> None:
    """T5: roll dice, for the purpose stated before."""
    dice = parse_dice(state, order.value)
    assert dice is not None
    fallen: list[Face] = []
    for _ in range(dice.number):
        if dice.have_numbers:
            fallen.append(await Throw(state, "T5", dice.faces))  # type: ignore[arg-type]
        else:
            fallen.append(await Draw(state, "T5", tuple(map(str, dice.faces))))
    total = sum(map(int, fallen)) + dice.added if dice.have_numbers else None
    side = state.side(state.active)
    await Tell(state, "T5", events.Rolled(side, order.value, order.note, tuple(fallen), total))


async def _draw(state: State, order: Order) -> State:
    """T5, T6: draw cards of an open deck, or places in the side's own deck."""
    name = order.more["from"]
    hidden = state.owner(name) is not None
    drawn: list[str] = []
    for _ in range(order.value):
        drawn.append(await Draw(state, "T6" if hidden else "T5", state.decks[name].pile))
        state = draw_place(state, name, drawn[-1])
    event = events.Drew(state.side(state.active), name, tuple(drawn), hidden, order.note)
    await Tell(state, "T6" if hidden else "T5", event)
    return state


async def seal(state: State) -> State:
    """T6: the owner's computer puts a deck into an order that nobody else knows."""
    name = state.shuffling
    assert name is not None
    given: str = await hands.ask_for_order(state, name)
    state = hands.sealed(state, name, given)
    await Tell(state, "T6", events.Shuffled(name, len(state.decks[name].pile), True))
    return next_step(state)


async def answer(state: State) -> State:
    """T8: the other side agrees to a result, or declines it."""
    answering = other_seat(state.active)
    agrees: bool = await Ask(state, "T8", answering, "answer", partial(read_answer, state))
    await Tell(state, "T8", events.Answered(state.side(answering), agrees))
    if not agrees:
        return replace(state, step="act", proposed=None)
    return replace(state, step="open") if next(state.unopened(), None) else await _end(state)


async def open_deck(state: State) -> State:
    """T6: open a shuffle; after the last one of a deck everything done with it is visible."""
    name, number = next(state.unopened())
    order: tuple[int, ...] = await hands.ask_to_open(state, name, number)
    state = hands.opened(state, name, number, order)
    left = [of for of, _ in state.unopened()]
    if name not in left:
        owner = state.owner(name)
        assert owner is not None
        await Tell(state, "T6", events.Opened(state.side(owner), name, *hands.fault(state.decks[name])))
    return state if left else await _end(state)


async def _end(state: State) -> State:
    """T6, T8: end with the agreed result, unless a player cheated with a deck, who then loses."""
    outcome = _outcome(state)
    state = replace(state, step=OVER, outcome=outcome)
    winner = "" if outcome.winner is None else state.side(outcome.winner)
    note = state.proposed[1] if state.proposed and outcome.rule == "T8" else ""
    await Tell(state, outcome.rule, events.Ends(winner, note))
    return state


def _outcome(state: State) -> Outcome:
    assert state.proposed is not None
    wrong = {
        seat: (name, *found)
        for name, deck in state.decks.items()
        if (seat := state.owner(name)) and (found := hands.fault(deck))[0]
    }
    match list(wrong.items()):
        case []:
            winner, note = state.proposed
            reason = tr('agreed: "{text}"', text=note) if note else tr("agreed")
            return Outcome(None if winner == DRAW else state.setting.seat(winner), reason, "T8")
        case [(liar, (deck, kind, card))]:
            return Outcome(other_seat(liar), _accusation(state, liar, deck, kind, card), "T6")
    return Outcome(None, tr("both sides broke the rules of their hidden decks"), "T6")


def _accusation(state: State, seat: str, deck: str, wrong: str, card: str) -> Said:
    if wrong == "order":
        return tr(
            "{side}: the seal of {deck} does not contain an ordering of its cards",
            side=state.side(seat),
            deck=deck,
        )
    return tr(
        '{side}: "{card}" of {deck} was named but not in hand',
        side=state.side(seat),
        card=card,
        deck=deck,
    )


SEQUENCE: Mapping[str, Step] = {"act": act, "seal": seal, "answer": answer, "open": open_deck}


def offers(ask: Question) -> Iterator[Orders]:
    """Simple legal answers: decks in their present order, agree and decline, some dice, a card, the end."""
    state: State = ask.state
    match ask.question:
        case "answer":
            yield from ([{verb: True}] for verb in ANSWERS)
        case "shuffle":
            assert state.shuffling is not None
            yield [{"shuffle": list(range(len(hands.sources(state, state.shuffling))))}]
        case "open":
            name, number = next(state.unopened())
            yield [{"shuffle": list(range(len(state.decks[name].shuffles[number].sources)))}]
        case _:
            yield from _acts(state)


def _acts(state: State) -> Iterator[Orders]:
    """Simple answers of the side with the table."""
    if state.used < state.setting.exchanges:
        yield from ([{"roll": dice}] for dice in ("d6", "2d6", "d10", *state.setting.dice))
        for name, deck in state.decks.items():
            if state.owner(name) in (None, state.active) and deck.pile:
                yield [{"draw": 1, "from": name}]
    for name in state.setting.own_decks(state.active):
        for card in dict.fromkeys(hands.hand_of(state, name) or ()):
            yield [{"play": card, "from": name}]
    for name, deck in state.decks.items():
        if deck.out and state.owner(name) in (None, state.active):
            yield [{"remove": deck.out[-1], "from": name}]
            yield [{"shuffle": name}]
    yield [{"end": True}]
    yield [{"result": DRAW}]
