"""A person's reply in a mail: the text above the quote, however their mail program writes it.

Quoted text is never taken for the person's own: lines with a quote mark, the quote block in HTML, and
everything below an attribution ("On ... wrote:"), below a header in the text as Outlook writes it, below our
own first line, or below a signature. Text below the quote counts if there is none above it and a blank line
comes before. Text within the quote counts if every quoted line is marked and a blank line comes before.
"""

from __future__ import annotations

import re
from email.message import Message

from msgspec import Struct

from pbem.base.limits import check, mail_budget
from pbem.lookalikes import plain_letters
from pbem.mail.delivery_reports import is_automatic
from pbem.mail.games_in_text import to_ascii_punctuation
from pbem.mail.mime_decoding import addresses, header, html_to_text, parse_headers
from pbem.mail.outgoing import is_by_pbem
from pbem.mail.parse_mail import own_texts
from pbem.texts import Texts

tr = Texts("pbem")

TYPED = ("now", "say")
"""The words in a reply that come before a colon, perhaps on a line of their own."""

PBEM_TAG = "[pbem]"
"""The beginning of the first line of a letter that can be replied to, and of each subject."""

OWN_ID_END = "@pbem.invalid>"
"""The end of our message ids."""

_MAX_TEXT = 20_000
"""The most characters of a text searched: a reply is at its beginning, or below one quoted letter."""

_MAX_HEADERS = 65_536
"""The most bytes of a mail in which its headers are searched."""

_MAX_PAGE = 400_000
"""The most characters of an HTML page searched: its styles come before its text."""

_LISTS = ("List-Id", "List-Post", "List-Unsubscribe", "X-Mailing-List", "Mailing-List")
_AUTOMATIC = ("X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Auto-Reply", "X-Loop", "X-Vacation")
_QUOTED = re.compile(r"[ \t]*[>|]")
_END = re.compile(
    r"""[ \t]*(?:
      \[pbem\]
    | --[ \t]*$
    | [_=*-]{5,}
    | -+[ ]?(?:original[ ]message|forwarded[ ]message|ursprüngliche[ ]nachricht|mensaje[ ]original
      |messaggio[ ]originale|message[ ]d'origine)
    | (?:sent|gesendet|verschickt|enviado|inviato|envoyé|verzonden)[ ](?:from|via|with|von|mit|desde
      |con|de|da|dal|depuis)\b
    | (?:von|diese[ ]nachricht[ ]wurde[ ]von)[ ]meinem?\b.*gesendet
    | (?:get|obtener|ottieni|descargar)[ ]outlook\b | outlook[ ]f(?:ür|or)\b
    | \*?(?:from|von|de|da|van)\*?:[ ].*[@\[<]
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""What ends a person's own text: our letter, a signature, a telephone's footer, another mail's header."""
_ATTRIBUTION = re.compile(
    r"[ \t]*(?:on|am|el|il|le|op|den|em)\b.*"
    r"(?:wrote|schrieb|escribió|scritto|écrit|schreef|escreveu)\b.*:[ \t]*$",
    re.IGNORECASE,
)
_ATTRIBUTION_BEGINS = re.compile(
    r"[ \t]*(?:on|am|el|il|le|op|den|em)\b.*[0-9]|.*\bwrote in[ \t]*$", re.IGNORECASE
)
"""The first line of an attribution that takes more than one line."""
_QUOTING_DIV = re.compile(
    r"""(?i)<div[^<>]*\b(?:class|id)=["']?(?:appendonsend|divRplyFwdMsg|ms-outlook-mobile-reference"""
    r"""|(?P<holds>gmail_quote|yahoo_quoted|moz-cite-prefix|protonmail_quote))\b"""
)
"""The beginning of a quote in HTML. In some programs it `holds` a block, and one can type before that."""
_INVISIBLE_TAGS = ("style", "script", "head", "title")
_STRUCK_TAGS = ("s", "strike", "del")
_STRUCK_STYLE = re.compile(r"(?i)\bline-through\b")
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)\b[^<>]*>")
_CELL = re.compile(r"(?i)</t[dh]\s*>\s*<t[dh]\b[^<>]*>")
_BLOCK = re.compile(r"(?i)<(/?)blockquote\b[^<>]*>")
_CODE_LIKE = re.compile(rb"(?i)[0-9a-f]{8}\.[0-9]{1,5}\.[0-9]{1,4}\.[a-z2-7]{24}")
"""Bytes in a mail that look like one of our codes; `correspondence/question_record.py` checks codes."""


