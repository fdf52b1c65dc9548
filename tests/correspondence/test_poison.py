"""No mail stops the next, whatever it does: it is told, set aside, and the good one behind it is filed.

PBEM_LONG=1 measures every mail that is made to cost as much as it can.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from ran import python
from simulator import letter
from systems import saying

from correspondence.players import Player, offered
from correspondence.poison import TEXT, large, small
from correspondence.test_fetch import arrive, fetched, mail, mails, offers
from pbem.budgets import MAIL_FAULTS, TOLD
from pbem.correspondence.mailbox import Bookmarks
from pbem.errors import ShelfError
from pbem.mail import armour, message, sources
from pbem.mail.config import Account
from pbem.mail.maildir import Maildir

__all__ = ["mails"]

LONG = os.environ.get("PBEM_LONG") == "1"
MEBIBYTES, SECONDS = 400, 15
"""What one mail may cost, whatever is in it."""

FEW = ("open quote", "headers", "a report of parts in each other", "winmail.dat")
GREEDY = list(large()) if LONG else [*FEW]


@pytest.fixture
def offer(anna: Player) -> bytes:
    return letter(offered(anna.person()))


def folder_of(mails: Path, poisoned: list[bytes], good: bytes) -> None:
    arrive(mails, *poisoned, mail(good))


def read_to_the_end(player: Player, mails: Path) -> bool:
    """Whether the bookmark is past all mails."""
    with Maildir(mails) as box:
        return not list(box.since(Bookmarks(player.desk.home).of(box.name)))


class TestPoison:
    @pytest.mark.thorough
    def test_each_before_a_good_one(
        self, bruno: Player, offer: bytes, mails: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        cases = small(offer)
        folder_of(mails, [data for data, _ in cases.values()], offer)
        assert bruno.type("mail", "fetch", "--from", str(mails)) == 0
        told, complained = capsys.readouterr()
        assert offers(bruno) == [offer]
        assert read_to_the_end(bruno, mails)
        assert "could not be checked: " not in complained
        lines = " ".join(f"{told} {complained}".split())
        for number, (name, (_, expected)) in enumerate(cases.items()):
            key = f"mail {1_700_000_000 + number}.host"
            assert (key in lines) == bool(expected), name
            assert expected in lines, name

    def test_watching_is_not_stopped(
        self, bruno: Player, offer: bytes, mails: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """A mail that is set aside is no alarm. There is nothing to answer, so no server is asked."""
        folder_of(mails, [TEXT + b"-----BEGIN PBEM GAME-----\n" * 200], offer)
        echo = saying("secret")
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
        with (bruno.desk.home / "config.yaml").open("a") as config:
            config.write(f"  maildir: '{mails}'\n")
        assert bruno.type("mail", "watch", "--once") == 0
        assert "has more than 100 games, the most that one mail may hold; set aside" in capsys.readouterr()[1]
        assert offers(bruno) == [offer]


class TestFlood:
    """One mail says little, however much is wrong with it."""

    def test_games_that_fail(self, bruno: Player, mails: Path) -> None:
        games = "".join(f"pbem: 1\nlog: [{n}]\n" for n in range(80))
        arrive(mails, mail(text=games, subject="x"))
        words = [arrival.verdict.words for arrival in fetched(bruno, mails)]
        assert len(words) == MAIL_FAULTS + 1
        assert re.fullmatch(r"and 7[56] more that fail", words[-1])

    def test_damaged_blocks(self, bruno: Player, mails: Path) -> None:
        heads = [f"lines {n}, bytes 9, sha256 {'0' * 32}" for n in range(2, 22)]
        blocks = "".join(f"{armour.BEGIN}\n{head}\nAAAA\n{armour.END}\n" for head in heads)
        arrive(mails, mail(text=blocks, subject="x"))
        (arrival,) = fetched(bruno, mails)
        assert str(arrival.verdict.damage).count("in place of") == MAIL_FAULTS
        assert str(arrival.verdict.damage).endswith("; and 15 more")


class TestUnforeseen:
    """What nobody has thought of: a step of the judging fails as it never should."""

    @pytest.fixture(params=[KeyError("a - at `$b"), RecursionError(), MemoryError(), UnicodeError("x\ny")])
    def fault(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Exception:
        error: Exception = request.param

        def failing(data: bytes, label: str) -> object:
            if b"poison" in data:
                raise error
            return sources.received(data, label)

        monkeypatch.setattr("pbem.correspondence.fetch.received", failing)
        return error

    def test_is_told_and_set_aside(self, bruno: Player, offer: bytes, mails: Path, fault: Exception) -> None:
        poisoned = mail(text="poison of pbem")
        folder_of(mails, [poisoned], offer)
        first, second = fetched(bruno, mails)
        (kept,) = (bruno.desk.home / "mail" / "set-aside").iterdir()
        assert first.verdict.words.startswith(f"could not be checked: {type(fault).__name__}")
        assert first.verdict.words.endswith(f"; set aside in {kept}")
        assert (first.aside, first.alarm, first.label) == (True, False, "mail 1700000000.host")
        assert kept.read_bytes() == poisoned
        assert second.offer
        assert fetched(bruno, mails) == []

    def test_no_more_copies_than_there_is_room_for(
        self, bruno: Player, mails: Path, fault: Exception
    ) -> None:
        """Those that one look tells by themselves; the oldest of before have made room."""
        folder = bruno.desk.home / "mail" / "set-aside"
        for first in (0, TOLD + 2):
            poisoned = [mail(text=f"poison of pbem {n}") for n in range(first, first + TOLD + 2)]
            arrive(mails, *poisoned)
            arrivals = fetched(bruno, mails)
            assert len(arrivals) == TOLD + 1
            assert arrivals[-1].verdict.words == "and 2 more that brought nothing new"
            assert sorted(path.read_bytes() for path in folder.iterdir()) == sorted(poisoned[:TOLD])

    def test_nothing_is_passed_where_no_copy_can_be_kept(
        self, bruno: Player, mails: Path, fault: Exception
    ) -> None:
        arrive(mails, mail(text="poison of pbem"))
        (bruno.desk.home / "mail").mkdir()
        (bruno.desk.home / "mail" / "set-aside").write_bytes(b"a file where a folder should be")
        with pytest.raises(ShelfError):
            fetched(bruno, mails)
        assert not read_to_the_end(bruno, mails)

    def test_in_the_telling(
        self,
        bruno: Player,
        offer: bytes,
        mails: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        def failing(*_: object) -> None:
            raise KeyError("Falaise")

        monkeypatch.setattr("pbem.cli.fetching.what_next", failing)
        arrive(mails, mail(offer))
        assert bruno.type("mail", "fetch", "--from", str(mails)) == 0
        assert "host (\"my move\"): could not be checked: KeyError: 'Falaise'" in capsys.readouterr()[1]
        assert read_to_the_end(bruno, mails)

    def test_in_one_of_many_mails_that_are_shown(
        self,
        bruno: Player,
        offer: bytes,
        mails: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        def failing(data: bytes) -> object:
            if b"poison" in data:
                raise KeyError("Falaise")
            return message.parse(data)

        monkeypatch.setattr("pbem.mail.sources.parse", failing)
        folder_of(mails, [mail(text="poison of pbem")], offer)
        assert bruno.type("verify", str(mails)) == 0
        assert "verified: 1 entry" in capsys.readouterr()[0]

    def test_in_a_file_that_is_shown(
        self,
        bruno: Player,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        from pbem.correspondence import inbox

        def failing(*_: object) -> None:
            raise KeyError("a - at `$b")

        monkeypatch.setattr(inbox, "judge", failing)
        (bruno.file.parent / "mail.eml").write_bytes(mail(text="pbem"))
        assert bruno.type("show", "mail.eml") == 1
        assert capsys.readouterr()[1] == "error: mail.eml: could not be checked: KeyError: 'a - at `$b'\n"

    def test_in_a_mail_that_is_answered(
        self,
        bruno: Player,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        from pbem.correspondence import problem

        def failing(*_: object) -> None:
            raise RecursionError("in a\nparser")

        monkeypatch.setattr(problem, "judge", failing)
        (bruno.file.parent / "mail.eml").write_bytes(mail(text="pbem"))
        assert bruno.type("mail", "send", "mail.eml", "--reply-problem") == 1
        expected = "error: mail.eml: could not be checked: RecursionError: in a parser\n"
        assert capsys.readouterr()[1] == expected


@pytest.mark.thorough
@pytest.mark.skipif("sys.platform != 'linux'", reason="reads the peak of memory from /proc")
@pytest.mark.parametrize("name", GREEDY)
def test_what_one_mail_costs_at_most(bruno: Player, offer: bytes, mails: Path, name: str) -> None:
    folder_of(mails, [large()[name]()], offer)
    words = ("-m", "correspondence.metered", "mail", "fetch", "--from", str(mails))
    done = python(*words, cwd=bruno.file.parent, PBEM_HOME=str(bruno.desk.home))
    assert done.returncode == 0, done.stderr
    code, mebibytes, seconds = json.loads(done.stdout.splitlines()[-1])
    assert code in (0, 1)
    assert mebibytes <= MEBIBYTES
    assert seconds <= SECONDS
    assert offers(bruno) == [offer]
