"""Make the corpus: mails as real clients, lists and people mangle them, from one short signed game.

    PYTHONPATH=tests python -m mail.corpus.make [FOLDER]

The files are named for their fault; cases.yaml says what must happen to each. The game is the beginning of an
example (whose keys everybody can compute) with one entry more, that has all that mail likes to spoil: quotes,
a colon, a hash sign, brackets, letters beyond ASCII, a line that may begin with `From `.
"""

from __future__ import annotations

import re
import sys
import zipfile
import zlib
from base64 import encodebytes
from binascii import b2a_uu
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from pbem.format.document import document_bytes
from pbem.format.entries import sign_entry
from pbem.format.keys import PrivateKey
from pbem.mail import armour
from pbem.player.store.game_file import board_text, status_fields
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game, parse_log
from support.mail_clients import (
    BOUNDARY,
    DISCLAIMER,
    FLOWED,
    GROUPS,
    HTML,
    MAILMAN,
    ORIGINAL,
    PHONE,
    SCRUBBED,
    attachment,
    cut_lines,
    flow,
    flow_anywhere,
    gmail_html,
    multipart,
    outlook_html,
    quote,
    quoted_printable,
    text_part,
    tnef,
    whole_mail,
    wrap_lines,
)

EXAMPLES = Path(__file__).parents[3] / "examples"

WORDS = (
    'Perché così tardi? "Già", dirai: hai ragione [e tanto] # scusa. '
    "I answer faster from now on, word of honour. "
    "From here to Avranches it is a long way – or is it? "
    "Lopadotemachoselachogaleokranioleipsanodrimhypotrimmatosilphiokarabomelitokatakechymenokichl!"
)
HELLO = "Ciao Andrea,\n\nhere is my move. Your turn!\n\nNicolò\n"


def key(name: str) -> PrivateKey:
    """The key of a player of the examples."""
    return PrivateKey(sha256(f"pbem example key of {name}".encode()).digest())


def file_of(game: Game) -> bytes:
    """A game as the file that is mailed."""
    return write.to_bytes(game, status_fields(game), board_text(game))


def beginning(name: str, entries: int) -> Game:
    """The first entries of an example."""
    log = parse_log((EXAMPLES / f"{name}.yaml").read_bytes())[:entries]
    return open_game(document_bytes({}, "", log))


def answered(game: Game, name: str, words: str) -> Game:
    """The game with the share that this player owes, and his words, as another program may write them."""
    share = write.play(game, key(name)).entries[-1].raw
    head = {part: share[part] for part in ("n", "by", "kind", "prev")}
    said = {**head, "at": "2026-03-04T10:00:00Z", "say": words, **share}
    entry = sign_entry({part: said[part] for part in said if part != "sig"}, key(name).sign)
    return open_game(document_bytes({}, "", [*game.entries, entry]))


OLDER = beginning("mortain-it-exits", 4)
NEWER = answered(OLDER, "Andrea D'Errico", WORDS)
FORGED = answered(OLDER, "Andrea D'Errico", "Forged.")
GAME, OLD, OTHER = file_of(NEWER), file_of(OLDER), file_of(beginning("mortain-es-resigns", 3))
TEXT = GAME.decode()
BLOCK = armour.enclose(GAME)


def spoilt(old: str, new: str, within: str = TEXT) -> str:
    """A text with one thing changed, which must be there."""
    assert old in within, old
    return within.replace(old, new, 1)


