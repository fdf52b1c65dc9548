"""`mail setup`: from an address to settings that have been tried, and a test mail to oneself."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.lazy import commands
from pbem.cli.session import desk
from pbem.cli.terminal import agreed, be_sure, complain, interactive, put, typed_in, warn
from pbem.errors import MailError, RefusedLogin
from pbem.player.clock import now
from pbem.render.words import quoted, safe, unquoted, wrap
from pbem.texts import Texts

if TYPE_CHECKING:
    from pbem.mail.config import Account, MailSettings
    from pbem.mail.providers import Provider, Server

tr = Texts("pbem")

app = commands()


def _advice() -> str:
    return tr(
        "The password of your mailbox; if your provider has passwords for programs (app passwords), "
        "one of those."
    )


def _letter() -> str:
    sends = tr("{command} mails a game in which you wrote last", command=f"{'pbem send':<19}")
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
    from pbem.correspondence.settings import read_config
    from pbem.mail.config import MailSettings
    from pbem.mail.outgoing import checked_address

    if not interactive():
        raise MailError(
            tr("your password must be typed at a terminal, and there is none here"),
            hint=tr(
                "type it at a terminal: {command}",
                command=f"pbem mail setup {address and quoted(address)}".rstrip(),
            ),
        )
    mine = desk()
    before = read_config(mine.home).mail
    address = checked_address(
        address or typed_in(tr("Your mail address"), default=before.address if before else None)
    )
    if before and (before.smtp or before.imap):
        be_sure(tr("You have settings for {address}. Replace their servers?", address=before.address))
    begun = _Begun(mine.home)
    provider, user = begun.read(address)
    if provider is None or provider.smtp is None:
        provider, user = _provider(address, begun, provider), ""
        begun.keep(address, provider, user)
    settings = before or MailSettings(address=address)
    _keep(mine.home, _tried(settings, provider, address, user, begun))
    begun.forget()


class _Begun:
    """The answers of an unfinished set-up, without the password, saved in `mail/setup.json` of the home."""

    def __init__(self, home: Path) -> None:
        self._path = home / "mail" / "setup.json"

    def read(self, address: str) -> tuple[Provider | None, str]:
        """The servers and the login typed before for an address, if the player goes on with them."""
        import msgspec

        from pbem.base.files import read_if_there
        from pbem.mail.providers import Provider

        try:
            known = msgspec.json.decode(
                read_if_there(self._path) or b"null", type=tuple[str, Provider, str] | None
            )
        except (msgspec.DecodeError, UnicodeDecodeError):
            known = None
        if known is None or known[0] != address:
            return None, ""
        _, provider, user = known
        _show(provider, tr("You have begun with these servers:"))
        return (provider, user) if agreed(tr("Go on with them?")) else (None, "")

    def keep(self, address: str, provider: Provider, user: str) -> None:
        """Save what has been typed until now. Raises `ShelfError`."""
        import msgspec

        from pbem.base.files import make_folder, write_atomically

        make_folder(self._path.parent)
        write_atomically(self._path, msgspec.json.encode((address, provider, user)), private=True)

    def forget(self) -> None:
        """Delete the answers: the set-up is done."""
        self._path.unlink(missing_ok=True)


def _provider(address: str, begun: _Begun, half: Provider | None) -> Provider:
    """The servers of an address: from the table of providers, from the domain itself, or by two questions.

    `half` has the answer to the first of them.
    """
    from pbem.correspondence.settings import providers
    from pbem.mail.autoconfig import discover
    from pbem.mail.providers import find, housed

    table, domain = providers(), address.rpartition("@")[2]
    if half:
        return housed(table, _asked(address, begun, half))
    if known := find(table, address):
        if not known.imap:
            raise MailError(tr("{provider} lets no mail program in", provider=known.name), hint=known.advice)
        _show(known, tr("{provider}, as of {date}:", provider=known.name, date=known.read))
        return known
    put(tr("I do not know {domain}; I ask it for its servers.", domain=domain))
    if told := discover(address):
        _show(told, tr("{domain} says:", domain=domain))
        if agreed(tr("Are these the servers of your mailbox?")):
            return housed(table, told)
    else:
        put(tr("It does not say. Your provider's pages do, where they speak of IMAP and SMTP."))
    return housed(table, _asked(address, begun, None))


def _asked(address: str, begun: _Begun, half: Provider | None) -> Provider:
    """Ask the player for the servers, saving each as soon as it is typed."""
    from msgspec.structs import replace

    from pbem.mail.providers import Provider

    domain = address.rpartition("@")[2]
    if half is None:
        imap = _server(tr("Server for reading (IMAP), such as imap.{domain}", domain=domain), 993)
        half = Provider(name="", imap=imap)
        begun.keep(address, half, "")
    smtp = _server(
        tr(
            "Server for sending (SMTP), such as smtp.{domain}, or with its port: smtp.{domain}:587",
            domain=domain,
        ),
        465,
    )
    return replace(half, smtp=smtp)


def _server(question: str, port: int) -> Server:
    from pbem.mail.providers import typed

    while (server := typed(typed_in(question), port)) is None:
        put(tr("That is not a server name; a port may follow, as in mail.example.org:587."))
    return server


def _show(provider: Provider, opening: str) -> None:
    put(opening)
    if imap := provider.imap:
        put(f"  {tr('read: {host}, port {port}, {security}', **_told(imap))}")
    if smtp := provider.smtp:
        put(f"  {tr('send: {host}, port {port}, {security}', **_told(smtp))}")


def _told(server: Server) -> dict[str, object]:
    return {"host": safe(server.host), "port": server.port, "security": server.security}


def _tried(
    settings: MailSettings, provider: Provider, address: str, user: str, begun: _Begun
) -> MailSettings:
    """The settings with accounts that both servers accept. Asks for the login at most `_REFUSALS` times.

    Raises `MailError`; all answers but the password stay saved for the next time.
    """
    from msgspec.structs import replace

    assert provider.imap
    assert provider.smtp
    imap, smtp = provider.imap.account(address), provider.smtp.account(address)
    advice = provider.advice or _advice()
    put(wrap(advice, indent=2))
    refused, asks_name = 0, not (provider.name or user)
    while True:
        if asks_name:
            user = typed_in(tr("Your name on the server (login)"), default=user or imap.user)
            begun.keep(address, provider, user)
        if user:
            imap, smtp = replace(imap, user=user), replace(smtp, user=user)
        try:
            accounts, shown = _credentials(provider, imap, smtp)
            _try(*accounts, shown)
            if shown:
                _remember(accounts, shown)
        except RefusedLogin as refusal:
            refused += 1
            if refused == _REFUSALS:
                raise _ended(address, refusal, advice) from None
            complain(MailError(str(refusal)))
            put(wrap(tr("Once more. {advice}", advice=advice), indent=2))
            asks_name = True
        except _NotKept as problem:
            complain(problem)
            put(tr("Or keep it with a program of your own: leave the password empty, and name its command."))
            asks_name = False
        except MailError as error:
            command = f"pbem mail setup {quoted(address)}"
            error.hint = tr("what you have typed is kept; to go on: {command}", command=command)
            raise
        else:
            kept = not provider.keeps_sent
            return replace(settings, address=address, imap=accounts[0], smtp=accounts[1], sent_copy=kept)


_REFUSALS = 3
"""The refused logins that end the set-up; some servers lock a mailbox after five."""


def _ended(address: str, refusal: MailError, advice: str) -> MailError:
    """The error after too many refused logins, and what to do."""
    hint = tr(
        "{advice} Look at your provider's pages; mail goes without settings too. Once more: {command}",
        advice=advice,
        command=f"pbem mail setup {quoted(address)}",
    )
    return MailError(tr("refused three times: {reason}", reason=refusal), hint=hint)


class _NotKept(MailError):
    """The password is right, and there is no keyring to store it in."""


def _credentials(provider: Provider, imap: Account, smtp: Account) -> tuple[tuple[Account, Account], str]:
    """Ask for the secret: both accounts with where it comes from, and the password, if it was typed."""
    from msgspec.structs import replace

    if provider.login == "token":
        put(
            tr(
                "How: docs/MAIL.md, A token in place of a password. Or stop here (Ctrl-C): without settings\n"
                "pbem send opens your mail program, or prints what to paste."
            )
        )
        words = _command(
            tr("Command that prints the token, such as: {command}", command=f"oama access {imap.user}")
        )
        one, other = (replace(account, auth="xoauth2", token_command=words) for account in (imap, smtp))
        return (one, other), ""
    password = typed_in(tr("Password (not shown; empty: a command prints it)"), default="", hidden=True)
    if password:
        return (imap, smtp), password
    words = _command(tr("Command that prints it, such as: {command}", command="pass show mail"))
    one, other = (replace(account, password_command=words) for account in (imap, smtp))
    return (one, other), ""


def _command(question: str) -> list[str]:
    """Ask for a command, as a list of words, because it runs without a shell."""
    while True:
        try:
            words = unquoted(typed_in(question))
        except ValueError as error:
            put(tr("That cannot be read: {reason}.", reason=error))
        else:
            if words:
                return words


def _try(imap: Account, smtp: Account, shown: str) -> None:
    """Log in at both servers, with the typed password `shown`, or the one that a command prints."""
    from pbem.mail.imap import Imap
    from pbem.mail.smtp import try_account

    with Imap(imap, "INBOX", shown=shown):
        put(tr("can read at {host}", host=imap.host))
    try_account(smtp, shown)
    put(tr("can send by {account}", account=smtp.host))


def _remember(accounts: tuple[Account, Account], password: str) -> None:
    """Store the password in the system's keyring, once for each server."""
    from pbem.mail.secrets import keep

    try:
        for account in accounts:
            keep(account, password)
    except MailError as problem:
        raise _NotKept(str(problem), hint=problem.hint) from None
    put(tr("Your system's keyring keeps the password."))


