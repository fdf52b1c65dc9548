"""No mail stops the next, whatever it does: it is told, set aside, and the good one behind it is filed.

PBEM_LONG=1 measures every mail that is made to cost as much as it can.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from correspondence.test_fetch import deliver_mails, fetch_all, game_mail, mails, stored_offers
from pbem.base.limits import MAIL_FAULTS, REPORTED_MAILS
from pbem.base.workers import end_idle_worker
from pbem.correspondence.fetch import fetch_mails
from pbem.correspondence.orders_by_reply import OrdersByReply
from pbem.errors import StorageError
from pbem.mail import armour
from pbem.mail.mailbox import Bookmarks, Maildir
from pbem.mail.settings import Account, MailSettings
from support.correspondents import Correspondent, offer_game
from support.hostile_mails import TEXT, cheap_hostile_mails, costly_hostile_mails
from support.markers import echo_command
from support.processes import run_python
from support.simulator import mailed_file

__all__ = ["mails"]

LONG = os.environ.get("PBEM_LONG") == "1"
MEBIBYTES, SECONDS = 400, 15
"""What one mail may cost, whatever is in it."""

FEW = ("open quote", "headers", "a report of parts in each other", "winmail.dat")
GREEDY = list(costly_hostile_mails()) if LONG else [*FEW]


@pytest.fixture
def offer(anna: Correspondent) -> bytes:
    return mailed_file(offer_game(anna.person()))


def folder_of(mails: Path, poisoned: list[bytes], good: bytes) -> None:
    deliver_mails(mails, *poisoned, game_mail(good))


def read_to_the_end(player: Correspondent, mails: Path) -> bool:
    """Whether the bookmark is past all mails."""
    with Maildir(mails) as box:
        return not list(box.since(Bookmarks(player.local_player.home).bookmark_of(box.name)))


class TestPoison:
    @pytest.mark.thorough
    def test_each_before_a_good_one(
        self, bruno: Correspondent, offer: bytes, mails: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        cases = cheap_hostile_mails(offer)
        folder_of(mails, [data for data, _ in cases.values()], offer)
        assert bruno.type("mail", "fetch", "--from", str(mails)) == 0
        told, complained = capsys.readouterr()
        assert stored_offers(bruno) == [offer]
        assert read_to_the_end(bruno, mails)
        assert "could not be checked: " not in complained
        lines = " ".join(f"{told} {complained}".split())
        for number, (name, (_, expected)) in enumerate(cases.items()):
            key = f"mail {1_700_000_000 + number}.host"
            assert (key in lines) == bool(expected), name
            assert expected in lines, name

    def test_watching_is_not_stopped(
        self, bruno: Correspondent, offer: bytes, mails: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """A mail that is set aside is no alarm. There is nothing to answer, so no server is asked."""
        folder_of(mails, [TEXT + b"-----BEGIN PBEM GAME-----\n" * 200], offer)
        echo = echo_command("secret")
        bruno.settings(
            Account(
                host="localhost",
                port=1,
                security="tls",
                user="bruno",
                password_command=echo,
                ca=str(mails / "ca.pem"),
            )
        )
        with (bruno.local_player.home / "config.yaml").open("a") as config:
            config.write(f"  maildir: '{mails}'\n")
        assert bruno.type("mail", "watch", "--once") == 0
        assert "contains more than 100 games, the limit for one mail; set aside" in capsys.readouterr()[1]
        assert stored_offers(bruno) == [offer]


class TestFlood:
    """One mail says little, however much is wrong with it."""

    def test_games_that_fail(self, bruno: Correspondent, mails: Path) -> None:
        games = "".join(f"pbem: 1\nlog: [{n}]\n" for n in range(80))
        deliver_mails(mails, game_mail(text=games, subject="x"))
        words = [arrival.verdict.description for arrival in fetch_all(bruno, mails)]
        assert len(words) == MAIL_FAULTS + 1
        assert re.fullmatch(r"and 7[56] more that fail", words[-1])

    def test_damaged_blocks(self, bruno: Correspondent, mails: Path) -> None:
        heads = [f"lines {n}, bytes 9, sha256 {'0' * 32}" for n in range(2, 22)]
        blocks = "".join(f"{armour.BEGIN}\n{head}\nAAAA\n{armour.END}\n" for head in heads)
        deliver_mails(mails, game_mail(text=blocks, subject="x"))
        (arrival,) = fetch_all(bruno, mails)
        assert str(arrival.verdict.damage).count("instead of") == MAIL_FAULTS
        assert str(arrival.verdict.damage).endswith("; and 15 more")


PLANTED = str(Path(__file__).parents[1] / "support" / "planted_faults")

on_linux = pytest.mark.skipif("sys.platform != 'linux'", reason="limits that Linux keeps itself")


def planted(fault: str, number: int = 0) -> bytes:
    """A mail at which the process that judges it meets a fault."""
    return game_mail(text=f"about pbem, planted: {fault} {number}")


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Processes that judge mails have faults in them; and a second to find that they do not end."""
    end_idle_worker()
    monkeypatch.setenv("PYTHONPATH", PLANTED, prepend=os.pathsep)
    monkeypatch.setattr("pbem.base.workers.WORKER_SECONDS", 1.0)
    if sys.platform != "linux":  # Wine does not say what another process has taken, so the clock ends it
        monkeypatch.setattr("pbem.base.workers.WORKER_CLOCK_SECONDS", 20.0)
    yield
    end_idle_worker()


