"""Answers to letters to oneself, as a mail program puts them together, and a game that waits for Anna."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from cli.transcript import write_key
from mail.clients import quoted

from correspondence.players import ANNA, BRUNO, Player, begun, move, parsed, text_of
from pbem.correspondence.contacts import Contacts
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions
from pbem.umpire.game_state import Game

_NUMBERS = count()


def with_the_same_keys(both: tuple[Player, Player]) -> tuple[Player, Player]:
    """Players whose game is the same every time."""
    for player in both:
        write_key(player.desk.key_path, player.name)
    anna, bruno = (replace(player, desk=LocalPlayer(player.desk.home)) for player in both)
    return anna, bruno


def asked(anna: Player, bruno: Player) -> Game:
    """A game in which Anna is asked for orders, and has confirmed Bruno's address."""
    game = begun(anna.person(), bruno.person())
    while game.state.writer != "german" or permissions.has_forced_entry(game, anna.desk.key):
        game = move(game, anna.person() if game.state.writer == "german" else bruno.person())
    anna.save(game)
    contacts = Contacts(anna.desk)
    contacts.confirm(contacts.opponent(game), BRUNO)
    return game


def answer(
    words: str, *headers: str, sender: str = f"Anna <{ANNA}>", subject: str = "[pbem] Mortain"
) -> bytes:
    """A mail from Anna to herself, without a code unless the words or headers have one."""
    lines = (
        *([f"From: {sender}"] if sender else []),
        f"To: {ANNA}",
        f"Subject: Re: {subject}",
        f"Message-ID: <{next(_NUMBERS)}@phone.example.org>",
        "Date: Sun, 22 Nov 2026 12:10:00 +0000",
        *headers,
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: 8bit",
    )
    return ("\n".join(lines) + f"\n\n{words}\n").encode()


def reply(letter: bytes, words: str, *headers: str, sender: str = f"Anna <{ANNA}>") -> bytes:
    """An answer to a letter, which is quoted below it."""
    said = f"{words}\n\nOn Sun, 22 Nov 2026 at 12:00, pbem <{ANNA}> wrote:\n\n{quoted(text_of(letter))}"
    to = parsed(letter)
    thread = f"In-Reply-To: {to['Message-ID']}"
    return answer(said, thread, *headers, sender=sender, subject=str(to["Subject"]))
