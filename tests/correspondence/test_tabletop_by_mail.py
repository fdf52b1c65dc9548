"""Ten turns at the tabletop by mail, with hidden hands: one mail a turn, and the hands opened at the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.correspondence.letter import letter
from pbem.games.tabletop.rules.hands import hand_of
from pbem.umpire import permissions
from support.correspondents import Correspondent, make_correspondents, stored_game
from support.mail_provider import DOMAIN, MailProvider, run_mail_provider

TURNS = 10


@pytest.fixture
def office() -> Iterator[MailProvider]:
    with run_mail_provider("anna", "bruno") as running:
        yield running


def file(player: Correspondent) -> str:
    """The one file of the game."""
    (found,) = player.file.parent.glob("tabletop*.yaml")
    return found.name


def types(player: Correspondent, *words: str) -> None:
    assert player.type(*words) == 0, words


def hand(player: Correspondent, deck: str) -> list[str]:
    game = stored_game(player)
    return hand_of(permissions.unlock_state(game, player.local_player.key).run.state, deck) or []


@pytest.mark.thorough
def test_ten_turns(office: MailProvider, tmp_path: Path) -> None:
    anna, bruno = make_correspondents(tmp_path)
    for player in (anna, bruno):
        office.serve(player.local_player, player.name.lower())
    types(anna, "new", "tabletop", "--seat", "first", "--scenario", "cards", "--name", "Anna")
    types(anna, "mail", "send", "tabletop.yaml", "--to", f"bruno@{DOMAIN}")
    types(bruno, "mail", "fetch")
    types(bruno, "join", "--name", "Bruno")
    types(bruno, "mail", "send", file(bruno), "--to", f"anna@{DOMAIN}")
    types(anna, "mail", "fetch")
    mails = len(office.mails_of("anna")) + len(office.mails_of("bruno"))

    for turn in range(TURNS):
        player, to, deck = (bruno, anna, "blue") if turn % 2 else (anna, bruno, "red")
        held = hand(player, deck)
        first = [f'play "{held[0]}" for ops'] if held else []
        types(
            player, "move", file(player), *first, f'draw 1 from {deck}; roll 2d6 "hex {turn}, 3:1; +1"; end'
        )
        types(player, "mail", "send", file(player), "--to", f"{to.name.lower()}@{DOMAIN}")
        types(to, "mail", "fetch")
    sent = len(office.mails_of("anna")) + len(office.mails_of("bruno")) - mails
    assert sent == TURNS, "a turn that ends in `end` costs one mail"

    types(anna, "move", file(anna), "result Reds")
    types(anna, "mail", "send", file(anna))
    types(bruno, "mail", "fetch")
    types(bruno, "move", file(bruno), "agree")
    types(bruno, "mail", "send", file(bruno))
    for _ in range(3):
        for player in (anna, bruno):
            types(player, "mail", "watch", "--once")
    for player in (anna, bruno):
        ending = stored_game(player).state.ending
        assert ending is not None
        assert (ending.way, ending.winner) == ("rules", "first")
    assert stored_game(anna).ids == stored_game(bruno).ids


@pytest.mark.thorough
def test_sixty_dice_in_one_mail(office: MailProvider, tmp_path: Path) -> None:
    """Thirty combats with two dice each go in one mail, and come back as one table."""
    anna, bruno = make_correspondents(tmp_path)
    for player in (anna, bruno):
        office.serve(player.local_player, player.name.lower())
    types(anna, "new", "tabletop", "--seat", "first", "--scenario", "dice", "--name", "Anna")
    types(anna, "mail", "send", "tabletop.yaml", "--to", f"bruno@{DOMAIN}")
    types(bruno, "mail", "fetch")
    types(bruno, "join", "--name", "Bruno")
    types(bruno, "mail", "send", file(bruno), "--to", f"anna@{DOMAIN}")
    types(anna, "mail", "fetch")
    combats = " ".join(f'"combat {number}, 3:1, +1"' for number in range(1, 31))
    before = len(office.mails_of("bruno"))
    types(anna, "move", file(anna), f"roll 2d6 {combats}; end")
    types(anna, "mail", "send", file(anna), "--to", f"bruno@{DOMAIN}")
    assert len(office.mails_of("bruno")) == before + 1
    types(bruno, "mail", "fetch")
    types(bruno, "move", file(bruno), "end")
    types(bruno, "mail", "send", file(bruno), "--to", f"anna@{DOMAIN}")
    types(anna, "mail", "fetch")
    (beat,) = stored_game(anna).state.beats
    assert len(beat.draws) == 60
    said = letter(stored_game(anna))
    assert [f"combat {number}, 3:1, +1 (Attacker, 2d6)" in said for number in range(1, 31)] == [True] * 30
