"""Drafts of commanders, stored beside the lead's game file (FORMAT 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pbem.base.files import write_atomically
from pbem.base.limits import DRAFTS
from pbem.core.requests import Orders, Plain
from pbem.errors import DraftRefused, FileError, FileNameTaken
from pbem.format.draft import Draft, draft_bytes, is_draft, parse_draft
from pbem.player.local_player import LocalPlayer
from pbem.render.story import describe_commander, orders_as_typed
from pbem.render.words import quote_path
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.commander_signatures import is_subsequence
from pbem.umpire.drafts import CommanderSeat, commander_at, verify_draft
from pbem.umpire.game import Game
from pbem.umpire.game_facts import SHORT_ID_DIGITS

tr = Texts("pbem")


def draft_file_name(game: Game, at: CommanderSeat, n: int) -> str:
    """The name of a draft's file: the game, the number of the entry, and the commander's groups."""
    groups = "-".join(commander_at(game, at).of)
    return f"{game.rules.name}-{game.ids[0][:SHORT_ID_DIGITS]}-{n}-{groups}.draft"


def save_own_draft(desk: LocalPlayer, game: Game, draft: Draft, folder: Path) -> Path:
    """Save a commander's own draft beside the game's file, replacing an older one. Raises `PlaceTaken`."""
    return _save_draft(desk, draft, next(_draft_paths(game, _post_of(draft), folder)))


def save_received_draft(desk: LocalPlayer, game: Game, draft: Draft, folder: Path) -> Path:
    """Save a received draft beside the game's file, and beside other drafts of its commander.

    One that is there already is left as it is. Raises `PlaceTaken`; `DraftRefused` where there are too many.
    """
    for place in _draft_paths(game, _post_of(draft), folder):
        kept = _stored_draft(desk, place)
        if kept and is_same_draft(kept, draft):
            return place
        if kept is None or kept.after != draft.after:
            return _save_draft(desk, draft, place)
    problem = tr("{number} other drafts of this commander for this moment are kept already", number=DRAFTS)
    raise DraftRefused(problem)


def _draft_paths(game: Game, at: CommanderSeat, folder: Path) -> Iterator[Path]:
    """The possible paths of one commander's drafts for the next entry."""
    first = folder / draft_file_name(game, at, len(game.entries))
    yield first
    yield from (first.with_stem(f"{first.stem}-{number}") for number in range(2, DRAFTS + 1))


def _post_of(draft: Draft) -> CommanderSeat:
    return CommanderSeat(draft.part.seat, draft.part.by)


def _stored_draft(desk: LocalPlayer, place: Path) -> Draft | None:
    """The draft in a file, if there is one."""
    try:
        return None if place.is_symlink() else parse_draft(desk.read(place))
    except FileError:
        return None


def _save_draft(desk: LocalPlayer, draft: Draft, place: Path) -> Path:
    """Save a draft to a file, unless something else is there; return its path. Raises `PlaceTaken`."""
    if place.is_symlink() or (place.exists() and not is_draft(desk.read(place))):
        if place.is_symlink():
            problem = tr("{file} is a link: nothing was written", file=place)
        else:
            problem = tr("{file} already exists and is not a draft: nothing was written", file=place)
        other = quote_path(place.with_stem(f"{place.stem}-2"))
        raise FileNameTaken(problem, hint=tr("name another file: the same with --out {file}", file=other))
    write_atomically(place, draft_bytes(draft), private=True)
    return place


def waiting_drafts(desk: LocalPlayer, game: Game, folder: Path) -> list[tuple[Path, Draft]]:
    """The drafts in a folder for the pending question, of each commander in the order of arrival."""
    table = permissions.unlock_state(game, desk.key)
    seat = table.pending_question.seat if table.pending_question else ""
    drafts = []
    for by in range(len(game.state.commanders.get(seat, ()))):
        for place in _draft_paths(game, CommanderSeat(seat, by), folder):
            draft = _stored_draft(desk, place)
            with suppress(DraftRefused):
                if draft and verify_draft(game, table, draft):
                    drafts.append((place, draft))
    return drafts


def is_same_draft(one: Draft, other: Draft) -> bool:
    """Whether two drafts give the same orders for the same entry."""
    first, second = one.part, other.part
    said = (first.seat, first.by, first.orders) == (second.seat, second.by, second.orders)
    return said and one.after == other.after


def disputed_drafts(drafts: Sequence[tuple[Path, Draft]]) -> list[tuple[Path, Draft]]:
    """The drafts whose commander has signed a different one too: none of them counts by itself."""
    signed = Counter(draft.part.by for _, draft in drafts)
    return [(place, draft) for place, draft in drafts if signed[draft.part.by] > 1]


def arrival_time(place: Path) -> str:
    """The time when a draft's file was written, in words."""
    return datetime.fromtimestamp(place.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M UTC")


def draft_lines(game: Game, drafts: Sequence[Draft]) -> list[str]:
    """The orders of drafts as one would type them."""
    return [line for draft in drafts for line in game.rules.view.write_words(draft.part.orders)]


def parts_in_orders(drafts: Sequence[Draft], orders: Orders) -> list[dict[str, Plain]]:
    """The parts of an entry with these orders: from the drafts whose orders are among them (FORMAT 11)."""
    standing = [draft.part for draft in drafts if is_subsequence(draft.part.orders, orders)]
    return [{"by": part.by, "orders": list(part.orders), "sig": part.sig} for part in standing]


def describe_drafts(game: Game, drafts: Sequence[Draft]) -> Iterator[str]:
    """A line for each draft: by whom, and its orders."""
    for draft in drafts:
        by = describe_commander(commander_at(game, _post_of(draft)))
        orders = orders_as_typed(game, draft.part.orders) or tr("no orders")
        yield tr("{commander} has signed: {orders}", commander=by, orders=orders)
