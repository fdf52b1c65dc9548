"""Accidents: the connection breaks at every line of the protocol, the program dies at every line of the code.

Whatever happens, the next run goes on: nothing is lost, and the opponent gets one continuation, however often
its mail comes, each time with the same bytes.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from correspondence.test_commander_drafts import LeadAtHome
from correspondence.test_commander_mail import confirm_address, game_before_orders
from correspondence.test_fetch import game_mail, stored_offers
from correspondence.test_watch import game_waiting_for_anna
from pbem.correspondence.contacts import Contact
from pbem.correspondence.letter import body, subject
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.question_record import make_code
from pbem.correspondence.send import save_to_outbox
from pbem.player.plans.grammar import parse_plan
from pbem.player.plans.plan_store import PlanStore
from pbem.player.store.delivery import Fate
from pbem.umpire.game_state import Game
from pbem.umpire.log_segment import segment_after
from pbem.umpire.verify import open_game
from support.correspondents import (
    BRUNO,
    Correspondent,
    attached_game,
    offer_game,
    play_share_and_orders,
    stored_game,
)
from support.mail_answers import answer_mail, game_asking_anna, with_fixed_keys
from support.mail_provider import HOST, MailProvider, tls_context
from support.simulator import file_of, log_of, mailed_file
from support.transcripts import ROOT

LONG = bool(os.environ.get("PBEM_LONG"))
NOON = datetime(2026, 8, 1, 12, tzinfo=UTC)

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="the children are forked"),
]


class BadLine:
    """A line to a server, under TLS, that breaks after so many lines of text, counted in both directions.

    `passed` are the lines of text that have passed, each with others `instead` of the words that it `hides`.
    """

    def __init__(
        self,
        office: MailProvider,
        server: int,
        lines: int = sys.maxsize,
        *,
        hides: bytes = b"",
        instead: bytes = b"",
    ) -> None:
        self.passed: list[bytes] = []
        self._most, self._hides, self._instead = lines, hides, instead
        self._lock = threading.Lock()
        self._office, self._server = office, server
        self._listener = socket.create_server((HOST, 0))
        self.port: int = self._listener.getsockname()[1]

    @contextmanager
    def open(self) -> Iterator[BadLine]:
        thread = threading.Thread(target=self._serve)
        thread.start()
        try:
            yield self
        finally:
            with suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)  # wakes a thread that still waits for its client
            thread.join(30)
            self._listener.close()

    def _serve(self) -> None:
        with suppress(OSError):
            plain, _ = self._listener.accept()
            with tls_context(self._office.root).wrap_socket(plain, server_side=True) as client:
                trusting = ssl.create_default_context(cafile=self._office.authority)
                with (
                    socket.create_connection((HOST, self._server)) as beyond,
                    trusting.wrap_socket(beyond, server_hostname=HOST) as server,
                ):
                    there = threading.Thread(target=self._pass_on, args=(client, server))
                    there.start()
                    self._pass_on(server, client)
                    there.join(30)

    def _pass_on(self, one: ssl.SSLSocket, other: ssl.SSLSocket) -> None:
        """Pass lines on until there are no more, or the line breaks; then nothing passes either way."""
        with suppress(OSError, ValueError), one.makefile("rb") as lines:
            for line in lines:
                with self._lock:
                    if len(self.passed) == self._most:
                        break
                    self.passed.append(line.replace(self._hides, self._instead) if self._hides else line)
                    other.sendall(self.passed[-1])
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def breaks(session: list[bytes], *mails: bytes) -> list[int]:
    """After how many lines a session is broken: of the protocol every second, of the mails in it some.

    With PBEM_LONG after every line.
    """
    text = {line.rstrip() for one in mails for line in one.splitlines()}
    inside = [n for n, line in enumerate(session) if line.rstrip() in text]
    protocol = [n for n in range(len(session)) if n not in inside]
    if LONG:
        return sorted(protocol + inside)
    return sorted(protocol[::2] + inside[:: max(len(inside) // 2, 1)])


class TestTheConnectionBreaks:
    """After each line of a session, one after the other."""

    def test_while_fetching(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        tmp_path: Path,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """One line says so; the next fetch goes on, and no game is told of as new twice."""
        data = mailed_file(offer_game(anna.person()))
        mails = game_mail(subject="holidays"), game_mail(data), game_mail(subject="thank you")
        for one in mails:
            office.deliver("bruno", one)
        shutil.copytree(bruno.file.parent, tmp_path / "before")

        def fetches(lines: int) -> tuple[int, str, str, list[bytes]]:
            """The exit code, what is told and complained, and the lines that passed before it broke."""
            with BadLine(office, office.imap, lines).open() as line:
                office.serve(bruno.local_player, "bruno", imap=line.port)
                code = bruno.type("mail", "fetch")
            return code, *capsys.readouterr(), line.passed

        code, told, complained, session = fetches(sys.maxsize)
        assert (code, complained) == (0, "")
        assert len(session) > len(game_mail(data).splitlines())
        for lines in breaks(session, *mails):
            shutil.rmtree(bruno.file.parent)
            shutil.copytree(tmp_path / "before", bruno.file.parent)
            code, told, complained, passed = fetches(lines)
            assert len(passed) == lines
            if code:
                assert complained.startswith("error: no connection to "), (lines, complained)
                assert complained.count("\n") == 2, "the error and its hint"
            office.serve(bruno.local_player, "bruno")
            assert bruno.type("mail", "fetch") == 0
            assert (told + capsys.readouterr()[0]).count(": new on this") == 1
            assert stored_offers(bruno) == [data]

    def test_while_sending(
        self,
        anna: Correspondent,
        bruno: Correspondent,
        office: MailProvider,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        """A mail counts as sent only if the server has said so, and goes out again as it was."""
        game = anna.save(play_share_and_orders(anna.save(game_waiting_for_anna(anna, bruno)), anna.person()))
        names, outbox = (game.ids[0], game.ids[-1]), Outbox(anna.local_player.home)

        def sends(lines: int) -> tuple[int, str, list[bytes]]:
            """The exit code, what is complained, and the lines that passed before it broke."""
            with BadLine(office, office.smtp, lines).open() as line:
                office.serve(anna.local_player, "anna", smtp=line.port)
                code = anna.type("mail", "send", "game.yaml")
            return code, capsys.readouterr()[1], line.passed

        code, complained, session = sends(sys.maxsize)
        kept = outbox.read(*names)
        assert (code, complained) == (0, "")
        assert kept is not None
        assert attached_game(kept).ids == game.ids
        assert len(session) > len(kept.splitlines())
        for lines in breaks(session, kept):
            office.empty("bruno")
            shutil.rmtree(anna.local_player.home / "outbox")
            anna.local_player.store.records.change(game.ids[0], lambda record: replace(record, mails={}))
            code, complained, passed = sends(lines)
            assert len(passed) == lines
            assert (outbox.fate(*names) is Fate.SENT) == (code == 0)
            if code:
                assert complained.startswith("error: "), (lines, complained)
                assert complained.count("\n") == 2, "the error and its hint"
            arrived = office.mails_of("bruno")
            assert arrived in ([], [outbox.read(*names)])
            assert sends(sys.maxsize)[0] == 0
            assert office.mails_of("bruno") == [*arrived, outbox.read(*names)]
            assert outbox.fate(*names) is Fate.SENT
            assert outbox.count_copies(*names) == 1 + (code == 0), "another copy only of what had been taken"


class TestTheProgramDies:
    """At every line of fetching, answering and sending; and the next two runs end the work."""

    def killed(
        self, command: str, player: Correspondent, office: MailProvider, folder: Path
    ) -> list[dict[str, Any]]:
        """What `post.processes` tells of each kill; the last run got through."""
        shutil.copytree(player.file.parent, folder / "before")
        ports = [str(port) for port in (office.imap, office.imap_starttls, office.smtp)]
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "support.mail_crashes",
                command,
                str(folder),
                str(office.root),
                *ports,
            ],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT)])},
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        *kills, last = json.loads(done.stdout)
        assert all(kill["killed"] for kill in kills)
        assert not last["killed"]
        return [*kills, last]

    def check(self, kill: dict[str, Any], before: tuple[str, ...]) -> None:
        """One entry has been added, and the opponent has it, in one mail or the same mail more than once."""
        assert kill["codes"][-1] == 0
        assert kill["shelf"][:-1] == list(before)
        assert kill["files"] == [kill["shelf"]]
        assert kill["mails"] in ([kill["shelf"]], [kill["shelf"]] * 2)
        assert kill["message ids"] == kill["different mails"] == kill["marked"] == 1
        assert kill["evidence"] == 0

    def test_while_watching(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider, tmp_path: Path
    ) -> None:
        game = game_waiting_for_anna(anna, bruno)
        anna.file.unlink()
        office.serve(anna.local_player, "anna", maildir=True)
        office.deliver("anna", game_mail(mailed_file(game)))
        kills = self.killed("mail watch --once", anna, office, tmp_path)
        for kill in kills:
            self.check(kill, game.ids)
            assert kill["parts"] == 0, "nothing shows that Bruno's program reads any"
        gone = [count for count, _ in groupby(len(kill["mails"]) for kill in kills)]
        assert gone == [1, 2, 1], "only a kill between the mail and its mark sends the mail again"

    @pytest.mark.long
    def test_while_mailing_to_a_commander(self, office: MailProvider, tmp_path: Path) -> None:
        """The share is written once; the game goes to him once, or with the same bytes again."""
        rommel = LeadAtHome(tmp_path / "Rommel", "axis")
        confirm_address(rommel, BRUNO)
        game = game_before_orders(rommel)
        shutil.rmtree(rommel.folder)
        office.serve(rommel.local_player, "anna", maildir=True)
        player = Correspondent("Rommel", rommel.local_player, tmp_path / "Rommel/game.yaml")
        kills = self.killed("mail watch --once", player, office, tmp_path)
        for kill in kills:
            self.check(kill, game.ids)
        gone = [count for count, _ in groupby(len(kill["mails"]) for kill in kills)]
        assert gone == [1, 2, 1]

    def silent(self, anna: Correspondent, bruno: Correspondent, office: MailProvider) -> Game:
        """Anna has mailed her move three days before the kills, and hears nothing."""
        game = game_asking_anna(anna, bruno)
        office.serve(anna.local_player, "anna", maildir=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SOURCE_DATE_EPOCH", str(int(NOON.timestamp()) - 3 * 86400))
            assert anna.type("move", game.ids[0][:8], "pass") == 0
            assert anna.type("send", game.ids[0][:8], "--to", BRUNO) == 0
        return stored_game(anna)

    def test_while_mailing_once_more(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider, tmp_path: Path
    ) -> None:
        """The repetition goes once, or with the same bytes again; or it waits for the next day."""
        game = self.silent(anna, bruno, office)
        kills = self.killed("mail watch --once", anna, office, tmp_path)
        for kill in kills:
            assert kill["codes"][-1] == 0
            assert kill["shelf"] == list(game.ids)
            assert len(kill["mails"]) <= 2
            assert kill["message ids"] == kill["different mails"] == min(len(kill["mails"]), 1)
        gone = [count for count, _ in groupby(len(kill["mails"]) for kill in kills)]
        # None only from the note to the stored mail; two only from the server's answer to its mark.
        assert gone == [1, 0, 1, 2, 1]

    @pytest.mark.long
    def test_while_asking_for_the_whole(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider, tmp_path: Path
    ) -> None:
        """A cut mail is asked for once, or not at all: then the opponent's silence heals it."""
        game = self.silent(anna, bruno, office)
        config = anna.local_player.home / "config.yaml"
        config.write_text(f"{config.read_text()}  resend_after: never\n")
        gone_on = play_share_and_orders(game, bruno.person())
        whole = game_mail(subject=subject(game), text=body(gone_on, mailed_file(gone_on)))
        office.deliver("anna", whole[: whole.index(b"BEGIN PBEM GAME") + 1500])
        kills = self.killed("mail watch --once", anna, office, tmp_path)
        asked_for = [count for count, _ in groupby(kill["asked for"] for kill in kills)]
        assert asked_for == [1, 0, 1], "not at all only from the note to the mail"
        assert all(kill["evidence"] == 0 and kill["shelf"] == list(game.ids) for kill in kills)

    @pytest.mark.long
    def test_while_a_plan_answers(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider, tmp_path: Path
    ) -> None:
        """It orders once, by one entry, in one mail, although each run has another clock."""
        game = game_waiting_for_anna(anna, bruno, decision=True)
        plans = PlanStore(anna.local_player.home)
        plans.save(game, parse_plan("despite hits, range, words\ndo pass\nat most once", "plan"))
        plans.arm(game)
        anna.file.unlink()
        office.serve(anna.local_player, "anna", maildir=True)
        office.deliver("anna", game_mail(mailed_file(game)))
        for kill in self.killed("mail watch --once", anna, office, tmp_path):
            self.check(kill, game.ids)

    @pytest.mark.long
    def test_while_watching_with_small_mails(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider, tmp_path: Path
    ) -> None:
        """Bruno's mail is a part of the log; and so is the answer, whenever the first run was killed."""
        game = game_waiting_for_anna(anna, bruno)
        last = max(entry.body.n for entry in game.entries if entry.body.by == "german")
        before = open_game(file_of(log_of(game)[: last + 1]))
        shutil.rmtree(anna.local_player.home / "games")
        anna.file.unlink()
        anna.local_player.record(before, mailed_file(before), new=True)
        save_to_outbox(anna.local_player, None, before, Contact("Bruno", "", BRUNO, confirmed=True), NOON)
        Outbox(anna.local_player.home).save_fate(before.ids[0], before.ids[-1], Fate.SENT)
        office.serve(anna.local_player, "anna", maildir=True)
        office.deliver("anna", game_mail(segment_after(game, last)))
        for kill in self.killed("mail watch --once", anna, office, tmp_path):
            self.check(kill | {"marked": kill["marked"] - 1}, game.ids)
            assert kill["parts"] == len(kill["mails"])

    @pytest.mark.long
    def test_while_doing_what_was_answered(
        self, anna: Correspondent, bruno: Correspondent, office: MailProvider, tmp_path: Path
    ) -> None:
        """Done once and mailed; or not at all, where the code was used up and nothing written: he is told."""
        anna, bruno = with_fixed_keys((anna, bruno))
        game = game_asking_anna(anna, bruno)
        anna.file.unlink()
        office.serve(anna.local_player, "anna", maildir=True)
        secret = make_code(game, anna.local_player.key, len(game.entries) - 1, 1)
        office.deliver("anna", answer_mail(f"now: pass\n\n> Code: {secret}"))
        kills = self.killed("mail watch --once --orders-by-reply", anna, office, tmp_path)
        undone = [kill for kill in kills if kill["shelf"] == list(game.ids)]
        for kill in kills:
            if kill in undone:
                assert kill["codes"] == [0, 0]
                assert kill["mails"] == kill["files"] == []
                assert any("nothing was done" in letter for letter in kill["letters"])
            else:
                self.check(kill, game.ids)
                assert any("Done." in one or "has already been made" in one for one in kill["letters"])
        assert [done for done, _ in groupby(kill not in undone for kill in kills)] == [True, False, True]
