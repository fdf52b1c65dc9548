"""A backup by somebody else, with its headers and what its files hold at their extremes."""

from __future__ import annotations

import random
import shutil
import tarfile
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

from fuzz.clock import Clock, run_clocked
from fuzz.extremes import change_extremes
from fuzz.test_extremes import AMOUNT, SLOW, judge_or_refuse
from pbem.player.backup import pack, restore_home, unpack
from pbem.player.local_player import LocalPlayer
from pbem.umpire.verify import open_game
from support.correspondents import begin_game, make_correspondents
from support.markers import WINDOWS

FIELDS = {"name": (0, 100), "mode": (100, 8), "size": (124, 12), "time": (136, 12), "kind": (156, 1)}
"""Where the values of a tar header stand, and their lengths; the check is at 148."""

IN_A_HEADER = (b"", b"0", b"7" * 12, b"-1", b"\xff" * 12, b"\x80" + b"\x7f" * 11, b"\0" * 12, b"9" * 100)
KINDS_OF_MEMBERS = b"01234567gxLKSV\0\xff"


def backups(archive: bytes) -> Iterator[tuple[str, bytes]]:
    """An archive with each value of each header at its extremes, and with those of what its files hold."""
    with tarfile.open(fileobj=BytesIO(archive)) as tar:
        places = [(member.name, member.offset, member.offset_data, member.size) for member in tar]
    for name, at, begin, size in places:
        for field, (start, length) in FIELDS.items():
            values = [bytes([one]) for one in KINDS_OF_MEMBERS] if field == "kind" else IN_A_HEADER
            for value in values:
                if WINDOWS and field == "name" and not value.isascii():
                    continue  # Wine has no such names
                header = bytearray(archive[at : at + 512])
                header[start : start + length] = value[:length].ljust(length, b"\0")
                header[148:156] = b" " * 8
                header[148:156] = b"%06o\0 " % sum(header)
                yield f"{name}: {field} {value!r}", archive[:at] + header + archive[at + 512 :]
        source = random.Random(name)
        for number in range(20):
            data = change_extremes(archive[begin : begin + size], source)[:size].ljust(size)
            yield f"{name}: content {number}", archive[:begin] + data + archive[begin + size :]


def restored(archive: bytes, home: Path) -> None:
    """What `pbem restore` makes of an archive, and what the next command makes of the home."""
    shutil.rmtree(home, ignore_errors=True)
    restore_home(unpack(archive, "x.age"), home, lambda made: None)
    try:
        for kept in LocalPlayer(home).store.games():
            open_game(kept.data)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def test_a_backup_is_put_back_or_refused_at_once(tmp_path: Path) -> None:
    anna, bruno = make_correspondents(tmp_path)
    anna.save(begin_game(anna.person(), bruno.person()))
    (anna.local_player.home / "config.yaml").write_text("lang: es\n")
    archive = pack(anna.local_player.home)

    def work(clock: Clock) -> int:
        tried = list(backups(archive))
        for label, data in tried[:: -(-len(tried) // AMOUNT)]:
            judge = partial(restored, home=tmp_path / "restored")
            clock.judge(data, partial(judge_or_refuse, judge, data), label)
        return len(tried)

    assert run_clocked(tmp_path / "mutants", work, floor=SLOW) > 100
