"""Delivery reports about one's own mails (RFC 3464), and how to recognise mails that programs send.

A report comes from any server on the way, or from somebody who pretends to be one. It is shown to the player,
and trusted no further.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from email.message import Message
from itertools import islice

from msgspec import Struct

from pbem.base import limits
from pbem.mail.mime_decoding import addresses, content_type, header, parse_headers
from pbem.mail.server_access import one_line

_END_OF_HEADERS = re.compile(rb"\r?\n\r?\n")
_MOST_OF_HEADERS = 64 * 1024
_QUOTED_ID = re.compile(rb"^[> \t]*+message-id:\s*+(<[!-;=?-~]{1,200}>)", re.IGNORECASE | re.MULTILINE)
"""The message id of a mail whose headers are quoted in another."""
_REPLY = re.compile(rb"^.*?\b([45])(?:\d\d|\.\d{1,3}\.\d{1,3})\b.*$", re.MULTILINE)
"""A line with a server's reply or status code (RFC 5321, 4.2; RFC 3463)."""
_MOST_IDS = 10
"""The most message ids read: a report is about one mail, whose id is among the first."""
_COMMENT = re.compile(r"\([^()]*\)")


class DeliveryReport(Struct, frozen=True):
    """A report that a mail has not arrived yet (`delayed`), or never will; with the server's words, if any.

    `ids` are the message ids, in angle brackets, of the mail it might be about; empty if it reports success.
    """

    ids: tuple[str, ...]
    delayed: bool = False
    words: str = ""


def parse_delivery_report(data: bytes, message: Message | None) -> DeliveryReport | None:
    """The delivery report in a mail; None if it is not one, or if its `message` cannot be read."""
    end = _END_OF_HEADERS.search(data, 0, _MOST_OF_HEADERS)
    if end is None:
        return None
    headers = parse_headers(data[: end.end()])
    if content_type(headers) == "multipart/report":
        matches = islice(_QUOTED_ID.finditer(data, end.end()), _MOST_IDS)
        ids = tuple(dict.fromkeys(match[1].decode() for match in matches))
        return _parse_standard_report(message, ids) if message else None
    if not _is_by_a_server(headers):
        return None
    return _parse_plain_report(data[end.end() :], "delay" in header(headers, "Subject").lower())


def is_automatic(message: Message) -> bool:
    """Whether a mail was sent automatically: it says so (RFC 3834, 5), or is from a mail server."""
    return _keyword(message, "Auto-Submitted") not in ("", "no") or _is_by_a_server(message)


def _is_by_a_server(message: Message) -> bool:
    """Whether a reply would reach nobody: the return path is empty, or a mail server's."""
    senders = [address.partition("@")[0].lower() for address in addresses(message, "From")]
    return header(message, "Return-Path") == "<>" or senders[:1] == ["mailer-daemon"]


def _parse_standard_report(message: Message, ids: tuple[str, ...]) -> DeliveryReport:
    """A machine-readable report; of several recipients, the worst result counts."""
    blocks = _blocks(message)
    for action in ("failed", "delayed"):
        for block in blocks:
            limits.check()
            if _keyword(block, "Action") == action:
                reply = header(block, "Diagnostic-Code").partition(";")[2] or header(block, "Status")
                return DeliveryReport(ids, action == "delayed", one_line(reply))
    return DeliveryReport(())


def _blocks(message: Message) -> Sequence[Message]:
    """The blocks of a report, one for each recipient (RFC 3464, 2)."""
    parts = message.get_payload()
    for part in parts if isinstance(parts, list) else ():
        if isinstance(part, Message) and content_type(part) == "message/delivery-status":
            blocks = part.get_payload()
            return [block for block in blocks if isinstance(block, Message)]  # none, if it has another form
    return ()


def _keyword(message: Message, name: str) -> str:
    """The keyword in a header, in lower case, without comments and parameters."""
    return _COMMENT.sub("", header(message, name)).partition(";")[0].strip().lower()


def _parse_plain_report(body: bytes, delayed: bool) -> DeliveryReport | None:
    """A report in prose: a server's reply, and below it the headers of a mail."""
    returned = _QUOTED_ID.search(body)
    reply = _REPLY.search(body, 0, returned.start()) if returned else None
    if returned is None or reply is None:
        return None
    words = one_line(reply[0].decode("utf-8", "replace"))
    return DeliveryReport((returned[1].decode(),), delayed or reply[1] == b"4", words)
