"""The state of a game for the player at the board, as JSON data for the page; and the game so far.

`server.js` has the types of what the page receives: `Situation` is `BoardState.as_data`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import zip_longest
from typing import Any, Literal, TypeAlias, get_args

from msgspec import Struct

from pbem.core.requests import Ask, Tell
from pbem.core.sealing import Open
from pbem.core.sentences import capitalized
from pbem.core.traces import Way
from pbem.errors import NotYourMove
from pbem.player.actions.action import ActionContext, ActionKind
from pbem.player.actions.preconditions import possible_actions
from pbem.player.actions.proposals import may_be_deferred, moves_to_take_back
from pbem.player.local_player import may_be_reviewed
from pbem.player.order_preview import trial
from pbem.player.order_sheet import OrderList, OrderSheet, put_own_first
from pbem.player.status import describe_question, describe_status, game_status
from pbem.player.store.game_record import DeferredKind
from pbem.render.safe_text import safe_text
from pbem.render.story import quote_player, recent_events
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.drafts import CommanderSeat, commander_question, find_commander_seat
from pbem.umpire.game_state import Game, GameState, ReplayedEntry
from pbem.web.game_page import story_item, unlocked_item
from pbem.web.order_options import OrderMenu
from pbem.web.scene import (
    FaceList,
    TraceWriter,
    figures_data,
    frames,
    scene_data,
    table_data,
    unlocked_traces,
)

tr = Texts("pbem")

UNWRAPPED = 100_000
"""A width that leaves the wrapping of lines to the browser."""

OfferedAction: TypeAlias = Literal["orders", "share", "yes", "no", "draw", "takeback", "resign"]
"""An entry the player can write, in the order of the buttons."""

MAX_TAKEBACKS = 5
"""How many of the last moves are offered for a take-back."""

OFFERED_ACTIONS: tuple[OfferedAction, ...] = get_args(OfferedAction)


class BoardState:
    """A game as the holder of a key sees it, with the entries that are new to them.

    `bound` identifies the pending question: a digest of the last entry and of the question after it.
    """

    def __init__(self, context: ActionContext, since: Sequence[ReplayedEntry]) -> None:
        game, key = context.game, context.player.key
        self.game = game
        self.status = game_status(context.player, game)
        self.table: GameState = self.status.table
        self.legend = game.rules.view.legend(self.table.run.state)
        shared = any(game.state.commanders.values()) and not permissions.held_seats(game, key)
        self.post = find_commander_seat(game, key.public) if shared else None
        self._possible = possible_actions(context)
        self.actions = _possible_actions(context, self._possible, self.post)
        asked = self.table.pending_question
        self.bound = sha256(f"{game.ids[-1]} {asked.question if asked else ''}".encode()).hexdigest()
        self._may_be_reviewed = may_be_reviewed(game, context.player)
        self._key = key
        self._file = context.file
        self._since = since

    @property
    def first_unseen(self) -> int:
        """The number of the first entry that is new to the player."""
        return len(self.game.replayed_entries) - len(self._since)

    @property
    def asks_orders(self) -> bool:
        """Whether the player can give orders now, other than to open their own seal."""
        asked = self.table.pending_question
        return isinstance(asked, Ask) and not isinstance(asked, Open) and "orders" in self.actions

    def empty_sheet(self) -> OrderSheet:
        """An empty order sheet for the question; a commander's is for their own units only (FORMAT 11)."""
        return OrderSheet(self.game, self.table, self.post)

    def as_data(self, cast: FaceList, faces: int, options: OrderMenu | None) -> dict[str, Any]:
        """The data for a page, including the orders so far; it has the first `faces` faces already.

        `options` are the possible further orders; None if no orders are due.
        """
        legend = options.draft.legend if options else self.legend
        legend = put_own_first(self.game, self._key.public, legend)[0] if self.post else legend
        now = scene_data(cast, legend, describe_question(self.status.question))
        now["figures"] = _changed_figures(figures_data(self.legend), now["figures"])
        orders = options.draft.orders if options else []
        asked = self.table.pending_question if options else None
        now |= table_data(self.game, self.table.run.state, asked, orders)
        ordering = self._orders_data(options, cast)
        now["ground"] = {index: one for index, one in now["ground"].items() if cast.ground.get(index) != one}
        return {
            "bound": self.bound,
            "acts": self.actions,
            "shown": now,
            "faces": cast.faces_from(faces),
            "news": [
                line.strip() for line in recent_events(self.game, self._since, self.table.run.told, UNWRAPPED)
            ],
            "backs": moves_to_take_back(self.game, self._key)[:MAX_TAKEBACKS]
            if "takeback" in self.actions
            else [],
            "proposal": self._describe_proposal(),
            "notes": self._notes(),
            "ending": self._describe_ending(),
            "review": self._may_be_reviewed,
            "closed": [] if self.post else self._unavailable_actions(),
            "waits": self._deferred_actions(),
            **ordering,
        }

    def _orders_data(self, options: OrderMenu | None, cast: FaceList) -> dict[str, Any]:
        """The orders so far, their effects, and the possible further orders."""
        if options is None:
            nothing: list[str] = []
            empty = dict.fromkeys(("lines", "told", "able", "free", "ordered", "placing", "done"), nothing)
            task = {"says": safe_text(describe_question(self.status.question)), "due": nothing}
            return {"seat": "", "task": task, "whole": False, "ready": {}, **empty}
        asked = self.table.pending_question
        assert asked is not None
        sheet, draft = self.empty_sheet(), options.draft
        return {
            "seat": asked.seat,
            "lines": list(draft.lines),
            "task": {
                "says": safe_text(draft.instruction.says),
                "due": list(map(safe_text, draft.instruction.due)),
            },
            "whole": draft.is_whole,
            "told": self._consequences(draft),
            "able": options.orderable_units,
            "free": [one.as_data({}) for one in options.without_units],
            "ordered": options.ordered_units(sheet),
            "placing": self._setup_groups(options),
            "ready": {} if draft.lines else self._ready_setups(cast, sheet, options),
            "done": self.traces(draft),
        }

    def _consequences(self, draft: OrderList) -> list[str]:
        """The consequences of complete orders except movement, which the list and the map show."""
        effect = draft.effect
        if not effect.story:
            return []
        told = trial(self.table, draft.orders)[0]
        story = [
            line
            for line, tell in zip_longest(effect.story, told)
            if tell is None or not self._is_movement(tell)
        ]
        texts = (*story, *effect.chances_and_warnings)
        return join_wrapped([line for text in texts for line in text.split("\n")])

    def _is_movement(self, tell: Tell) -> bool:
        """Whether an event is a movement and nothing else."""
        traces = self.game.rules.view.traces(tell) if self.game.rules.view.traces else []
        return bool(traces) and all(isinstance(trace, Way) for trace in traces)

    def traces(self, draft: OrderList) -> list[Any]:
        """The traces of complete orders on the map, up to the first card or die."""
        if not draft.is_whole:
            return []
        telling = TraceWriter(self.game, self.legend)
        return [trace for tell in trial(self.table, draft.orders)[0] for trace in telling.traces_of(tell)]

    def _setup_groups(self, options: OrderMenu) -> list[tuple[str, list[str]]]:
        """The counters to set up now, by groups of the side; empty if the side has none."""
        asked, view = self.table.pending_question, self.game.rules.view
        if asked is None or not view.setups or not view.setups(asked):
            return []
        here = {
            *options.orderable_units,
            *(name for each in options.ordered_units(self.empty_sheet()) for name in each),
        }
        waiting = [piece for margin in self.legend.margins for piece in margin.pieces if piece.name in here]
        return [
            (safe_text(words), own)
            for group, words in self.legend.groups.items()
            if (own := [piece.name for piece in waiting if piece.group == group])
        ]

    def _ready_setups(
        self, cast: FaceList, sheet: OrderSheet, options: OrderMenu
    ) -> dict[str, list[tuple[int, int]]]:
        """The ready-made set-ups as typed, each with the hexes and faces of its counters."""
        asked, view = self.table.pending_question, self.game.rules.view
        ready = set(view.setups(asked)) if asked and view.setups else set()
        if asked is None or not ready:
            return {}
        found = {}
        for option in (one for one in options.without_units if one.words.rpartition(" ")[2] in ready):
            legend = OrderList(sheet, (option.words,)).legend
            own = ((at, piece) for at, cell in enumerate(legend.cells) for piece in cell.pieces)
            pieces = [(at, piece) for at, piece in own if piece.side == asked.seat]
            numbers = cast.numbers(legend, [piece for _, piece in pieces])
            if pieces:
                found[option.words] = [(at, face) for (at, _), face in zip(pieces, numbers, strict=True)]
        return found

    def _notes(self) -> list[str]:
        """The lines beside the question: remarks, and how long it has been pending."""
        return describe_status(self.status, self._file)

    def _describe_ending(self) -> dict[str, Any] | None:
        """How the game has ended for the player, and why; None before the end."""
        result = self.status.result
        if result is None:
            return None
        own = permissions.held_seats(self.game, self._key)
        if not result.winner:
            title = tr("Nobody has won")
        elif len(own) != 1:
            title = tr("{side} {side:has|have} won", side=self.game.rules.side(result.winner))
        else:
            title = tr("You have won") if result.winner in own else tr("You have lost")
        title = capitalized(title)
        return {"title": title, "why": safe_text(result.reason), "rematch": len(own) == 1}

    def _unavailable_actions(self) -> list[tuple[ActionKind, str]]:
        """The actions impossible for the player now, and why."""
        kinds: tuple[ActionKind, ...] = () if self.status.result else ("draw", "takeback", "resign")
        return [
            (kind, str(why)) for kind in kinds if kind not in self.actions and (why := self._possible[kind])
        ]

    def _deferred_actions(self) -> list[DeferredKind]:
        """The deferred actions that the player can withdraw."""
        wish = self.status.deferred
        pending: dict[DeferredKind, object] = {
            "draw": wish.draw,
            "takeback": wish.takeback,
            "resign": wish.resign,
        }
        return [kind for kind, waits in pending.items() if waits]

    def _describe_proposal(self) -> str:
        """The opponent's proposal, if it needs the player's answer; else empty."""
        proposal = self.game.state.proposal
        if not proposal or "yes" not in self.actions:
            return ""
        name = quote_player(self.game.seats[proposal.by].name)
        if proposal.what == "draw":
            return tr("{name} proposes a draw", name=name)
        if proposal.what == "retract":
            return tr(
                "{name} proposes to take back the orders of entry {entry}", name=name, entry=proposal.entry
            )
        return tr("{name} proposes to undo everything after entry {entry}", name=name, entry=proposal.entry)


