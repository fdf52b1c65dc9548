"""By a real Postfix with SASL and TLS: how a game begins, a whole game, calm and rough, what is refused."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from correspondence.test_disturbed_game import ROUNDS, Play, Weather
from pbem.correspondence.outbox import entries_by_mail
from pbem.errors import RefusedLogin, RefusedMail
from pbem.mail.settings import read_config
from pbem.mail.smtp import deliver, try_account
from support.correspondents import make_correspondents, stored_game
from support.mail_provider import DOMAIN, MailProvider
from support.postfix import run_postfix_provider, wait_for_mail, wait_until_delivered

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


class CalmWeather(Weather):
    """Each mail arrives, once and whole, as soon as Postfix has delivered it."""

    def settle(self) -> None:
        wait_until_delivered(self.office)

    def disturb(self, name: str, path: Path, now: datetime) -> None:
        """Leave it as it is."""


class RoughWeather(Weather):
    """Some mails are lost, cut, late or doubled after Postfix has delivered them."""

    def settle(self) -> None:
        wait_until_delivered(self.office)


@pytest.mark.parametrize("weather", [CalmWeather, RoughWeather])
def test_a_whole_game(weather: type[Weather], office: MailProvider, tmp_path: Path) -> None:
    """`watch` on both sides; what it took is printed."""
    office.empty("anna", "bruno")
    play = Play(tmp_path, office, 6, weather)
    while not play.is_over:
        assert play.days < ROUNDS
        play.round()
    anna, bruno = map(stored_game, play.both)
    assert anna.ids == bruno.ids
    needed, mails = len(entries_by_mail(anna)), play.weather.number
    if weather is CalmWeather:
        assert mails == needed
    else:
        assert all(play.weather.told.values())
        assert mails <= 3 * needed + 10
    log = (office.root / "postfix" / "postfix.log").read_text()
    assert "status=deferred" not in log
    assert "status=bounced" not in log
    sizes = play.weather.sizes
    told = f"{mails} mails, {needed} needed, {sum(sizes):,} bytes, at most {max(sizes):,}"
    sys.stdout.write(f"{weather.__name__}: {told}, {play.days} days, {play.weather.told}\n")


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
