"""Forks of which a home has proof: a seat has signed two different entries of one number (FORMAT 6)."""

from __future__ import annotations

from pbem.base.files import read_regular
from pbem.player.local_player import LocalPlayer, lines
from pbem.player.store.relation import Relation, compared, signed_twice
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.verify import read_log

tr = Texts("pbem")


def forks(desk: LocalPlayer, game: Game) -> tuple[str, ...]:
    """A line for each side that has signed two entries of one number, with the place of the proof.

    Older files, other accepts and undone logs are stored too, and prove nothing. Raises `ShelfError`.
    """
    lines_found: dict[str, None] = {}
    if evidence := desk.shelf.evidence(game.ids[0]):
        kept, handed = lines(game.entries), desk.shelf.handed(game.ids[0])
        for path in evidence:
            other = lines(read_log(read_regular(path)))
            n = signed_twice(kept, other) if compared(kept, other, handed) is Relation.FORKED else None
            if n is not None:
                told = tr(
                    "{side} {side:has|have} signed two different entries {n} of this game: both are kept, as "
                    "proof, in {folder}",
                    side=game.rules.side(kept[n].by),
                    n=n,
                    folder=desk.home / "games",
                )
                lines_found[told] = None
    return tuple(lines_found)
