"""`mail setup`: from an address to tested settings, and a test mail to oneself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer
from msgspec.structs import replace

from pbem.base.files import make_folder, read_if_there, write_atomically
from pbem.cli.command_groups import commands
from pbem.cli.mail_background import offer_background
from pbem.cli.session import local_player
from pbem.cli.terminal import ask_text, ask_yes_no, confirm_or_exit, is_interactive, put, report_problem, warn
from pbem.errors import MailError, RefusedLogin
from pbem.mail.account_setup import (
    describe_servers,
    password_advice,
    save_settings,
    send_test,
    servers_by_domain,
    servers_in_table,
    settings_with,
    store_password,
    try_reading,
    try_sending,
)
from pbem.mail.background import installation_to_offer
from pbem.mail.microsoft import CLIENT_ID, DeviceLogin
from pbem.mail.outgoing import check_address
from pbem.mail.settings import (
    Account,
    MailSettings,
    Provider,
    Server,
    complete_from_table,
    parse_server,
    read_config,
    read_providers,
)
from pbem.player.clock import now
from pbem.render.safe_text import quote_path, safe_text, split_command, wrap
from pbem.texts import Texts

tr = Texts("pbem")

app = commands()


@app.command()
def setup(
    address: Annotated[
        str, typer.Argument(metavar="address", help="Your mail address.", show_default=False)
    ] = "",
) -> None:
    """Set up your mail: pbem finds your servers, asks for your password, and mails you a test.

    Example: pbem mail setup anna@example.org
    """

    if not is_interactive():
        raise MailError(
            tr("you have to type your password at a terminal, and there is none here"),
            hint=tr(
                "type it at a terminal: {command}",
                command=f"pbem mail setup {address and quote_path(address)}".rstrip(),
            ),
        )
    player = local_player()
    before = read_config(player.home).mail
    address = check_address(
        address or ask_text(tr("Your mail address"), default=before.address if before else None)
    )
    if before and (before.smtp or before.imap):
        confirm_or_exit(tr("You have settings for {address}. Replace their servers?", address=before.address))
    begun = _UnfinishedSetup(player.home)
    provider, user = begun.read(address)
    if provider is None or provider.smtp is None:
        provider, user = _find_provider(address, begun, provider), ""
        begun.save(address, provider, user)
    settings = before or MailSettings(address=address)
    _save_and_send_test(player.home, _ask_until_accepted(settings, provider, address, user, begun))
    begun.delete()
    if wanted := installation_to_offer(player.home):
        offer_background(wanted)


class _UnfinishedSetup:
    """The answers of an unfinished set-up, without the password, saved in `mail/setup.json` in the home."""

    def __init__(self, home: Path) -> None:
        self._path = home / "mail" / "setup.json"

    def read(self, address: str) -> tuple[Provider | None, str]:
        """The servers and login typed earlier for an address, if the player continues with them."""

        try:
            known = msgspec.json.decode(
                read_if_there(self._path) or b"null", type=tuple[str, Provider, str] | None
            )
        except (msgspec.DecodeError, UnicodeDecodeError):
            known = None
        if known is None or known[0] != address:
            return None, ""
        _, provider, user = known
        _put_provider(provider, tr("You started with these servers:"))
        return (provider, user) if ask_yes_no(tr("Continue with them?")) else (None, "")

    def save(self, address: str, provider: Provider, user: str) -> None:
        """Save what has been typed so far. Raises `StorageError`."""

        make_folder(self._path.parent)
        write_atomically(self._path, msgspec.json.encode((address, provider, user)), private=True)

    def delete(self) -> None:
        """Delete the answers, once the set-up is complete."""
        self._path.unlink(missing_ok=True)


def _find_provider(address: str, begun: _UnfinishedSetup, half: Provider | None) -> Provider:
    """The servers of an address: from the table of providers, from its domain, or from two questions.

    `half` has the answer to the first of the two.
    """

    domain = address.rpartition("@")[2]
    if half is None:
        if known := servers_in_table(address):
            _put_provider(known.provider, known.opening)
            return known.provider
        put(tr("pbem does not know {domain}, so it is asking that domain for its servers.", domain=domain))
        if named := servers_by_domain(address):
            _put_provider(named.provider, named.opening)
            if ask_yes_no(tr("Are these the servers of your mailbox?")):
                return named.provider
        else:
            put(tr("The domain does not say. Look for IMAP and SMTP in your provider's help pages."))
    return complete_from_table(read_providers(), _ask_servers(address, begun, half))


def _ask_servers(address: str, begun: _UnfinishedSetup, half: Provider | None) -> Provider:
    """Ask the player for the servers, saving each answer at once."""

    domain = address.rpartition("@")[2]
    if half is None:
        imap = _ask_server(tr("Server for reading (IMAP), such as imap.{domain}", domain=domain), 993)
        half = Provider(name="", imap=imap)
        begun.save(address, half, "")
    smtp = _ask_server(
        tr(
            "Server for sending (SMTP), such as smtp.{domain}, or with a port: smtp.{domain}:587",
            domain=domain,
        ),
        465,
    )
    return replace(half, smtp=smtp)


def _ask_server(question: str, port: int) -> Server:

    while (server := parse_server(ask_text(question), port)) is None:
        put(tr("That is not a server name. You can add a port, as in mail.example.org:587."))
    return server


def _put_provider(provider: Provider, opening: str) -> None:
    put(opening)
    for line in describe_servers(provider):
        put(f"  {line}")


def _ask_until_accepted(
    settings: MailSettings, provider: Provider, address: str, user: str, begun: _UnfinishedSetup
) -> MailSettings:
    """The settings with accounts that both servers accept. Asks for the login at most `_REFUSALS` times.

    Raises `MailError`; all answers except the password are kept for the next time.
    """

    assert provider.imap
    assert provider.smtp
    imap, smtp = provider.imap.account(address), provider.smtp.account(address)
    advice = password_advice(provider)
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
            put(try_reading(accounts[0], shown))
            put(try_sending(accounts[1], shown))
            if shown:
                put(wrap(store_password(accounts, shown)))
        except RefusedLogin as refusal:
            refused += 1
            if refused == _REFUSALS:
                raise _describe_refusals(address, refusal, advice) from None
            report_problem(MailError(str(refusal)))
            put(wrap(tr("Try again. {advice}", advice=advice), indent=2))
            asks_name = True
        except MailError as error:
            if provider.login == "microsoft" and not client_id:
                error.hint = tr(
                    "to send without settings, type pbem mail send FILE; your own mail program does the rest"
                )
                raise
            command = f"pbem mail setup {quote_path(address)}"
            error.hint = tr("pbem has saved your answers. To continue: {command}", command=command)
            raise
        else:
            return settings_with(settings, address, accounts, provider)


_REFUSALS = 3
"""How many refused logins end the set-up; some servers lock a mailbox after five."""


def _describe_refusals(address: str, refusal: MailError, advice: str) -> MailError:
    """The error after too many refused logins, and what to do."""
    hint = tr(
        "{advice} See your provider's help pages, or send mail without settings. To try again: {command}",
        advice=advice,
        command=f"pbem mail setup {quote_path(address)}",
    )
    return MailError(tr("the server refused it three times: {reason}", reason=refusal), hint=hint)


def _ask_credentials(
    provider: Provider, imap: Account, smtp: Account, client_id: str
) -> tuple[tuple[Account, Account], str]:
    """Ask for the secret. Returns both accounts with its source, and the password if it was typed."""
    if provider.login == "microsoft":
        _log_in_at_microsoft(imap.user, client_id)
        one, other = (replace(account, auth="microsoft") for account in (imap, smtp))
        return (one, other), ""
    if provider.login == "token":
        put(
            tr(
                "How to do it: docs/MAIL-SETTINGS.md, Microsoft's accounts. Or stop here (Ctrl-C): "
                "without settings\n"
                "pbem mail send opens your mail program, or prints the text to paste."
            )
        )
        words = _ask_command(
            tr("Command that prints the token, such as: {command}", command=f"oama access {imap.user}")
        )
        one, other = (replace(account, auth="xoauth2", token_command=words) for account in (imap, smtp))
        return (one, other), ""
    password = ask_text(
        tr("Password (not shown; leave it empty if a command prints it)"), default="", hidden=True
    )
    if password:
        return (imap, smtp), password
    words = _ask_command(tr("Command that prints the password, such as: {command}", command="pass show mail"))
    one, other = (replace(account, password_command=words) for account in (imap, smtp))
    return (one, other), ""


def _log_in_at_microsoft(user: str, client_id: str) -> None:
    """Let the player log in on a Microsoft page. Raises `MailError`."""
    if not client_id:
        raise MailError(tr("Microsoft does not know pbem yet, so pbem cannot log in to your mailbox"))
    login = DeviceLogin(client_id)
    put(
        tr("Open {page} in any browser, even on a telephone, and type this code:", page=safe_text(login.page))
    )
    put(f"\n    {safe_text(login.code)}\n")
    put(tr("pbem is waiting for you to allow access, for up to {number} minutes.", number=login.minutes))
    login.finish(user)


def _ask_command(question: str) -> list[str]:
    """Ask for a command, as a list of words, because it runs without a shell."""
    while True:
        try:
            words = split_command(ask_text(question))
        except ValueError as error:
            put(tr("pbem cannot read that: {reason}.", reason=error))
        else:
            if words:
                return words


def _save_and_send_test(home: Path, settings: MailSettings) -> None:
    """Save the settings, and send a test mail with them."""

    for line in save_settings(home, settings):
        put(line)
    try:
        send_test(settings, now())
    except MailError as problem:
        warn(problem)
        raise typer.Exit(1) from None
    put(
        tr(
            "A test mail to yourself is on its way to {address}. Next: pbem mail send, and pbem mail fetch",
            address=settings.address,
        )
    )