class MailReply(Struct, frozen=True):
    """A mail as a reply: its claimed sender, and the text of the person who wrote it.

    `sender` is the only address in its From, empty if there is not exactly one. `automatic` says why a
    program might have written it, empty if there is no sign of that. `words` is the person's own text,
    `inside` the text they typed within the quote; `text` is everything, quotes included. `is_tied`: its
    headers say that it replies to one of our letters.
    """

    sender: str
    recipients: tuple[str, ...]
    threading: str
    automatic: str
    words: str
    inside: str
    text: str
    is_tied: bool = True


def may_be_reply(data: bytes, own: str) -> bool:
    """Whether to call `is_reply`, judging by the bytes only, without parsing."""
    headers = data[:_MAX_HEADERS].lower()
    traces = (b"pbem", b"=?", own.lower().encode())
    return any(trace in headers for trace in traces) or _holds_a_code(data)


def is_reply(data: bytes, own: str) -> bool:
    """Whether a mail might be a reply to one of our letters, and was not written by pbem.

    Its headers refer to a letter; or it is a new mail with a code in it, or from the player's `own` address.
    """
    end = re.search(rb"\r?\n\r?\n", data[:_MAX_HEADERS])
    headers = parse_headers(data[: end.end() if end else _MAX_HEADERS])
    if is_by_pbem(headers):
        return False
    if _is_tied(headers):
        return True
    return own.casefold() in map(str.casefold, addresses(headers, "From")) or _holds_a_code(data)


def _holds_a_code(data: bytes) -> bool:
    beginning = data[: _MAX_HEADERS + _MAX_TEXT].replace(b"=\r\n", b"").replace(b"=\n", b"")
    return _CODE_LIKE.search(beginning) is not None


def extract_reply(message: Message) -> MailReply:
    """Read a mail as a reply. Raises `OverBudget`."""
    with mail_budget():
        plain, page = own_texts(message)
        page, has_struck_out = _without_struck_out(_visible_html(page))
        if has_struck_out:  # in plain text it would look as if it were not struck out
            plain = ""
        page = _as_table_rows(page)
        quoteless = _mark_quotes_in_html(page) if page and not plain.strip() else ""
        text = plain if plain.strip() else html_to_text(page)
        senders = addresses(message, "From")
        return MailReply(
            sender=senders[0] if len(senders) == 1 else "",
            recipients=addresses(message, "To") + addresses(message, "Cc"),
            threading=_threading(message),
            automatic=_why_automatic(message),
            words=own_words(quoteless or text),
            inside=words_within_quote(quoteless or text),
            text=to_ascii_punctuation(text),
            is_tied=_is_tied(message),
        )


def _threading(message: Message) -> str:
    return " ".join(header(message, name) for name in ("In-Reply-To", "References"))


def _is_tied(message: Message) -> bool:
    """Whether a mail's headers say that it replies to one of our letters."""
    return OWN_ID_END in _threading(message) or PBEM_TAG in header(message, "Subject")


def own_words(text: str) -> str:
    """The text above the quote, or below it if there is none above; see the module's docstring."""
    lines = [line.rstrip() for line in to_ascii_punctuation(text[:_MAX_TEXT]).splitlines()]
    above = _lines_above_quote(lines)
    if not any(line.strip() for line in above):
        above = _lines_above_quote(_lines_below_quote(lines))
    return "\n".join(above).strip()


def words_within_quote(text: str) -> str:
    """The text between the marked lines of a quote, if a blank line comes before."""
    lines = [line.rstrip() for line in to_ascii_punctuation(text[:_MAX_TEXT]).splitlines()]
    marked = [number for number, line in enumerate(lines) if _QUOTED.match(line)]
    if not marked:
        return ""
    words: list[str] = []
    his = False
    for number in range(marked[0] + 1, marked[-1]):
        line = lines[number]
        if _END.match(line):
            break
        if not line:
            his = True
        elif _QUOTED.match(line):
            his = False
        elif his and not _is_attribution(lines, number):
            words.append(line)
    return "\n".join(words)


