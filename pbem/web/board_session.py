"""A player's place at the board in a browser: what his page may ask, and the answers as plain data.

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
"""The most orders that a list may have: far more than any game has counters."""


MOST_GATHERED = 20
"""The lists of orders of one question whose possible additions are kept."""


MOST_WEIGHED = 40
"""The orders that are weighed at a time."""


class Wish(Struct, frozen=True, forbid_unknown_fields=True):
    """A page's request: orders so far, or an act to be signed; `bound` is the question that it shows.

    `entry` is where a take-back goes to, `say` words to the opponent, `faces` the number of counters' faces
    that the page has.
    """

    bound: str
    act: Offered = "orders"
    lines: list[str] = []
    entry: int = 0
    say: str = ""
    faces: int = 0


class Weighing(Struct, frozen=True, forbid_unknown_fields=True):
    """Orders so far, and others of which each might come next: what would each do?"""

    bound: str
    lines: list[str]
    orders: list[str]


class Signature(Struct, frozen=True, forbid_unknown_fields=True):
    """The player's word: the digest of what he was shown, and at which question."""

    bound: str
    digest: str
    faces: int = 0


class Sitting:
    """One game at a board. Not for two threads at once."""

    def __init__(self, player: LocalPlayer, game: Game, file: Path) -> None:
        self.desk = player
        self.file = file
        self.cast = Cast()
        self._gathered: dict[tuple[str, ...], tuple[OrderSheet, Options]] = {}  # by the orders so far
        self._to_sign: tuple[str, Action] | None = None  # what was shown last, and its digest
        self._sit(game, news(player, game))
        self.cast.ground = base(self.at.legend)
        self._kept = self._on_shelf()

    def _sit(self, game: Game, since: Sequence[ReplayedEntry]) -> None:
        """Take up a state of the game, with what has happened before it."""
        self.at = Position(ActionContext(self.desk, game, self.file), since)
        self._gathered.clear()
        at = self.at
        ReadMarker(self.desk.home).note(game)
        self.staff = staff(self.desk, game, at.table, self.file.parent) if at.asked else None

    def look(self, request: Wish) -> dict[str, Any]:
        """The position with these orders carried out, what they would do, and what may be ordered besides.

        Where the rules refuse them, why; then all else is of the orders that are legal before. The page has
        the news since it came to the question.
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
        """The possible meanings of a click on units and hex beside these orders, or why none; `PbemError`."""
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
        """What the one order of an answer would draw on the map, such as the path that it takes."""
        if len(answer["options"]) != 1:
            return []
        before = [*answer.get("instead", {}).get("lines", menu.draft.lines)]
        [[words, *_]] = answer["options"]
        known = self.at.traces(Lines(sheet, tuple(before)))
        traces = self.at.traces(Lines(sheet, (*before, words)))
        return [trace for trace in traces if trace not in known]

    def _after(self, lines: Sequence[str], sheet: OrderSheet | None = None) -> tuple[OrderSheet, Options]:
        """The orders possible after these, kept once worked out. Raises `OrderError`.

        An empty sheet has then taken in what stands before the order that is refused.
        """
        if (key := tuple(lines)) not in self._gathered:
            sheet = sheet or self._sheet()
            _add(sheet, lines)
            if len(self._gathered) == MOST_GATHERED:
                self._gathered.clear()
            self._gathered[key] = sheet, Options(sheet.now, sheet.asked.seat)
        return self._gathered[key]

    def fresh(self) -> dict[str, Any]:
        """The position as it is now, for a page that has nothing yet."""
        self._stale("")
        return self.plain(0)

    def plain(self, faces: int, menu: Options | None = None) -> dict[str, Any]:
        """The data for a page that has so many faces of counters."""
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
        """The words that would be signed, with what would come of them; None where they may not be."""
        with suppress(PbemError):
            return _shown(self._act(Wish(self.at.bound, lines=list(lines))))
        return None

    def past(self, request: Looking) -> dict[str, Any]:
        """The game so far, or the part of it that the page does not have."""
        return past(self.at.game, self.at.new, self.cast, request, self.at.table.run.told)

    def weigh(self, request: Weighing) -> dict[str, Any]:
        """The effect of each of some orders after those so far; those that are refused are left out."""
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
        """The words that would be signed, and the digest by which `sign` knows them. Raises `PbemError`."""
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

        What a commander signs is his draft, and lies beside the file (FORMAT 11).
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
        if after is None:  # it waits at home
            self._sit(self.at.game, news(self.desk, self.at.game))
            return self.plain(request.faces)
        self._sit(after, after.chapters[len(self.at.game.chapters) :])
        self._kept = self._on_shelf()
        return self.plain(request.faces)

    def mail(self, request: post.Letter) -> dict[str, Any]:
        """Let the newest entries leave. Raises `PbemError`."""
        if stale := self._stale(request.bound):
            return {"stale": tr("nothing was sent: {stale}", stale=stale)}
        return post.go(self.desk, self.at.game, self.file, request)

    def undo(self, request: undoing.Undoing) -> dict[str, Any]:
        """Take back what the player has signed last; he says that nobody has got it. Raises `PbemError`."""
        if stale := self._stale(request.bound):
            return {**self.plain(request.faces), "stale": tr("{why}: nothing was undone", why=stale)}
        before, notes = undoing.undone(self.desk, self.at.game, self.file)
        self._sit(before, news(self.desk, before))
        self._kept = self._on_shelf()
        return {**self.plain(request.faces), "undone": notes}

    def plan(self, request: planning.Planning) -> dict[str, Any]:
        """Do what is asked with the player's plan, and show it. Raises `PbemError`."""
        if stale := self._stale(request.bound):
            return {"stale": stale}
        return planning.planned(self.desk, self.at.game, request)

    # What is signed

    def _sheet(self) -> OrderSheet:
        return self.at.sheet()

    def _whole(self, lines: Sequence[str]) -> Lines:
        """Orders that answer the question. Raises `OrderError`."""
        sheet = self._sheet()
        _add(sheet, lines)
        if not sheet.now.whole:
            raise OrderError(sheet.now.missing or tr("there are no orders yet"))
        return sheet.now

    def _act(self, request: Wish) -> Action:
        """The act that the page wants signed. Raises `PbemError`."""
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
        """Orders that answer the question, with those of the program as commander. Raises `OrderError`."""
        own = self._whole(request.lines)
        if not self.staff:
            return Orders(context, own.orders, request.say)
        more, signed = self.staff.completed(own.lines, own.orders)
        orders = self._whole(more).orders
        return Orders(context, orders, request.say, self.staff.signed(orders)[0], signed)

    # What has been written elsewhere since

    def _on_shelf(self) -> bytes:
        stored = self.desk.shelf.look_up(self.at.game.ids[0])
        return stored.data if stored else b""

    def _stale(self, bound: str) -> str:
        """Why a page's question is not the one that waits; empty if it is. Takes up what is newer."""
        if (data := self._on_shelf()) and data != self._kept:
            newer = self.desk.open(data)
            if newer.ids != self.at.game.ids:
                self._sit(newer, newer.chapters[len(self.at.game.chapters) :])
            self._kept = data
        if bound != self.at.bound:
            return tr("the game has gone on since this page asked; here is how it stands now")
        return ""


def _shown(action: Action) -> dict[str, list[str]]:
    """The parts of an act that a player sees before he signs it."""
    return {
        "words": [safe(line) for line in action.words],
        "told": [*map(safe, action.signed), *joined(action.effect.lines)],
    }


def _add(sheet: OrderSheet, lines: Sequence[str]) -> None:
    """Take orders in. Raises `Refused`, with what stands before it taken; `OrderError` for far too many."""
    text = "\n".join(lines)
    if (number := len(split(text))) > MOST_ORDERS:
        raise OrderError(tr("{number} orders are too many: at most {most}", number=number, most=MOST_ORDERS))
    sheet.add(text)
