"""Proposals as a player types them, their answers, and resigning, as actions (FORMAT 6.6).

A draw offer, take-back or resignation that cannot be written now is deferred: it stays pending at home
(`pending`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pbem.core.requests import Plain
from pbem.errors import NotYourMove, PbemError
from pbem.format.entries import RETRACT, Play, ProposalTerms, Propose
from pbem.format.keys import PrivateKey
from pbem.lookalikes import plain_letters
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.orders import GiveShare
from pbem.player.actions.preconditions import (
    check_draw_may_be_proposed,
    check_holds_seat,
    check_possible,
    why_not_possible,
)
from pbem.player.order_preview import Effect
from pbem.player.pending import DeferredActions, PendingMessages, deferred_for
from pbem.player.store.game_record import DeferredKind
from pbem.render.safe_text import cut
from pbem.render.story import describe_orders, describe_redrawn, orders_in_force
from pbem.texts import ENGLISH, Texts, speaking
from pbem.umpire import permissions, write
from pbem.umpire.game_state import EntryRefused, Game
from pbem.umpire.write import Claim

tr = Texts("pbem")


_MOST_MOVES = 3
"""The most moves that a list shows."""

_MOST_COLUMNS = 40
"""The most columns for a move in such a list."""

TYPED = ("draw", "entry", "last", "takeback")

_TO = "to"
"""A small word of the games, translated in their catalogues, that `parse_takeback` ignores."""


def parse_takeback(game: Game, key: PrivateKey, what: str) -> dict[str, int]:
    """The take-back that typed words mean, as FORMAT 6.6 and 12 define it.

    `last`, or a move as typed, takes back its orders only. `entry N`, or N, takes back everything after that
    entry. The word `takeback` or `take-back` may come first. Raises `PbemError` if the words mean none of
    these, or if a move is not typed in full; the message then lists the candidates.
    """
    begun, _, rest = what.partition(" ")
    if rest and tr.meant(begun.replace("-", ""), TYPED) == "takeback":
        what = rest.strip()
        begun, _, rest = what.partition(" ")
    number = rest.strip() if tr.meant(begun, TYPED) == "entry" else what
    if re.fullmatch("[0-9]{1,5}", number):  # the number of an entry never has more digits
        return {"takeback": int(number)}
    moves = [move for move in orders_in_force(game) if move.by in permissions.held_seats(game, key)]
    if tr.meant(what, TYPED) == "last" and moves:
        return takeback_of_orders(game, moves[-1].n)
    meant = [move for move in moves if _is_move(what, move, game)]
    if not meant:
        raise PbemError(_describe_unknown_move(game, moves, what))
    return takeback_of_orders(game, meant[-1].n)


def takeback_of_orders(game: Game, n: int) -> dict[str, int]:
    """The take-back of only the orders in entry `n`, which keeps the draw before them (FORMAT 12).

    Without `retract`, it returns to the last earlier entry that left no draw open.
    """
    if RETRACT in (game.offer.needs or ()):
        return {"retract": n}
    before = (number for number in range(1, n) if game.state.may_take_back_to(number))
    return {"takeback": max(before, default=n - 1)}


def overlooked_losses(game: Game, proposer: Sequence[str], terms: ProposalTerms) -> tuple[str, ...]:
    """What a take-back costs besides the last move of the seats proposing it. Nothing for a draw.

    The draws after it will be made again. Play cannot return to an entry that left a draw open, so more of
    their earlier moves might be lost (FORMAT 6.6). Sealed orders that were opened remain known (FORMAT 8).
    """
    if terms.first_undone is None:
        return ()
    first = terms.first_undone
    undone = [move for move in orders_in_force(game) if move.n >= first]
    last = max((move.n for move in undone if move.by in proposer), default=0)
    undone = [move for move in undone if move.n != last]
    lines = [
        tr(
            "this also takes back entry {n} of {side}: {orders}",
            n=move.n,
            side=game.rules.side(move.by),
            orders=cut(describe_orders(game, move), _MOST_COLUMNS),
        )
        for move in undone[:_MOST_MOVES]
    ]
    if more := len(undone[_MOST_MOVES:]):
        lines.append(tr.plural("and {number} more", "and {number} more", more))
    if redrawn := describe_redrawn(game, terms):
        lines.append(redrawn)
    if seen := [n for n in game.state.openings if n >= first]:
        lines.append(tr("entry {n} opened sealed orders: what was seen stays seen", n=seen[0]))
    return tuple(lines)


def is_draw(what: str) -> bool:
    """Whether typed words mean a draw."""
    return tr.meant(what, TYPED) == "draw"


def moves_to_take_back(game: Game, key: PrivateKey) -> list[tuple[int, str]]:
    """The player's moves in force, newest first: the number of each entry, and its orders as text."""
    own = permissions.held_seats(game, key)
    moves = [move for move in orders_in_force(game) if move.by in own]
    return [(move.n, describe_orders(game, move)) for move in reversed(moves)]


