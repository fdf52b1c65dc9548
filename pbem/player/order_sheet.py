"""Orders collected one by one: each is judged, and its effect shown, when typed; the last can be taken back.

A list of orders might be legal only when it is complete. So an order is accepted if the list is legal with
it, or if the rules only miss further orders (`Unfinished`); what is missing is reported. A line or block that
is legal only as a whole is accepted as a whole. A commander orders only their own units, which are listed
first (FORMAT 11).
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
"""A commander's word for ordering nothing; like `_SETUP`, it is in the catalogues of the games."""

_SETUP = "setup"
"""The first word of a line that chooses a ready-made set-up."""


def put_own_first(game: Game, key: PublicKey | None, legend: Legend) -> tuple[Legend, list[str]]:
    """The position with a commander's own units first, and the hexes of those; unchanged for anybody else."""
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
    """A commander's own part of typed lines that mean these orders; of a ready-made set-up, their share.

    Raises `IllegalOrder` for an order to another commander's units.
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
    """The phrases, orders as typed, that only command a commander's units; and ready-made set-ups."""
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
    """The possible orders, as typed, for the units of the commander with this key.

    Of a ready-made set-up, the commander's share.
    """
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
"""The word that takes back all orders."""

TYPED = ("clear",)


class OrderSheet:
    """The orders a player has given so far in answer to one question.

    `at` is a commander's seat (FORMAT 11): a commander's orders are a part, for their own units only.
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
        """The orders as they are now."""
        return self._all[-1]

    def add(self, text: str) -> None:
        """Add a line or a block, with one order per line or separated by `;`.

        Raises `OrdersRefused` with the rest that was not added; the orders before it were.
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
        """Whether the text `typed` into a refused line, now `text`, is a new order, not a correction."""
        if not typed or self._list_with(split_orders(text)).refusal is None:
            return False
        order = self._list_with(split_orders(typed))
        begun = plain_letters(typed.split()[0]) in self.all_verbs and " " in typed
        return begun or order.refusal is None or isinstance(order.refusal, IllegalOrder)

    @cached_property
    def all_verbs(self) -> set[str]:
        """The first words of all orders to this question, even if none of them is legal any more."""
        view = self.game.rules.view
        typed = Texts(self.game.rules.package).typed
        first = OrderList(self, ()).verbs
        return first | {plain_letters(form) for word in view.typed for form in (word, *typed(word))}

    def undo(self) -> str:
        """Take back the last order, or a `clear`. Returns it as typed; empty if there was none."""
        if len(self._all) == 1:
            return ""
        last, before = self._all.pop(), self.current
        return "; ".join(last.lines[len(before.lines) :]) or tr.own(CLEAR)

    def clear(self) -> None:
        """Take back all orders; `undo` restores them."""
        if self.current.lines:
            self._all.append(OrderList(self, ()))

    def _add_steps(self, typed: Sequence[str]) -> None:
        """Add orders, one step each if possible. Raises `OrderError`, and adds none, if one is refused."""
        before = self.current.lines
        lines = self._reader.read(typed, before)
        steps = [OrderList(self, (*before, *lines[:number])) for number in range(1, len(lines) + 1)]
        if steps[-1].refusal:
            raise steps[-1].refusal
        self._all += [step for step in steps if not step.refusal]

    def _list_with(self, typed: Sequence[str]) -> OrderList:
        """The list with further orders, as typed if the game does not understand them."""
        before = self.current.lines
        try:
            return OrderList(self, (*before, *self._reader.read(typed, before)))
        except OrderError:
            return OrderList(self, (*before, *typed))

    def _add_until_refused(self, typed: Sequence[str]) -> None:
        """Add orders until one is refused. Raises `OrdersRefused`."""
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
        """The orders as they would be signed, and the rules' objection to them."""
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
        """Whether they are a commander's, and so complemented by others' orders."""
        return self._of.at is not None

    @property
    def orders(self) -> Orders:
        """The orders as they would be signed; empty if they are not understood."""
        return self._judgement[0]

    @property
    def words(self) -> str:
        """The orders on one line, in full, or as typed if one line means many orders."""
        full = self._of.game.rules.view.write_words(self.orders)
        return "; ".join(full if len(full) <= 2 * len(self.lines) else self.lines)

    @property
    def refusal(self) -> OrderError | None:
        """The rules' objection to the orders, other than that some are missing."""
        error = self._judgement[1]
        return None if isinstance(error, Unfinished) else error

    @property
    def missing_orders(self) -> str:
        """What is still missing, with the rule; empty if nothing is."""
        error = self._judgement[1]
        return str(error) if self.lines and not self._is_part and isinstance(error, Unfinished) else ""

    @cached_property
    def instruction(self) -> Instruction:
        """What the player does next and what must still be ordered; a commander sees only the prompt."""
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
        """What is missing, with the rule; then each missing order, if there are several."""
        if not self.missing_orders:
            return []
        due = self.instruction.due
        return [self.missing_orders, *(due if len(due) > 1 else ())]

    @property
    def is_whole(self) -> bool:
        """Whether the orders answer the question, or are a commander's part of an answer."""
        return bool(self.lines) and (self._judgement[1] is None or (self._is_part and self.refusal is None))

    @property
    def _can_be_tried(self) -> bool:
        """Whether the orders can be tried on their own."""
        return bool(self.orders) and self.is_whole and self._judgement[1] is None

    @cached_property
    def effect(self) -> Effect:
        """The effect of the orders, with every chance and warning; empty until they answer the question."""
        return effect_of(self._of.game, self._of.table, self.orders) if self._can_be_tried else Effect()

    @property
    def effect_lines(self) -> list[str]:
        """The effect of the orders, in lines."""
        return self.effect.lines

    def effect_beyond(self, before: OrderList) -> list[str]:
        """The lines of their effect that the other list lacks."""
        known = Counter(before.effect_lines)
        return [line for line in self.effect_lines if not _remove_known(known, line)]

    @cached_property
    def legend(self) -> Legend:
        """The position they lead to, up to the next card or die, as far as they are complete."""
        view, state = self._of.game.rules.view, self._of.asked.state
        if self._can_be_tried:
            state = trial(self._of.table, self.orders)[1]
        elif self.orders and self.refusal is None and view.after:
            state = view.after(self._of.asked, self.orders)
        return view.legend(state)

    @cached_property
    def possible_additions(self) -> list[str]:
        """Some orders that can be added, each as typed."""
        return self._phrases()

    @cached_property
    def verbs(self) -> set[str]:
        """The first words of such orders, in plain lower case, in the player's language and English."""
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
    """Orders are refused: the reason, and the rest that was not added, as typed or as probably meant.

    `word` is the span of the rest to be replaced. A name in the refusal is found by the legend.
    """

    def __init__(self, error: OrderError, left: Sequence[str], legend: Legend) -> None:
        super().__init__(str(error), hint=error.hint)
        self.error = error
        first, *others = left
        meant = error.meant if isinstance(error, NotUnderstood) else ""
        first = meant or first
        if isinstance(error, NotUnderstood) and error.start >= len(first):
            first += " "  # the player types the next word there
        self.left = "; ".join([first, *others])
        self.word = (0, len(meant)) if meant else _refused_word(error, first, legend)

    def replacement_in(self, text: str) -> str:
        """The part of `text` that replaces the refused word or line; empty if `text` differs elsewhere."""
        begin, end = self.word
        before, behind = self.left[:begin], self.left[end:]
        inside = text.startswith(before) and text.endswith(behind) and len(before + behind) <= len(text)
        return text[begin : len(text) - len(behind)].strip() if inside else ""


