"""The secret that logs in to an account: the output of a command, a stored password, or a Microsoft token."""

from __future__ import annotations

import subprocess

from pbem.errors import MailError, system_reason
from pbem.mail.microsoft import fetch_token
from pbem.mail.secret_store import read_secret
from pbem.mail.settings import Account
from pbem.render.safe_text import quote_path
from pbem.texts import Texts

tr = Texts("pbem")


SECONDS = 30
"""The seconds a command may take: the player might have to unlock something first."""


def fetch_secret(account: Account, *, renew: bool = False) -> str:
    """The password or token of an account; `renew` gets a new token. Raises `MailError` if there is none."""
    if account.auth == "microsoft":
        return fetch_token(account.user, renew=renew)
    if account.auth == "xoauth2":
        return _run_secret_command("token_command", account.token_command)
    if account.password_command:
        return _run_secret_command("password_command", account.password_command)
    return read_secret(account.keyring_user)


def _run_secret_command(key: str, words: list[str]) -> str:
    """The first line a command prints. It runs without a shell, and its other output is dropped."""
    name = f"{key} {quote_path(words[0])}"  # its other words might be secret
    hint = tr("run the command from your config.yaml yourself to see what it says")
    try:
        process = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
        first_line = b"".join(process.stdout.splitlines()[:1]).decode()
    except subprocess.TimeoutExpired:
        raise MailError(
            tr("{command} took longer than {number} seconds", command=name, number=SECONDS), hint=hint
        ) from None
    except OSError as error:
        raise MailError(
            tr("{command} cannot be run: {why}", command=name, why=system_reason(error))
        ) from None
    except UnicodeDecodeError:
        raise MailError(
            tr("{command} printed something that is not UTF-8 text", command=name), hint=hint
        ) from None
    if process.returncode:
        raise MailError(
            tr("{command} failed with exit code {code}", command=name, code=process.returncode), hint=hint
        )
    if not first_line and key == "token_command":
        raise MailError(tr("{command} did not print a token on its first line", command=name), hint=hint)
    if not first_line:
        raise MailError(tr("{command} did not print a password on its first line", command=name), hint=hint)
    return first_line