def _is_move(what: str, move: Play, game: Game) -> bool:
    """Whether typed words are all the words of a move, in the player's language or in English."""
    wanted = _plain_words(what, game)
    lines = " ".join(game.rules.view.write_words(move.orders or []))
    with speaking(ENGLISH):
        english = " ".join(game.rules.view.write_words(move.orders or []))
    return bool(wanted) and wanted in (_plain_words(lines, game), _plain_words(english, game))


def _may_mean_move(what: str, move: Play, game: Game) -> bool:
    """Whether each typed word begins a word of a move, in the player's language or in English."""
    wanted = _plain_words(what, game)
    lines = game.rules.view.write_words(move.orders or [])
    with speaking(ENGLISH):
        lines += game.rules.view.write_words(move.orders or [])
    words = {word for line in lines for word in _plain_words(line, game)}
    return bool(wanted) and all(any(word.startswith(part) for word in words) for part in wanted)


def _plain_words(text: str, game: Game) -> set[str]:
    small = map(plain_letters, Texts(game.rules.package).typed(_TO))
    return set(re.split(r"[\s,;]+", plain_letters(text))) - {"", _TO, *small}


def _describe_unknown_move(game: Game, moves: list[Play], what: str) -> str:
    """The error message for words that are not one of the player's moves in full, with the candidates."""
    found = cut(what, _MOST_COLUMNS)
    forms = {"draw": tr.own("draw"), "last": tr.own("last"), "entry": f"{tr.own('entry')} N"}
    if not moves:
        if tr.meant(what, TYPED) == "last":
            return tr("you have no move to take back")
        return tr("'{found}' is not {draw}, {last}, one of your moves or {entry}", found=found, **forms)
    meant = [move for move in moves if _may_mean_move(what, move, game)]
    listed = "; ".join(
        f"{move.n} ({cut(describe_orders(game, move), _MOST_COLUMNS)})"
        for move in (meant or moves)[-_MOST_MOVES:]
    )
    if meant:
        return tr(
            "'{found}' is not a complete move of yours; it could mean {moves}", found=found, moves=listed
        )
    return tr(
        "'{found}' is not {draw}, {last}, one of your moves or {entry}; your last moves: {moves}",
        found=found,
        moves=listed,
        **forms,
    )


class MakeProposal(Action):
    """Propose a draw or a take-back. Raises `NotYourMove` if that is not possible."""

    def __init__(self, hand: ActionContext, what: dict[str, Plain], say: str = "") -> None:
        super().__init__(hand, say)
        self.kind = "draw" if "draw" in what else "takeback"
        check_possible(hand, self.kind)
        self.what = what
        write.propose(hand.game, hand.player.key, what)  # so that it is refused now rather than when signed

    @property
    def words(self) -> tuple[str, ...]:
        """The proposal in one line."""
        match self.what:
            case {"retract": entry}:
                return (tr("You propose to take back the orders of entry {entry}.", entry=entry),)
            case {"takeback": entry}:
                return (tr("You propose to undo everything after entry {entry}.", entry=entry),)
        return (tr("You propose a draw."),)

    @property
    def effect(self) -> Effect:
        """The consequences of a take-back that the player might have overlooked."""
        return _effect_of_takeback(self.context, self.what)

    def write(self, said: Claim | None = None) -> Game:
        """Sign the proposal, after the due share if there is one. Returns the game."""
        return write.propose(self.context.game, self.context.player.key, self.what, claim=self.claim(said))


def _effect_of_takeback(hand: ActionContext, what: Mapping[str, Plain]) -> Effect:
    """What a take-back costs its proposer; nothing for a draw."""
    if not what:
        return Effect()
    own = permissions.held_seats(hand.game, hand.player.key)
    return Effect(warnings=overlooked_losses(hand.game, own, ProposalTerms(**what)))


