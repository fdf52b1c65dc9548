"""The status of a game for a player, as data: events that he may not know, and those that he alone sees.

Also what is asked, of whom and until when; the result, and whether it is news; remarks. Every surface shows
it and none collects its own; `actions.preconditions` says what may be done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.requests import Tell
from pbem.errors import StorageError
from pbem.player.known_forks import describe_forks
from pbem.player.local_player import LocalPlayer
from pbem.player.pending.deferred_actions import Deferred, deferred_for, may_sign_here
from pbem.player.status.pending_question import PendingQuestion, pending_question_in
from pbem.player.store.delivery import is_refused, refusal_with_command
from pbem.player.store.read_marker import ReadMarker
from pbem.player.store.unconfirmed import describe_unconfirmed, newest_only_hint
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game, ReplayedEntry
from pbem.umpire.game_facts import SHORT_ID_DIGITS, decides_nothing
from pbem.umpire.game_state import GameState
from pbem.umpire.scenario import own_scenario

if TYPE_CHECKING:
    from pbem.player.store.head import Head

tr = Texts("pbem")

RemarkKind: TypeAlias = Literal["file", "map", "status", "fork", "doubt", "mail", "scenario", "draft"]
"""Kinds of remark: a file that is not the newest, a map or a status in it that is false or cannot be
compared, another history, a game that may have gone on elsewhere, a mail that a server refuses, an own
scenario, a commander's draft that has come or not."""


class Remark(Struct, frozen=True):
    """A remark in a line, with a hint if there is one. A `warning` comes before others."""

    kind: RemarkKind
    words: str
    hint: str = ""
    warning: bool = False


class GameResult(Struct, frozen=True):
    """The end of a game: who won (empty: nobody), why, and whether the player has not looked since."""

    winner: str
    reason: str
    is_news: bool


class GameStatus(Struct, frozen=True):
    """The status of a game for the player. `table` includes what his share unlocks, which `news` do not.

    `pending_message` goes with his next decision, `suspended_message` is one whose entry he undid.
    `is_planned`: his plan is armed here. `may_sign_here`: this home signs automatically what he has deferred
    and planned.
    """

    game: Game
    table: GameState
    news: tuple[ReplayedEntry, ...]
    question: PendingQuestion
    result: GameResult | None
    remarks: tuple[Remark, ...]
    deferred: Deferred
    pending_message: str
    suspended_message: str
    is_planned: bool
    may_sign_here: bool

    @property
    def unlocked_events(self) -> tuple[Tell, ...]:
        """The events that only his share reveals; his next entry writes it into the file."""
        return tuple(self.table.run.told)


def game_status(desk: LocalPlayer, game: Game) -> GameStatus:
    """The status of the game. Raises `KeyFileError`, `ShelfError`."""
    key = desk.key if desk.has_key else None
    table = permissions.unlock_state(game, key) if key else game.state
    due, wish, planned = (
        pending_question_in(game, table, key),
        deferred_for(desk, game),
        _is_planned(desk, game),
    )
    refused = bool(desk.seats(game)) and is_refused(desk.home, game.ids[0], game.ids[-1])
    if refused and not due.yours:
        due = replace(due, since=None, until=None)  # the opponent cannot be late with what he has not got
    return GameStatus(
        game,
        table,
        news(desk, game),
        due,
        game_result(desk, game),
        (*_mail_remarks(game, refused=refused), *remarks(desk, game, table, due)),
        wish,
        *_pending_messages(desk, game),
        planned,
        may_sign_here=may_sign_here(desk, game) if wish.is_pending or planned else True,
    )


def _is_planned(desk: LocalPlayer, game: Game) -> bool:
    """Whether a plan is armed here. Raises `ShelfError`."""
    if not (desk.home / "plans.json").exists():
        return False
    from pbem.player.plans.plan_store import PlanStore  # here, because most players have no plans

    return PlanStore(desk.home).is_armed_here(game)


