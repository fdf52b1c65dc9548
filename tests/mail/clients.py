"""How mail clients, lists and relays put a mail together, and what they do to a text on the way."""

from __future__ import annotations

import quopri
import re
import struct
import textwrap
from base64 import encodebytes
from html import escape

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
    """A part of text, as it stands (8bit)."""
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
    """Several parts: the type, and the body that belongs to it."""
    inside = "".join(f"--{boundary}\n{part.rstrip(chr(10))}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{inside}--{boundary}--\n'


def whole_mail(part: str, *more: str, subject: str = "Re: Mortain, mail 5") -> bytes:
    """A whole mail of one part, which may be a multipart."""
    return (head(*more, subject=subject) + part).encode()


def quote(body: str, mark: str = "> ") -> str:
    """A text as it is quoted in an answer."""
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in body.splitlines())


def wrap_lines(body: str, width: int) -> str:
    """Lines broken at blanks, as most clients do when they send."""
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
    """A text as `format=flowed` sends it: broken after blanks, which stay."""
    return "".join(space_stuff(re.findall(r" *[^ ].{1,64} (?=[^ ])|.+$", line)) for line in body.splitlines())


def flow_anywhere(body: str) -> str:
    """The same with `delsp=yes`: broken anywhere, a blank put there that does not count."""
    return "".join(
        space_stuff([line[at : at + 67] + " " * (at + 67 < len(line)) for at in range(0, len(line), 67)])
        for line in body.splitlines()
    )


def space_stuff(pieces: list[str]) -> str:
    """The lines of a flowed paragraph, with a blank before what would look like something else."""
    return "\n".join(f" {one}" if one.startswith((" ", ">", "From ")) else one for one in pieces) + "\n"


def gmail_html(body: str) -> str:
    """A text as Gmail's web page makes HTML of it."""
    lines = (
        escape(line, quote=True).replace("  ", "&nbsp; ").replace("  ", " &nbsp;")
        for line in body.splitlines()
    )
    lines = (re.sub(r"^ ", "&nbsp;", line) for line in lines)
    return '<div dir="ltr">' + "<br>\n".join(lines) + "</div>\n"


def outlook_html(body: str) -> str:
    """A text as Outlook makes HTML of it, with Word."""
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
