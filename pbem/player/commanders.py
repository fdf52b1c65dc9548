"""The commanders of a side, for its lead: their drafts, and the computer as a commander (FORMAT 11).

Drafts are saved beside the lead's game file. This module says which have arrived and which orders they sign.

A computer player can command a part of the side, with a key of its own. Once the lead has given orders, it
orders the units the lead left to it, or none if the lead has ordered units of its groups. If the computer
plays a whole side, one player chooses the orders for all, and each key signs its own part.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from pbem.base.files import write_atomically
from pbem.base.limits import DRAFTS
from pbem.core.requests import Orders, Plain
from pbem.errors import DraftRefused, FileError, FileNameTaken, NotYourMove, OrderError
from pbem.format.document import Draft, draft_bytes, is_draft, parse_draft
from pbem.format.entries import Commander
from pbem.format.keys import PublicKey
from pbem.player.local_player import SENSIBLE, LocalPlayer
from pbem.player.order_sheet import OrderList, OrderSheet
from pbem.render.safe_text import cut, quote_path
from pbem.render.story import describe_commander, orders_as_typed
from pbem.texts import Texts, time_in_words
from pbem.umpire import permissions
from pbem.umpire.commander_signatures import is_subsequence
from pbem.umpire.drafts import (
    CommanderSeat,
    commander_at,
    commander_question,
    find_commander_seat,
    fitting_orders,
    missing_commanders,
    orders_within_command,
    sign_draft,
    verify_draft,
)
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.game_state import Game, GameState

tr = Texts("pbem")


def draft_file_name(game: Game, at: CommanderSeat, n: int) -> str:
    """The name of a draft's file: the game, the number of the entry, and the commander's groups."""
    groups = "-".join(commander_at(game, at).of)
    return f"{game.rules.name}-{game.ids[0][:SHORT_ID_DIGITS]}-{n}-{groups}.draft"


def save_own_draft(player: LocalPlayer, game: Game, draft: Draft, folder: Path) -> Path:
    """Save a commander's own draft beside the game file, replacing an older one. Raises `FileNameTaken`."""
    return _save_draft(player, draft, next(_draft_paths(game, _post_of(draft), folder)))


def save_received_draft(player: LocalPlayer, game: Game, draft: Draft, folder: Path) -> Path:
    """Save a received draft beside the game file and beside other drafts of the same commander.

    An identical draft that is already there is left as it is. Raises `FileNameTaken`; `DraftRefused` if there
    are too many.
    """
    for place in _draft_paths(game, _post_of(draft), folder):
        kept = _stored_draft(player, place)
        if kept and is_same_draft(kept, draft):
            return place
        if kept is None or kept.after != draft.after:
            return _save_draft(player, draft, place)
    problem = tr("{number} other drafts by this commander for this moment are already saved", number=DRAFTS)
    raise DraftRefused(problem)


def _draft_paths(game: Game, at: CommanderSeat, folder: Path) -> Iterator[Path]:
    """The possible paths of one commander's drafts for the next entry."""
    first = folder / draft_file_name(game, at, len(game.entries))
    yield first
    yield from (first.with_stem(f"{first.stem}-{number}") for number in range(2, DRAFTS + 1))


def _post_of(draft: Draft) -> CommanderSeat:
    return CommanderSeat(draft.part.seat, draft.part.by)


def _stored_draft(player: LocalPlayer, place: Path) -> Draft | None:
    """The draft in a file, if there is one."""
    try:
        return None if place.is_symlink() else parse_draft(player.read(place))
    except FileError:
        return None


def _save_draft(player: LocalPlayer, draft: Draft, place: Path) -> Path:
    """Save a draft, unless something else has that path. Returns the path. Raises `FileNameTaken`."""
    if place.is_symlink() or (place.exists() and not is_draft(player.read(place))):
        if place.is_symlink():
            problem = tr("{file} is a link: nothing was written", file=place)
        else:
            problem = tr("{file} already exists and is not a draft: nothing was written", file=place)
        other = quote_path(place.with_stem(f"{place.stem}-2"))
        raise FileNameTaken(
            problem, hint=tr("name another file: give the same command with --out {file}", file=other)
        )
    write_atomically(place, draft_bytes(draft), private=True)
    return place


def waiting_drafts(player: LocalPlayer, game: Game, folder: Path) -> list[tuple[Path, Draft]]:
    """The drafts in a folder for the pending question, by commander and in the order of arrival."""
    table = permissions.unlock_state(game, player.key)
    seat = table.pending_question.seat if table.pending_question else ""
    drafts = []
    for by in range(len(game.state.commanders.get(seat, ()))):
        for place in _draft_paths(game, CommanderSeat(seat, by), folder):
            draft = _stored_draft(player, place)
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
    """The drafts whose commander has also signed a different one: none of them counts until one is chosen."""
    signed = Counter(draft.part.by for _, draft in drafts)
    return [(place, draft) for place, draft in drafts if signed[draft.part.by] > 1]


