"""`mail setup`: from an address to settings that have been tried, and a test mail to oneself."""

from __future__ import annotations

from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated

import msgspec
import typer
from msgspec.structs import replace

from pbem.base.files import make_folder, read_if_there, write_atomically
from pbem.cli.command_groups import commands
from pbem.cli.mail_background import background_for_setup, offer_background
from pbem.cli.session import local_player
from pbem.cli.terminal import ask_text, ask_yes_no, confirm_or_exit, is_interactive, put, report_problem, warn
from pbem.errors import MailError, RefusedLogin
from pbem.mail.autoconfig import discover
from pbem.mail.imap import Imap
from pbem.mail.microsoft import CLIENT_ID, DeviceLogin
from pbem.mail.outgoing import Address, OutgoingMail, check_address, to_bytes
from pbem.mail.secret_store import save_secret
from pbem.mail.settings import (
    MailSettings,
    Provider,
    complete_from_table,
    find_provider,
    parse_server,
    read_config,
    read_providers,
    write_config,
)
from pbem.mail.smtp import deliver, try_account
from pbem.player.clock import now
from pbem.render.safe_text import quote_path, safe_text, split_command, wrap
from pbem.texts import Texts

if TYPE_CHECKING:
    from pbem.mail.settings import Account, MailSettings, Provider, Server

tr = Texts("pbem")

app = commands()


def _password_advice() -> str:
    return tr(
        "The password of your mailbox; if your provider has passwords for programs (app passwords), "
        "one of those."
    )


def _test_letter() -> str:
    sends = tr("{command} mails a game in which you wrote last", command=f"{'pbem mail send':<19}")
    fetches = tr("{command} gets what your opponents have mailed", command=f"{'pbem mail fetch':<19}")
    here = tr("This mail was sent by pbem, and you are reading it: so your opponents will get yours.")
    return f"{here}\n\n    {sends}\n    {fetches}\n"


@app.command()
def setup(
    address: Annotated[
        str, typer.Argument(metavar="address", help="Your mail address.", show_default=False)
    ] = "",
) -> None:
    """Set up your mail: pbem finds your servers, asks for your password, tries all, and mails you a test.

    Example: pbem mail setup anna@example.org
    """

    if not is_interactive():
        raise MailError(
            tr("your password must be typed at a terminal, and there is none here"),
            hint=tr(
                "type it at a terminal: {command}",
                command=f"pbem mail setup {address and quote_path(address)}".rstrip(),
            ),
        )
    mine = local_player()
    before = read_config(mine.home).mail
    address = check_address(
        address or ask_text(tr("Your mail address"), default=before.address if before else None)
    )
    if before and (before.smtp or before.imap):
        confirm_or_exit(tr("You have settings for {address}. Replace their servers?", address=before.address))
    begun = _UnfinishedSetup(mine.home)
    provider, user = begun.read(address)
    if provider is None or provider.smtp is None:
        provider, user = _find_provider(address, begun, provider), ""
        begun.save(address, provider, user)
    settings = before or MailSettings(address=address)
    _save_and_send_test(mine.home, _ask_until_accepted(settings, provider, address, user, begun))
    begun.delete()
    if wanted := background_for_setup(mine.home):
        offer_background(wanted)


class _UnfinishedSetup:
    """The answers of an unfinished set-up, without the password, saved in `mail/setup.json` of the home."""

    def __init__(self, home: Path) -> None:
        self._path = home / "mail" / "setup.json"

    def read(self, address: str) -> tuple[Provider | None, str]:
        """The servers and the login typed before for an address, if the player goes on with them."""

        try:
            known = msgspec.json.decode(
                read_if_there(self._path) or b"null", type=tuple[str, Provider, str] | None
            )
        except (msgspec.DecodeError, UnicodeDecodeError):
            known = None
        if known is None or known[0] != address:
            return None, ""
        _, provider, user = known
        _put_provider(provider, tr("You have begun with these servers:"))
        return (provider, user) if ask_yes_no(tr("Go on with them?")) else (None, "")

    def save(self, address: str, provider: Provider, user: str) -> None:
        """Save what has been typed until now. Raises `StorageError`."""

        make_folder(self._path.parent)
        write_atomically(self._path, msgspec.json.encode((address, provider, user)), private=True)

    def delete(self) -> None:
        """Delete the answers: the set-up is done."""
        self._path.unlink(missing_ok=True)


