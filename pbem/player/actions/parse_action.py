"""An action from the text of a reply: parsed here, shown to the player, and then signed.

    move 2SS-A 1803        orders, as `pbem move` reads them, one per line or separated by `;`
    pass                   if the rules allow it
    propose last           a draw or a take-back, as `pbem propose` takes them
    answer yes             to the opponent's proposal; yes or no alone is enough
    resign                 always confirmed first
    drafts                 with orders: adds the commanders' drafts that have arrived (FORMAT 11)
    now: move 2SS-A 1803   any of these, signed without confirmation
    plan hold 40%          a plan, armed: see `plans`
    say: Well played       a message to the opponent, on the last lines; alone, it goes with the next orders

Orders are found among other text: lines that a mail program broke are joined, greetings are dropped. The game
decides which words make an order, through `read_words`, so this module serves every game. A line is dropped
only if it does not begin as an order does and names no unit or hex of the game, and the player is shown what
was dropped. Every other line is an order, legal or refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from pbem.core.phrases import split_orders
from pbem.core.requests import Ask
from pbem.errors import NotUnderstood, NotYourMove, OrderError
from pbem.player.actions import proposals
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.agreement import COURTESIES, Agreement, is_courteous, read_agreement
from pbem.player.actions.orders import GiveOrders, LeaveMessage
from pbem.player.actions.preconditions import check_possible
from pbem.player.actions.proposals import AnswerProposal
from pbem.player.commanders import commanders_of, is_drafts_line
from pbem.player.order_reader import OrderReader, Reading
from pbem.player.plans.conditions import pieces
from pbem.render.story import explain_departure
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_state import Game

tr = Texts("pbem")

TYPED = ("now", "say", "yes", "no", "answer", "resign", "propose", "plan")

_NOW = re.compile(r"\s*([^\s:]+)\s*:[ \t]*")
_SAY = re.compile(r"(?:^|;)[ \t]*([^\s:;]+)[ \t]*:[ \t]*", re.MULTILINE)
"""A word and a colon; `split_reply` checks that the word is `say` in some language."""

_BULLET = re.compile(r"^[ \t]*(?:[*\u2022-][ \t]+|[0-9]{1,2}[.)][ \t]+)")
"""The bullet or number that phones put before lines that look like a list."""


class ParsedReply(Struct, frozen=True):
    """The text of a reply: orders or similar, one per line, and a message to the opponent.

    `now`: sign it without confirmation.
    """

    lines: tuple[str, ...]
    say: str = ""
    now: bool = False

    @property
    def is_yes(self) -> bool:
        """Whether it is a yes to the action or proposal shown."""
        return list(map(in_english, self.lines)) in (["yes"], ["answer yes"])

    @property
    def is_no(self) -> bool:
        """Whether it is a no to the action or proposal shown."""
        return list(map(in_english, self.lines)) in (["no"], ["answer no"])


def parse_reply_text(words: str) -> ParsedReply:
    """Parse the text of a reply."""
    orders, said, now = split_reply(words)
    return ParsedReply(order_lines(orders), said, now)


def split_reply(words: str) -> tuple[str, str, bool]:
    """The orders of a reply as typed, the message to the opponent, and whether `now` comes first."""
    now = _NOW.match(words)
    if now and in_english(now[1]) != "now":
        now = None
    rest = words[now.end() :] if now else words
    say = next((match for match in _SAY.finditer(rest) if in_english(match[1]) == "say"), None)
    orders, said = (rest[: say.start()], rest[say.end() :].strip()) if say else (rest, "")
    return orders, said, now is not None


def order_lines(orders: str) -> tuple[str, ...]:
    """Orders as typed, one per line, without bullets and full stops."""
    return tuple(line for order in split_orders(orders) if (line := _BULLET.sub("", order).rstrip(" .!")))


def action_from_reply(hand: ActionContext, wanted: ParsedReply) -> Action:
    """The action a reply asks for, in a game where it is the player's turn. Nothing is written yet.

    Raises `OrderError`, `NotYourMove` and `PbemError`, as the commands do for the same words.
    """
    _, *others = (_normalise(wanted.lines[0]).split() if wanted.lines else []) or [""]
    first = _first_word(wanted.lines[0]) if wanted.lines else ""
    if not wanted.lines:
        return _message_action(hand, wanted.say)
    if len(wanted.lines) == 1 and first == "resign" and not others:
        return proposals.resign_or_defer(hand, wanted.say)
    if hand.game.state.proposal:
        return _answer_action(hand, wanted)
    if wanted.is_yes or wanted.is_no:
        raise NotYourMove(tr("there is nothing to answer with yes or no: give your orders instead"))
    if len(wanted.lines) == 1 and first == "propose":
        return proposals.parse_proposal(hand, " ".join(others), wanted.say)
    if first == "plan":
        from pbem.player.actions.arm_plan import ArmPlan  # 3 ms: few replies have plans

        return ArmPlan(
            hand, (re.sub(r"(?<=\w):", "", wanted.lines[0], count=1), *wanted.lines[1:]), wanted.say
        )
    return _orders_action(hand, wanted)


def _message_action(hand: ActionContext, say: str) -> LeaveMessage:
    """Leave a message for the next entry that decides something."""
    if not say:
        problem, hint = tr("no orders above the quoted text"), tr("write them above it, one per line")
        raise NotUnderstood(problem, "", 0, 0, hint=hint)
    return LeaveMessage(hand, say)


def _answer_action(hand: ActionContext, wanted: ParsedReply) -> AnswerProposal:
    """The answer to the opponent's proposal, which has to come before anything else."""
    waiting = hand.game.state.proposal
    assert waiting is not None
    if not (wanted.is_yes or wanted.is_no):
        yes, no = tr.own("yes"), tr.own("no")
        raise NotYourMove(
            tr("{proposal}: answer this proposal first", proposal=waiting.describe(hand.game.rules)),
            hint=tr("answer {yes}, or answer {no}", yes=yes, no=no),
        )
    return AnswerProposal(hand, wanted.is_yes, wanted.say)


