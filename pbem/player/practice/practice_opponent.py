"""Practice: an opponent that the program plays, with a key of its own, through the same file.

It plays by the public state alone, and its entries are signed, drawn and checked like anybody's.
"""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

from pbem.core.requests import Orders, Plain
from pbem.core.rules import Player
from pbem.core.sealing import Open
from pbem.errors import StorageError
from pbem.player import clock
from pbem.player.actions.action import ActionContext
from pbem.player.actions.autoplay import next_automatic_entry
from pbem.player.actions.orders import GiveOrders as Given
from pbem.player.actions.orders import GiveShare
from pbem.player.actions.proposals import AnswerProposal
from pbem.player.commanders.opponent_home import Opponent, is_practice, opponent_store, practice_player
from pbem.player.local_player import LocalPlayer
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game import Game
from pbem.umpire.write import Claim

tr = Texts("pbem")


def respond(game: Game, desk: LocalPlayer, *, claim: Claim = Claim()) -> Game:
    """Let a practice player write all its due entries, until the other writes next or the game is over.

    It grants every take-back, since people play it to learn, and accepts no draw.
    """
    while game.state.writer in permissions.held_seats(game, desk.key):
        if proposal := game.state.proposal:
            game = AnswerProposal(ActionContext(desk, game), proposal.entry is not None).write(claim)
            continue
        asked = permissions.unlock_state(game, desk.key).pending_question
        orders = None
        if asked is not None and asked.seat == game.state.writer and not isinstance(asked, Open):
            opponent = opponent_store(desk).read().get(game.ids[0], Opponent())
            choose = _chosen_player(game, opponent, desk)
            orders = choose(asked, _seeded_rng(game, desk), clock.count_within(opponent.think))
        game = _write_choice(ActionContext(desk, game), orders, claim)
    return game


def _write_choice(hand: ActionContext, orders: Orders | None, claim: Claim) -> Game:
    """Sign the orders that a practice player has chosen, or the share that is due."""
    if orders is None:
        return GiveShare(hand).write()
    return Given(hand, orders, parts=_sign_parts(hand.game, hand.player, orders)).write(claim)


def _chosen_player(game: Game, opponent: Opponent, desk: LocalPlayer) -> Player:
    """The practice player of a game. Raises `ShelfError` where the game no longer has one of that name."""
    players = game.rules.players
    if opponent.player not in players:
        raise StorageError(
            tr(
                "{file}: there is no player '{found}'; there are {expected}",
                file=opponent_store(desk).path,
                found=opponent.player,
                expected=", ".join(players),
            ),
            hint=tr("remove the file: all are sensible then"),
        )
    return players[opponent.player]


def _sign_parts(game: Game, desk: LocalPlayer, orders: Orders | None) -> list[dict[str, Plain]]:
    """Sign the part of a practice player that is commander on the program's own side (FORMAT 11)."""
    if orders is None or not game.state.commanders.get(game.state.writer or ""):
        return []
    from pbem.player.commanders.lead import sign_practice_parts  # here, because few sides are shared

    return sign_practice_parts(game, desk, orders)


def play_to_next_decision(
    game: Game, player: LocalPlayer, *, claim: Claim = Claim(), by_plan: bool = False
) -> Game:
    """In a practice game, sign everything up to the player's next decision: moves of the opponent, and what
    the player's side writes automatically.

    Any other game, or one that waits for the player's orders, is returned as it is.
    """
    if not is_practice(game, player):
        return game
    opponent = practice_player(player)
    while True:
        game = respond(game, opponent, claim=claim)
        step = next_automatic_entry(player, game, decides=by_plan, alone=True)
        if step is None:
            return game
        game = step.game


def save_and_respond(desk: LocalPlayer, game: Game, file: Path) -> Game:
    """Save the player's own entry, then the answers of a practice opponent. Raises as `LocalPlayer.save`."""
    desk.save(game, file)
    final = play_to_next_decision(game, desk, claim=clock.claim(), by_plan=True)
    if final is not game:
        desk.save(final, file)
    return final


def _seeded_rng(game: Game, desk: LocalPlayer) -> random.Random:
    """Random numbers that are the same for the same key and log, and that the opponent cannot know."""
    return random.Random(hashlib.sha256(desk.key.seed + bytes.fromhex(game.ids[-1])).digest())
