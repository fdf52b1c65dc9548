"""Processes that the tests kill or run against each other, on POSIX.

    python -m support.store_crashes PLAY FOLDER

Each play runs real children on a real game store in FOLDER, and writes the results to standard output as
JSON.
"""

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from pbem.base import files
from pbem.errors import ForkedFile, OlderFile
from pbem.player.store import game_store
from pbem.player.store.game_store import GameStore
from support.store_logs import parse_store_log, store_log

if sys.platform != "win32":
    import resource

OPENING = ("us offer", "ger accept")
OLD = store_log(*OPENING, note="old " + "." * 50_000)
NEW = store_log(*OPENING, "us play A", note="new " + "." * 50_000)
FORK = store_log("us offer", "ger accept again", note="fork " + "." * 50_000)
RIVALS = 6


def keep_first(home: Path) -> None:
    GameStore(home, parse_store_log).record(NEW, new=True)


def keep_more(home: Path) -> None:
    GameStore(home, parse_store_log).record(NEW)


def show_fork(home: Path) -> None:
    try:
        GameStore(home, parse_store_log).record(FORK)
    except ForkedFile:
        return
    raise AssertionError("the fork was kept")


def remember(home: Path) -> None:
    GameStore(home, parse_store_log).note_key("Ernest", "key 2")


ACTIONS = {action.__name__: action for action in (keep_first, keep_more, show_fork, remember)}


def kill_at_every_line(folder: Path, action: Callable[[Path], None]) -> Iterator[dict[str, Any]]:
    """Run `action` repeatedly, killed one line of the store later each time, until it completes."""
    before = folder / "before"
    before.mkdir()
    if action is not keep_first:
        GameStore(before, parse_store_log).record(OLD, new=True)
        GameStore(before, parse_store_log).note_key("Ernest", "key 1")
    for n in count(1):
        home = folder / str(n)
        shutil.copytree(before, home)
        child = os.fork()
        if child == 0:
            sys.settrace(kill_at_line(n))
            action(home)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status)
        if not killed and os.WEXITSTATUS(status) != 0:
            raise AssertionError(f"the child failed at line {n}")
        yield {"killed": killed, **aftermath(home, action)}
        if not killed:
            return


def kill_at_line(n: int) -> Callable[[FrameType, str, object], Any]:
    """A trace function that kills this process before the n-th line of the store's and files' code."""
    lines = count(1)

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename not in (game_store.__file__, files.__file__):
            return None
        if event == "line" and next(lines) == n:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    return trace


def aftermath(home: Path, action: Callable[[Path], None]) -> dict[str, Any]:
    """The content of the store after the crash, and after the next run, an hour later."""
    crashed = store_contents(home)
    for path in home.rglob(".pbem-*"):
        long_ago = time.time() - 2 * 3600
        os.utime(path, (long_ago, long_ago))
    action(home)
    return {"crashed": crashed, "next": store_contents(home), "left": len(list(home.rglob(".pbem-*")))}


def store_contents(home: Path) -> dict[str, str]:
    """Each file of the store, and its content: `old`, `new`, `fork`, or `torn` if it is none of them."""
    known = {OLD.data: "old", NEW.data: "new", FORK.data: "fork"}
    held = {path.stem: known.get(path.read_bytes(), "torn") for path in home.rglob("*.yaml")}
    if (players := home / "players.json").exists():
        keys = json.loads(players.read_bytes())["Ernest"]
        held["players"] = {1: "old", 2: "new"}[len(keys)]
    return held


def kill_in_mid_write(folder: Path) -> dict[str, Any]:
    """Let the kernel kill a child that has written 20,000 of its 50,000 bytes."""
    GameStore(folder, parse_store_log).record(OLD, new=True)
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        keep_more(folder)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    torn = [path.stat().st_size for path in folder.rglob(".pbem-*")]
    return {"signal": os.WTERMSIG(status), "torn": torn, **aftermath(folder, keep_more)}


def run_at_once(actions: list[Callable[[], int]]) -> list[int]:
    """The exit codes of children that start their actions together."""
    waiting, starter = os.pipe()
    children = []
    for action in actions:
        child = os.fork()
        if child == 0:
            os.close(starter)
            os.read(waiting, 1)  # returns when the parent closes its end
            os._exit(action())
        children.append(child)
    os.close(starter)
    return [os.WEXITSTATUS(os.waitpid(child, 0)[1]) for child in children]


def race_to_answer(folder: Path) -> dict[str, Any]:
    """Several programs sign different entries with one number."""
    GameStore(folder, parse_store_log).record(store_log(*OPENING), new=True)

    def answer(rival: int) -> int:
        try:
            GameStore(folder, parse_store_log).record(store_log(*OPENING, f"us play {rival}"))
        except ForkedFile:
            return 3
        return 0

    codes = run_at_once([partial(answer, rival) for rival in range(RIVALS)])
    (kept,) = GameStore(folder, parse_store_log).games()
    return {
        "codes": codes,
        "kept": kept.data.decode(),
        "evidence": len(list(folder.rglob("evidence/*.yaml"))),
    }


def race_to_remember(folder: Path) -> dict[str, Any]:
    """Several programs meet different players."""

    def meet(rival: int) -> int:
        GameStore(folder, parse_store_log).note_key(f"player {rival}", "key")
        return 0

    codes = run_at_once([partial(meet, rival) for rival in range(RIVALS)])
    return {"codes": codes, "players": json.loads((folder / "players.json").read_bytes())}


def race_to_grow(folder: Path) -> dict[str, Any]:
    """Two programs record ever longer beginnings of one log while a third reads the store repeatedly."""
    plays = [f"us play {n}" for n in range(20)]
    GameStore(folder, parse_store_log).record(store_log(*OPENING), new=True)

    def grow() -> int:
        for length in range(1, len(plays) + 1):
            try:
                GameStore(folder, parse_store_log).record(store_log(*OPENING, *plays[:length]))
            except OlderFile:
                continue
        return 0

    def read() -> int:
        lengths = [2]
        while lengths[-1] < len(plays) + 2:
            (kept,) = GameStore(folder, parse_store_log).games()
            lengths.append(len(parse_store_log(kept.data)))
        return 0 if lengths == sorted(lengths) else 1

    return {"codes": run_at_once([grow, grow, read])}


PLAYS = {play.__name__: play for play in (kill_in_mid_write, race_to_answer, race_to_remember, race_to_grow)}


def main(play: str, folder: Path) -> None:
    result = list(kill_at_every_line(folder, ACTIONS[play])) if play in ACTIONS else PLAYS[play](folder)
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
