"""Proposals, their answers and resigning as actions (FORMAT 6.6)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.requests import Plain
from pbem.player.actions.action import Action, ActionContext
from pbem.player.actions.preconditions import check_possible
from pbem.player.orders.parse_proposal import overlooked_losses
from pbem.player.orders.try_orders import Effect
from pbem.texts import Texts
from pbem.umpire import permissions, write
from pbem.umpire.game import Game
from pbem.umpire.write import Claim

tr = Texts("pbem")


class MakeProposal(Action):
    """A take-back to after an entry, or without one a draw. Raises `NotYourMove` where it is not possible."""

    def __init__(self, hand: ActionContext, entry: int | None, say: str = "") -> None:
        super().__init__(hand, say)
        self.kind = "draw" if entry is None else "takeback"
        check_possible(hand, self.kind)
        self.entry = entry
        write.propose(
            hand.game, hand.player.key, self._proposal
        )  # to be refused now rather than when it is signed

    @property
    def _proposal(self) -> dict[str, Plain]:
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
        game = self.context.game
        return _takeback_effect(game, permissions.held_seats(game, self.context.player.key), self.entry)

    def write(self, said: Claim | None = None) -> Game:
        """Sign the proposal: the game with the entry, after the share that is due, if there is one."""
        return write.propose(
            self.context.game, self.context.player.key, self._proposal, claim=self.claim(said)
        )


class AnswerProposal(Action):
    """A yes or no to the opponent's proposal, which comes before anything else. Raises `NotYourMove`."""

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
        """The words of the answer."""
        by, entry = self.context.game.rules.side(self.proposal.by), self.proposal.entry
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
        return _takeback_effect(self.context.game, [self.proposal.by], self.proposal.entry)

    def write(self, said: Claim | None = None) -> Game:
        """The game with the entry."""
        return write.answer(self.context.game, self.context.player.key, self.agrees, claim=self.claim(said))


class ResignGame(Action):
    """A resignation: the other side wins. Raises `NotYourMove` where another writes next."""

    kind = "resign"
    confirmation = "always"

    def __init__(self, hand: ActionContext, say: str = "") -> None:
        super().__init__(hand, say)
        check_possible(hand, "resign")

    @property
    def words(self) -> tuple[str, ...]:
        """The resignation in a line."""
        game = self.context.game
        winner = game.rules.side(game.state.opponent(permissions.writing_seat(game, self.context.player.key)))
        return (tr("You give the game up: {side} {side:wins|win}.", side=winner),)

    def write(self, said: Claim | None = None) -> Game:
        """The game with the entry."""
        return write.resign(self.context.game, self.context.player.key, claim=self.claim(said))


def _takeback_effect(game: Game, proposer: Sequence[str], entry: int | None) -> Effect:
    return Effect() if entry is None else Effect(warnings=overlooked_losses(game, proposer, entry))
