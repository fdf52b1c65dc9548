"""The player's plan on the board: what the page can do with it, and what the plan would answer now."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from pbem.base.system import IN_BROWSER
from pbem.errors import PbemError
from pbem.player.local_player import LocalPlayer
from pbem.player.plans.conditions import facts
from pbem.player.plans.grammar import parse_typed_plan
from pbem.player.plans.plan_store import (
    PlanStore,
    commanders_decide_remark,
    consult_plan,
    has_commanders,
    this_computer,
)
from pbem.player.plans.ready_made import add_to_plan, check_plan, plan_location
from pbem.render.safe_text import safe_text
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_state import Game

tr = Texts("pbem")


class PlanRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request about the plan: `text` is a whole plan to save, or a step to add.

    `hex` is the index of the hex clicked last: conditions are offered for it too.
    """

    bound: str
    act: Literal["look", "keep", "add", "arm", "disarm"]
    text: str = ""
    hex: int = -1


def apply_plan_request(player: LocalPlayer, game: Game, request: PlanRequest) -> dict[str, Any]:
    """Carry out a request. Returns the plan as the page shows it. Raises `PbemError`."""
    plans = PlanStore(player.home)
    match request.act:
        case "keep" | "add":
            old = plans.plan(game)
            plan = (
                parse_typed_plan(request.text, plan_location())
                if request.act == "keep"
                else add_to_plan(game, old, [request.text])
            )
            check_plan(
                plan, game, permissions.unlock_state(game, player.key).pending_question, plan_location()
            )
            plans.save(game, plan)
        case "arm":
            if not plans.plan(game).steps:
                raise PbemError(
                    tr("the plan has no steps yet"), hint=tr("add one, such as {step}", step="hold 40%")
                )
            plans.arm(game)
        case "disarm":
            plans.disarm(game)
    return {
        **_plan_data(player, game, plans),
        "conditions": _offered_conditions(player, game),
        "here": _conditions_of_hex(player, game, request.hex),
    }


def _plan_data(player: LocalPlayer, game: Game, plans: PlanStore) -> dict[str, Any]:
    """The plan, whether it is armed, and its answer to the pending question."""
    stored, plan = plans.record(game), plans.plan(game)
    says, orders = [], []
    if stored.is_armed and has_commanders(game, player):
        says.append(commanders_decide_remark())
    elif stored.computer == this_computer():
        says.append(
            tr("Armed in this browser: practice games follow it.")
            if IN_BROWSER
            else tr(
                "Armed on this computer: practice games and pbem mail watch follow it. Do not arm it "
                "on another one."
            )
        )
    elif stored.is_armed:
        name = safe_text(stored.computer)
        says.append(tr("Armed on another computer, {name}: it does not give orders here.", name=name))
    if plan.steps and (choice := consult_plan(player, game)):
        orders = [safe_text(line) for line in game.rules.view.write_words(choice.orders)]
        if orders:
            summary = tr("It would now order: {orders}", orders=choice.words)
        else:
            summary = tr("It would now ask you: {why}", why=choice.why)
        says += [safe_text(one) for one in (summary, *choice.reasons)]
    return {
        "text": plan.text,
        "armed": plans.is_armed_here(game),
        "says": says,
        "orders": orders,
    }


def _offered_conditions(player: LocalPlayer, game: Game) -> list[str]:
    """The conditions the game offers for a step now, as written: by the facts of the question."""
    state = permissions.unlock_state(game, player.key)
    asked = state.pending_question
    found = ["nothing in range", "attack 40%"] if game.rules.view.combat else []
    for name, value in facts(game.rules, state.run.state, asked).items():
        if isinstance(value, bool) or value is None:
            continue
        is_number = isinstance(value, int)
        found += [f"{name} {value} or more", f"{name} {value} or less"] if is_number else [f"{name} {value}"]
    return list(map(safe_text, found))


NEAR = (1, 2, 3)
"""The distances from a hex for which the condition on an enemy is offered."""


def _conditions_of_hex(player: LocalPlayer, game: Game, index: int) -> list[str]:
    """The conditions on a hex, and on the units there, as written; none for a hex that is not on the map."""
    state = permissions.unlock_state(game, player.key)
    cells = game.rules.view.legend(state.run.state).cells
    if not 0 <= index < len(cells):
        return []
    at, own = cells[index].number, permissions.held_seats(game, player.key)
    found = [f"any enemy within {far} of {at}" for far in NEAR]
    units = [piece for piece in cells[index].pieces if piece.side in game.rules.seats]
    if not units:
        found += [f"hex {at} empty", f"hex {at} held by enemy"]
    for unit in units:
        found += [f"unit {unit.name} at {at}", f"unit {unit.name} alive", f"unit {unit.name} reduced"]
        if unit.side in own:
            found += [f"unit {unit.name} attacked", f"any enemy within 2 of {unit.name}"]
    return list(map(safe_text, found))
