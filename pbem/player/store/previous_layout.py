"""Layout 1 of a home, that of 0.1.0: one file for each kind of fact that is now in a record.

    home/looked.json, words.json, wishes.json, plans.json    by the ids of the games
    home/games/<id of entry 0>/file                          where the player's own file of it is
    home/games/<id of entry 0>/doubted                       exists until the player confirms the log
    home/games/<id of entry 0>/ledger                        what was signed here and sent, one act per line
    home/outbox/<id of entry 0>/*.sent, .refused, .returned  what became of the mail of that name

These are read as long as a game has no record. The record replaces them in one write, and they are not read
again before they are deleted; so it does not matter if pbem is killed in between.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pbem.base.files import JsonStore, read_if_there
from pbem.errors import StorageError, system_reason
from pbem.player.store.game_record import (
    NEW_RECORD,
    DeferredKind,
    GameRecord,
    Ledger,
    MailFate,
    PlanRecord,
    ReadMark,
    StoredDeferral,
    StoredMessage,
    with_unknown_departures,
)
from pbem.texts import Texts

tr = Texts("pbem")

_GAME_ID = re.compile(r"[0-9a-f]{64}")
_OWN = ("file", "doubted", "ledger")
_FATES = ("sent", "refused", "returned")


def read_record(home: Path, game: str) -> GameRecord:
    """Read a game's record from the files of a home of layout 1. Raises `StorageError` if one is damaged."""
    shared = {part: store.read() for part, store in _shared_files(home).items()}
    known = {part: by_game[game] for part, by_game in shared.items() if game in by_game}
    file = read_if_there(_own_file(home, game, "file"))
    unconfirmed = _own_file(home, game, "doubted").exists()
    return replace(
        NEW_RECORD,
        file=os.fsdecode(file or b""),
        unconfirmed=unconfirmed,
        ledger=_read_ledger(_own_file(home, game, "ledger")),
        mails=_read_fates(home, game),
        **known,
    )


def list_games(home: Path) -> list[str]:
    """The ids of the games these files mention. Raises `StorageError` if one is damaged."""
    shared = {game for store in _shared_files(home).values() for game in store.read()}
    own = {path.parent.name for name in _OWN for path in home.glob(f"games/*/{name}")}
    mailed = {path.parent.name.rpartition("-")[2] for path in home.glob("outbox/*/*") if _is_fate(path)}
    return sorted(game for game in shared | own | mailed if _GAME_ID.fullmatch(game))


def remove_own_files(home: Path, game: str) -> None:
    """Delete the files of one game, which has a record now. Raises `StorageError`."""
    for path in (*(_own_file(home, game, name) for name in _OWN), *_fate_files(home, game)):
        _delete(path)


def remove_shared_files(home: Path) -> None:
    """Delete the files shared by all games, each of which has a record now. Raises `StorageError`."""
    for store in _shared_files(home).values():
        _delete(store.path)


def _shared_files(home: Path) -> dict[str, JsonStore[Any]]:
    """The files shared by all games, by the part of the record that each has."""
    return {
        "read": JsonStore(
            home / "looked.json",
            dict[str, ReadMark],
            hint=tr("delete it; pbem then shows once more what is new"),
        ),
        "message": JsonStore(
            home / "words.json",
            dict[str, StoredMessage],
            hint=tr("repair or delete it: only waiting messages are lost"),
        ),
        "deferred": JsonStore(
            home / "wishes.json",
            dict[str, dict[DeferredKind, StoredDeferral]],
            hint=tr("repair or delete it: only pending offers, take-backs and resignations are lost"),
        ),
        "plan": JsonStore(
            home / "plans.json", dict[str, PlanRecord], hint=tr("repair or delete it: only plans are lost")
        ),
    }


_LINE = re.compile(
    r"(signed|undone) ([0-9a-f]{64})|(left) ([0-9a-f]{64}) ([a-z]+)|(stay|anew) ([0-9a-f]{32}) ([0-9.]+)"
)
"""An act of a ledger: an entry is signed, is about to be sent through a channel, or is undone. For the file
`stay`, a token, an inode and a change time; with `anew` it is unknown whether what was signed before was
sent.
"""


def _read_ledger(path: Path) -> Ledger:
    """Read the ledger of a game. A last line cut short by a crash is ignored: its act was not begun."""
    signed: dict[str, str] = {}
    undone: dict[str, None] = {}
    here: dict[str, None] = {}
    stay = ""
    data = read_if_there(path) or b""
    for line in data[: data.rfind(b"\n") + 1].decode("ascii", "replace").splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            raise StorageError(
                tr("{path} is damaged: {reason}", path=path, reason=repr(line[:80])),
                hint=tr("delete it; you then cannot undo what you have signed in this game so far"),
            )
        act, *values = filter(None, match.groups())
        match act:
            case "signed":
                signed[values[0]], here[values[0]] = "", None
            case "left":
                signed[values[0]] = values[1]
            case "undone":
                undone[values[0]] = None
            case _:
                if act == "anew":
                    signed, here = with_unknown_departures(signed), {}
                stay = " ".join(values)
    return Ledger(signed, tuple(undone), tuple(here), stay)


def _read_fates(home: Path, game: str) -> dict[str, MailFate]:
    """What became of the mails of a game. For an empty `sent`, the time is that of the file."""
    fates: dict[str, MailFate] = {}
    for path in _fate_files(home, game):
        name = f"{path.parent.name.removesuffix(game)}{path.stem}"
        words = (read_if_there(path) or b"").decode("utf-8", "replace").strip()
        if path.suffix == ".sent" and not _is_time(words):
            words = datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")
        fates[name] = replace(fates.get(name, MailFate()), **{path.suffix[1:]: words})
    return fates


def _fate_files(home: Path, game: str) -> list[Path]:
    """The files of those mails, and of mails to commanders, whose folders begin with their group."""
    folders = [home / "outbox" / game, *home.glob(f"outbox/*-{game}")]
    return sorted(path for folder in folders for path in folder.glob("*") if _is_fate(path))


def _is_fate(path: Path) -> bool:
    return path.suffix[1:] in _FATES


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _own_file(home: Path, game: str, name: str) -> Path:
    return home / "games" / game / name


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            tr("cannot write {path}: {reason}", path=path, reason=system_reason(error))
        ) from error
