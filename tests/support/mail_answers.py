"""Replies to letters to oneself, as a mail program makes them, and a game where it is Anna's turn."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from pbem.correspondence.contacts import Contacts
from pbem.correspondence.examiner import Examiner
from pbem.correspondence.mail_stages import IncomingMail
from pbem.correspondence.orders_by_reply import OrdersByReply
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from support.correspondents import (
    ANNA,
    BRUNO,
    Correspondent,
    begin_game,
    mail_text,
    parse_mail,
    play_share_and_orders,
)
from support.mail_clients import quote
from support.transcripts import write_key

_NUMBERS = count()


def with_fixed_keys(both: tuple[Correspondent, Correspondent]) -> tuple[Correspondent, Correspondent]:
    """Players whose game is the same every time."""
    for player in both:
        write_key(player.local_player.key_path, player.name)
    anna, bruno = (replace(player, local_player=LocalPlayer(player.local_player.home)) for player in both)
    return anna, bruno


def game_asking_anna(anna: Correspondent, bruno: Correspondent) -> Game:
    """A game in which Anna has to give orders, and has confirmed Bruno's address."""
    game = begin_game(anna.person(), bruno.person())
    while game.state.writer != "german" or permissions.has_forced_entry(game, anna.local_player.key):
        game = play_share_and_orders(game, anna.person() if game.state.writer == "german" else bruno.person())
    anna.save(game)
    contacts = Contacts(anna.local_player)
    contacts.confirm(contacts.opponent(game), BRUNO)
    return game


def answer_mail(
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


def reply_mail(letter: bytes, words: str, *headers: str, sender: str = f"Anna <{ANNA}>") -> bytes:
    """A reply to a letter, which is quoted below it."""
    said = f"{words}\n\nOn Sun, 22 Nov 2026 at 12:00, pbem <{ANNA}> wrote:\n\n{quote(mail_text(letter))}"
    to = parse_mail(letter)
    thread = f"In-Reply-To: {to['Message-ID']}"
    return answer_mail(said, thread, *headers, sender=sender, subject=str(to["Subject"]))


def carry_out_mail(replies: OrdersByReply, examiner: Examiner, mail: bytes) -> list[str] | None:
    """Carry out a mail. Returns the result in lines; None if it is not a reply to a letter to oneself."""
    reply = examiner.examine_mail(IncomingMail("1", mail), replies.address).reply
    return replies.carry_out_reply(reply) if reply else None
