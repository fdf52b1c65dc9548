"""Reading a mail folder on the player's mail server (IMAP), under verified TLS or not at all.

The folder is opened read-only unless mails are to be marked or moved, so that the server itself ensures that
nothing changes. Nothing is ever deleted: there is no EXPUNGE here, and no CLOSE, which implies one.
imapclient speaks IMAP; this module decides what to ask, and how to report failures.
"""

from __future__ import annotations

import imaplib
import re
import socket
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from types import TracebackType
from typing import Any, Self, TypeVar

from imapclient import IMAPClient
from imapclient.exceptions import CapabilityError, LoginError, ProtocolError
from imapclient.imapclient import ALL, ARCHIVE, JUNK, SENT, _parse_untagged_response

from pbem.base.interrupts import raise_on_interrupt
from pbem.base.limits import MAIL_BYTES
from pbem.errors import MailError, RefusedLogin
from pbem.mail.credentials import fetch_secret
from pbem.mail.mail_outline import OUTLINE_ITEMS, Bookmark, MailOutline, Mails
from pbem.mail.server_access import (
    certificate_error,
    connection_reason,
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
"""The days to search back in a folder not read before: a beginner has no older games there."""

_SEARCHED_UIDS = 50_000
"""The uids of one SEARCH: imaplib accepts no line of more than a million bytes."""

_SLICE = 500
"""The mails that one command names: servers refuse long lines (RFC 7162 asks for 8,192 bytes)."""

_BATCH_MAILS, _BATCH_BYTES = 50, 4 * 1024 * 1024

_IDLE_SECONDS = 25 * 60
"""The seconds of one IDLE: servers may end it after 30 minutes (RFC 2177)."""

_OF_PBEM = ["BODY", "pbem"]
"""The search for text that every letter and every game file contains."""

_OF_A_GAME = ["OR", *_OF_PBEM, "OR", "BODY", ".yaml", "BODY", "prev:"]
"""The search for the same, or for the remains of a damaged game.

Each word makes a server read all texts again, so the first look at a full folder uses only one.
"""

T = TypeVar("T")


class _Server(IMAPClient):  # type: ignore[misc]  # imapclient has no types
    """A connection to a server."""

    def login_in_any_letters(self, user: str, secret: str) -> None:
        """Log in by LOGIN with any characters; imaplib's own accepts only ASCII (RFC 3501, 6.2.3)."""
        self._imap.literal = secret.encode()  # there can be only one
        status, answer = self._imap.xatom("LOGIN", _quote_string(user).encode())
        if status != "OK":
            raise LoginError(_join_words(answer))
        self._imap.state = "AUTH"

    def idle(self) -> None:
        """Begin IDLE. Unlike imapclient's own, it accepts other replies before the server confirms it."""
        self._idle_tag = self._imap._command("IDLE")
        self._replies: list[tuple[Any, ...]] = []
        while (line := self._imap._get_response()) is not None:
            if self._imap.tagged_commands[self._idle_tag]:
                raise imaplib.IMAP4.error(f"IDLE failed: {line.decode('latin-1')}")
            self._replies.append(_parse_untagged_response(line))
        self._is_unread = True

    def replies_to_idle(self) -> list[tuple[Any, ...]]:
        """The server's replies at the beginning of IDLE, including any read with its confirmation."""
        return [*self._replies, *self.idle_check(0)]

    def _poll_socket(self, sock: socket.socket, timeout: float | None = None) -> object:
        """Whether there is something to read: on the socket, or in the buffer after what was read last."""
        unread, self._is_unread = self._is_unread, False
        return unread or super()._poll_socket(sock, timeout)

    def _select_poll_socket(self, sock: socket.socket, timeout: float | None = None) -> object:
        """As `_poll_socket`, on a system without `poll`."""
        unread, self._is_unread = self._is_unread, False
        return unread or super()._select_poll_socket(sock, timeout)


class Imap:
    """A folder of an account, read over one connection; a context manager. `change` allows marks and moves.

    It logs in with the password `shown`, or else with the stored one. A mail's key is its uid, as text. `own`
    is the player's address: mails from it are read too. Every method raises `MailError` if the server
    refuses, or if the connection fails.
    """

    def __init__(
        self, account: Account, folder: str, *, change: bool = False, shown: str = "", own: str = ""
    ) -> None:
        self.name = f"{account.user}@{account.host}/{folder}"
        self._account = account
        self._folder = folder
        self._change = change
        self._shown = shown
        self._own = own
        self._read_to = self._number = 0

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
        """The mails after the bookmark that might contain a game, oldest first: uid and bytes.

        Without a bookmark, or if the server has renumbered its mails, those of the last FIRST_DAYS.
        """
        self._read_to = 0
        known = len(bookmark) == 2 and bookmark[0] == self._uidvalidity
        uids = self._uids_from(int(bookmark[1]) + 1 if known else 1, recent=not known)
        wanted = self._candidates(uids, _OF_A_GAME if known else _OF_PBEM)
        return Mails(
            len(wanted),
            self._fetch_bodies(wanted, self._next_uid - 1 if self._next_uid else max(uids, default=0)),
        )

    def bookmark(self, before: Bookmark, read: Sequence[str]) -> Bookmark:
        """The bookmark after reading these mails too."""
        last = max([self._read_to, *map(int, read)])
        return (self._uidvalidity, str(last)) if last else before

    def mark(self, uid: str) -> None:
        """Mark a mail as read."""
        self._command(lambda: self._server.add_flags(int(uid), [rb"\Seen"], silent=True))

    def move(self, uid: str, folder: str) -> None:
        """Move a mail to another folder of the account, which must exist."""
        if not self._has_capability("MOVE"):
            raise MailError(
                tr("{server} cannot move mails (RFC 6851)", server=self._account.host),
                hint=tr("use --mark, or move them yourself"),
            )
        self._command(lambda: self._server.move(int(uid), folder))

    def save_sent(self, data: bytes) -> None:
        """Save a sent mail in the server's folder for sent mails (RFC 6154), marked as read."""
        folder = self._talk(lambda: self._server.find_special_folder(SENT))
        if not folder:
            raise MailError(
                tr("{server} does not name a folder for sent mail (RFC 6154)", server=self._account.host)
            )
        self._command(lambda: self._server.append(folder, data, [rb"\Seen"]))

    def other_folders(self) -> list[str]:
        """The folders for spam and for archived mail, by their special use (RFC 6154) or usual name."""

        def find() -> list[str]:
            found = [self._server.find_special_folder(use) for use in (JUNK, ARCHIVE)]
            # Gmail archives into the folder of all mails
            return [folder or self._server.find_special_folder(ALL) for folder in found[1:]] + found[:1]

        return [folder for folder in dict.fromkeys(self._talk(find)) if folder and folder != self._folder]

    def wait_for_mail(self, seconds: float, bookmark: Bookmark = ()) -> bool:
        """Wait until a mail arrives, but at most `seconds`, by IDLE (RFC 2177).

        A mail after the `bookmark` has already arrived, and so has one since the folder was opened. Returns
        whether the server supports waiting.
        """
        if not self._has_capability("IDLE"):
            return False
        if len(bookmark) == 2 and bookmark[0] == self._uidvalidity and self._next_uid > int(bookmark[1]) + 1:
            return True
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._talk(self._server.idle)
            try:
                news = self._talk(partial(self._idle, min(left, _IDLE_SECONDS)))
            finally:
                self._talk(self._server.idle_done)
            if news:
                return True
        return True

    def _idle(self, seconds: float) -> bool:
        """Whether mails arrive within this many seconds. Raises `ProtocolError` if the connection is dead."""
        end = time.monotonic() + seconds
        replies = self._server.replies_to_idle()
        while not self._has_grown(replies):
            if (left := end - time.monotonic()) <= 0:
                return False
            replies = self._server.idle_check(left)
            if not replies and time.monotonic() < end - 1:
                raise imaplib.IMAP4.abort(tr("it closed the connection"))
        return True

    def _has_grown(self, replies: Sequence[tuple[Any, ...]]) -> bool:
        """Whether there are more mails now: some servers repeat their number to keep the connection open."""
        for number, word in ((reply[0], reply[1]) for reply in replies if len(reply) == 2):
            if word == b"EXPUNGE":
                self._number -= 1
            elif word == b"EXISTS":
                before, self._number = self._number, int(number)
                if self._number > before:
                    return True
        return False

    def _uids_from(self, first: int, *, recent: bool) -> list[int]:
        """The uids of the mails from uid `first` on, in ascending order; `recent`: only of recent ones."""
        since = datetime.now(UTC).date() - timedelta(days=FIRST_DAYS)
        criteria = ["SINCE", since] if recent else []
        uids: set[int] = set()
        for numbers in self._uid_ranges(first):
            uids.update(self._command(partial(self._server.search, ["UID", numbers, *criteria])))
        return sorted(uid for uid in uids if uid >= first)

    def _uid_ranges(self, first: int) -> Iterator[str]:
        """The possible uids of the folder from `first` on, in ranges for one SEARCH each."""
        if not self._next_uid:
            yield f"{first}:*"  # this includes the last mail, even if it is before the first
        for low in range(first, self._next_uid, _SEARCHED_UIDS):
            yield f"{low}:{min(low + _SEARCHED_UIDS, self._next_uid) - 1}"

    def _candidates(self, uids: Sequence[int], words: Sequence[str]) -> dict[int, int]:
        """The sizes of those mails that might contain a game, by uid, except those too large."""
        wanted: dict[int, int] = {}
        texts: dict[int, int] = {}
        for some in _slices(uids):
            for uid, outline in self._outlines(some).items():
                (wanted if outline.may_hold_a_game(self._own) else texts)[uid] = outline.size
        for some in _slices(list(texts)):
            wanted.update((uid, texts[uid]) for uid in self._search_text(some, words))
        return {uid: wanted[uid] for uid in sorted(wanted) if wanted[uid] <= MAIL_BYTES}

    def _outlines(self, uids: Sequence[int]) -> dict[int, MailOutline]:
        """The outlines of mails; if imapclient cannot parse them, mail by mail, then only by size."""
        try:
            fetched = self._command(lambda: self._server.fetch(uids, OUTLINE_ITEMS))
        except _UnreadableReply:
            if len(uids) > 1:
                return {uid: line for one in uids for uid, line in self._outlines([one]).items()}
            fetched = self._command(lambda: self._server.fetch(uids, ["RFC822.SIZE"]))
            return {
                uid: MailOutline(data.get(b"RFC822.SIZE", 0), b"pbem", ()) for uid, data in fetched.items()
            }
        asked = set(uids)
        return {uid: MailOutline.of(data) for uid, data in fetched.items() if uid in asked}

    def _search_text(self, uids: Sequence[int], words: Sequence[str]) -> Iterable[int]:
        """The mails whose text matches the search `words`; all of them if the server cannot search."""
        try:
            found = self._command(lambda: self._server.search(["UID", _ranges(uids), *words]))
        except _RefusedCommand:
            return uids
        return set(found).intersection(uids)

    def _fetch_bodies(self, sizes: dict[int, int], last: int) -> Iterator[tuple[str, bytes]]:
        """The mails in full; after the last of them, everything up to the uid `last` counts as read."""
        for batch in _batches(sizes):
            fetched = self._command(partial(self._server.fetch, batch, ["BODY.PEEK[]"]))
            bodies = {uid: data.get(b"BODY[]") for uid, data in fetched.items()}
            yield from ((str(uid), bodies[uid]) for uid in batch if bodies.get(uid))
        self._read_to = last

    def _has_capability(self, word: str) -> bool:
        return bool(self._talk(lambda: self._server.has_capability(word)))

    def _connect(self) -> _Server:
        """A connection to a server that has shown a certificate for its name from a known authority."""
        account = self._account
        context, by_tls = tls_context(account), account.security == "tls"
        server = _Server(account.host, account.port, ssl=by_tls, ssl_context=context, timeout=SECONDS)
        if by_tls:
            return server
        try:
            server.starttls(ssl_context=context)
        except BaseException:
            with suppress(OSError):
                server.shutdown()
            raise
        return server

    def _open_folder(self) -> None:
        """Open the folder."""
        try:
            opened = self._server.select_folder(self._folder, readonly=not self._change)
        except (imaplib.IMAP4.abort, OSError):
            raise
        except imaplib.IMAP4.error as error:
            reply = str(error).removeprefix("select failed: ")
            raise imaplib.IMAP4.error(
                tr("folder {folder}: {reply}", folder=self._folder, reply=reply)
            ) from None
        self._uidvalidity = str(opened.get(b"UIDVALIDITY", ""))
        self._next_uid = opened.get(b"UIDNEXT") or 0
        self._number = opened.get(b"EXISTS") or 0

    def _log_in_or_renew(self) -> None:
        """Log in, a second time with a new token if the server refuses one that had not expired."""
        try:
            self._talk(self._log_in, RefusedLogin)
        except RefusedLogin:
            if self._account.auth != "microsoft":
                raise
            self._told = fetch_secret(self._account, renew=True)
            self._talk(self._log_in, RefusedLogin)

    def _log_in(self) -> None:
        """Log in. Raises imaplib's errors; imapclient would also report a broken connection as a refusal."""
        try:
            self._log_in_by_best_way(self._told)
        except LoginError as error:
            if isinstance(error.__context__, imaplib.IMAP4.abort):
                raise error.__context__ from None
            raise

    def _log_in_by_best_way(self, shown: str) -> None:
        """Log in by PLAIN, which allows any characters, or without that by LOGIN (RFC 3501, 6.2)."""
        account, server = self._account, self._server
        if account.by_token:
            self._log_in_by_token(shown)
        elif server.has_capability("AUTH=PLAIN"):
            server.plain_login(account.user, shown)
        elif server.has_capability("LOGINDISABLED"):
            raise MailError(
                tr(
                    "{server} does not accept passwords (LOGINDISABLED); it offers {ways}",
                    server=self._host_and_port,
                    ways=self._login_ways(),
                ),
                hint=tr(
                    "if it offers AUTH=XOAUTH2, set auth and token_command; otherwise let another "
                    "program fill a Maildir"
                ),
            )
        else:
            server.login_in_any_letters(account.user, shown)

    def _log_in_by_token(self, token: str) -> None:
        """Log in by XOAUTH2. A server that refuses gives a reason, and continues after an empty answer."""
        if not self._server.has_capability("AUTH=XOAUTH2"):
            raise MailError(
                tr(
                    "{server} does not accept tokens (XOAUTH2); it offers {ways}",
                    server=self._host_and_port,
                    ways=self._login_ways(),
                ),
                hint=tr("delete auth and token_command from config.yaml, or type: pbem mail setup"),
            )
        answers = iter([xoauth2_reply(self._account, token)])
        self._server.sasl_login("XOAUTH2", lambda _: next(answers, ""))

    def _login_ways(self) -> str:
        words = (word.decode("ascii", "replace") for word in self._server.capabilities())
        return self._one_line(", ".join(word for word in words if word.startswith("AUTH="))) or tr(
            "nothing else"
        )

    @property
    def _host_and_port(self) -> str:
        return f"{self._account.host}:{self._account.port}"

    def _log_out(self) -> None:
        """Log out, ignoring any reply of the server."""
        with suppress(imaplib.IMAP4.error, OSError):
            self._server.logout()
        with suppress(OSError):
            self._server.shutdown()

    def _command(self, command: Callable[[], T]) -> T:
        """The server's reply to a command about mails. Raises `MailError` if it refuses."""

        def run() -> T:
            try:
                return command()
            except (imaplib.IMAP4.abort, CapabilityError):
                raise
            except ProtocolError as error:
                raise _UnreadableReply(self._describe_refusal(error)) from None
            except imaplib.IMAP4.error as error:
                raise _RefusedCommand(self._describe_refusal(error)) from None

        return self._talk(run)

    def _describe_refusal(self, error: Exception) -> str:
        what, _, reply = str(error).partition(" failed: ")
        return tr(
            "{server} refuses {what}: {reply}",
            server=self._account.host,
            what=self._one_line(what).upper(),
            reply=self._one_line(reply),
        )

    def _one_line(self, words: str) -> str:
        return one_line(hide_secret(words, self._account, self._told))

    def _talk(self, talk: Callable[[], T], refusal: type[MailError] = MailError) -> T:
        """The result of `talk`, which talks to the server. Raises one `MailError` for any failure."""
        where = self._host_and_port
        try:
            with raise_on_interrupt():
                return talk()
        except ssl.SSLCertVerificationError as error:
            raise certificate_error(where, error) from None
        except (imaplib.IMAP4.abort, OSError, EOFError) as error:
            why = (
                connection_reason(error)
                if isinstance(error, OSError) and error.strerror
                else self._one_line(str(error))
            )
            problem = tr("no connection to {server}: {why}", server=where, why=why)
            raise MailError(problem, hint=tr("try again later")) from None
        except (imaplib.IMAP4.error, ValueError) as error:
            user, reply = self._account.user, self._one_line(str(error))
            raise refusal(
                tr("{server} refuses {user}: {reply}", server=where, user=user, reply=reply),
                hint=tr("check user and folder in config.yaml; for a new password: pbem mail setup"),
            ) from None


class _RefusedCommand(MailError):
    """The server refuses a command."""


class _UnreadableReply(MailError):
    """imapclient cannot parse the server's reply."""


def _slices(uids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (uids[start : start + _SLICE] for start in range(0, len(uids), _SLICE))


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


def _ranges(uids: Iterable[int]) -> str:
    """Ascending uids as a set for SEARCH, such as `1:7,9`."""
    runs: list[list[int]] = []
    for uid in uids:
        if runs and uid == runs[-1][1] + 1:
            runs[-1][1] = uid
        else:
            runs.append([uid, uid])
    return ",".join(str(low) if low == high else f"{low}:{high}" for low, high in runs)


def _join_words(answer: Sequence[Any]) -> str:
    """The text of a server's reply."""
    return b" ".join(part for part in answer if isinstance(part, bytes)).decode("utf-8", "replace")


def _quote_string(text: str) -> str:
    """A text as a quoted string (RFC 3501, 4.3)."""
    return '"' + re.sub(r'(["\\])', r"\\\1", text) + '"'
