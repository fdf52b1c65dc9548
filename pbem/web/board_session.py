"""A player's session at the board in a browser: what the page may request, and the answers as plain data.

The page keeps the orders so far as a list of lines and sends it whole: here it is judged anew, by the code
that judges typed orders (`player.orders.order_sheet`). Nothing is signed but what `confirm` has shown last,
and only if the page names it by its digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.core.requests import Plain
from pbem.errors import NotYourMove, OrderError, PbemError
from pbem.format.canonical import canonical
from pbem.player.actions import deferred
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.draft import SignDraft
from pbem.player.actions.orders import Orders, Share
from pbem.player.actions.proposals import Answer, Propose
from pbem.player.commanders.lead import staff
from pbem.player.local_player import LocalPlayer
from pbem.player.orders.order_sheet import Lines, OrderSheet, Refused, split
from pbem.player.sign import sign
from pbem.player.status.game_status import news
from pbem.player.store.read_marker import ReadMarker
from pbem.render.story import with_its_end
from pbem.render.words import named, safe
from pbem.texts import Texts
from pbem.umpire.game import Game, ReplayedEntry
from pbem.web import options, planning, post, undoing
from pbem.web.news import Looking, past
from pbem.web.options import Asking, Options
from pbem.web.position import Offered, Position, joined
from pbem.web.rulings import refusal
from pbem.web.scene import Cast, base

tr = Texts("pbem")

MOST_ORDERS = 500
"""The most orders in a list: far more than any game has counters."""


MOST_GATHERED = 20
"""For how many lists of orders at one question the possible further orders are remembered."""


MOST_WEIGHED = 40
"""The most orders whose effects are computed in one request."""


class Wish(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request: orders so far, or an action to be signed; `bound` is the question that it shows.

    `entry` is the one to which a take-back leads, `say` a message to the opponent, `faces` the number of
    counters' faces that the page has.
    """

    bound: str
    act: Offered = "orders"
    lines: list[str] = []
    entry: int = 0
    say: str = ""
    faces: int = 0


