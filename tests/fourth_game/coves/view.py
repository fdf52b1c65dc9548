"""What Smugglers tells and shows people, as `VIEW`: no more than every game needs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from coves.rules import CUSTOMS, FACES, SMUGGLER, Caught, Deals, Ends, Lands, State, Watches, worths
from pbem.core.legend import Cell, Legend, Piece
from pbem.core.phrases import phrases, write
from pbem.core.requests import Orders, Plain, Question, Tell
from pbem.core.rules import View
from pbem.texts import Texts

tr = Texts("coves")

TYPED = ("land", "watch")
"""The words of orders that a player may type in his own language."""


def read_words(ask: Question, lines: Sequence[str]) -> Orders:
    """`land silk 0101`, `watch 0201`."""
    orders: Orders = []
    for phrase in phrases(lines, tr.typed):
        verb = phrase.one_of(TYPED, tr("a verb"))
        if verb == "land":
            cargo = phrase.next(tr("a cargo")).text
            orders.append({"land": cargo, "at": phrase.next(tr("a cove")).text})
        else:
            orders.append({verb: phrase.next(tr("a cove")).text})
        phrase.ends()
    return orders


def write_words(orders: Orders) -> list[str]:
    """The inverse; what nobody could type is shown as it stands."""
    return write(orders, _said, tr.typed)


def _said(order: Plain) -> list[list[Plain]]:
    match order:
        case {"land": cargo, "at": cove} if len(order) == 2:
            return [["land", cargo, cove]]
        case {"watch": cove} if len(order) == 1:
            return [["watch", cove]]
    return []


def prompt(ask: Question) -> str:
    """What is asked."""
    state: State = ask.state
    coves = ", ".join(f"{at} {name}" for at, name in state.coves.items())
    if ask.question == "watch":
        return tr("turn {turn}: watch COVE, one of {coves}", turn=state.turn, coves=coves)
    hand = ", ".join(f"{cargo} {state.worth[cargo]}" for cargo in state.hand)
    return tr("turn {turn}: land CARGO COVE, of {hand}, at {coves}", turn=state.turn, hand=hand, coves=coves)


def story(tell: Tell) -> str:
    """An event in one line."""
    match tell.what:
        case Deals(cargo):
            return tr("The smuggler is offered {cargo}", cargo=cargo)
        case Watches(at):
            return tr("The customs watch {cove}", cove=at)
        case Lands(cargo, at):
            return tr("{cargo} is landed at {cove}", cargo=cargo, cove=at)
        case Caught(cargo, at, face, True):
            return tr("{cargo} is seized at {cove}: {face} is thrown", cargo=cargo, cove=at, face=face)
        case Caught(cargo, at, face, _):
            return tr("{cargo} sinks at {cove}: {face} is thrown", cargo=cargo, cove=at, face=face)
        case Ends(None, reason):
            return tr("a draw: {reason}", reason=reason)
        case Ends(winner, reason):
            if winner == SMUGGLER:
                return tr("The smuggler wins: {reason}", reason=reason)
            return tr("The customs win: {reason}", reason=reason)
    raise AssertionError(tell.event)


def legend(state: State) -> Legend:
    """The coast, with the customs in the cove that they watch."""
    boat = (Piece("Cutter", CUSTOMS, "cutter", False, str(state.cutters)),)
    landed, seized = worths(state).values()
    return Legend(
        columns=len(state.coves),
        rows=1,
        cells=tuple(
            Cell(
                number=at,
                column=int(at[:2]) - 1,
                row=0,
                terrain="cove",
                label=name,
                marks="",
                pieces=boat if at == state.watched else (),
            )
            for at, name in state.coves.items()
        ),
        terrain={"cove": ("", tr("cove"))},
        marks={},
        sides={SMUGGLER: tr("Smuggler"), CUSTOMS: tr("Customs")},
        margins=(),
        figures=(
            (tr("Turn"), tr("{turn} of {turns}", turn=state.turn, turns=state.turns)),
            (tr("Hand"), ", ".join(state.hand) or "-"),
            (tr("Landed"), str(landed)),
            (tr("Seized"), str(seized)),
        ),
        turn=tr("Turn"),
        names={"cutter": tr("cutter")},
    )


VIEW = View(
    read_words=read_words,
    write_words=write_words,
    typed=TYPED,
    prompt=prompt,
    story=story,
    legend=legend,
    odds=lambda ask: [],
    chance=lambda state: Fraction(state.cutters, len(FACES)) if state.watched else None,
    turn=lambda state: state.turn,
)
