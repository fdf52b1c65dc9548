"""Four homes play Rommel y Montgomery by mail alone: two leads, each with a commander.

A commander gets the game from his lead, mails a draft back, and the lead gives it with his own orders.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from independent import minimal_verifier
from pbem.core.requests import Orders, Plain
from pbem.core.sealing import Open
from pbem.games.rommel import RULES
from pbem.player.local_player import LocalPlayer
from pbem.umpire import permissions
from pbem.umpire.commander_signatures import split_order
from pbem.umpire.drafts import CommanderSeat, fitting_orders, orders_within_command
from pbem.umpire.game_state import Game
from support.correspondents import Correspondent, stored_game
from support.mail_provider import DOMAIN, MailProvider, run_mail_provider

LONG = bool(os.environ.get("PBEM_LONG"))
NAMES = ("rommel", "graziani", "monty", "freyberg")
COMMANDERS = {"rommel": "graziani", "monty": "freyberg"}
GROUPS = {"graziani": "italian", "freyberg": "commonwealth"}


@pytest.fixture
def office() -> Iterator[MailProvider]:
    with run_mail_provider(*NAMES) as running:
        yield running


def homes(folder: Path, office: MailProvider) -> dict[str, Correspondent]:
    """A home for each, with a key, settings for mail, and the key's public part in a file."""
    found = {}
    for name in NAMES:
        home = folder / name / "home"
        home.mkdir(parents=True)
        player = LocalPlayer(home)
        player.make_key()
        office.serve(player, name)
        (folder / f"{name}.pub").write_text(str(player.key.public))
        found[name] = Correspondent(name, player, folder / name / "game.yaml")
    return found


def file(player: Correspondent) -> str:
    """The file that `fetch` writes, or what the letter calls it; the offerer has his own, from then on."""
    found = sorted(player.file.parent.glob("rommel-????????.yaml"))
    if found:
        return found[0].name
    offers = player.local_player.offers.ids()
    return f"rommel-{offers[0][:8]}.yaml" if offers else "game.yaml"


def came(player: Correspondent) -> Game:
    """The game that has come to a commander, whether he has taken it up or not."""
    (kept,) = [*player.local_player.store.games(), *player.local_player.offers.newest_first()]
    return player.local_player.open(kept.data)


def choose(game: Game) -> Orders:
    """What both of a side agree on, by telephone: what a practice player orders."""
    assert game.state.pending_question
    return RULES.players["sensible"](game.state.pending_question, random.Random(len(game.entries)))


def _placed(order: Plain, share: Orders) -> bool:
    """Whether a commander has ordered that already."""
    return order in [one for other in share for one in split_order(other)]


def shared(game: Game) -> list[dict[str, Plain]]:
    """The entries of which each gives the orders of more than one."""
    return [one.raw for one in game.entries if one.raw.get("parts")]


def opened(game: Game) -> list[dict[str, Plain]]:
    """Those of them that open what was sealed."""
    return [one for one in shared(game) if '"open"' in json.dumps(one["orders"])]


def is_enough(game: Game) -> bool:
    """With PBEM_LONG two turns to their end; else until each side has ordered by both, the Axis unseen."""
    if LONG:
        return game.state.ending is not None
    return {one["by"] for one in shared(game)} == {"axis", "allied"} and bool(opened(game))


@pytest.mark.thorough
def test_two_turns(office: MailProvider, tmp_path: Path) -> None:
    people = homes(tmp_path, office)

    def types(name: str, *words: str) -> None:
        assert people[name].type(*words) == 0, words

    def gives(lead: str) -> None:
        """The lead shares the game, gets a draft back and gives the orders; or adds what he owes."""
        commander = COMMANDERS[lead]
        player = people[lead]
        game = stored_game(player)
        asked = permissions.unlock_state(game, player.local_player.key).pending_question
        if asked is None or asked.seat != game.state.writer or isinstance(asked, Open):
            types(lead, "move", file(player))
            return
        types(lead, "mail", "share", file(player), "--to", f"{GROUPS[commander]}={commander}@{DOMAIN}")
        types(commander, "mail", "fetch")
        game = stored_game(player)
        assert game.state.open_beat is None, "what was owed has been written"
        assert came(people[commander]).ids == game.ids
        whole, asked = choose(game), game.state.pending_question
        assert asked
        share = fitting_orders(
            game, asked, orders_within_command(game, CommanderSeat(game.state.writer or "", 0), whole)
        )
        typed = RULES.view.write_words(share) or ["pass"]
        types(commander, "orders", file(people[commander]), *typed, "--send", "--to", f"{lead}@{DOMAIN}")
        types(lead, "mail", "fetch")
        (draft,) = player.file.parent.glob(f"*-{len(game.entries)}-{GROUPS[commander]}.draft")
        left = [one for order in whole for one in split_order(order) if one not in share]
        mine = fitting_orders(game, asked, [one for one in left if not _placed(one, share)], before=share)
        types(lead, "move", file(player), "--with", draft.name, *RULES.view.write_words(mine))

    axis = ("--seat", "axis", "--name", "Rommel", "--commander", f"italian={tmp_path}/graziani.pub")
    short = ("--option", "air_subturns=1", "--option", "turns=2")
    types("rommel", "new", "rommel", "game.yaml", *axis, *short)
    types("rommel", "mail", "send", "game.yaml", "--to", f"monty@{DOMAIN}")
    types("monty", "mail", "fetch")
    allied = ("--name", "Monty", "--commander", f"commonwealth={tmp_path}/freyberg.pub")
    types("monty", "join", file(people["monty"]), *allied)
    lead, other = "monty", "rommel"
    while not is_enough(stored_game(people[lead])):
        while not (game := stored_game(people[lead])).state.ending:
            if game.state.writer not in permissions.held_seats(game, people[lead].local_player.key):
                break
            before = game.ids
            gives(lead)
            assert stored_game(people[lead]).ids != before
        types(lead, "mail", "send", file(people[lead]), "--to", f"{other}@{DOMAIN}")
        types(other, "mail", "fetch")
        lead, other = other, lead

    game = stored_game(people["rommel"])
    assert game.ids == stored_game(people["monty"]).ids
    assert {one["by"] for one in shared(game)} == {"axis", "allied"}
    assert opened(game), "what Graziani placed unseen too"
    for name in NAMES[::2]:
        types(name, "verify", file(people[name]))
    data = (people["rommel"].file.parent / file(people["rommel"])).read_bytes()
    minimal_verifier.verify(data)  # which checks each part's signature with no code of ours
