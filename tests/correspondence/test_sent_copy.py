"""A copy of what was mailed, where the settings want one; that none was kept never stops a mail."""

from __future__ import annotations

import mailbox
from collections.abc import Iterator

import pytest

from correspondence.test_watch import game_waiting_for_anna
from mail.test_sent_copy import FOLDERS
from pbem.correspondence.outbox import Outbox
from pbem.player.store.delivery import Fate
from pbem.umpire.game_state import Game
from support.correspondents import BRUNO, Correspondent
from support.mail_provider import MailProvider, run_mail_provider


@pytest.fixture(scope="module")
def running() -> Iterator[MailProvider]:
    with run_mail_provider("anna", "bruno", more=FOLDERS) as office:
        yield office


def copies(office: MailProvider) -> list[bytes]:
    """What lies in anna's folders beside her INBOX."""
    box = mailbox.Maildir(office.maildir("anna"))
    return [mail.as_bytes() for name in box.list_folders() for mail in box.get_folder(name)]


def settle(anna: Correspondent, office: MailProvider, *, wanted: bool = True) -> None:
    config = office.config("anna") + (f"  sent_copy: {str(wanted).lower()}\n")
    (anna.local_player.home / "config.yaml").write_text(config)


SEND = ("send", "game.yaml", "--to", BRUNO)


def test_the_very_mail_is_kept(anna: Correspondent, game: Game, office: MailProvider) -> None:
    settle(anna, office)
    assert anna.type(*SEND) == 0
    (mail,) = office.mails_of("bruno")
    assert copies(office) == [mail.replace(b"\r\n", b"\n")]


def test_no_copy_is_wanted(anna: Correspondent, game: Game, office: MailProvider) -> None:
    settle(anna, office, wanted=False)
    assert anna.type(*SEND) == 0
    assert copies(office) == []


def test_none_can_be_kept(anna: Correspondent, game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    """A server without such a folder, and one that is not there: the mail is sent all the same."""
    with run_mail_provider("anna", "bruno") as office:
        settle(anna, office)
        assert anna.type(*SEND) == 0
        printed = capsys.readouterr()
        assert printed.out.startswith("Sent to ")
        warning, hint = printed.err.splitlines()
        assert warning.startswith(
            "warning: pbem could not save a copy of the mail: 127.0.0.1 does not name a folder for sent mail"
        )
        assert hint.startswith("hint: the mail was sent")
        assert len(office.mails_of("bruno")) == 1
        assert Outbox(anna.local_player.home).fate(game.ids[0], game.ids[-1]) is Fate.SENT

        (anna.local_player.home / "config.yaml").write_text(
            office.config("anna", imap=9) + "  sent_copy: true\n"
        )
        assert anna.type(*SEND) == 0
        assert (
            "pbem could not save a copy of the mail: no connection to 127.0.0.1:9" in capsys.readouterr().err
        )
        assert len(office.mails_of("bruno")) == 2


def test_watch_keeps_one_as_well(anna: Correspondent, bruno: Correspondent, office: MailProvider) -> None:
    settle(anna, office)
    anna.save(game_waiting_for_anna(anna, bruno))
    assert anna.type("mail", "watch", "--once") == 0
    (mail,) = office.mails_of("bruno")
    assert copies(office) == [mail.replace(b"\r\n", b"\n")]


@pytest.mark.thorough
def test_watch_goes_on_without_one(
    anna: Correspondent, bruno: Correspondent, capsys: pytest.CaptureFixture[str]
) -> None:
    with run_mail_provider("anna", "bruno") as office:
        settle(anna, office)
        anna.save(game_waiting_for_anna(anna, bruno))
        assert anna.type("mail", "watch", "--once") == 0
        printed = capsys.readouterr()
        assert "Mailed " in printed.out
        assert "warning: pbem could not save a copy of the mail" in printed.err
        assert len(office.mails_of("bruno")) == 1
