"""The player's settings for mail, in `config.yaml` in his pbem folder, and the table of mail providers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import pbem.mail
from pbem.base.files import make_folder, read_if_there, read_regular, write_atomically
from pbem.base.language import configured_language
from pbem.errors import FileError
from pbem.format.yaml_reader import parse_yaml
from pbem.mail import config
from pbem.mail.config import Config, MailSettings, no_server_error
from pbem.messages import Said
from pbem.texts import Texts

if TYPE_CHECKING:
    from pbem.mail.providers import Provider

tr = Texts("pbem")

_ESCAPED = re.compile(rb'"(?:[A-Za-z]:|~|\\\\[^"\\\n]+)\\[^"\\\n]')
"""A Windows path between double quotes, whose backslashes are not doubled."""


def read_config(home: Path) -> Config:
    """The settings in the folder `home`; none where there is no file. Raises `FileError` with the place."""
    path = home / "config.yaml"
    try:
        data = read_regular(path)
    except FileNotFoundError:
        return Config()
    except OSError as error:
        raise FileError(tr("cannot be read: {why}", why=error.strerror or error), where=str(path)) from None
    try:
        plain = parse_yaml(data)
    except FileError as error:
        hint = error.hint and tr(
            'write it between double quotes, as in host: "127.0.0.1"'
        )  # it is typed by hand
        where = f"{path}: {error.where}"
        raise FileError(error.problem, where=where, hint=hint or _hint_about_escapes(data)) from None
    try:
        return config.parse_config(plain, str(path))
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

    A file that is not YAML has none, since no command uses it. Raises `ShelfError`.
    """
    try:
        return list(config.find_programs(parse_yaml(read_if_there(home / "config.yaml") or b"")))
    except FileError:
        return []


def rename_config(home: Path) -> Path:
    """Rename the settings file in the folder `home` to one that nothing reads; its path. Raises OSError."""
    path = home / "config.yaml"
    return path.rename(_unused_name(path))


def settings_to_send(home: Path) -> MailSettings:
    """The settings for mail in the folder `home`. Raises `MailError` where no server to send with is set."""
    settings = read_config(home).mail
    if settings is None or settings.smtp is None:
        raise no_server_error()
    return settings


def write_config(home: Path, mail: MailSettings) -> Path | None:
    """Write these settings; of the other ones only the language is kept.

    Returns the backup of the file that was there before. Raises `ShelfError` where it cannot be written.
    """
    path = home / "config.yaml"
    lang = configured_language(home)
    plain = {**({"lang": lang} if lang else {}), "mail": msgspec.to_builtins(mail)}
    remark = tr("Written by pbem mail setup; change it as you like. No password stands here.")
    text = f"# {remark}\n" + "".join(_yaml_lines(plain))
    make_folder(home)
    before = read_if_there(path)
    backup = None if before is None else _unused_name(path)
    if before is not None and backup:
        write_atomically(backup, before, private=True)
    write_atomically(path, text.encode(), private=True)
    return backup


def read_providers() -> list[Provider]:
    """The table of mail providers."""
    from pbem.mail.providers import Provider  # here, because only a set-up asks for it

    plain = parse_yaml((Path(pbem.mail.__file__).parent / "providers.yaml").read_bytes())
    return msgspec.convert(plain, list[Provider])


def _unused_name(path: Path) -> Path:
    """The first of `config.yaml.old`, `config.yaml.old2`, ... that does not exist."""
    names = (path.with_name(f"{path.name}.old{number if number > 1 else ''}") for number in count(1))
    return next(name for name in names if not name.exists())


def _yaml_lines(plain: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """A mapping as YAML: words in double quotes, as JSON has them, which YAML reads alike."""
    for key, value in plain.items():
        if isinstance(value, dict):
            yield f"{indent}{key}:\n"
            yield from _yaml_lines(value, f"{indent}  ")
        else:
            yield f"{indent}{key}: {json.dumps(value, ensure_ascii=False)}\n"