class AnswerProposal(Action):
    """Answer the opponent's proposal, which has to come before anything else. Raises `NotYourMove`."""

    confirmation = "never"

    def __init__(self, hand: ActionContext, agrees: bool, say: str = "") -> None:
        super().__init__(hand, say)
        self.kind = "yes" if agrees else "no"
        check_possible(hand, self.kind)
        assert hand.game.state.proposal is not None
        self.proposal = hand.game.state.proposal
        self.agrees = agrees

    @property
    def words(self) -> tuple[str, ...]:
        """The answer in words."""
        by, entry = self.context.game.rules.side(self.proposal.by), self.proposal.entry
        match self.proposal.what, self.agrees:
            case "draw", True:
                words = tr("You agree to the draw that {side} {side:proposes|propose}.", side=by)
            case "draw", False:
                words = tr("You refuse the draw that {side} {side:proposes|propose}.", side=by)
            case "retract", True:
                words = tr(
                    "You agree to take back the orders of entry {entry}, which {side} "
                    "{side:proposes|propose}.",
                    entry=entry,
                    side=by,
                )
            case "retract", False:
                words = tr(
                    "You refuse to take back the orders of entry {entry}, which {side} "
                    "{side:proposes|propose}.",
                    entry=entry,
                    side=by,
                )
            case _, True:
                words = tr(
                    "You agree to undo everything after entry {entry}, which {side} {side:proposes|propose}.",
                    entry=entry,
                    side=by,
                )
            case _:
                words = tr(
                    "You refuse to undo everything after entry {entry}, which {side} "
                    "{side:proposes|propose}.",
                    entry=entry,
                    side=by,
                )
        return (words,)

    @property
    def effect(self) -> Effect:
        """The player's own moves that a take-back gives up, and what remains known."""
        if not self.agrees:
            return Effect()
        proposed = self.context.game.entries[-1].body
        assert isinstance(proposed, Propose)
        return Effect(warnings=overlooked_losses(self.context.game, [self.proposal.by], proposed.what))

    def write(self, said: Claim | None = None) -> Game:
        """Sign the answer. Returns the game."""
        return write.answer(self.context.game, self.context.player.key, self.agrees, claim=self.claim(said))


class ResignGame(Action):
    """Resign, so that the other side wins. Raises `NotYourMove` if it is not the player's turn to write."""

    kind = "resign"
    confirmation = "always"

    def __init__(self, hand: ActionContext, say: str = "") -> None:
        super().__init__(hand, say)
        check_possible(hand, "resign")

    @property
    def words(self) -> tuple[str, ...]:
        """The resignation in one line."""
        game = self.context.game
        winner = game.rules.side(game.state.opponent(permissions.writing_seat(game, self.context.player.key)))
        given_up = tr("You resign: {side} {side:wins|win}.", side=winner)
        closed = tr("What was sealed stays sealed, so nothing about it is proven.")
        return (given_up, closed) if game.state.has_closed_seals else (given_up,)

    def write(self, said: Claim | None = None) -> Game:
        """Sign the resignation. Returns the game."""
        return write.resign(self.context.game, self.context.player.key, claim=self.claim(said))


class DeferProposal(Action):
    """Defer an action until it can be written; a resignation is confirmed then unless it is `certain`.

    Raises `NotYourMove` if the player holds no seat, or if nothing can be written any more.
    """

    confirmation = "always"

    def __init__(
        self,
        hand: ActionContext,
        what: DeferredKind,
        say: str = "",
        *,
        certain: bool = False,
        takeback: dict[str, int] | None = None,
    ) -> None:
        super().__init__(hand, say)
        check_holds_seat(hand.player, hand.game, hand.file)
        if (why := why_not_possible(hand, what)) and _is_pointless(hand, what):
            raise why
        self.kind = what
        self._certain = certain
        self._takeback = takeback or {}

    @property
    def words(self) -> tuple[str, ...]:
        """The statement that the action is deferred, and until when."""
        if self.kind == "draw":
            return (tr("You offer a draw as soon as you can. Until then the offer is waiting here."),)
        if self.kind == "takeback":
            return (tr("You propose the take-back as soon as you can. Until then it is waiting here."),)
        if self._certain:
            return (tr("You resign as soon as you can. Until then your resignation is waiting here."),)
        return (tr("You resign as soon as you can. pbem asks you again then."),)

    @property
    def effect(self) -> Effect:
        """The consequences of a take-back that the player might have overlooked."""
        return _effect_of_takeback(self.context, self._takeback)

    def write(self, said: Claim | None = None) -> None:
        """Save the action and its message at home. The game gets no entry."""
        player, game, _ = self.context
        if self.say:
            PendingMessages(player.home).save(game, player.key, self.say)
        if self.kind == "draw":
            DeferredActions(player.home).save_draw(game)
        elif self.kind == "takeback":
            DeferredActions(player.home).save_takeback(game, self._takeback)
        else:
            DeferredActions(player.home).save_resignation(game, certain=self._certain)


