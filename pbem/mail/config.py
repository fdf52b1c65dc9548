"""The player's settings for mail, `config.yaml` in his home folder: which servers, and who he is there.

Plain data in, a `Config` out, or one line that says what is wrong and where. Two things cannot be set: a
connection without verified TLS, and a password, which stays in the system's keyring or behind a command.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from pbem.base import validation
from pbem.base.validation import describe_value, key_path
from pbem.errors import FileError, MailError
from pbem.mail.outgoing import check_address
from pbem.texts import Texts

tr = Texts("pbem")

_SECRETS = {"password": "password", "passwd": "password", "pass": "password", "token": "token"}
_COMMANDS = ("password_command", "token_command")


class Account(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A mail server and the player's name on it.

    `password_command` prints the password; if it is empty the system's keyring has it. With `auth: xoauth2`
    there is no password: `token_command` prints an access token that is good now (OAuth 2.0). `ca` is a
    certificate authority's file, for a server of one's own, and replaces the system's authorities.
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
        str, Meta(min_length=1, max_length=254, description="your name on the server, 1 to 254 characters")
    ]
    auth: Literal["password", "xoauth2"] = "password"
    password_command: list[str] = []
    token_command: list[str] = []
    ca: Annotated[str, Meta(description="the path of a certificate authority's file")] = ""

    @property
    def keyring_user(self) -> str:
        """The name under which the system's keyring has the password, for the service `pbem`."""
        return f"{self.user}@{self.host}"


class MailSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The player's name and address in mails, and where his mails go and come from: a server or a Maildir.

    `sent_copy`: a copy of each mail that was sent goes into the server's folder for them, by IMAP.
    `resend_after` says how long an opponent may be silent before `watch` mails him again: `3d`, `36h`.
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
    resend_after: Annotated[
        str,
        Meta(
            pattern=r"\A([1-9][0-9]{0,2}[dh]|never)\Z",
            description="how long your opponent may be silent, such as 3d or 36h, or never",
        ),
    ] = "3d"

    @property
    def silence(self) -> timedelta | None:
        """The silence after which an opponent is mailed again; None: never."""
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
    """The error that no server to send with is set."""
    hint = tr("set {setting} in config.yaml", setting="mail.smtp")
    return MailError(tr("there is no server to send with"), hint=hint)


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings; `mail` is None where there are none. `lang` is read by `pbem.base.language`."""

    lang: str = ""
    mail: MailSettings | None = None


def parse_config(plain: object, where: str) -> Config:
    """The settings from a file's plain data; `where` names the file.

    A path may begin with `~`, the player's home folder. Raises `FileError` with the place of what is wrong,
    such as `config.yaml: mail.smtp.port`.
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
                _secret_in_clear(secret), where=place, hint=tr("remove it, and type: pbem mail setup")
            )
        if key in _COMMANDS and not _is_list_of_words(inner):  # it may be a secret
            raise FileError(tr("must be a list of words"), where=place)
        if isinstance(inner, str) and not inner.isprintable():
            raise FileError(tr("has a character that cannot be printed"), where=place)
        _refuse_secrets(inner, place)


def _secret_in_clear(secret: str) -> str:
    if secret == "token":
        return tr("a token must not stand in a file in clear")
    return tr("a password must not stand in a file in clear")


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
    """The settings with absolute paths, once the address and the paths are checked."""
    mail = config.mail
    if mail is None:
        return config
    try:
        check_address(mail.address)
    except MailError as error:
        raise FileError(str(error), where="mail.address") from None
    return Config(
        lang=config.lang,
        mail=msgspec.structs.replace(
            mail,
            maildir=_absolute_path(mail.maildir, "mail.maildir"),
            smtp=mail.smtp and _check_account(mail.smtp, "mail.smtp"),
            imap=mail.imap and _check_account(mail.imap, "mail.imap"),
        ),
    )


def _check_account(account: Account, where: str) -> Account:
    """The account with an absolute path, once it is checked that its secret comes from one place."""
    by_token = account.auth == "xoauth2"
    if by_token != bool(account.token_command):
        none, alone = (
            tr("a command is missing, as a list of words"),
            tr("it needs auth: xoauth2 beside it"),
        )
        raise FileError(none if by_token else alone, where=f"{where}.token_command")
    if by_token and account.password_command:
        raise FileError(tr("it may not stand beside a token_command"), where=f"{where}.password_command")
    return msgspec.structs.replace(account, ca=_absolute_path(account.ca, f"{where}.ca"))


def _absolute_path(path: str, where: str) -> str:
    """The absolute path, which does not depend on the folder that pbem runs in."""
    whole = os.path.expanduser(path)
    if whole and not os.path.isabs(whole):
        problem = tr(
            "{found} is not a whole path: begin with / or ~/, on Windows with a drive or ~/",
            found=describe_value(path),
        )
        raise FileError(problem, where=where)
    return whole