ENDS = {
    "loop": "it took more than 1 s of processor time, the limit",
    "allocation": "it took more than 2,048 MiB of memory, the limit",
    "crash": "the judging process crashed (SIGSEGV)",
    "recursion": "the judging process crashed (SIGSEGV)",
    "exit": "the judging process ended with exit code 3",
}


@pytest.mark.usefixtures("faults")
class TestPlanted:
    """A single mistake in the judging code costs one mail and one line, whatever it does."""

    @pytest.mark.thorough
    @pytest.mark.parametrize("fault", ENDS if sys.platform == "linux" else ("loop", "exit"))
    def test_costs_one_mail_and_one_line(
        self, bruno: Correspondent, offer: bytes, mails: Path, fault: str
    ) -> None:
        folder_of(mails, [planted(fault)], offer)
        first, second = fetch_all(bruno, mails)
        (kept,) = (bruno.local_player.home / "mail" / "set-aside").iterdir()
        ends = {ENDS[fault]}
        if sys.platform != "linux":
            ends.add("it took more than 20 s, the limit")
        assert first.verdict.description in {
            f"could not be checked: {end}; set aside in {kept}" for end in ends
        }
        assert (first.quarantined, first.alarm) == (True, False)
        assert kept.read_bytes() == planted(fault)
        assert second.offer
        assert fetch_all(bruno, mails) == []

    @on_linux
    def test_not_judged_again_by_the_same_program(
        self, bruno: Correspondent, mails: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deliver_mails(mails, planted("exit"))
        assert len(fetch_all(bruno, mails)) == 1
        deliver_mails(mails, planted("exit"))  # the same mail once more
        monkeypatch.setattr("pbem.base.workers.Worker.run", no_judging)
        assert fetch_all(bruno, mails) == []

    @on_linux
    def test_judged_again_by_another_program(
        self, bruno: Correspondent, mails: Path, offer: bytes, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Once the fault is mended, the mail is what it is: here an offer."""
        deliver_mails(mails, game_mail(offer, text="planted: exit"))
        (told,) = fetch_all(bruno, mails)
        assert told.quarantined
        monkeypatch.delenv("PYTHONPATH")
        end_idle_worker()
        assert fetch_all(bruno, mails) == []
        monkeypatch.setattr("pbem.correspondence.quarantine.judge_fingerprint", lambda: "mended")
        (again,) = fetch_all(bruno, mails)
        assert again.offer
        assert fetch_all(bruno, mails) == []

    @on_linux
    def test_an_answer_by_mail(self, bruno: Correspondent, offer: bytes, mails: Path) -> None:
        """Orders by reply are read in the same process."""
        folder_of(mails, [planted("exit").replace(b"Subject:", b"X-pbem.invalid: 1\nSubject:", 1)], offer)
        replies = OrdersByReply(
            bruno.local_player, MailSettings(address="bruno@example.org"), bruno.file.parent
        )
        with Maildir(mails) as box:
            first, second = fetch_mails(bruno.local_player, box, bruno.file.parent, replies=replies)
        assert first.quarantined
        assert second.offer

    def test_an_exception_is_named_and_set_aside(
        self, bruno: Correspondent, offer: bytes, mails: Path
    ) -> None:
        folder_of(mails, [planted("exception")], offer)
        first, second = fetch_all(bruno, mails)
        (kept,) = (bruno.local_player.home / "mail" / "set-aside").iterdir()
        assert first.verdict.description == f"could not be checked: KeyError: 'Falaise'; set aside in {kept}"
        assert (first.quarantined, first.alarm, first.label) == (True, False, "mail 1700000000.host")
        assert second.offer

    @pytest.mark.thorough
    @on_linux
    def test_a_judge_writes_nothing(
        self, bruno: Correspondent, mails: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PLANTED_FILE", str(tmp_path / "written"))
        deliver_mails(mails, planted("write"))
        with pytest.raises(OSError, match="File too large"):
            fetch_all(bruno, mails)
        assert (tmp_path / "written").read_bytes() == b""

    def test_no_more_copies_than_there_is_room_for(self, bruno: Correspondent, mails: Path) -> None:
        """Those that one look tells by themselves; the oldest of before have made room."""
        folder = bruno.local_player.home / "mail" / "set-aside"
        for first in (0, REPORTED_MAILS + 2):
            poisoned = [planted("exception", n) for n in range(first, first + REPORTED_MAILS + 2)]
            deliver_mails(mails, *poisoned)
            arrivals = fetch_all(bruno, mails)
            assert len(arrivals) == REPORTED_MAILS + 1
            assert arrivals[-1].verdict.description == "and 2 more that brought nothing new"
            assert sorted(path.read_bytes() for path in folder.iterdir()) == sorted(poisoned[:REPORTED_MAILS])

    def test_nothing_is_passed_where_no_copy_can_be_kept(self, bruno: Correspondent, mails: Path) -> None:
        deliver_mails(mails, planted("exception"))
        (bruno.local_player.home / "mail").mkdir()
        (bruno.local_player.home / "mail" / "set-aside").write_bytes(b"a file where a folder should be")
        with pytest.raises(StorageError):
            fetch_all(bruno, mails)
        assert not read_to_the_end(bruno, mails)

    def test_in_one_of_many_mails_that_are_shown(
        self, bruno: Correspondent, offer: bytes, mails: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder_of(mails, [planted("exception")], offer)
        assert bruno.type("verify", str(mails)) == 0
        assert "verified: 1 entry" in capsys.readouterr()[0]

    @pytest.mark.parametrize("command", [("show",), ("mail", "send", "--reply-problem")])
    def test_in_a_file_that_is_named(
        self, bruno: Correspondent, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]
    ) -> None:
        (bruno.file.parent / "mail.eml").write_bytes(planted("exit"))
        assert bruno.type(*command, "mail.eml") == 1
        expected = "error: mail.eml: could not be checked: the judging process ended with exit code 3\n"
        assert capsys.readouterr()[1] == expected


def no_judging(*_: object, **__: object) -> None:
    raise AssertionError("nothing is to be judged")


def test_mails_about_other_things_start_no_process(
    bruno: Correspondent, mails: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.base.workers.Worker._start", None)
    deliver_mails(mails, b"From: carla@example.org\nSubject: holidays\n\nThe weather is good.\n")
    assert fetch_all(bruno, mails) == []
    assert read_to_the_end(bruno, mails)


class TestUnforeseen:
    """What nobody has thought of, in this process: what was judged cannot be told."""

    def test_in_the_telling(
        self,
        bruno: Correspondent,
        offer: bytes,
        mails: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        def failing(*_: object) -> None:
            raise KeyError("Falaise")

        monkeypatch.setattr("pbem.cli.mail_fetch.describe_next_step", failing)
        deliver_mails(mails, game_mail(offer))
        assert bruno.type("mail", "fetch", "--from", str(mails)) == 0
        assert "host (\"my move\"): could not be checked: KeyError: 'Falaise'" in capsys.readouterr()[1]
        assert read_to_the_end(bruno, mails)


@pytest.mark.thorough
@pytest.mark.skipif("sys.platform != 'linux'", reason="reads the peak of memory from /proc")
@pytest.mark.parametrize("name", GREEDY)
def test_what_one_mail_costs_at_most(bruno: Correspondent, offer: bytes, mails: Path, name: str) -> None:
    folder_of(mails, [costly_hostile_mails()[name]()], offer)
    words = ("-m", "support.metered_command", "mail", "fetch", "--from", str(mails))
    done = run_python(*words, cwd=bruno.file.parent, PBEM_HOME=str(bruno.local_player.home))
    assert done.returncode == 0, done.stderr
    code, mebibytes, seconds = json.loads(done.stdout.splitlines()[-1])
    assert code in (0, 1)
    assert mebibytes <= MEBIBYTES
    assert seconds <= SECONDS
    assert stored_offers(bruno) == [offer]
