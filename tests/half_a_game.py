"""Half a game between two homes whose programs differ: by mails, by files, with a take-back and plans."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from homes import Home, begin_by_mail, make_home
from programs import Program, next_command

from pbem.umpire.verify import open_game

PASSING = {
    "mortain": {"activate": "pass"},
    "rommel": {"air": "stand down", "move": "pass"},
}
"""What a plan orders when it is asked, in each game, whoever was hit; in any turn each side is asked one."""


def play_half_a_game(
    game: str, seat: str, programs: tuple[Program, Program], folder: Path
) -> tuple[Home, Home]:
    """Anna, who offers by the first program, and Bruno; both programs have verified what they have then."""
    anna, bruno = make_home(programs[0], folder / "anna"), make_home(programs[1], folder / "bruno")
    begin_by_mail(game, seat, anna, bruno)
    attached = []
    for giver, taker in ((bruno, anna), (anna, bruno)) * 2:
        giver.play()
        attached.append(giver.mail_to(taker))
    assert sum(one.startswith(b"New entries of a game") for one in attached) > 1, "parts of the log have gone"
    assert anna.ids == bruno.ids
    take_back(anna, bruno)
    for player in (anna, bruno):
        for asked, orders in PASSING[game].items():
            step = f"when asked {asked}", f"do {orders}", "despite hits, range"
            player.type("plan", player.file, "add", *step)
        player.type("plan", player.file, "arm")
    by_plan = 0, 0
    for _ in range(30):
        by_plan = by_plan[0] + anna.play_by_plan(), by_plan[1]
        anna.hand_to(bruno)
        by_plan = by_plan[0], by_plan[1] + bruno.play_by_plan()
        bruno.hand_to(anna)
        if all(by_plan) and is_halfway(anna):
            break
    assert all(by_plan), by_plan
    assert is_halfway(anna)
    assert anna.ids == bruno.ids
    for player in (anna, bruno):
        for program in programs:
            assert "10 holds" in replace(player, program=program).type("verify", player.file)
    return anna, bruno


def is_halfway(player: Home) -> bool:
    """Whether a turn is over, or half the cards are drawn that a turn of Mortain has on an average."""
    game = open_game(player.data)
    assert game.state.rest
    assert game.rules.view.turn
    return game.rules.view.turn(game.state.rest[0]) > 1 or len(game.state.beats) > CARDS / 2


CARDS = 27
"""A joker in 53 cards ends a turn of Mortain."""


def take_back(anna: Home, bruno: Home) -> None:
    """Whoever is to write proposes to take his last move back, by mail, and the other agrees."""
    proposes, agrees = (anna, bruno) if next_command(anna.folder, anna.file) else (bruno, anna)
    while next_command(proposes.folder, proposes.file) == ["move", proposes.file]:  # a share of a draw alone
        proposes.play()
        proposes.mail_to(agrees)
        proposes, agrees = agrees, proposes
    proposes.type("propose", proposes.file, "last")
    proposes.mail_to(agrees)
    agrees.type("answer", agrees.file, "yes")
    agrees.mail_to(proposes)
    assert anna.ids == bruno.ids
    told = proposes.type("log", proposes.file)
    assert re.search("the game (is again as it was|stands as it did) after entry", told), (
        "today's words or before's"
    )
