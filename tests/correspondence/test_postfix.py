"""By a real Postfix with SASL and TLS: how a game begins, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.errors import RefusedLogin, RefusedMail
from pbem.mail.settings import read_config
from pbem.mail.smtp import deliver, try_account
from support.correspondents import make_correspondents, stored_game
from support.mail_provider import DOMAIN, MailProvider
from support.postfix import run_postfix_provider, wait_for_mail

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def office() -> Iterator[MailProvider]:
    with run_postfix_provider("anna", "bruno") as running:
        yield running


def test_a_game_begins(office: MailProvider, tmp_path: Path) -> None:
    anna, bruno = make_correspondents(tmp_path)
    office.empty("anna", "bruno")
    for player in (anna, bruno):
        office.serve(player.local_player, player.name.lower())
    assert anna.type("new", "mortain", "--seat", "german", "--name", "Anna") == 0
    assert anna.type("mail", "send", "mortain.yaml", "--to", f"bruno@{DOMAIN}") == 0
    (mail,) = wait_for_mail(office, "bruno", 1)
    assert b"by mail." + DOMAIN.encode() + b" (Postfix) with ESMTPSA" in mail
    assert bruno.type("mail", "fetch") == 0
    assert bruno.type("join", "--name", "Bruno") == 0
    assert len(stored_game(bruno).entries) == 2


def test_what_it_refuses(office: MailProvider, tmp_path: Path) -> None:
    anna, _ = make_correspondents(tmp_path)
    office.serve(anna.local_player, "anna")
    config = anna.local_player.home / "config.yaml"
    good = read_config(anna.local_player.home).mail
    assert good
    assert good.smtp
    with pytest.raises(RefusedMail, match=r"550 5\.1\.1 .*nobody"):
        deliver(good.smtp, f"anna@{DOMAIN}", f"nobody@{DOMAIN}", b"Subject: x\r\n\r\nx\r\n")
    config.write_text(config.read_text().replace("secret of anna", "sesame"))
    wrong = read_config(anna.local_player.home).mail
    assert wrong
    assert wrong.smtp
    with pytest.raises(RefusedLogin, match=r"535 5\.7\.8"):
        try_account(wrong.smtp)
    log = (office.root / "postfix" / "postfix.log").read_text()
    assert log.count("SASL PLAIN authentication failed") == 1
    assert "SASL LOGIN" not in log
