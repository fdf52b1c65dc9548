"""Half a game between two homes whose programs differ: by mails, by files, with a take-back and plans."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from homes import Home, home, opened
from programs import Program, due

from pbem.umpire.verify import open_game

PASSING = {
    "mortain": {"activate": "pass"},
    "rommel": {"air": "stand down", "move": "pass"},
}
"""What a plan orders when it is asked, in each game, whoever was hit; in any turn each side is asked one."""


def half_a_game(game: str, seat: str, programs: tuple[Program, Program], folder: Path) -> tuple[Home, Home]:
    """Anna, who offers by the first program, and Bruno; both programs have verified what they have then."""
    anna, bruno = home(programs[0], folder / "anna"), home(programs[1], folder / "bruno")
    opened(game, seat, anna, bruno)
    attached = []
    for giver, taker in ((bruno, anna), (anna, bruno)) * 2:
        giver.plays()
        attached.append(giver.mails(taker))
    assert sum(one.startswith(b"New entries of a game") for one in attached) > 1, "parts of the log have gone"
    assert anna.ids == bruno.ids
    taken_back(anna, bruno)
    for player in (anna, bruno):
        for asked, orders in PASSING[game].items():
            step = f"when asked {asked}", f"do {orders}", "despite hits, range"
            player.types("plan", player.file, "add", *step)
        player.types("plan", player.file, "arm")
    by_plan = 0, 0
    for _ in range(30):
        by_plan = by_plan[0] + anna.plays_by_plan(), by_plan[1]
        anna.hands(bruno)
        by_plan = by_plan[0], by_plan[1] + bruno.plays_by_plan()
        bruno.hands(anna)
        if all(by_plan) and halfway(anna):
            break
    assert all(by_plan), by_plan
    assert halfway(anna)
    assert anna.ids == bruno.ids
    for player in (anna, bruno):
        for program in programs:
            assert "10 holds" in replace(player, program=program).types("verify", player.file)
    return anna, bruno


def halfway(player: Home) -> bool:
    """Whether a turn is over, or half the cards are drawn that a turn of Mortain has on an average."""
    game = open_game(player.data)
    assert game.state.rest
    assert game.rules.view.turn
    return game.rules.view.turn(game.state.rest[0]) > 1 or len(game.state.beats) > CARDS / 2


CARDS = 27
"""A joker in 53 cards ends a turn of Mortain."""


def taken_back(anna: Home, bruno: Home) -> None:
    """Whoever is to write proposes to take his last move back, by mail, and the other agrees."""
    proposes, agrees = (anna, bruno) if due(anna.folder, anna.file) else (bruno, anna)
    while due(proposes.folder, proposes.file) == ["move", proposes.file]:  # a share of a draw alone
        proposes.plays()
        proposes.mails(agrees)
        proposes, agrees = agrees, proposes
    proposes.types("propose", proposes.file, "last")
    proposes.mails(agrees)
    agrees.types("answer", agrees.file, "yes")
    agrees.mails(proposes)
    assert anna.ids == bruno.ids
    told = proposes.types("log", proposes.file)
    assert re.search("the game (is again as it was|stands as it did) after entry", told), (
        "today's words or before's"
    )
