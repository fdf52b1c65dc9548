"""Players killed while handling mail: `python -m support.mail_crashes COMMAND FOLDER OFFICE PORTS…`; POSIX.

Anna's home, folder and mail are as the test laid them out in FOLDER. She types the command and is killed
before a line of the code that fetches, answers and sends; then twice more, undisturbed. This is done for
every line, each time it runs. The results go to standard output, as JSON.

A first run, undisturbed, records her disk and the mail before each line. If they are the same as before an
earlier line, so is the result of a kill, since nothing else outlives it: it is then not repeated.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from msgspec.structs import replace

from pbem.cli.app import run
from pbem.correspondence import (
    autoplay_by_mail,
    commander_mail,
    contacts,
    fetch,
    missing_mail,
    orders_by_reply,
    outbox,
    question_letters,
    question_record,
    resend,
    send,
)
from pbem.player.local_player import LocalPlayer
from pbem.player.plans import plan_store as plan
from pbem.player.store import delivery, record_store
from pbem.player.store.game_record import GameRecord
from pbem.player.store.signed_entries import _present_stay
from support.correspondents import brings_segment, log_ids_in, mail_text, parse_mail
from support.mail_provider import MailProvider

CODE = {
    module.__file__
    for module in (
        *(
            resend,
            autoplay_by_mail,
            fetch,
            missing_mail,
            outbox,
            plan,
            contacts,
            send,
            orders_by_reply,
            question_record,
            question_letters,
            commander_mail,
            delivery,
            record_store,
        ),
    )
}
"""The code with the kills. Inside `durable`, the store's tests do the same."""

KILLED = 99
NOON = 1_785_585_600


def kill_at_every_line(command: str, folder: Path, office: MailProvider) -> Iterator[dict[str, Any]]:
    """The state after each kill, and after the two runs that follow; finally, that without a kill."""
    waiting = office.mails_of("anna")
    steps = folder / "steps"

    def note(_: int) -> None:
        with steps.open("a") as opened:
            opened.write(f"{digest(folder / 'player', office)}\n")

    with lay_out_home(folder, office, waiting) as player:
        assert run_in_child(player, command, hour=0, act=note) == 0
    known: dict[str, dict[str, Any]] = {}
    for n, before in enumerate([*steps.read_text().splitlines(), "all is done"], start=1):
        if before not in known:
            with lay_out_home(folder, office, waiting) as player:
                known[before] = kill_before(n, player, command, office)
        yield known[before]


@contextmanager
def lay_out_home(folder: Path, office: MailProvider, waiting: list[bytes]) -> Iterator[Path]:
    """Anna's home and her mail as they were; the copy counts as the home she has always had."""
    office.empty("anna", "bruno")
    for data in waiting:
        office.deliver("anna", data)
    player = folder / "player"
    shutil.copytree(folder / "before", player)
    records = record_store.GameRecords(player / "home")
    for stay in player.glob("home/games/*/stay"):
        records.change(stay.parent.name, partial(with_stay, _present_stay(stay.parent)))
    yield player
    shutil.rmtree(player)


def with_stay(stay: str, record: GameRecord) -> GameRecord:
    """The record of a game in a home whose file `stay` has this mark."""
    return replace(record, ledger=replace(record.ledger, stay=stay))


def kill_before(n: int, player: Path, command: str, office: MailProvider) -> dict[str, Any]:
    """The result of a kill before the n-th line, if there are that many."""

    def die(number: int) -> None:
        if number == n:
            os._exit(KILLED)

    killed = run_in_child(player, command, hour=0, act=die) == KILLED
    codes = [run_in_child(player, command, hour=hour) for hour in (1, 2)]
    return {"killed": killed, "codes": codes, **aftermath(player, office)}


def run_in_child(folder: Path, command: str, *, hour: int, act: Callable[[int], None] | None = None) -> int:
    """The exit code of the command, typed at that hour in a process that calls `act` before each line."""
    pid = os.fork()
    if pid:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.environ |= {"PBEM_HOME": str(folder / "home"), "SOURCE_DATE_EPOCH": str(NOON + 3600 * hour)}
    os.chdir(folder)
    silence = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silence, stream)
    sys.settrace(before_each_line(act) if act else None)
    os._exit(run(command.split()))


def before_each_line(act: Callable[[int], None]) -> Callable[[FrameType, str, object], Any]:
    """A trace function that calls `act` with the number of each line of `CODE`, before it."""
    numbers = count(1)

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename not in CODE:
            return None
        if event == "line":
            act(next(numbers))
        return trace

    return trace


def digest(folder: Path, office: MailProvider) -> str:
    """A digest of everything on Anna's disk and in the mail."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    player = [(str(path.relative_to(folder)), path.read_bytes()) for path in files]
    return sha256(repr((player, office.mails_of("anna"), office.mails_of("bruno"))).encode()).hexdigest()


def aftermath(folder: Path, office: MailProvider) -> dict[str, Any]:
    """The heads of the game: in the store, in the file, and in Bruno's mails; and how many mails differ."""
    player = LocalPlayer(folder / "home")
    (kept,) = player.store.games()
    received = office.mails_of("bruno")
    mails = [data for data in received if list(parse_mail(data).iter_attachments())]
    game = player.open(kept.data)
    return {
        "shelf": list(game.ids),
        "files": [
            list(player.open(file.read_bytes()).ids) for file in folder.glob(f"{game.rules.name}-*.yaml")
        ],
        "mails": [list(log_ids_in(data, game)) for data in mails],
        "asked for": len(received) - len(mails),
        "parts": sum(map(brings_segment, mails)),
        "message ids": len({parse_mail(data)["Message-ID"] for data in mails}),
        "different mails": len(set(mails)),
        "marked": sum(fate.sent is not None for fate in player.store.records.read(kept.game).mails.values()),
        "letters": [
            mail_text(data) for data in office.mails_of("anna") if "X-Pbem-Reads" in parse_mail(data)
        ],
        "evidence": len(list(folder.rglob("evidence/*"))),
    }


def main(command: str, folder: Path, office: MailProvider) -> None:
    json.dump(list(kill_at_every_line(command, folder, office)), sys.stdout)


if __name__ == "__main__":
    typed, where, root, *ports = sys.argv[1:]
    main(typed, Path(where), MailProvider(Path(root), *map(int, ports)))