class Weighing(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request for the effect of each of `orders`, if it came next after the orders so far."""

    bound: str
    lines: list[str]
    orders: list[str]


class Signature(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request to sign: the digest of what the player was shown, and at which question."""

    bound: str
    digest: str
    faces: int = 0


class Sitting:
    """One game at a board. Not thread-safe."""

    def __init__(self, player: LocalPlayer, game: Game, file: Path) -> None:
        self.desk = player
        self.file = file
        self.cast = Cast()
        self._gathered: dict[tuple[str, ...], tuple[OrderSheet, Options]] = {}  # by the orders so far
        self._to_sign: tuple[str, Action] | None = None  # the digest of what was shown last, and the action
        self._sit(game, news(player, game))
        self.cast.ground = base(self.at.legend)
        self._kept = self._on_shelf()

    def _sit(self, game: Game, since: Sequence[ReplayedEntry]) -> None:
        """Adopt a state of the game, with the entries that are new in it."""
        self.at = Position(ActionContext(self.desk, game, self.file), since)
        self._gathered.clear()
        at = self.at
        ReadMarker(self.desk.home).note(game)
        self.staff = staff(self.desk, game, at.table, self.file.parent) if at.asked else None

    def look(self, request: Wish) -> dict[str, Any]:
        """The position after these orders, their effects, and the possible further orders.

        If the rules refuse an order, the reason, and all else after the legal orders before it. News is left
        out, since the page has it since it came to the question.
        """
        if stale := self._stale(request.bound):
            return {**self.plain(request.faces), "stale": stale}
        if not self.at.asked:
            return self.plain(request.faces)
        sheet, refused = self._sheet(), {}
        try:
            _, menu = self._after(request.lines, sheet)
        except Refused as error:
            menu = Options(sheet.now, sheet.asked.seat)
            explained = with_its_end(self.at.game, self.at.table.run.told, error.error)
            refused = {"refused": {**refusal(self.at.game.rules, explained), "line": safe(error.left)}}
        answer = self.plain(request.faces, menu)
        del answer["news"]
        return {**answer, **refused}

    def options(self, request: Asking) -> dict[str, Any]:
        """What a click on units and a hex can mean after these orders, or why nothing. Raises `PbemError`."""
        if stale := self._stale(request.bound):
            return {"stale": stale}
        if not self.at.asked:
            return {"options": []}
        sheet, menu = self._after(request.lines)
        if request.typed:
            return {"typed": menu.completed(request.typed)}
        answer = options.told(menu, request, sheet)
        return {**answer, "ahead": self._ahead(answer, menu, sheet)} if request.ahead else answer

    def _ahead(self, answer: dict[str, Any], menu: Options, sheet: OrderSheet) -> list[Any]:
        """The traces that the only order of an answer would leave on the map, such as its path."""
        if len(answer["options"]) != 1:
            return []
        before = [*answer.get("instead", {}).get("lines", menu.draft.lines)]
        [[words, *_]] = answer["options"]
        known = self.at.traces(Lines(sheet, tuple(before)))
        traces = self.at.traces(Lines(sheet, (*before, words)))
        return [trace for trace in traces if trace not in known]

    def _after(self, lines: Sequence[str], sheet: OrderSheet | None = None) -> tuple[OrderSheet, Options]:
        """The sheet and the possible orders after these, remembered once computed. Raises `OrderError`.

        A `sheet` given by the caller then holds the orders before the refused one.
        """
        if (key := tuple(lines)) not in self._gathered:
            sheet = sheet or self._sheet()
            _add(sheet, lines)
            if len(self._gathered) == MOST_GATHERED:
                self._gathered.clear()
            self._gathered[key] = sheet, Options(sheet.now, sheet.asked.seat)
        return self._gathered[key]

    def fresh(self) -> dict[str, Any]:
        """The current position, for a page that has nothing yet."""
        self._stale("")
        return self.plain(0)

    def plain(self, faces: int, menu: Options | None = None) -> dict[str, Any]:
        """The data for a page that has the first `faces` faces of counters."""
        if self.at.asked and menu is None:
            _, menu = self._after(())
        plain = self.at.plain(self.cast, faces, menu)
        draft = menu.draft if menu else None
        own = draft.orders if draft else []
        words = self.staff.words(own) if self.staff and not self.at.post else []
        shared = {"staff": self.staff.told() if self.staff else [], "drafts": words}
        leaves = {"post": post.due(self.desk, self.at.game)}
        signs = self._signs(draft.lines) if draft and draft.whole else None
        undo = undoing.due(self.desk, self.at.game, self.file)
        return {**plain, **shared, **leaves, "undo": undo, "signs": signs}

    def _signs(self, lines: Sequence[str]) -> dict[str, list[str]] | None:
        """What would be signed, with its effects; None if it may not be signed."""
        with suppress(PbemError):
            return _shown(self._act(Wish(self.at.bound, lines=list(lines))))
        return None

    def past(self, request: Looking) -> dict[str, Any]:
        """The game so far, or the part that the page does not have."""
        return past(self.at.game, self.at.new, self.cast, request, self.at.table.run.told)

    def weigh(self, request: Weighing) -> dict[str, Any]:
        """The effect of each of these orders after those so far; refused ones are left out."""
        effects: dict[str, list[str]] = {}
        for order in (
            request.orders[:MOST_WEIGHED] if request.bound == self.at.bound and self.at.asked else []
        ):
            sheet = self._sheet()
            with suppress(OrderError):
                _add(sheet, request.lines)
                before = sheet.now
                _add(sheet, [order])
                effects[order] = joined(sheet.now.beyond(before))
        return {"told": effects}

    def confirm(self, request: Wish) -> dict[str, Any]:
        """What would be signed, with the digest by which `sign` recognises it. Raises `PbemError`."""
        self._to_sign = None
        if stale := self._stale(request.bound):
            return {**self.plain(request.faces), "stale": stale}
        action = self._act(request)
        said = "" if action.kind in ("share", "draft") else action.spoken
        orders = action.orders if isinstance(action, (Orders, SignDraft)) else []
        named: Plain = [self.at.bound, action.kind, orders, request.entry, said]
        digest = sha256(canonical(named)).hexdigest()
        self._to_sign = digest, action
        return {"digest": digest, **_shown(action), "say": [safe(line) for line in said.splitlines()]}

    def sign(self, request: Signature) -> dict[str, Any]:
        """Sign and save what was shown last, and let a practice opponent answer. Raises `PbemError`.

        A commander signs a draft, which is written beside the file (FORMAT 11).
        """
        shown, self._to_sign = self._to_sign, None
        if stale := self._stale(request.bound):
            return {**self.plain(request.faces), "stale": tr("nothing was signed: {stale}", stale=stale)}
        if shown is None or shown[0] != request.digest:
            raise NotYourMove(tr("these are not the words that were shown last: nothing was signed"))
        action = shown[1]
        after = sign(action)
        if isinstance(action, SignDraft):
            lead = named(self.at.game.seats[action.at.seat].name)
            drafted = tr("Mail {file} to {name}.", file=safe(action.place.name), name=lead)
            return {**self.plain(request.faces), "drafted": drafted}
        if after is None:  # deferred: it was saved, not written
            self._sit(self.at.game, news(self.desk, self.at.game))
            return self.plain(request.faces)
        self._sit(after, after.chapters[len(self.at.game.chapters) :])
        self._kept = self._on_shelf()
        return self.plain(request.faces)

    def mail(self, request: post.Letter) -> dict[str, Any]:
        """Mail the newest entries. Raises `PbemError`."""
        if stale := self._stale(request.bound):
            return {"stale": tr("nothing was sent: {stale}", stale=stale)}
        return post.go(self.desk, self.at.game, self.file, request)

    def undo(self, request: undoing.Undoing) -> dict[str, Any]:
        """Undo the player's last entry, which by his word nobody else has. Raises `PbemError`."""
        if stale := self._stale(request.bound):
            return {**self.plain(request.faces), "stale": tr("{why}: nothing was undone", why=stale)}
        before, notes = undoing.undone(self.desk, self.at.game, self.file)
        self._sit(before, news(self.desk, before))
        self._kept = self._on_shelf()
        return {**self.plain(request.faces), "undone": notes}

    def plan(self, request: planning.Planning) -> dict[str, Any]:
        """Carry out a request about the player's plan, and show it. Raises `PbemError`."""
        if stale := self._stale(request.bound):
            return {"stale": stale}
        return planning.planned(self.desk, self.at.game, request)

    # What is signed

    def _sheet(self) -> OrderSheet:
        return self.at.sheet()

    def _whole(self, lines: Sequence[str]) -> Lines:
        """The orders, complete for the question. Raises `OrderError`."""
        sheet = self._sheet()
        _add(sheet, lines)
        if not sheet.now.whole:
            raise OrderError(sheet.now.missing or tr("there are no orders yet"))
        return sheet.now

    def _act(self, request: Wish) -> Action:
        """The action to sign. Raises `PbemError`."""
        context = ActionContext(self.desk, self.at.game, self.file)
        match request.act:
            case "orders" if self.at.post:
                return SignDraft(context, self.at.post, self._whole(request.lines).orders)
            case "orders":
                return self._orders(context, request)
            case "share":
                return Share(context)
            case "draw":
                return deferred.draw(context, request.say)
            case "takeback":
                return Propose(context, request.entry, request.say)
            case "resign":
                return deferred.resign(context, request.say)
            case "yes" | "no":
                return Answer(context, request.act == "yes", request.say)

    def _orders(self, context: ActionContext, request: Wish) -> Orders:
        """Complete orders as an action, with those of commanders that pbem plays. Raises `OrderError`."""
        own = self._whole(request.lines)
        if not self.staff:
            return Orders(context, own.orders, request.say)
        more, signed = self.staff.completed(own.lines, own.orders)
        orders = self._whole(more).orders
        return Orders(context, orders, request.say, self.staff.signed(orders)[0], signed)

    # Changes that were written elsewhere

    def _on_shelf(self) -> bytes:
        stored = self.desk.shelf.look_up(self.at.game.ids[0])
        return stored.data if stored else b""

    def _stale(self, bound: str) -> str:
        """Adopt newer entries from the store; why the page's question no longer waits, or an empty text."""
        if (data := self._on_shelf()) and data != self._kept:
            newer = self.desk.open(data)
            if newer.ids != self.at.game.ids:
                self._sit(newer, newer.chapters[len(self.at.game.chapters) :])
            self._kept = data
        if bound != self.at.bound:
            return tr("the game has gone on since this page asked; here is how it stands now")
        return ""


def _shown(action: Action) -> dict[str, list[str]]:
    """The parts of an action that a player sees before signing it."""
    return {
        "words": [safe(line) for line in action.words],
        "told": [*map(safe, action.signed), *joined(action.effect.lines)],
    }


def _add(sheet: OrderSheet, lines: Sequence[str]) -> None:
    """Add orders to a sheet. Raises `Refused`, after adding those before it; `OrderError` for too many."""
    text = "\n".join(lines)
    if (number := len(split(text))) > MOST_ORDERS:
        raise OrderError(tr("{number} orders are too many: at most {most}", number=number, most=MOST_ORDERS))
    sheet.add(text)
