"""The player's plan at the board: saved, armed and disarmed there, with the orders that it would give now."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from pbem.errors import PbemError
from pbem.player.local_player import LocalPlayer
from pbem.player.plans.grammar import typed
from pbem.player.plans.plan_store import Plans, consulted, here, left, shares_a_side
from pbem.player.plans.ready_made import added, check, typed_here
from pbem.render.words import safe
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game

tr = Texts("pbem")


class Planning(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request about the plan: `text` is a whole plan to save, or a step to add."""

    bound: str
    act: Literal["look", "keep", "add", "arm", "disarm"]
    text: str = ""


def planned(player: LocalPlayer, game: Game, request: Planning) -> dict[str, Any]:
    """Carry out a request; the plan as the page shows it afterwards. Raises `PbemError`."""
    plans = Plans(player.home)
    match request.act:
        case "keep" | "add":
            old = plans.plan(game)
            plan = (
                typed(request.text, typed_here())
                if request.act == "keep"
                else added(game, old, [request.text])
            )
            check(plan, game, permissions.unlock_state(game, player.key).asked, typed_here())
            plans.put(game, plan)
        case "arm":
            if not plans.plan(game).steps:
                raise PbemError(
                    tr("the plan has no steps yet"), hint=tr("add one, such as {step}", step="hold 40%")
                )
            plans.arm(game)
        case "disarm":
            plans.disarm(game)
    return _shown(player, game, plans)


def _shown(player: LocalPlayer, game: Game, plans: Plans) -> dict[str, Any]:
    """The plan, whether it is armed, and its answer to the pending question."""
    stored, plan = plans.kept(game), plans.plan(game)
    says, orders = [], []
    if stored.armed and shares_a_side(game, player):
        says.append(left())
    elif stored.computer == here():
        says.append(
            tr("Armed on this computer: practice and pbem mail watch answer by it. Arm it on no other.")
        )
    elif stored.armed:
        name = safe(stored.computer)
        says.append(tr("Armed on another computer, {name}: it does not answer here.", name=name))
    if plan.steps and (choice := consulted(player, game)):
        orders = [safe(line) for line in game.rules.view.write_words(choice.orders)]
        if orders:
            summary = tr("Now it orders: {orders}", orders=choice.words)
        else:
            summary = tr("Now it asks you: {why}", why=choice.why)
        says += [safe(one) for one in (summary, *choice.reasons)]
    return {"text": plan.text, "armed": plans.armed_here(game), "says": says, "orders": orders}
