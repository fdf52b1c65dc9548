"""How eight mail programs put an answer together: what is typed above the letter that they quote.

As the mails of each look that lie in mailboxes, cut down to what an answer is made of.
"""

from __future__ import annotations

import quopri
import textwrap
from base64 import encodebytes
from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType

from mail.clients import quote

PLAIN = "Content-Type: text/plain; charset=utf-8\n"
BIT8 = "Content-Transfer-Encoding: 8bit\n\n"
PAGE = "Content-Type: text/html; charset=utf-8\n"

_WROTE = {
    "en": "On Sun, 22 Nov 2026 at 12:00, pbem <anna@example.org> wrote:",
    "es": "El dom, 22 nov 2026 a las 12:00, pbem (<anna@example.org>) escribió:",
    "it": "Il giorno dom 22 nov 2026 alle ore 12:00 pbem <anna@example.org> ha scritto:",
    "de": "Am So., 22. Nov. 2026 um 12:00 Uhr schrieb pbem <anna@example.org>:",
}
_PHONE = {
    "en": "Sent from my iPhone",
    "es": "Enviado desde mi iPhone",
    "it": "Inviato da iPhone",
    "de": "Von meinem iPhone gesendet",
}
_OUTLOOK = {
    "en": ("From", "Sent"),
    "es": ("De", "Enviado"),
    "it": ("Da", "Inviato"),
    "de": ("Von", "Gesendet"),
}


def _gmail(words: str, letter: str, language: str) -> str:
    """In a browser: wrapped at 72, and the same as a page."""
    typed = "\n".join(textwrap.fill(line, 72, break_on_hyphens=False) for line in words.split("\n"))
    plain = f"{typed}\n\n{_WROTE[language]}\n\n{quote(letter)}"
    said = "".join(f"<div>{escape(line) or '<br>'}</div>" for line in words.split("\n"))
    page = (
        f'<div dir="ltr">{said}</div><br><div class="gmail_quote">'
        f'<div dir="ltr" class="gmail_attr">{escape(_WROTE[language])}<br></div>'
        f'<blockquote class="gmail_quote">{escape(letter)}</blockquote></div>'
    )
    return (
        'Content-Type: multipart/alternative; boundary="000a"\n\n'
        f"--000a\n{PLAIN}{BIT8}{plain}\n--000a\n{PAGE}{BIT8}{page}\n--000a--\n"
    )


def _outlook(words: str, letter: str, language: str) -> str:
    """On Windows: a page in base64, whose quote nothing marks but a header in the text."""
    by, at = _OUTLOOK[language]
    lines = (escape(line) or "&nbsp;" for line in words.split("\n"))
    said = "".join(f'<p class="MsoNormal">{line}</p>' for line in lines)
    page = (
        "<html><head><style>p.MsoNormal {margin: 0cm}</style></head><body>"
        f"{said}<div><p><b>{by}:</b> pbem &lt;anna@example.org&gt;<br><b>{at}:</b> 22.11.2026<br></p></div>"
        f"<p>{escape(letter)}</p></body></html>"
    )
    return f"{PAGE}Content-Transfer-Encoding: base64\n\n{encodebytes(page.encode()).decode()}"


def _thunderbird(words: str, letter: str, language: str) -> str:
    """Flowed: a blank at the end of a line that goes on (RFC 3676)."""
    typed = "\n".join(
        " \n".join(textwrap.wrap(line, 72, break_on_hyphens=False)) for line in words.split("\n")
    )
    kind = "Content-Type: text/plain; charset=UTF-8; format=flowed\n"
    return f"{kind}{BIT8}{typed}\n\n{_WROTE[language]}\n{quote(letter)}"


def _iphone(words: str, letter: str, language: str) -> str:
    """Quoted-printable, its own line below the words, non-breaking blanks and fine hyphens."""
    body = f"{words}\n\n{_PHONE[language]}\n\n> {_WROTE[language]}\n> \n{quote(letter)}"
    encoded = quopri.encodestring(body.encode()).decode()
    return f"{PLAIN}Content-Transfer-Encoding: quoted-printable\n\n{encoded}"


def _mutt(words: str, letter: str, language: str) -> str:
    """The editor wraps at 47, the signature stands below the quote."""
    typed = "\n".join(textwrap.fill(line, 47, break_on_hyphens=False) for line in words.split("\n"))
    return f"{PLAIN}{BIT8}{typed}\n\n{_WROTE[language]}\n{quote(letter)}\n-- \nAnna\nmove DF 1901\n"


def _below(words: str, letter: str, language: str) -> str:
    """Claws and others that put the cursor below the quote."""
    return f"{PLAIN}{BIT8}{_WROTE[language]}\n\n{quote(letter)}\n\n{words}\n"


def _into_the_quote(words: str, letter: str, language: str) -> str:
    """K-9 and others with whom one answers line by line."""
    first, _, rest = letter.partition("\n\n")
    return f"{PLAIN}{BIT8}{_WROTE[language]}\n{quote(first)}\n\n{words}\n\n{quote(rest)}"


def _roundcube(words: str, letter: str, language: str) -> str:
    """A web mailer: no text beside the page, and no quote at all."""
    lines = "<br />".join(escape(line) for line in words.split("\n"))
    return f"{PAGE}{BIT8}<!DOCTYPE html><html><body><p>{lines}</p></body></html>\n"


PROGRAMS: Mapping[str, Callable[[str, str, str], str]] = MappingProxyType(
    {
        "gmail": _gmail,
        "outlook": _outlook,
        "thunderbird": _thunderbird,
        "iphone": _iphone,
        "mutt": _mutt,
        "claws": _below,
        "k9": _into_the_quote,
        "roundcube": _roundcube,
    }
)
"""Each makes the headers of the content and the body, from the words, the letter and the language."""
