"""Benchmark of a large mailbox: the first look at a hundred thousand mails, and the looks after it.

    cd tests && python -m benchmarks.mailbox [NUMBER | --quick]

The mails are of the last 60 days, of five usual kinds: texts, HTML pages, pictures, documents, an invitation.
One in 5,000 is a letter by pbem, and one quotes a game with no sign of it in its headers. The time of the
first look is also split into processor time of this process and of the server's. The aims are wall-clock
times, so run it on an idle machine. Needs Dovecot, and Linux.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.run import Figure, report
from mail.test_imap import account
from mail.test_mail_outline import private, private_mails
from pbem.mail.imap import Imap
from pbem.mail.mail_outline import Bookmark
from support.mail_provider import MailProvider, give_to_dovecot, run_mail_provider

MAILS, QUICK = 100_000, 1_000
LETTERS_EVERY = 5_000
LOOKS = 3


def figures(mails: int) -> Iterator[Figure]:
    """Every figure, each as soon as it is measured."""
    with run_mail_provider("anna") as office:
        _fill(office, mails)
        before, own = _server_seconds(office), time.process_time()
        seconds, found, read = _look(office, ())
        yield Figure(f"first look at {mails:,} mails, s", f"{seconds:.1f}", "<= 60")
        yield Figure("processor time of pbem in it, s", f"{time.process_time() - own:.1f}")
        yield Figure("processor time of Dovecot in it, s", f"{_server_seconds(office) - before:.1f}")
        yield Figure("mails it fetched", f"{found}")
        for _ in range(LOOKS):
            seconds, _, read = _look(office, read)
            yield Figure("a look after it, s", f"{seconds:.2f}", "<= 1")
        seconds, _, _ = _look(office, ())
        yield Figure("a first look once Dovecot knows them, s", f"{seconds:.1f}")


def _fill(office: MailProvider, number: int) -> None:
    """Put mails into Anna's INBOX, oldest first, one second apart."""
    letter, quoted = bytes(private("[pbem] Mortain")), bytes(private("our game", "pbem: 1\n"))
    others = list(_other_mails())
    begun = int(time.time()) - number
    for place in range(number):
        data = {0: letter, 1: quoted}.get(place % LETTERS_EVERY, others[place % len(others)])
        file = office.maildir("anna") / "cur" / f"{begun + place}.{place}.here:2,S"
        file.write_bytes(data)
        give_to_dovecot(file)


def _other_mails() -> Iterator[bytes]:
    """About fifty mails on other subjects, of up to 10 kB."""
    for place in range(50):
        mail = private_mails()[place % 5]
        if mail.get_content_maintype() == "text":
            mail.set_content("lorem ipsum dolor " * Random(place).randrange(20, 600) + "\n")
        yield bytes(mail)


def _look(office: MailProvider, bookmark: Bookmark) -> tuple[float, int, Bookmark]:
    """The seconds of a look, the number of mails it fetched, and the bookmark after it."""
    begun = time.perf_counter()
    with Imap(account(office), "INBOX", own="anna@example.org") as box:
        read = [uid for uid, _ in box.since(bookmark)]
        after = box.bookmark(bookmark, read)
    return time.perf_counter() - begun, len(read), after


def _server_seconds(office: MailProvider) -> float:
    """The processor time of Dovecot's processes, including those that have ended."""
    master = int((office.root / "run" / "master.pid").read_text())
    seconds = 0.0
    for status in Path("/proc").glob("[0-9]*/stat"):
        fields = status.read_text().rpartition(")")[2].split()
        if master in (int(status.parent.name), int(fields[1])):
            own, of_ended = fields[11:13], fields[13:15] if int(status.parent.name) == master else []
            seconds += sum(map(int, [*own, *of_ended])) / os.sysconf("SC_CLK_TCK")
    return seconds


if __name__ == "__main__":
    words = sys.argv[1:]
    report(figures(QUICK if "--quick" in words else int(words[0]) if words else MAILS))
