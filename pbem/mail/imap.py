"""Reading a mail folder on the player's mail server (IMAP), under verified TLS or not at all.

The folder is opened read-only unless mails are to be marked or moved, so that the server itself ensures that
nothing changes. Nothing is ever deleted: there is no EXPUNGE here, and no CLOSE, which implies one.
"""

from __future__ import annotations

import imaplib
import re
import ssl
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from types import TracebackType
from typing import Any, Self, TypeVar

from pbem.base.interrupts import raise_on_interrupt
from pbem.base.limits import MAIL_BYTES
from pbem.errors import MailError, RefusedLogin
from pbem.mail.credentials import fetch_secret
from pbem.mail.server_access import (
    certificate_error,
    hide_secret,
    one_line,
    tls_context,
    xoauth2_reply,
)
from pbem.mail.settings import Account
from pbem.texts import Texts

tr = Texts("pbem")

SECONDS = 60
"""The seconds that the server may be silent."""

FIRST_DAYS = 60
"""The days to search back in a folder that was never read before: a beginner has no older games there."""

_BATCH_MAILS, _BATCH_BYTES = 50, 4 * 1024 * 1024
_UID = re.compile(rb"\bUID (\d{1,10})")
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d{1,10})")
_LIST_LINE = re.compile(rb'\(([^)]*)\) (?:NIL|"\\?.") (.+)')

T = TypeVar("T")

Bookmark = tuple[str, ...]
"""The point up to which a folder has been read, in strings that only the folder interprets; empty: unread."""


class Mails(Iterator[tuple[str, bytes]]):
    """An iterator over mails of a folder, each with its key; its length is how many there are."""

    def __init__(self, number: int, mails: Iterator[tuple[str, bytes]]) -> None:
        self._number = number
        self._mails = mails

    def __len__(self) -> int:
        return self._number

    def __next__(self) -> tuple[str, bytes]:
        return next(self._mails)