def _find_provider(address: str, begun: _UnfinishedSetup, half: Provider | None) -> Provider:
    """The servers of an address: from the table of providers, from the domain itself, or by two questions.

    `half` has the answer to the first of them.
    """

    table, domain = read_providers(), address.rpartition("@")[2]
    if half:
        return complete_from_table(table, _ask_servers(address, begun, half))
    if known := find_provider(table, address):
        if not known.imap:
            raise MailError(tr("{provider} lets no mail program in", provider=known.name), hint=known.advice)
        _put_provider(known, tr("{provider}, as of {date}:", provider=known.name, date=known.read))
        return known
    put(tr("I do not know {domain}; I ask it for its servers.", domain=domain))
    if told := discover(address, table):
        opening = tr("{domain} says:", domain=domain)
        if told.name:
            opening = tr("The mail of {domain} is at {provider}:", domain=domain, provider=told.name)
        _put_provider(told, opening)
        if ask_yes_no(tr("Are these the servers of your mailbox?")):
            return complete_from_table(table, told)
    else:
        put(tr("It does not say. Your provider's pages do, where they speak of IMAP and SMTP."))
    return complete_from_table(table, _ask_servers(address, begun, None))


def _ask_servers(address: str, begun: _UnfinishedSetup, half: Provider | None) -> Provider:
    """Ask the player for the servers, saving each as soon as it is typed."""

    domain = address.rpartition("@")[2]
    if half is None:
        imap = _ask_server(tr("Server for reading (IMAP), such as imap.{domain}", domain=domain), 993)
        half = Provider(name="", imap=imap)
        begun.save(address, half, "")
    smtp = _ask_server(
        tr(
            "Server for sending (SMTP), such as smtp.{domain}, or with its port: smtp.{domain}:587",
            domain=domain,
        ),
        465,
    )
    return replace(half, smtp=smtp)


def _ask_server(question: str, port: int) -> Server:

    while (server := parse_server(ask_text(question), port)) is None:
        put(tr("That is not a server name; a port may follow, as in mail.example.org:587."))
    return server


def _put_provider(provider: Provider, opening: str) -> None:
    put(opening)
    if imap := provider.imap:
        put(f"  {tr('read: {host}, port {port}, {security}', **_server_fields(imap))}")
    if smtp := provider.smtp:
        put(f"  {tr('send: {host}, port {port}, {security}', **_server_fields(smtp))}")


def _server_fields(server: Server) -> dict[str, object]:
    return {"host": safe_text(server.host), "port": server.port, "security": server.security}


def _ask_until_accepted(
    settings: MailSettings, provider: Provider, address: str, user: str, begun: _UnfinishedSetup
) -> MailSettings:
    """The settings with accounts that both servers accept. Asks for the login at most `_REFUSALS` times.

    Raises `MailError`; all answers but the password stay saved for the next time.
    """

    assert provider.imap
    assert provider.smtp
    imap, smtp = provider.imap.account(address), provider.smtp.account(address)
    advice = provider.advice or _password_advice()
    put(wrap(advice, indent=2))
    refused, asks_name = 0, not (provider.name or user)
    while True:
        if asks_name:
            user = ask_text(tr("Your name on the server (login)"), default=user or imap.user)
            begun.save(address, provider, user)
        if user:
            imap, smtp = replace(imap, user=user), replace(smtp, user=user)
        try:
            client_id = settings.microsoft_client_id or CLIENT_ID
            accounts, shown = _ask_credentials(provider, imap, smtp, client_id)
            _log_in(*accounts, shown)
            if shown:
                _store_password(accounts, shown)
        except RefusedLogin as refusal:
            refused += 1
            if refused == _REFUSALS:
                raise _describe_refusals(address, refusal, advice) from None
            report_problem(MailError(str(refusal)))
            put(wrap(tr("Once more. {advice}", advice=advice), indent=2))
            asks_name = True
        except MailError as error:
            if provider.login == "microsoft" and not client_id:
                error.hint = tr("without settings: pbem send FILE, and your own mail program does the rest")
                raise
            command = f"pbem mail setup {quote_path(address)}"
            error.hint = tr("what you have typed is kept; to go on: {command}", command=command)
            raise
        else:
            kept = not provider.keeps_sent
            return replace(settings, address=address, imap=accounts[0], smtp=accounts[1], sent_copy=kept)


_REFUSALS = 3
"""The refused logins that end the set-up; some servers lock a mailbox after five."""


def _describe_refusals(address: str, refusal: MailError, advice: str) -> MailError:
    """The error after too many refused logins, and what to do."""
    hint = tr(
        "{advice} Look at your provider's pages; mail goes without settings too. Once more: {command}",
        advice=advice,
        command=f"pbem mail setup {quote_path(address)}",
    )
    return MailError(tr("refused three times: {reason}", reason=refusal), hint=hint)


