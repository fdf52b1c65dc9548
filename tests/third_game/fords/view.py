"""What Three Fords tells and shows people, as `VIEW`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from fords.rules import FACES, NORTH, SOUTH, VERBS, DigsIn, Guards, Meets, Rows, State, Victory, losing
from pbem.core.legend import Cell, Legend, Piece
from pbem.core.phrases import phrases, write
from pbem.core.requests import Orders, Plain, Question, Tell
from pbem.core.rules import OVER, Forecast, Odds, Rules, View
from pbem.texts import Texts

tr = Texts("fords")


TYPED = ("cross", "guard", "dig")
"""The words of orders that a player may type in his own language; in English he always may."""


def read_words(ask: Question, lines: Sequence[str]) -> Orders:
    """`cross 0102`, `guard 0202`, on lines of their own or parted by `;`."""
    orders: Orders = []
    for phrase in phrases(lines, tr.typed):
        verb = phrase.one_of(TYPED, tr("a verb"))
        orders.append({verb: phrase.next(tr("a ford")).text})
        phrase.ends()
    return orders


def write_words(orders: Orders) -> list[str]:
    """The inverse; what nobody could type is shown as it stands."""
    return write(orders, _said, tr.typed)


def _said(order: Plain) -> list[list[Plain]]:
    """One order in English words; nothing if it is none."""
    match order:
        case {"cross": ford} if len(order) == 1:
            return [["cross", ford]]
        case {"guard": ford} if len(order) == 1:
            return [["guard", ford]]
        case {"dig": ford} if len(order) == 1:
            return [["dig", ford]]
    return []


def prompt(ask: Question) -> str:
    """The question, and that the guard may dig in (F5)."""
    if ask.question != "guard" or ask.state.dug:
        return plain_prompt(ask)
    [dig, *_] = (*tr.typed("dig"), "dig")
    return tr("{prompt}; or {dig} HEX, once (F5)", prompt=plain_prompt(ask), dig=dig)


def plain_prompt(ask: Question) -> str:
    """What is asked."""
    turn, fords = ask.state.turn, ", ".join(f"{at} {name}" for at, name in ask.state.fords.items())
    [verb, *_] = (*tr.typed(VERBS[ask.seat]), VERBS[ask.seat])
    return tr("turn {turn}: {verb} HEX, one of {fords}", turn=turn, verb=verb, fords=fords)


def story(tell: Tell) -> str:
    """An event in one line."""
    match tell.what:
        case Guards(at):
            return tr("The guard stands at {hex}", hex=at)
        case DigsIn(at):
            return tr("The guard digs in at {hex}", hex=at)
        case Rows(at):
            return tr("A raft rows to {hex}", hex=at)
        case Meets(at, face, True):
            return tr("The guard meets it at {hex}: {face} is thrown, the raft is lost", hex=at, face=face)
        case Meets(at, face, _):
            return tr("The guard meets it at {hex}: {face} is thrown, it turns back", hex=at, face=face)
        case Victory(winner, reason):
            if winner == NORTH:
                return tr("north wins: {reason}", reason=reason)
            return tr("south wins: {reason}", reason=reason)
    raise AssertionError(tell.event)


def odds(ask: Question) -> list[Odds]:
    """Nobody attacks."""
    return []


def chance(state: State) -> Fraction:
    """F3: the chance that the raft is lost."""
    return Fraction(len(losing(state)), len(FACES))


def aim(state: State) -> list[str]:
    """F1: what wins, and how far each side is from it."""
    if state.step == OVER:
        return []
    return [
        tr("south wins when a raft has crossed: {number} left (F1)", number=state.rafts),
        tr(
            "north wins when none is left, or after turn {turns}: turn {turn} now (F1)",
            turns=state.turns,
            turn=state.turn,
        ),
    ]


def forecast(ask: Question, orders: Orders) -> Forecast:
    """F3: what the guard does to a raft that comes to it."""
    ask.read(orders)
    if ask.question != "guard":
        return Forecast()
    [(verb, ford)] = orders[0].items()
    dug = ask.state.turn if verb == "dig" else ask.state.dug
    lost = f"{float(chance(replace(ask.state, dug=dug))):.0%}"
    return Forecast((tr("A raft that comes to {hex} is lost with {chance} (F3)", hex=ford, chance=lost),))


def legend(state: State) -> Legend:
    """Three fords across a river, with the guard."""
    guard = (Piece("Guard", NORTH, "guard", False, "1"),)
    return Legend(
        columns=3,
        rows=3,
        cells=tuple(
            Cell(
                number=at,
                column=column - 1,
                row=row - 1,
                terrain="river" if row == 2 else "bank",
                label=state.fords.get(at, ""),
                marks="",
                pieces=guard if at == state.guard else (),
            )
            for column in (1, 2, 3)
            for row in (1, 2, 3)
            for at in [f"{column:02}{row:02}"]
        ),
        terrain={"river": (tr("river"), tr("river")), "bank": ("", tr("bank"))},
        marks={},
        sides={NORTH: tr("North"), SOUTH: tr("South")},
        margins=(),
        figures=(
            (tr("Turn"), tr("{turn} of {turns}", turn=state.turn, turns=state.turns)),
            (tr("Rafts"), str(state.rafts)),
        ),
        turn=tr("Turn"),
        textures={"river": "~"},
        names={"guard": tr("guard")},
    )


VIEW = View(
    read_words=read_words,
    write_words=write_words,
    typed=TYPED,
    prompt=prompt,
    story=story,
    legend=legend,
    odds=odds,
    chance=chance,
    turn=lambda state: state.turn,
    aim=aim,
    forecast=forecast,
)


def view_of(rules: Rules) -> View:
    """In version 1 the guard cannot dig in."""
    return replace(VIEW, prompt=plain_prompt) if rules.version == 1 else VIEW