class Imap:
    """A folder of an account, read over one connection; a context manager. `change` allows marks and moves.

    It logs in with the password `shown`, or else with the stored one. A mail's key is its uid, as text. Every
    method raises `MailError` for what the server refuses, and where the connection fails.
    """

    def __init__(self, account: Account, folder: str, *, change: bool = False, shown: str = "") -> None:
        self.name = f"{account.user}@{account.host}/{folder}"
        self._account = account
        self._folder = folder
        self._change = change
        self._shown = shown

    def __enter__(self) -> Self:
        self._told = self._shown or fetch_secret(self._account)
        self._server = self._talk(self._connect)
        try:
            self._log_in_or_renew()
            self._talk(self._open_folder)
        except BaseException:
            self._log_out()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._log_out()

    def since(self, bookmark: Bookmark) -> Mails:
        """The mails after the bookmark, oldest first: uid and bytes. Those too large for a game are skipped.

        Where there is no bookmark, or the server has renumbered its mails, those of the last FIRST_DAYS.
        """
        known = len(bookmark) == 2 and bookmark[0] == self._uidvalidity
        sizes = (
            self._sizes(f"{int(bookmark[1]) + 1}:*") if known else self._sizes(",".join(self._recent_uids()))
        )
        after = int(bookmark[1]) if known else 0  # a range n:* holds the last mail, even if that is before n
        wanted = {uid: size for uid, size in sizes.items() if uid > after and size <= MAIL_BYTES}
        return Mails(len(wanted), self._fetch_bodies(wanted))

    def bookmark(self, before: Bookmark, read: Sequence[str]) -> Bookmark:
        """The bookmark after these mails have been read as well."""
        return (self._uidvalidity, max(read, key=int)) if read else before

    def mark(self, uid: str) -> None:
        """Mark a mail as read."""
        self._command("STORE", uid, "+FLAGS", r"(\Seen)")

    def move(self, uid: str, folder: str) -> None:
        """Move a mail to another folder of the account, which must exist."""
        if not self._has_capability("MOVE"):
            raise MailError(
                tr("{server} cannot move mails (RFC 6851)", server=self._account.host),
                hint=tr("use --mark, or move them yourself"),
            )
        self._command("MOVE", uid, _quote_folder(folder))

    def save_sent(self, data: bytes) -> None:
        """Save a sent mail in the server's folder for sent mails (RFC 6154), marked as read."""
        status, answer = self._talk(
            # imaplib appends both arguments to LIST as they are: so the first can hold the selection as well
            lambda: self._server.list(
                '(SPECIAL-USE) ""' if self._has_capability("SPECIAL-USE") else '""', "*"
            )
        )
        folder = next((name for line in answer if (name := _sent_folder(line))), None)
        if status != "OK" or not folder:
            raise MailError(
                tr("{server} names no folder for mails that were sent (RFC 6154)", server=self._account.host)
            )
        status, reply = self._talk(lambda: self._server.append(folder, r"(\Seen)", "", data))
        if status != "OK":
            raise MailError(
                tr(
                    "{server} does not keep the mail: {reply}",
                    server=self._account.host,
                    reply=self._refusal_text(reply),
                )
            )

    def _has_capability(self, word: str) -> bool:
        (able,) = self._talk(self._server.capability)[1]
        return word.encode("ascii") in able.split()

    def _fetch_bodies(self, sizes: dict[int, int]) -> Iterator[tuple[str, bytes]]:
        for batch in _batches(sizes):
            bodies = self._bodies(batch)
            yield from ((str(uid), bodies[uid]) for uid in batch if uid in bodies)

    def _connect(self) -> imaplib.IMAP4:
        """A connection to a server that has shown a certificate for its name from a known authority."""
        account = self._account
        context = tls_context(account)
        if account.security == "tls":
            return imaplib.IMAP4_SSL(account.host, account.port, ssl_context=context, timeout=SECONDS)
        server = imaplib.IMAP4(account.host, account.port, timeout=SECONDS)
        try:
            server.starttls(ssl_context=context)
        except BaseException:
            with suppress(OSError):
                server.shutdown()
            raise
        return server

    def _open_folder(self) -> None:
        """Open the folder."""
        status, answer = self._server.select(_quote_folder(self._folder), readonly=not self._change)
        if status != "OK":
            raise imaplib.IMAP4.error(
                tr("folder {folder}: {reply}", folder=self._folder, reply=self._refusal_text(answer))
            )
        (validity,) = self._server.response("UIDVALIDITY")[1]
        self._uidvalidity = validity.decode("ascii") if isinstance(validity, bytes) else ""

    def _log_in_or_renew(self) -> None:
        """Log in; once more with a new token if the server refuses one that was not old."""
        try:
            self._talk(lambda: self._log_in(self._told), RefusedLogin)
        except RefusedLogin:
            if self._account.auth != "microsoft":
                raise
            self._told = fetch_secret(self._account, renew=True)
            self._talk(lambda: self._log_in(self._told), RefusedLogin)

    def _log_in(self, shown: str) -> None:
        """Log in by PLAIN, which takes any characters, or where that is missing by LOGIN (RFC 3501, 6.2)."""
        account, server, able = self._account, self._server, self._server.capabilities
        if account.by_token:
            self._log_in_by_token(shown)
            return
        if "AUTH=PLAIN" in able:
            words = f"\0{account.user}\0{shown}".encode()
            server.authenticate("PLAIN", lambda _: words)
            return
        if "LOGINDISABLED" in able:
            raise MailError(
                tr(
                    "{server} takes no password (LOGINDISABLED); it offers {ways}",
                    server=self._host_and_port,
                    ways=self._login_ways(),
                ),
                hint=tr(
                    "with AUTH=XOAUTH2 set auth and token_command; else let another program fill a Maildir"
                ),
            )
        # a literal takes any characters, and there can be only one; imaplib takes bytes, typeshed says text
        server.literal = shown.encode()  # type: ignore[assignment]
        status, answer = server.xatom("LOGIN", _quote_string(account.user).encode())  # type: ignore[arg-type]
        if status != "OK":
            raise imaplib.IMAP4.error(self._refusal_text(answer))
        server.state = "AUTH"

    def _log_in_by_token(self, token: str) -> None:
        """Log in by XOAUTH2. A server that refuses says why, and goes on once that has an empty answer."""
        if "AUTH=XOAUTH2" not in self._server.capabilities:
            raise MailError(
                tr(
                    "{server} takes no token (XOAUTH2); it offers {ways}",
                    server=self._host_and_port,
                    ways=self._login_ways(),
                ),
                hint=tr("leave auth and token_command out of config.yaml, or type: pbem mail setup"),
            )
        answers = iter([xoauth2_reply(self._account, token).encode()])
        self._server.authenticate("XOAUTH2", lambda _: next(answers, b""))

    def _login_ways(self) -> str:
        ways = ", ".join(word for word in self._server.capabilities if word.startswith("AUTH="))
        return self._one_line(ways) or tr("nothing else")

    @property
    def _host_and_port(self) -> str:
        return f"{self._account.host}:{self._account.port}"

    def _log_out(self) -> None:
        """Log out; whatever the server replies now is ignored."""
        with suppress(imaplib.IMAP4.error, OSError):
            self._server.logout()
        with suppress(OSError):
            self._server.shutdown()

    def _recent_uids(self) -> list[str]:
        """The uids of the mails of the last days."""
        first = datetime.now(UTC) - timedelta(days=FIRST_DAYS)
        (uids,) = self._command("SEARCH", "SINCE", imaplib.Time2Internaldate(first)[1:12].strip())
        return (uids or b"").decode("ascii").split()

    def _sizes(self, uids: str) -> dict[int, int]:
        """The size of each of these mails, by uid, the lowest first."""
        answer = self._command("FETCH", uids, "(UID RFC822.SIZE)") if uids else []
        matches = [(_UID.search(line), _SIZE.search(line)) for line in answer if isinstance(line, bytes)]
        return dict(sorted((int(uid[1]), int(size[1])) for uid, size in matches if uid and size))

    def _bodies(self, uids: Sequence[int]) -> dict[int, bytes]:
        """The mails as they are, by uid. PEEK leaves them unread."""
        answer = self._command("FETCH", ",".join(map(str, uids)), "(UID BODY.PEEK[])")
        bodies = {}
        for item, rest in zip(answer, [*answer[1:], b""], strict=True):
            if isinstance(item, tuple):  # what precedes the mail, and the mail; the uid may follow it
                uid = _UID.search(item[0]) or _UID.search(rest if isinstance(rest, bytes) else b"")
                if uid:
                    bodies[int(uid[1])] = item[1]
        return bodies

    def _command(self, name: str, *arguments: str) -> list[Any]:
        """The server's reply to a command that names mails by uid. Raises `MailError` where it refuses."""
        status, answer = self._talk(lambda: self._server.uid(name, *arguments))
        if status != "OK":
            raise MailError(
                tr(
                    "{server} refuses {what}: {reply}",
                    server=self._account.host,
                    what=name,
                    reply=self._refusal_text(answer),
                )
            )
        return answer

    def _refusal_text(self, answer: Sequence[Any]) -> str:
        """The words with which the server refuses."""
        words = b" ".join(part for part in answer if isinstance(part, bytes)).decode("utf-8", "replace")
        return self._one_line(words)

    def _one_line(self, words: str) -> str:
        return one_line(hide_secret(words, self._account, self._told))

    def _talk(self, talk: Callable[[], T], refusal: type[MailError] = MailError) -> T:
        """The result of `talk`, which talks to the server. Raises one `MailError` for whatever goes wrong."""
        where = self._host_and_port
        try:
            with raise_on_interrupt():
                return talk()
        except ssl.SSLCertVerificationError as error:
            raise certificate_error(where, error) from None
        except (imaplib.IMAP4.abort, OSError, EOFError) as error:
            why = (
                error.strerror
                if isinstance(error, OSError) and error.strerror
                else self._one_line(str(error))
            )
            problem = tr("no connection to {server}: {why}", server=where, why=why)
            raise MailError(problem, hint=tr("try again later")) from None
        except (imaplib.IMAP4.error, ValueError) as error:
            user, reply = self._account.user, self._one_line(str(error))
            raise refusal(
                tr("{server} refuses {user}: {reply}", server=where, user=user, reply=reply),
                hint=tr("look at user and folder in config.yaml; a new password: pbem mail setup"),
            ) from None


