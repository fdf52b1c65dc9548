"""Ready-made plans for common cases, and the check that the names in a plan exist in its game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pbem.core.phrases import MOST_NAMED
from pbem.core.requests import Ask, Event, Question
from pbem.core.rules import Rules
from pbem.errors import FileError, NotUnderstood, OrderError
from pbem.player.plans import grammar
from pbem.player.plans.conditions import ALL, facts, pieces
from pbem.player.plans.grammar import (
    ENEMY,
    OWN,
    AllAttacks,
    AttackPossible,
    BestOrders,
    Condition,
    EventHappened,
    FactAtLeast,
    FactAtMost,
    FactIs,
    HexEmpty,
    HexHeld,
    Instruction,
    March,
    Plan,
    PlanStep,
    TypedOrders,
    UnitAt,
    UnitCondition,
    UnitNear,
)
from pbem.render.safe_text import cut, safe_text
from pbem.texts import Texts, percent, speaking
from pbem.umpire.game_state import Game

tr = Texts("pbem")

MOST_NAME = 40
"""The most characters shown of a name."""

PLAN_COMMANDS = ("add", "edit", "remove", "arm", "disarm", "write", "read")
"""The words after `pbem plan FILE` that manage a plan."""


def plan_location() -> str:
    """The place of an error in a typed plan, for its message."""
    return tr("the plan")


def ready_made_plans(rules: Rules) -> dict[str, str]:
    """The ready-made plans for a game, as typed, and what each does."""
    every = {
        "quiet": tr("pass this turn as long as nobody is in range of an enemy"),
        "fire 40%": tr("keep taking the best shot with a chance of {chance} or more", chance=percent(0.4)),
        "hold 40%": tr("the same, and pass this turn if there are only worse shots"),
        "march UNIT HEX ...": tr("these units go to those hexes; UNIT can be a kind, a group, or all"),
    }
    served = {name: says for name, says in every.items() if name.split()[0] in usable_plans(rules)}
    return {**served, **{name: own_plan.says for name, own_plan in rules.view.plans().items()}}


GENERAL_PLANS = ("quiet", "fire", "hold", "march")
"""The ready-made plans for every game; a game can add its own."""


def usable_plans(rules: Rules) -> list[str]:
    """The general plans that are of use in a game: some pass, some fire, one moves."""
    view = rules.view
    passing = "pass" in view.typed or not view.typed
    firing = view.combat is not None
    return [
        *(["quiet"] if passing else []),
        *(["fire"] if firing else []),
        *(["hold"] if firing and passing else []),
        *(["march"] if view.routes is not None else []),
    ]


def complete_plan(
    words: Sequence[str], units: Iterable[str], hexes: Iterable[str], plans: Iterable[str]
) -> list[str]:
    """The possible next words of a ready-made plan; in a march, units and hexes in turn.

    `plans` are the names of those usable in the game, including its own.
    """
    match words:
        case []:
            return [*plans]
        case ["fire" | "hold"]:
            return ["40%"]
        case ["march", *pairs]:
            return list(hexes if len(pairs) % 2 else units)
    return []


def make_ready_made(rules: Rules, words: Sequence[str], turn: int, where: str) -> Plan | None:
    """The ready-made plan that words mean, in turn `turn` (0: the game has no turns); None if they mean none.

    Plans that pass end with the turn, so that the player looks again. Raises `FileError`.
    """
    passing = ["do pass", *([f"until turn {turn + 1} or more"] if turn else [])]
    if words and words[0] in GENERAL_PLANS and words[0] not in usable_plans(rules):
        problem = tr("the plan '{name}' does nothing in {title}", name=words[0], title=rules.title)
        raise FileError(problem, where=where)
    match words:
        case ["quiet"]:
            lines = ["when nothing in range", *passing]
        case ["fire", percent]:
            lines = [f"do attacks of {percent}"]
        case ["hold", percent]:
            lines = [f"do attacks of {percent}", "", "when attack 1%", *passing]
        case ["march", *pairs]:
            lines = [f"do march {' '.join(pairs)}"]
        case [name] if own := rules.view.plans().get(name):
            lines = [*own.lines]
        case [name, *_] if name in GENERAL_PLANS:
            (form,) = (form for form in ready_made_plans(rules) if form.split()[0] == name)
            problem = tr("type the ready-made plan '{name}' like this: {form}", name=name, form=form)
            raise FileError(problem, where=where)
        case _:
            return None
    return grammar.parse_plan("\n".join(lines), where)


def add_to_plan(game: Game, old: Plan, lines: Sequence[str]) -> Plan:
    """A plan with a ready-made one, or the lines of steps, added at its end. Raises `FileError`."""
    turn = game.rules.view.turn
    words = lines[0].split() if len(lines) == 1 else []
    now = turn(game.state.run.state) if turn else 0
    where = plan_location()
    new = make_ready_made(game.rules, words, now, where) or grammar.parse_typed_plan("\n".join(lines), where)
    return Plan((*old.steps, *new.steps), (*old.despite, *new.despite))


def check_plan(plan: Plan, game: Game, asked: Question | None, where: str) -> None:
    """Raise `FileError` for a name the game does not have, or text that is not an order.

    Orders are judged as legal or not only when they are given, since the question is not known before.
    """
    known = _KnownNames(game, asked)
    questions = _known_questions(game, asked)
    for number, step in enumerate(plan.steps, 1):
        place = tr("{where}: step {number}", where=where, number=number)
        for name, kind in _names_in_step(step):
            known.check(name, kind, place)
        for line, language in _order_lines(step.do):
            with speaking(language):
                _check_orders(line, game.rules, questions, place)


def _known_questions(game: Game, asked: Question | None) -> list[Ask[Any, Any]]:
    """The last question to each seat that orders answer, if there was one; the pending one last."""
    asks = [one for one in (*(one.question for one in game.replayed_entries), asked) if isinstance(one, Ask)]
    return sorted({one.seat: one for one in asks}.values(), key=lambda one: one is asked)


def _order_lines(deed: Instruction) -> Iterable[tuple[str, str]]:
    """The lines of orders in an instruction, each with its language."""
    match deed:
        case TypedOrders(lines=lines, language=language) | BestOrders(choices=lines, language=language):
            yield from ((line, language) for line in lines)


def _check_orders(line: str, rules: Rules, questions: Sequence[Ask[Any, Any]], where: str) -> None:
    """Raise `FileError` for words that are not an order of either seat."""
    faults = []
    for question in questions:
        try:
            rules.view.read_words(question, [line])
        except NotUnderstood as fault:
            faults.append(fault)
        except OrderError:
            return
        else:
            return
    if faults:
        raise FileError(str(faults[-1]), where=where, hint=faults[-1].hint)


def _names_in_step(step: PlanStep) -> Iterable[tuple[str, str]]:
    """Each name in a step, with its kind."""
    for condition in (*step.when, *step.until):
        yield from _names_in_condition(condition)
    match step.do:
        case AllAttacks(targets=targets):
            yield from ((unit, "unit") for unit in targets)
        case March(goals=goals):
            for unit, at in goals:
                yield unit, "unit or group"
                yield at, "hex"


def _names_in_condition(condition: Condition) -> Iterable[tuple[str, str]]:
    """Each name in a condition, with its kind."""
    match condition:
        case UnitCondition(names=units):
            yield from ((unit, "unit") for unit in units if unit not in (OWN, ENEMY))
        case EventHappened(event=event):
            yield event, "event"
        case AttackPossible(names=names):
            yield from ((name, "unit") for name in names)
        case FactIs(name=name) | FactAtLeast(name=name) | FactAtMost(name=name):
            yield name, "fact"
    match condition:
        case UnitAt(at=at) | HexEmpty(at=at) | HexHeld(at=at):
            yield at, "hex"
        case UnitNear(goal=goal):
            yield goal, "unit or hex"
    if isinstance(condition, HexHeld):
        yield condition.side, "side"


def event_kinds(rules: Rules) -> set[str]:
    """The kinds of event that the rules of a game declare."""
    package, kinds, more = f"{rules.package}.", set(), list(Event.__subclasses__())
    while more:
        event = more.pop()
        more += event.__subclasses__()
        if event.__module__.startswith(package):
            kinds.add(str(event.__struct_config__.tag))
    return kinds


class _KnownNames:
    """All names that conditions can use in a game."""

    def __init__(self, game: Game, asked: Question | None) -> None:
        rules, start, now = game.rules, game.replayed_entries[0].state, game.state.run.state
        legend = rules.view.legend(now)
        known = [piece for state in (start, now) for piece, _ in pieces(rules, state)]
        names = {piece.name for piece in known}
        groups = {word for piece in known for word in (piece.kind, piece.group) if word and " " not in word}
        self._of = {
            "unit": sorted(names),
            "unit or group": sorted(names | groups | {ALL}),
            "hex": sorted(cell.number for cell in legend.cells),
            "unit or hex": sorted(names | {cell.number for cell in legend.cells}),
            "event": sorted(event_kinds(rules)),
            "side": [*rules.seats, "own", "enemy"],
            "fact": sorted({*facts(rules, now, None), *_question_facts(game, asked)}),
        }

    def check(self, name: str, kind: str, where: str) -> None:
        """Raise `FileError` unless a name is known."""
        known = self._of[kind]
        if kind == "event" and not known:
            return  # the game declares no kinds of events
        if name.lower() not in (known_name.lower() for known_name in known):
            from difflib import get_close_matches  # under 1 ms, and only a typing error needs it

            close = get_close_matches(name[:MOST_NAME], known, n=1)
            if close:
                hint = tr("did you mean '{name}'?", name=close[0])
            else:
                most = len(known) if kind == "event" else MOST_NAMED
                hint = tr("it can be {names}", names=", ".join(known[:most]))
            raise FileError(
                _describe_unknown_name(kind, cut(safe_text(name), MOST_NAME)), where=where, hint=hint
            )


def _describe_unknown_name(kind: str, found: str) -> str:
    """The error message for a name the game does not have."""
    match kind:
        case "unit":
            return tr("'{found}' is not a unit of this game", found=found)
        case "unit or group":
            return tr("'{found}' is not a unit or group of this game", found=found)
        case "hex":
            return tr("'{found}' is not a hex of this game", found=found)
        case "unit or hex":
            return tr("'{found}' is not a unit or hex of this game", found=found)
        case "event":
            return tr("'{found}' is not an event of this game", found=found)
        case "side":
            return tr("'{found}' is not a side of this game", found=found)
    return tr("'{found}' is not a fact of this game", found=found)


def _question_facts(game: Game, asked: Question | None) -> Iterable[str]:
    """The names of the game's facts about its questions, pending and past."""
    allows = game.rules.view.allows
    if allows is None:
        return
    past = [chapter.question for chapter in game.replayed_entries if chapter.question is not None]
    for question in [*past, *([asked] if asked else [])]:
        yield from allows(question)
