"""Words to the opponent that wait for the player's next entry that decides something (FORMAT 6).

    home/words.json    by the id of the game: the words, and how many entries it had when they were kept

They never leave by themselves. Nothing has to be taken off the list when an entry takes them along: words
that an entry of his says since do not wait any more, whenever the program was killed.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.desk.clock import claim
from pbem.errors import NotYourMove, PbemError
from pbem.files import Store, locked, make_folder
from pbem.journal.document import MAX_SAY_OF_A_SEAT
from pbem.journal.plain import SURROGATE
from pbem.journal.shapes import MAX_SAY
from pbem.keys import PrivateKey
from pbem.texts import Texts
from pbem.umpire import Game, seated
from pbem.umpire.write import Claim

tr = Texts("pbem")


class _Kept(Struct, frozen=True, forbid_unknown_fields=True):
    words: str
    entries: int


class Words:
    """The words that wait on the desk in the folder `home`."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._store = Store(
            home / "words.json", dict[str, _Kept], hint=tr("mend or remove it: only words that wait are lost")
        )

    def waiting(self, game: Game, key: PrivateKey) -> str:
        """The words that go with the next decision of this key's holder; empty if none do."""
        kept = self._store.read().get(game.ids[0], _Kept("", 0))
        seats = seated.held(game, key)
        since = [one.body for one in game.entries[kept.entries :] if one.body.by in seats]
        return "" if any(kept.words in (body.say or "") for body in since) else kept.words

    def joined(self, game: Game, key: PrivateKey, words: str) -> str:
        """The words that wait, and these below them. Raises `PbemError` where an entry cannot say so much."""
        said = "\n".join(one for one in (self.waiting(game, key), words) if one)
        if SURROGATE.search(said):
            raise PbemError(tr("found bytes that are no UTF-8 in the words, expected text"))
        if (found := len(said.encode())) > MAX_SAY:
            problem = tr(
                "found {found} bytes of words, expected at most {most} (FORMAT 4)", found=found, most=MAX_SAY
            )
            hint = tr("to take back what waits: {command}", command="pbem say --remove")
            raise PbemError(problem, hint=hint)
        seats = seated.held(game, key)
        spoken = sum(len((one.body.say or "").encode()) for one in game.entries if one.body.by in seats)
        if spoken + found > MAX_SAY_OF_A_SEAT:
            problem = tr(
                "you have said {found} bytes, and the most is {most} (FORMAT 4)",
                found=spoken,
                most=MAX_SAY_OF_A_SEAT,
            )
            raise PbemError(problem)
        return said

    def claim(self, game: Game, key: PrivateKey, words: str) -> Claim:
        """The player's clock, and these words below those that wait. Raises as `joined`, where any wait."""
        return claim(self.joined(game, key, words) if self.waiting(game, key) else words)

    def keep(self, game: Game, key: PrivateKey, words: str) -> str:
        """Keep the words beside those that wait already; all of them. Raises as `joined`; `NotYourMove`."""
        if not seated.held(game, key):
            raise NotYourMove(tr("your key holds no seat in this game"))
        if game.table.ending:
            raise NotYourMove(tr("the game is over: nothing will take your words along"))
        said = self.joined(game, key, words)
        self._put(game, said)
        return said

    def remove(self, game: Game) -> None:
        """Take back what waits."""
        self._put(game, "")

    def _put(self, game: Game, words: str) -> None:
        make_folder(self._home)
        with locked(self._home):
            self._store.put(game.ids[0], _Kept(words, len(game.entries)))