def _batches(sizes: dict[int, int]) -> Iterator[list[int]]:
    """The mails in order, in batches of a few MB."""
    batch: list[int] = []
    total = 0
    for uid, size in sizes.items():
        if batch and (len(batch) == _BATCH_MAILS or total + size > _BATCH_BYTES):
            yield batch
            batch, total = [], 0
        batch.append(uid)
        total += size
    if batch:
        yield batch


def _sent_folder(line: Any) -> str:
    """The name of a folder, as the server writes it, if this line of LIST says that it is for sent mails."""
    first, *rest = line if isinstance(line, tuple) else (line,)
    match = _LIST_LINE.fullmatch(first) if isinstance(first, bytes) else None
    if not match or rb"\sent" not in match[1].lower().split():
        return ""
    return _quote_string(rest[0].decode("ascii", "replace")) if rest else match[2].decode("ascii", "replace")


def _quote_folder(folder: str) -> str:
    """A folder's name as a quoted string, letters beyond ASCII in modified UTF-7 (RFC 3501, 5.1.3)."""

    def encode_utf7(match: re.Match[str]) -> str:
        return f"&{b64encode(match[0].encode('utf-16-be')).decode().rstrip('=').replace('/', ',')}-"

    return _quote_string(re.sub(r"[^ -~]+", encode_utf7, folder.replace("&", "&-")))


def _quote_string(text: str) -> str:
    """A text as a quoted string (RFC 3501, 4.3)."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'
