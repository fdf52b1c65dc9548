"""A copy of what was sent, in the folder that a real Dovecot has for it, whatever that is called."""

from __future__ import annotations

import mailbox
from collections.abc import Iterator

import pytest

from pbem.errors import MailError
from pbem.mail.imap import Imap
from pbem.mail.settings import Account
from support.mail_provider import HOST, MailProvider, run_mail_provider

FOLDERS = r"""
namespace inbox {
  inbox = yes
  mailbox Werbung {
    special_use = \Junk
    auto = create
  }
  mailbox Ablage {
    special_use = \Archive
    auto = create
  }
  mailbox Drafts {
    special_use = \Drafts
    auto = create
  }
  mailbox "Gesendete Objekte & Ähnliches" {
    special_use = \Sent
    auto = create
  }
}
"""
MAIL = b"Subject: a move\r\n\r\nFrom here on\r\n.\r\n"


@pytest.fixture(scope="module")
def office() -> Iterator[MailProvider]:
    with run_mail_provider("anna", more=FOLDERS) as running:
        yield running


def account(office: MailProvider) -> Account:
    return Account(
        host=HOST,
        port=office.imap,
        security="tls",
        user="anna",
        password_command=["echo", "secret of anna"],
        ca=str(office.authority),
    )


def test_kept_as_it_was_and_read(office: MailProvider) -> None:
    with Imap(account(office), "INBOX") as box:
        box.save_sent(MAIL)
    everywhere = mailbox.Maildir(office.maildir("anna"))
    found = {name: list(everywhere.get_folder(name)) for name in everywhere.list_folders()}
    (folder,) = [name for name, mails in found.items() if mails]
    assert folder.startswith("Gesendete")
    (copy,) = everywhere.get_folder(folder)
    assert copy.get_flags() == "S"
    assert copy.as_bytes() == MAIL.replace(b"\r\n", b"\n")
    assert not list(everywhere)


def test_the_folders_for_spam_and_the_archive(office: MailProvider) -> None:
    with Imap(account(office), "INBOX") as box:
        assert box.other_folders() == ["Ablage", "Werbung"]
    with Imap(account(office), "Ablage") as box:
        assert box.other_folders() == ["Werbung"]


@pytest.mark.thorough
def test_a_server_without_such_a_folder() -> None:
    with run_mail_provider("anna") as office, Imap(account(office), "INBOX") as box:
        with pytest.raises(MailError, match="does not name a folder for sent mail"):
            box.save_sent(MAIL)
        assert not list(mailbox.Maildir(office.maildir("anna")).list_folders())
