"""The opponents whose programs read a part of a log (FORMAT 10), by the last mail from each.

    home/mail/readers.json    by the id of the game: whether the opponent's next mail may be a part

An older program of theirs reads whole files alone, and somebody who has lost his newest entries needs one. So
a part is sent only after a mail that shows that its writer can read it, and has what it goes on from.
"""

from __future__ import annotations

from pathlib import Path

from pbem.base.files import JsonStore, make_folder
from pbem.correspondence.verdict import Verdict
from pbem.texts import Texts

tr = Texts("pbem")


class PeerCapabilities:
    """What mails have shown of the opponents' programs, in the home folder `home`."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "mail"
        self._store = JsonStore(
            self._folder / "readers.json",
            dict[str, bool],
            hint=tr("remove it: then the next mail of each game is a whole file"),
        )

    def reads_parts(self, game: str) -> bool:
        """Whether the opponent in the game with this id of entry 0 may be sent a part of its log."""
        return self._store.read().get(game, False)

    def save_observed(self, verdict: Verdict) -> None:
        """Save what a received game shows: whether its writer's program reads parts, and how far he is.

        An older state that comes whole is from somebody who has no newer one; a part only comes late.
        """
        if verdict.game is None or (verdict.part and verdict.behind):
            return
        game = verdict.game.ids[0]
        reads = verdict.reads_parts and not verdict.behind
        if self.reads_parts(game) != reads:
            make_folder(self._folder)
            self._store.save(game, reads)
