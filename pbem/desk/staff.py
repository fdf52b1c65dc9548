"""A practice player as commander of a part of a person's side (FORMAT 11), with a key of its own.

It orders what the lead leaves it: nothing, if he orders units of its groups himself.
"""

from __future__ import annotations

import hashlib
import random

from pbem.core.requests import Orders
from pbem.desk.desk import Desk
from pbem.desk.practice import SENSIBLE
from pbem.journal.draft import Draft
from pbem.umpire import Game
from pbem.umpire.drafts import fitting, own_share, post, sign
from pbem.umpire.table import Table

NAME = "practice"
"""Who is named so in `--commander` is the program."""


def staff_desk(desk: Desk) -> Desk:
    """The practice commander's own desk, inside the player's home; its key is made when first wanted."""
    staff = Desk(desk.home / "practice-commander")
    if not staff.has_key:
        staff.make_key()
    return staff


def staff_draft(game: Game, table: Table, desk: Desk, own: Orders) -> Draft | None:
    """What the practice commander orders beside the lead's own orders; None where it commands nothing."""
    if not (desk.home / "practice-commander").exists() or table.asked is None:
        return None
    key = staff_desk(desk).key
    at = post(game, key.public)
    if at is None or at.seat != table.asked.seat or own_share(game, at, own):
        return None
    chooser = random.Random(hashlib.sha256(key.seed + bytes.fromhex(game.ids[-1])).digest())
    chosen = own_share(game, at, game.rules.players[SENSIBLE](table.asked, chooser))
    behind = own if names_units(game, own) else []
    return sign(game, key, at, fitting(game, table.asked, chosen, behind=behind))


def names_units(game: Game, orders: Orders) -> bool:
    """Whether any order commands units; a pass does not."""
    state = game.table.run.state
    return any(game.rules.sharing.ordered(state, order) for order in orders)