def _orders_action(hand: ActionContext, wanted: ParsedReply) -> GiveOrders:
    """Orders as typed, with those that commanders have signed if the player asks for them."""
    check_possible(hand, "orders")
    player, game, _ = hand
    table = permissions.unlock_state(game, player.key)
    asked = table.pending_question
    assert isinstance(asked, Ask)
    side, typed = commanders_of(player, game, table), list(wanted.lines)
    reader = OrderReader(game, asked)
    try:
        if side and any(map(is_drafts_line, typed)):
            own = [line for line in typed if not is_drafts_line(line)]
            for line in filter(is_drafts_line, typed):
                side.choose_drafts(line)
            own = reader.read(own)
            typed = [*side.missing_lines(game.rules.view.read_words(asked, own) if own else []), *own]
        else:
            typed = reader.read(typed)
        orders = game.rules.view.read_words(asked, typed)
        if side:
            typed, _ = side.complete_lines(typed, orders)
            orders = game.rules.view.read_words(asked, typed)
    except OrderError as error:
        raise explain_departure(game, table.run.told, error) from None
    act = (
        GiveOrders(hand, orders, wanted.say, *side.signed_parts(orders))
        if side
        else GiveOrders(hand, orders, wanted.say)
    )
    return act.check_legal()


def in_english(line: str) -> str:
    """Put a line in lower case, and translate the words of `TYPED` to English."""
    return " ".join(tr.meant(word, TYPED) for word in _normalise(line).split())


def _first_word(line: str) -> str:
    """The first word of a line in English, without a colon after it."""
    return in_english(line).partition(" ")[0].rstrip(":")


def _normalise(line: str) -> str:
    return " ".join(line.lower().split()).rstrip(".!")


MOST_LINES = 200
"""The most lines of a reply searched for orders; in a longer reply none is dropped or joined."""