def news(desk: LocalPlayer, game: Game) -> tuple[ReplayedEntry, ...]:
    """The entries since the player last looked, and at most those from his last decision on.

    A share that was written for him is no decision, so it hides nothing. In solitaire, and for a spectator,
    they are those since he looked. The last entry is always among them. Raises `ShelfError`.
    """
    last, seats = len(game.replayed_entries) - 1, desk.seats(game)
    looked = ReadMarker(desk.home).first_news(game)
    if len(seats) != 1:
        return game.replayed_entries[min(looked or last, last) :]
    own = [chapter.entry.body for chapter in game.replayed_entries if chapter.entry.body.by in seats]
    decided = max((body.n for body in own if not decides_nothing(body)), default=0)
    return game.replayed_entries[min(max(looked, decided), last) :]


def remarks(desk: LocalPlayer, game: Game, table: GameState, due: PendingQuestion) -> tuple[Remark, ...]:
    """Remarks on a game, warnings first. Raises `ShelfError`."""
    all_remarks = [Remark("fork", words, warning=True) for words in describe_forks(desk, game)]
    if desk.store.unconfirmed.has(game.ids[0]):
        all_remarks.append(
            Remark("doubt", describe_unconfirmed(game.ids[0]), newest_only_hint(), warning=True)
        )
    if own := own_scenario(game):
        all_remarks.append(Remark("scenario", tr("scenario: {text}", text=own.text)))
    if due.yours and due.what == "orders" and game.state.commanders.get(due.seat or ""):
        from pbem.player.commanders.lead import commanders_of  # here, because few sides are shared

        side = commanders_of(desk, game, table)
        all_remarks += [Remark("draft", line) for line in (side.describe() if side else ())]
    return tuple(all_remarks)


def _mail_remarks(game: Game, *, refused: bool) -> tuple[Remark, ...]:
    """The remark that the player's newest mail was not sent, if a server refused it."""
    return (
        (Remark("mail", refusal_with_command(game.ids[0][:SHORT_ID_DIGITS]), warning=True),)
        if refused
        else ()
    )


def _pending_messages(desk: LocalPlayer, game: Game) -> tuple[str, str]:
    """The message for the player's next decision, and the suspended one. Raises `ShelfError`."""
    if not (desk.has_key and (desk.home / "words.json").exists()):
        return "", ""
    from pbem.player.pending.pending_message import (
        PendingMessages,  # here, because most players have nothing to say just now
    )

    kept = PendingMessages(desk.home)
    return kept.pending_for(game, desk.key), kept.suspended_message(game)


def file_remarks(refusal: StorageError | None, head: Head) -> tuple[Remark, ...]:
    """Remarks on a game's file: that it may not be played on, or that its status or map may be false."""
    all_remarks = [Remark("file", str(refusal), refusal.hint, warning=True)] if refusal else []
    if head.map == "false":
        lies = tr("the map in this file is not the game's; here is the right one")
        all_remarks.append(Remark("map", lies, warning=True))
    if head.map == "unclear":
        doubtful_map = tr(
            "pbem cannot compare the map in this file, because this version draws it differently; here is "
            "the right one"
        )
        all_remarks.append(Remark("map", doubtful_map))
    if head.status == "false":
        lies = tr("the status in this file is not the game's; here is the right one")
        all_remarks.append(Remark("status", lies, warning=True))
    if head.status == "unclear":
        doubtful_status = tr(
            "pbem cannot compare the status in this file, because this version words it differently; here "
            "is the right one"
        )
        all_remarks.append(Remark("status", doubtful_status))
    return tuple(all_remarks)


def game_result(desk: LocalPlayer, game: Game) -> GameResult | None:
    """The result of the game, if it is over. Raises `ShelfError`."""
    ending = game.state.ending
    if ending is None:
        return None
    unseen = bool(desk.seats(game)) and is_end_unseen(desk, game.ids[0], game.ids[-1])
    return GameResult(ending.winner or "", str(ending.reason), unseen)


def is_end_unseen(desk: LocalPlayer, game: str, head: str) -> bool:
    """Whether the player has not looked at a game since its last entry `head`; if it is over, that is news.

    Both are ids. Raises `ShelfError`.
    """
    return ReadMarker(desk.home).mark(game).at != head