MAX_TRIED = 60
"""The most orders tried to find out why none is possible."""


def orders_meant(sheet: OrderSheet, units: Sequence[str], at: str) -> Iterable[str]:
    """The orders that pointing at units and a hex might mean, the most likely first."""
    meant = sheet.game.rules.view.meant
    return meant(sheet.asked, units, at) if meant else ()


def try_orders(
    sheet: OrderSheet, draft: OrderList, candidates: Iterable[str]
) -> tuple[list[str], list[IllegalOrder]]:
    """The orders that can be added to a list, and the refusals of the others."""
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
    """Why these units can get no order in addition to those of the list; None if they can."""
    legal, refusals = try_orders(sheet, draft, orders_meant(sheet, units, ""))
    return commonest_refusal(refusals) if refusals and not legal else None


def read_typed_orders(game: Game, asked: Question, typed: Sequence[str]) -> Orders:
    """Orders typed after a command, where unquoted words are joined. Raises `OrderError`."""
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
    """Whether a typed word is only the beginning of the word it was read as."""
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
    """The word of an order being typed, and its possible completions, in the order of the phrases.

    The words before it can be shortened and in any case, as everywhere.
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
    """Remove one occurrence of a line. Returns whether there was one."""
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
    """The start and end of the refused word in a line: the last name or hex that the refusal mentions.

    If it mentions none, the whole line.
    """
    if isinstance(error, NotUnderstood) and error.text == line.rstrip():
        return min(error.start + (error.start == len(error.text)), len(line)), min(error.end, len(line))
    names = _names_in_refusal(error, legend)
    words = [word for word in re.finditer(r"[^\s,:]+", line) if word[0].lower() in names]
    return words[-1].span() if words else (0, len(line))
