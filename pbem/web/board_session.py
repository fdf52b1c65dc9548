"""A player's session at the board in a browser: the page's requests, and the answers as JSON data.

The page keeps the orders so far as a list of lines and sends it whole. Here it is judged again, with the code
that judges typed orders (`player.order_sheet`), and saved as the draft that the prompt shares. Only the
action that `confirm` has shown last is signed, and only if the page names it by its digest. Sending is in
`departure.py`, the plan in `plan_panel.py`.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.core.phrases import split_orders
from pbem.core.requests import Plain
from pbem.errors import NotYourMove, OrderError, PbemError, StorageError, VerificationError
from pbem.format.canonical import canonical_form
from pbem.player.actions import proposals
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.autoplay import has_automatic_share
from pbem.player.actions.orders import GiveOrders, GiveShare, SignDraft
from pbem.player.actions.proposals import AnswerProposal, takeback_of_orders
from pbem.player.commanders import commanders_of
from pbem.player.local_player import LocalPlayer
from pbem.player.order_sheet import OrderList, OrderSheet, OrdersRefused
from pbem.player.pending import DeferredActions
from pbem.player.sign import sign
from pbem.player.status import news
from pbem.player.store.game_file import game_file_bytes
from pbem.player.store.game_record import DeferredKind
from pbem.player.store.record_store import ReadMarker, draft_of, set_draft
from pbem.render.safe_text import safe_text
from pbem.render.story import explain_departure, quote_player
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_state import Game, ReplayedEntry, is_computed
from pbem.umpire.verify import steps
from pbem.web import order_options
from pbem.web.board_state import BoardState, OfferedAction, StoryRequest, join_wrapped, story_data
from pbem.web.departure import (
    Departure,
    MailRequest,
    UndoRequest,
    describe_departure,
    mail_entries,
    mailing_data,
    undo_last,
    undo_notes,
)
from pbem.web.order_options import OptionsRequest, OrderMenu, refusal_with_rule
from pbem.web.page_data import Check, FileToSave, NoRequest, Verified, failed_checks
from pbem.web.plan_panel import PlanRequest, apply_plan_request
from pbem.web.review_panel import Reviewed, ReviewRequest, continue_review
from pbem.web.scene import FaceList, hex_grounds

tr = Texts("pbem")

MAX_ORDERS = 500
"""The most orders in a list: far more than any game has counters."""

MAX_MENUS = 20
"""The most lists of orders, per question, for which the possible further orders are remembered."""

MAX_WEIGHED = 40
"""The most orders whose effects are computed in one request."""


class ActionRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request with the orders so far, or with an action to sign; `bound` is the question the page shows.

    `entry` is the one whose orders to take back, `say` a message to the opponent, `faces` the number of
    counters' faces the page has.
    """

    bound: str
    act: OfferedAction = "orders"
    lines: list[str] = []
    entry: int = 0
    say: str = ""
    faces: int = 0


class EffectsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for the effect each of `orders` would have after the orders so far."""

    bound: str
    lines: list[str]
    orders: list[str]


class SignRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to sign: the digest of what the player was shown, and at which question."""

    bound: str
    digest: str
    faces: int = 0


class WithdrawRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to withdraw a deferred action."""

    bound: str
    what: DeferredKind
    faces: int = 0


class BoardSession:
    """One game at a board. Not thread-safe."""

    def __init__(self, player: LocalPlayer, game: Game, file: Path) -> None:
        self.player = player
        self.file = file
        self.faces = FaceList()
        self._menus: dict[tuple[str, ...], tuple[OrderSheet, OrderMenu]] = {}  # by the orders so far
        self._to_sign: tuple[str, Action] | None = None  # the digest of what was shown last, and the action
        self._formality = ""  # what pbem has written automatically, for the page to report
        stored = player.store.look_up(game.ids[0])
        self._compared = stored.data if stored else b""  # the stored file last compared with the state
        self._take_up(game, news(player, game))
        self.faces.ground = hex_grounds(self.state.legend)

    def _take_up(self, game: Game, since: Sequence[ReplayedEntry]) -> None:
        """Adopt a state of the game, given its new entries; write entries that decide nothing."""
        self._formality = ""
        game, since = self._write_formality(game, since)
        self.state = BoardState(ActionContext(self.player, game, self.file), since)
        self._menus.clear()
        at = self.state
        ReadMarker(self.player.home).save_mark(game)
        self.commanders = (
            commanders_of(self.player, game, at.table, self.file.parent) if at.asks_orders else None
        )

    def _write_formality(
        self, game: Game, since: Sequence[ReplayedEntry]
    ) -> tuple[Game, Sequence[ReplayedEntry]]:
        """Sign and save entries that decide nothing.

        These are the share that opens beat 1, if pbem may write it (FORMAT 12), and orders that pbem
        computes, such as a sealed order of cards. Returns the game and all new entries.
        """
        asked = permissions.unlock_state(game, self.player.key).pending_question
        computes = asked is not None and is_computed(game.rules, asked)
        if not (game.state.is_beat_due or computes) or not has_automatic_share(self.player, game):
            return game, since
        after = GiveShare(ActionContext(self.player, game, self.file)).write()
        self.player.save(after, self.file)
        self._formality = (
            tr("pbem has sealed an order for you: there was nothing to decide.")
            if computes
            else tr("pbem has started draw 1 for you: there was nothing to decide.")
        )
        return self._write_formality(after, (*since, after.replayed_entries[-1]))

    def look(self, request: ActionRequest) -> dict[str, Any]:
        """The position after these orders, their effects, and the possible further orders.

        If the rules refuse an order, the reason, and the rest for the legal orders before it. News is left
        out, since the page already has it.
        """
        if stale := self._catch_up(request.bound):
            return {**self.as_data(request.faces), "stale": stale}
        if not self.state.asks_orders:
            return self.as_data(request.faces)
        sheet, refused = self._empty_sheet(), {}
        try:
            _, menu = self._menu_after(request.lines, sheet)
            with suppress(StorageError):  # they are still in the page
                set_draft(self.player.home, self.state.game, menu.draft.lines)
        except OrdersRefused as error:
            menu = OrderMenu(sheet.current, sheet.asked.seat)
            explained = explain_departure(self.state.game, self.state.table.run.told, error.error)
            refused = {
                "refused": {
                    **refusal_with_rule(self.state.game.rules, explained),
                    "line": safe_text(error.left),
                }
            }
        answer = self.as_data(request.faces, menu)
        del answer["news"]
        return {**answer, **refused}

    def options(self, request: OptionsRequest) -> dict[str, Any]:
        """What a click on units and a hex can mean after these orders, or why nothing. Raises `PbemError`."""
        if stale := self._catch_up(request.bound):
            return {"stale": stale}
        if not self.state.asks_orders:
            return {"options": []}
        sheet, menu = self._menu_after(request.lines)
        if request.typed:
            return {"typed": menu.completions(request.typed)}
        answer = order_options.answer_click(menu, request, sheet)
        return {**answer, "ahead": self._preview_traces(answer, menu, sheet)} if request.ahead else answer

    def _preview_traces(self, answer: dict[str, Any], menu: OrderMenu, sheet: OrderSheet) -> list[Any]:
        """The traces that the only order of an answer would leave on the map, such as its path."""
        if len(answer["options"]) != 1:
            return []
        before = [*answer.get("instead", {}).get("lines", menu.draft.lines)]
        [[words, *_]] = answer["options"]
        known = self.state.traces(OrderList(sheet, tuple(before)))
        traces = self.state.traces(OrderList(sheet, (*before, words)))
        return [trace for trace in traces if trace not in known]

    def _menu_after(
        self, lines: Sequence[str], sheet: OrderSheet | None = None
    ) -> tuple[OrderSheet, OrderMenu]:
        """The sheet and the possible orders after these, remembered once computed. Raises `OrderError`.

        A `sheet` passed by the caller then holds the orders before the refused one.
        """
        if (key := tuple(lines)) not in self._menus:
            sheet = sheet or self._empty_sheet()
            _add_lines(sheet, lines)
            if len(self._menus) == MAX_MENUS:
                self._menus.clear()
            self._menus[key] = sheet, OrderMenu(sheet.current, sheet.asked.seat)
        return self._menus[key]

    def current_data(self) -> dict[str, Any]:
        """The current position, for a page that has nothing yet."""
        self._catch_up("")
        return self.as_data(0)

    def as_data(self, faces: int, menu: OrderMenu | None = None) -> dict[str, Any]:
        """The data for a page that has the first `faces` faces of counters."""
        kept: list[str] = []
        if self.state.asks_orders and menu is None:
            menu, kept = self._take_up_draft()
        plain = self.state.as_data(self.faces, faces, menu)
        formality = [self._formality] if self._formality else []
        plain["notes"] = [*formality, *kept, *plain["notes"]]
        draft = menu.draft if menu else None
        own = draft.orders if draft else []
        words = self.commanders.missing_lines(own) if self.commanders and not self.state.post else []
        shared = {"staff": self.commanders.describe() if self.commanders else [], "drafts": words}
        leaves = {"post": mailing_data(self.player, self.state.game)}
        signs = self._signing_data(draft.lines) if draft and draft.is_whole else None
        undo = undo_notes(self.player, self.state.game, self.file)
        return {**plain, **shared, **leaves, "undo": undo, "signs": signs}

    def _take_up_draft(self) -> tuple[OrderMenu, list[str]]:
        """The orders in progress, as far as the rules allow them, and notes about them."""
        sheet, refused = self._empty_sheet(), ""
        lines = draft_of(self.player.home, self.state.game)
        try:
            _, menu = self._menu_after(lines, sheet)
        except OrderError as error:
            menu = OrderMenu(sheet.current, sheet.asked.seat)
            first = split_orders(error.left)[0] if isinstance(error, OrdersRefused) else lines[0]
            refused = tr("The order {order} is no longer possible: {why}", order=first, why=str(error))
        again = tr("Your earlier orders are back.") if menu.draft.lines else ""
        return menu, [safe_text(note) for note in (again, refused) if note]

    def _signing_data(self, lines: Sequence[str]) -> dict[str, list[str]] | None:
        """What would be signed, with its effects; None if it cannot be signed."""
        with suppress(PbemError):
            return _action_data(self._action_for(ActionRequest(self.state.bound, lines=list(lines))))
        return None

    def story(self, request: StoryRequest) -> dict[str, Any]:
        """The game so far, or the part the page lacks."""
        return story_data(
            self.state.game, self.state.first_unseen, self.faces, request, self.state.table.run.told
        )

    def weigh(self, request: EffectsRequest) -> dict[str, Any]:
        """The effect of each of these orders after those so far; refused ones are left out."""
        effects: dict[str, list[str]] = {}
        for order in (
            request.orders[:MAX_WEIGHED]
            if request.bound == self.state.bound and self.state.asks_orders
            else []
        ):
            sheet = self._empty_sheet()
            with suppress(OrderError):
                _add_lines(sheet, request.lines)
                before = sheet.current
                _add_lines(sheet, [order])
                effects[order] = join_wrapped(sheet.current.effect_beyond(before))
        return {"told": effects}

    def confirm(self, request: ActionRequest) -> dict[str, Any]:
        """What would be signed, with the digest by which `sign` recognises it. Raises `PbemError`."""
        self._to_sign = None
        if stale := self._catch_up(request.bound):
            return {**self.as_data(request.faces), "stale": stale}
        action = self._action_for(request)
        said = "" if action.kind in ("share", "draft") else action.message
        orders = action.orders if isinstance(action, (GiveOrders, SignDraft)) else []
        named: Plain = [self.state.bound, action.kind, orders, request.entry, said]
        digest = sha256(canonical_form(named)).hexdigest()
        self._to_sign = digest, action
        return {
            "digest": digest,
            **_action_data(action),
            "say": [safe_text(line) for line in said.splitlines()],
        }

    def sign(self, request: SignRequest) -> dict[str, Any]:
        """Sign and save what was shown last, and let the computer answer if it is the opponent.

        A commander signs a draft, which is written beside the file (FORMAT 11). Raises `PbemError`.
        """
        shown, self._to_sign = self._to_sign, None
        if stale := self._catch_up(request.bound):
            return {**self.as_data(request.faces), "stale": tr("nothing was signed: {stale}", stale=stale)}
        if shown is None or shown[0] != request.digest:
            raise NotYourMove(tr("this is not the text you were last shown: nothing was signed"))
        action = shown[1]
        after = sign(action)
        if isinstance(action, SignDraft):
            lead = quote_player(self.state.game.seats[action.at.seat].name)
            drafted = tr("Mail {file} to {name}.", file=safe_text(action.place.name), name=lead)
            return {**self.as_data(request.faces), "drafted": drafted}
        if after is None:  # deferred: it was saved, not written
            self._take_up(self.state.game, news(self.player, self.state.game))
            return self.as_data(request.faces)
        self._take_up(after, after.replayed_entries[len(self.state.game.replayed_entries) :])
        return self.as_data(request.faces)

    def withdraw(self, request: WithdrawRequest) -> dict[str, Any]:
        """Withdraw a deferred action. Raises `StorageError`."""
        if stale := self._catch_up(request.bound):
            return {**self.as_data(request.faces), "stale": stale}
        DeferredActions(self.player.home).withdraw(self.state.game, request.what)
        self._take_up(self.state.game, news(self.player, self.state.game))
        return self.as_data(request.faces)

    def game_file(self, _request: NoRequest) -> FileToSave:
        """The file of the game in its newest state, for the player to send."""
        self._catch_up("")
        data = game_file_bytes(self.state.game)
        return FileToSave(self.file.name, b64encode(data).decode())

    def departure(self, _request: NoRequest) -> Departure:
        """What is needed to send the newest entries. Raises `PbemError`."""
        return describe_departure(self.player, self.state.game, self.file)

    def verify(self, _request: NoRequest) -> Verified:
        """Check the player's file again. Raises `FileError` if it cannot be read."""
        try:
            self.player.open(self.player.read(self.file))
        except VerificationError as error:
            return Verified(*failed_checks(error))
        return Verified([Check(str(step), True) for step in steps()], [])

    def review(self, request: ReviewRequest) -> Reviewed:
        """The next piece of the review, of the game or of an entry. Raises `PbemError`."""
        return continue_review(self.player, self.state.game, self.faces, request)

    def mail(self, request: MailRequest) -> dict[str, Any]:
        """Mail the newest entries. Raises `PbemError`."""
        if stale := self._catch_up(request.bound):
            return {"stale": tr("nothing was sent: {stale}", stale=stale)}
        return mail_entries(self.player, self.state.game, self.file, request)

    def undo(self, request: UndoRequest) -> dict[str, Any]:
        """Undo the player's last entry; the player says that nobody else has it. Raises `PbemError`."""
        if stale := self._catch_up(request.bound):
            return {**self.as_data(request.faces), "stale": tr("{why}: nothing was undone", why=stale)}
        before, notes = undo_last(self.player, self.state.game, self.file)
        self._take_up(before, news(self.player, before))
        return {**self.as_data(request.faces), "undone": notes}

    def plan(self, request: PlanRequest) -> dict[str, Any]:
        """Carry out a request about the player's plan. Returns the plan. Raises `PbemError`."""
        if stale := self._catch_up(request.bound):
            return {"stale": stale}
        return apply_plan_request(self.player, self.state.game, request)

    # Signing

    def _empty_sheet(self) -> OrderSheet:
        return self.state.empty_sheet()

    def _complete_orders(self, lines: Sequence[str]) -> OrderList:
        """The orders, complete for the question. Raises `OrderError`."""
        sheet = self._empty_sheet()
        _add_lines(sheet, lines)
        if not sheet.current.is_whole:
            raise OrderError(sheet.current.missing_orders or tr("there are no orders yet"))
        return sheet.current

    def _action_for(self, request: ActionRequest) -> Action:
        """The action to sign. Raises `PbemError`."""
        context = ActionContext(self.player, self.state.game, self.file)
        match request.act:
            case "orders" if self.state.post:
                return SignDraft(context, self.state.post, self._complete_orders(request.lines).orders)
            case "orders":
                return self._orders_action(context, request)
            case "share":
                return GiveShare(context)
            case "draw":
                return proposals.propose_or_defer_draw(context, request.say)
            case "takeback":
                back = takeback_of_orders(context.game, request.entry)
                return proposals.propose_or_defer_takeback(context, back, request.say)
            case "resign":
                return proposals.resign_or_defer(context, request.say)
            case "yes" | "no":
                return AnswerProposal(context, request.act == "yes", request.say)

    def _orders_action(self, context: ActionContext, request: ActionRequest) -> GiveOrders:
        """Complete orders as an action, with those of the computer's commanders. Raises `OrderError`."""
        own = self._complete_orders(request.lines)
        if not self.commanders:
            return GiveOrders(context, own.orders, request.say)
        more, signed = self.commanders.complete_lines(own.lines, own.orders)
        orders = self._complete_orders(more).orders
        return GiveOrders(context, orders, request.say, self.commanders.signed_parts(orders)[0], signed)

    # Changes written elsewhere

    def _catch_up(self, bound: str) -> str:
        """Adopt newer entries from the store. Returns why the page's question is outdated, else empty."""
        stored = self.player.store.look_up(self.state.game.ids[0])
        if stored and stored.data != self._compared:
            if not self.player.store.has_log(stored, self.state.game.ids):
                newer = self.player.open(stored.data)
                self._take_up(newer, newer.replayed_entries[len(self.state.game.replayed_entries) :])
            self._compared = stored.data  # not what is stored by now: another program may have written since
        if bound != self.state.bound:
            return tr(
                "the game has moved on since this page was last updated. The page now shows its present state"
            )
        return ""


def _action_data(action: Action) -> dict[str, list[str]]:
    """The parts of an action that a player sees before signing it."""
    return {
        "words": [safe_text(line) for line in action.words],
        "told": [*map(safe_text, action.signed), *join_wrapped(action.effect.lines)],
    }


def _add_lines(sheet: OrderSheet, lines: Sequence[str]) -> None:
    """Add orders to a sheet. Raises `OrdersRefused`, having added those before; `OrderError` for too many."""
    text = "\n".join(lines)
    if (number := len(split_orders(text))) > MAX_ORDERS:
        raise OrderError(
            tr("{number} orders are too many: give {most} at most", number=number, most=MAX_ORDERS)
        )
    sheet.add(text)
