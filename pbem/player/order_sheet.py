"""Orders gathered one by one: each judged when it is typed, with what it would do; one at a time taken back.

A list that answers a question may be legal only when it is whole. So an order is accepted where the list is
legal with it, or where the rules miss nothing but further orders (`Unfinished`); what is missing is reported.
A line or a block is accepted in one, if it is legal only as a whole. One of a side's commanders orders his
own units alone, and sees them first (FORMAT 11).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec.structs import replace

from pbem.core.legend import Cell, Legend, Margin
from pbem.core.phrases import split_orders
from pbem.core.requests import Ask, Orders, Question, may_come
from pbem.core.rules import Instruction
from pbem.errors import Ambiguous, Gone, IllegalOrder, NotUnderstood, OrderError, Unfinished
from pbem.format.keys import PublicKey
from pbem.lookalikes import plain_letters
from pbem.player.order_preview import Effect, effect_of, trial
from pbem.player.order_reader import OrderReader
from pbem.render.ascii_map import put_groups_first
from pbem.texts import Texts
from pbem.umpire.commander_signatures import split_order
from pbem.umpire.drafts import (
    CommanderSeat,
    commander_at,
    find_commander_seat,
    orders_within_command,
    require_own_orders,
)
from pbem.umpire.game_state import Game, GameState

tr = Texts("pbem")


PASS = "pass"
"""A commander's word for ordering nothing; it and the next belong to a game, and are in its catalogue."""

_SETUP = "setup"
"""The first word of a line that means a ready-made set-up."""


def put_own_first(game: Game, key: PublicKey | None, legend: Legend) -> tuple[Legend, list[str]]:
    """The position with a commander's own units first, and their hexes; for anybody else unchanged."""
    at = find_commander_seat(game, key)
    if at is None:
        return legend, []
    groups = commander_at(game, at).of
    hexes = [
        cell.number
        for cell in legend.cells
        if any(piece.side == at.seat and piece.group in groups for piece in cell.pieces)
    ]
    return put_groups_first(legend, at.seat, groups), hexes


def own_orders(game: Game, at: CommanderSeat, lines: Sequence[str], orders: Orders) -> Orders:
    """A commander's own part of typed lines that mean these orders; of a ready-made set-up, his share.

    Raises `IllegalOrder` for an order of what is not his.
    """
    meant = Texts(game.rules.package).meant
    if [meant(line.strip(), (PASS,)) for line in lines] == [PASS]:
        return []
    if any(meant(word, (_SETUP,)) == _SETUP for line in lines for word in line.split()[:1]):
        return orders_within_command(game, at, orders)
    asked = game.state.pending_question
    assert asked is not None
    return require_own_orders(game, asked, at, orders)


def own_phrases(game: Game, at: CommanderSeat, phrases: Iterable[str]) -> list[str]:
    """The phrases, orders as typed, for a commander's units alone; and ready-made set-ups."""
    groups = commander_at(game, at).of
    legend = game.rules.view.legend(game.state.run.state)
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    side = [piece for place in places for piece in place.pieces if piece.side == at.seat]
    own = {piece.name for piece in side if piece.group in groups}
    others = {piece.name for piece in side} - own
    typed = Texts(game.rules.package).typed
    nothing, set_up = {PASS, *typed(PASS)}, {_SETUP, *typed(_SETUP)}
    own_found = []
    for phrase in phrases:
        words = set(phrase.replace(";", " ").split())
        if phrase in nothing or words & set_up or (words & own and not words & others):
            own_found.append(phrase)
    return own_found


def own_offers(game: Game, asked: Question, key: PublicKey) -> list[str]:
    """The possible orders for the units of a commander, by his key, as typed; of a set-up, his share."""
    at = find_commander_seat(game, key)
    if at is None or at.seat != asked.seat:
        return []
    phrases: dict[str, None] = {}
    for orders in game.rules.offers(asked):
        share = orders_within_command(game, at, orders)
        if share == orders or (share and any(len(split_order(order)) > 1 for order in orders)):
            phrases["; ".join(game.rules.view.write_words(share))] = None
    return list(phrases)


CLEAR = "clear"
"""The player's word for taking back all orders."""

TYPED = ("clear",)


