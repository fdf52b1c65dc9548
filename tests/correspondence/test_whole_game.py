"""Two homes play a whole game by mail alone: SMTP, IMAP, and the commands `send`, `fetch` and `watch`.

How many mails that takes, and how many of them a person writes, `pytest -s` of this file tells.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.correspondence.outbox import entries_by_mail
from pbem.games.mortain import RULES
from pbem.umpire import permissions, write
from support.correspondents import Correspondent, make_correspondents, stored_game
from support.mail_provider import DOMAIN, MailProvider, run_mail_provider

LONG = bool(os.environ.get("PBEM_LONG"))


@pytest.fixture
def office() -> Iterator[MailProvider]:
    with run_mail_provider("anna", "bruno") as running:
        yield running


def file(player: Correspondent) -> str:
    """The one file of the game: of `new`, or that `fetch` has written."""
    (found,) = player.file.parent.glob("mortain*.yaml")
    return found.name


def play_decision(player: Correspondent, choose: random.Random) -> bool:
    """Let a practice player give the orders that this player owes; whether there were any."""
    game, decided = stored_game(player), False
    while game.state.writer in permissions.held_seats(game, player.local_player.key):
        asked = permissions.unlock_state(game, player.local_player.key).pending_question
        orders = None  # of a share alone
        if asked and asked.seat == game.state.writer:
            orders, decided = RULES.players["sensible"](asked, choose), True
        game = write.play(game, player.local_player.key, orders)
    if decided:
        player.local_player.save(game, player.file.parent / file(player))
    return decided


@pytest.mark.thorough
@pytest.mark.parametrize("turns", [1, 6] if LONG else [1])
def test_a_whole_game(turns: int, office: MailProvider, tmp_path: Path) -> None:
    anna, bruno = make_correspondents(tmp_path)
    for player in (anna, bruno):
        office.serve(player.local_player, player.name.lower())
    choose = random.Random(7)

    def types(player: Correspondent, *words: str) -> None:
        assert player.type(*words) == 0, words

    types(anna, "new", "mortain", "--seat", "german", "--option", f"turns={turns}", "--name", "Anna")
    types(anna, "mail", "send", "mortain.yaml", "--to", f"bruno@{DOMAIN}")
    types(bruno, "mail", "fetch")
    types(bruno, "join", "--name", "Bruno")
    assert play_decision(bruno, choose), "the US sets up first"
    types(bruno, "mail", "send", file(bruno), "--to", f"anna@{DOMAIN}")
    types(anna, "mail", "fetch")
    if not play_decision(anna, choose):
        types(anna, "move", file(anna))
    types(anna, "mail", "send", file(anna), "--to", f"bruno@{DOMAIN}")  # confirmed for Bruno's key, known now
    by_hand = {"Anna": 2, "Bruno": 1}

    while not (stored_game(anna).state.ending and stored_game(bruno).state.ending):
        before = stored_game(anna).ids, stored_game(bruno).ids
        for player in (bruno, anna):
            types(player, "mail", "watch", "--once")
            if play_decision(player, choose):
                types(player, "mail", "send", file(player))
                by_hand[player.name] += 1
        assert before != (stored_game(anna).ids, stored_game(bruno).ids), "the game goes on"

    mailed = len(office.mails_of("anna")) + len(office.mails_of("bruno"))
    sys.stdout.write(f"{turns} turns: {mailed} mails; a person wrote {sum(by_hand.values())}: {by_hand}\n")
    assert stored_game(anna).ids == stored_game(bruno).ids
    for player in (anna, bruno):
        types(player, "verify", file(player))
    assert mailed == len(entries_by_mail(stored_game(anna))), "one mail each time that the pen changes hands"
    decisions = sum("orders" in entry.raw for entry in stored_game(anna).entries)
    assert sum(by_hand.values()) <= min(decisions + 2, mailed), (
        "a person writes the offer and what he decides"
    )
