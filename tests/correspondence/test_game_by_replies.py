"""A game by replies alone: two homes with `watch --orders-by-reply`, and two people with s-nail.

With PBEM_LONG to its end. Letters go through real servers (SMTP, and Dovecot's IMAP). Answers are what s-nail
makes of the words: without a quote, above one and below one. Among them are forged codes, and answers that
come twice.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from correspondence.test_whole_game import file, play_decision
from pbem.correspondence.question_record import codes_in
from pbem.games.mortain import RULES
from pbem.umpire import permissions
from support.correspondents import Correspondent, mail_text, make_correspondents, parse_mail, stored_game
from support.mail_answers import answer_mail
from support.mail_provider import DOMAIN, HOST, MailProvider, run_mail_provider

LONG = bool(os.environ.get("PBEM_LONG"))
DECISIONS = 6
"""After how many of them, by both, the game is left where it stands; with PBEM_LONG it is played on."""

_S_NAIL = shutil.which("s-nail") or ""
_STYLES = (
    ("{}", "~."),
    ("{}", "", "~m 1", "~."),
    ("~m 1", "", "{}", "~."),
)
"""What is typed into s-nail: the words alone, then above the letter, then below it."""


class Person:
    """Somebody with a telephone: the letters in his mailbox, and s-nail to answer them."""

    def __init__(self, player: Correspondent, office: MailProvider, folder: Path) -> None:
        self.player, self.office, self._box = player, office, folder / f"{player.name}.mbox"
        self.name = player.name.lower()
        self._styles = count()
        self._answered: set[str] = set()
        self.decided = 0

    def letter(self) -> bytes | None:
        """The newest letter that asks him something, if he has not answered it."""
        asking = [
            one for one in self.office.mails_of(self.name) if codes_in(str(parse_mail(one)["Message-ID"]))
        ]
        own = [one for one in asking if "X-Pbem-Reads" in parse_mail(one)]
        if not own or parse_mail(own[-1])["Message-ID"] in self._answered:
            return None
        return own[-1]

    def answers(self, letter: bytes, words: str) -> None:
        """Answer a letter with s-nail, each time in another style."""
        self._answered.add(parse_mail(letter)["Message-ID"])
        self._box.write_bytes(
            b"From pbem Sun Nov 22 12:00:00 2026\n" + letter.replace(b"\r\n", b"\n") + b"\n"
        )
        style = _STYLES[next(self._styles) % len(_STYLES)]
        typed = "\n".join(["set indentprefix='> '", "reply 1", *style, "x", ""]).format(words)
        variables = {
            "v15-compat": "yes",
            "ttycharset": "utf-8",
            "from": f"{self.name}@{DOMAIN}",
            "mta": f"smtps://{self.name}:secret%20of%20{self.name}@{HOST}:{self.office.smtp}",
            "smtp-auth": "login",
            "tls-verify": "ignore",
            "DEAD": "/dev/null",
        }
        options = [f"-S{name}={value}" for name, value in variables.items()]
        done = subprocess.run(
            [_S_NAIL, "-#", "-n", *options, "-Ssendwait", "-f", str(self._box)],
            input=typed,
            capture_output=True,
            text=True,
            timeout=60,
            env={"HOME": str(self._box.parent), "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"},
            check=False,
        )
        assert "not sent" not in done.stderr, done.stderr

    def decides(self, choose: random.Random) -> bool:
        """Answer the letter that waits, if one does, as a practice player would."""
        letter = self.letter()
        if letter is None:
            return False
        if "Reply yes to do this" in mail_text(letter):
            self.answers(letter, "Yes")
            return True
        game, key = stored_game(self.player), self.player.local_player.key
        asked = permissions.unlock_state(game, key).pending_question
        assert asked is not None
        orders = "\n".join(game.rules.view.write_words(RULES.players["sensible"](asked, choose)))
        self.answers(letter, orders if self.decided % 5 == 0 else f"now: {orders}")
        self.decided += 1
        return True


@pytest.fixture
def office() -> Iterator[MailProvider]:
    if not _S_NAIL:
        pytest.skip("s-nail is not installed")
    with run_mail_provider("anna", "bruno") as running:
        yield running


@pytest.mark.thorough
def test_a_game_by_replies_alone(
    office: MailProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bruno = make_correspondents(tmp_path)
    for player in (anna, bruno):
        office.serve(player.local_player, player.name.lower())
    choose, clock = random.Random(7), count(1_800_000_000, 600)

    def types(player: Correspondent, *words: str) -> None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(next(clock)))
        assert player.type(*words) == 0, words

    types(anna, "new", "mortain", "--seat", "german", "--option", "turns=1", "--name", "Anna")
    types(anna, "mail", "send", "mortain.yaml", "--to", f"bruno@{DOMAIN}")
    types(bruno, "mail", "fetch")
    types(bruno, "join", "--name", "Bruno")
    assert play_decision(bruno, choose), "the US sets up first"
    types(bruno, "mail", "send", file(bruno), "--to", f"anna@{DOMAIN}")
    people = [Person(one, office, tmp_path) for one in (anna, bruno)]
    for round_ in range(400):
        for person in people:
            types(person.player, "mail", "watch", "--once", "--most", "99", "--orders-by-reply")
            if stored_game(person.player).state.ending is None:
                person.decides(choose)
            if round_ % 4 == 0:
                hostile(person, office)
        if all(stored_game(person.player).state.ending for person in people):
            break
        if sum(person.decided for person in people) >= DECISIONS and not LONG:
            break
    one, other = sorted((stored_game(anna).ids, stored_game(bruno).ids), key=len)
    assert other[: len(one)] == one
    assert len(other) - len(one) <= 1, "what is on its way"
    assert sum(person.decided for person in people), "how many are whose is for the cards to say"
    if LONG:
        assert stored_game(anna).state.ending
        assert one == other


def hostile(person: Person, office: MailProvider) -> None:
    """A forged code, the newest answer once more, and the first one."""
    address = f"{person.name}@{DOMAIN}"
    office.deliver(
        person.name,
        answer_mail(
            f"now: resign\n\n> Code: {stored_game(person.player).ids[0][:8]}.3.1.{'a' * 24}", sender=address
        ),
    )
    own = [one for one in office.mails_of(person.name) if parse_mail(one)["User-Agent"]]
    for again in (own[-1:] + own[:1]) if own else []:
        office.deliver(person.name, again)
