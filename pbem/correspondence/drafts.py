"""Drafts of commanders that come by mail: found, checked against the newest state, kept (FORMAT 11)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.budgets import FILE_BYTES, check
from pbem.desk import Desk
from pbem.errors import DraftRefused, FileError, PlaceTaken
from pbem.files import write_atomically
from pbem.journal.draft import Draft, is_draft, read_draft, write_draft
from pbem.journal.shapes import Commander
from pbem.mail.sources import Received
from pbem.report import called, typed
from pbem.umpire import Game, seated
from pbem.umpire.drafts import Post, commander_at, missing
from pbem.umpire.drafts import check as checked
from pbem.umpire.facts import BRIEF

MOST_OF_A_MAIL = 10
"""Drafts of one mail that are looked at; each of four players sends one for each of his answers."""


def draft_name(game: Game, at: Post, n: int) -> str:
    """What the file of a draft is called: the game, the entry it is for, and what its commander commands."""
    groups = "-".join(commander_at(game, at).of)
    return f"{game.rules.name}-{game.ids[0][:BRIEF]}-{n}-{groups}.draft"


def drafts_of(mail: Received) -> list[Draft]:
    """The drafts in a mail or text that can be read; what cannot is told as a damaged game would be."""
    found: list[Draft] = []
    for candidate in mail.finding.candidates:
        check()
        if len(candidate.data) <= FILE_BYTES and is_draft(candidate.data) and len(found) < MOST_OF_A_MAIL:
            try:
                one = read_draft(candidate.data)
            except FileError:
                continue
            if one not in found:  # a mail brings it twice: attached, and in its text
                found.append(one)
    return found


def without(mail: Received) -> Received:
    """The mail without its drafts, which are no games."""
    candidates = tuple(one for one in mail.finding.candidates if not is_draft(one.data))
    return replace(mail, finding=replace(mail.finding, candidates=candidates))


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
        place = folder / draft_name(game, Post(draft.part.seat, draft.part.by), len(game.entries))
        if place.is_symlink() or (place.exists() and not is_draft(desk.read(place))):
            raise PlaceTaken(f"{place} is there already and is no draft: nothing was written")
    except (DraftRefused, PlaceTaken) as refusal:
        return Came(draft, game, refusal=refusal)
    write_atomically(place, write_draft(draft))
    come = [one for _, one in waiting(desk, game, folder)]
    return Came(draft, game, place, missing=tuple(missing(game, seated.unlock(game, desk.key), come)))


def waiting(desk: Desk, game: Game, folder: Path) -> list[tuple[Path, Draft]]:
    """The drafts in a folder, as `received` names them, that fit the question that waits now."""
    table = seated.unlock(game, desk.key)
    seat = table.asked.seat if table.asked else ""
    found = []
    for by in range(len(game.table.commanders.get(seat, ()))):
        place = folder / draft_name(game, Post(seat, by), len(game.entries))
        try:
            one = read_draft(desk.read(place))
            checked(game, table, one)
        except (FileError, DraftRefused):
            continue
        found.append((place, one))
    return found


def overdue(desk: Desk, folder: Path) -> Iterator[tuple[Game, str]]:
    """The games in which the player has orders to give for a side that he shares, and whose are missing."""
    for kept in desk.shelf.games():
        if b"commanders" not in kept.data:
            continue
        game = desk.open(kept.data)
        table = seated.unlock(game, desk.key)
        if table.asked is None or table.asked.seat not in seated.held(game, desk.key) or table.ending:
            continue
        if absent := missing(game, table, [one for _, one in waiting(desk, game, folder)]):
            yield game, ", ".join(map(called, absent))
