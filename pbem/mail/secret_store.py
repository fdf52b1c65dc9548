"""Where the secrets of mail servers are stored: in the system's keyring, or in a file.

If no keyring works, a file in the home has them in clear text; only its owner can read it, and the player is
warned. No backup includes it.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from pbem.base.files import JsonStore, lock_folder, make_folder
from pbem.base.home import home
from pbem.errors import MailError
from pbem.render.safe_text import quote_path
from pbem.texts import Texts

tr = Texts("pbem")


SERVICE = "pbem"
"""The service name under which the keyring has the secrets."""

SECRETS_FILE = "mail/secrets.json"
"""The file in the home with the secrets no keyring has; `pbem backup` leaves it out."""


def save_secret(user: str, secret: str) -> Path | None:
    """Save a secret in the system's keyring, or else in a file. Returns the file; None for the keyring.

    Raises `StorageError` if the file cannot be written.
    """
    in_keyring = _save_in_keyring(user, secret)
    path = _file()
    make_folder(path.parent)
    with lock_folder(path.parent):
        store = _store(path)
        others = {name: value for name, value in store.read().items() if name != user}
        if not in_keyring:
            store.save_all(others | {user: secret})
        elif others or path.exists():
            store.save_all(others)  # an earlier one would be read first
    return None if in_keyring else path


def read_secret(user: str) -> str:
    """The secret saved for a user. Raises `MailError` if there is none, `StorageError`."""
    path = _file()
    _check_private(path)
    if secret := _store(path).read().get(user):
        return secret
    return _read_keyring(user)


def _file() -> Path:
    return home() / SECRETS_FILE


def _store(path: Path) -> JsonStore[str]:
    return JsonStore(path, dict[str, str], tr("delete it, and type: {command}", command="pbem mail setup"))


def _check_private(path: Path) -> None:
    """Raise `MailError` if others on this computer can read the file. On Windows they cannot."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        problem = tr("other people can read your passwords in {file}", file=quote_path(path))
        raise MailError(problem, hint=f"chmod 600 {quote_path(path)}")


def _save_in_keyring(user: str, secret: str) -> bool:
    """Save a secret in the system's keyring. Returns whether the keyring stored it."""
    try:
        import keyring  # imported here: it is an extra on Linux, and importing it looks for keyrings
    except ImportError:
        return False
    try:
        keyring.set_password(SERVICE, user, secret)
        return keyring.get_password(SERVICE, user) == secret
    except Exception:  # keyrings are other programs, and raise anything
        return False


def _read_keyring(user: str) -> str:
    """A user's secret in the system's keyring."""
    none_here = tr("there is no password for {user} on this computer", user=user)
    try:
        import keyring  # as above
    except ImportError:
        raise MailError(none_here, hint=tr("type: pbem mail setup")) from None
    try:
        password = keyring.get_password(SERVICE, user)
    except Exception as error:
        if type(error).__name__ == "NoKeyringError":
            raise MailError(none_here, hint=tr("type: pbem mail setup")) from None
        raise MailError(
            tr("the system's keyring cannot be read: {fault}", fault=type(error).__name__),
            hint=tr("unlock it, or set password_command in config.yaml"),
        ) from None
    if not password:
        raise MailError(none_here, hint=tr("type: pbem mail setup"))
    return password
