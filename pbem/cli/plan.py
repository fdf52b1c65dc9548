"""Plans: `plan` lets pbem give the player's orders as long as their conditions hold."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from pbem.base.files import write_atomically
from pbem.base.interrupts import raise_on_interrupt
from pbem.base.limits import PLAN_BYTES, TRY_SECONDS, clock_limit
from pbem.cli.arguments import File, complete_with
from pbem.cli.command_groups import commands
from pbem.cli.session import local_player, open_to_read, split_off_game
from pbem.cli.terminal import put
from pbem.core.requests import Question
from pbem.errors import FileError, NotYourMove, OverBudget, PbemError
from pbem.player.local_player import LocalPlayer
from pbem.player.plans.choice import outlook
from pbem.player.plans.conditions import fact_text, facts
from pbem.player.plans.grammar import Plan, parse_plan, parse_typed_plan
from pbem.player.plans.plan_store import (
    PlanStore,
    commanders_decide_remark,
    consult_plan,
    count_done_steps,
    has_commanders,
    plan_context,
    this_computer,
)
from pbem.player.plans.ready_made import (
    PLAN_COMMANDS,
    add_to_plan,
    check_plan,
    make_ready_made,
    plan_location,
    ready_made_plans,
)
from pbem.render.safe_text import cut, quote_path, safe_text, split_command
from pbem.texts import Texts, percent
from pbem.umpire import permissions
from pbem.umpire.game_state import Game

tr = Texts("pbem")


app = commands()


@app.command()
def plan(
    file: File = "",
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[add|edit|remove|arm|disarm|write|read] ...",
            help="What to do with the plan; leave it out to see the plan.",
            show_default=False,
            autocompletion=complete_with("plans"),
        ),
    ] = None,
    try_: Annotated[
        bool, typer.Option("--try", help="Show what it would do for each card that could be drawn next.")
    ] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Say why it stopped.")] = False,
) -> None:
    """Let pbem answer for you as long as the game goes as you expect; otherwise it stops and asks you.

    A plan stays on this computer, and nobody can see that it answered. Its language: docs/PLANS.md.

    Example: pbem plan mortain.yaml add fire 40%
    """
    player = local_player()
    named, given = split_off_game(player, file, *(words or []))
    opened = open_to_read(player, named)
    game, name = opened.game, quote_path(opened.typed)
    if not permissions.held_seats(game, player.key):
        raise NotYourMove(tr("you are not a player in this game"))
    verb, *rest = given or [""]
    if verb and verb not in PLAN_COMMANDS:
        problem = tr(
            "must be one of {names}, not '{found}'", found=safe_text(verb), names=", ".join(PLAN_COMMANDS)
        )
        if verb in {name.split()[0] for name in ready_made_plans(game.rules)}:
            problem = tr(
                "to add a ready-made plan: {command}", command=f"pbem plan {name} add {' '.join(given)}"
            )
        raise typer.BadParameter(problem, param_hint="plan")
    if verb:
        _change_plan(player, game, verb, rest, name)
    if try_:
        _try(player, game)
    elif explain:
        _explain(player, game, name)
    else:
        _show(player, game, name)
        if verb == "arm":
            _warn_of_others(game, name)


def _change_plan(player: LocalPlayer, game: Game, verb: str, rest: list[str], name: str) -> None:
    """Carry out one of: add, edit, remove, arm, disarm, write, read."""
    plans = PlanStore(player.home)
    match verb, rest:
        case "add", [_, *_]:
            words = [" ".join(rest)] if make_ready_made(game.rules, rest, 0, plan_location()) else rest
            _save_plan(player, game, add_to_plan(game, plans.plan(game), words), plan_location())
        case "edit", []:
            _save_plan(
                player,
                game,
                parse_typed_plan(_edit_text(player, plans.plan(game), name), plan_location()),
                plan_location(),
            )
        case "remove", []:
            plans.save(game, Plan())
        case "remove", [number]:
            plans.save(game, _without_step(plans.plan(game), number))
        case "arm", []:
            _arm(plans, game, name)
        case "disarm", []:
            plans.disarm(game)
        case "write", [out]:
            _write_plan(Path(out), plans.plan(game))
        case "read", [source]:
            _save_plan(player, game, parse_typed_plan(_read_text(player, Path(source)), source), source)
        case _:
            found = cut(safe_text(" ".join([verb, *rest])), 40)
            problem = tr(
                "'{found}' is not valid here: type {form}", found=found, form=_describe_form(game, verb)
            )
            raise typer.BadParameter(problem, param_hint="plan")


def _describe_form(game: Game, verb: str) -> str:
    """The syntax of one of these words, with what follows it."""
    match verb:
        case "add":
            ready_ones = ", ".join(ready_made_plans(game.rules))
            return tr("{ready}, or the lines of your steps", ready=f"add {ready_ones}")
        case "remove":
            return tr("{word} on its own, or {word} and the number of a step", word=verb)
        case "write" | "read":
            return tr("{word} and the name of a file", word=verb)
        case _:
            return tr("{word} on its own", word=verb)


def _save_plan(player: LocalPlayer, game: Game, new: Plan, where: str) -> None:
    """Save a plan, after checking that the game has its names."""
    new = parse_plan(new.text, where)
    check_plan(new, game, _pending_question(player, game), where)
    PlanStore(player.home).save(game, new)


def _pending_question(player: LocalPlayer, game: Game) -> Question | None:
    """The pending question as the player sees it."""
    return permissions.unlock_state(game, player.key).pending_question


def _without_step(old: Plan, number: str) -> Plan:
    """The plan without one of its steps."""
    steps = old.steps
    if not (number.isdecimal() and len(number) <= 4 and 1 <= int(number) <= len(steps)):
        found = safe_text(number)[:20]
        raise typer.BadParameter(tr("there is no step '{found}': 1 to {last}", found=found, last=len(steps)))
    return Plan((*steps[: int(number) - 1], *steps[int(number) :]), old.despite)


def _edit_text(player: LocalPlayer, old: Plan, name: str) -> str:
    """The text of the plan after the player has edited it in their editor. Raises `PbemError`."""

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    with raise_on_interrupt(), TemporaryDirectory() as folder:
        place = Path(folder) / "plan.txt"
        place.write_text(f"{old.text}\n\n# when ..., do ..., until ..., at most N times\n", "utf-8")
        try:
            subprocess.run([*split_command(editor), str(place)], check=True)
        except (OSError, ValueError, subprocess.CalledProcessError):
            command = f"pbem plan {name} write {quote_path('plan.txt')}"
            hint = tr("set EDITOR, or edit a copy and load it: {command}", command=command)
            problem = tr("cannot edit with '{editor}'", editor=cut(safe_text(editor), 40))
            raise PbemError(problem, hint=hint) from None
        return _read_text(player, place)


def _read_text(player: LocalPlayer, source: Path) -> str:
    """The text of a plan file. Raises `FileError`."""
    data = player.read(source)
    if len(data) > PLAN_BYTES:
        problem = tr("this plan is too long: the limit is {most} bytes", most=PLAN_BYTES)
        raise FileError(problem, where=str(source))
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise FileError(tr("is not UTF-8 text"), where=str(source)) from None


def _write_plan(out: Path, kept: Plan) -> None:
    """Write the plan to a new file."""

    if out.is_symlink() or out.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=str(out), hint=tr("choose another name"))
    write_atomically(out, f"{kept.text}\n".encode(), private=True)


def _arm(plans: PlanStore, game: Game, name: str) -> None:
    """Arm the plan. Raises `PbemError` if there is none."""
    if not plans.plan(game).steps:
        hint = tr("add one: {command}", command=f"pbem plan {name} add quiet")
        raise PbemError(tr("the plan has no steps yet"), hint=hint)
    plans.arm(game)


def _warn_of_others(game: Game, name: str) -> None:
    """Warn of armed plans on two computers, and of a game that cannot say what is in range."""
    if game.rules.view.threats is None:
        title = game.rules.title
        put(
            tr(
                "{game} does not say which units are in range, so the plan does not stop for that.",
                game=title,
            ),
            indent=2,
        )
    put(tr("If it is armed on two computers, the one that signed your last decision answers."), indent=0)
    put(tr("To move it, type the first line here and the second there:"))
    put(f"  pbem plan {name} write plan.txt; pbem plan {name} disarm")
    put(f"  pbem plan {name} read plan.txt; pbem plan {name} arm")


def _show(player: LocalPlayer, game: Game, name: str) -> None:
    """Print the steps, how often each has been done, and whether the plan is armed."""
    plans = PlanStore(player.home)
    kept, steps = plans.record(game), plans.plan(game)
    if not steps.steps:
        _put_ready_made(player, game, name)
        return
    for word in steps.despite:
        put(f"     despite {word}")
    times = count_done_steps(kept, game)
    for number, step in enumerate(steps.steps, 1):
        put("\n".join(f"{'' if n else number:>3}  {safe_text(line)}" for n, line in enumerate(step.lines)))
        if times[number]:
            put(f"     {tr('(done so far: {times})', times=times[number])}")
    if not kept.is_armed:
        look, arm = f"pbem plan {name} --try", f"pbem plan {name} arm"
        put(tr("Not armed. Type: {look}, then {arm}", look=look, arm=arm))
    elif kept.computer != this_computer():
        other = safe_text(kept.computer)
        put(
            tr("Armed on another computer, {computer}, so it does not answer here.", computer=other), indent=0
        )
    else:
        put(tr("Armed on this computer."))
    if kept.is_armed and has_commanders(game, player):
        put(commanders_decide_remark())


def _put_ready_made(player: LocalPlayer, game: Game, name: str) -> None:
    """Print the ready-made plans, and the names that conditions can use now."""
    put(tr("There is no plan for this game. Ready-made ones:"))
    for key, line in ready_made_plans(game.rules).items():
        put(f"  pbem plan {name} add {key}\n      {line}")
    asked = _pending_question(player, game)
    state = game.state.run.state if asked is None else asked.state
    known = [f"{key} {fact_text(value)}" for key, value in facts(game.rules, state, asked).items()]
    conditions = ", ".join([*([f"asked {asked.question}"] if asked else []), *known])
    put(tr("You can put after 'when': {conditions}", conditions=conditions), indent=0)


def _try(player: LocalPlayer, game: Game) -> None:
    """Print what the plan would do after each outcome. Raises `PbemError` if that takes too long."""

    plans = PlanStore(player.home)
    table = permissions.unlock_state(game, player.key)
    try:
        with clock_limit(TRY_SECONDS):
            found = outlook(plans.plan(game), plan_context(game, player, table, plans.record(game)))
    except OverBudget:
        problem = tr("pbem could not try the plan out within {seconds} seconds", seconds=f"{TRY_SECONDS:g}")
        raise PbemError(problem, hint=tr("try it with fewer units, hexes or steps")) from None
    for line in found.first:
        put(safe_text(line), indent=2)
    for prospect in found.prospects:
        told = tr(
            "On {outcomes}: {what} ({chance}, {exact}).",
            outcomes=safe_text(game.rules.view.drawn(prospect.outcomes)),
            what=safe_text(prospect.words),
            chance=percent(float(prospect.chance)),
            exact=prospect.chance,
        )
        put(told, indent=2)


def _explain(player: LocalPlayer, game: Game, name: str) -> None:
    """Print why the plan gives no orders now, step by step."""
    plans = PlanStore(player.home)
    if not plans.record(game).text:
        put(tr("There is no plan for this game."))
        return
    choice = consult_plan(player, game)
    if choice is None:
        put(tr("It is not your move, so the plan has nothing to answer."))
        return
    if not plans.is_armed_here(game):
        put(tr("The plan is not armed here. If it were:"))
    if choice.orders:
        orders = safe_text(choice.words)
        put(tr("It answers with step {step}: {orders}", step=choice.step, orders=orders), indent=2)
        put(tr("Type: {command}", command=f"pbem move {name} --plan"))
        return
    put(tr("It stops here: {why}.", why=safe_text(choice.why)), indent=2)
    for reason in choice.reasons:
        put(f"  {safe_text(reason)}", indent=4)
    put(tr("It carries on once you have made this decision yourself."))
