"""The commanders of a person's side, as its lead sees them: the drafts that have arrived, and the program.

A practice player may command a part of the side (FORMAT 11), with a key of its own. It orders what the lead
leaves it, once he has done: nothing, if he orders units of its groups himself. On the program's own side one
player chooses for all, and each key signs what is its own.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path

from pbem.core.requests import Orders, Plain
from pbem.errors import NotYourMove, OrderError
from pbem.format.draft import Draft
from pbem.format.keys import PublicKey
from pbem.format.shapes import Commander
from pbem.player.commanders.opponent_home import SENSIBLE
from pbem.player.commanders.received_drafts import came, disputed, parts, told, waiting, words
from pbem.player.local_player import LocalPlayer
from pbem.player.orders.order_sheet import Lines, OrderSheet
from pbem.render.story import called
from pbem.render.words import cut, quoted
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.commander_signatures import stands_in
from pbem.umpire.drafts import Post, asked_of, fitting, missing, own_share, post, sign
from pbem.umpire.game import Game
from pbem.umpire.game_facts import BRIEF
from pbem.umpire.game_state import GameState

tr = Texts("pbem")

NAME = "practice"
"""The name in `--commander` that means the program."""

WORD = "drafts"
"""The word by which a lead gives his commanders' orders too."""

TYPED = ("drafts",)

_HOME = "practice-commander"


def is_word(line: str) -> bool:
    """Whether a typed line is that word, alone or with the numbers of drafts."""
    first, *numbers = line.strip().rstrip(".!").split() or [""]
    return tr.meant(first, TYPED) == WORD and all(map(_is_number, numbers))


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdecimal()


class Commanders:
    """The commanders of the side that is asked: the orders that they have signed, joined with the lead's."""

    def __init__(self, desk: LocalPlayer, game: Game, table: GameState, folder: Path = Path()) -> None:
        self._desk, self._game, self._table, self._folder = desk, game, table, folder
        self._program: list[Draft] = []
        self._named: dict[int, Draft] = {}
        self._is_complete = False

    @property
    def drafts(self) -> list[Draft]:
        """The drafts that have arrived by now, and the program's, once it has signed one.

        If a commander has signed several that differ, only the one that `choose_drafts` has chosen, if any.
        """
        come = self._come()
        doubtful = [draft for _, draft in disputed(come)]
        certain = [draft for _, draft in come if draft not in doubtful]
        return certain + [draft for draft in self._named.values() if draft in doubtful] + self._program

    def _come(self) -> list[tuple[Path, Draft]]:
        return waiting(self._desk, self._game, self._folder)

    def name(self, line: str) -> None:
        """Choose the drafts whose numbers a line has, as `describe` counts them. Raises `OrderError`."""
        doubtful = disputed(self._come())
        for word in filter(_is_number, line.strip().rstrip(".!").split()):
            if not 1 <= int(word[:3]) <= len(doubtful):
                raise OrderError(tr("there is no draft {number} to choose", number=cut(word, 10)))
            _, draft = doubtful[int(word[:3]) - 1]
            self._named[draft.part.by] = draft

    def told(self) -> list[str]:
        """A line for each received draft, for each commander without one, and for drafts to choose from."""
        come, program = self._come(), _program(self._desk)
        lines = list(told(self._game, self.drafts))
        if doubtful := disputed(come):
            lines += self._choice(doubtful)
        for absent in missing(self._game, self._table, [*(draft for _, draft in come), *self._program]):
            if PublicKey.parse(absent.key) == program:
                line = tr(
                    "{commander} is the program: it orders what you leave it, once you are done",
                    commander=called(absent),
                )
                lines.append(line)
            else:
                lines.append(tr("Nothing has come from {commander}", commander=called(absent)))
        return lines

    def _choice(self, doubtful: Sequence[tuple[Path, Draft]]) -> list[str]:
        """Drafts that differ, with their numbers, and how to choose one of them."""
        lines = [
            tr("draft {number}, which came {time}: {draft}", number=number, time=came(place), draft=said)
            for number, (place, draft) in enumerate(doubtful, 1)
            for said in told(self._game, [draft])
        ]
        how = tr(
            "Of these drafts, which differ, none is taken by itself: choose one by {example}, or with the "
            "command {command}",
            example=f"{tr.own(WORD)} {len(doubtful)}",
            command=f"pbem move {self._game.ids[0][:BRIEF]} --with {quoted(doubtful[-1][0].name)}",
        )
        return [*lines, how]

    def words(self, own: Orders) -> list[str]:
        """Their orders that are not among the lead's own yet, as typed, including the program's."""
        if not self._program and (ours := staff_draft(self._game, self._table, self._desk, own)):
            self._program = [ours]
        left = [draft for draft in self.drafts if not stands_in(draft.part.orders, own)]
        return words(self._game, left)

    def completed(self, lines: Sequence[str], own: Orders) -> tuple[list[str], list[str]]:
        """The lead's lines, whose orders are `own`, with the program's orders; and a description of those.

        The program's orders come first, as `join` has it, and replace a pass; there are none where it
        commands nothing, or the lead has ordered its units.
        """
        ours = staff_draft(self._game, self._table, self._desk, own)
        if ours is None:
            return list(lines), []
        self._program = [ours]
        typed, said = words(self._game, [ours]), list(told(self._game, [ours]))
        kept = lines if names_units(self._game, own) or not typed else ()
        return [*typed, *kept], said

    def complete(self, sheet: OrderSheet) -> list[str]:
        """Add, once, the program's orders to the lead's in a sheet; a description of what it has signed."""
        own = sheet.now
        if self._is_complete or not own.lines:
            return []
        self._is_complete = True
        lines, signed = self.completed(own.lines, own.orders)
        if lines != list(own.lines) and not Lines(sheet, tuple(lines)).refusal:
            sheet.clear()
            sheet.add("; ".join(lines))
        return signed

    def signed(self, orders: Orders) -> tuple[list[dict[str, Plain]], list[str]]:
        """The commanders' signed parts of these orders, for the entry; and a description of all drafts."""
        return parts(self.drafts, orders), self.told()


