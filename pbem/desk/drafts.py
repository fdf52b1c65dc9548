"""Drafts of commanders as they lie beside the lead's file: which have come, what they sign (FORMAT 11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pbem.core.requests import Orders, Plain
from pbem.desk.desk import Desk
from pbem.errors import DraftRefused, FileError, PlaceTaken
from pbem.files import write_atomically
from pbem.journal.draft import Draft, is_draft, read_draft, write_draft
from pbem.render.words import quoted
from pbem.report import called, typed
from pbem.texts import Texts
from pbem.umpire import Game, seated
from pbem.umpire.drafts import Post, check, commander_at
from pbem.umpire.facts import BRIEF
from pbem.umpire.parts import stands_in

tr = Texts("pbem")


def draft_name(game: Game, at: Post, n: int) -> str:
    """What the file of a draft is called: the game, the entry it is for, and what its commander commands."""
    groups = "-".join(commander_at(game, at).of)
    return f"{game.rules.name}-{game.ids[0][:BRIEF]}-{n}-{groups}.draft"


def keep_draft(desk: Desk, game: Game, draft: Draft, folder: Path) -> Path:
    """Write a draft beside the game's file, in place of an older one. Raises `PlaceTaken`."""
    place = folder / draft_name(game, Post(draft.part.seat, draft.part.by), len(game.entries))
    if place.is_symlink() or (place.exists() and not is_draft(desk.read(place))):
        if place.is_symlink():
            problem = tr("{file} is a link: nothing was written", file=place)
        else:
            problem = tr("{file} is there already and is no draft: nothing was written", file=place)
        other = quoted(place.with_stem(f"{place.stem}-2"))
        raise PlaceTaken(problem, hint=tr("name another file: the same with --out {file}", file=other))
    write_atomically(place, write_draft(draft), private=True)
    return place


def waiting(desk: Desk, game: Game, folder: Path) -> list[tuple[Path, Draft]]:
    """The drafts in a folder, as `received` names them, that fit the question that waits now."""
    table = seated.unlock(game, desk.key)
    seat = table.asked.seat if table.asked else ""
    found = []
    for by in range(len(game.table.commanders.get(seat, ()))):
        place = folder / draft_name(game, Post(seat, by), len(game.entries))
        try:
            one = read_draft(desk.read(place))
            check(game, table, one)
        except (FileError, DraftRefused):
            continue
        found.append((place, one))
    return found


def words(game: Game, drafts: Sequence[Draft]) -> list[str]:
    """The orders of drafts as one would type them."""
    return [line for one in drafts for line in game.rules.view.write_words(one.part.orders)]


def parts(drafts: Sequence[Draft], orders: Orders) -> list[dict[str, Plain]]:
    """The parts of an entry with these orders: of the drafts that stand in them (FORMAT 11)."""
    standing = [one.part for one in drafts if stands_in(one.part.orders, orders)]
    return [{"by": part.by, "orders": list(part.orders), "sig": part.sig} for part in standing]


def told(game: Game, drafts: Sequence[Draft]) -> Iterator[str]:
    """What drafts say, a line each."""
    for one in drafts:
        by = called(commander_at(game, Post(one.part.seat, one.part.by)))
        orders = typed(game, one.part.orders) or tr("orders nothing")
        yield tr("{commander} has signed: {orders}", commander=by, orders=orders)
