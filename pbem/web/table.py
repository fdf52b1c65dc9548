"""A player's place at the board in a browser: what his page may ask, and the answers as plain data.

The page keeps the orders so far as a list of lines and sends it whole: here it is judged anew, by the code
that judges typed orders (`desk/gathering.py`). Nothing is signed but what `confirm` has shown last, and only
if the page names it by its digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from pbem.core.requests import Ask, Orders, Plain
from pbem.core.sealing import Open
from pbem.desk import Desk
from pbem.desk.clock import claim
from pbem.desk.gathering import Draft, Gathering, Refused
from pbem.desk.practice import save_and_go_on
from pbem.desk.takeback import may_be_taken_back
from pbem.desk.trial import trial
from pbem.desk.words import Words
from pbem.errors import NotYourMove, OrderError
from pbem.journal.canonical import canonical
from pbem.render.words import named
from pbem.report import awaited, news, recent, with_its_end
from pbem.umpire import Chapter, Game, seated, write
from pbem.umpire.table import Table
from pbem.web.rulings import refusal
from pbem.web.scene import Cast, Telling, shown

UNWRAPPED = 100_000
"""Columns of a line that the browser breaks."""

Act: TypeAlias = Literal["orders", "share", "draw", "takeback", "yes", "no", "resign"]
"""What an entry of the player's may be."""


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
        self._since: Sequence[Chapter] = news(game, desk.key)
        self._to_sign: ToSign | None = None
        self._kept = b""
        self._sit(game)

    def _sit(self, game: Game) -> None:
        """Take up a state of the game."""
        self.game = game
        self.table: Table = seated.unlock(game, self.desk.key)
        self.legend = game.rules.view.legend(self.table.run.state)
        self.bound = sha256(
            f"{game.ids[-1]} {self.table.asked and self.table.asked.question}".encode()
        ).hexdigest()

    @property
    def asked(self) -> bool:
        """Whether orders are asked of the player, other than to open what he has sealed."""
        asked = self.table.asked
        return isinstance(asked, Ask) and not isinstance(asked, Open) and self.acts[:1] == ["orders"]

    @property
    def acts(self) -> list[Act]:
        """What the player may sign now."""
        key, game = self.desk.key, self.game
        if game.table.writer not in seated.held(game, key) or len(game.table.known) < 2:
            return []
        if game.table.proposal:
            return ["yes", "no", "resign"]
        if seated.owes_no_decision(game, key):
            return ["share", "resign"]
        return ["orders", "draw", "takeback", "resign"]

    def look(self, wish: Wish) -> dict[str, Any]:
        """The position with these orders carried out, what they would do, and what may be ordered besides.

        Where the rules refuse them, why; then all else is of the orders that are legal before.
        """
        if stale := self._stale(wish.bound):
            return {**self._state([], None, wish.faces), "stale": stale}
        return self._judged(wish)

    def confirm(self, wish: Wish) -> dict[str, Any]:
        """The words that would be signed, and the digest by which `sign` knows them. Raises `PbemError`."""
        self._to_sign = None
        if stale := self._stale(wish.bound):
            return {**self._state([], None, wish.faces), "stale": stale}
        if wish.act not in self.acts:
            raise NotYourMove(f"that cannot be signed now: {awaited(self.table)}")
        draft = self._whole(wish.lines) if wish.act == "orders" else None
        orders = draft.orders if draft else []
        words = self.game.rules.view.write_words(orders) if draft else [self._words(wish)]
        say = "" if wish.act == "share" else self._say(wish.say)
        shown: Plain = {
            "bound": self.bound,
            "act": wish.act,
            "orders": orders,
            "entry": wish.entry,
            "say": say,
        }
        digest = sha256(canonical(shown)).hexdigest()
        self._to_sign = ToSign(digest, wish.act, orders, wish.entry, say)
        told = joined(draft.told) if draft else []
        return {"digest": digest, "words": words, "told": told, "say": say.splitlines()}

    def sign(self, bound: str, digest: str, faces: int) -> dict[str, Any]:
        """Sign and save what was shown last, and let a practice opponent answer. Raises `PbemError`."""
        shown, self._to_sign = self._to_sign, None
        if stale := self._stale(bound):
            return {**self._state([], None, faces), "stale": f"{stale}: nothing was signed"}
        if shown is None or shown.digest != digest:
            raise NotYourMove("these are not the words that were shown last: nothing was signed")
        before = self.game
        self._sit(save_and_go_on(self.desk, self._written(shown), self.file))
        self._kept = self._on_shelf()
        self._since = self.game.chapters[len(before.chapters) :]
        return self._state([], None, faces)

    # What is signed

    def _whole(self, lines: Sequence[str]) -> Draft:
        """Orders that answer the question. Raises `OrderError`."""
        gathering = Gathering(self.game, self.table)
        gathering.add("\n".join(lines))
        if not gathering.now.whole:
            raise OrderError(gathering.now.missing or "found no orders, expected some")
        return gathering.now

    def _words(self, wish: Wish) -> str:
        """What an act other than orders says."""
        match wish.act:
            case "share":
                return f"Pass on what you owe: {awaited(self.game.table)}"
            case "draw":
                return "Propose a draw"
            case "takeback":
                return f"Propose to go back to entry {wish.entry}"
            case "resign":
                return f"Give up {self.game.rules.title}"
        proposal = self.game.table.proposal
        assert proposal is not None
        return f"{'Agree to' if wish.act == 'yes' else 'Refuse'} {proposal.words()}"

    def _say(self, say: str) -> str:
        """The player's words, after those that have waited. Raises `PbemError`."""
        return Words(self.desk.home).joined(self.game, self.desk.key, say)

    def _written(self, shown: ToSign) -> Game:
        """The game with the entry that was shown. Raises `PbemError`."""
        game, key, said = self.game, self.desk.key, claim(shown.say)
        match shown.act:
            case "orders":
                return write.play(game, key, shown.orders, claim=said)
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

    # What is shown

    def _judged(self, wish: Wish) -> dict[str, Any]:
        if not self.asked:
            return self._state([], None, wish.faces)
        gathering = Gathering(self.game, self.table)
        refused: dict[str, Any] = {}
        try:
            gathering.add("\n".join(wish.lines))
        except Refused as error:
            told = with_its_end(self.game, self.table.run.told, error.error)
            refused = {"refused": {**refusal(self.game.rules, told), "line": error.left}}
        now = gathering.now
        return {**self._state(list(now.lines), now, wish.faces), **refused}

    def _state(self, lines: list[str], draft: Draft | None, faces: int) -> dict[str, Any]:
        """All that a page shows."""
        if draft is None and self.asked:
            draft = Gathering(self.game, self.table).now
        legend = draft.legend if draft else self.legend
        now = shown(self.cast, legend, awaited(self.table))
        width = UNWRAPPED
        return {
            "bound": self.bound,
            "seat": self.table.asked.seat if draft and self.table.asked else "",
            "acts": self.acts,
            "lines": lines,
            "missing": draft.missing if draft else "",
            "whole": bool(draft and draft.whole),
            "told": joined(draft.told) if draft else [],
            "further": list(draft.further) if draft else [],
            "chances": self._chances() if draft and not lines else {},
            "shown": now,
            "done": self._traces(draft),
            "faces": {"first": faces, "all": self._faces(faces), "drawn": self.cast.faces.symbols(faces)},
            "news": [line.strip() for line in recent(self.game, self._since, self.table.run.told, width)],
            "backs": may_be_taken_back(self.game, self.desk.key) if "takeback" in self.acts else [],
            "proposal": self._proposal(),
            "over": self.game.table.ending is not None,
        }

    def _faces(self, first: int) -> list[list[str]]:
        """Of each face, from a number on: in words, the counter's name, whose it is."""
        pairs = zip(self.cast.words, self.cast.pieces, strict=True)
        return [[words, piece.name, piece.side] for words, piece in list(pairs)[first:]]

    def _chances(self) -> dict[str, str]:
        """The chance of each attack that may be ordered, by how it is typed."""
        assert self.table.asked is not None
        return {one.words: f"{float(one.hit):.0%}" for one in self.game.rules.view.odds(self.table.asked)}

    def _traces(self, draft: Draft | None) -> list[Any]:
        """What the orders leave on the map, up to the first card or die."""
        if not draft or not draft.whole:
            return []
        told = Telling(self.game, self.legend)
        return [trace for tell in trial(self.table, draft.orders)[0] for trace in told.of(tell)]

    def _proposal(self) -> str:
        proposal = self.game.table.proposal
        if not proposal or "yes" not in self.acts:
            return ""
        return f"{named(self.game.seats[proposal.by].name)} proposes {proposal.words()}"

    # What others have done since

    def _on_shelf(self) -> bytes:
        kept = self.desk.shelf.look_up(self.game.ids[0])
        return kept.data if kept else b""

    def _stale(self, bound: str) -> str:
        """Why a page's question is not the one that waits; empty if it is. Takes up what is newer."""
        if (data := self._on_shelf()) and data != self._kept:
            found = self.desk.open(data)
            if found.ids != self.game.ids:
                self._since = found.chapters[len(self.game.chapters) :]
                self._sit(found)
            self._kept = data
        if bound and bound != self.bound:
            return "the game has gone on since this page asked; here is how it stands now"
        return ""


def joined(lines: Sequence[str]) -> list[str]:
    """Lines that were broken for a terminal, whole again: what stands farther in goes on."""
    whole: list[str] = []
    for line in lines:
        if line.startswith(" " * 8) and whole:
            whole[-1] += f" {line.strip()}"
        else:
            whole.append(line.strip())
    return whole
