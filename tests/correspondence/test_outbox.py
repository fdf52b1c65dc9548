"""The outbox: what was to be sent once is what is sent again."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from pbem.correspondence.outbox import Outbox
from pbem.player.store.delivery import Fate
from pbem.player.store.record_store import GameRecords

GAME, HEAD, LATER = "ab" * 32, "cd" * 32, "ef" * 32


@pytest.fixture
def outbox(tmp_path: Path) -> Outbox:
    return Outbox(tmp_path)


class TestAMailStaysAsItWas:
    def test_first_bytes_win(self, outbox: Outbox) -> None:
        assert outbox.read(GAME, HEAD) is None
        assert outbox.save(GAME, HEAD, b"first") == b"first"
        assert outbox.save(GAME, HEAD, b"second") == b"first"
        assert outbox.read(GAME, HEAD) == b"first"

    def test_also_after_it_was_sent(self, outbox: Outbox) -> None:
        outbox.save(GAME, HEAD, b"first")
        outbox.save_fate(GAME, HEAD, Fate.SENT)
        assert outbox.save(GAME, HEAD, b"second") == b"first"
        assert outbox.fate(GAME, HEAD) is Fate.SENT

    def test_each_head_has_its_mail(self, outbox: Outbox) -> None:
        outbox.save(GAME, HEAD, b"first")
        outbox.save(GAME, LATER, b"second")
        outbox.save_fate(GAME, HEAD, Fate.SENT)
        assert (outbox.fate(GAME, HEAD), outbox.fate(GAME, LATER)) == (Fate.SENT, None)
        assert outbox.read(GAME, LATER) == b"second"

    def test_where_it_lies(self, outbox: Outbox) -> None:
        outbox.save(GAME, HEAD, b"first")
        outbox.save_fate(GAME, HEAD, Fate.SENT)
        folder = outbox.home / "outbox" / GAME
        assert sorted(path.name for path in folder.iterdir()) == [f"{HEAD}.eml"]
        assert (folder / f"{HEAD}.eml").read_bytes() == b"first"

    def test_of_rivals_one_wins(self, outbox: Outbox) -> None:
        """Eight programs with eight mails for the same entries all send the same one."""
        kept: list[bytes] = []
        threads = [
            threading.Thread(target=lambda n=n: kept.append(outbox.save(GAME, HEAD, b"%d" % n)))
            for n in range(8)
        ]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert len(kept) == 8
        assert len(set(kept)) == 1


class TestAnotherCopy:
    """The same entries, mailed once more: the newest copy counts, and the others are still known."""

    def test_the_newest_counts(self, outbox: Outbox) -> None:
        outbox.save(GAME, HEAD, b"first")
        outbox.save_fate(GAME, HEAD, Fate.SENT)
        assert outbox.count_copies(GAME, HEAD) == 1
        assert outbox.save(GAME, HEAD, b"second", 2) == b"second"
        assert outbox.count_copies(GAME, HEAD) == 2
        assert outbox.read(GAME, HEAD) == b"second"
        assert outbox.fate(GAME, HEAD) is None
        names = sorted(path.name for path in (outbox.home / "outbox" / GAME).iterdir())
        assert names == [f"{HEAD}.2.eml", f"{HEAD}.eml"]

    def test_each_is_found(self, outbox: Outbox) -> None:
        outbox.save(GAME, HEAD, b"first")
        outbox.save(GAME, HEAD, b"second", 2)
        assert outbox.find(GAME[:16], HEAD[:32], 1) == (GAME, HEAD, b"first")
        assert outbox.find(GAME[:16], HEAD[:32], 2) == (GAME, HEAD, b"second")
        assert outbox.find(GAME[:16], HEAD[:32], 3) is None
        assert outbox.find(GAME[:16], LATER[:32], 1) is None
        assert outbox.find(LATER[:16], HEAD[:32], 1) is None


class TestFates:
    def test_words_are_kept(self, outbox: Outbox) -> None:
        outbox.save(GAME, HEAD, b"first")
        outbox.save_fate(GAME, HEAD, Fate.REFUSED, "550 no such user")
        assert outbox.fate(GAME, HEAD) is Fate.REFUSED
        assert GameRecords(outbox.home).read(GAME).mails[HEAD].refused == "550 no such user"

    def test_tried_again_and_taken(self, outbox: Outbox) -> None:
        outbox.save(GAME, HEAD, b"first")
        outbox.save_fate(GAME, HEAD, Fate.REFUSED)
        outbox.clear_refusal(GAME, HEAD)
        assert outbox.fate(GAME, HEAD) is None
        outbox.save_fate(GAME, HEAD, Fate.SENT)
        assert outbox.fate(GAME, HEAD) is Fate.SENT

    def test_what_came_back_is_not_sent(self, outbox: Outbox) -> None:
        outbox.save(GAME, HEAD, b"first")
        outbox.save_fate(GAME, HEAD, Fate.SENT)
        outbox.save_fate(GAME, HEAD, Fate.RETURNED, "550 no such user", copy=1)
        assert outbox.fate(GAME, HEAD) is Fate.RETURNED

    def test_an_older_copy_came_back(self, outbox: Outbox) -> None:
        outbox.save(GAME, HEAD, b"first")
        outbox.save(GAME, HEAD, b"second", 2)
        outbox.save_fate(GAME, HEAD, Fate.SENT)
        outbox.save_fate(GAME, HEAD, Fate.RETURNED, copy=1)
        assert outbox.fate(GAME, HEAD) is Fate.SENT
