"""A plan as an action, typed at the prompt or in a reply by mail. Once armed, the plan gives the orders.

    plan hold 40%              a ready-made plan, or several, one per line
    plan march all 2210
    plan when card 8S          the lines of steps; only the first begins with `plan`
    do pass
    plan                       arms the existing plan
    plan off                   disarms it

New steps follow the existing ones, as with `pbem plan FILE add`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from pbem.core.phrases import split_orders
from pbem.errors import NotUnderstood
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.autoplay import write_planned_orders
from pbem.player.actions.orders import GiveOrders
from pbem.player.local_player import LocalPlayer
from pbem.player.order_preview import Effect
from pbem.player.pending import PendingMessages
from pbem.player.plans.choice import Choice, choose
from pbem.player.plans.grammar import LINE_VERBS, parse_plan
from pbem.player.plans.grammar import Plan as Steps
from pbem.player.plans.plan_store import (
    PlanStore,
    plan_context,
    state_to_decide,
    this_computer,
    why_plan_rests,
)
from pbem.player.plans.ready_made import add_to_plan, check_plan, plan_location
from pbem.player.store.game_record import PlanRecord
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from pbem.umpire.write import Claim

tr = Texts("pbem")

PLAN_WORD = "plan"

TYPED = ("plan", "off")


class ArmPlan(Action):
    """Add lines to a plan and arm it, or disarm it.

    Raises `NotUnderstood`, `FileError`, `StorageError`; `NotYourMove` if the player holds no seat.
    """

    kind = "plan"

    def __init__(self, hand: ActionContext, lines: Sequence[str], say: str = "") -> None:
        super().__init__(hand, say)
        self.plan = None if _disarms(lines) else _whole_plan(hand.player, hand.game, lines)
        if self.plan is not None and not self.plan.steps:
            hint = tr("{one}, or {other}", one=f"{plan_word()} quiet", other=f"{plan_word()} hold 40%")
            raise NotUnderstood(tr("there is no plan yet"), "", 0, 0, hint=hint)

    @property
    def words(self) -> tuple[str, ...]:
        """The plan, and the orders it gives at the pending decision."""
        if self.plan is None:
            return (tr("Your plan no longer answers."),)
        told = tr("Your plan, which answers from now on:")
        steps = [f"  {line}" for line in self.plan.text.split("\n") if line]
        return (told, *steps, *self._describe_choice)

    @property
    def effect(self) -> Effect:
        """The effect of the orders the plan gives now."""
        choice = self._choice
        return GiveOrders(self.context, choice.orders).effect if choice and choice.orders else Effect()

    def write(self, said: Claim | None = None) -> Game | None:
        """Save and arm the plan, and sign the orders it gives now, if any, with the pending message."""
        player, game, _ = self.context
        if self.say:
            PendingMessages(player.home).save(game, player.key, self.say)
        plans = PlanStore(player.home)
        if self.plan is None:
            plans.disarm(game)
            return None
        plans.save(game, self.plan)
        plans.arm(game)
        return write_planned_orders(player, game)

    @cached_property
    def _choice(self) -> Choice | None:
        """What the plan chooses at the pending decision."""
        player, game, _ = self.context
        table = state_to_decide(game, player) if self.plan else None
        if self.plan is None or table is None:
            return None
        kept = PlanRecord(self.plan.text, this_computer(), len(game.entries))
        return why_plan_rests(player, game) or choose(self.plan, plan_context(game, player, table, kept))

    @property
    def _describe_choice(self) -> list[str]:
        choice = self._choice
        if choice is None:
            return []
        if choice.orders:
            return [tr("It orders now: {orders}", orders=choice.words)]
        return [tr("It asks you now: {why}", why=choice.why), *(f"  {reason}" for reason in choice.reasons)]


def arm_plan(player: LocalPlayer, game: Game, words: str) -> bool:
    """Add `words`, as typed after `plan`, to the plan and arm it. False if they disarm it instead.

    Gives no orders yet. Raises as `ArmPlan`.
    """
    act = ArmPlan(ActionContext(player, game), split_orders(f"{PLAN_WORD} {words}"))
    plans = PlanStore(player.home)
    if act.plan is None:
        plans.disarm(game)
        return False
    plans.save(game, act.plan)
    plans.arm(game)
    return True


def plan_word() -> str:
    """The word `plan` in the player's language."""
    return (*tr.typed(PLAN_WORD), PLAN_WORD)[0]


def _disarms(lines: Sequence[str]) -> bool:
    return [[tr.meant(word, TYPED) for word in line.split()] for line in lines] == [[PLAN_WORD, "off"]]


def _whole_plan(player: LocalPlayer, game: Game, lines: Sequence[str]) -> Steps:
    """The existing plan, followed by the new lines."""
    plan = PlanStore(player.home).plan(game)
    for typed in _split_plan_lines(lines):
        plan = add_to_plan(game, plan, typed)
    plan = parse_plan(plan.text, plan_location())
    check_plan(plan, game, permissions.unlock_state(game, player.key).pending_question, plan_location())
    return plan


def _split_plan_lines(lines: Sequence[str]) -> Iterator[list[str]]:
    """Split lines at each `plan`, and drop that word; yields nothing for a lone `plan`.

    A line that does not begin with a plan's verb is another order of the last `do`.
    """
    pieces: list[list[str]] = []
    for line in lines:
        first, *rest = line.split(maxsplit=1)
        if tr.meant(first, TYPED) == PLAN_WORD:
            pieces.append(rest)
        elif first.lower() in {verb.split()[0] for verb in LINE_VERBS}:
            pieces[-1].append(line)
        else:
            pieces[-1].append(f"do {line}")
    yield from filter(None, pieces)