def _ask_credentials(
    provider: Provider, imap: Account, smtp: Account, client_id: str
) -> tuple[tuple[Account, Account], str]:
    """Ask for the secret: both accounts with where it comes from, and the password, if it was typed."""
    if provider.login == "microsoft":
        _log_in_at_microsoft(imap.user, client_id)
        one, other = (replace(account, auth="microsoft") for account in (imap, smtp))
        return (one, other), ""
    if provider.login == "token":
        put(
            tr(
                "How: docs/MAIL.md, A token in place of a password. Or stop here (Ctrl-C): without settings\n"
                "pbem mail send opens your mail program, or prints what to paste."
            )
        )
        words = _ask_command(
            tr("Command that prints the token, such as: {command}", command=f"oama access {imap.user}")
        )
        one, other = (replace(account, auth="xoauth2", token_command=words) for account in (imap, smtp))
        return (one, other), ""
    password = ask_text(tr("Password (not shown; empty: a command prints it)"), default="", hidden=True)
    if password:
        return (imap, smtp), password
    words = _ask_command(tr("Command that prints it, such as: {command}", command="pass show mail"))
    one, other = (replace(account, password_command=words) for account in (imap, smtp))
    return (one, other), ""


def _log_in_at_microsoft(user: str, client_id: str) -> None:
    """Let the player log in on a page of Microsoft's. Raises `MailError`."""
    if not client_id:
        raise MailError(tr("Microsoft does not know pbem yet, so it cannot log in at your mailbox"))
    login = DeviceLogin(client_id)
    put(tr("Open {page} in any browser, on a telephone too, and type this code:", page=safe_text(login.page)))
    put(f"\n    {safe_text(login.code)}\n")
    put(tr("I wait until you have let pbem in, at most {number} minutes.", number=login.minutes))
    login.finish(user)


def _ask_command(question: str) -> list[str]:
    """Ask for a command, as a list of words, because it runs without a shell."""
    while True:
        try:
            words = split_command(ask_text(question))
        except ValueError as error:
            put(tr("That cannot be read: {reason}.", reason=error))
        else:
            if words:
                return words


def _log_in(imap: Account, smtp: Account, shown: str) -> None:
    """Log in at both servers, with the typed password `shown`, or the one that a command prints."""

    with Imap(imap, "INBOX", shown=shown):
        put(tr("can read at {host}", host=imap.host))
    try_account(smtp, shown)
    put(tr("can send by {account}", account=smtp.host))


def _store_password(accounts: tuple[Account, Account], password: str) -> None:
    """Store the password, once for each server, and say where. Raises `StorageError`."""
    files = {save_secret(account.keyring_user, password) for account in accounts}
    file = next(iter(files - {None}), None)
    if file is None:
        put(tr("Your system's keyring keeps the password."))
        return
    told = tr(
        "Your system has no keyring that pbem can use. So the password is in {file}, not encrypted; only "
        "your own account on this computer can read it. To keep it elsewhere, leave the password empty next "
        "time, and name a command that prints it.",
        file=safe_text(str(file)),
    )
    put(wrap(told))


def _save_and_send_test(home: Path, settings: MailSettings) -> None:
    """Write the settings, and send a test mail by them."""

    assert settings.smtp
    old = write_config(home, settings)
    put(tr("Wrote {file}.", file=safe_text(str(home / "config.yaml"))))
    if old:
        put(tr("The old one is {file}.", file=safe_text(old.name)))
    if settings.maildir:
        reads = tr(
            "pbem mail fetch reads {place} as before, as long as maildir stands there.",
            place=safe_text(settings.maildir),
        )
        put(reads)
    try:
        deliver(settings.smtp, settings.address, settings.address, _test_mail(settings))
    except MailError as problem:
        warn(problem)
        raise typer.Exit(1) from None
    put(
        tr(
            "A mail to yourself is on its way to {address}. Then: pbem mail send, and pbem mail fetch",
            address=settings.address,
        )
    )


def _test_mail(settings: MailSettings) -> bytes:

    me = Address(settings.address, safe_text(settings.name))
    return to_bytes(
        OutgoingMail(
            sender=me,
            recipient=me,
            subject=f"[pbem] {tr('your mail is set up')}",
            body=_test_letter(),
            attachment_name="",
            attachment=b"",
            message_id=f"<{token_hex(16)}.setup@pbem.invalid>",
            in_reply_to="",
            references=(),
            date=now(),
        )
    )