class OrderSheet:
    """The orders so far that a player gives in answer to one question.

    `at` is his post if he is a commander (FORMAT 11): his orders are a part, and command his units alone.
    """

    def __init__(self, game: Game, table: GameState, at: CommanderSeat | None = None) -> None:
        assert isinstance(table.pending_question, Ask)
        self.game = game
        self.table = table
        self.at = at
        self.asked: Question = table.pending_question
        self._reader = OrderReader(game, table.pending_question)
        self._all: list[OrderList] = [OrderList(self, ())]

    @property
    def current(self) -> OrderList:
        """The orders as they are."""
        return self._all[-1]

    def add(self, text: str) -> None:
        """Add a line or a block, with orders on lines of their own or separated by `;`.

        Raises `OrdersRefused` with the rest that was not added; what stands before it was.
        """
        typed = split_orders(text)
        if not typed:
            return
        try:
            self._add_steps(typed)
        except OrderError as error:
            if len(typed) == 1:
                raise OrdersRefused(error, typed, self.current.legend) from None
            self._add_until_refused(typed)

    def is_new_order(self, text: str, typed: str) -> bool:
        """Whether what was `typed` into a refused line, now `text`, is a new order, and no correction."""
        if not typed or self._list_with(split_orders(text)).refusal is None:
            return False
        order = self._list_with(split_orders(typed))
        begun = plain_letters(typed.split()[0]) in self.all_verbs and " " in typed
        return begun or order.refusal is None or isinstance(order.refusal, IllegalOrder)

    @cached_property
    def all_verbs(self) -> set[str]:
        """The first words of all orders to this question, also where none of them is legal any more."""
        view = self.game.rules.view
        typed = Texts(self.game.rules.package).typed
        first = OrderList(self, ()).verbs
        return first | {plain_letters(form) for word in view.typed for form in (word, *typed(word))}

    def undo(self) -> str:
        """Take the last order, or a `clear`, back; return it as typed, empty if there was none."""
        if len(self._all) == 1:
            return ""
        last, before = self._all.pop(), self.current
        return "; ".join(last.lines[len(before.lines) :]) or tr.own(CLEAR)

    def clear(self) -> None:
        """Take all orders back, which can be undone."""
        if self.current.lines:
            self._all.append(OrderList(self, ()))

    def _add_steps(self, typed: Sequence[str]) -> None:
        """Add orders, one step each where possible. Raises `OrderError`, and adds none, if refused."""
        before = self.current.lines
        lines = self._reader.read(typed, before)
        steps = [OrderList(self, (*before, *lines[:number])) for number in range(1, len(lines) + 1)]
        if steps[-1].refusal:
            raise steps[-1].refusal
        self._all += [step for step in steps if not step.refusal]

    def _list_with(self, typed: Sequence[str]) -> OrderList:
        """The list with further orders, as they were typed where nobody understands them."""
        before = self.current.lines
        try:
            return OrderList(self, (*before, *self._reader.read(typed, before)))
        except OrderError:
            return OrderList(self, (*before, *typed))

    def _add_until_refused(self, typed: Sequence[str]) -> None:
        """Add orders up to the one that is refused. Raises `OrdersRefused`."""
        for number, line in enumerate(typed):
            try:
                self._add_steps([line])
            except OrderError as error:
                raise OrdersRefused(error, typed[number:], self.current.legend) from None


