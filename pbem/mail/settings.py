"""The player's mail settings in `config.yaml` in the home, and the table of mail providers.

It takes plain data and returns a `Config`, or raises one line that says what is wrong and where. Two things
cannot be set: a connection without verified TLS, and a password, which is in the system's keyring or printed
by a command. The table, from domains to their provider's servers, is `providers.yaml`; for other domains see
`autoconfig`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import replace

import pbem.mail
from pbem.base import validation
from pbem.base.files import make_folder, read_if_there, read_regular, write_atomically
from pbem.base.language import configured_language
from pbem.base.validation import describe_value, key_path
from pbem.errors import FileError, MailError, system_reason
from pbem.format.yaml_reader import parse_yaml
from pbem.mail.outgoing import check_address
from pbem.messages import Said
from pbem.texts import Texts

tr = Texts("pbem")


_SECRETS = {"password": "password", "passwd": "password", "pass": "password", "token": "token"}
_COMMANDS = ("password_command", "token_command")


class Account(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A mail server and the player's user name there.

    `password_command` prints the password; if it is empty, the system's keyring has the password. With `auth:
    xoauth2` there is no password: `token_command` prints a valid access token (OAuth 2.0). With `auth:
    microsoft` pbem gets and renews the token itself. `ca` is the file of a certificate authority, for a
    private server, and replaces the system's authorities.
    """

    host: Annotated[
        str,
        Meta(
            pattern=r"\A[A-Za-z0-9.:-]{1,253}\Z",
            description="the name of a server, such as smtp.example.org",
        ),
    ]
    port: Annotated[int, Meta(ge=1, le=65535)]
    security: Literal["tls", "starttls"]
    user: Annotated[
        str,
        Meta(min_length=1, max_length=254, description=("your user name on the server, 1 to 254 characters")),
    ]
    auth: Literal["password", "xoauth2", "microsoft"] = "password"
    password_command: list[str] = []
    token_command: list[str] = []
    ca: Annotated[str, Meta(description="the path of a certificate authority's file")] = ""

    @property
    def by_token(self) -> bool:
        """Whether to log in with a token, by XOAUTH2."""
        return self.auth != "password"

    @property
    def keyring_user(self) -> str:
        """The user name under which the system's keyring has the password, for the service `pbem`."""
        return f"{self.user}@{self.host}"


class MailSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The player's name and address in mails, and how mail is sent and read: through a server or a Maildir.

    `sent_copy`: save a copy of each sent mail in the server's folder for sent mails, by IMAP.
    `microsoft_client_id` replaces pbem's own id in requests to Microsoft. `resend_after` says how long an
    opponent can be silent before `watch` resends the newest mail: `3d`, `36h`.
    """

    address: Annotated[str, Meta(description="a mail address")]
    name: Annotated[str, Meta(max_length=64, description="your name, at most 64 characters")] = ""
    smtp: Account | None = None
    imap: Account | None = None
    maildir: Annotated[str, Meta(description="the path of a Maildir folder")] = ""
    folder: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=250,
            description="the name of a folder on the server, 1 to 250 characters",
        ),
    ] = "INBOX"
    sent_copy: bool = False
    microsoft_client_id: Annotated[
        str, Meta(pattern=r"\A[0-9A-Za-z-]{0,64}\Z", description="the id of a Microsoft application")
    ] = ""
    resend_after: Annotated[
        str,
        Meta(
            pattern=r"\A([1-9][0-9]{0,2}[dh]|never)\Z",
            description="how long your opponent may be silent, such as 3d or 36h, or never",
        ),
    ] = "3d"

    @property
    def silence(self) -> timedelta | None:
        """How long an opponent can be silent before the newest mail is resent; None: forever."""
        if self.resend_after == "never":
            return None
        number = int(self.resend_after[:-1])
        return timedelta(days=number) if self.resend_after.endswith("d") else timedelta(hours=number)

    @property
    def sending_account(self) -> Account:
        """The account to send with. Raises `MailError` if none is set."""
        if self.smtp is None:
            raise no_server_error()
        return self.smtp


def no_server_error() -> MailError:
    """The error that the settings have no server for sending."""
    hint = tr("set {setting} in config.yaml", setting="mail.smtp")
    return MailError(tr("there is no server to send with"), hint=hint)


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings; `mail` is None if there are none for mail. `lang` is read by `pbem.base.language`.

    `name` is the player's name in new games; `get_it`, for letters with an offer, says where to get pbem.
    """

    lang: str = ""
    name: Annotated[str, Meta(max_length=64, description="your name, at most 64 characters")] = ""
    get_it: Annotated[str, Meta(max_length=200, description="where to get pbem, at most 200 characters")] = ""
    mail: MailSettings | None = None

    @property
    def player_name(self) -> str:
        """The player's name in new games: from this setting, else that of their mails; can be empty."""
        return self.name or (self.mail.name if self.mail else "")


