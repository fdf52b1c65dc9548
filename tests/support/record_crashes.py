"""Programs killed while they change records at home, alone and beside others, on POSIX.

    python -m support.record_crashes PLAY FOLDER

`takes_over` kills a program that converts a home of 0.1.0, before a line of the code that reads and writes
what is stored at home. The other plays run three programs on one game at once, and kill the one the play is
named after before such a line. The results of each kill go to standard output, as JSON. If the disk is the
same as before an earlier line in an undisturbed run, so is the result of a kill there, and it is left out;
the last run of each play is not killed.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from pbem.base import files
from pbem.base import home as home_folder
from pbem.correspondence.outbox import Outbox
from pbem.player import local_player
from pbem.player.local_player import LocalPlayer
from pbem.player.pending import DeferredActions, PendingMessages
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.plan_store import PlanStore
from pbem.player.store import delivery, game_store, previous_layout, record_store, signed_entries
from pbem.player.store.delivery import Fate
from pbem.player.store.game_record import ReadMark
from pbem.player.store.record_store import GameRecords, ReadMarker, draft_of, set_draft
from pbem.player.store.signed_entries import SendChannel
from pbem.umpire.game_state import Game
from pbem.umpire.write import Person
from player.test_plan_store import play_to_decision
from support.correspondents import begin_game, make_correspondents, play_share_and_orders
from support.store_crashes import run_at_once
from support.undo_crashes import digest

CODE = {
    module.__file__
    for module in (
        *(files, home_folder, local_player, delivery, game_store, previous_layout),
        *(record_store, signed_entries),
    )
}
SAID, STEP, DRAFT, SENT = "Good luck!", "do pass", ("pass",), "2026-08-01T12:00:00+00:00"


def watch(player: LocalPlayer, game: Game, file: Path) -> None:
    """Like `mail watch`: mail what is signed, and note that it was sent and accepted."""
    outbox, names = Outbox(player.home), (game.ids[0], game.ids[-1])
    outbox.save(*names, b"a mail")
    player.note_departure(game, SendChannel.SERVER)
    outbox.save_fate(*names, Fate.SENT, SENT)


def play(player: LocalPlayer, game: Game, file: Path) -> None:
    """Like `play`: the board was looked at, orders are begun, a message and a plan are pending."""
    ReadMarker(player.home).save_mark(game)
    set_draft(player.home, game, DRAFT)
    PendingMessages(player.home).save(game, player.key, SAID)
    plans = PlanStore(player.home)
    plans.save(game, parse_plan(STEP, "plan"))
    plans.arm(game)


def move(player: LocalPlayer, game: Game, file: Path) -> None:
    """Like `move`: sign orders, once; then a draw offer is pending."""
    kept = player.store.find(game.ids[0])
    now = player.open(kept.data)
    if now.ids == game.ids:
        now = play_share_and_orders(game, Person("Anna", player.key))
        player.save(now, file)
    DeferredActions(player.home).save_draw(now)


ROLES: dict[str, Callable[[LocalPlayer, Game, Path], None]] = {
    role.__name__: role for role in (watch, play, move)
}


def in_child(act: Callable[[], None], before_line: Callable[[int], None] | None = None) -> int:
    """The exit code of a child that acts: 0, or minus the signal that killed it.

    `before_line` is called before each line of `CODE`, with its number.
    """
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            if before_line:
                sys.settrace(traced(before_line))
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def traced(before_line: Callable[[int], None]) -> Callable[[FrameType, str, object], Any]:
    numbers = count(1)

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename not in CODE:
            return None
        if event == "line":
            before_line(next(numbers))
        return trace

    return trace


def lines_that_change_disk(home: Path, act: Callable[[], None]) -> list[int]:
    """The numbers of the lines before which the disk has a new state; and one more."""
    steps = home.with_suffix(".steps")

    def note(n: int) -> None:
        with steps.open("a") as opened:
            opened.write(f"{n} {digest(home)}\n")

    assert in_child(act, note) == 0
    rows = [line.split() for line in steps.read_text().splitlines()]
    first: dict[str, int] = {}
    for n, disk in rows:
        first.setdefault(disk, int(n))
    return [*first.values(), 10 * len(rows)]


def kill_at(n: int) -> Callable[[int], None]:
    def die(number: int) -> None:
        if number == n:
            os.kill(os.getpid(), signal.SIGKILL)

    return die


def kill_beside_others(folder: Path, victim: str) -> Iterator[dict[str, Any]]:
    """The facts of the game after each kill of one role while the others ran, and after its next run."""
    anna, bruno = make_correspondents(folder / "before")
    game = play_to_decision(begin_game(anna.person(), bruno.person()), anna, bruno)

    def begin(name: str) -> Path:
        """A home in which she has signed all her entries: a copy would not know what was sent."""
        home = folder / name
        home.mkdir()
        shutil.copy(anna.local_player.key_path, home)
        LocalPlayer(home).save(game, home.with_suffix(".yaml"), new=True)
        return home

    def perform(home: Path, role: str) -> None:
        ROLES[role](LocalPlayer(home), game, home.with_suffix(".yaml"))

    first = begin("first")
    for n in lines_that_change_disk(first, partial(perform, first, victim)):
        home = begin(str(n))
        act = partial(perform, home)
        acts = [
            partial(in_child, partial(act, role), kill_at(n) if role == victim else None) for role in ROLES
        ]
        codes = dict(zip(ROLES, run_at_once([partial(_exit_code, one) for one in acts]), strict=True))
        crashed = facts(home, game)
        again = in_child(partial(act, victim))
        yield {"codes": codes, "crashed": crashed, "again": again, "next": facts(home, game)}
        shutil.rmtree(home)


def _exit_code(act: Callable[[], int]) -> int:
    """0, or 1 for an exception, or 9 for a kill."""
    return abs(act())


def facts(home: Path, game: Game) -> dict[str, bool]:
    """Which of the roles' facts the home has; each was written by its role before the next."""
    player = LocalPlayer(home)
    record = player.store.records.read(game.ids[0])
    now = player.open(player.store.find(game.ids[0]).data)
    ways = player.store.signed_entries(game.ids[0]).signed
    return {
        "left": all(ways[entry] for entry in game.ids if entry in ways),  # or unknown, which counts as sent
        "taken": [fate.sent for fate in record.mails.values()] == [SENT],
        "looked": record.read.at == game.ids[-1],
        "draft": draft_of(home, game) == DRAFT,
        "said": SAID in record.message.words,
        "planned": record.plan.text == STEP,
        "armed": record.plan.is_armed,
        "noted": not ways.keys() <= set(game.ids),
        "signed": len(now.ids) > len(game.ids),
        "draw": "draw" in record.deferred,
    }


