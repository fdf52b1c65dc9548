"""Plans: `plan`, by which the program answers for the player as long as he allows it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.base.interrupts import catch
from pbem.base.limits import PLAN_BYTES, TRY_SECONDS, waiting
from pbem.cli.arguments import File, offering
from pbem.cli.lazy import commands
from pbem.cli.session import desk, look_at, parted
from pbem.cli.terminal import put
from pbem.core.requests import Question
from pbem.errors import FileError, NotYourMove, OverBudget, PbemError
from pbem.player.local_player import LocalPlayer
from pbem.player.plans.conditions import value_of
from pbem.player.plans.context import facts
from pbem.player.plans.grammar import read, typed
from pbem.player.plans.plan import Plan
from pbem.player.plans.plan_store import Plans, consulted, done, here, left, shares_a_side, sight
from pbem.player.plans.ready_made import VERBS, added, check, ready, ready_made, typed_here
from pbem.render.words import cut, quoted, safe, unquoted
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game

app = commands()
tr = Texts("pbem")


@app.command()
def plan(
    file: File = "",
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[add|edit|remove|arm|disarm|write|read] ...",
            help="What to do with the plan; without it, it is shown.",
            show_default=False,
            autocompletion=offering("plans"),
        ),
    ] = None,
    try_: Annotated[
        bool, typer.Option("--try", help="Tell what it would do at each card that can come next.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Tell why it stopped.")] = False,
) -> None:
    """Let the program answer for you as long as all is as you expect; else it stops and asks.

    A plan lies on this computer alone, and nobody can see that it answered. All words: docs/PLANS.md.

    Example: pbem plan mortain.yaml add fire 40%
    """
    mine = desk()
    file, given = parted(mine, file, *(words or []))
    opened = look_at(mine, file)
    game, name = opened.game, quoted(opened.typed)
    if not permissions.held_seats(game, mine.key):
        raise NotYourMove(tr("you play no side in this game"))
    verb, *rest = given or [""]
    if verb and verb not in VERBS:
        problem = tr("must be one of {names}, not '{found}'", found=safe(verb), names=", ".join(VERBS))
        raise typer.BadParameter(problem, param_hint="plan")
    if verb:
        _change(mine, game, verb, rest, name)
    if try_:
        _try(mine, game)
    elif explain:
        _explain(mine, game, name)
    else:
        _show(mine, game, name)
        if verb == "arm":
            _warn_of_others(game, name)


def _change(mine: LocalPlayer, game: Game, verb: str, rest: list[str], name: str) -> None:
    """Carry out one of: add, edit, remove, arm, disarm, write, read."""
    plans = Plans(mine.home)
    match verb, rest:
        case "add", [_, *_]:
            words = [" ".join(rest)] if ready_made(game.rules, rest, 0, typed_here()) else rest
            _put(mine, game, added(game, plans.plan(game), words), typed_here())
        case "edit", []:
            _put(mine, game, typed(_edited(mine, plans.plan(game), name), typed_here()), typed_here())
        case "remove", []:
            plans.put(game, Plan())
        case "remove", [number]:
            plans.put(game, _without(plans.plan(game), number))
        case "arm", []:
            _arm(plans, game, name)
        case "disarm", []:
            plans.disarm(game)
        case "write", [out]:
            _write(Path(out), plans.plan(game))
        case "read", [source]:
            _put(mine, game, typed(_text_of(mine, Path(source)), source), source)
        case _:
            found = cut(safe(" ".join([verb, *rest])), 40)
            problem = tr("'{found}' does not fit: type {form}", found=found, form=_form(game, verb))
            raise typer.BadParameter(problem, param_hint="plan")


def _form(game: Game, verb: str) -> str:
    """How one of the words is typed, with what comes after it."""
    match verb:
        case "add":
            ready_ones = ", ".join(ready(game.rules))
            return tr("{ready}, or the lines of steps", ready=f"add {ready_ones}")
        case "remove":
            return tr("{word} alone, or {word} and the number of a step", word=verb)
        case "write" | "read":
            return tr("{word} and the name of a file", word=verb)
        case _:
            return tr("{word} alone", word=verb)


def _put(mine: LocalPlayer, game: Game, new: Plan, where: str) -> None:
    """Save a plan, after checking that the game knows its names."""
    new = read(new.text, where)
    check(new, game, _asked(mine, game), where)
    Plans(mine.home).put(game, new)


def _asked(mine: LocalPlayer, game: Game) -> Question | None:
    """The pending question, as the player sees it."""
    return permissions.unlock_state(game, mine.key).asked


def _without(old: Plan, number: str) -> Plan:
    """The plan without one of its steps."""
    steps = old.steps
    if not (number.isdecimal() and len(number) <= 4 and 1 <= int(number) <= len(steps)):
        found = safe(number)[:20]
        raise typer.BadParameter(tr("there is no step '{found}': 1 to {last}", found=found, last=len(steps)))
    return Plan((*steps[: int(number) - 1], *steps[int(number) :]), old.despite)


def _edited(mine: LocalPlayer, old: Plan, name: str) -> str:
    """The text of the plan after editing in the player's editor. Raises `PbemError`."""
    import os
    import subprocess  # here, because few plans are edited
    from tempfile import TemporaryDirectory

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    with catch(), TemporaryDirectory() as folder:
        place = Path(folder) / "plan.txt"
        place.write_text(f"{old.text}\n\n# when ..., do ..., until ..., at most N times\n", "utf-8")
        try:
            subprocess.run([*unquoted(editor), str(place)], check=True)
        except (OSError, ValueError, subprocess.CalledProcessError):
            command = f"pbem plan {name} write {quoted('plan.txt')}"
            hint = tr("set EDITOR, or change a copy and read that: {command}", command=command)
            problem = tr("cannot edit with '{editor}'", editor=cut(safe(editor), 40))
            raise PbemError(problem, hint=hint) from None
        return _text_of(mine, place)