class OrderList:
    """A list of orders as typed, and what follows from it, computed on demand."""

    def __init__(self, sheet: OrderSheet, lines: tuple[str, ...]) -> None:
        self._of = sheet
        self.lines = lines

    @cached_property
    def _judgement(self) -> tuple[Orders, OrderError | None]:
        """The orders as they would be signed, and the objection of the rules to them."""
        orders: Orders = []
        try:
            orders = self._of.game.rules.view.read_words(self._of.asked, self.lines)
            if self._of.at:
                orders = own_orders(self._of.game, self._of.at, self.lines, orders)
            if orders or not self._of.at:
                self._of.asked.read(orders)
        except OrderError as error:
            return orders, error
        return orders, None

    @property
    def _is_part(self) -> bool:
        """Whether they are a commander's, which others' orders complement."""
        return self._of.at is not None

    @property
    def orders(self) -> Orders:
        """The orders as they would be signed; empty if they are not understood."""
        return self._judgement[0]

    @property
    def words(self) -> str:
        """The orders on one line, in full; as they were typed where one line means many orders."""
        full = self._of.game.rules.view.write_words(self.orders)
        return "; ".join(full if len(full) <= 2 * len(self.lines) else self.lines)

    @property
    def refusal(self) -> OrderError | None:
        """The objection of the rules to them, other than that some are missing."""
        error = self._judgement[1]
        return None if isinstance(error, Unfinished) else error

    @property
    def missing_orders(self) -> str:
        """The orders that are still missing, with the rule; empty if none are."""
        error = self._judgement[1]
        return str(error) if self.lines and not self._is_part and isinstance(error, Unfinished) else ""

    @cached_property
    def instruction(self) -> Instruction:
        """What the player does next, and what must still be ordered; a commander sees the prompt alone."""
        view, asked = self._of.game.rules.view, self._of.asked
        if view.instruct and not self._is_part:
            found = view.instruct(asked, self.orders)
            return found if found.due else replace(found, due=self._missing_lines)
        return Instruction(view.prompt(asked), self._missing_lines)

    @property
    def _missing_lines(self) -> tuple[str, ...]:
        return (self.missing_orders,) if self.missing_orders else ()

    @property
    def still_due(self) -> list[str]:
        """What is missing, with the rule; then each order that is due, if there are several."""
        if not self.missing_orders:
            return []
        due = self.instruction.due
        return [self.missing_orders, *(due if len(due) > 1 else ())]

    @property
    def is_whole(self) -> bool:
        """Whether they answer the question, or are a part of an answer."""
        return bool(self.lines) and (self._judgement[1] is None or (self._is_part and self.refusal is None))

    @property
    def _can_be_tried(self) -> bool:
        """Whether they can be tried without others."""
        return bool(self.orders) and self.is_whole and self._judgement[1] is None

    @cached_property
    def effect(self) -> Effect:
        """Their effect, with every chance and warning; empty until they answer the question."""
        return effect_of(self._of.game, self._of.table, self.orders) if self._can_be_tried else Effect()

    @property
    def effect_lines(self) -> list[str]:
        """Their effect, in lines."""
        return self.effect.lines

    def effect_beyond(self, before: OrderList) -> list[str]:
        """The lines of their effect that another list does not have."""
        known = Counter(before.effect_lines)
        return [line for line in self.effect_lines if not _remove_known(known, line)]

    @cached_property
    def legend(self) -> Legend:
        """The position that they lead to, up to the next card or die; unfinished ones as far as they go."""
        view, state = self._of.game.rules.view, self._of.asked.state
        if self._can_be_tried:
            state = trial(self._of.table, self.orders)[1]
        elif self.orders and self.refusal is None and view.after:
            state = view.after(self._of.asked, self.orders)
        return view.legend(state)

    @cached_property
    def possible_additions(self) -> list[str]:
        """Orders that may be added, each as typed; not every legal one."""
        return self._phrases()

    @cached_property
    def verbs(self) -> set[str]:
        """The first words of such orders, without accents or capitals: in his language, and in English."""
        rules = self._of.game.rules
        own = {plain_letters(phrase.split()[0]) for phrase in self.possible_additions}
        typed = Texts(rules.package).typed
        return own | {
            word for word in rules.view.typed if own & {plain_letters(form) for form in typed(word)}
        }

    def _phrases(self) -> list[str]:
        rules, asked = self._of.game.rules, self._of.asked
        if rules.view.further:
            phrases = list(rules.view.further(asked, self.orders))
        else:
            offers = (offer for offer in rules.offers(asked) if may_come(asked.read, [*self.orders, *offer]))
            phrases = ["; ".join(rules.view.write_words(offer)) for offer in offers]
        return own_phrases(self._of.game, self._of.at, phrases) if self._of.at else phrases


class OrdersRefused(OrderError):
    """Orders are refused: why, and the rest that was not added, as typed or as it was probably meant.

    `word` is the span in the rest that is to be replaced. The legend has the names that a refusal may have.
    """

    def __init__(self, error: OrderError, left: Sequence[str], legend: Legend) -> None:
        super().__init__(str(error), hint=error.hint)
        self.error = error
        first, *others = left
        meant = error.meant if isinstance(error, NotUnderstood) else ""
        first = meant or first
        if isinstance(error, NotUnderstood) and error.start >= len(first):
            first += " "  # the next word goes there
        self.left = "; ".join([first, *others])
        self.word = (0, len(meant)) if meant else _refused_word(error, first, legend)

    def replacement_in(self, text: str) -> str:
        """What `text` has in place of that word, or of the line; empty if it differs elsewhere."""
        begin, end = self.word
        before, behind = self.left[:begin], self.left[end:]
        inside = text.startswith(before) and text.endswith(behind) and len(before + behind) <= len(text)
        return text[begin : len(text) - len(behind)].strip() if inside else ""


MAX_TRIED = 60
"""The most orders that are tried to find out why none is possible."""


def orders_meant(sheet: OrderSheet, units: Sequence[str], at: str) -> Iterable[str]:
    """The orders that pointing at units, and at a hex, may mean, the likeliest first."""
    meant = sheet.game.rules.view.meant
    return meant(sheet.asked, units, at) if meant else ()