def attachments() -> Iterator[tuple[str, bytes]]:
    """The game attached, in all the ways of clients."""
    yield (
        "apple-mail-octet-stream.eml",
        whole_mail(
            multipart(
                text_part(HELLO),
                attachment(GAME, "application/octet-stream;\n\tx-unix-mode=0644"),
            )
        ),
    )
    twins = multipart(
        text_part(HELLO), text_part(gmail_html(HELLO), kind=HTML), kind="alternative", boundary="a1"
    )
    yield "gmail-web.eml", whole_mail(multipart(twins, attachment(GAME, "application/x-yaml")))
    yield (
        "outlook-odd-name.eml",
        whole_mail(multipart(text_part(HELLO), attachment(GAME, "application/octet-stream", "ATT00001.dat"))),
    )
    yield (
        "quoted-printable-long-name.eml",
        whole_mail(
            multipart(
                "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n"
                "Content-Disposition: attachment;\n filename*0*=utf-8''mort%C3%A0;\n"
                " filename*1*=in.yaml.txt\n\n" + quoted_printable(GAME)
            )
        ),
    )
    yield (
        "attachment-8bit.eml",
        whole_mail(multipart(text_part(TEXT, kind='yaml; charset=utf-8; name="mortain.yaml"'))),
    )
    yield (
        "attachment-in-windows-1252.eml",
        whole_mail(
            multipart(
                attachment(TEXT.replace("…", "...").replace("–", "-").encode("latin-1")),
                attachment(TEXT.encode("cp1252")),
            )
        ),
    )
    yield "attachment-utf-16.eml", whole_mail(multipart(text_part(HELLO), attachment(TEXT.encode("utf-16"))))
    yield (
        "attachment-bom-crlf.eml",
        whole_mail(multipart(text_part(HELLO), attachment(b"\xef\xbb\xbf" + GAME.replace(b"\n", b"\r\n")))),
    )
    yield (
        "attachment-double-base64.eml",
        whole_mail(multipart(text_part(HELLO), attachment(encodebytes(GAME)))),
    )
    yield (
        "winmail-dat.eml",
        whole_mail(multipart(text_part(HELLO), attachment(tnef(GAME), "application/ms-tnef", "winmail.dat"))),
    )
    yield (
        "same-twice.eml",
        whole_mail(multipart(text_part(HELLO + BLOCK), attachment(GAME), attachment(GAME, name="copy.yaml"))),
    )
    yield (
        "older-copy-quoted.eml",
        whole_mail(multipart(text_part(HELLO + quote(armour.enclose(OLD))), attachment(GAME))),
    )
    yield "newer-copy-pasted.eml", whole_mail(multipart(text_part(HELLO + TEXT), attachment(OLD)))
    broken = BLOCK.replace("\n", "\n\n[image removed]\n", 9)
    yield (
        "armour-damaged-attachment-whole.eml",
        whole_mail(multipart(text_part(HELLO + broken), attachment(GAME))),
    )
    yield (
        "huge-header.eml",
        whole_mail(multipart(text_part(HELLO), attachment(GAME)), f"X-Spam-Report: {'spam ' * 40_000}"),
    )
    for charset in ("idna", "punycode", "undefined"):
        yield f"charset-{charset}.eml", whole_mail(text_part(HELLO + TEXT, kind=f"plain; charset={charset}"))
    yield "parts-200-game-first.eml", whole_mail(multipart(attachment(GAME), *[text_part("x\n")] * 200))


def archived() -> Iterator[tuple[str, bytes]]:
    """The game packed with others, or in an encoding that is older than MIME."""
    photo = ("hill314.jpg", b"\xff\xd8\xff")
    yield "archive-zip.eml", with_archive(zipped(photo, ("mortain.yaml", GAME)), "mortain.zip")
    yield "archive-gzip.eml", with_archive(gzipped(GAME), "mortain.yaml.gz", "gzip")
    yield "uuencoded.eml", whole_mail(text_part(HELLO + uuencoded(GAME)))
    yield "uuencoded-quoted.eml", whole_mail(text_part("Eh?\n\n" + quote(HELLO + uuencoded(GAME))))
    encrypted = zipped(("mortain.yaml", GAME)).replace(b"PK\1\2\x14\3\x14\0\0", b"PK\1\2\x14\3\x14\0\1")
    yield "archive-encrypted.eml", with_archive(encrypted, "mortain.zip")
    yield "archive-in-archive.eml", with_archive(zipped(("mortain.zip", zipped(photo))), "mortain.zip")
    yield "archive-cut.eml", with_archive(zipped(("mortain.yaml", GAME))[:400], "mortain.zip")
    yield "archive-7z.eml", with_archive(b"7z\xbc\xaf\x27\x1c", "mortain.7z", "x-7z-compressed")


