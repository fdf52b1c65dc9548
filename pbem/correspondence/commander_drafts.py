"""Commanders' drafts by mail: finding them, checking them against the newest state, saving them (FORMAT
11).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.limits import DRAFT_BYTES, check
from pbem.errors import DraftRefused, FileError, FileNameTaken
from pbem.format.document import Draft, is_draft, parse_draft
from pbem.format.entries import Commander
from pbem.mail.parse_mail import ParsedMail
from pbem.player.commanders import (
    arrival_time,
    human_commanders,
    is_same_draft,
    save_received_draft,
    waiting_drafts,
)
from pbem.player.local_player import LocalPlayer
from pbem.render.story import describe_commander, orders_as_typed
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.drafts import CommanderSeat, commander_at, missing_commanders
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.game_state import Game, GameState

tr = Texts("pbem")

MAX_DRAFTS = 4
"""The most drafts read in one mail; a side has at most three commanders."""


def drafts_of(mail: ParsedMail) -> list[Draft]:
    """The drafts in a mail or text, each once, even if it is both attached and in the text."""
    drafts: list[Draft] = []
    for candidate in mail.finding.candidates:
        check()
        draft = _parse_draft(candidate.data)
        if draft and not any(is_same_draft(draft, other) for other in drafts) and len(drafts) < MAX_DRAFTS:
            drafts.append(draft)
    return drafts


def without_drafts(mail: ParsedMail) -> ParsedMail:
    """The mail without its drafts, which are not games, and without pieces of them.

    Anything that cannot be read is left, to be reported as damaged.
    """
    candidates = mail.finding.candidates
    drafts = [_without_blanks(candidate.data) for candidate in candidates if _parse_draft(candidate.data)]
    games = tuple(
        candidate
        for candidate in candidates
        if not any(_without_blanks(candidate.data) in draft for draft in drafts)
    )
    return replace(mail, finding=replace(mail.finding, candidates=games))


def _without_blanks(data: bytes) -> bytes:
    """The bytes of a text without spaces and newlines, whatever a mail program has wrapped."""
    return b"".join(data[: DRAFT_BYTES + 1].split())


def _parse_draft(data: bytes) -> Draft | None:
    """The draft in these bytes, if there is one."""
    try:
        return parse_draft(data) if is_draft(data) else None
    except FileError:
        return None


class ArrivedDraft(Struct, frozen=True):
    """A draft that has arrived: the player's game it is for, its file, or why it was refused.

    `others` are the files of different drafts by the same commander for the same entry; `missing` are the
    commanders who have not sent any.
    """

    draft: Draft
    game: Game | None = None
    file: Path | None = None
    refusal: DraftRefused | FileNameTaken | None = None
    others: tuple[Path, ...] = ()
    missing: tuple[Commander, ...] = ()

    @property
    def description(self) -> str:
        """One line for the lead."""
        if self.game is None or self.file is None:
            return tr("a draft for game {game}", game=self.draft.after.game[:SHORT_ID_DIGITS])
        by = describe_commander(
            commander_at(self.game, CommanderSeat(self.draft.part.seat, self.draft.part.by))
        )
        orders = orders_as_typed(self.game, self.draft.part.orders) or tr("no orders")
        if self.others:
            return tr(
                "a draft by {commander}: {orders}; it differs from the draft in {file}, received "
                "{time}, and pbem uses neither until you choose one",
                commander=by,
                orders=orders,
                file=self.others[-1].name,
                time=arrival_time(self.others[-1]),
            )
        if not self.missing:
            return tr("a draft by {commander}: {orders}", commander=by, orders=orders)
        return tr(
            "a draft by {commander}: {orders}; nothing yet from {others}",
            commander=by,
            orders=orders,
            others=", ".join(map(describe_commander, self.missing)),
        )


def save_draft(
    player: LocalPlayer, draft: Draft, folder: Path, check_draft: Callable[[Game, GameState, Draft], None]
) -> ArrivedDraft:
    """Check a draft against the newest state of its game, and save it. Raises `StorageError`.

    `check_draft` raises `DraftRefused`, which is returned in the result.
    """
    stored = player.store.look_up(draft.after.game)
    if stored is None:
        return ArrivedDraft(
            draft, refusal=DraftRefused(tr("this draft is for a game that is not on this computer"))
        )
    game = player.open(stored.data)
    if draft.part.seat not in permissions.held_seats(game, player.key):
        refusal = DraftRefused(
            tr(
                "this draft is for the lead of {side}, and you are not the lead",
                side=game.rules.side(draft.part.seat),
            )
        )
        return ArrivedDraft(draft, game, refusal=refusal)
    try:
        check_draft(game, permissions.unlock_state(game, player.key), draft)
        place = save_received_draft(player, game, draft, folder)
    except (DraftRefused, FileNameTaken) as refusal:
        return ArrivedDraft(draft, game, refusal=refusal)
    received = waiting_drafts(player, game, folder)
    absent = missing_commanders(
        game, permissions.unlock_state(game, player.key), [other for _, other in received]
    )
    others = [file for file, other in received if other.part.by == draft.part.by and file != place]
    return ArrivedDraft(draft, game, place, missing=tuple(absent), others=tuple(others))


def games_missing_drafts(player: LocalPlayer, folder: Path) -> Iterator[tuple[Game, list[Commander]]]:
    """Games where the player gives orders for a shared side and drafts are missing, with their commanders.

    The computer as a commander does not count: it gives its orders as soon as the lead does.
    """
    for stored in player.store.games():
        if b"commanders" not in stored.data:
            continue
        game = player.open(stored.data)
        if not (staff := human_commanders(player, game)):
            continue
        absent = missing_commanders(
            game, game.state, [one for _, one in waiting_drafts(player, game, folder)]
        )
        if late := [one for one in staff if one in absent]:
            yield game, late