_MOST_JOINED = 4
"""The most lines that one order may have been broken into."""

_WHOLE = ("yes", "no", "answer yes", "answer no")

_WORD = re.compile(r"[\w-]+")

_ADDRESS = re.compile(r"\S+@\S+|\b(?:https?://|www[.])\S+|[+(]?[0-9][0-9 ()/.-]{7,}[0-9]", re.IGNORECASE)
"""What signatures contain: a mail or web address, or a telephone number."""

_BETWEEN = re.compile(r"(?<!\s)\s*+(?:(?:[,&]|[.]\s|(?<!\S)(?:and|then|y|luego|e|poi|und|dann)(?!\S))\s*)+")
"""The words and signs that people put between two orders, besides `;`."""


class FoundOrders(Struct, frozen=True):
    """A parsed reply, and the lines that are not part of it.

    `agrees`: it is a yes that nothing beside it might withdraw, or a yes beside orders. `idle`: it contains
    only greetings and names. `guesses` are the lines whose orders were guessed. `in_message`: some of the
    orders were below `say:`.
    """

    wish: ParsedReply
    left_out: tuple[str, ...] = ()
    agrees: bool = False
    idle: bool = False
    guesses: tuple[str, ...] = ()
    in_message: bool = False


def find_orders(hand: ActionContext, words: str) -> FoundOrders:
    """Find the reply in the text of a mail, in a game where it is the player's turn. Refuses nothing yet."""
    orders, said, now = split_reply(words)
    asked = permissions.unlock_state(hand.game, hand.player.key).pending_question
    reader = None if hand.game.state.proposal or not isinstance(asked, Ask) else OrderReader(hand.game, asked)

    def judge(line: str) -> OrderError | None:
        if _is_no_order(line):
            return None
        if reader is None:
            return NotUnderstood("", line, 0, 0)
        try:
            return reader.error_in([line]) if reader.read_line(line).is_guess else None
        except OrderError as error:
            return error

    if len(orders.split("\n")) > MOST_LINES:
        return FoundOrders(ParsedReply(order_lines(orders), said, now))
    finder, people = _OrderFinder(judge, _unit_and_hex_names(hand.game)), _player_names(hand.game)
    misplaced, said = finder.find_in_message(said)
    agreement = read_agreement(orders, people)
    if agreement:
        kept, left = finder.find_beside(agreement)
        kept += misplaced
        if not kept:
            agrees = agreement.is_certain and agreement.answer == "yes"
            doubtful = () if agreement.is_certain else tuple(left)
            return FoundOrders(ParsedReply((agreement.answer,), said, now), doubtful, agrees)
        left = [*([agreement.line] if agreement.is_certain else []), *left]
    else:
        kept, left = finder.find(orders.split("\n"))
        kept += misplaced
    given = [line for line in kept if in_english(line) not in _WHOLE]
    agrees = any(_is_yes(line, people) for line in (*kept, *left))
    if given and len(given) < len(kept):
        kept, left = given, [*left, *(line for line in kept if line not in given)]
    idle = bool(left) and all(is_courteous(line, people) for line in left) and not kept and not said
    if not kept and not said:
        kept, left = list(order_lines(orders)), []
    kept, guesses = _in_full(reader, kept) if reader else (kept, [])
    wish = ParsedReply(tuple(kept), said, now)
    return FoundOrders(wish, tuple(left), agrees, idle, tuple(guesses), bool(misplaced))


def _in_full(reader: OrderReader, lines: list[str]) -> tuple[list[str], list[str]]:
    """The orders as the game reads them, or as typed if it cannot; and the lines that were guessed."""
    read: list[str] = []
    guesses: list[str] = []
    for line in lines:
        try:
            reading = Reading((line,)) if _is_no_order(line) else reader.read_line(line, read)
        except OrderError:
            reading = Reading((line,))
        read += reading.lines
        guesses += [line] if reading.is_guess else []
    return read, guesses