def _keep(home: Path, settings: MailSettings) -> None:
    """Write the settings, and send a test mail by them."""
    from pbem.correspondence.settings import write_config
    from pbem.mail.smtp import deliver

    assert settings.smtp
    old = write_config(home, settings)
    put(tr("Wrote {file}.", file=safe(str(home / "config.yaml"))))
    if old:
        put(tr("The old one is {file}.", file=safe(old.name)))
    if settings.maildir:
        reads = tr(
            "pbem mail fetch reads {place} as before, as long as maildir stands there.",
            place=safe(settings.maildir),
        )
        put(reads)
    try:
        deliver(settings.smtp, settings.address, settings.address, _test_mail(settings))
    except MailError as problem:
        warn(problem)
        raise typer.Exit(1) from None
    put(
        tr(
            "A mail to yourself is on its way to {address}. Then: pbem send, and pbem mail fetch",
            address=settings.address,
        )
    )


def _test_mail(settings: MailSettings) -> bytes:
    from secrets import token_hex

    from pbem.mail.outgoing import Address, Outgoing, to_bytes

    me = Address(settings.address, safe(settings.name))
    return to_bytes(
        Outgoing(
            sender=me,
            recipient=me,
            subject=f"[pbem] {tr('your mail is set up')}",
            body=_letter(),
            attachment_name="",
            attachment=b"",
            message_id=f"<{token_hex(16)}.setup@pbem.invalid>",
            in_reply_to="",
            references=(),
            date=now(),
        )
    )
