"""What Three Fords tells and shows people, as `VIEW`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from fords.rules import FACES, NORTH, SOUTH, VERBS, Guards, Meets, Rows, State, Victory
from pbem.core.legend import Cell, Legend, Piece
from pbem.core.phrases import line
from pbem.core.requests import Orders, Question, Tell
from pbem.core.rules import OVER, Forecast, Odds, View
from pbem.errors import NotUnderstood


def read_words(ask: Question, lines: Sequence[str]) -> Orders:
    """`cross 0102`, `guard 0202`, on lines of their own or parted by `;`."""
    orders: Orders = []
    for typed in (part.strip() for one in lines for part in one.split(";") if part.strip()):
        verb, _, ford = typed.partition(" ")
        if verb not in ("cross", "guard"):
            raise NotUnderstood("expected cross or guard, and a ford", typed, 0, len(verb))
        orders.append({verb: ford})
    return orders


def write_words(orders: Orders) -> list[str]:
    """The inverse; a question mark for what nobody could type."""
    known = [order for order in orders if isinstance(order, dict)] if isinstance(orders, list) else []
    return [line(pair) or "?" for order in known for pair in order.items()]


def prompt(ask: Question) -> str:
    """What is asked."""
    fords = ", ".join(f"{at} {name}" for at, name in ask.state.fords.items())
    return f"turn {ask.state.turn}: {VERBS[ask.seat]} HEX, one of {fords}"


def story(tell: Tell) -> str:
    """An event in one line."""
    match tell.what:
        case Guards(at):
            return f"The guard stands at {at}"
        case Rows(at):
            return f"A raft rows to {at}"
        case Meets(at, face, lost):
            fate = "the raft is lost" if lost else "it turns back"
            return f"The guard meets it at {at}: {face} is thrown, {fate}"
        case Victory(winner, reason):
            return f"{winner} wins: {reason}"
    raise AssertionError(tell.event)


def odds(ask: Question) -> list[Odds]:
    """Nobody attacks."""
    return []


def chance(state: State) -> Fraction:
    """F3: the chance that the raft is lost."""
    return Fraction(len(state.repelled_by), len(FACES))


def aim(state: State) -> list[str]:
    """F1: what wins, and how far each side is from it."""
    if state.step == OVER:
        return []
    return [
        f"south wins when a raft has crossed: {state.rafts} left (F1)",
        f"north wins when none is left, or after turn {state.turns}: turn {state.turn} now (F1)",
    ]


def forecast(ask: Question, orders: Orders) -> Forecast:
    """F3: what the guard does to a raft that comes to it."""
    ford = ask.read(orders)
    if ask.question != "guard":
        return Forecast()
    return Forecast((f"A raft that comes to {ford} is lost with {float(chance(ask.state)):.0%} (F3)",))


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
        terrain={"river": ("river", "river"), "bank": ("", "bank")},
        marks={},
        sides={NORTH: "North", SOUTH: "South"},
        margins=(),
        figures=(("Turn", f"{state.turn} of {state.turns}"), ("Rafts", str(state.rafts))),
        textures={"river": "~"},
    )


VIEW = View(
    read_words=read_words,
    write_words=write_words,
    prompt=prompt,
    story=story,
    legend=legend,
    odds=odds,
    chance=chance,
    turn=lambda state: state.turn,
    aim=aim,
    forecast=forecast,
)
