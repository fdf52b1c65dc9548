"""The demonstration: two practice players, each with a home of his own, exchange real files to the end."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from pbem.core.rules import Rules
from pbem.player.actions.take_seat import sign_accept, sign_offer
from pbem.player.local_player import LocalPlayer
from pbem.player.practice.practice_opponent import respond
from pbem.umpire.game import Game
from pbem.umpire.write import Claim, Person, Terms


class DemoMail(Struct, frozen=True):
    """A mail of the demonstration: its number, who sent it, the file, and the game in it."""

    number: int
    sender: str
    file: Path
    game: Game


class Correspondent(Struct, frozen=True):
    """A practice player at a seat, with his game file."""

    seat: str
    desk: LocalPlayer
    file: Path


def play_demo(folder: Path, rules: Rules, edition: str, claim: Claim) -> Iterator[DemoMail]:
    """Play a whole game in a folder, mail by mail. Both check every file, and store it."""
    first, second = (_make_correspondent(folder, seat) for seat in rules.seats)
    letters = folder / "mail"
    letters.mkdir()
    terms = Terms(rules, dict(rules.editions[edition]), rules.scenarios.names[0])
    game = sign_offer(Person("Anna", first.desk.key), first.seat, terms, said=claim)
    first.desk.save(game, first.file, new=True)
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
    """Check a received mail, answer it, and save the answer."""
    data = reader.desk.read(letter)
    game = reader.desk.open(data)
    reader.desk.record(game, data, new=len(game.entries) == 1)
    if len(game.entries) == 1:
        game = sign_accept(game, Person("Bruno", reader.desk.key), claim)
    game = respond(game, reader.desk, claim=claim)
    reader.desk.save(game, reader.file)
    return game


def _make_correspondent(folder: Path, seat: str) -> Correspondent:
    desk = LocalPlayer(folder / seat / "home")
    desk.make_key()
    return Correspondent(seat, desk, folder / seat / "game.yaml")