def _text_of(mine: LocalPlayer, source: Path) -> str:
    """The text of a plan's file. Raises `FileError`."""
    data = mine.read(source)
    if len(data) > PLAN_BYTES:
        problem = tr("a plan may have {most} bytes, and this has more", most=PLAN_BYTES)
        raise FileError(problem, where=str(source))
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise FileError(tr("is not UTF-8 text"), where=str(source)) from None


def _write(out: Path, kept: Plan) -> None:
    """Write the plan to a new file."""
    from pbem.base.files import write_atomically

    if out.is_symlink() or out.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=str(out), hint=tr("give another name"))
    write_atomically(out, f"{kept.text}\n".encode(), private=True)


def _arm(plans: Plans, game: Game, name: str) -> None:
    """Arm the plan. Raises `PbemError` if there is none."""
    if not plans.plan(game).steps:
        hint = tr("add one: {command}", command=f"pbem plan {name} add quiet")
        raise PbemError(tr("the plan has no steps yet"), hint=hint)
    plans.arm(game)


def _warn_of_others(game: Game, name: str) -> None:
    """Warn of two computers with an armed plan, and of a game that does not know what is in range."""
    if game.rules.view.threats is None:
        title = game.rules.title
        put(tr("{game} does not tell what is in range: it does not stop for that.", game=title), indent=2)
    put(tr("If it is armed on two computers, the one that has signed your last decision answers."), indent=0)
    put(tr("To move it, type here, and then there:"))
    put(f"  pbem plan {name} write plan.txt; pbem plan {name} disarm")
    put(f"  pbem plan {name} read plan.txt; pbem plan {name} arm")


def _show(mine: LocalPlayer, game: Game, name: str) -> None:
    """Print the steps, how often each has been done, and whether the plan is armed."""
    plans = Plans(mine.home)
    kept, steps = plans.kept(game), plans.plan(game)
    if not steps.steps:
        _offer(mine, game, name)
        return
    for word in steps.despite:
        put(f"     despite {word}")
    times = done(kept, game)
    for number, step in enumerate(steps.steps, 1):
        put("\n".join(f"{'' if n else number:>3}  {safe(line)}" for n, line in enumerate(step.lines)))
        if times[number]:
            put(f"     {tr('(done so far: {times})', times=times[number])}")
    if not kept.armed:
        look, arm = f"pbem plan {name} --try", f"pbem plan {name} arm"
        put(tr("Not armed. Type: {look}, then {arm}", look=look, arm=arm))
    elif kept.computer != here():
        other = safe(kept.computer)
        put(tr("Armed on another computer, {computer}: it does not answer here.", computer=other), indent=0)
    else:
        put(tr("Armed on this computer."))
    if kept.armed and shares_a_side(game, mine):
        put(left())


def _offer(mine: LocalPlayer, game: Game, name: str) -> None:
    """Print the ready-made plans, and what conditions may name now."""
    put(tr("There is no plan for this game. Ready-made ones:"))
    for key, line in ready(game.rules).items():
        put(f"  pbem plan {name} add {key}\n      {line}")
    asked = _asked(mine, game)
    state = game.table.run.state if asked is None else asked.state
    known = [f"{key} {value_of(value)}" for key, value in facts(game.rules, state, asked).items()]
    conditions = ", ".join([*([f"asked {asked.question}"] if asked else []), *known])
    put(tr("To put after 'when': {conditions}", conditions=conditions), indent=0)


def _try(mine: LocalPlayer, game: Game) -> None:
    """Print what the plan would do at each outcome. Raises `PbemError` if that takes too long."""
    from pbem.player.plans.foresight import outlook

    plans = Plans(mine.home)
    table = permissions.unlock_state(game, mine.key)
    try:
        with waiting(TRY_SECONDS):
            found = outlook(plans.plan(game), sight(game, mine, table, plans.kept(game)))
    except OverBudget:
        problem = tr("the plan could not be tried within {seconds} seconds", seconds=f"{TRY_SECONDS:g}")
        raise PbemError(problem, hint=tr("try it with fewer units, hexes or steps")) from None
    for line in found.first:
        put(safe(line), indent=2)
    for prospect in found.prospects:
        told = tr(
            "On {outcomes}: {what} ({percent}, {chance}).",
            outcomes=safe(game.rules.view.drawn(prospect.outcomes)),
            what=safe(prospect.words),
            percent=f"{float(prospect.chance):.0%}",
            chance=prospect.chance,
        )
        put(told, indent=2)


def _explain(mine: LocalPlayer, game: Game, name: str) -> None:
    """Print why the plan does not answer now, step by step."""
    plans = Plans(mine.home)
    if not plans.kept(game).text:
        put(tr("There is no plan for this game."))
        return
    choice = consulted(mine, game)
    if choice is None:
        put(tr("It is not your move, so the plan has nothing to answer."))
        return
    if not plans.armed_here(game):
        put(tr("The plan is not armed here. If it were:"))
    if choice.orders:
        orders = safe(choice.words)
        put(tr("It answers by step {step}: {orders}", step=choice.step, orders=orders), indent=2)
        put(tr("Type: {command}", command=f"pbem move {name} --plan"))
        return
    put(tr("It stops and asks you: {why}.", why=safe(choice.why)), indent=2)
    for reason in choice.reasons:
        put(f"  {safe(reason)}", indent=4)
    put(tr("Once you have decided yourself it goes on."))