def parse_config(plain: object, where: str) -> Config:
    """Parse the settings in a file's plain data; `where` names the file.

    A path can begin with `~`, the user's home folder. Raises `FileError` with the place of the fault, such as
    `config.yaml: mail.smtp.port`.
    """
    try:
        _refuse_secrets(plain, "")
        return _check_config(validation.convert(plain, Config, ""))
    except FileError as error:
        place = f"{where}: {error.where}" if error.where else where
        raise FileError(error.problem, where=place, hint=error.hint) from None


def find_programs(plain: object, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """The settings in a file's plain data that run a program: the place of each, and its command."""
    for place, key, inner in _items(plain, path):
        if key in _COMMANDS and isinstance(inner, list) and inner:
            yield place, list(map(str, inner))
        else:
            yield from find_programs(inner, place)


def _refuse_secrets(value: object, path: str) -> None:
    """Refuse a password, without repeating it, and characters that could harm a header or a server."""
    for place, key, inner in _items(value, path):
        if secret := _SECRETS.get(key.lower()):
            raise FileError(
                _secret_in_clear(secret), where=place, hint=tr("delete it, and type: pbem mail setup")
            )
        if key in _COMMANDS and not _is_list_of_words(inner):  # it might be a secret
            raise FileError(tr("must be a list of words"), where=place)
        if isinstance(inner, str) and not inner.isprintable():
            raise FileError(tr("has a character that cannot be printed"), where=place)
        _refuse_secrets(inner, place)


def _secret_in_clear(secret: str) -> str:
    if secret == "token":
        return tr("a token must not be in a file as plain text")
    return tr("a password must not be in a file as plain text")


def _items(value: object, path: str) -> Iterator[tuple[str, str, object]]:
    """The path, the key (empty for an item of a list) and the value of each item in a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key_path(path, key), key, inner
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield f"{path}[{number}]", "", inner


def _is_list_of_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _check_config(config: Config) -> Config:
    """Check the address and the paths. Returns the settings with absolute paths."""
    mail = config.mail
    if mail is None:
        return config
    try:
        check_address(mail.address)
    except MailError as error:
        raise FileError(str(error), where="mail.address") from None
    checked = replace(
        mail,
        maildir=_absolute_path(mail.maildir, "mail.maildir"),
        smtp=mail.smtp and _check_account(mail.smtp, "mail.smtp"),
        imap=mail.imap and _check_account(mail.imap, "mail.imap"),
    )
    return replace(config, mail=checked)


def _check_account(account: Account, where: str) -> Account:
    """Check that an account's secret has exactly one source. Returns the account with an absolute path."""
    by_command = account.auth == "xoauth2"
    if by_command != bool(account.token_command):
        none, alone = (
            tr("a command is missing, as a list of words"),
            tr("it needs auth: xoauth2 as well"),
        )
        raise FileError(none if by_command else alone, where=f"{where}.token_command")
    if account.by_token and account.password_command:
        raise FileError(
            tr("it is not allowed together with a token_command"), where=f"{where}.password_command"
        )
    return msgspec.structs.replace(account, ca=_absolute_path(account.ca, f"{where}.ca"))


def _absolute_path(path: str, where: str) -> str:
    """The absolute path, which does not depend on the current folder."""
    whole = os.path.expanduser(path)
    if whole and not os.path.isabs(whole):
        problem = tr(
            "{found} is not a full path: begin with / or ~/, or on Windows with a drive or ~/",
            found=describe_value(path),
        )
        raise FileError(problem, where=where)
    return whole


_PORTS: dict[int, Literal["tls", "starttls"]] = {993: "tls", 465: "tls", 143: "starttls", 587: "starttls"}
"""The usual encryption on each port (RFC 8314, 3.2 and 3.3)."""

Host = Annotated[str, Meta(pattern=r"\A[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\Z")]
"""The name of a server, against which its certificate is checked."""


class Server(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A server, and the player's user name there: their address, or the part before its @ (`local`)."""

    host: Host
    port: Annotated[int, Meta(ge=1, le=65535)]
    security: Literal["tls", "starttls"]
    user: Literal["address", "local"] = "address"

    def account(self, address: str) -> Account:
        """The account of this address on this server."""
        user = address if self.user == "address" else address.rpartition("@")[0]
        return Account(host=self.host, port=self.port, security=self.security, user=user)


class Provider(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A provider, as `providers.yaml` describes it. One without servers admits no mail programs."""

    name: str
    domains: list[str] = []
    mx: list[str] = []
    imap: Server | None = None
    smtp: Server | None = None
    login: Literal["password", "token", "microsoft"] = "password"
    keeps_sent: bool = False
    password: str = ""
    source: str = ""
    read: str = ""
    also: list[str] = []

    @property
    def advice(self) -> str:
        """How to get the password, in the player's language; empty if unknown."""
        return tr(self.password) if self.password else ""


def find_provider(providers: list[Provider], address: str) -> Provider | None:
    """The provider for the domain of this address."""
    domain = address.rpartition("@")[2].lower()
    return next((provider for provider in providers if domain in provider.domains), None)


def complete_from_table(providers: list[Provider], found: Provider) -> Provider:
    """A discovered provider, completed from the table if that has its IMAP server."""
    for provider in providers:
        if provider.imap and found.imap and provider.imap.host == found.imap.host:
            return replace(provider, imap=found.imap, smtp=found.smtp)
    return found


def find_provider_by_mx(providers: list[Provider], hosts: Iterable[str]) -> Provider | None:
    """The provider that receives a domain's mail, by the hosts of its MX records."""
    for host in (host.lower().rstrip(".") for host in hosts):
        for provider in providers:
            if any(host == end or host.endswith(f".{end}") for end in provider.mx):
                return provider
    return None


def parse_server(text: str, port: int) -> Server | None:
    """The server a player has typed, as `host` or `host:port`; None if that is not valid."""
    host, _, number = text.strip().partition(":")
    try:
        chosen = int(number) if number else port
        plain = {"host": host, "port": chosen, "security": _PORTS.get(chosen, "tls")}
        return convert(plain, Server)
    except (ValidationError, ValueError):
        return None


_ESCAPED = re.compile(rb'"(?:[A-Za-z]:|~|\\\\[^"\\\n]+)\\[^"\\\n]')
"""A Windows path in double quotes whose backslashes are not doubled."""


def read_config(home: Path) -> Config:
    """The settings in the folder `home`; empty if there is no file. Raises `FileError` with the place."""
    path = home / "config.yaml"
    try:
        data = read_regular(path)
    except FileNotFoundError:
        return Config()
    except OSError as error:
        raise FileError(tr("cannot be read: {why}", why=system_reason(error)), where=str(path)) from None
    try:
        plain = parse_yaml(data)
    except FileError as error:
        # a common slip when typed by hand
        hint = error.hint and tr('put it in double quotes, as in host: "127.0.0.1"')
        where = f"{path}: {error.where}"
        raise FileError(error.problem, where=where, hint=hint or _hint_about_escapes(data)) from None
    try:
        return parse_config(plain, str(path))
    except FileError as error:
        raise FileError(
            error.problem, where=error.where, hint=error.hint or _hint_about_escapes(data)
        ) from None


def _hint_about_escapes(data: bytes) -> Said:
    """The hint about a Windows path whose backslashes YAML takes for escapes, if there is one."""
    if not _ESCAPED.search(data):
        return ""
    return tr("between double quotes \\ begins an escape: use single quotes, as in {path}", path=r"'C:\Mail'")


def programs_run_by(home: Path) -> list[tuple[str, list[str]]]:
    """The settings in the folder `home` that run a program: the place of each, and its command's words.

    A file that is not YAML has none, since no command uses it. Raises `StorageError`.
    """
    try:
        return list(find_programs(parse_yaml(read_if_there(home / "config.yaml") or b"")))
    except FileError:
        return []


def rename_config(home: Path) -> Path:
    """Rename the settings file in `home` so that nothing reads it. Returns the path. Raises OSError."""
    path = home / "config.yaml"
    return path.rename(_unused_name(path))


def settings_to_send(home: Path) -> MailSettings:
    """The mail settings in the folder `home`. Raises `MailError` if they have no server for sending."""
    settings = read_config(home).mail
    if settings is None or settings.smtp is None:
        raise no_server_error()
    return settings


def write_config(home: Path, mail: MailSettings) -> Path | None:
    """Write these mail settings; other existing settings are kept.

    Returns the backup of the previous file. Raises `StorageError` if it cannot be written.
    """
    try:
        before = read_config(home)
    except FileError:  # the file is replaced; only its language can be read
        before = Config(lang=configured_language(home))
    return _replace_config(home, replace(before, mail=mail))


def write_personal_settings(home: Path, *, name: str, lang: str, get_it: str) -> None:
    """Write the settings that are not for mail. Raises `FileError` if the present ones cannot be read."""
    before = read_config(home)
    after = replace(before, name=name, lang=lang, get_it=get_it)
    if after != before:
        _replace_config(home, parse_config(_as_plain(after), "config.yaml"))


def _as_plain(config: Config) -> dict[str, Any]:
    """The settings as plain data, without those that are not set."""
    plain: dict[str, Any] = msgspec.to_builtins(config)
    return {key: value for key, value in plain.items() if value}


def _replace_config(home: Path, config: Config) -> Path | None:
    """Write all settings again. Returns the backup of the previous file. Raises `StorageError`."""
    path = home / "config.yaml"
    remark = tr("Written by pbem; change it as you like. It contains no password.")
    text = f"# {remark}\n" + "".join(_yaml_lines(_as_plain(config)))
    make_folder(home)
    before = read_if_there(path)
    backup = None if before is None else _unused_name(path)
    if before is not None and backup:
        write_atomically(backup, before, private=True)
    write_atomically(path, text.encode(), private=True)
    return backup


def read_providers() -> list[Provider]:
    """The table of mail providers."""

    plain = parse_yaml((Path(pbem.mail.__file__).parent / "providers.yaml").read_bytes())
    return msgspec.convert(plain, list[Provider])


def _unused_name(path: Path) -> Path:
    """The first of `config.yaml.old`, `config.yaml.old2`, ... that does not exist."""
    names = (path.with_name(f"{path.name}.old{number if number > 1 else ''}") for number in count(1))
    return next(name for name in names if not name.exists())


def _yaml_lines(plain: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """A mapping as YAML, with text in double quotes as in JSON, which YAML reads the same way."""
    for key, value in plain.items():
        if isinstance(value, dict):
            yield f"{indent}{key}:\n"
            yield from _yaml_lines(value, f"{indent}  ")
        else:
            yield f"{indent}{key}: {json.dumps(value, ensure_ascii=False)}\n"
