"""How mail programs, lists and relays build a mail, and what they do to a text on the way.

`PROGRAMS` are eight programs, reduced to how each makes a reply: the typed text, and the letter it quotes.
"""

from __future__ import annotations

import quopri
import re
import struct
import textwrap
from base64 import encodebytes
from collections.abc import Callable, Mapping
from html import escape
from types import MappingProxyType

BOUNDARY = "----=_Part_7_1850"
HTML = "html; charset=utf-8"
FLOWED = "plain; charset=utf-8; format=flowed"

ORIGINAL = (
    "\n-----Original Message-----\nFrom: Nicolò Bianchi\nSent: Wednesday, 4 March 2026 11:02\n"
    "To: Andrea\nSubject: Mortain\n\n"
)
MAILMAN = (
    "_______________________________________________\nMortain mailing list\nMortain@lists.example.org\n"
    "https://lists.example.org/mailman/listinfo/mortain\n"
)
SCRUBBED = (
    "-------------- next part --------------\nA non-text attachment was scrubbed...\nName: mortain.yaml\n"
    "Type: application/yaml\nSize: 10240 bytes\nDesc: not available\n"
    "URL: <http://lists.example.org/pipermail/mortain/attachments/20260304/7f/attachment.bin>\n"
)
GROUPS = (
    '\n-- \nYou received this message because you are subscribed to the Google Groups "Mortain" group.\n'
    "To unsubscribe from this group, send an email to mortain+unsubscribe@example.org.\n"
)
DISCLAIMER = (
    "\nCONFIDENTIALITY: this e-mail and its attachments are for the addressee only. If you have\n"
    "received it in error, delete it. Questo messaggio è riservato.\n"
)
PHONE = "\nSent from my iPhone\n"


def head(*more: str, subject: str = "Re: Mortain, mail 5") -> str:
    """The headers of a mail."""
    lines = (
        "From: =?utf-8?Q?Nicol=C3=B2_Bianchi?= <nicolo@example.org>",
        "To: Andrea D'Errico <andrea@example.org>",
        f"Subject: {subject}",
        "Date: Wed, 4 Mar 2026 11:02:13 +0100",
        "Message-ID: <20260304110213.7@example.org>",
        "MIME-Version: 1.0",
        *more,
    )
    return "".join(f"{line}\n" for line in lines)


def text_part(body: str, *, kind: str = "plain; charset=utf-8", more: str = "") -> str:
    """A text part as it is (8bit)."""
    return f"Content-Type: text/{kind}\nContent-Transfer-Encoding: 8bit\n{more}\n{body}"


def attachment(
    data: bytes, kind: str = 'application/yaml; name="mortain.yaml"', name: str = "mortain.yaml"
) -> str:
    """An attachment in base64."""
    return (
        f'Content-Type: {kind}; name="{name}"\nContent-Transfer-Encoding: base64\n'
        f'Content-Disposition: attachment; filename="{name}"\n\n{encodebytes(data).decode()}'
    )


def multipart(*parts: str, kind: str = "mixed", boundary: str = BOUNDARY) -> str:
    """Several parts: the type, and the matching body."""
    inside = "".join(f"--{boundary}\n{part.rstrip(chr(10))}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{inside}--{boundary}--\n'


def whole_mail(part: str, *more: str, subject: str = "Re: Mortain, mail 5") -> bytes:
    """A whole mail with one part, which can be a multipart."""
    return (head(*more, subject=subject) + part).encode()


def quote(body: str, mark: str = "> ") -> str:
    """A text as quoted in a reply."""
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in body.splitlines())


def wrap_lines(body: str, width: int) -> str:
    """Lines broken at spaces, as most mail programs do when they send."""
    return "".join(
        "\n".join(textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)) + "\n"
        for line in body.splitlines()
    )


def cut_lines(body: str, width: int) -> str:
    """Lines cut at a column, wherever that is."""
    return "".join(
        f"{line[at : at + width]}\n"
        for line in body.splitlines()
        for at in range(0, max(len(line), 1), width)
    )


def flow(body: str) -> str:
    """A text as `format=flowed` sends it: broken after spaces, which stay."""
    return "".join(space_stuff(re.findall(r" *[^ ].{1,64} (?=[^ ])|.+$", line)) for line in body.splitlines())


