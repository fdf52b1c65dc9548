"""A plan in the words of an answer by mail, or of the prompt: read, shown with what it would do, armed.

    plan hold 40%              a ready-made plan, or several on lines of their own
    plan march all 2210
    plan when card 8S          the lines of steps; the word stands before the first one
    do pass
    plan                       the plan that is there, armed
    plan off                   it answers no more

What is told comes after the steps that are there, as with `pbem plan FILE add`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.desk.desk import Desk
from pbem.desk.gathering import split
from pbem.desk.plan import Kept, Plans, carry_out, deciding, here, sight
from pbem.desk.plan_ready import added, check, typed_here
from pbem.desk.plan_steps import choose
from pbem.desk.plan_words import VERBS, Plan, read
from pbem.desk.words import Words
from pbem.errors import NotUnderstood
from pbem.texts import Texts
from pbem.umpire import Game, seated

tr = Texts("pbem")

WORD = "plan"

TYPED = ("plan", "off")


def planned(desk: Desk, game: Game, lines: Sequence[str], say: str) -> tuple[str, Callable[[], Game | None]]:
    """What the lines of a plan come to, in words, and what does it.

    That returns the game with the entry that the plan writes, to be saved; None if it writes none now.
    Raises `FileError`, `NotUnderstood`, `ShelfError`.
    """
    if _is_off(lines):
        return tr("Your plan answers no more."), lambda: _off(desk, game, say)
    plan = _whole(desk, game, lines)
    if not plan.steps:
        hint = tr("{one}, or {other}", one=f"{word()} quiet", other=f"{word()} hold 40%")
        raise NotUnderstood(tr("there is no plan yet"), "", 0, 0, hint=hint)
    told = [
        tr("Your plan, which answers from now on:"),
        *(f"  {line}" for line in plan.text.split("\n") if line),
    ]
    return "\n".join([*told, *_now(desk, game, plan)]), lambda: _armed(desk, game, plan, say)


def arm(desk: Desk, game: Game, words: str) -> bool:
    """Add words, as they stand after `plan`, to the plan, and arm it. False: they disarm it.

    Raises `FileError`, `NotUnderstood`, `ShelfError`.
    """
    lines = split(f"{WORD} {words}")
    if _is_off(lines):
        _off(desk, game, "")
        return False
    _keep(desk, game, _whole(desk, game, lines))
    return True


def word() -> str:
    """The word before a plan, as the player is shown it."""
    return (*tr.typed(WORD), WORD)[0]


def _is_off(lines: Sequence[str]) -> bool:
    return [[tr.meant(word, TYPED) for word in line.split()] for line in lines] == [[WORD, "off"]]


def _whole(desk: Desk, game: Game, lines: Sequence[str]) -> Plan:
    """The plan that is there and what is added to it."""
    plan = Plans(desk.home).plan(game)
    for typed in _pieces(lines):
        plan = added(game, plan, typed)
    plan = read(plan.text, typed_here())
    check(plan, game, seated.unlock(game, desk.key).asked, typed_here())
    return plan


def _pieces(lines: Sequence[str]) -> Iterator[list[str]]:
    """The lines from each `plan` to the next, without that word; none where nothing stands after it.

    A line that begins with no verb of a plan is one more order of the last `do`.
    """
    pieces: list[list[str]] = []
    for line in lines:
        first, *rest = line.split(maxsplit=1)
        if tr.meant(first, TYPED) == WORD:
            pieces.append(rest)
        elif first.lower() in {verb.split()[0] for verb in VERBS}:
            pieces[-1].append(line)
        else:
            pieces[-1].append(f"do {line}")
    yield from filter(None, pieces)


def _now(desk: Desk, game: Game, plan: Plan) -> list[str]:
    """What the plan would do at the decision that waits."""
    table = deciding(game, desk)
    if table is None:
        return []
    choice = choose(plan, sight(game, desk, table, Kept(plan.text, here(), len(game.entries))))
    if choice.orders:
        return [tr("It orders now: {orders}", orders=choice.words)]
    return [tr("It asks you now: {why}", why=choice.why), *(f"  {reason}" for reason in choice.reasons)]


def _armed(desk: Desk, game: Game, plan: Plan, say: str) -> Game | None:
    """Keep and arm the plan, and let it answer."""
    if say:
        Words(desk.home).keep(game, desk.key, say)
    _keep(desk, game, plan)
    return carry_out(desk, game)


def _off(desk: Desk, game: Game, say: str) -> None:
    """Disarm the plan; words wait for the next orders."""
    if say:
        Words(desk.home).keep(game, desk.key, say)
    Plans(desk.home).disarm(game)


def _keep(desk: Desk, game: Game, plan: Plan) -> None:
    plans = Plans(desk.home)
    plans.put(game, plan)
    plans.arm(game)
