"""Forks of which a home has proof: a seat has signed two different entries of one number (FORMAT 6)."""

from __future__ import annotations

from pbem.base.files import read_regular
from pbem.player.local_player import LocalPlayer, log_lines
from pbem.player.store.relation import Relation, compare_logs, find_double_signature
from pbem.texts import Texts
from pbem.umpire.game import Game
from pbem.umpire.verify import parse_log

tr = Texts("pbem")


def describe_forks(desk: LocalPlayer, game: Game) -> tuple[str, ...]:
    """A line for each side that has signed two entries of one number, with the place of the proof.

    Older files, other accepts and undone logs are stored too, and prove nothing. Raises `ShelfError`.
    """
    lines_found: dict[str, None] = {}
    if evidence := desk.store.evidence(game.ids[0]):
        kept, handed = log_lines(game.entries), desk.store.signed_entries(game.ids[0])
        for path in evidence:
            other = log_lines(parse_log(read_regular(path)))
            n = (
                find_double_signature(kept, other)
                if compare_logs(kept, other, handed) is Relation.FORKED
                else None
            )
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