def flow_anywhere(body: str) -> str:
    """A text as `delsp=yes` sends it: broken anywhere, with an inserted space that does not count."""
    return "".join(
        space_stuff([line[at : at + 67] + " " * (at + 67 < len(line)) for at in range(0, len(line), 67)])
        for line in body.splitlines()
    )


def space_stuff(pieces: list[str]) -> str:
    """The lines of a flowed paragraph, with a space before any that would look like something else."""
    return "\n".join(f" {one}" if one.startswith((" ", ">", "From ")) else one for one in pieces) + "\n"


def gmail_html(body: str) -> str:
    """A text as Gmail's web page turns it into HTML."""
    lines = (
        escape(line, quote=True).replace("  ", "&nbsp; ").replace("  ", " &nbsp;")
        for line in body.splitlines()
    )
    lines = (re.sub(r"^ ", "&nbsp;", line) for line in lines)
    return '<div dir="ltr">' + "<br>\n".join(lines) + "</div>\n"


def outlook_html(body: str) -> str:
    """A text as Outlook turns it into HTML, with Word."""
    lines = (escape(line, quote=False).replace("  ", "&nbsp;&nbsp;") for line in body.splitlines())
    paragraph = "<p class=MsoNormal><span lang=IT>{}<o:p></o:p></span></p>\n"
    page = "".join(paragraph.format(line or "&nbsp;") for line in lines)
    style = "<style>p.MsoNormal\n{margin:0cm;}</style>"
    return f"<html><head>{style}</head><body lang=IT>\n{page}</body></html>\n"


def quoted_printable(data: bytes) -> str:
    """Quoted-printable."""
    return quopri.encodestring(data).decode()


def tnef(data: bytes) -> bytes:
    """winmail.dat with one attachment, after the attributes that always come first."""
    version, codepage = (1, 0x00089006, b"\0\0\1\0"), (1, 0x00069007, b"\xe4\x04\0\0\0\0\0\0")
    body = b"".join(
        struct.pack("<BII", level, kind, len(value)) + value + struct.pack("<H", sum(value) & 0xFFFF)
        for level, kind, value in (version, codepage, (2, 0x0006800F, data))
    )
    return struct.pack("<IH", 0x223E9F78, 1) + body


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
    """In a browser: wrapped at 72, with the same as HTML."""
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
    """On Windows: HTML in base64, whose quote is marked only by a header in the text."""
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
    """Flowed: a space at the end of a line that continues (RFC 3676)."""
    typed = "\n".join(
        " \n".join(textwrap.wrap(line, 72, break_on_hyphens=False)) for line in words.split("\n")
    )
    kind = "Content-Type: text/plain; charset=UTF-8; format=flowed\n"
    return f"{kind}{BIT8}{typed}\n\n{_WROTE[language]}\n{quote(letter)}"


def _iphone(words: str, letter: str, language: str) -> str:
    """Quoted-printable, its own line below the words, non-breaking spaces and typographic hyphens."""
    body = f"{words}\n\n{_PHONE[language]}\n\n> {_WROTE[language]}\n> \n{quote(letter)}"
    encoded = quopri.encodestring(body.encode()).decode()
    return f"{PLAIN}Content-Transfer-Encoding: quoted-printable\n\n{encoded}"


def _mutt(words: str, letter: str, language: str) -> str:
    """The editor wraps at 47, and the signature is below the quote."""
    typed = "\n".join(textwrap.fill(line, 47, break_on_hyphens=False) for line in words.split("\n"))
    return f"{PLAIN}{BIT8}{typed}\n\n{_WROTE[language]}\n{quote(letter)}\n-- \nAnna\nmove DF 1901\n"


def _below(words: str, letter: str, language: str) -> str:
    """Claws and others that put the cursor below the quote."""
    return f"{PLAIN}{BIT8}{_WROTE[language]}\n\n{quote(letter)}\n\n{words}\n"


def _into_the_quote(words: str, letter: str, language: str) -> str:
    """K-9 and others where people answer line by line."""
    first, _, rest = letter.partition("\n\n")
    return f"{PLAIN}{BIT8}{_WROTE[language]}\n{quote(first)}\n\n{words}\n\n{quote(rest)}"


def _roundcube(words: str, letter: str, language: str) -> str:
    """A web mailer: no text beside the HTML, and no quote at all."""
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
"""Each returns the headers of the content and the body, from the words, the letter and the language."""
