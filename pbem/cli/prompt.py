"""The prompt for one question: orders typed one by one, with map and question in view, until they are signed.

Each line is an order or one of `prompt_commands`, in English or in the player's language. When the map would
scroll off the top of the screen, it is drawn again with the effect of the orders so far.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, NamedTuple

from pbem.base.language import OPTION
from pbem.cli.app import run
from pbem.cli.legal_moves import advice_lines, mark_placements, mark_unit_reach, parse_unit
from pbem.cli.line_editor import Editor
from pbem.cli.overlays import OVERLAYS, overlay_commands, prompt_overlay
from pbem.cli.prompt_screen import LEAST_MAP_LINES, Overview, unit_places, wrap_lines
from pbem.cli.terminal import ask_for_yes_or_no, parse_yes_no, printable_size
from pbem.core.phrases import MOST_NAMED, split_orders
from pbem.core.requests import Orders, Plain
from pbem.errors import IllegalOrder, NotUnderstood, OrderError, StorageError
from pbem.lookalikes import plain_letters
from pbem.player.order_preview import describe_attacks, group_orders
from pbem.player.order_sheet import OrderList, OrderSheet, OrdersRefused, complete_order, why_unable
from pbem.player.plans.ready_made import complete_plan, usable_plans
from pbem.render.ascii_picture import explain_key
from pbem.render.safe_text import WIDTH, keeping_accents, safe_text, wrap
from pbem.render.screen import mentioned_hexes
from pbem.render.story import explain_departure
from pbem.texts import Texts, spoken
from pbem.umpire.game_state import Game, GameState

if TYPE_CHECKING:
    from pbem.player.commanders import Commanders
    from pbem.umpire.drafts import CommanderSeat


tr = Texts("pbem")


TYPED = (
    "help",
    "map",
    "moves",
    "odds",
    "rules",
    "plan",
    "news",
    "orders",
    "undo",
    "back",
    "clear",
    "quit",
    "drafts",
    "zones",
    "supply",
    "threats",
    "hint",
    "all",
    "off",
)
"""The commands, and the words that some of them take."""


def prompt_commands(*, shared: bool, beside: Collection[str] = ()) -> dict[str, str]:
    """The commands with what they do; `shared`: the side has commanders; `beside`: see `overlay_commands`."""
    word = {name: tr.own(name) for name in TYPED}
    found = {
        "help": tr("this list"),
        "map": tr(
            "the map with your orders so far; {map} {all} for the whole map, {map} UNIT or HEX for one place",
            map=word["map"],
            all=word["all"],
        ),
        "moves": tr(
            "what you can order now; {moves} UNIT for one unit, with its reach on the map",
            moves=word["moves"],
        ),
        "odds": tr(
            "the attacks you can order, with their chances; {odds} UNIT for one unit", odds=word["odds"]
        ),
        "rules": tr("how to play; {rules} WORD to search, {rules} M4.2 for one rule", rules=word["rules"]),
        "plan": tr(
            "the orders your plan gives, or why it gives none; {plan} hold 40% adds a step and "
            "arms it; {plan} {off} disarms it",
            plan=word["plan"],
            off=word["off"],
        ),
        "news": tr("show again what has happened"),
        "orders": tr("your orders so far, and what you still have to do"),
        "undo": tr("remove your last order"),
        "back": tr("put your last order back on the line, to edit it"),
        "clear": tr("remove all your orders (undo restores them)"),
        "quit": tr("leave without signing; your orders are kept"),
    }
    asides = {
        "zones": tr("the zones of control, on the map"),
        "supply": tr("where units are in supply, on the map"),
        "threats": tr("which of your units can be attacked, from where, and with what chance"),
        "hint": tr("what the computer would do, after two seconds' thought"),
    }
    found |= {name: does for name, does in asides.items() if name in beside}
    if shared:
        found["drafts"] = tr("the drafts that have arrived from your commanders, and whose are missing")
    return found


def help_lines(does: dict[str, str], columns: int = WIDTH) -> list[str]:
    """The lines of `help`: each command with what it does, wrapped with a hanging indent."""
    lines = [
        *((tr.own(name), what) for name, what in does.items()),
        (tr("Return"), tr("finish: review your orders, then sign them or not")),
    ]
    width = max(8, *(len(name) + 2 for name, _ in lines))
    return [
        line
        for name, what in lines
        for line in wrap(f"{name:<{width}}{what}", columns, indent=width).split("\n")
    ]


class Draft(NamedTuple):
    """The orders in progress, as typed, and the function that saves them in place of the previous ones."""

    lines: tuple[str, ...] = ()
    save: Callable[[Sequence[str]], None] = lambda lines: None


class OrderPrompt:
    """The prompt for the pending question.

    `news` are the lines about what happened before it, `happened` and `harm` the facts of its events, as in
    `Overview`; `results` are the lines about the results of the player's own orders, repeated after long
    news. `plan` carries out the words after that command, and returns the orders of the player's plan as
    typed, or the lines that say why it gives none. `staff` are the commanders of the player's side, if it has
    any; `at` is the player's own seat as a commander. `signed` returns lines about the entry the player can
    undo, and the question that confirms it, if there is one. `draft` are the orders typed before, with which
    the prompt begins.
    """

    def __init__(
        self,
        game: Game,
        table: GameState,
        editor: Editor,
        news: Sequence[str],
        happened: Sequence[Plain],
        plan: Callable[[str], tuple[str, list[str]]],
        results: Sequence[str] = (),
        staff: Commanders | None = None,
        at: CommanderSeat | None = None,
        signed: Callable[[], tuple[list[str], str]] = lambda: ([], ""),
        draft: Draft | None = None,
        harm: Sequence[Plain] = (),
    ) -> None:
        self.game = game
        self.editor = editor
        self.news = list(news)
        self.sheet = OrderSheet(game, table, at)
        self.overview = Overview(self.sheet, happened, harm)
        self.plan = plan
        self.results = list(results)
        self.staff = staff
        self.signed = signed
        self.draft = draft or Draft()
        self.undoes = False  # whether the player wants to undo their newest entry
        self.commands = prompt_commands(shared=staff is not None, beside=overlay_commands(game))
        self._printed: list[str] = []  # lines printed since the last line was typed
        self._left = ""  # the text with which the next line begins, to be edited
        self._refused: OrdersRefused | None = None  # the refusal of that text, if it was refused

    def ask_orders(self) -> Orders | None:
        """Ask until orders are legal and confirmed; None if the player quits. Raises `typer.Abort`."""
        news = self.news
        if len(wrap_lines(news)) > get_terminal_size().lines - LEAST_MAP_LINES and self.results:
            news = [*news, tr("The result of your orders:"), *self.results]
        kept = self._take_up_draft()
        self.overview.begin(news, kept)
        signed, text = False, ""
        while not signed:
            self._save_draft()
            text = text or self._read_line()
            text = self._drop_yes_no(text)
            word, _, rest = text.partition(" ")
            command = self._parse_command(word)
            if command == "quit":
                return None
            if command == "back":
                before = self.sheet.current
                self._left = self.sheet.undo()
                self._put_change(before, [])
            elif command == "undo":
                self.undoes = self._undo()
                if self.undoes:
                    return None
            elif command == "plan":
                self._take_plan_orders(rest.strip())
            elif command == "drafts":
                self._take_drafts(rest)
            elif command:
                self._run_command(command, rest.strip())
            elif text:
                self._take_orders(text)
            ready = not text or not (command or self._left or self.sheet.current.possible_additions)
            signed, text = self._confirm_signature() if ready else (False, "")
        return self.sheet.current.orders

    def _take_up_draft(self) -> list[str]:
        """Add the orders typed before. Returns the lines that say so, and which of them no longer fits.

        The orders from that one on are left in the line, to be edited.
        """
        if not (lines := self.draft.lines):
            return []
        refused: list[str] = []
        try:
            self.sheet.add("; ".join(lines))
        except OrdersRefused as refusal:
            self._refused, self._left = refusal, refusal.left
            first = split_orders(refusal.left)[0]
            refused = [tr("This order no longer fits: {order}", order=safe_text(first))]
            refused += self._describe_refusal(refusal.error)
        taken = len(self.sheet.current.lines)
        self.overview.last = self.sheet.current.orders
        told = tr.plural(
            "Your {number} order from before is still here: {orders} lists it, {clear} removes it.",
            "Your {number} orders from before are still here: {orders} lists them, {clear} removes them.",
            taken,
            orders=tr.own("orders"),
            clear=tr.own("clear"),
        )
        return [*([told] if taken else []), *refused]

    def _save_draft(self) -> None:
        """Save the orders so far, so that none is lost however the program ends."""
        lines = self.sheet.current.lines
        if lines != self.draft.lines:
            self.draft = self.draft._replace(lines=lines)
            try:
                self.draft.save(lines)
            except StorageError as error:
                self.overview.tell([f"{tr('warning')}: {safe_text(str(error))}"])

    def _drop_yes_no(self, text: str) -> str:
        """The line; empty, which asks for the signature, if it is a yes or no."""
        begins = any(plain_letters(verb).startswith(plain_letters(text)) for verb in self.sheet.current.verbs)
        return text if not text or begins or parse_yes_no(text) is None else ""

    def _read_line(self) -> str:
        """Read a line; a command typed over the marked part of a refused line is returned by itself."""
        refused, left = self._refused, self._left
        self._refused, self._left = None, ""
        marked = refused.word if refused else None
        text = self.editor.line(self._prompt_text(), self._completions, left, marked).strip()
        self.overview.count_typed_line()
        self._printed = []
        typed = refused.replacement_in(text) if refused else ""
        command = self._parse_command(typed.partition(" ")[0])
        return typed if command or self.sheet.is_new_order(text, typed) else text

    def _take_orders(self, text: str) -> None:
        """Add orders, and print what they would do; a refused part goes back into the line."""
        before = self.sheet.current
        refused: list[str] = []
        try:
            self.sheet.add(text)
        except OrdersRefused as refusal:
            self._refused, self._left = refusal, refusal.left
            refused = self._describe_refusal(refusal.error)
        now = self.sheet.current
        self.overview.last = [
            order for order in now.orders if order not in before.orders
        ] or self.overview.last
        self._printed = now.effect_beyond(before)
        self._put_change(before, [*self._printed, *(refused or _describe_missing(now))])

    def _put_change(self, before: OrderList, told: Sequence[str]) -> None:
        """Print what orders do, or that they are undone, below a map that shows the change."""
        if unit_places(self.sheet.current) != unit_places(before):
            self.overview.draw(below=len(wrap_lines(told)))
        self.overview.tell(told)

    def _undo(self) -> bool:
        """Undo the last order; if there is none, ask whether to undo the player's newest entry."""
        before = self.sheet.current
        undone = self.sheet.undo()
        self.overview.last = []
        lines, question = ([], "") if undone else self.signed()
        if not question:
            self._put_change(before, [_describe_undone(undone), *lines])
            return False
        self.overview.tell([_describe_undone(undone), *lines])
        return self._confirm(question)[0]

    def _confirm(self, question: str) -> tuple[bool, str]:
        """Ask for a yes or no. Returns whether it is yes, and any other text typed instead.

        Return alone asks again: it might have been meant for the line before.
        """
        while True:
            self.overview.count_typed_line()
            sure, said = self.editor.confirm(question)
            if sure is not None or said:
                return bool(sure), said
            self.overview.tell([ask_for_yes_or_no()])

    def _take_plan_orders(self, words: str) -> None:
        """Replace all orders with those of the plan, or print why it gives none."""
        orders, reasons = self.plan(words.removeprefix("add").strip())  # as after `pbem plan FILE`
        if not orders:
            self.overview.tell(reasons)
            return
        self.sheet.clear()
        self._take_orders(orders)

    def _take_drafts(self, numbers: str) -> None:
        """Add the orders of commanders' drafts after those so far, and print whose drafts are missing."""
        assert self.staff is not None
        try:
            self.staff.choose_drafts(numbers)
        except OrderError as error:
            self.overview.tell(self._describe_refusal(error))
            return
        self.overview.tell(self.staff.describe())
        if orders := self.staff.missing_lines(self.sheet.current.orders):
            self._take_orders("; ".join(orders))

    def _confirm_signature(self) -> tuple[bool, str]:
        """Ask to sign complete orders. Returns whether the player does, and what they typed if not."""
        before = self.sheet.current
        if self.staff and (signed := self.staff.complete_sheet(self.sheet)):
            self._put_change(before, signed)
        now = self.sheet.current
        if not now.lines:
            self.overview.tell([_describe_no_orders()])
        elif now.missing_orders:
            self.overview.tell(_describe_missing(now))
        else:
            weighed = [line for text in now.effect.chances_and_warnings for line in text.split("\n")]
            new = [line for line in weighed if line not in self._printed]
            self.overview.tell([tr("Orders: {orders}", orders=now.words), *new])
            sure, said = self._confirm(tr("Sign and save?"))
            if not (sure or said):
                self.overview.tell([_describe_unsigned()])
            return sure, said
        return False, ""

    def _run_command(self, word: str, rest: str) -> None:
        """Carry out a command."""
        asked, before = self.sheet.asked, self.sheet.current
        try:
            match word:
                case "help":
                    self.overview.tell(help_lines(self.commands, printable_size()[0]))
                case "map" if tr.meant(rest, TYPED) == "all":
                    self.overview.put_whole_map()
                case "map":
                    self._draw_around(rest)
                case "moves":
                    self._show_moves(parse_unit(self.game, asked, rest) if rest else "")
                case "odds":
                    unit = parse_unit(self.game, asked, rest) if rest else ""
                    self.overview.tell(
                        describe_attacks(self.game, asked, unit) or [tr("you cannot attack anything now")]
                    )
                case "rules":
                    self._show_rules(rest)
                case "hint":
                    self.overview.tell(advice_lines(self.game.rules, asked))
                case "zones" | "supply" | "threats":
                    self._show_overlay(word)
                case "news":
                    self.overview.tell(self.news or [tr("nothing since your last move")])
                case "orders":
                    self._put_orders()
                case "clear":
                    self.sheet.clear()
                    said = tr("All your orders are removed; {undo} restores them.", undo=tr.own("undo"))
                    self._put_change(before, [said])
        except OrderError as error:
            self.overview.tell(self._describe_refusal(error))

    def _draw_around(self, rest: str) -> None:
        """Draw the map around a hex or a unit, if one is named."""
        cells = self.sheet.current.legend.cells
        found = [
            cell.number
            for cell in cells
            if rest.lower() in (cell.number, *(piece.name.lower() for piece in cell.pieces))
        ]
        if rest and not found:
            self.overview.tell([f"{tr('error')}: {self._explain_no_place(rest)}"])
        else:
            self.overview.draw(found)

    def _explain_no_place(self, word: str) -> str:
        """Why a word names no place on the map: a unit that is off it, or neither a hex nor a unit."""
        for margin in self.sheet.current.legend.margins:
            for piece in margin.pieces:
                if piece.name.lower() == word.lower():
                    return tr("{unit} is not on the map ({where})", unit=piece.name, where=margin.title)
        return tr("'{word}' is neither a hex nor a unit on the map", word=safe_text(word))

    def _show_moves(self, unit: str) -> None:
        """Print the possible orders; for one unit, below a map of its reach, if it has any."""
        phrases = self._phrases(unit)
        lines = wrap_lines(group_orders(phrases, printable_size()[0]) or self._explain_nothing(unit))
        if unit and phrases:
            now = self.sheet.current
            named = {word for phrase in phrases for word in phrase.split()}
            legend, figures = mark_unit_reach(self.game, self.sheet.asked, unit, now.legend)
            if not figures:
                legend, figures = mark_placements(now.legend, unit, phrases)
            near = [*mentioned_hexes(legend, unit), *(at for at in figures if at in named)]
            self.overview.draw(near, legend, len(lines))
        self.overview.tell(lines)

    def _explain_nothing(self, unit: str) -> list[str]:
        """Why a unit can get no order, or why no unit can."""
        now = self.sheet.current
        if unit and (error := why_unable(self.sheet, now, [unit])):
            return [tr("you cannot give {unit} any orders now: {why}", unit=unit, why=safe_text(str(error)))]
        if now.lines:
            return [_describe_complete()]
        return [tr("you cannot give {unit} any orders now", unit=unit) if unit else tr("nothing")]

    def _show_overlay(self, word: str) -> None:
        """Draw zones, supply or threats over the map with the effect of the orders so far."""
        legend, marked, lines = prompt_overlay(self.game, self.sheet.asked, self.sheet.current.legend, word)
        told = wrap_lines(lines)
        if marked:
            self.overview.draw(marked, legend, len(told))
        self.overview.tell(told)

    def _show_rules(self, rest: str) -> None:
        """Print what `pbem rules` prints about the game, and what the map's key says about the words."""

        # With the present language, because the command would otherwise change it for all later output.
        run([OPTION, spoken(), "rules", self.game.rules.called, *rest.split()])
        with keeping_accents():
            self.overview.put(explain_key(self.sheet.current.legend, rest.split(), printable_size()[0]))
        self.overview.mark_map_gone()

    def _put_orders(self) -> None:
        """Print the orders so far, everything they would do, and what is missing."""
        now = self.sheet.current
        orders = [f"{number:>3}  {line}" for number, line in enumerate(now.lines, 1)]
        self.overview.tell([*(orders or [tr("No orders yet.")]), *now.effect_lines, *_describe_missing(now)])

    def _prompt_text(self) -> str:
        number = len(self.sheet.current.lines) + 1
        return tr("Order: ") if number == 1 else tr("Order {number} (Return to finish): ", number=number)

    def _completions(self, text: str) -> tuple[str, list[str]]:
        """The completions of a line: of a legal order, and at its beginning of a command."""
        begun, words = complete_order(self.sheet.current.possible_additions, text)
        command, blank, _ = text.lstrip().partition(" ")
        if words:
            return begun, words
        if not blank:
            words = [
                name
                for name in map(tr.own, self.commands)
                if begun and plain_letters(name).startswith(plain_letters(begun))
            ]
        elif self._parse_command(command) in ("moves", "odds"):
            words = [name for name in self.overview.actors() if name.lower().startswith(begun)]
        elif self._parse_command(command) == "plan":
            words = [
                word
                for word in self._plan_completions(text, begun)
                if plain_letters(word).startswith(plain_letters(begun))
            ]
        return begun, words

    def _plan_completions(self, text: str, begun: str) -> list[str]:
        """The words that can follow the command `plan`, before the unfinished word."""

        _, *said = text[: len(text) - len(begun)].split()
        hexes = [cell.number for cell in self.sheet.current.legend.cells]
        rules = self.sheet.game.rules
        plans = [*usable_plans(rules), *rules.view.plans()]
        return [
            *([] if said else [tr.own("off")]),
            *complete_plan(said, self.overview.actors(), hexes, plans),
        ]

    def _parse_command(self, word: str) -> str:
        """The command a word names; empty if it names none, or begins an order in the game."""
        name = "help" if word == "?" else tr.meant(word, (*self.commands, *OVERLAYS))
        known = name in self.commands or name in OVERLAYS
        return name if known and plain_letters(word) not in self.sheet.current.verbs else ""

    def _phrases(self, unit: str) -> list[str]:
        """The possible orders of one unit or all."""
        return [
            phrase for phrase in self.sheet.current.possible_additions if not unit or unit in phrase.split()
        ]

    def _describe_refusal(self, error: OrderError) -> list[str]:
        """The lines of a refusal: the error, with when a unit was lost, and the hint."""
        error = explain_departure(self.game, self.sheet.table.run.told, error)
        hint = error.hint
        if isinstance(error, NotUnderstood) and not error.guessed:
            before = error.text[: error.start] if error.start < len(error.text) else f"{error.text} "
            _, words = complete_order(self.sheet.current.possible_additions, before)
            if 0 < len(words) <= MOST_NAMED:  # what is legal now helps more than everything the game has
                hint = tr("it can be {what}", what=", ".join(words))
        elif isinstance(error, IllegalOrder) and not hint:
            hint = f"{tr.own('rules')} {error.rule}"
        told = [f"{tr('error')}: {safe_text(str(error))}"]
        told += [tr("hint: {hint}", hint=safe_text(hint))] if hint else []
        now = self.sheet.current
        return [*told, _describe_complete()] if now.is_whole and not now.possible_additions else told


def _describe_no_orders() -> str:
    """The message after Return without any orders."""
    return tr(
        "Nothing signed: you have no orders yet. Tab completes; {help} lists what you can type.",
        help=tr.own("help"),
    )


def _describe_complete() -> str:
    """The message if no order can follow those so far, for instance after a pass."""
    return tr("No order can follow these; {undo} removes the last one.", undo=tr.own("undo"))


def _describe_unsigned() -> str:
    """The message after a no to the signature."""
    return tr("Nothing signed: only {yes} signs. Your orders are unchanged.", yes=tr.own("yes"))


def _describe_missing(draft: OrderList) -> list[str]:
    """The lines about what must still be ordered, if anything."""
    first, *others = map(safe_text, draft.still_due or [""])
    return [tr("Not finished yet. {what}", what=first), *(f"  {line}" for line in others)] if first else []


def _describe_undone(undone: str) -> str:
    """The message of `undo` about what it has undone."""
    if not undone:
        return tr("No orders yet.")
    return tr("Removed: {orders}", orders=undone)
