"""The state of a game for the player at the board, as plain data for the page: `Situation` in `server.js`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Any, Literal, TypeAlias, get_args

from pbem.core.requests import Ask
from pbem.core.sealing import Open
from pbem.errors import NotYourMove
from pbem.player.actions.action import ActionContext, Kind
from pbem.player.actions.deferred import may_wait
from pbem.player.actions.preconditions import possible
from pbem.player.orders.commander_view import own_first
from pbem.player.orders.order_sheet import Lines, OrderSheet
from pbem.player.orders.parse_proposal import may_be_taken_back
from pbem.player.orders.try_orders import trial
from pbem.player.status.describe_status import afterwards, asks, beside
from pbem.player.status.game_status import game_status
from pbem.render.story import recent
from pbem.render.words import named, quoted, safe
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.drafts import Post, asked_of, post
from pbem.umpire.game import ReplayedEntry
from pbem.umpire.game_state import GameState
from pbem.web.options import Options
from pbem.web.scene import Cast, Telling, shown

tr = Texts("pbem")

UNWRAPPED = 100_000
"""The width of lines that the browser breaks."""

Offered: TypeAlias = Literal["orders", "share", "yes", "no", "draw", "takeback", "resign"]
"""An entry that the player may write, in the order of the buttons."""

MOST_BACKS = 5
"""How many of the last moves are offered for a take-back."""

OFFERED: tuple[Offered, ...] = get_args(Offered)


class Position:
    """A game as the holder of a key sees it, with the entries that are new to him.

    `bound` identifies the pending question: a digest of the last entry and of what is asked after it.
    """

    def __init__(self, context: ActionContext, since: Sequence[ReplayedEntry]) -> None:
        game, key = context.game, context.desk.key
        self.game = game
        self.now = game_status(context.desk, game)
        self.table: GameState = self.now.table
        self.legend = game.rules.view.legend(self.table.run.state)
        shared = any(game.table.commanders.values()) and not permissions.held_seats(game, key)
        self.post = post(game, key.public) if shared else None
        self._possible = possible(context)
        self.acts = _acts(context, self._possible, self.post)
        asked = self.table.asked
        self.bound = sha256(f"{game.ids[-1]} {asked.question if asked else ''}".encode()).hexdigest()
        self._key = key
        self._file = context.file
        self._since = since

    @property
    def new(self) -> int:
        """The number of the first entry that is new to the player."""
        return len(self.game.chapters) - len(self._since)

    @property
    def asked(self) -> bool:
        """Whether the player may give orders now, other than to open his seal."""
        asked = self.table.asked
        return isinstance(asked, Ask) and not isinstance(asked, Open) and "orders" in self.acts

    def sheet(self) -> OrderSheet:
        """An empty order sheet for the question; a commander's is for his units alone (FORMAT 11)."""
        return OrderSheet(self.game, self.table, self.post)

    def plain(self, cast: Cast, faces: int, options: Options | None) -> dict[str, Any]:
        """The data that a page shows, with the orders so far; it has the first `faces` faces already.

        `options` are the possible further orders; None where no orders are due.
        """
        legend = options.draft.legend if options else self.legend
        legend = own_first(self.game, self._key.public, legend)[0] if self.post else legend
        now = shown(cast, legend, asks(self.now.asked))
        ordering = self._ordering(options, cast)
        now["ground"] = {index: one for index, one in now["ground"].items() if cast.ground.get(index) != one}
        return {
            "bound": self.bound,
            "acts": self.acts,
            "shown": now,
            "faces": cast.told(faces),
            "news": [line.strip() for line in recent(self.game, self._since, self.table.run.told, UNWRAPPED)],
            "backs": may_be_taken_back(self.game, self._key)[:MOST_BACKS] if "takeback" in self.acts else [],
            "proposal": self._proposal(),
            "notes": self._notes(),
            "closed": [] if self.post else self._closed(),
            **ordering,
        }

    def _ordering(self, options: Options | None, cast: Cast) -> dict[str, Any]:
        """The orders so far, their effects, and the possible further orders."""
        if options is None:
            nothing: list[str] = []
            empty = dict.fromkeys(("lines", "told", "able", "free", "ordered", "placing", "done"), nothing)
            return {"seat": "", "missing": "", "whole": False, "ready": {}, **empty}
        asked = self.table.asked
        assert asked is not None
        sheet, draft = self.sheet(), options.draft
        return {
            "seat": asked.seat,
            "lines": list(draft.lines),
            "missing": draft.missing,
            "whole": draft.whole,
            "told": joined(draft.told),
            "able": options.able,
            "free": [one.plain({}) for one in options.free],
            "ordered": options.ordered(sheet),
            "placing": self._placing(options),
            "ready": {} if draft.lines else self._ready(cast, sheet, options),
            "done": self.traces(draft),
        }

    def traces(self, draft: Lines) -> list[Any]:
        """The traces of complete orders on the map, up to the first card or die."""
        if not draft.whole:
            return []
        telling = Telling(self.game, self.legend)
        return [trace for tell in trial(self.table, draft.orders)[0] for trace in telling.of(tell)]

    def _placing(self, options: Options) -> list[tuple[str, list[str]]]:
        """The counters that are set up now, by groups of the side; empty if the side has none."""
        asked, view = self.table.asked, self.game.rules.view
        if asked is None or not view.setups or not view.setups(asked):
            return []
        here = {*options.able, *(name for each in options.ordered(self.sheet()) for name in each)}
        waiting = [piece for margin in self.legend.margins for piece in margin.pieces if piece.name in here]
        return [
            (safe(words), own)
            for group, words in self.legend.groups.items()
            if (own := [piece.name for piece in waiting if piece.group == group])
        ]

    def _ready(self, cast: Cast, sheet: OrderSheet, options: Options) -> dict[str, list[tuple[int, int]]]:
        """The ready-made set-ups as typed, each with hexes and faces of its counters."""
        asked, view = self.table.asked, self.game.rules.view
        if asked is None or not view.setups or not view.setups(asked):
            return {}
        found = {}
        for option in options.free:
            legend = Lines(sheet, (option.words,)).legend
            own = ((at, piece) for at, cell in enumerate(legend.cells) for piece in cell.pieces)
            pieces = [(at, piece) for at, piece in own if piece.side == asked.seat]
            numbers = cast.numbers(legend, [piece for _, piece in pieces])
            if pieces:
                found[option.words] = [(at, face) for (at, _), face in zip(pieces, numbers, strict=True)]
        return found

    def _notes(self) -> list[str]:
        """The lines beside the question: remarks, since when it waits, and what to do after the game."""
        mine = permissions.held_seats(self.game, self._key)
        over = afterwards(self.game, mine, quoted(self._file)) if self.now.result and mine else []
        return [*beside(self.now, self._file), *over]

    def _closed(self) -> list[tuple[Kind, str]]:
        """The actions that the player may not take now, and why."""
        kinds: tuple[Kind, ...] = () if self.now.result else ("draw", "takeback", "resign")
        return [(kind, str(why)) for kind in kinds if kind not in self.acts and (why := self._possible[kind])]

    def _proposal(self) -> str:
        """The opponent's proposal, if it waits for the player's answer; else empty."""
        proposal = self.game.table.proposal
        if not proposal or "yes" not in self.acts:
            return ""
        name = named(self.game.seats[proposal.by].name)
        if proposal.entry is None:
            return tr("{name} proposes a draw", name=name)
        return tr("{name} proposes to undo all after entry {entry}", name=name, entry=proposal.entry)


def _acts(
    context: ActionContext, open_or_not: Mapping[Kind, NotYourMove | None], at: Post | None
) -> list[Offered]:
    """The actions that a player may sign now; for a commander, a draft of his orders."""
    if at:
        with suppress(NotYourMove):
            asked_of(context.game, at)
            return ["orders"]
        return []
    return [kind for kind in OFFERED if open_or_not[kind] is None or _may_wait(context, kind)]


def _may_wait(context: ActionContext, kind: Offered) -> bool:
    """Whether the action can be deferred until it may be written."""
    return kind in ("draw", "resign") and may_wait(context, kind)


def joined(lines: Sequence[str]) -> list[str]:
    """Lines that were wrapped for a terminal, joined again: an indented line continues the one before."""
    whole: list[str] = []
    for line in lines:
        if line.startswith(" " * 8) and whole:
            whole[-1] += f" {line.strip()}"
        else:
            whole.append(line.strip())
    return whole
