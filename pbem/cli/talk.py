"""The talk over one question: orders typed one by one, with map and question in view, until they are signed.

What is typed is an order, or a command of `verbs`. The screen keeps together: when the map would go off its
top, it is drawn anew, with the orders so far carried out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from pbem.cli.editor import Editor
from pbem.cli.orders import marked, unit_of
from pbem.cli.terminal import colour, put_board, put_lines, room
from pbem.cli.verbs import TYPED, commands, help_lines, own
from pbem.core.legend import Cell, Legend, Margin
from pbem.core.phrases import MOST_NAMED
from pbem.core.requests import Orders, Plain
from pbem.desk.choices import grouped, odds_lines
from pbem.desk.gathering import Draft, Gathering, Refused, following
from pbem.errors import IllegalOrder, NotUnderstood, OrderError
from pbem.render.roster import explained
from pbem.render.screen import Drawn, mentioned, screen
from pbem.render.words import fitted, safe, wrap
from pbem.report import with_its_end
from pbem.texts import Texts, plain
from pbem.umpire import Game
from pbem.umpire.table import Table

if TYPE_CHECKING:
    from pbem.desk.staff import Staff
    from pbem.umpire.drafts import Post

tr = Texts("pbem")

TALK, LITTLE = 7, 4
"""Lines of the screen that are left below map and question for what is typed and told; where the whole map
needs more of them, the least."""

LEAST = 16
"""Lines that the map has at least where there is room for them, however much there is to tell above it."""

FEW = 30
"""So many hexes that are told of, or that orders may name, are where things happen; more are everywhere."""


class Talk:
    """The talk over the question that waits.

    `news` are the lines that tell what has happened before it, `happened` the facts of it, for the map;
    `plan` gives the orders of the player's plan as typed, or the lines that say why it has none, and first
    does what the words behind it say; `results` are the lines of what came of the player's own orders, which
    are told last where the news are long;
    `staff` are the commanders of his side, if it has some; `at` is where he is one himself.
    """

    def __init__(
        self,
        game: Game,
        table: Table,
        editor: Editor,
        news: Sequence[str],
        happened: Sequence[Plain],
        plan: Callable[[str], tuple[str, list[str]]],
        results: Sequence[str] = (),
        staff: Staff | None = None,
        at: Post | None = None,
    ) -> None:
        self.game = game
        self.editor = editor
        self.news = list(news)
        self.gathering = Gathering(game, table, at)
        self.happened = happened
        self.plan = plan
        self.results = list(results)
        self.staff = staff
        self.commands = commands(shared=staff is not None)
        self._below = self._drawn = 0
        self._read = 0  # lines of the news that have been told again
        self._last: Orders = []  # what was ordered last
        self._left = ""  # what stands on the line, to be changed
        self._refused: Refused | None = None  # why, if it was refused

    def orders(self) -> Orders | None:
        """Orders that are legal and confirmed; None if the player quits. Raises `typer.Abort`."""
        news = self.news
        if len(_fitted(news)) > get_terminal_size().lines - LEAST and self.results:
            news = [*news, tr("What came of your orders:"), *self.results]
        self._put(news)
        self._draw(len(_fitted(news)))
        signed, text = False, ""
        while not signed:
            text = text or self._line()
            word, _, rest = text.partition(" ")
            command = self._command(word)
            if command == "quit":
                return None
            if command == "back":
                before = self.gathering.now
                self._left = self.gathering.undo()
                self._tell_change(before, [])
            elif command == "plan":
                self._ask_plan(rest.strip())
            elif command == "drafts":
                self._ask_staff()
            elif command:
                self._obey(command, rest.strip())
            elif text:
                self._take(text)
            ready = not text or not (command or self._left or self.gathering.now.further)
            signed, text = self._finished() if ready else (False, "")
        return self.gathering.now.orders

    def _line(self) -> str:
        """What is typed: a line, or a command instead of the part of a refused line that is to be changed."""
        refused, left = self._refused, self._left
        self._refused, self._left = None, ""
        marked = refused.word if refused else None
        text = self.editor.line(self._prompt(), self._following, left, marked).strip()
        self._below += 1
        typed = refused.instead(text) if refused else ""
        command = self._command(typed.partition(" ")[0])
        return typed if command or self.gathering.begins_anew(text, typed) else text

    def _take(self, text: str) -> None:
        """Take orders in, and tell what they would do; what is refused goes back to the line."""
        before = self.gathering.now
        refused: list[str] = []
        try:
            self.gathering.add(text)
        except Refused as refusal:
            self._refused, self._left = refusal, refusal.left
            refused = self._refusal(refusal.error)
        now = self.gathering.now
        self._last = [order for order in now.orders if order not in before.orders]
        self._tell_change(before, [*now.beyond(before), *(refused or _still(now))])

    def _tell_change(self, before: Draft, told: Sequence[str]) -> None:
        """Tell what orders do, or that they are taken back, below a map that has them as they are."""
        if _places(self.gathering.now) != _places(before):
            self._draw(0, below=len(_fitted(told)))
        self._tell(told)

    def _ask_plan(self, words: str) -> None:
        """Take in the orders of the plan, in place of others, or tell why it gives none."""
        orders, reasons = self.plan(words)
        if not orders:
            self._tell(reasons)
            return
        self.gathering.clear()
        self._take(orders)

    def _ask_staff(self) -> None:
        """Take in what commanders have signed, behind the orders so far, and tell who is missing."""
        assert self.staff is not None
        self._tell(self.staff.told())
        if orders := self.staff.words(self.gathering.now.orders):
            self._take("; ".join(orders))

    def _finished(self) -> tuple[bool, str]:
        """Whether the orders answer the question and the player signs them; and what he says instead."""
        before = self.gathering.now
        if self.staff and (signed := self.staff.complete(self.gathering)):
            self._tell_change(before, signed)
        now = self.gathering.now
        if not now.lines:
            self._tell([tr("No orders yet. Tab completes; {help} tells more.", help=own("help"))])
        elif now.missing:
            self._tell(_still(now))
        else:
            self._tell([tr("Orders: {orders}", orders=now.words)])
            self._below += 1
            return self.editor.confirm(tr("Sign and write it?"))
        return False, ""

    def _obey(self, word: str, rest: str) -> None:
        """Do what a command says."""
        asked, before = self.gathering.asked, self.gathering.now
        try:
            match word:
                case "help":
                    self._tell(help_lines(self.commands))
                case "map" if tr.meant(rest, TYPED) == "all":
                    put_board(self.gathering.now.legend)
                    self._below = get_terminal_size().lines  # the map is gone, and comes with the next order
                case "map":
                    self._around(rest)
                case "moves":
                    self._moves(unit_of(self.game, asked, rest) if rest else "")
                case "odds":
                    unit = unit_of(self.game, asked, rest) if rest else ""
                    self._tell(odds_lines(self.game, asked, unit) or [tr("no attack may be ordered now")])
                case "rules":
                    self._rules(rest)
                case "news":
                    self._tell_news()
                case "undo":
                    undone = self.gathering.undo()
                    self._last = []
                    self._tell_change(before, [_taken_back(undone)])
                case "orders":
                    self._tell_orders()
                case "clear":
                    self.gathering.clear()
                    said = tr("All orders are taken back; {undo} brings them again.", undo=own("undo"))
                    self._tell_change(before, [said])
        except OrderError as error:
            self._tell(self._refusal(error))

    def _around(self, rest: str) -> None:
        """Draw the map around a hex or a unit, if one is named."""
        cells = self.gathering.now.legend.cells
        found = [
            cell.number
            for cell in cells
            if rest.lower() in (cell.number, *(piece.name.lower() for piece in cell.pieces))
        ]
        if rest and not found:
            problem = tr("'{word}' is no hex of the map and no unit on it", word=safe(rest))
            self._tell([f"{tr('error')}: {problem}"])
        else:
            self._draw(0, found)

    def _moves(self, unit: str) -> None:
        """What may be ordered; of one unit under the map of its reach, as long as it may be ordered."""
        phrases = self._phrases(unit)
        lines = _fitted(grouped(phrases, room()[0]) or [tr("nothing")])
        if unit and phrases:
            now = self.gathering.now
            named = {word for phrase in phrases for word in phrase.split()}
            legend, figures = marked(self.game, self.gathering.asked, unit, now.legend)
            near = [*mentioned(legend, unit), *(at for at in figures if at in named)]
            self._draw(0, near, legend, len(lines))
        self._tell(lines)

    def _rules(self, rest: str) -> None:
        """What `pbem rules` says about the game, and the key of the map about the words."""
        from pbem.cli.app import run  # here, because it is the program itself

        run(["rules", self.game.rules.name, *rest.split()])
        self._put(explained(self.gathering.now.legend, rest.split(), room()[0]))
        self._below = get_terminal_size().lines

    def _tell_news(self) -> None:
        """What has happened, as much of it as the screen holds, from where it was left."""
        lines = _fitted(self.news) or [tr("nothing since your last move")]
        most = max(get_terminal_size().lines - 3, 1)  # prompt, toolbar, and how much is left
        page = lines[self._read : self._read + most]
        left = len(lines) - self._read - len(page)
        self._read = self._read + most if left else 0
        more = tr.plural(
            "({number} line more: {news})", "({number} lines more: {news})", left, news=own("news")
        )
        self._tell([*page, *([more] if left else [])])

    def _tell_orders(self) -> None:
        """The orders so far, all that they would do, and what is missing."""
        now = self.gathering.now
        orders = [f"{number:>3}  {line}" for number, line in enumerate(now.lines, 1)]
        self._tell([*(orders or [tr("No orders yet.")]), *now.told, *_still(now)])

    def _prompt(self) -> str:
        number = len(self.gathering.now.lines) + 1
        return tr("Order: ") if number == 1 else tr("Order {number}, or Return: ", number=number)

    def _following(self, text: str) -> tuple[str, list[str]]:
        """How a line may go on: as an order that is legal now, or at its beginning as a command."""
        begun, words = following(self.gathering.now.further, text)
        command, blank, _ = text.lstrip().partition(" ")
        if words:
            return begun, words
        if not blank:
            words = [
                name for name in map(own, self.commands) if begun and plain(name).startswith(plain(begun))
            ]
        elif self._command(command) in ("moves", "odds"):
            words = [name for name in self._actors() if name.lower().startswith(begun)]
        elif self._command(command) == "plan":
            words = [word for word in self._planned(text, begun) if plain(word).startswith(plain(begun))]
        return begun, words

    def _planned(self, text: str, begun: str) -> list[str]:
        """What may be said to the plan, behind what stands before the word that is begun."""
        from pbem.desk.plan_ready import going_on  # here, because few have a plan

        _, *said = text[: len(text) - len(begun)].split()
        off = [] if said else [own("off")]
        return [
            *off,
            *going_on(said, self._actors(), [cell.number for cell in self.gathering.now.legend.cells]),
        ]

    def _command(self, word: str) -> str:
        """Which command a line begins with; empty if none: what the game itself calls an order is one."""
        verbs = {phrase.split()[0] for phrase in self.gathering.now.further}
        name = "help" if word == "?" else tr.meant(word, self.commands)
        return name if name in self.commands and word not in verbs else ""

    def _phrases(self, unit: str) -> list[str]:
        """What may be ordered now, of one unit or of all."""
        return [one for one in self.gathering.now.further if not unit or unit in one.split()]

    def _actors(self) -> list[str]:
        """The units of the asked side that may be ordered to do something."""
        legend = self.gathering.now.legend
        words = {word for phrase in self.gathering.now.further for word in phrase.split()}
        places: list[Cell | Margin] = [*legend.cells, *legend.margins]
        pieces = (piece for place in places for piece in place.pieces)
        return [one.name for one in pieces if one.side == self.gathering.asked.seat and one.name in words]

    # The screen

    def _put(self, lines: Sequence[str]) -> None:
        """Print lines, and count those that they take."""
        if lines:
            shown = _fitted(lines)
            put_lines(shown)
            self._below += len(shown)

    def _tell(self, lines: Sequence[str]) -> None:
        """Print lines below the map. Where they would push it off the screen, it is drawn anew before them.

        More lines than there is room for below it are printed all the same.
        """
        taken, rows = len(_fitted(lines)) + 2, get_terminal_size().lines  # 2: prompt and toolbar
        if self._below + taken > rows and self._drawn + taken <= rows:
            self._draw(0, below=taken - 2)
        self._put(lines)

    def _refusal(self, error: OrderError) -> list[str]:
        """What is wrong, and the hint; of a unit that is gone, since when. The line marks the wrong word."""
        error = with_its_end(self.game, self.gathering.table.run.told, error)
        hint = error.hint
        if isinstance(error, NotUnderstood) and not error.guessed:
            before = error.text[: error.start] if error.start < len(error.text) else f"{error.text} "
            _, words = following(self.gathering.now.further, before)
            if 0 < len(words) <= MOST_NAMED:  # what is legal now tells more than all that the game has
                hint = tr("expected {what}", what=", ".join(words))
        elif isinstance(error, IllegalOrder) and not hint:
            hint = f"{own('rules')} {error.rule}"
        told = [f"{tr('error')}: {safe(str(error))}"]
        return [*told, tr("hint: {hint}", hint=safe(hint))] if hint else told

    def _draw(
        self, above: int, first: Sequence[str] = (), legend: Legend | None = None, below: int = 0
    ) -> None:
        """Draw the map where things happen, and the question under it, between so many lines.

        `first` are hexes that are wanted before all others, `legend` another map than that of the orders.
        """
        width, _ = room()
        asked = self.gathering.asked
        legend = legend or self.gathering.now.legend
        question = wrap(safe(self.game.rules.view.prompt(asked)), width, indent=2).splitlines()
        rows = get_terminal_size().lines - len(question)
        focus, first = self._focus(), first or self._foremost()

        def drawn_above(talk: int) -> Drawn:
            kept = max(talk, min(below + 2, rows - LEAST))  # 2: prompt and toolbar
            height = max(min(rows - kept, max(rows - above - 2, LEAST)), 1)
            return screen(legend, width, height, focus, first, colour=colour(False))

        found = drawn_above(TALK)
        higher = found if found.whole_map else drawn_above(LITTLE)
        drawn = (higher if higher.whole_map else found).lines
        put_lines([*drawn, *question])
        self._below = self._drawn = len(drawn) + len(question)

    def _focus(self) -> list[str]:
        """The hexes where things happen: of orders, of units that may act, and of what was or may be told.

        What names too many says nothing of where.
        """
        now = self.gathering.now
        ordered = [word for phrase in now.further for word in phrase.split()]
        parts = [mentioned(now.legend, told) for told in (self.happened, ordered)]
        acting = mentioned(now.legend, [now.orders, self._actors()])
        return [*acting, *(at for part in parts if len(part) <= FEW for at in part)]

    def _foremost(self) -> list[str]:
        """The hexes that must not be missing: of the last orders, and of what must be ordered besides.

        Without any those of the units that may act, or of what has happened, whichever says where.
        """
        now = self.gathering.now
        due = re.findall(r"[\w*-]+", f"{self.game.rules.view.prompt(self.gathering.asked)} {now.missing}")
        obliged = mentioned(now.legend, [self._last, due])
        parts = [obliged, mentioned(now.legend, self._actors()), mentioned(now.legend, self.happened)]
        return next((part for part in parts if 0 < len(part) <= FEW), [])


def _still(draft: Draft) -> list[str]:
    """What is still to be ordered, if anything must be."""
    return [tr("Still to do: {what}", what=safe(draft.missing))] if draft.missing else []


def _places(draft: Draft) -> tuple[object, ...]:
    """What stands where."""
    return draft.legend.cells, draft.legend.margins


def _fitted(lines: Sequence[str]) -> list[str]:
    """Lines, broken where the terminal ends."""
    return fitted("\n".join(lines), room()[0]) if lines else []


def _taken_back(undone: str) -> str:
    """What `undo` says, of what it has taken back."""
    if not undone:
        return tr("No orders yet.")
    return tr("Taken back: {orders}", orders=undone)
