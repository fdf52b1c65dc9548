"""A player's plans: conditional orders, one list of steps per game, in its record at home and never in the
file.

The log decides what a plan has done: the id of an entry is saved before the entry itself, and an entry that
is not in the log does not count. So if pbem is killed between the two, no step is done twice and none is
lost. Decision 18 gives the reasons.
"""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from pbem.core.requests import Ask
from pbem.core.sealing import Open
from pbem.errors import NotYourMove
from pbem.format.entries import Play
from pbem.player.local_player import LocalPlayer
from pbem.player.pending import deferred_for
from pbem.player.plans.choice import Choice, choose, stops_noted
from pbem.player.plans.conditions import Moment, PlanContext
from pbem.player.plans.grammar import Plan, parse_plan
from pbem.player.store.game_record import PlannedEntry, PlanRecord
from pbem.player.store.record_store import GameRecords
from pbem.texts import ENGLISH, Texts, speaking
from pbem.umpire import permissions
from pbem.umpire.game_state import Game, GameState

tr = Texts("pbem")


def commanders_decide_remark() -> str:
    """The remark that a plan gives no orders for a side with commanders."""
    return tr("A plan does not answer for a side with commanders: you decide yourself.")


class PlanStore:
    """The plans in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._records = GameRecords(home)

    def record(self, game: Game) -> PlanRecord:
        """The stored plan of a game. Raises `StorageError`."""
        return self._records.read(game.ids[0]).plan

    def plan(self, game: Game) -> Plan:
        """The plan of a game; empty if there is none. Raises `FileError`, `StorageError`."""
        return parse_plan(self.record(game).text, str(self._records.path(game.ids[0])))

    def save(self, game: Game, plan: Plan) -> None:
        """Save the plan of a game, replacing another. It is not armed."""
        self._change(game, lambda kept: replace(kept, text=plan.text, computer=""))

    def arm(self, game: Game) -> None:
        """Arm the plan: from now on it gives orders, on this computer. Its step counts begin at 0."""
        since = len(game.entries)
        self._change(game, lambda kept: replace(kept, computer=this_computer(), since=since))

    def disarm(self, game: Game) -> None:
        """Disarm the plan."""
        self._change(game, lambda kept: replace(kept, computer=""))

    def is_armed_here(self, game: Game) -> bool:
        """Whether the plan of a game is armed on this computer."""
        return self.record(game).computer == this_computer()

    def note_entry(self, game: Game, entry: str, choice: Choice) -> None:
        """Note that a plan wrote an entry which is about to be saved."""
        with speaking(ENGLISH):
            words = "; ".join(game.rules.view.write_words(choice.orders))
        new = PlannedEntry(choice.step, words, choice.despite)

        def noted(kept: PlanRecord) -> PlanRecord:
            known = {old: kept.written[old] for old in game.ids if old in kept.written}
            return replace(kept, written={**known, entry: new})

        self._change(game, noted)

    def _change(self, game: Game, change: Callable[[PlanRecord], PlanRecord]) -> None:
        self._records.change(game.ids[0], lambda record: replace(record, plan=change(record.plan)))


def this_computer() -> str:
    """The name of this computer; in a copy of the home on another one, no plan gives orders."""
    return platform.node() or "this computer"


def entries_by_plan(home: Path, game: Game) -> dict[str, PlannedEntry]:
    """The entries of a game that a plan wrote, by their ids. Raises `StorageError`."""
    noted = PlanStore(home).record(game).written
    return {entry: noted[entry] for entry in game.ids if entry in noted}


def consult_plan(player: LocalPlayer, game: Game) -> Choice | None:
    """What a game's plan, armed or not, chooses at the pending decision; None if none is pending.

    Raises `FileError`, `StorageError`.
    """
    if game.state.proposal and game.state.writer in permissions.held_seats(game, player.key):
        return Choice(why=str(game.state.proposal.describe(game.rules)))
    if not (table := state_to_decide(game, player)):
        return None
    plans = PlanStore(player.home)
    return why_plan_rests(player, game) or choose(
        plans.plan(game), plan_context(game, player, table, plans.record(game))
    )


def why_plan_rests(player: LocalPlayer, game: Game) -> Choice | None:
    """A choice that says why the plan is suspended because an action is deferred; None if none is."""
    wish = deferred_for(player, game)
    if wish.takeback:
        return Choice(why=tr("your take-back comes first"))
    if wish.draw:
        return Choice(why=tr("your draw offer comes first"))
    return Choice(why=tr("your resignation comes first")) if wish.resign else None


def consult_armed_plan(player: LocalPlayer, game: Game) -> Choice | None:
    """What an armed plan chooses at the pending decision; None if none is armed here.

    Raises `FileError`, `StorageError`.
    """
    if not PlanStore(player.home).is_armed_here(game):
        return None
    choice = consult_plan(player, game)
    if choice and choice.orders and game.state.commanders.get(game.state.writer or ""):
        return Choice(why=tr("your side has commanders, and they have a say"))
    return choice


def has_commanders(game: Game, player: LocalPlayer) -> bool:
    """Whether the player's side has commanders (FORMAT 11), so that no plan gives orders for it."""
    return any(game.state.commanders.get(seat) for seat in permissions.held_seats(game, player.key))


def state_to_decide(game: Game, player: LocalPlayer) -> GameState | None:
    """The state as the player sees it, if it is their turn to give orders; else None."""
    if game.state.writer not in permissions.held_seats(game, player.key) or len(game.state.known) < 2:
        return None
    table = permissions.unlock_state(game, player.key)
    if (
        not isinstance(table.pending_question, Ask)
        or table.pending_question.seat != game.state.writer
        or isinstance(table.pending_question, Open)
    ):
        return None
    return table


def plan_context(game: Game, player: LocalPlayer, table: GameState, kept: PlanRecord) -> PlanContext:
    """The context of the player's plan, given the state as they see it."""
    own = permissions.held_seats(game, player.key)
    if not own:
        raise NotYourMove(tr("you are not a player in this game"))
    since = min(kept.since, len(game.entries)) if kept.is_armed else len(game.entries)
    chapters = game.replayed_entries[since:]
    moments = [Moment(game.replayed_entries[since - 1].state)]
    for chapter in chapters:
        body = chapter.entry.body
        seen: tuple[str, ...] = ()
        if body.by in own and (not isinstance(body, Play) or body.orders is not None):
            by_plan = kept.written.get(chapter.entry.id)
            seen = stops_noted(by_plan.despite if by_plan else ())
        said = body.by not in own and bool(getattr(body, "say", None))
        moments.append(Moment(chapter.state, chapter.events, said, seen))
    if not chapters:
        moments[0] = Moment(table.run.state)
    elif table.run.told or table.run.state is not moments[-1].state:
        moments.append(Moment(table.run.state, tuple(table.run.told)))
    asked = table.pending_question
    seat = asked.seat if asked and asked.seat in own else own[0]
    return PlanContext(table.run, seat, tuple(moments), count_done_steps(kept, game))


def count_done_steps(kept: PlanRecord, game: Game) -> Counter[int]:
    """How often each step was done since the plan was armed, by the log; empty if it is not armed."""
    since = game.ids[kept.since :] if kept.is_armed else ()
    return Counter(kept.written[entry].step for entry in since if entry in kept.written)
