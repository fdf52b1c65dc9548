"""Drafts of commanders by mail: found, checked against the newest state, and saved (FORMAT 11)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.limits import DRAFT_BYTES, check
from pbem.errors import DraftRefused, FileError, PlaceTaken
from pbem.format.draft import Draft, is_draft, read_draft
from pbem.format.shapes import Commander
from pbem.mail.sources import Received
from pbem.player.commanders.lead import persons
from pbem.player.commanders.received_drafts import came, is_same, keep_draft, waiting
from pbem.player.local_player import LocalPlayer
from pbem.render.story import called, typed
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.drafts import Post, commander_at, missing
from pbem.umpire.game import Game
from pbem.umpire.game_facts import BRIEF
from pbem.umpire.game_state import GameState

tr = Texts("pbem")

MOST_OF_A_MAIL = 4
"""Drafts that are read in one mail: a side has three commanders at most."""


def drafts_of(mail: Received) -> list[Draft]:
    """The drafts in a mail or text, each once, though it may be attached and stand in the text as well."""
    drafts: list[Draft] = []
    for candidate in mail.finding.candidates:
        check()
        draft = _read(candidate.data)
        if draft and not any(is_same(draft, other) for other in drafts) and len(drafts) < MOST_OF_A_MAIL:
            drafts.append(draft)
    return drafts


def without(mail: Received) -> Received:
    """The mail without its drafts, which are no games, and without pieces of these.

    What cannot be read stays, to be reported as damaged.
    """
    candidates = mail.finding.candidates
    drafts = [_letters(candidate.data) for candidate in candidates if _read(candidate.data)]
    games = tuple(
        candidate
        for candidate in candidates
        if not any(_letters(candidate.data) in draft for draft in drafts)
    )
    return replace(mail, finding=replace(mail.finding, candidates=games))


def _letters(data: bytes) -> bytes:
    """The bytes of a text without its blanks and line ends, however a mail program has wrapped it."""
    return b"".join(data[: DRAFT_BYTES + 1].split())


def _read(data: bytes) -> Draft | None:
    """The draft in these bytes, if there is one."""
    try:
        return read_draft(data) if is_draft(data) else None
    except FileError:
        return None


class Came(Struct, frozen=True):
    """A draft that has arrived: for which game of the player's, in which file it is, or why it was refused.

    `others` are the files of other drafts of the same commander for the same entry; `missing` are the
    commanders who have sent none.
    """

    draft: Draft
    game: Game | None = None
    file: Path | None = None
    refusal: DraftRefused | PlaceTaken | None = None
    others: tuple[Path, ...] = ()
    missing: tuple[Commander, ...] = ()

    @property
    def words(self) -> str:
        """One line for the lead."""
        if self.game is None or self.file is None:
            return tr("a draft for game {game}", game=self.draft.after.game[:BRIEF])
        by = called(commander_at(self.game, Post(self.draft.part.seat, self.draft.part.by)))
        orders = typed(self.game, self.draft.part.orders) or tr("no orders")
        if self.others:
            return tr(
                "a draft of {commander}: {orders}; it differs from that in {file}, which came {time}, and "
                "neither is taken by itself: choose one",
                commander=by,
                orders=orders,
                file=self.others[-1].name,
                time=came(self.others[-1]),
            )
        if not self.missing:
            return tr("a draft of {commander}: {orders}", commander=by, orders=orders)
        return tr(
            "a draft of {commander}: {orders}; nothing yet from {others}",
            commander=by,
            orders=orders,
            others=", ".join(map(called, self.missing)),
        )


def save_draft(
    desk: LocalPlayer, draft: Draft, folder: Path, check_draft: Callable[[Game, GameState, Draft], None]
) -> Came:
    """Check a draft against the newest state of its game, and save it in a file. Raises `ShelfError`.

    `check_draft` raises `DraftRefused`.
    """
    stored = desk.shelf.look_up(draft.after.game)
    if stored is None:
        return Came(draft, refusal=DraftRefused(tr("this draft is of a game that is not on this computer")))
    game = desk.open(stored.data)
    if draft.part.seat not in permissions.held_seats(game, desk.key):
        refusal = DraftRefused(
            tr(
                "this draft is for the lead of {side}, and that is not you",
                side=game.rules.side(draft.part.seat),
            )
        )
        return Came(draft, game, refusal=refusal)
    try:
        check_draft(game, permissions.unlock_state(game, desk.key), draft)
        place = keep_draft(desk, game, draft, folder)
    except (DraftRefused, PlaceTaken) as refusal:
        return Came(draft, game, refusal=refusal)
    received = waiting(desk, game, folder)
    absent = missing(game, permissions.unlock_state(game, desk.key), [other for _, other in received])
    others = [file for file, other in received if other.part.by == draft.part.by and file != place]
    return Came(draft, game, place, missing=tuple(absent), others=tuple(others))


def overdue(desk: LocalPlayer, folder: Path) -> Iterator[tuple[Game, list[Commander]]]:
    """Games where the player is to order for a shared side, with the commanders whose drafts are missing.

    Commanders that the program plays are not counted: it gives their orders as soon as the lead gives his.
    """
    for stored in desk.shelf.games():
        if b"commanders" not in stored.data:
            continue
        game = desk.open(stored.data)
        if not (staff := persons(desk, game)):
            continue
        absent = missing(game, game.table, [one for _, one in waiting(desk, game, folder)])
        if late := [one for one in staff if one in absent]:
            yield game, late