def with_archive(data: bytes, name: str, kind: str = "zip") -> bytes:
    """A mail with an archive."""
    return whole_mail(multipart(text_part(HELLO), attachment(data, f"application/{kind}", name)))


def zipped(*files: tuple[str, bytes]) -> bytes:
    """A zip archive, the same every time."""
    with BytesIO() as data:
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, file in files:
                info = zipfile.ZipInfo(name, (2026, 3, 4, 11, 2, 0))
                info.create_system = 3  # else it tells on which computer it was made
                archive.writestr(info, file, zipfile.ZIP_DEFLATED)
        return data.getvalue()


def gzipped(data: bytes) -> bytes:
    """A gzip file without a time. `gzip.compress` writes another byte for the system since Python 3.13."""
    return zlib.compress(data, 9, wbits=31)


def uuencoded(data: bytes) -> str:
    """A file in a text as bsd-mailx sends it."""
    lines = [b2a_uu(data[at : at + 45]).decode() for at in range(0, len(data), 45)]
    return f"begin 644 mortain.yaml\n{''.join(lines)}`\nend\n"


def armoured() -> Iterator[tuple[str, bytes]]:
    """The armoured block in the text."""
    yield "attachment-stripped-by-list.eml", whole_mail(text_part(HELLO + BLOCK + SCRUBBED + MAILMAN))
    yield "armour-quoted-twice.eml", whole_mail(text_part("Eh?\n\n" + quote(quote(HELLO + BLOCK), ">")))
    yield (
        "armour-wrapped-at-50.eml",
        whole_mail(
            text_part(HELLO + cut_lines(BLOCK, 50).replace(cut_lines(armour.BEGIN, 50), armour.BEGIN))
        ),
    )
    yield "armour-flowed.eml", whole_mail(text_part(flow(HELLO + BLOCK), kind=FLOWED))
    page = f"<html><body><p>Ciao!</p><p>{' '.join(BLOCK.split(chr(10)))}</p></body></html>\n"
    yield "armour-in-html-on-one-line.eml", whole_mail(text_part(page, kind=HTML))
    yield "armour-in-outlook-html.eml", whole_mail(text_part(outlook_html(HELLO + BLOCK), kind=HTML))
    yield "armour-smart-dashes.txt", (HELLO + BLOCK.replace("-----", "——-")).encode()
    signed = (
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{HELLO}{BLOCK.replace('-----', '- -----', 1)}"
    )
    yield (
        "armour-in-pgp-signed-text.eml",
        whole_mail(text_part(signed + "-----BEGIN PGP SIGNATURE-----\n\niQ==\n")),
    )
    yield "armour-tabs-and-blanks.txt", BLOCK.replace("\n", " \t\r\n\t").encode()


