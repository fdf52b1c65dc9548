"""A player's place at the board in a browser: what his page may ask, and the answers as plain data.

The page keeps the orders so far as a list of lines and sends it whole: here it is judged anew, by the code
that judges typed orders (`desk/gathering.py`). Nothing is signed but what `confirm` has shown last, and only
if the page names it by its digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.core.requests import Orders, Plain
from pbem.desk import Desk
from pbem.desk.clock import claim
from pbem.desk.drafts import keep_own
from pbem.desk.gathering import Draft, Gathering, Refused, split
from pbem.desk.practice import save_and_go_on
from pbem.desk.staff import staff
from pbem.desk.takeback import openings
from pbem.desk.words import Words
from pbem.errors import NotYourMove, OrderError
from pbem.journal.canonical import canonical
from pbem.render.words import named, safe
from pbem.report import awaited, news, with_its_end
from pbem.texts import Texts
from pbem.umpire import Chapter, Game, write
from pbem.umpire.drafts import draft
from pbem.web import planning, post
from pbem.web.position import Act, Position, joined
from pbem.web.rulings import refusal
from pbem.web.scene import Cast

tr = Texts("pbem")

MOST_ORDERS = 500
"""How many orders a list may have: far more than any game has counters."""


MOST_WEIGHED = 40
"""How many orders are weighed at a time."""


class Wish(Struct, frozen=True, forbid_unknown_fields=True):
    """What a page asks: orders so far, or what it would have signed; `bound` is the question that it shows.

    `entry` is where a take-back goes to, `say` words to the opponent, `faces` how many faces of counters the
    page has.
    """

    bound: str
    act: Act = "orders"
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


class ToSign(Struct, frozen=True):
    """What was shown last, to be signed as it is: its digest, the act, and what of it goes into the entry."""

    digest: str
    act: Act
    orders: Orders = []
    entry: int = 0
    say: str = ""


class Sitting:
    """One game at a board. Not for two threads at once."""

    def __init__(self, desk: Desk, game: Game, file: Path) -> None:
        self.desk = desk
        self.file = file
        self.cast = Cast()
        self._to_sign: ToSign | None = None
        self._sit(game, news(game, desk.key))
        self._kept = self._on_shelf()

    def _sit(self, game: Game, since: Sequence[Chapter]) -> None:
        """Take up a state of the game, with what has happened before it."""
        self.at = Position(game, self.desk.key, since)
        at = self.at
        self.staff = staff(self.desk, game, at.table, self.file.parent) if at.asked else None

    def look(self, wish: Wish) -> dict[str, Any]:
        """The position with these orders carried out, what they would do, and what may be ordered besides.

        Where the rules refuse them, why; then all else is of the orders that are legal before.
        """
        if stale := self._stale(wish.bound):
            return {**self.plain(wish.faces), "stale": stale}
        if not self.at.asked:
            return self.plain(wish.faces)
        gathering, refused = self._gathering(), {}
        try:
            _add(gathering, wish.lines)
        except Refused as error:
            told = with_its_end(self.at.game, self.at.table.run.told, error.error)
            refused = {"refused": {**refusal(self.at.game.rules, told), "line": safe(error.left)}}
        return {**self.plain(wish.faces, gathering.now), **refused}

    def fresh(self) -> dict[str, Any]:
        """The position as it is now, for a page that has nothing yet."""
        self._stale("")
        return self.plain(0)

    def plain(self, faces: int, draft: Draft | None = None) -> dict[str, Any]:
        """All that a page shows that has so many faces of counters."""
        plain = self.at.plain(self.cast, faces, draft)
        own = draft.orders if draft else []
        words = self.staff.words(own) if self.staff and not self.at.post else []
        shared = {"staff": self.staff.told() if self.staff else [], "drafts": words}
        return {**plain, **shared, "post": post.due(self.desk, self.at.game)}

    def weigh(self, wish: Weighing) -> dict[str, Any]:
        """What each of some orders would do after those so far; those that are refused are left out."""
        told: dict[str, list[str]] = {}
        for order in wish.orders[:MOST_WEIGHED] if wish.bound == self.at.bound and self.at.asked else []:
            gathering = self._gathering()
            with suppress(OrderError):
                _add(gathering, wish.lines)
                before = gathering.now
                _add(gathering, [order])
                told[order] = joined(gathering.now.beyond(before))
        return {"told": told}

    def confirm(self, wish: Wish) -> dict[str, Any]:
        """The words that would be signed, and the digest by which `sign` knows them. Raises `PbemError`."""
        self._to_sign = None
        if stale := self._stale(wish.bound):
            return {**self.plain(wish.faces), "stale": stale}
        if wish.act not in self.at.acts:
            waiting = awaited(self.at.table)
            raise NotYourMove(tr("that cannot be signed now: {waiting}", waiting=waiting))
        draft, signed = self._completed(wish.lines) if wish.act == "orders" else (None, [])
        orders = draft.orders if draft else []
        words = self.at.game.rules.view.write_words(orders) if draft else [self._words(wish)]
        say = "" if wish.act == "share" or self.at.post else self._say(wish.say)
        entry = wish.entry if wish.act == "takeback" else 0
        named: Plain = [self.at.bound, wish.act, orders, entry, say]
        self._to_sign = ToSign(sha256(canonical(named)).hexdigest(), wish.act, orders, entry, say)
        return {
            "digest": self._to_sign.digest,
            "words": [safe(line) for line in words],
            "told": [*map(safe, signed), *joined(draft.told)] if draft else self._minded(wish),
            "say": [safe(line) for line in say.splitlines()],
        }

    def sign(self, word: Signature) -> dict[str, Any]:
        """Sign and save what was shown last, and let a practice opponent answer. Raises `PbemError`.

        What a commander signs is his draft, and lies beside the file (FORMAT 11).
        """
        shown, self._to_sign = self._to_sign, None
        if stale := self._stale(word.bound):
            return {**self.plain(word.faces), "stale": tr("{stale}: nothing was signed", stale=stale)}
        if shown is None or shown.digest != word.digest:
            raise NotYourMove(tr("these are not the words that were shown last: nothing was signed"))
        if at := self.at.post:
            made = draft(self.at.game, self.desk.key, shown.orders)
            place = keep_own(self.desk, self.at.game, made, self.file.parent)
            lead = named(self.at.game.seats[at.seat].name)
            drafted = tr("Mail {file} to {name}.", file=safe(place.name), name=lead)
            return {**self.plain(word.faces), "drafted": drafted}
        before = self.at.game
        after = save_and_go_on(self.desk, self._written(shown), self.file)
        self._sit(after, after.chapters[len(before.chapters) :])
        self._kept = self._on_shelf()
        return self.plain(word.faces)

    def mail(self, letter: post.Letter) -> dict[str, Any]:
        """Let the newest entries leave. Raises `PbemError`."""
        if stale := self._stale(letter.bound):
            return {**self.plain(0), "stale": tr("{stale}: nothing was sent", stale=stale)}
        return post.go(self.desk, self.at.game, self.file, letter)

    def plan(self, wish: planning.Planning) -> dict[str, Any]:
        """Do what is asked with the player's plan, and show it. Raises `PbemError`."""
        if stale := self._stale(wish.bound):
            return {**self.plain(0), "stale": stale}
        return planning.planned(self.desk, self.at.game, wish)

    # What is signed

    def _gathering(self) -> Gathering:
        return self.at.gathering()

    def _whole(self, lines: Sequence[str]) -> Draft:
        """Orders that answer the question. Raises `OrderError`."""
        gathering = self._gathering()
        _add(gathering, lines)
        if not gathering.now.whole:
            raise OrderError(gathering.now.missing or tr("found no orders, expected some"))
        return gathering.now

    def _completed(self, lines: Sequence[str]) -> tuple[Draft, list[str]]:
        """Orders that answer the question, with those of the program as commander, and what it has signed."""
        own = self._whole(lines)
        if not self.staff or self.at.post:
            return own, []
        more, signed = self.staff.completed(own.lines, own.orders)
        return self._whole(more), signed

    def _words(self, wish: Wish) -> str:
        """What an act other than orders says."""
        match wish.act:
            case "share":
                return tr("Pass on what you owe: {owed}", owed=awaited(self.at.game.table))
            case "draw":
                return tr("Propose a draw")
            case "takeback":
                return tr("Propose to go back to entry {entry}", entry=wish.entry)
            case "resign":
                return tr("Give up {title}", title=self.at.game.rules.title)
        proposal = self.at.game.table.proposal
        assert proposal is not None
        match wish.act, proposal.entry:
            case "yes", None:
                return tr("Agree to a draw")
            case "yes", entry:
                return tr("Agree to go back to entry {entry}", entry=entry)
            case _, None:
                return tr("Refuse a draw")
            case _, entry:
                return tr("Refuse to go back to entry {entry}", entry=entry)

    def _minded(self, wish: Wish) -> list[str]:
        """What the player may not have thought of where a move is taken back."""
        proposal = self.at.game.table.proposal
        agreed = proposal.entry if proposal and wish.act == "yes" else None
        entry = wish.entry if wish.act == "takeback" else agreed
        return (
            []
            if entry is None
            else [tr("Mind: {warning}", warning=warning) for warning in openings(self.at.game, entry)]
        )

    def _say(self, say: str) -> str:
        """The player's words, after those that have waited. Raises `PbemError`."""
        return Words(self.desk.home).joined(self.at.game, self.desk.key, say)

    def _written(self, shown: ToSign) -> Game:
        """The game with the entry that was shown. Raises `PbemError`."""
        game, key, said = self.at.game, self.desk.key, claim(shown.say)
        match shown.act:
            case "orders":
                parts = self.staff.parts(shown.orders) if self.staff else ()
                return write.play(game, key, shown.orders, claim=said, parts=parts)
            case "share":
                return write.play(game, key)
            case "draw":
                return write.propose(game, key, {"draw": True}, claim=said)
            case "takeback":
                return write.propose(game, key, {"takeback": shown.entry}, claim=said)
            case "yes" | "no":
                return write.answer(game, key, shown.act == "yes", claim=said)
            case "resign":
                return write.resign(game, key, claim=said)

    # What has been written elsewhere since

    def _on_shelf(self) -> bytes:
        kept = self.desk.shelf.look_up(self.at.game.ids[0])
        return kept.data if kept else b""

    def _stale(self, bound: str) -> str:
        """Why a page's question is not the one that waits; empty if it is. Takes up what is newer."""
        if (data := self._on_shelf()) and data != self._kept:
            found = self.desk.open(data)
            if found.ids != self.at.game.ids:
                self._sit(found, found.chapters[len(self.at.game.chapters) :])
            self._kept = data
        if bound != self.at.bound:
            return tr("the game has gone on since this page asked; here is how it stands now")
        return ""


def _add(gathering: Gathering, lines: Sequence[str]) -> None:
    """Take orders in. Raises `Refused`, with what stands before it taken; `OrderError` for far too many."""
    text = "\n".join(lines)
    if (found := len(split(text))) > MOST_ORDERS:
        raise OrderError(tr("found {number} orders, expected at most {most}", number=found, most=MOST_ORDERS))
    gathering.add(text)
