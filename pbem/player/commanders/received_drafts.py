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
from pbem.errors import DraftRefused, FileError, PlaceTaken
from pbem.format.draft import Draft, is_draft, read_draft, write_draft
from pbem.player.local_player import LocalPlayer
from pbem.render.story import called, typed
from pbem.render.words import quoted
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.commander_signatures import stands_in
from pbem.umpire.drafts import Post, check, commander_at
from pbem.umpire.game import Game
from pbem.umpire.game_facts import BRIEF

tr = Texts("pbem")


def draft_name(game: Game, at: Post, n: int) -> str:
    """The name of a draft's file: the game, the number of the entry, and the commander's groups."""
    groups = "-".join(commander_at(game, at).of)
    return f"{game.rules.name}-{game.ids[0][:BRIEF]}-{n}-{groups}.draft"


def keep_own(desk: LocalPlayer, game: Game, draft: Draft, folder: Path) -> Path:
    """Save a commander's own draft beside the game's file, replacing an older one. Raises `PlaceTaken`."""
    return _written(desk, draft, next(_places(game, _post(draft), folder)))


def keep_draft(desk: LocalPlayer, game: Game, draft: Draft, folder: Path) -> Path:
    """Save a received draft beside the game's file, and beside other drafts of its commander.

    One that is there already is left as it is. Raises `PlaceTaken`; `DraftRefused` where there are too many.
    """
    for place in _places(game, _post(draft), folder):
        kept = _kept(desk, place)
        if kept and is_same(kept, draft):
            return place
        if kept is None or kept.after != draft.after:
            return _written(desk, draft, place)
    problem = tr("{number} other drafts of this commander for this moment are kept already", number=DRAFTS)
    raise DraftRefused(problem)


def _places(game: Game, at: Post, folder: Path) -> Iterator[Path]:
    """The possible paths of one commander's drafts for the next entry."""
    first = folder / draft_name(game, at, len(game.entries))
    yield first
    yield from (first.with_stem(f"{first.stem}-{number}") for number in range(2, DRAFTS + 1))


def _post(draft: Draft) -> Post:
    return Post(draft.part.seat, draft.part.by)


def _kept(desk: LocalPlayer, place: Path) -> Draft | None:
    """The draft in a file, if there is one."""
    try:
        return None if place.is_symlink() else read_draft(desk.read(place))
    except FileError:
        return None


def _written(desk: LocalPlayer, draft: Draft, place: Path) -> Path:
    """Save a draft to a file, unless something else is there; return its path. Raises `PlaceTaken`."""
    if place.is_symlink() or (place.exists() and not is_draft(desk.read(place))):
        if place.is_symlink():
            problem = tr("{file} is a link: nothing was written", file=place)
        else:
            problem = tr("{file} already exists and is not a draft: nothing was written", file=place)
        other = quoted(place.with_stem(f"{place.stem}-2"))
        raise PlaceTaken(problem, hint=tr("name another file: the same with --out {file}", file=other))
    write_atomically(place, write_draft(draft), private=True)
    return place


def waiting(desk: LocalPlayer, game: Game, folder: Path) -> list[tuple[Path, Draft]]:
    """The drafts in a folder for the pending question, of each commander in the order of arrival."""
    table = permissions.unlock_state(game, desk.key)
    seat = table.asked.seat if table.asked else ""
    drafts = []
    for by in range(len(game.table.commanders.get(seat, ()))):
        for place in _places(game, Post(seat, by), folder):
            draft = _kept(desk, place)
            with suppress(DraftRefused):
                if draft and check(game, table, draft):
                    drafts.append((place, draft))
    return drafts


def is_same(one: Draft, other: Draft) -> bool:
    """Whether two drafts give the same orders for the same entry."""
    first, second = one.part, other.part
    said = (first.seat, first.by, first.orders) == (second.seat, second.by, second.orders)
    return said and one.after == other.after


def disputed(drafts: Sequence[tuple[Path, Draft]]) -> list[tuple[Path, Draft]]:
    """The drafts whose commander has signed a different one too: none of them counts by itself."""
    signed = Counter(draft.part.by for _, draft in drafts)
    return [(place, draft) for place, draft in drafts if signed[draft.part.by] > 1]


def came(place: Path) -> str:
    """The time when a draft's file was written, in words."""
    return datetime.fromtimestamp(place.stat().st_mtime, UTC).strftime("%Y-%m-%d %H:%M UTC")


def words(game: Game, drafts: Sequence[Draft]) -> list[str]:
    """The orders of drafts as one would type them."""
    return [line for draft in drafts for line in game.rules.view.write_words(draft.part.orders)]


def parts(drafts: Sequence[Draft], orders: Orders) -> list[dict[str, Plain]]:
    """The parts of an entry with these orders: from the drafts whose orders are among them (FORMAT 11)."""
    standing = [draft.part for draft in drafts if stands_in(draft.part.orders, orders)]
    return [{"by": part.by, "orders": list(part.orders), "sig": part.sig} for part in standing]


def told(game: Game, drafts: Sequence[Draft]) -> Iterator[str]:
    """A line for each draft: by whom, and its orders."""
    for draft in drafts:
        by = called(commander_at(game, _post(draft)))
        orders = typed(game, draft.part.orders) or tr("no orders")
        yield tr("{commander} has signed: {orders}", commander=by, orders=orders)