def forwarded() -> Iterator[tuple[str, bytes]]:
    """The mail with the game inside another."""
    inner = whole_mail(
        multipart(text_part(HELLO), attachment(GAME), boundary="inner"), subject="Mortain"
    ).decode()
    rfc822 = "Content-Type: message/rfc822\nContent-Disposition: attachment\n\n" + inner
    yield (
        "forwarded-as-attachment.eml",
        whole_mail(multipart(text_part("See below\n"), rfc822), subject="Fwd: Mortain"),
    )
    packed = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
    packed += encodebytes(inner.encode()).decode()
    yield (
        "forwarded-as-base64.eml",
        whole_mail(multipart(text_part("See below\n"), packed), subject="FW: Mortain"),
    )
    yield (
        "forwarded-as-eml-file.eml",
        whole_mail(
            multipart(
                text_part("See below\n"),
                attachment(inner.encode(), "application/octet-stream", "Re Mortain.eml"),
            )
        ),
    )
    yield (
        "forwarded-three-deep.eml",
        whole_mail(nested(nested(rfc822, "b2"), "b3"), subject="Fwd: Fwd: Fwd: Mortain"),
    )
    yield (
        "forwarded-inline-outlook.eml",
        whole_mail(text_part("FYI\n" + ORIGINAL + TEXT), subject="FW: Mortain"),
    )
    yield (
        "forwarded-inline-gmail-html.eml",
        whole_mail(
            text_part(
                gmail_html("---------- Forwarded message ---------\nDa: Nicolò\n\n" + TEXT),
                kind=HTML,
            )
        ),
    )
    digest = [
        f"Content-Type: message/rfc822\n\n{one}" for one in (whole_mail(text_part(HELLO)).decode(), inner)
    ]
    yield (
        "mailman-digest.eml",
        whole_mail(multipart(text_part(MAILMAN), multipart(*digest, kind="digest", boundary="d1"))),
    )


def nested(part: str, boundary: str) -> str:
    """A mail with that part, as a part."""
    return "Content-Type: message/rfc822\n\n" + whole_mail(multipart(part, boundary=boundary)).decode()


def pasted() -> Iterator[tuple[str, bytes]]:
    """The file itself in the text."""
    yield "wrapped-at-72.eml", whole_mail(text_part(HELLO + wrap_lines(TEXT, 72)))
    yield "wrapped-at-76.eml", whole_mail(text_part(HELLO + wrap_lines(TEXT, 76) + MAILMAN))
    yield "cut-at-76-columns.eml", whole_mail(text_part(HELLO + cut_lines(TEXT, 76)))
    yield (
        "quoted-then-wrapped.eml",
        whole_mail(text_part("Andrea wrote:\n" + wrap_lines(quote(TEXT), 72) + "\nWhat is this?\n")),
    )
    yield (
        "quoted-without-blank.eml",
        whole_mail(text_part("Andrea ha scritto:\n" + quote(TEXT, ">") + "\nWhat is this?\n")),
    )
    yield "quoted-three-times.eml", whole_mail(text_part(quote(quote(quote(TEXT), ">"), "| ")))
    yield "format-flowed.eml", whole_mail(text_part(flow(HELLO + TEXT), kind=FLOWED))
    yield (
        "format-flowed-delsp.eml",
        whole_mail(text_part(flow_anywhere(TEXT), kind=f"{FLOWED}; delsp=yes")),
    )
    yield "html-twin-only.eml", whole_mail(text_part(gmail_html(HELLO + TEXT + PHONE), kind=HTML))
    yield "outlook-html-only.eml", whole_mail(text_part(outlook_html(HELLO + TEXT + DISCLAIMER), kind=HTML))
    yield "non-breaking-blanks.txt", TEXT.replace("  ", "\u00a0 ").encode()
    yield "smart-quotes.txt", re.sub(r'"([^"]*)"', "“\\1”", TEXT).encode()
    yield (
        "smart-quotes-and-apostrophes.eml",
        whole_mail(
            text_part(
                re.sub(r'"([^"]*)"', "„\\1“", TEXT).replace("'", "’") + GROUPS, kind="plain; charset=utf-8"
            )
        ),
    )
    yield "crlf.txt", GAME.replace(b"\n", b"\r\n")
    yield "old-mac-cr.txt", (HELLO + TEXT).replace("\n", "\r").encode()
    yield "bom.txt", ("\ufeff" + HELLO + TEXT).encode()
    yield "utf-16.txt", (HELLO + TEXT).encode("utf-16")
    yield "double-encoded.txt", TEXT.encode().decode("latin-1").encode()
    yield (
        "double-encoded-windows.eml",
        whole_mail(
            text_part(TEXT.encode().decode("cp1252", "replace").replace("\ufffd", "\u00a0") + "\n" + BLOCK)
        ),
    )
    yield "wrong-charset.eml", whole_mail(text_part(HELLO + TEXT, kind="plain; charset=iso-8859-1"))
    yield "unknown-charset.eml", whole_mail(text_part(HELLO + TEXT, kind="plain; charset=x-unknown-8bit"))
    yield "quoted-printable-not-decoded.txt", (HELLO + quoted_printable(GAME)).encode()
    yield (
        "boundary-lost.eml",
        whole_mail(multipart(text_part(HELLO), attachment(GAME))).replace(BOUNDARY.encode(), b"other", 1),
    )
    yield "no-mime-headers.eml", f"From: Nicolò\nTo: Andrea\nSubject: Mortain\n\n{HELLO}{TEXT}".encode()
    yield "indented-by-four.txt", (HELLO + quote(TEXT, "    ") + PHONE).encode()
    yield "reply-header-in-front.txt", (ORIGINAL + TEXT).encode()
    yield "footer-mailman.eml", whole_mail(text_part(TEXT + MAILMAN))
    yield "footer-google-groups.eml", whole_mail(text_part(TEXT + GROUPS))
    yield "footer-exchange-disclaimer.eml", whole_mail(text_part(TEXT + DISCLAIMER))
    yield "footer-phone.eml", whole_mail(text_part(TEXT + PHONE))
    yield "answered-below.eml", whole_mail(text_part(TEXT + ORIGINAL + OLD.decode()))
    yield "from-escaped-by-relay.eml", whole_mail(text_part(spoilt(" From here", "\n>From here")))
    yield "trailing-blanks.txt", TEXT.replace("\n", "  \n").encode()
    yield (
        "map-spoilt.txt",
        re.sub(r"(?m)^  ( .*)$", "\\1", TEXT[: TEXT.index("log:")]).encode() + GAME[GAME.index(b"log:") :],
    )
    yield "cut-at-an-entry.txt", TEXT[: TEXT.index("  - n: 4")].encode()
    yield "apple-mail.emlx", apple(whole_mail(multipart(text_part(HELLO), attachment(GAME))))


