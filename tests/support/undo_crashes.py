"""Players killed while they undo, or while an entry is sent, on POSIX.

    python -m support.undo_crashes PLAY FOLDER

Anna has signed by her plan, with a pending message, and then deferred a draw offer. She is killed before a
line of the code that undoes, or that notes what is sent; then she undoes it, or sends it. The results go to
standard output, as JSON. If her disk is the same as before an earlier line, so is the result of a kill.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from pbem.base.files import write_atomically
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.undo_with_mail import undo_with_mail, write_undone_state
from pbem.errors import NotYourMove, StorageError
from pbem.player.actions import undo as act
from pbem.player.actions.autoplay import write_planned_orders
from pbem.player.local_player import LocalPlayer
from pbem.player.pending import DeferredActions, PendingMessages, deferred_for
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.plan_store import PlanStore
from pbem.player.store import record_store, signed_entries
from pbem.player.store.game_store import GameStore
from pbem.player.store.log_relation import Relation
from pbem.player.store.signed_entries import SendChannel
from pbem.umpire import permissions, write
from pbem.umpire.game_state import Game
from player.test_plan_store import play_to_decision
from support.correspondents import Correspondent, begin_game, make_correspondents

CODE = {
    *(
        sys.modules[of.__module__].__file__
        for of in (
            write_atomically,
            GameStore,
            act.UndoResult,
            write_undone_state,
            PendingMessages,
            DeferredActions,
            PlanStore,
        )
    ),
    record_store.__file__,
    signed_entries.__file__,
}
SAID = "Good luck!"
KILLED = 99


def anna_at_decision(folder: Path) -> Correspondent:
    """Anna has a decision to make, an armed plan, and a pending message."""
    anna, bruno = make_correspondents(folder)
    game = play_to_decision(begin_game(anna.person(), bruno.person()), anna, bruno)
    anna.save(game)
    plans = PlanStore(anna.local_player.home)
    plans.save(game, parse_plan("do pass", "plan"))
    plans.arm(game)
    PendingMessages(anna.local_player.home).save(game, anna.local_player.key, SAID)
    return anna


def sign_by_plan(before: Correspondent, folder: Path) -> tuple[Correspondent, Game]:
    """A copy of her home in which the plan has signed, with a mail of that in the outbox."""
    home = shutil.copytree(before.local_player.home, folder / "home")
    anna = Correspondent("Anna", LocalPlayer(home), folder / "game.yaml")
    anna.local_player.key = before.local_player.key
    game = write_planned_orders(anna.local_player, stored_game(anna))
    assert game
    anna.local_player.save(game, anna.file)
    Outbox(home).save(game.ids[0], game.ids[-1], b"a mail")
    DeferredActions(home).save_draw(game)
    return anna, game


def stored_game(anna: Correspondent) -> Game:
    (kept,) = anna.local_player.store.games()
    return anna.local_player.open(kept.data)


def undo_newest(anna: Correspondent, game: Game) -> None:
    undo_with_mail(anna.local_player, game, anna.file, nobody_has_it=True)


def let_go(anna: Correspondent, game: Game) -> None:
    anna.local_player.note_departure(game, SendChannel.SERVER)
    anna.file.with_name("left").touch()


def was_killed_doing(
    anna: Correspondent, game: Game, deed: Callable[[Correspondent, Game], None], act: Callable[[int], None]
) -> bool:
    """Whether she was killed during `deed`; `act` is called before each line."""
    pid = os.fork()
    if pid == 0:
        numbers = count(1)

        def trace(frame: FrameType, event: str, _: object) -> Any:
            if frame.f_code.co_filename not in CODE:
                return None
            if event == "line":
                act(next(numbers))
            return trace

        sys.settrace(trace)
        deed(anna, game)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code in (0, KILLED)
    return code == KILLED


def lines_that_change_disk(
    before: Correspondent, folder: Path, deed: Callable[[Correspondent, Game], None]
) -> list[int]:
    """The numbers of the lines before which her disk has a new state; and the end."""
    folder.mkdir()
    anna, game = sign_by_plan(before, folder)
    steps = folder.with_suffix(".steps")

    def note(n: int) -> None:
        with steps.open("a") as opened:
            opened.write(f"{digest(folder)} {n}\n")

    assert not was_killed_doing(anna, game, deed, note)
    rows = [line.split() for line in steps.read_text().splitlines()]
    first: dict[str, int] = {}
    for state, n in rows:
        first.setdefault(state, int(n))
    return [*first.values(), len(rows) + 1]


def digest(folder: Path) -> str:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return sha256(repr([(path.suffix, path.read_bytes()) for path in found]).encode()).hexdigest()


def kill_at_every_line(folder: Path, deed: Callable[[Correspondent, Game], None]) -> Iterator[dict[str, Any]]:
    """The result of each kill, if she undoes next, and if she sends next."""
    before = anna_at_decision(folder / "before")
    numbers = lines_that_change_disk(before, folder / "first", deed)
    for n, then in ((n, then) for n in numbers for then in (undone_then, sent_then)):
        place = folder / f"{n}-{then.__name__}"
        place.mkdir()
        anna, game = sign_by_plan(before, place)

        def die(number: int, n: int = n) -> None:
            if number == n:
                os._exit(KILLED)

        killed = was_killed_doing(anna, game, deed, die)
        # another process: nothing is left in memory
        again = Correspondent("Anna", LocalPlayer(anna.local_player.home), anna.file)
        again.local_player.key = before.local_player.key
        left = (place / "left").exists()
        yield {"killed": killed, "left": left, "then": then.__name__, **then(again, game)}


def undone_then(anna: Correspondent, game: Game) -> dict[str, Any]:
    """The state after she undoes it, if it is not undone yet, and whether it can be sent."""
    was = len(stored_game(anna).ids) - len(game.ids)
    refused = ""
    try:
        if was == 0:
            undo_newest(anna, game)
        elif anna.local_player.relation(game, anna.file.read_bytes()) is Relation.UNDONE:
            write_undone_state(anna.local_player, game, anna.file)
    except (NotYourMove, StorageError) as error:
        refused = str(error)
    now = stored_game(anna)
    return {
        "was": was,
        "refused": refused,
        "now": len(now.ids) - len(game.ids),
        "file": len(anna.local_player.open(anna.file.read_bytes()).ids) - len(game.ids),
        "armed": PlanStore(anna.local_player.home).record(now).is_armed,
        "wishes": deferred_for(anna.local_player, now).suspended,
        "words": PendingMessages(anna.local_player.home).suspended_message(now),
        "mails": Outbox(anna.local_player.home).count_copies(game.ids[0], game.ids[-1]),
        "leaves": leaves(anna, game),
    }


def sent_then(anna: Correspondent, game: Game) -> dict[str, Any]:
    """The state after she sends the stored game, possibly after another entry, and what can be sent then."""
    now = stored_game(anna)
    if len(now.ids) < len(game.ids):
        now = write.resign(now, anna.local_player.key)
        anna.local_player.save(now, anna.file)
    one = leaves(anna, now)
    try:
        undo_newest(anna, now)
        undone = True
    except (NotYourMove, StorageError):
        undone = False
    other = now.ids != game.ids and leaves(anna, game)
    return {
        "one": one,
        "other": other,
        "undone": undone,
        "owes": permissions.has_forced_entry(now, anna.local_player.key),
    }


def leaves(anna: Correspondent, game: Game) -> bool:
    try:
        anna.local_player.note_departure(game, SendChannel.PAGE)
    except StorageError:
        return False
    return True


if __name__ == "__main__":
    play, where = sys.argv[1:]
    json.dump(
        list(kill_at_every_line(Path(where), {"undoes": undo_newest, "sends": let_go}[play])), sys.stdout
    )
