"""Proposals, their answers and resigning as actions (FORMAT 6.6)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.requests import Plain
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.preconditions import check
from pbem.player.orders.parse_proposal import unforeseen
from pbem.player.orders.try_orders import Effect
from pbem.texts import Texts
from pbem.umpire import permissions, write
from pbem.umpire.game import Game
from pbem.umpire.write import Claim

tr = Texts("pbem")


class Propose(Action):
    """A take-back to after an entry, or without one a draw. Raises `NotYourMove` where it is not possible."""

    def __init__(self, hand: ActionContext, entry: int | None, say: str = "") -> None:
        super().__init__(hand, say)
        self.kind = "draw" if entry is None else "takeback"
        check(hand, self.kind)
        self.entry = entry
        write.propose(hand.game, hand.desk.key, self._what)  # to be refused now rather than when it is signed

    @property
    def _what(self) -> dict[str, Plain]:
        return {"draw": True} if self.entry is None else {"takeback": self.entry}

    @property
    def words(self) -> tuple[str, ...]:
        """The proposal in a line."""
        if self.entry is None:
            return (tr("You propose a draw."),)
        return (tr("You propose to undo everything after entry {entry}.", entry=self.entry),)

    @property
    def effect(self) -> Effect:
        """The consequences of a take-back that the player may have overlooked."""
        game = self.hand.game
        return _undone(game, permissions.held_seats(game, self.hand.desk.key), self.entry)

    def write(self, said: Claim | None = None) -> Game:
        """Sign the proposal: the game with the entry, after the share that is due, if there is one."""
        return write.propose(self.hand.game, self.hand.desk.key, self._what, claim=self.claim(said))


class Answer(Action):
    """A yes or no to the opponent's proposal, which comes before anything else. Raises `NotYourMove`."""

    asks = "never"

    def __init__(self, hand: ActionContext, agrees: bool, say: str = "") -> None:
        super().__init__(hand, say)
        self.kind = "yes" if agrees else "no"
        check(hand, self.kind)
        assert hand.game.table.proposal is not None
        self.proposal = hand.game.table.proposal
        self.agrees = agrees

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the answer."""
        by, entry = self.hand.game.rules.side(self.proposal.by), self.proposal.entry
        match self.agrees, entry:
            case True, None:
                return (tr("You agree to a draw, which {side} {side:proposes|propose}.", side=by),)
            case True, _:
                return (
                    tr(
                        "You agree to undo everything after entry {entry}, which {side} "
                        "{side:proposes|propose}.",
                        entry=entry,
                        side=by,
                    ),
                )
            case _, None:
                return (tr("You refuse a draw, which {side} {side:proposes|propose}.", side=by),)
        return (
            tr(
                "You refuse to undo everything after entry {entry}, which {side} {side:proposes|propose}.",
                entry=entry,
                side=by,
            ),
        )

    @property
    def effect(self) -> Effect:
        """The player's own moves that a take-back gives up, and what stays seen."""
        if not self.agrees:
            return Effect()
        return _undone(self.hand.game, [self.proposal.by], self.proposal.entry)

    def write(self, said: Claim | None = None) -> Game:
        """The game with the entry."""
        return write.answer(self.hand.game, self.hand.desk.key, self.agrees, claim=self.claim(said))


class Resign(Action):
    """A resignation: the other side wins. Raises `NotYourMove` where another writes next."""

    kind = "resign"
    asks = "always"

    def __init__(self, hand: ActionContext, say: str = "") -> None:
        super().__init__(hand, say)
        check(hand, "resign")

    @property
    def words(self) -> tuple[str, ...]:
        """The resignation in a line."""
        game = self.hand.game
        winner = game.rules.side(game.table.other(permissions.writing_seat(game, self.hand.desk.key)))
        return (tr("You give the game up: {side} {side:wins|win}.", side=winner),)

    def write(self, said: Claim | None = None) -> Game:
        """The game with the entry."""
        return write.resign(self.hand.game, self.hand.desk.key, claim=self.claim(said))


def _undone(game: Game, proposer: Sequence[str], entry: int | None) -> Effect:
    return Effect() if entry is None else Effect(warnings=unforeseen(game, proposer, entry))
