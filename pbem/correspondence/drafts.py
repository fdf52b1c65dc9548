"""Drafts of commanders that come by mail: found, checked against the newest state, kept (FORMAT 11)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.budgets import check
from pbem.desk import Desk
from pbem.desk.drafts import keep_draft, waiting
from pbem.desk.staff import persons
from pbem.errors import DraftRefused, FileError, PlaceTaken
from pbem.journal.draft import Draft, is_draft, read_draft
from pbem.journal.shapes import Commander
from pbem.mail.sources import Received
from pbem.report import called, typed
from pbem.umpire import Game, seated
from pbem.umpire.drafts import Post, commander_at, missing
from pbem.umpire.drafts import check as checked
from pbem.umpire.facts import BRIEF

MOST_OF_A_MAIL = 4
"""Drafts of one mail that are looked at: a side has three commanders at most."""


def drafts_of(mail: Received) -> list[Draft]:
    """The drafts in a mail or text, each once, though it may be attached and stand in the text as well."""
    found: list[Draft] = []
    for candidate in mail.finding.candidates:
        check()
        one = _read(candidate.data)
        if one and one not in found and len(found) < MOST_OF_A_MAIL:
            found.append(one)
    return found


def without(mail: Received) -> Received:
    """The mail without its drafts, which are no games; what cannot be read stays, to be told as damaged."""
    candidates = tuple(one for one in mail.finding.candidates if _read(one.data) is None)
    return replace(mail, finding=replace(mail.finding, candidates=candidates))


def _read(data: bytes) -> Draft | None:
    """The draft in these bytes, if there is one."""
    try:
        return read_draft(data) if is_draft(data) else None
    except FileError:
        return None


class Came(Struct, frozen=True):
    """A draft that has come: for which game of the player's, in which file it lies, or why it was refused."""

    draft: Draft
    game: Game | None = None
    file: Path | None = None
    refusal: DraftRefused | PlaceTaken | None = None
    missing: tuple[Commander, ...] = ()

    @property
    def words(self) -> str:
        """One line for the lead."""
        if self.game is None or self.file is None:
            return f"a draft for {self.draft.part.seat} in game {self.draft.after.game[:BRIEF]}"
        by = called(commander_at(self.game, Post(self.draft.part.seat, self.draft.part.by)))
        orders = typed(self.game, self.draft.part.orders) or "orders nothing"
        still = f"; nothing yet from {', '.join(map(called, self.missing))}" if self.missing else ""
        return f"a draft of {by}: {orders}{still}"


def received(desk: Desk, draft: Draft, folder: Path) -> Came:
    """Check a draft against the newest state of its game, and keep it in a file. Raises `ShelfError`."""
    kept = desk.shelf.look_up(draft.after.game)
    if kept is None:
        return Came(draft, refusal=DraftRefused("this draft is of a game that is not on this computer"))
    game = desk.open(kept.data)
    if draft.part.seat not in seated.held(game, desk.key):
        refusal = DraftRefused(f"this draft is for the lead of {draft.part.seat}, and that is not you")
        return Came(draft, game, refusal=refusal)
    try:
        checked(game, seated.unlock(game, desk.key), draft)
        place = keep_draft(desk, game, draft, folder)
    except (DraftRefused, PlaceTaken) as refusal:
        return Came(draft, game, refusal=refusal)
    come = [one for _, one in waiting(desk, game, folder)]
    return Came(draft, game, place, missing=tuple(missing(game, seated.unlock(game, desk.key), come)))


def overdue(desk: Desk, folder: Path) -> Iterator[tuple[Game, list[Commander]]]:
    """The games in which the player has orders to give for a side that he shares, and whose are missing.

    Those of the program are not: it gives them as soon as the lead does.
    """
    for kept in desk.shelf.games():
        if b"commanders" not in kept.data:
            continue
        game = desk.open(kept.data)
        if not (staff := persons(desk, game)):
            continue
        absent = missing(game, game.table, [one for _, one in waiting(desk, game, folder)])
        if late := [one for one in staff if one in absent]:
            yield game, late