def _is_attribution(lines: list[str], number: int) -> bool:
    """Whether a line is the attribution of the quote below it."""
    line = lines[number]
    below = next((text for text in lines[number + 1 :] if text), "")
    return bool(
        _ATTRIBUTION.match(line) or (line.endswith(":") and not _is_keyword(line) and _QUOTED.match(below))
    )


def _lines_above_quote(lines: list[str]) -> list[str]:
    """The lines up to the first quote, signature or header of another mail."""
    for number, line in enumerate(lines):
        if _QUOTED.match(line) or _END.match(line) or _ATTRIBUTION.match(line):
            return _without_attribution(lines[:number])
    return lines


def _without_attribution(lines: list[str]) -> list[str]:
    """The lines without an attribution at their end, in any language."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not lines or not lines[-1].endswith(":") or _is_keyword(lines[-1]):
        return lines
    for many in (1, 2, 3):
        if many <= len(lines) and _ATTRIBUTION_BEGINS.match(lines[-many]):
            return lines[:-many]
    return lines[:-1]


def _is_keyword(line: str) -> bool:
    """Whether a line ending in a colon is one of our keywords, and so not an attribution."""
    word = plain_letters(line.strip().removesuffix(":").strip())
    return any(word in (keyword, *map(plain_letters, tr.typed(keyword))) for keyword in TYPED)


def _lines_below_quote(lines: list[str]) -> list[str]:
    """The lines below the last quoted one, if a blank line comes between; else they belong to it."""
    last = max((number for number, line in enumerate(lines) if _QUOTED.match(line)), default=None)
    if last is None or any(_END.match(line) and "[pbem]" in line for line in lines):
        return []
    rest = lines[last + 1 :]
    return rest if rest and not rest[0].strip() else []


def _mark_quotes_in_html(page: str) -> str:
    """The text of an HTML page, with a single marked line, between blank ones, for each quote."""
    quoting = _QUOTING_DIV.search(page)
    if quoting and not (quoting["holds"] and _BLOCK.search(page, quoting.end())):
        page = page[: quoting.start()]
    pieces, end, depth = [], 0, 0
    for tag in _BLOCK.finditer(page):
        if depth == 0:
            pieces.append(page[end : tag.start()])
        depth = max(depth - 1, 0) if tag[1] else depth + 1
        end = tag.end()
    pieces.append("" if depth else page[end:])
    return html_to_text("<br>&gt; <br><br>".join(pieces))


def _without_struck_out(page: str) -> tuple[str, bool]:
    """An HTML page without text that is struck out, and whether there was any."""
    pieces: list[str] = []
    end, depth, struck_by, found = 0, 0, "", False
    for tag in _TAG.finditer(page):
        check()
        closes, name = tag[1] == "/", tag[2].lower()
        if not depth:
            if closes or not (name in _STRUCK_TAGS or _STRUCK_STYLE.search(tag[0])):
                continue
            pieces.append(page[end : tag.start()])
            depth, struck_by, found = 1, name, True
        elif name == struck_by:  # only the tag that began it can end it
            depth += -1 if closes else 1
            end = tag.end()
    pieces.append("" if depth else page[end:])
    return "".join(pieces), found


def _as_table_rows(page: str) -> str:
    """An HTML page in which each row of a table is a line, with spaces between its cells."""
    return _CELL.sub(" ", page)


def _visible_html(page: str) -> str:
    """The visible part of an HTML page: no styles, scripts or comments. One pass for each of them."""
    page = page[:_MAX_PAGE]
    for begin, end in (*((rf"<{name}\b", rf"</{name}\s*>") for name in _INVISIBLE_TAGS), ("<!--", "-->")):
        first, *others = re.split(f"(?i){begin}", page)
        rests = (re.split(f"(?i){end}", other, maxsplit=1) for other in others)
        page = first + "".join(rest[1] for rest in rests if len(rest) == 2)
    return page


def _why_automatic(message: Message) -> str:
    """The sign that a mail is not from a person, or not to one person; empty if there is none."""
    if is_automatic(message) or any(name in message for name in _AUTOMATIC):
        return tr("a program sent it automatically")
    if any(name in message for name in _LISTS):
        return tr("it arrived through a mailing list")
    if header(message, "Precedence").lower() in ("bulk", "list", "junk", "auto_reply"):
        return tr("it is marked as bulk mail")
    return ""