def apple(data: bytes) -> bytes:
    """A mail as Apple Mail stores it."""
    return f"{len(data)}      \n".encode() + data + b'<?xml version="1.0"?>\n<plist version="1.0"/>\n'


def many() -> Iterator[tuple[str, bytes]]:
    """Several games, and several copies of one."""
    yield "two-games.eml", whole_mail(multipart(attachment(GAME), attachment(OTHER, name="second.yaml")))
    mails = [whole_mail(multipart(text_part(HELLO), attachment(one))) for one in (OLD, GAME, GAME)]
    lines = b"".join(b"From nicolo@example.org Wed Mar  4 11:02:13 2026\n" + one + b"\n" for one in mails)
    yield "one-game-three-mails.mbox", lines
    other = whole_mail(text_part(re.sub(r"(?m)^(>*From )", r">\1", OTHER.decode() + "\nFrom here on\n")))
    yield "two-games.mbox", lines + b"From begona@example.org Wed Mar  4 12:02:13 2026\n" + other
    yield (
        "forked.eml",
        whole_mail(multipart(attachment(GAME), attachment(file_of(FORGED), name="other.yaml"))),
    )
    yield "maildir/cur/1772618533.M1P7.host", mails[0]
    yield "maildir/new/1772618599.M2P7.host", mails[1]