def try_orders(
    sheet: OrderSheet, draft: OrderList, candidates: Iterable[str]
) -> tuple[list[str], list[IllegalOrder]]:
    """Those of the orders that may be added to a list, and the refusals of the others."""
    legal, refusals = [], []
    for _, words in zip(range(MAX_TRIED), candidates, strict=False):
        refused = OrderList(sheet, (*draft.lines, words)).refusal
        if refused is None:
            legal.append(words)
        elif isinstance(refused, IllegalOrder):
            refusals.append(refused)
    return legal, refusals


def commonest_refusal(refusals: Sequence[IllegalOrder]) -> IllegalOrder:
    """The first refusal by the rule that forbids most of the orders."""
    (rule, _), *_ = Counter(error.rule for error in refusals).most_common(1)
    return next(error for error in refusals if error.rule == rule)


def why_unable(sheet: OrderSheet, draft: OrderList, units: Sequence[str]) -> IllegalOrder | None:
    """Why these units cannot be given any order beside those of the list; None if they can."""
    legal, refusals = try_orders(sheet, draft, orders_meant(sheet, units, ""))
    return commonest_refusal(refusals) if refusals and not legal else None


def read_typed_orders(game: Game, asked: Question, typed: Sequence[str]) -> Orders:
    """Orders as typed after a command: words that stood in no quotes are joined. Raises `OrderError`."""
    view, reader = game.rules.view, OrderReader(game, asked)
    try:
        return view.read_words(asked, reader.read(typed))
    except OrderError:
        if len(typed) == 1 or any(" " in word for word in typed):
            raise
    try:
        return view.read_words(asked, reader.read(split_orders(" ".join(typed))))
    except OrderError as error:
        error.hint = error.hint or tr("put each order in quotes: {example}", example='"…" "…"')
        raise


def has_shortened_words(game: Game, asked: Question, typed: Iterable[str], orders: Orders) -> bool:
    """Whether a word of typed orders is only the beginning of the word that it is taken for."""
    view = game.rules.view
    forms = Texts(game.rules.package).typed
    legend = view.legend(asked.state)
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    known = {form for word in view.typed for form in (word, *forms(word))}
    known |= {word for line in view.write_words(orders) for word in line.split()}
    known |= {piece.name for place in places for piece in place.pieces} | {*legend.groups, *legend.kinds}
    known |= set(view.setups(asked)) if view.setups else set()
    plain = {plain_letters(word) for word in known}
    words = (word for line in typed for word in re.split(r"[\s,;:]+", line.partition("#")[0]) if word)
    return any(plain_letters(word) not in plain for word in words)


def complete_order(phrases: Iterable[str], typed: str) -> tuple[str, list[str]]:
    """The word of an order that is being typed, and its possible completions, in the order of the phrases.

    The words before it may be shortened and in any case of letters, as everywhere.
    """
    *before, begun = re.split(r"[\s,:]+", re.split(r"[;\n]", typed)[-1].lstrip().lower())
    completions: dict[str, None] = {}
    for phrase in phrases:
        words = phrase.partition(";")[0].split()
        if len(words) > len(before) and all(map(_begins_with, words, (*before, begun))):
            completions[words[len(before)]] = None
    return begun, list(completions)


def _begins_with(word: str, part: str) -> bool:
    return plain_letters(word).startswith(plain_letters(part))


def _remove_known(known: Counter[str], line: str) -> bool:
    """Remove a line from those known; whether it was among them."""
    known[line] -= 1
    return known[line] >= 0


def _names_in_refusal(error: OrderError, legend: Legend) -> set[str]:
    """The units and hexes that a refusal names in any language, in lower case; or the ambiguous word."""
    if isinstance(error, Ambiguous):
        return {error.word.lower()}
    places: list[Cell | Margin] = [*legend.cells, *legend.margins]
    known = {piece.name for place in places for piece in place.pieces}
    known |= {cell.number for cell in legend.cells}
    if isinstance(error, Gone):
        known.add(error.unit)
    return {word.lower() for word in re.findall(r"[\w*-]+", str(error)) if word in known}


def _refused_word(error: OrderError, line: str, legend: Legend) -> tuple[int, int]:
    """The start and end of the refused word in the line: the last name or hex that the refusal mentions.

    Where it mentions none, the whole line is meant.
    """
    if isinstance(error, NotUnderstood) and error.text == line.rstrip():
        return min(error.start + (error.start == len(error.text)), len(line)), min(error.end, len(line))
    names = _names_in_refusal(error, legend)
    words = [word for word in re.finditer(r"[^\s,:]+", line) if word[0].lower() in names]
    return words[-1].span() if words else (0, len(line))
