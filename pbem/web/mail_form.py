"""Mail through the player's own account, set up in a form of the lobby: the steps of `mail setup`.

It needs sockets and other programs, so only a server has it: `board_server.py` passes it to `Pages`, and the
browser edition leaves it out. No request waits for the player: the page asks repeatedly whether they have
agreed at Microsoft.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.errors import MailError, RefusedLogin, StorageError
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
from pbem.mail.background import MINUTES, watch_installation
from pbem.mail.microsoft import CLIENT_ID, DeviceLogin
from pbem.mail.outgoing import check_address
from pbem.mail.settings import (
    Account,
    Provider,
    Server,
    complete_from_table,
    parse_server,
    read_config,
    read_providers,
)
from pbem.player.clock import now
from pbem.render.safe_text import safe_text
from pbem.texts import Texts
from pbem.web.page_data import PageFunction, page_function

tr = Texts("pbem")

IMAP_PORT, SMTP_PORT = 993, 465
"""The ports of servers typed without one."""

Login: TypeAlias = Literal["password", "token", "microsoft"]
Field: TypeAlias = Literal["address", "imap", "smtp", "user", "password"]


class FindServersRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for the servers of an address."""

    address: str


class AccountRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to log in at these servers, and to save the account.

    A server is `host` or `host:port`. Only the terminal can set a command that prints a password or token:
    nothing a page sends is run as a program.
    """

    address: str
    imap: str
    smtp: str
    user: str = ""
    login: Login = "password"
    password: str = ""


class MicrosoftRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to log this user in at Microsoft."""

    user: str


class WatchRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request about checking mail automatically."""

    act: Literal["look", "install", "remove"]


class FieldProblem(Struct, frozen=True):
    """What is wrong, and in which field of the form."""

    field: Field
    problem: str


class ServersFound(Struct, frozen=True):
    """The servers found for an address, in sentences, and as the form's fields."""

    told: list[str]
    imap: str = ""
    smtp: str = ""
    user: str = ""
    login: Login = "password"
    advice: str = ""


class DeviceCode(Struct, frozen=True):
    """The Microsoft page to open, the code to type there, and how long it is valid."""

    page: str
    code: str
    minutes: int


class Agreed(Struct, frozen=True):
    """Whether the player has agreed at Microsoft yet."""

    agreed: bool


class AccountSaved(Struct, frozen=True):
    """What was done; `problem`: the test mail could not be sent."""

    told: list[str]
    problem: str = ""


class Watching(Struct, frozen=True):
    """Whether the system checks the mail, and the lines that installing it would write, or has written."""

    is_possible: bool
    is_installed: bool
    told: list[str]
    lines: list[str]