def arrival_time(place: Path) -> str:
    """The time a draft's file was written, in words."""
    return time_in_words(datetime.fromtimestamp(place.stat().st_mtime, UTC))


def draft_lines(game: Game, drafts: Sequence[Draft]) -> list[str]:
    """The orders of drafts as a player would type them."""
    return [line for draft in drafts for line in game.rules.view.write_words(draft.part.orders)]


def parts_in_orders(drafts: Sequence[Draft], orders: Orders) -> list[dict[str, Plain]]:
    """The parts of an entry (FORMAT 11): those of the drafts whose orders are all among these."""
    standing = [draft.part for draft in drafts if is_subsequence(draft.part.orders, orders)]
    return [{"by": part.by, "orders": list(part.orders), "sig": part.sig} for part in standing]


def describe_drafts(game: Game, drafts: Sequence[Draft]) -> Iterator[str]:
    """A line for each draft: its commander and its orders."""
    for draft in drafts:
        by = describe_commander(commander_at(game, _post_of(draft)))
        orders = orders_as_typed(game, draft.part.orders) or tr("no orders")
        yield tr("{commander} has signed: {orders}", commander=by, orders=orders)


PROGRAM_NAME = "practice"
"""The value of `--commander` that means the computer."""

DRAFTS_WORD = "drafts"
"""The word with which a lead includes the commanders' orders."""

TYPED = ("drafts",)

_HOME = "practice-commander"


def is_drafts_line(line: str) -> bool:
    """Whether a typed line is `drafts`, alone or with the numbers of drafts."""
    first, *numbers = line.strip().rstrip(".!").split() or [""]
    return tr.meant(first, TYPED) == DRAFTS_WORD and all(map(_is_number, numbers))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal()


class Commanders:
    """The commanders of the side to decide: their signed orders, joined with the lead's."""

    def __init__(self, player: LocalPlayer, game: Game, table: GameState, folder: Path = Path()) -> None:
        self._player, self._game, self._table, self._folder = player, game, table, folder
        self._program: list[Draft] = []
        self._named: dict[int, Draft] = {}
        self._is_complete = False

    @property
    def drafts(self) -> list[Draft]:
        """The drafts that have arrived, and the computer's once it has signed one.

        If a commander has signed several that differ, only the one chosen by `choose_drafts`, if any.
        """
        come = self._received_drafts()
        doubtful = [draft for _, draft in disputed_drafts(come)]
        certain = [draft for _, draft in come if draft not in doubtful]
        return certain + [draft for draft in self._named.values() if draft in doubtful] + self._program

    def _received_drafts(self) -> list[tuple[Path, Draft]]:
        return waiting_drafts(self._player, self._game, self._folder)

    def choose_drafts(self, line: str) -> None:
        """Choose the drafts whose numbers are in a line, as `describe` numbers them. Raises `OrderError`."""
        doubtful = disputed_drafts(self._received_drafts())
        for word in filter(_is_number, line.strip().rstrip(".!").split()):
            if not 1 <= int(word[:3]) <= len(doubtful):
                raise OrderError(tr("there is no draft {number} to choose", number=cut(word, 10)))
            _, draft = doubtful[int(word[:3]) - 1]
            self._named[draft.part.by] = draft

    def describe(self) -> list[str]:
        """A line for each received draft, each commander without one, and each draft to choose from."""
        come, program = self._received_drafts(), _program_key(self._player)
        lines = list(describe_drafts(self._game, self.drafts))
        if doubtful := disputed_drafts(come):
            lines += self._describe_choice(doubtful)
        for absent in missing_commanders(
            self._game, self._table, [*(draft for _, draft in come), *self._program]
        ):
            if PublicKey.parse(absent.key) == program:
                line = tr(
                    "{commander} is the computer: it gives orders to what you leave it, once you "
                    "have finished",
                    commander=describe_commander(absent),
                )
                lines.append(line)
            else:
                lines.append(tr("Nothing has arrived from {commander}", commander=describe_commander(absent)))
        return lines

    def _describe_choice(self, doubtful: Sequence[tuple[Path, Draft]]) -> list[str]:
        """Drafts that differ, with their numbers, and how to choose one of them."""
        lines = [
            tr(
                "draft {number}, received {time}: {draft}",
                number=number,
                time=arrival_time(place),
                draft=said,
            )
            for number, (place, draft) in enumerate(doubtful, 1)
            for said in describe_drafts(self._game, [draft])
        ]
        how = tr(
            "These drafts differ, and pbem uses none of them until you choose one: with {example}, "
            "or with the command {command}",
            example=f"{tr.own(DRAFTS_WORD)} {len(doubtful)}",
            command=f"pbem move {self._game.ids[0][:SHORT_ID_DIGITS]}"
            f" --with {quote_path(doubtful[-1][0].name)}",
        )
        return [*lines, how]

    def missing_lines(self, own: Orders) -> list[str]:
        """The commanders' orders, including the computer's, that are not among the lead's own, as typed."""
        if not self._program and (ours := sign_practice_draft(self._game, self._table, self._player, own)):
            self._program = [ours]
        left = [draft for draft in self.drafts if not is_subsequence(draft.part.orders, own)]
        return draft_lines(self._game, left)

    def complete_lines(self, lines: Sequence[str], own: Orders) -> tuple[list[str], list[str]]:
        """The lead's lines, which give `own`, with the computer's orders added; and a description of those.

        The computer's orders come first, as `join` requires, and replace a pass. There are none if it
        commands nothing, or if the lead has ordered its units.
        """
        ours = sign_practice_draft(self._game, self._table, self._player, own)
        if ours is None:
            return list(lines), []
        self._program = [ours]
        typed, said = draft_lines(self._game, [ours]), list(describe_drafts(self._game, [ours]))
        kept = lines if commands_units(self._game, own) or not typed else ()
        return [*typed, *kept], said

    def complete_sheet(self, sheet: OrderSheet) -> list[str]:
        """Add the computer's orders to the lead's in a sheet, once. Returns a description of these."""
        own = sheet.current
        if self._is_complete or not own.lines:
            return []
        self._is_complete = True
        lines, signed = self.complete_lines(own.lines, own.orders)
        if lines != list(own.lines) and not OrderList(sheet, tuple(lines)).refusal:
            sheet.clear()
            sheet.add("; ".join(lines))
        return signed

    def signed_parts(self, orders: Orders) -> tuple[list[dict[str, Plain]], list[str]]:
        """The commanders' signed parts of these orders, for the entry; and a description of all drafts."""
        return parts_in_orders(self.drafts, orders), self.describe()