def _is_pointless(hand: ActionContext, what: DeferredKind) -> bool:
    """Whether it could never be written: the game is over, a draw is already proposed, or no move is left."""
    game = hand.game
    if game.state.ending or len(game.seats) < 2 or (what == "draw" and game.rules.settles_results):
        return True
    if what == "takeback":
        return not moves_to_take_back(game, hand.player.key)
    return what == "draw" and game.state.proposal is not None and game.state.proposal.what == "draw"


def may_be_deferred(hand: ActionContext, what: DeferredKind) -> bool:
    """Whether the action would be deferred if the player chose it now."""
    try:
        DeferProposal(hand, what)
    except NotYourMove:
        return False
    return why_not_possible(hand, what) is not None


def propose_or_defer_draw(hand: ActionContext, say: str = "") -> Action:
    """Offer a draw, now or as soon as possible. Raises `NotYourMove`."""
    check_draw_may_be_proposed(hand.game)
    return (
        DeferProposal(hand, "draw", say)
        if why_not_possible(hand, "draw")
        else MakeProposal(hand, {"draw": True}, say)
    )


def propose_or_defer_takeback(hand: ActionContext, takeback: dict[str, int], say: str = "") -> Action:
    """Propose a take-back with these terms, now or as soon as possible.

    Raises `NotYourMove`, also if the rules of the file never allow it (FORMAT 6.7 and 12).
    """
    if not why_not_possible(hand, "takeback"):
        return MakeProposal(hand, {**takeback}, say)
    act = DeferProposal(hand, "takeback", say, takeback=takeback)
    try:
        for what, n in takeback.items():
            hand.game.state.check_may_undo("retract" if what == "retract" else "takeback", n)
    except EntryRefused as refused:
        raise NotYourMove(tr("you cannot propose that now: {reason}", reason=refused)) from None
    return act


def parse_proposal(hand: ActionContext, what: str, say: str = "") -> Action:
    """The proposal that typed words mean: `draw`, `last`, a move in full, or `entry N`.

    Raises `PbemError` if they mean none of these, `NotYourMove` if it cannot be proposed.
    """
    if is_draw(what):
        return propose_or_defer_draw(hand, say)
    check_holds_seat(hand.player, hand.game, hand.file)
    return propose_or_defer_takeback(hand, parse_takeback(hand.game, hand.player.key, what), say)


def resign_or_defer(hand: ActionContext, say: str = "", *, certain: bool = False) -> Action:
    """Resign, now or as soon as possible. Raises `NotYourMove`."""
    if why_not_possible(hand, "resign"):
        return DeferProposal(hand, "resign", say, certain=certain)
    return ResignGame(hand, say)


def due_deferred_action(hand: ActionContext, say: str = "") -> Action | None:
    """The deferred action that can be written now, including a resignation the player has to confirm.

    A due share comes before a resignation, since its card might end the game with another result.
    """
    wish = deferred_for(hand.player, hand.game)
    if wish.resign and why_not_possible(hand, "resign") is None:
        return GiveShare(hand, say) if why_not_possible(hand, "share") is None else ResignGame(hand, say)
    if wish.takeback and why_not_possible(hand, "takeback") is None:
        return MakeProposal(hand, {**wish.takeback}, say)
    if wish.draw and why_not_possible(hand, "draw") is None:
        return MakeProposal(hand, {"draw": True}, say)
    return None


def automatic_action(hand: ActionContext) -> Action | None:
    """The deferred action pbem signs now without asking: any except an unconfirmed resignation."""
    act = due_deferred_action(hand)
    asks = isinstance(act, ResignGame) and deferred_for(hand.player, hand.game).resign != "certain"
    return None if asks else act
