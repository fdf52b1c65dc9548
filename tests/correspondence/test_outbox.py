"""The outbox: what was to be sent once is what is sent again."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from pbem.correspondence.outbox import Outbox

GAME, HEAD, LATER = "ab" * 32, "cd" * 32, "ef" * 32


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path)


class TestAMailStaysAsItWas:
    def test_first_bytes_win(self, outbox: Outbox) -> None:
        assert outbox.read(GAME, HEAD) is None
        assert outbox.keep(GAME, HEAD, b"first") == b"first"
        assert outbox.keep(GAME, HEAD, b"second") == b"first"
        assert outbox.read(GAME, HEAD) == b"first"

    def test_also_after_it_was_sent(self, outbox: Outbox) -> None:
        outbox.keep(GAME, HEAD, b"first")
        outbox.mark(GAME, HEAD)
        assert outbox.keep(GAME, HEAD, b"second") == b"first"
        assert outbox.sent(GAME, HEAD)

    def test_each_head_has_its_mail(self, outbox: Outbox) -> None:
        outbox.keep(GAME, HEAD, b"first")
        outbox.keep(GAME, LATER, b"second")
        outbox.mark(GAME, HEAD)
        assert (outbox.sent(GAME, HEAD), outbox.sent(GAME, LATER)) == (True, False)
        assert outbox.read(GAME, LATER) == b"second"

    def test_where_it_lies(self, outbox: Outbox) -> None:
        outbox.keep(GAME, HEAD, b"first")
        outbox.mark(GAME, HEAD)
        folder = outbox.home / "outbox" / GAME
        assert sorted(path.name for path in folder.iterdir()) == [f"{HEAD}.eml", f"{HEAD}.sent"]
        assert (folder / f"{HEAD}.eml").read_bytes() == b"first"

    def test_of_rivals_one_wins(self, outbox: Outbox) -> None:
        """Eight programs with eight mails for the same entries all send the same one."""
        kept: list[bytes] = []
        threads = [
            threading.Thread(target=lambda n=n: kept.append(outbox.keep(GAME, HEAD, b"%d" % n)))
            for n in range(8)
        ]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert len(kept) == 8
        assert len(set(kept)) == 1


class TestWithdrawing:
    def test_makes_room_for_another(self, outbox: Outbox) -> None:
        outbox.keep(GAME, HEAD, b"first")
        outbox.mark(GAME, HEAD)
        outbox.withdraw(GAME, HEAD)
        assert not outbox.sent(GAME, HEAD)
        assert outbox.keep(GAME, HEAD, b"second") == b"second"
