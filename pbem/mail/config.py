"""The player's settings for mail, `config.yaml` in his pbem folder: which servers, and who he is there.

Plain data in, a `Config` out, or one line that says what is wrong and where. Two things cannot be set: a
connection without verified TLS, and a password, which stays in the system's keyring or behind a command.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from pbem.errors import FileError, MailError
from pbem.mail.draft import checked_address

_PASSWORDS = ("password", "passwd", "pass")
_MOST_SHOWN = 40

_KEY = re.compile("[a-z_]+")
_MESSAGE = re.compile(
    r"(?P<problem>.*?)(?: - at `\$(?P<path>\S+)`)?"
)  # as msgspec writes it, with simple keys
_FIELD = re.compile(r"Object (contains unknown|missing required) field `(.*)`")


class Account(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mail server and the player's name on it.

    `password_command` prints the password; if it is empty the system's keyring has it. `ca` is a certificate
    authority's file, for a server of one's own, and replaces the system's authorities.
    """

    host: Annotated[str, Meta(pattern=r"\A[A-Za-z0-9.:-]{1,253}\Z")]
    port: Annotated[int, Meta(ge=1, le=65535)]
    security: Literal["tls", "starttls"]
    user: Annotated[str, Meta(min_length=1, max_length=254)]
    password_command: list[str] = []
    ca: str = ""

    @property
    def keyring_user(self) -> str:
        """The name under which the system's keyring has the password, for the service `pbem`."""
        return f"{self.user}@{self.host}"


class Mail(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who the player is in mails, where he sends them, and where he gets his own: a server or a Maildir."""

    address: str
    name: Annotated[str, Meta(max_length=64)] = ""
    smtp: Account | None = None
    imap: Account | None = None
    maildir: str = ""
    folder: Annotated[str, Meta(min_length=1, max_length=250)] = "INBOX"


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All settings; `mail` is None where there are none."""

    mail: Mail | None = None


_SHAPES: dict[str, type[Struct]] = {"": Config, "mail": Mail, "smtp": Account, "imap": Account}
"""The shape of the mapping under each key; the whole file has none."""

_EXPECTED = {
    **{key: f"a mapping of {', '.join(shape.__struct_fields__)}" for key, shape in _SHAPES.items()},
    "address": "a mail address",
    "name": "your name, at most 64 characters",
    "maildir": "the path of a Maildir folder",
    "folder": "the name of a folder on the server, 1 to 250 characters",
    "host": "the name of a server, such as smtp.example.org",
    "port": "a whole number from 1 to 65535",
    "security": "tls or starttls",
    "user": "your name on the server, 1 to 254 characters",
    "password_command": "a list of words",
    "ca": "the path of a certificate authority's file",
}
"""What the value of each key is, in words."""


def read(plain: object, where: str) -> Config:
    """The settings that stand in a file as plain data; `where` names the file.

    A path may begin with `~`, the player's home folder. Raises `FileError` with the place of what is wrong,
    such as `config.yaml: mail.smtp.port`.
    """
    try:
        _check_words(plain, "")
        return _checked(_converted(plain))
    except FileError as error:
        place = f"{where}: {error.where}" if error.where else where
        raise FileError(error.problem, where=place, hint=error.hint) from None


def _check_words(value: object, path: str) -> None:
    """Refuse a password, a key unlike any of ours, and what could do harm in a header or to a server."""
    for place, key, inner in _items(value, path):
        if key.lower() in _PASSWORDS:
            raise FileError(
                "found a password, which must not stand in a file in clear",
                where=place,
                hint="remove it; name a password_command, or type: keyring set pbem USER@HOST",
            )
        if key and not _KEY.fullmatch(key):
            raise FileError(f"found the unknown key {key[:_MOST_SHOWN]!r}", where=path)
        if isinstance(inner, str) and not inner.isprintable():
            raise FileError("found a character that is not printable", where=place)
        _check_words(inner, place)


def _items(value: object, path: str) -> Iterator[tuple[str, str, object]]:
    """The path, the key (of an item of a list: none) and the value of whatever stands in a value."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{path}.{key}".removeprefix("."), key, inner
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield f"{path}[{number}]", "", inner


def _converted(plain: object) -> Config:
    """The settings in their shape. Raises `FileError` for the first that has another."""
    try:
        return msgspec.convert(plain, Config)
    except msgspec.ValidationError as error:
        message = _MESSAGE.fullmatch(str(error))
        assert message is not None
        raise _fault(message["problem"], (message["path"] or "").removeprefix("."), plain) from None


def _fault(problem: str, path: str, plain: object) -> FileError:
    """What msgspec finds wrong at a path, in a player's words. What may be a password is not repeated."""
    keys = _KEY.findall(path)
    last = keys[-1] if keys else ""
    if field := _FIELD.fullmatch(problem):
        fault, key = field.groups()
        if fault == "missing required":
            return FileError(f"found no key '{key}', expected one", where=path)
        known = _SHAPES[last].__struct_fields__
        close = difflib.get_close_matches(key, known, n=1)
        hint = f"did you mean '{close[0]}'?" if close else f"known here are {', '.join(known)}"
        return FileError(f"found the unknown key '{key}'", where=path, hint=hint)
    found = "something else" if last == "password_command" else _found(plain, path)
    return FileError(f"found {found}, expected {_EXPECTED[last]}", where=path)


def _found(plain: Any, path: str) -> str:
    """The value at a path, for an error message."""
    for key in path.split(".") if path else []:
        plain = plain[key]
    match plain:
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str():
            return repr(plain[:_MOST_SHOWN])
        case _:
            return "nothing" if plain is None else str(plain).lower()


def _checked(config: Config) -> Config:
    """The settings with whole paths, once the address and the paths are seen to be good."""
    mail = config.mail
    if mail is None:
        return config
    try:
        checked_address(mail.address)
    except MailError as error:
        raise FileError(str(error), where="mail.address") from None
    return Config(
        mail=msgspec.structs.replace(
            mail,
            maildir=_whole(mail.maildir, "mail.maildir"),
            smtp=_with_whole_path(mail.smtp, "mail.smtp.ca"),
            imap=_with_whole_path(mail.imap, "mail.imap.ca"),
        )
    )


def _with_whole_path(account: Account | None, where: str) -> Account | None:
    return account and msgspec.structs.replace(account, ca=_whole(account.ca, where))


def _whole(path: str, where: str) -> str:
    """A path that means the same in whatever folder pbem runs."""
    whole = os.path.expanduser(path)
    if whole and not os.path.isabs(whole):
        raise FileError(f"found {path[:_MOST_SHOWN]!r}, expected a path that begins with / or ~", where=where)
    return whole