def staff(desk: LocalPlayer, game: Game, table: GameState, folder: Path = Path()) -> Commanders | None:
    """The commanders of the side that is asked; None where there are none."""
    shared = table.asked and game.table.commanders.get(table.asked.seat)
    return Commanders(desk, game, table, folder) if shared else None


def persons(desk: LocalPlayer, game: Game) -> list[Commander]:
    """The commanders who may now draft for the player, except the program."""
    seat = game.table.writer or ""
    staff = game.table.commanders.get(seat, ()) if seat in permissions.held_seats(game, desk.key) else ()
    if not staff or permissions.owes_no_decision(game, desk.key):
        return []
    try:
        asked_of(game, Post(seat, 0))
    except NotYourMove:
        return []
    program = _program(desk)
    return [commander for commander in staff if PublicKey.parse(commander.key) != program]


def _program(desk: LocalPlayer) -> PublicKey | None:
    """The key of the program as commander of the player's side, if it is one."""
    return staff_desk(desk).public if (desk.home / _HOME).exists() else None


def staff_desk(desk: LocalPlayer) -> LocalPlayer:
    """The practice commander, whose home is inside the player's; its key is made on first use."""
    staff = LocalPlayer(desk.home / _HOME)
    if not staff.has_key:
        staff.make_key()
    return staff


def staff_draft(game: Game, table: GameState, desk: LocalPlayer, own: Orders) -> Draft | None:
    """Sign the practice commander's draft, given the lead's own orders; None where it commands nothing."""
    if not (desk.home / _HOME).exists() or table.asked is None:
        return None
    key = staff_desk(desk).key
    at = post(game, key.public)
    if at is None or at.seat != table.asked.seat or own_share(game, at, own):
        return None
    chooser = random.Random(hashlib.sha256(key.seed + bytes.fromhex(game.ids[-1])).digest())
    chosen = own_share(game, at, game.rules.players[SENSIBLE](table.asked, chooser))
    behind = own if names_units(game, own) else []
    return sign(game, key, at, fitting(game, table.asked, chosen, behind=behind))


def own_parts(game: Game, desk: LocalPlayer, orders: Orders) -> list[dict[str, Plain]]:
    """Sign the practice commander's parts of the orders of the program's own side."""
    key = staff_desk(desk).key
    at = post(game, key.public)
    if at is None:
        return []
    own = own_share(game, at, orders)
    return parts([sign(game, key, at, own)], orders)


def names_units(game: Game, orders: Orders) -> bool:
    """Whether any order commands units; a pass does not."""
    state = game.table.run.state
    return any(game.rules.sharing.ordered(state, order) for order in orders)