def damaged() -> Iterator[tuple[str, bytes]]:
    """What cannot be read, or does not verify."""
    lines = BLOCK.splitlines(keepends=True)
    yield "armour-cut.eml", whole_mail(text_part(HELLO + "".join(lines[:12])))
    yield "armour-line-missing.eml", whole_mail(text_part(HELLO + "".join(lines[:9] + lines[10:])))
    yield (
        "armour-character-changed.eml",
        whole_mail(text_part(HELLO + "".join([*lines[:9], swapped(lines[9]), *lines[10:]]))),
    )
    yield (
        "armour-word-inside.eml",
        whole_mail(text_part(HELLO + "".join([*lines[:9], "[Quoted text hidden]\n", *lines[9:]]))),
    )
    yield "armour-first-line-changed.eml", whole_mail(text_part(HELLO + BLOCK.replace("sha256", "SHA-256")))
    yield "armour-beginning-lost.eml", whole_mail(text_part(HELLO + "".join(lines[5:])))
    whole = whole_mail(multipart(text_part(HELLO), attachment(GAME)))
    yield "attachment-cut.eml", whole[: len(whole) * 2 // 3]
    yield "attachment-stripped.eml", whole_mail(text_part(HELLO + SCRUBBED + MAILMAN))
    yield (
        "winmail-dat-cut.eml",
        whole_mail(
            multipart(
                text_part(HELLO),
                attachment(tnef(GAME)[:4000], "application/ms-tnef", "winmail.dat"),
            )
        ),
    )
    pgp = "Content-Type: application/pgp-encrypted\n\nVersion: 1\n"
    yield (
        "encrypted-pgp.eml",
        whole_mail(multipart(pgp, attachment(b"x", "application/octet-stream", "encrypted.asc"))),
    )
    yield (
        "encrypted-smime.eml",
        whole_mail(
            attachment(
                b"\x30\x80",
                "application/pkcs7-mime",
                "smime.p7m",
            )
        ),
    )
    yield "text-cut-in-an-entry.txt", TEXT[: TEXT.index("    position:")].encode()
    yield "text-character-changed.txt", spoilt("tedeschi", "tedeschy").encode()
    yield "text-line-missing.txt", re.sub(r"(?m)^  +at: .*\n(?=  +say: .*\n  +seat)", "", TEXT).encode()
    yield "text-beginning-lost.eml", whole_mail(text_part(HELLO + TEXT[TEXT.index("  - n: 1") :]))
    yield "indentation-lost.eml", whole_mail(text_part(re.sub(r"(?m)^ +", "", TEXT)))
    yield "newer-rules.eml", whole_mail(multipart(attachment(spoilt("mortain/1", "mortain/2").encode())))
    third = re.search(r'(?m)^    prev: "[0-9a-f]{64}"', OTHER.decode())
    assert third
    yield (
        "entry-of-another-game.eml",
        whole_mail(text_part(re.sub(r'(?m)^    prev: "[0-9a-f]{64}"', third[0], TEXT, count=1))),
    )
    yield "strangers-key.eml", whole_mail(multipart(attachment(under_another_key())))
    yield "deep-40-levels.eml", whole_mail(deep(40))
    yield "parts-200-game-last.eml", whole_mail(multipart(*[text_part("x\n")] * 200, attachment(GAME)))
    yield (
        "no-game.eml",
        whole_mail(multipart(text_part(HELLO), attachment(b"\xff\xd8\xff\xe0", "image/jpeg", "hill314.jpg"))),
    )
    yield "nothing.eml", b""
    yield "not-a-mail.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(range(256))
    yield "outlook.msg", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def swapped(line: str) -> str:
    """A line of base64 with its first letter changed."""
    return ("A" if line[0] != "A" else "B") + line[1:]


def under_another_key() -> bytes:
    """The game with its last entry signed anew by somebody else."""
    last = NEWER.entries[-1]
    return spoilt(str(last.raw["sig"]), key("Käthe Öztürk").sign(last.message)).encode()


def deep(levels: int) -> str:
    """Multiparts in multiparts, with the game innermost."""
    part = attachment(GAME)
    for level in range(levels):
        part = multipart(part, boundary=f"level{level}x")
    return part


def corpus() -> Iterator[tuple[str, bytes]]:
    """Every file: its name, and its bytes."""
    for group in (attachments, archived, armoured, forwarded, pasted, many, damaged):
        yield from group()


def main(folder: Path) -> None:
    """Write the corpus."""
    for name, data in corpus():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