def commanders_of(
    player: LocalPlayer, game: Game, table: GameState, folder: Path = Path()
) -> Commanders | None:
    """The commanders of the side to decide; None if it has none."""
    shared = table.pending_question and game.state.commanders.get(table.pending_question.seat)
    return Commanders(player, game, table, folder) if shared else None


def human_commanders(player: LocalPlayer, game: Game) -> list[Commander]:
    """The commanders, except the computer, who can draft orders for the player now."""
    seat = game.state.writer or ""
    staff = game.state.commanders.get(seat, ()) if seat in permissions.held_seats(game, player.key) else ()
    if not staff or permissions.has_forced_entry(game, player.key):
        return []
    try:
        commander_question(game, CommanderSeat(seat, 0))
    except NotYourMove:
        return []
    program = _program_key(player)
    return [commander for commander in staff if PublicKey.parse(commander.key) != program]


def _program_key(player: LocalPlayer) -> PublicKey | None:
    """The computer's key, if it is a commander of the player's side."""
    return practice_commander(player).public_key if (player.home / _HOME).exists() else None


def practice_commander(player: LocalPlayer) -> LocalPlayer:
    """The computer as commander, with a home inside the player's; its key is made on first use."""
    staff = LocalPlayer(player.home / _HOME)
    if not staff.has_key:
        staff.make_key()
    return staff


def sign_practice_draft(game: Game, table: GameState, player: LocalPlayer, own: Orders) -> Draft | None:
    """Sign the computer's draft as commander, given the lead's own orders; None if it commands nothing."""
    if not (player.home / _HOME).exists() or table.pending_question is None:
        return None
    key = practice_commander(player).key
    at = find_commander_seat(game, key.public)
    if at is None or at.seat != table.pending_question.seat or orders_within_command(game, at, own):
        return None
    chooser = random.Random(hashlib.sha256(key.seed + bytes.fromhex(game.ids[-1])).digest())
    chosen = orders_within_command(game, at, game.rules.players[SENSIBLE](table.pending_question, chooser))
    behind = own if commands_units(game, own) else []
    return sign_draft(game, key, at, fitting_orders(game, table.pending_question, chosen, behind=behind))


def sign_practice_parts(game: Game, player: LocalPlayer, orders: Orders) -> list[dict[str, Plain]]:
    """Sign the computer's parts of the orders of a side that it plays itself."""
    key = practice_commander(player).key
    at = find_commander_seat(game, key.public)
    if at is None:
        return []
    own = orders_within_command(game, at, orders)
    return parts_in_orders([sign_draft(game, key, at, own)], orders)


def commands_units(game: Game, orders: Orders) -> bool:
    """Whether any of the orders is for a unit; a pass is not."""
    state = game.state.run.state
    return any(game.rules.sharing.ordered(state, order) for order in orders)