def _is_no_order(line: str) -> bool:
    """Whether a line is one of the answers that are the same in every game."""
    said = in_english(line)
    return said in _WHOLE or _first_word(line) in ("resign", "propose", "plan") or is_drafts_line(line)


class _Piece(Struct, frozen=True):
    """An order or a part of one, as typed. `goes_on`: it ends a line, and the next line might continue it."""

    text: str
    goes_on: bool
    width: int


class _OrderFinder:
    """Separates orders from other text. `judge` returns the error in an order, or None."""

    def __init__(self, judge: Callable[[str], OrderError | None], names: Collection[str]) -> None:
        self._judge = judge
        self._names = names

    def find(self, typed: list[str]) -> tuple[list[str], list[str]]:
        """The orders, one per line, and the lines dropped."""
        rest = list(_pieces(typed))
        widest = max((piece.width for piece in rest), default=0)
        kept: list[str] = []
        left: list[str] = []
        while rest:
            if _first_word(rest[0].text) == "plan":
                plan, after = self._split_plan([piece.text for piece in rest])
                return [*kept, *plan], [*left, *after]
            apart, taken = self._split_line(rest)
            if apart:
                rest[:taken] = apart
                continue
            readings = self._readings(rest, widest)
            match = next((reading for reading in readings if self._judge(reading[1]) is None), None)
            if match is None:
                (kept if self._may_be_order(rest[0].text) else left).append(rest[0].text)
                del rest[0]
                continue
            before, text, taken = match
            kept.append(text)
            left += [before] if before else []
            del rest[:taken]
        return kept, left

    def find_beside(self, agreement: Agreement) -> tuple[list[str], list[str]]:
        """The orders beside and below a yes or no, and the other lines beside it.

        Signatures come below an answer, so a line there is an order only if it is complete, or if it names a
        unit or hex after a verb.
        """
        typed = [*([] if agreement.is_certain else [agreement.line]), *agreement.beside.split("\n")]
        below = agreement.below.split("\n")
        if any(self._reads_as_order(order) for line in below for order in order_lines(line)):
            typed += below
        kept, left = self.find(typed)
        orders = [line for line in kept if in_english(line) not in _WHOLE]
        return orders, [line for line in kept if line not in orders] + left

    def find_in_message(self, said: str) -> tuple[list[str], str]:
        """The complete orders on lines of their own in a message, and the message without them."""
        orders: list[str] = []
        others: list[str] = []
        for line in said.split("\n"):
            within = order_lines(line) if others or orders else ()
            whole = bool(within) and all(self._judge(order) is None for order in within)
            orders += within if whole else ()
            others += [] if whole else [line]
        return orders, "\n".join(others).strip()

    def _reads_as_order(self, text: str) -> bool:
        """Whether a line is a complete order, or begins like one and names a unit or hex."""
        if (error := self._judge(text)) is None:
            return True
        return _begins_as_order(error, text) and self._names_something(text)

    def _names_something(self, text: str) -> bool:
        """Whether a line names a unit or a hex; telephone numbers and addresses do not count."""
        said = _ADDRESS.sub(" ", text)
        return any(word in self._names for word in _WORD.findall(said.lower()))

    def _split_line(self, rest: list[_Piece]) -> tuple[list[_Piece], int]:
        """The orders and courtesies in a line that has several, and the number of pieces used.

        The last may continue on the next line. None if it is not such a line.
        """
        text = ""
        for number, piece in enumerate(rest[: _MOST_JOINED + 1], 1):
            text = f"{text} {piece.text}".lstrip()
            if self._judge(text) is None:
                break
            texts = _BETWEEN.split(text)
            orders = [part for part in texts if part and not is_courteous(part, ())]
            whole = orders[:-1] if piece.goes_on and orders[-1:] == texts[-1:] else orders
            if len(texts) > 1 and all(texts) and whole and not any(map(self._judge, whole)):
                *others, last = (_Piece(part, False, piece.width) for part in texts)
                return [*others, replace(last, goes_on=piece.goes_on)], number
            if not piece.goes_on:
                break
        return [], 0

    def _readings(self, rest: list[_Piece], widest: int) -> Iterator[tuple[str, str, int]]:
        """Readings of the next pieces: the words dropped first, an order, the number of pieces used.

        A line that is an order by itself is joined to the next only if the next word would not have fitted on
        it.
        """
        text, joined = rest[0].text, []
        for number, piece in enumerate(rest[: _MOST_JOINED + 1]):
            text = piece.text if not number else f"{text} {piece.text}"
            joined.append(text)
            if not piece.goes_on or number + 1 == len(rest):
                break
            room = piece.width + 1 + len(rest[number + 1].text.split()[0])
            if room <= widest and self._judge(text) is None:
                break
            if self._judge(rest[number + 1].text) is None:
                break
        for before, begun in _beginnings(rest[0].text):
            if before and self._may_be_order(before):
                continue
            for taken in range(len(joined), 0, -1):
                yield before, begun + joined[taken - 1][len(rest[0].text) :], taken

    def _may_be_order(self, text: str) -> bool:
        """Whether text that is not an order might be meant as one; it is then refused rather than dropped."""
        if len(bare_word(text.split()[0])) == 1 and not self._names_something(text):
            return False  # an initial, or a short word of a greeting
        return _begins_as_order(self._judge(text), text) or self._names_something(text)

    def _split_plan(self, lines: list[str]) -> tuple[list[str], list[str]]:
        """The lines of a plan, and the greetings below it."""
        end = len(lines)
        while end > 1 and is_courteous(lines[end - 1], ()):
            end -= 1
        return lines[:end], lines[end:]