class MailForm:
    """The form of the player whose folder is `home`. Not thread-safe."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._device_login: DeviceLogin | None = None

    @property
    def functions(self) -> dict[str, PageFunction]:
        """The functions of the form that the page can call."""
        return MAIL_FUNCTIONS

    def find(self, request: FindServersRequest) -> ServersFound | FieldProblem:
        """The servers of an address, from the table of providers or from its domain."""
        try:
            address = check_address(request.address.strip())
            found = servers_in_table(address) or servers_by_domain(address)
        except MailError as error:
            return _field_problem("address", error)
        if found is None:
            domain = address.rpartition("@")[2]
            told = [
                tr("{domain} does not say which mail servers it uses.", domain=safe_text(domain)),
                tr("Your provider's help pages do: look for IMAP and SMTP."),
            ]
            return ServersFound(told, user=address, advice=password_advice(Provider(name="")))
        provider = found.provider
        imap = provider.imap
        return ServersFound(
            told=[safe_text(found.opening), *describe_servers(provider)],
            imap=_server_address(imap),
            smtp=_server_address(provider.smtp),
            user=imap.account(address).user if imap else address,
            login=provider.login,
            advice=password_advice(provider),
        )

    def save(self, request: AccountRequest) -> AccountSaved | FieldProblem:
        """Log in at both servers, save the account, and mail the player a test.

        Nothing is saved if a server refuses. Raises `PbemError` if the settings cannot be read or written.
        """
        typed = self._read(request)
        if isinstance(typed, FieldProblem):
            return typed
        address, provider, imap, smtp = typed
        password = request.password if request.login == "password" else ""
        at: Field = "imap"
        told: list[str] = []
        try:
            told.append(try_reading(imap, password))
            at = "smtp"
            told.append(try_sending(smtp, password))
        except RefusedLogin as refusal:
            asked: Field = "password" if request.login == "password" else "user"
            return FieldProblem(asked, safe_text(f"{refusal} — {password_advice(provider)}"))
        except MailError as error:
            return _field_problem(at, error)
        if password:
            told.append(store_password((imap, smtp), password))
        settings = settings_with(read_config(self._home).mail, address, (imap, smtp), provider)
        told += save_settings(self._home, settings)
        try:
            send_test(settings, now())
        except MailError as error:
            return AccountSaved(told, safe_text(str(error)))
        return AccountSaved(
            [*told, tr("A test mail to yourself is on its way to {address}.", address=address)]
        )

    def _read(self, request: AccountRequest) -> tuple[str, Provider, Account, Account] | FieldProblem:
        """The address, the provider with these servers, and the accounts there; or what is wrong."""
        try:
            address = check_address(request.address.strip())
        except MailError as error:
            return _field_problem("address", error)
        imap = parse_server(request.imap, IMAP_PORT)
        smtp = parse_server(request.smtp, SMTP_PORT)
        if imap is None or smtp is None:
            words = tr("That is not a server name. You can add a port, as in mail.example.org:587.")
            return FieldProblem("imap" if imap is None else "smtp", words)
        table = read_providers()
        provider = complete_from_table(table, Provider(name="", imap=imap, smtp=smtp))
        user = request.user.strip() or address
        accounts = [replace(server.account(address), user=user) for server in (imap, smtp)]
        if request.login == "microsoft":
            accounts = [replace(account, auth="microsoft") for account in accounts]
        elif request.login == "token":
            words = tr(
                "This server needs a token that a command prints. You can set that up only in a terminal:"
            )
            return FieldProblem("user", f"{words} pbem mail setup")
        elif not request.password:
            return FieldProblem("password", tr("your password is missing"))
        return address, provider, accounts[0], accounts[1]

    def begin_at_microsoft(self, _request: MicrosoftRequest) -> DeviceCode | FieldProblem:
        """Get a code from Microsoft, with which the player agrees to give pbem access."""
        settings = read_config(self._home).mail
        client_id = (settings.microsoft_client_id if settings else "") or CLIENT_ID
        if not client_id:
            words = tr("Microsoft does not know pbem yet, so pbem cannot log in to your mailbox")
            other = tr("You can send every game without an account: Send shows how.")
            return FieldProblem("address", f"{words}. {other}")
        try:
            login = DeviceLogin(client_id)
        except MailError as error:
            return _field_problem("address", error)
        self._device_login = login
        return DeviceCode(safe_text(login.page), safe_text(login.code), login.minutes)

    def has_agreed_at_microsoft(self, request: MicrosoftRequest) -> Agreed | FieldProblem:
        """Ask Microsoft once whether the player has agreed; if so, store the tokens."""
        if self._device_login is None:
            return FieldProblem("address", tr("the code was not typed in time"))
        try:
            return Agreed(self._device_login.has_agreed(request.user))
        except MailError as error:
            self._device_login = None
            return _field_problem("address", error)

    def watch(self, request: WatchRequest) -> Watching:
        """Show, install or remove the automatic check of the mail. Raises `StorageError`."""
        try:
            wanted = watch_installation(self._home)
        except StorageError as error:
            told = [safe_text(f"{error}"), safe_text(f"{error.hint}")]
            return Watching(False, False, [line for line in told if line], [])
        told = []
        if request.act == "install":
            wanted.install()
            told = [tr("Installed. pbem checks your mail every {number} minutes.", number=MINUTES)]
        elif request.act == "remove" and wanted.is_installed:
            wanted.remove()
            told = [tr("Removed. pbem no longer checks your mail by itself.")]
        is_installed = wanted.is_installed
        if not told and is_installed:
            told = [tr("pbem checks your mail every {number} minutes.", number=MINUTES)]
        elif not told:
            told = [
                tr(
                    "pbem can check your mail every {number} minutes, and answer for you when you "
                    "have nothing to decide. For this, it would add to {means}:",
                    number=MINUTES,
                    means=wanted.means,
                )
            ]
        return Watching(True, is_installed, told, [safe_text(line).rstrip() for line in wanted.describe()])


def _field_problem(field: Field, error: MailError) -> FieldProblem:
    return FieldProblem(field, safe_text(" — ".join(str(words) for words in (error, error.hint) if words)))


def _server_address(server: Server | None) -> str:
    """A server as one types it."""
    return f"{server.host}:{server.port}" if server else ""


MAIL_FUNCTIONS = {
    "find": page_function(FindServersRequest, MailForm.find),
    "save": page_function(AccountRequest, MailForm.save),
    "microsoft": page_function(MicrosoftRequest, MailForm.begin_at_microsoft),
    "agreed": page_function(MicrosoftRequest, MailForm.has_agreed_at_microsoft),
    "watch": page_function(WatchRequest, MailForm.watch),
}
"""The functions of the form that the page of the lobby can call."""
