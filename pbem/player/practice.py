"""Games against the computer: an opponent with a key of its own, which plays through the same file.

It sees only the public state, and its entries are signed, drawn and checked like anybody's. In the
demonstration two computer players, each with its own home, exchange real files to the end of a game.
"""

from __future__ import annotations

import hashlib
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from pbem.core.requests import Orders, Plain
from pbem.core.rules import Player, Rules
from pbem.core.sealing import Open
from pbem.errors import StorageError
from pbem.player import clock
from pbem.player.actions.action import ActionContext, sign_accept, sign_offer
from pbem.player.actions.autoplay import next_automatic_entry
from pbem.player.actions.orders import GiveOrders as Given
from pbem.player.actions.orders import GiveShare
from pbem.player.actions.proposals import AnswerProposal
from pbem.player.commanders import sign_practice_parts
from pbem.player.local_player import LocalPlayer, Opponent, is_practice, opponent_store, practice_player
from pbem.texts import Texts
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from pbem.umpire.write import Claim, Person, Terms

tr = Texts("pbem")


def respond(game: Game, player: LocalPlayer, *, claim: Claim = Claim()) -> Game:
    """Write all entries the computer player can, until the other side writes next or the game is over.

    It grants every take-back, since people play it to learn, and accepts no draw.
    """
    while game.state.writer in permissions.held_seats(game, player.key):
        if proposal := game.state.proposal:
            game = AnswerProposal(ActionContext(player, game), proposal.what != "draw").write(claim)
            continue
        asked = permissions.unlock_state(game, player.key).pending_question
        orders = None
        if asked is not None and asked.seat == game.state.writer and not isinstance(asked, Open):
            opponent = opponent_store(player).read().get(game.ids[0], Opponent())
            choose = _chosen_player(game, opponent, player)
            orders = choose(asked, _seeded_rng(game, player), clock.count_within(opponent.think))
        game = _write_choice(ActionContext(player, game), orders, claim)
    return game


def _write_choice(hand: ActionContext, orders: Orders | None, claim: Claim) -> Game:
    """Sign the orders a computer player has chosen, or the due share."""
    if orders is None:
        return GiveShare(hand).write()
    return Given(hand, orders, parts=_sign_parts(hand.game, hand.player, orders)).write(claim)


def _chosen_player(game: Game, opponent: Opponent, player: LocalPlayer) -> Player:
    """The computer player of a game. Raises `StorageError` if the game no longer has one of that name."""
    players = game.rules.players
    if opponent.player not in players:
        raise StorageError(
            tr(
                "{file}: there is no player '{found}'; there are {expected}",
                file=opponent_store(player).path,
                found=opponent.player,
                expected=", ".join(players),
            ),
            hint=tr("delete the file; all computer players are then sensible"),
        )
    return players[opponent.player]


def _sign_parts(game: Game, player: LocalPlayer, orders: Orders | None) -> list[dict[str, Plain]]:
    """Sign the part of the computer as a commander on the side it plays itself (FORMAT 11)."""
    if orders is None or not game.state.commanders.get(game.state.writer or ""):
        return []

    return sign_practice_parts(game, player, orders)


def play_to_next_decision(
    game: Game, player: LocalPlayer, *, claim: Claim = Claim(), by_plan: bool = False
) -> Game:
    """In a game against the computer, sign everything up to the player's next decision.

    That is the opponent's moves and the automatic entries of the player's side. Any other game, or one that
    needs the player's orders now, is returned unchanged.
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


def save_and_respond(player: LocalPlayer, game: Game, file: Path) -> Game:
    """Save the player's own entry, then the computer's answers. Raises as `LocalPlayer.save`."""
    player.save(game, file)
    final = play_to_next_decision(game, player, claim=clock.claim(), by_plan=True)
    if final is not game:
        player.save(final, file)
    return final


def _seeded_rng(game: Game, player: LocalPlayer) -> random.Random:
    """Random numbers that follow from the key and the log, and that the opponent cannot know."""
    return random.Random(hashlib.sha256(player.key.seed + bytes.fromhex(game.ids[-1])).digest())


class DemoMail(Struct, frozen=True):
    """A mail of the demonstration: its number, its sender, the file, and the game in it."""

    number: int
    sender: str
    file: Path
    game: Game


class Correspondent(Struct, frozen=True):
    """A computer player at a seat, with its game file."""

    seat: str
    player: LocalPlayer
    file: Path


def play_demo(folder: Path, rules: Rules, edition: str, claim: Claim) -> Iterator[DemoMail]:
    """Play a whole game in a folder, mail by mail. Both players verify every file and store it."""
    first, second = (_make_correspondent(folder, seat) for seat in rules.seats)
    letters = folder / "mail"
    letters.mkdir()
    terms = Terms(rules, dict(rules.editions[edition]), rules.scenarios.names[0])
    game = sign_offer(Person("Anna", first.player.key), first.seat, terms, said=claim)
    first.player.save(game, first.file, new=True)
    sender, receiver = first, second
    number = 0
    while True:
        number += 1
        letter = letters / f"{number:03}-{sender.seat}.yaml"
        shutil.copyfile(sender.file, letter)
        yield DemoMail(number, sender.seat, letter, game)
        if game.state.ending:
            return
        sender, receiver = receiver, sender
        game = _reply(sender, letter, claim)


def _reply(reader: Correspondent, letter: Path, claim: Claim) -> Game:
    """Verify a received mail, answer it, and save the answer."""
    data = reader.player.read(letter)
    game = reader.player.open(data)
    reader.player.record(game, data, new=len(game.entries) == 1)
    if len(game.entries) == 1:
        game = sign_accept(game, Person("Bruno", reader.player.key), claim)
    game = respond(game, reader.player, claim=claim)
    reader.player.save(game, reader.file)
    return game


def _make_correspondent(folder: Path, seat: str) -> Correspondent:
    player = LocalPlayer(folder / seat / "home")
    player.make_key()
    return Correspondent(seat, player, folder / seat / "game.yaml")
