"""Ready-made plans for what usually goes one way, and whether the names in a plan are those of a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from pbem.core.phrases import MOST_NAMED
from pbem.core.requests import Question
from pbem.desk import plan_words
from pbem.desk.plan_sight import ALL, facts, pieces
from pbem.desk.plan_words import Condition, Plan, Step
from pbem.errors import FileError
from pbem.render.words import cut, safe
from pbem.umpire import Game

MOST_NAME = 40
"""So many characters of a name are shown."""

VERBS = ("add", "edit", "remove", "arm", "disarm", "write", "read")
"""What is done with the plan of a game."""

WHERE = "the plan"
"""Where a fault is that is typed."""

READY = {
    "quiet": "pass this turn while nobody is in range of anybody",
    "fire 40%": "keep firing the best shot of 40 % or more",
    "hold 40%": "the same, and this turn pass where there are only worse",
    "march UNIT HEX ...": "these units go to those hexes; UNIT may be a kind, a group, or all",
}
"""The ready-made plans, as they are added."""


def ready_made(words: Sequence[str], turn: int, where: str) -> Plan | None:
    """The ready-made plan that words ask for, in a turn (0: the game has none); None if they ask for none.

    Those that pass end with the turn: who waits looks again. Raises `FileError`.
    """
    passing = ["do pass", *([f"until turn {turn + 1} or more"] if turn else [])]
    match words:
        case ["quiet"]:
            lines = ["when nothing in range", *passing]
        case ["fire", percent]:
            lines = [f"do attacks of {percent}"]
        case ["hold", percent]:
            lines = [f"do attacks of {percent}", "", "when attack 1%", *passing]
        case ["march", *pairs]:
            lines = [f"do march {' '.join(pairs)}"]
        case _:
            return None
    return plan_words.read("\n".join(lines), where)


def added(game: Game, old: Plan, lines: Sequence[str]) -> Plan:
    """A plan with a ready-made one, or the lines of steps, after its own. Raises `FileError`."""
    turn = game.rules.view.turn
    words = lines[0].split() if len(lines) == 1 else []
    now = turn(game.table.run.state) if turn else 0
    new = ready_made(words, now, WHERE) or plan_words.read("\n".join(lines), WHERE)
    return Plan((*old.steps, *new.steps), (*old.despite, *new.despite))


def check(plan: Plan, game: Game, asked: Question | None, where: str) -> None:
    """Raise `FileError` for the first name in a plan that the game does not know.

    Whether orders are legal is judged when they are given: what is asked then nobody knows yet.
    """
    known = _Names(game, asked)
    for number, step in enumerate(plan.steps, 1):
        for name, kind in _named(step):
            known.check(name, kind, f"{where}: step {number}")


def _named(step: Step) -> Iterable[tuple[str, str]]:
    """Each name in a step, and of what."""
    for condition in (*step.when, *step.until):
        yield from _in(condition)
    if step.do.kind == "march":
        for unit, at in zip(step.do.of[::2], step.do.of[1::2], strict=True):
            yield unit, "unit or group"
            yield at, "hex"


def _in(condition: Condition) -> Iterable[tuple[str, str]]:
    """The names in a condition."""
    match condition.kind, condition.of:
        case "unit", (unit, "at", at):
            yield from ((unit, "unit"), (at, "hex"))
        case "unit", (unit, *_):
            yield unit, "unit"
        case "hex", (at, *rest):
            yield at, "hex"
            if len(rest) == 2:
                yield rest[1], "side"
        case "fact", (name, *_):
            yield name, "fact"
        case "attack", names:
            yield from ((name, "unit") for name in names)


class _Names:
    """All names that conditions may have in a game."""

    def __init__(self, game: Game, asked: Question | None) -> None:
        rules, start, now = game.rules, game.chapters[0].state, game.table.run.state
        legend = rules.view.legend(now)
        known = [piece for state in (start, now) for piece, _ in pieces(rules, state)]
        names = {piece.name for piece in known}
        groups = {word for piece in known for word in (piece.kind, piece.group) if word and " " not in word}
        self._of = {
            "unit": sorted(names),
            "unit or group": sorted(names | groups | {ALL}),
            "hex": sorted(cell.number for cell in legend.cells),
            "side": [*rules.seats, "own", "enemy"],
            "fact": sorted({*facts(rules, now, None), *_allowed(game, asked)}),
        }

    def check(self, name: str, kind: str, where: str) -> None:
        """Raise `FileError` unless a name is known."""
        known = self._of[kind]
        if name.lower() not in (one.lower() for one in known):
            close = get_close_matches(name[:MOST_NAME], known, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"known are {', '.join(known[:MOST_NAMED])}"
            found = cut(safe(name), MOST_NAME)
            raise FileError(f"found '{found}', expected a {kind} of this game", where=where, hint=hint)


def _allowed(game: Game, asked: Question | None) -> Iterable[str]:
    """What the game says of its questions: of that which waits, and of all that have been asked."""
    allows = game.rules.view.allows
    if allows is None:
        return
    past = [one.asked for one in game.chapters if one.asked is not None]
    for question in [*past, *([asked] if asked else [])]:
        yield from allows(question)