def _possible_actions(
    context: ActionContext, open_or_not: Mapping[ActionKind, NotYourMove | None], at: CommanderSeat | None
) -> list[OfferedAction]:
    """The actions a player can sign now; for a commander, a draft of their orders."""
    if at:
        with suppress(NotYourMove):
            commander_question(context.game, at)
            return ["orders"]
        return []
    return [kind for kind in OFFERED_ACTIONS if open_or_not[kind] is None or _may_wait(context, kind)]


def _changed_figures(before: Sequence[list[str]], after: Sequence[list[str]]) -> list[list[str]]:
    """The figures of the position, each with its value after the orders so far, if they change it."""
    values = dict(after)
    return [
        [name, value, *([then] if (then := values.get(name, value)) != value else [])]
        for name, value in before
    ]


def _may_wait(context: ActionContext, kind: OfferedAction) -> bool:
    """Whether the action can be deferred until it can be written."""
    return kind in ("draw", "takeback", "resign") and may_be_deferred(context, kind)


def join_wrapped(lines: Sequence[str]) -> list[str]:
    """Lines that were wrapped for a terminal, joined again: an indented line continues the one before."""
    whole: list[str] = []
    for line in lines:
        if line.startswith(" " * 8) and whole:
            whole[-1] += f" {line.strip()}"
        else:
            whole.append(line.strip())
    return whole


class StoryRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for entries from `first` on; the page has those before, the last with the id `known`.

    A page without entries sends no id. With `whole`, all entries get positions. `faces` is the number of
    counters' faces the page has.
    """

    first: int = 0
    known: str = ""
    whole: bool = False
    faces: int = 0


def story_data(
    game: Game, new: int, cast: FaceList, request: StoryRequest, since: Sequence[Tell] = ()
) -> dict[str, Any]:
    """The frames of a game for `replay.js`, and its story as HTML.

    `new` is the first entry that is new to the player, `since` the events of a draw the player has completed
    after the last entry. The frames begin with the entry `at` and have positions from `first` on; the story
    begins with the entry `told`.
    """
    last = len(game.replayed_entries) - 1
    follows = 0 < request.first <= last + 1 and game.ids[request.first - 1] == request.known
    told = request.first if follows else 0
    at = 0 if request.whole else told
    first = at if follows or request.whole else min(max(new - 1, 0), last)
    before = at - 1 if follows and not request.whole else first  # the page has this one
    found = frames(game, cast, before) if at <= last else []
    return {
        "at": at,
        "told": told,
        "first": first,
        "new": new,
        "known": game.ids[-1],
        "frames": found[at:],
        "story": "".join(
            (
                *(story_item(game, replayed) for replayed in game.replayed_entries[told:]),
                unlocked_item(game, since),
            )
        ),
        "unlocked": unlocked_traces(game, since),
        "faces": cast.faces_from(request.faces),
    }
