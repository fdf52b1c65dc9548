"""Undo: a player removes their newest decision while nobody else has it (FORMAT 6, decision 27).

Entries that followed from it without another decision are removed as well. An accept can be undone too; a
player who joins again does so with a fresh nonce, and therefore with other secrets.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from pbem.base.files import write_atomically
from pbem.errors import NotYourMove, PbemError
from pbem.format.document import document_bytes
from pbem.format.entries import Accept, Offer
from pbem.player.local_player import LocalPlayer, is_practice, log_lines
from pbem.player.pending import DeferredActions, PendingMessages
from pbem.player.store.game_file import game_file_bytes
from pbem.player.store.log_relation import Log
from pbem.render.safe_text import quote_path
from pbem.render.story import describe_deed
from pbem.texts import Texts
from pbem.umpire.game_facts import decides_nothing
from pbem.umpire.game_state import Game, ReplayedEntry
from pbem.umpire.verify import open_game

tr = Texts("pbem")


TakeBack: TypeAlias = Literal["", "later", "now", "never"]


class UndoableEntries(Struct, frozen=True):
    """The entries a player can undo in a game now, oldest first, each with a description.

    If there are none, `why_not` says why. `take_back` says when the player can propose a take-back instead:
    "later", once it is their turn to write; "now", if this computer plays the other side as well; "never",
    for an accept.
    """

    entries: tuple[ReplayedEntry, ...] = ()
    words: tuple[str, ...] = ()
    why_not: str = ""
    take_back: TakeBack = ""

    @property
    def first(self) -> int:
        """The number of the first entry that would be removed."""
        return self.entries[0].entry.body.n


class UndoResult(Struct, frozen=True):
    """The result of undoing: the shorter game, and the path where the longer one is saved.

    `disarmed`: the armed plan of this game was disarmed. `words` is the message of a removed entry; it is
    kept, and goes with another entry when the player says so.
    """

    game: Game
    evidence: Path
    disarmed: bool
    words: str


def undoable_entries(player: LocalPlayer, game: Game) -> UndoableEntries:
    """The entries the player can undo, as far as this computer knows; no passphrase is needed.

    Only the player knows whether anybody has a copy of the file. Raises `StorageError`, `KeyFileError`.
    """
    last = game.entries[-1].body
    if not isinstance(last, Accept) and _has_both_keys(player, game):
        why = tr(
            "both sides' keys are on this computer, so undoing would let you see the draws and choose again"
        )
        return _not_undoable(why, "" if game.state.ending else "now")
    if last.by not in player.seats(game):
        return _not_undoable(
            tr("the last entry, {n}, is not yours: there is nothing to undo", n=last.n), "later"
        )
    first = _newest_decision(game, last.by)
    if first is None:
        return _not_undoable(
            tr("entry {n} only adds your half of a draw, which you can sign only once (FORMAT 6)", n=last.n)
        )
    entry = game.entries[first]
    if isinstance(entry.body, Offer):
        return _not_undoable(tr("there is no need to undo an offer: nobody can join a game without its file"))
    if why := player.store.signed_entries(game.ids[0]).why_not_undoable(first, game.ids[first:]):
        return _not_undoable(why, "never" if isinstance(entry.body, Accept) else "later")
    chapters = game.replayed_entries[first:]
    bodies = ((chapter.entry.body, describe_deed(game, chapter)) for chapter in chapters)
    return UndoableEntries(
        chapters, tuple(f"{body.n} {game.rules.side(body.by):name} ({done})" for body, done in bodies)
    )


def undo(player: LocalPlayer, game: Game, file: Path, *, nobody_has_it: bool) -> UndoResult:
    """Remove the player's newest decision from the store and from `file`.

    `nobody_has_it` is the player's assurance that nobody has a copy. A plan is disarmed first, so that it
    does not give the same orders again at once; an undo interrupted after that can be repeated or left.
    Raises `NotYourMove`; `StorageError` if the decision has been sent meanwhile, or if writing fails.
    """
    undoable = undoable_entries(player, game)
    if undoable.why_not or not nobody_has_it:
        raise NotYourMove(undoable.why_not or tr("you can undo only what nobody else has"))
    shorter = open_game(document_bytes({}, "", game.entries[: undoable.first]))
    disarmed = _disarm_plan(player, game)
    words = PendingMessages(player.home).suspend(game, undoable.first, player.seats(game))
    DeferredActions(player.home).suspend(game, undoable.first, player.seats(game))
    kept, data = player.store.find(game.ids[0]).data, game_file_bytes(shorter)
    evidence = player.store.retract(Log(kept, log_lines(game.entries)), Log(data, log_lines(shorter.entries)))
    write_atomically(file, data)
    return UndoResult(shorter, evidence, disarmed, words)


def describe_undo(found: UndoableEntries) -> list[str]:
    """The entries that would be undone, and the consequences if the opponent has them after all."""
    told = tr(
        "If your opponent already has it and then receives a different entry {n}, they see the "
        "outcome of both, and can continue from either.",
        n=found.first,
    )
    return [*(tr("To be undone: {entry}", entry=line) for line in found.words), told]


def undo_question(file: Path) -> str:
    """Ask the player whether anybody has the file, which only they know."""
    return tr("Are you sure that nobody has received {file} since then?", file=quote_path(file))


def undo_command(player: LocalPlayer, game: Game, file: str) -> str:
    """The command that undoes the player's newest decision; empty if it cannot be undone.

    `file` is the file as typed.
    """
    try:
        return "" if undoable_entries(player, game).why_not else f"pbem undo {file}"
    except PbemError:
        return ""


def _not_undoable(why: str, take_back: TakeBack = "") -> UndoableEntries:
    return UndoableEntries(why_not=why, take_back=take_back)


def _newest_decision(game: Game, seat: str) -> int | None:
    """The number of the seat's last entry that decides something, if only its own entries follow."""
    for entry in reversed(game.entries):
        if entry.body.by != seat:
            return None
        if not decides_nothing(game, entry.body):
            return entry.body.n
    return None


def _has_both_keys(player: LocalPlayer, game: Game) -> bool:
    """Whether this home has the keys of both sides: in solitaire, and in a game against the computer."""
    return len(player.seats(game)) > 1 or is_practice(game, player)


def _disarm_plan(player: LocalPlayer, game: Game) -> bool:
    """Disarm the plan of a game. Returns whether it was armed."""
    if not player.store.records.read(game.ids[0]).plan.is_armed:
        return False
    from pbem.player.plans.plan_store import PlanStore  # 3 ms: most players have no plans

    PlanStore(player.home).disarm(game)
    return True
