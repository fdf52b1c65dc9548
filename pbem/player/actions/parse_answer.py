"""An action by the words of an answer: parsed here, shown to the player, and then signed.

move 2SS-A 1803        orders, as `pbem move` reads them, on lines or separated by `;`
pass                   where the rules have it
propose last           a draw, or to take a move back, as `pbem propose` has it
answer yes             to the opponent's proposal; yes or no alone will do
resign                 always to be confirmed
drafts                 beside orders: those of the received drafts of commanders (FORMAT 11)
now: move 2SS-A 1803   any of these, done without being shown first
plan hold 40%          a plan, armed: see `plans`
say: Well played       words to the opponent, on the last lines; alone they wait for the next orders
"""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.core.requests import Ask
from pbem.errors import NotUnderstood, NotYourMove, OrderError
from pbem.player.actions import deferred
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.message import LeaveMessage
from pbem.player.actions.orders import GiveOrders
from pbem.player.actions.preconditions import check_possible
from pbem.player.actions.proposals import AnswerProposal
from pbem.player.commanders.lead import commanders_of, is_drafts_line
from pbem.player.orders.order_sheet import split_orders
from pbem.render.story import explain_departure
from pbem.texts import Texts
from pbem.umpire import permissions

tr = Texts("pbem")

TYPED = ("now", "say", "yes", "no", "answer", "resign", "propose", "plan")

_NOW = re.compile(r"\s*([^\s:]+)\s*:[ \t]*")
_SAY = re.compile(r"(?:^|;)[ \t]*([^\s:;]+)[ \t]*:[ \t]*", re.MULTILINE)
"""A word and a colon; `split_reply` checks that the word is `say`."""

_BULLET = re.compile(r"^[ \t]*(?:[*\u2022-][ \t]+|[0-9]{1,2}[.)][ \t]+)")
"""The bullet or number that phones put before lines that look like a list."""


class ParsedReply(Struct, frozen=True):
    """The words of an answer: orders or the like, a line each, and words to the opponent.

    `now`: to be done without being shown first.
    """

    lines: tuple[str, ...]
    say: str = ""
    now: bool = False

    @property
    def is_yes(self) -> bool:
        """Whether it is a yes to what was shown or proposed."""
        return list(map(in_english, self.lines)) in (["yes"], ["answer yes"])

    @property
    def is_no(self) -> bool:
        """Whether it is a no to that."""
        return list(map(in_english, self.lines)) in (["no"], ["answer no"])


def parse_reply_text(words: str) -> ParsedReply:
    """The parsed words of an answer."""
    orders, said, now = split_reply(words)
    return ParsedReply(order_lines(orders), said, now)


def split_reply(words: str) -> tuple[str, str, bool]:
    """The orders of an answer as typed, the words to the opponent, and whether `now` stands first."""
    now = _NOW.match(words)
    if now and in_english(now[1]) != "now":
        now = None
    rest = words[now.end() :] if now else words
    say = next((match for match in _SAY.finditer(rest) if in_english(match[1]) == "say"), None)
    orders, said = (rest[: say.start()], rest[say.end() :].strip()) if say else (rest, "")
    return orders, said, now is not None


def order_lines(orders: str) -> tuple[str, ...]:
    """Orders as typed, one a line, without bullets and full stops."""
    return tuple(line for order in split_orders(orders) if (line := _BULLET.sub("", order).rstrip(" .!")))


def action_from_reply(hand: ActionContext, wanted: ParsedReply) -> Action:
    """The action that a reply means in a game that waits for the player. Nothing is written yet.

    Raises `OrderError`, `NotYourMove` and `PbemError` as the commands do that take the same words.
    """
    typed, *others = (_normalise(wanted.lines[0]).split() if wanted.lines else []) or [""]
    first = in_english(typed)
    if not wanted.lines:
        return _message_action(hand, wanted.say)
    if len(wanted.lines) == 1 and first == "resign" and not others:
        return deferred.resign_or_defer(hand, wanted.say)
    if hand.game.state.proposal:
        return _answer_action(hand, wanted)
    if wanted.is_yes or wanted.is_no:
        raise NotYourMove(tr("nothing waits for your yes or no: answer with your orders"))
    if len(wanted.lines) == 1 and first == "propose":
        return deferred.parse_proposal(hand, " ".join(others), wanted.say)
    if first == "plan":
        from pbem.player.actions.plan import ArmPlan  # here, because few answers have plans

        return ArmPlan(hand, wanted.lines, wanted.say)
    return _orders_action(hand, wanted)


def _message_action(hand: ActionContext, say: str) -> LeaveMessage:
    """The action for words alone, which wait for the next entry that decides something."""
    if not say:
        problem, hint = tr("no orders above the quoted text"), tr("write them above it, a line each")
        raise NotUnderstood(problem, "", 0, 0, hint=hint)
    return LeaveMessage(hand, say)


def _answer_action(hand: ActionContext, wanted: ParsedReply) -> AnswerProposal:
    """The answer to the opponent's proposal, which comes before anything else."""
    waiting = hand.game.state.proposal
    assert waiting is not None
    if not (wanted.is_yes or wanted.is_no):
        yes, no = tr.own("yes"), tr.own("no")
        raise NotYourMove(
            tr("{proposal}: answer that first", proposal=waiting.describe(hand.game.rules)),
            hint=tr("answer {yes}, or answer {no}", yes=yes, no=no),
        )
    return AnswerProposal(hand, wanted.is_yes, wanted.say)


def _orders_action(hand: ActionContext, wanted: ParsedReply) -> GiveOrders:
    """Orders as typed, with those that commanders have signed where the player asks for them."""
    check_possible(hand, "orders")
    desk, game, _ = hand
    table = permissions.unlock_state(game, desk.key)
    asked = table.pending_question
    assert isinstance(asked, Ask)
    side, typed = commanders_of(desk, game, table), list(wanted.lines)
    try:
        if side and any(map(is_drafts_line, typed)):
            own = [line for line in typed if not is_drafts_line(line)]
            for line in filter(is_drafts_line, typed):
                side.choose_drafts(line)
            typed = [*side.missing_lines(game.rules.view.read_words(asked, own) if own else []), *own]
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
    """A line in lower case, with the words of `TYPED` translated to English."""
    return " ".join(tr.meant(word, TYPED) for word in _normalise(line).split())


def _normalise(line: str) -> str:
    return " ".join(line.lower().split()).rstrip(".!")