GAME = "db541f187931bf7742d3eabfb6ee8f87ece8e0891167b9e6b20759d14b8e7217"
OTHER = "0" * 64
HOME = Path(__file__).parents[1] / "released" / "0.1.0" / "homes" / "planned" / "anna" / "home"


def home_of_two_games(folder: Path) -> Path:
    """A home of 0.1.0; its second game has all that the first has, is unconfirmed, and has sent mails."""
    home = shutil.copytree(HOME, folder)
    for name in ("looked.json", "words.json", "wishes.json", "plans.json"):
        known = json.loads((home / name).read_bytes())
        (home / name).write_text(json.dumps({**known, OTHER: known[GAME]}), "utf-8")
    shutil.copytree(home / "games" / GAME, home / "games" / OTHER)
    (home / "games" / OTHER / "doubted").touch()
    for name in (OTHER, f"italian-{OTHER}"):
        (home / "outbox" / name).mkdir()
    mails = home / "outbox" / OTHER
    (mails / f"{GAME}.sent").write_text(f"{SENT}\n")
    (mails / f"{GAME}.returned").write_text("550 no such user\n")
    (mails / f"{GAME}.2.sent").touch()
    os.utime(mails / f"{GAME}.2.sent", (1_785_585_600, 1_785_585_600))  # the time of SENT
    (home / "outbox" / f"italian-{OTHER}" / f"{GAME}.refused").write_text("552 too large\n")
    return home


def look(home: Path) -> None:
    """A change of one record; as the first, it converts the home."""

    GameRecords(home).change(GAME, lambda record: replace(record, read=ReadMark("f" * 64)))


def take_over(folder: Path) -> Iterator[dict[str, Any]]:
    first = home_of_two_games(folder / "first")
    for n in lines_that_change_disk(first, partial(look, first)):
        home = home_of_two_games(folder / str(n))
        code = in_child(partial(look, home), kill_at(n))
        crashed = state(home)
        look(home)
        yield {"code": code, "crashed": crashed, "next": state(home)}
        shutil.rmtree(home)


def state(home: Path) -> dict[str, Any]:
    """The facts of both games, the layout, and the remaining files of the earlier layout."""
    records = GameRecords(home)
    old = ("looked.json", "words.json", "wishes.json", "plans.json", "ledger", "doubted", "file")
    return {
        "games": [to_builtins(records.read(game)) for game in (GAME, OTHER)],
        "records": [records.path(game).exists() for game in (GAME, OTHER)],
        "layout": home_folder.read_layout(home),
        "old": sorted(
            str(path.relative_to(home))
            for path in home.rglob("*")
            if path.name in old or path.suffix in (".sent", ".refused", ".returned")
        ),
    }


if __name__ == "__main__":
    play_name, where = sys.argv[1:]
    plays = {"takes_over": take_over} | {role: partial(kill_beside_others, victim=role) for role in ROLES}
    json.dump(list(plays[play_name](Path(where))), sys.stdout)