def _pieces(typed: list[str]) -> Iterator[_Piece]:
    """Split lines into pieces at the separators between orders."""
    for number, line in enumerate(typed):
        texts = order_lines(line)
        follows = number + 1 < len(typed) and bool(typed[number + 1].strip())
        open_ended = follows and not line.rstrip().endswith((";", "."))
        for place, text in enumerate(texts, 1):
            yield _Piece(text, open_ended and place == len(texts), len(line))


def _beginnings(text: str) -> Iterator[tuple[str, str]]:
    """Where an order might begin in a line: at its start, after a comma, or after courtesies.

    Yields the words before, and the rest.
    """
    yield "", text
    before, comma, after = text.partition(",")
    if comma and after.strip() and len(before.split()) <= 3:
        yield before + comma, after.strip()
    words = text.split()
    many = next((n for n, word in enumerate(words) if bare_word(word) not in COURTESIES), len(words))
    if 0 < many < len(words):
        yield " ".join(words[:many]), " ".join(words[many:])


def bare_word(word: str) -> str:
    """A word in lower case, without punctuation around it."""
    return word.strip(",.!:").casefold()


def _is_yes(line: str, people: Collection[str]) -> bool:
    """Whether a line is a yes and nothing else."""
    agreement = read_agreement(line, people)
    return agreement is not None and agreement.answer == "yes" and agreement.is_certain


def _begins_as_order(error: OrderError | None, text: str) -> bool:
    """Whether the first word of a line is that of an order, given the `error` in the line."""
    return not isinstance(error, NotUnderstood) or error.start > len(text) - len(text.lstrip())


def _player_names(game: Game) -> frozenset[str]:
    """Every word of the players' names."""
    return frozenset(word.casefold() for seat in game.seats.values() for word in _WORD.findall(seat.name))


def _unit_and_hex_names(game: Game) -> frozenset[str]:
    """The names of units and hexes in lower case, except single letters, which might be initials."""
    rules, states = game.rules, (game.replayed_entries[0].state, game.state.run.state)
    units = {piece.name.lower() for state in states for piece, _ in pieces(rules, state)}
    hexes = {cell.number.lower() for cell in rules.view.legend(states[-1]).cells}
    return frozenset(name for name in units | hexes if len(name) > 1)
