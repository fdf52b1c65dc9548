"""From an address to tested settings: the steps of `mail setup`, for the terminal and the lobby.

Each step describes its result in sentences; the caller asks the player, and decides the order. Nothing is
saved until both servers have accepted the login.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from secrets import token_hex

from msgspec import Struct
from msgspec.structs import replace

from pbem.errors import MailError
from pbem.mail.autoconfig import discover
from pbem.mail.imap import Imap
from pbem.mail.outgoing import Address, OutgoingMail, to_bytes
from pbem.mail.secret_store import save_secret
from pbem.mail.settings import (
    Account,
    MailSettings,
    Provider,
    Server,
    complete_from_table,
    find_provider,
    read_providers,
    write_config,
)
from pbem.mail.smtp import deliver, try_account
from pbem.render.safe_text import safe_text
from pbem.texts import Texts

tr = Texts("pbem")


class FoundServers(Struct, frozen=True):
    """The servers of an address, and in `opening` where they come from."""

    provider: Provider
    opening: str


def servers_in_table(address: str) -> FoundServers | None:
    """The servers in the table of providers for an address.

    Raises `MailError` for a provider that admits no mail programs.
    """
    known = find_provider(read_providers(), address)
    if known is None:
        return None
    if not known.imap:
        raise MailError(tr("{provider} does not allow mail programs", provider=known.name), hint=known.advice)
    return FoundServers(known, tr("{provider}, as of {date}:", provider=known.name, date=known.read))


def servers_by_domain(address: str) -> FoundServers | None:
    """The servers that the domain of an address names, which is queried for at most `autoconfig.SECONDS`."""
    table, domain = read_providers(), address.rpartition("@")[2]
    found = discover(address, table)
    if found is None:
        return None
    opening = tr("{domain} says:", domain=domain)
    if found.name:
        opening = tr("The mail of {domain} is at {provider}:", domain=domain, provider=found.name)
    return FoundServers(complete_from_table(table, found), opening)


def describe_servers(provider: Provider) -> list[str]:
    """The servers, one per line."""
    lines = []
    if imap := provider.imap:
        lines.append(tr("read: {host}, port {port}, {security}", **_server_fields(imap)))
    if smtp := provider.smtp:
        lines.append(tr("send: {host}, port {port}, {security}", **_server_fields(smtp)))
    return lines


def _server_fields(server: Server) -> dict[str, object]:
    return {"host": safe_text(server.host), "port": server.port, "security": server.security}


def password_advice(provider: Provider) -> str:
    """Which password is needed, and how to get it."""
    return provider.advice or tr(
        "Your mailbox password or, if your provider uses app passwords, one of those."
    )


def try_reading(imap: Account, password: str = "") -> str:
    """Log in to the server for reading, with this password or the stored one. Raises `MailError`."""
    with Imap(imap, "INBOX", shown=password):
        return tr("can read at {host}", host=imap.host)


def try_sending(smtp: Account, password: str = "") -> str:
    """Log in to the server for sending, like `try_reading`."""
    try_account(smtp, password)
    return tr("can send by {account}", account=smtp.host)


def store_password(accounts: tuple[Account, Account], password: str) -> str:
    """Store the password, once for each server. Returns where. Raises `StorageError`."""
    files = {save_secret(account.keyring_user, password) for account in accounts}
    file = next(iter(files - {None}), None)
    if file is None:
        return tr("Your system's keyring keeps the password.")
    return tr(
        "Your system has no keyring that pbem can use. So the password is in {file}, not encrypted; only "
        "your own account on this computer can read it. To keep it elsewhere, leave the password empty next "
        "time, and name a command that prints it.",
        file=safe_text(str(file)),
    )


def settings_with(
    before: MailSettings | None, address: str, accounts: tuple[Account, Account], provider: Provider
) -> MailSettings:
    """The existing settings, if any, with this address, and with these accounts to read and send."""
    imap, smtp = accounts
    settings = before or MailSettings(address=address)
    return replace(settings, address=address, imap=imap, smtp=smtp, sent_copy=not provider.keeps_sent)


def save_settings(home: Path, settings: MailSettings) -> list[str]:
    """Save the settings. Returns lines that say where they are. Raises `StorageError`."""
    old = write_config(home, settings)
    said = [tr("Wrote {file}.", file=safe_text(str(home / "config.yaml")))]
    if old:
        said.append(tr("The old one is {file}.", file=safe_text(old.name)))
    if settings.maildir:
        reads = tr(
            "pbem mail fetch still reads {place}, as long as the settings have maildir.",
            place=safe_text(settings.maildir),
        )
        said.append(reads)
    return said


def send_test(settings: MailSettings, date: datetime) -> None:
    """Mail the player a test through the account in the settings. Raises `MailError`."""
    deliver(settings.sending_account, settings.address, settings.address, _test_mail(settings, date))


def _test_mail(settings: MailSettings, date: datetime) -> bytes:
    me = Address(settings.address, safe_text(settings.name))
    sends = tr("{command} mails a game after you have moved", command=f"{'pbem mail send':<19}")
    fetches = tr("{command} fetches what your opponents have mailed", command=f"{'pbem mail fetch':<19}")
    here = tr("pbem sent this mail and you are reading it, so your opponents will get yours too.")
    return to_bytes(
        OutgoingMail(
            sender=me,
            recipient=me,
            subject=f"[pbem] {tr('your mail is set up')}",
            body=f"{here}\n\n    {sends}\n    {fetches}\n",
            attachment_name="",
            attachment=b"",
            message_id=f"<{token_hex(16)}.setup@pbem.invalid>",
            in_reply_to="",
            references=(),
            date=date,
        )
    )
