"""A player's plans: conditional orders, one list of steps a game, stored at home and never in the file.

    home/plans.json    by the id of the game: the plan, where it is armed and since which entry, what it wrote

What a plan has done is counted in the log: the id of an entry is saved before the entry itself, and an entry
that is not in the log does not count. So a program that is killed between the two does no step twice and
forgets none. Decision 18 says why it is built so.
"""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import Store, locked, make_folder
from pbem.core.requests import Ask
from pbem.core.sealing import Open
from pbem.errors import NotYourMove
from pbem.format.shapes import Play
from pbem.player.local_player import LocalPlayer
from pbem.player.pending.deferred_actions import wished
from pbem.player.plans.context import Moment, Sight
from pbem.player.plans.grammar import read
from pbem.player.plans.plan import Plan
from pbem.player.plans.steps import Choice, choose, heeded
from pbem.texts import ENGLISH, Texts, speaking
from pbem.umpire import permissions
from pbem.umpire.game import Game
from pbem.umpire.game_state import GameState

tr = Texts("pbem")


def left() -> str:
    """The remark that a plan does not answer for a side with commanders."""
    return tr("A plan does not answer for a side with commanders: you decide yourself.")


class Written(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry written by a plan: the step's number, its orders as typed in English, and its `despite`."""

    step: int
    words: str
    despite: tuple[str, ...] = ()


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """The record of one game: the plan's text; if it is armed, the computer, and the number of entries then.

    `written` is by the ids of the entries.
    """

    text: str = ""
    computer: str = ""
    since: int = 0
    written: Mapping[str, Written] = {}

    @property
    def armed(self) -> bool:
        """Whether it is armed on some computer."""
        return bool(self.computer)


class Plans:
    """The plans in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._store = Store(
            home / "plans.json", dict[str, Kept], hint=tr("mend or remove it: only plans are lost")
        )

    def kept(self, game: Game) -> Kept:
        """The record of a game. Raises `ShelfError`."""
        return self._store.read().get(game.ids[0], Kept())

    def plan(self, game: Game) -> Plan:
        """The plan of a game, empty if there is none. Raises `FileError`, `ShelfError`."""
        return read(self.kept(game).text, str(self._store.path))

    def put(self, game: Game, plan: Plan) -> None:
        """Save the plan of a game, in place of another; it is not armed."""
        self._put(game, replace(self.kept(game), text=plan.text, computer=""))

    def arm(self, game: Game) -> None:
        """Arm the plan: it answers from now on, on this computer; what it did before does not count."""
        self._put(game, replace(self.kept(game), computer=here(), since=len(game.entries)))

    def disarm(self, game: Game) -> None:
        """Disarm the plan."""
        self._put(game, replace(self.kept(game), computer=""))

    def armed_here(self, game: Game) -> bool:
        """Whether the plan of a game is armed, and on this computer."""
        return self.kept(game).computer == here()

    def note(self, game: Game, entry: str, choice: Choice) -> None:
        """Note that a plan wrote an entry, which is about to be saved."""
        kept = self.kept(game)
        known = {old: kept.written[old] for old in game.ids if old in kept.written}
        with speaking(ENGLISH):
            words = "; ".join(game.rules.view.write_words(choice.orders))
        self._put(game, replace(kept, written={**known, entry: Written(choice.step, words, choice.despite)}))

    def _put(self, game: Game, kept: Kept) -> None:
        make_folder(self._home)
        with locked(self._home):
            self._store.put(game.ids[0], kept)


def here() -> str:
    """The name of this computer; a home that is copied to another does not answer there."""
    return platform.node() or "this computer"


def written(home: Path, game: Game) -> dict[str, Written]:
    """The entries of a game that a plan has written, by their ids. Raises `ShelfError`."""
    if not (home / "plans.json").exists():
        return {}
    noted = Plans(home).kept(game).written
    return {entry: noted[entry] for entry in game.ids if entry in noted}


def consulted(desk: LocalPlayer, game: Game) -> Choice | None:
    """The choice of a game's plan, armed or not, at the pending decision; None if none is pending.

    Raises `FileError`, `ShelfError`.
    """
    if game.table.proposal and game.table.writer in permissions.held_seats(game, desk.key):
        return Choice(why=str(game.table.proposal.words(game.rules)))
    if not (table := deciding(game, desk)):
        return None
    plans = Plans(desk.home)
    return rests(desk, game) or choose(plans.plan(game), sight(game, desk, table, plans.kept(game)))


def rests(desk: LocalPlayer, game: Game) -> Choice | None:
    """A choice that says why the plan is suspended while an action is deferred; None if none is."""
    wish = wished(desk, game)
    if wish.draw:
        return Choice(why=tr("your offer of a draw comes first"))
    return Choice(why=tr("your resignation comes first")) if wish.resign else None


def chosen(desk: LocalPlayer, game: Game) -> Choice | None:
    """The choice of an armed plan at the pending decision; None if none is armed here.

    Raises `FileError`, `ShelfError`.
    """
    if not (desk.home / "plans.json").exists() or not Plans(desk.home).armed_here(game):
        return None
    choice = consulted(desk, game)
    if choice and choice.orders and game.table.commanders.get(game.table.writer or ""):
        return Choice(why=tr("your side has commanders, and they have a say"))
    return choice


def shares_a_side(game: Game, desk: LocalPlayer) -> bool:
    """Whether the player's side has commanders (FORMAT 11), so that no plan answers for it."""
    return any(game.table.commanders.get(seat) for seat in permissions.held_seats(game, desk.key))


def deciding(game: Game, desk: LocalPlayer) -> GameState | None:
    """The state as the player sees it, if he is to give orders; else None."""
    if game.table.writer not in permissions.held_seats(game, desk.key) or len(game.table.known) < 2:
        return None
    table = permissions.unlock_state(game, desk.key)
    if (
        not isinstance(table.asked, Ask)
        or table.asked.seat != game.table.writer
        or isinstance(table.asked, Open)
    ):
        return None
    return table


def sight(game: Game, desk: LocalPlayer, table: GameState, kept: Kept) -> Sight:
    """The context of the player's plan, given the state as he sees it."""
    own = permissions.held_seats(game, desk.key)
    if not own:
        raise NotYourMove(tr("you play no side in this game"))
    since = min(kept.since, len(game.entries)) if kept.armed else len(game.entries)
    chapters = game.chapters[since:]
    moments = [Moment(game.chapters[since - 1].state)]
    for chapter in chapters:
        body = chapter.entry.body
        seen: tuple[str, ...] = ()
        if body.by in own and (not isinstance(body, Play) or body.orders is not None):
            by_plan = kept.written.get(chapter.entry.id)
            seen = heeded(by_plan.despite if by_plan else ())
        said = body.by not in own and bool(getattr(body, "say", None))
        moments.append(Moment(chapter.state, chapter.told, said, seen))
    if not chapters:
        moments[0] = Moment(table.run.state)
    elif table.run.told or table.run.state is not moments[-1].state:
        moments.append(Moment(table.run.state, tuple(table.run.told)))
    asked = table.asked
    seat = asked.seat if asked and asked.seat in own else own[0]
    return Sight(table.run, seat, tuple(moments), done(kept, game))


def done(kept: Kept, game: Game) -> Counter[int]:
    """How often each step was done since the plan was armed, by the log; empty if it is not armed."""
    since = game.ids[kept.since :] if kept.armed else ()
    return Counter(kept.written[entry].step for entry in since if entry in kept.written)
