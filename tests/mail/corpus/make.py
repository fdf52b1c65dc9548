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

from mail.clients import (
    BOUNDARY,
    DISCLAIMER,
    FLOWED,
    GROUPS,
    HTML,
    MAILMAN,
    ORIGINAL,
    PHONE,
    SCRUBBED,
    attached,
    cut,
    flowed,
    flowed_anywhere,
    mail,
    multipart,
    printable,
    quoted,
    rich,
    text,
    tnef,
    word,
    wrapped,
)
from pbem.format.document import document_bytes
from pbem.format.entries import sign_entry
from pbem.format.keys import PrivateKey
from pbem.mail import armour
from pbem.player.store.game_file import board_text, status_fields
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game, parse_log

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
        mail(
            multipart(
                text(HELLO),
                attached(GAME, "application/octet-stream;\n\tx-unix-mode=0644"),
            )
        ),
    )
    twins = multipart(text(HELLO), text(rich(HELLO), kind=HTML), kind="alternative", boundary="a1")
    yield "gmail-web.eml", mail(multipart(twins, attached(GAME, "application/x-yaml")))
    yield (
        "outlook-odd-name.eml",
        mail(multipart(text(HELLO), attached(GAME, "application/octet-stream", "ATT00001.dat"))),
    )
    yield (
        "quoted-printable-long-name.eml",
        mail(
            multipart(
                "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n"
                "Content-Disposition: attachment;\n filename*0*=utf-8''mort%C3%A0;\n"
                " filename*1*=in.yaml.txt\n\n" + printable(GAME)
            )
        ),
    )
    yield "attachment-8bit.eml", mail(multipart(text(TEXT, kind='yaml; charset=utf-8; name="mortain.yaml"')))
    yield (
        "attachment-in-windows-1252.eml",
        mail(
            multipart(
                attached(TEXT.replace("…", "...").replace("–", "-").encode("latin-1")),
                attached(TEXT.encode("cp1252")),
            )
        ),
    )
    yield "attachment-utf-16.eml", mail(multipart(text(HELLO), attached(TEXT.encode("utf-16"))))
    yield (
        "attachment-bom-crlf.eml",
        mail(multipart(text(HELLO), attached(b"\xef\xbb\xbf" + GAME.replace(b"\n", b"\r\n")))),
    )
    yield "attachment-double-base64.eml", mail(multipart(text(HELLO), attached(encodebytes(GAME))))
    yield (
        "winmail-dat.eml",
        mail(multipart(text(HELLO), attached(tnef(GAME), "application/ms-tnef", "winmail.dat"))),
    )
    yield (
        "same-twice.eml",
        mail(multipart(text(HELLO + BLOCK), attached(GAME), attached(GAME, name="copy.yaml"))),
    )
    yield "older-copy-quoted.eml", mail(multipart(text(HELLO + quoted(armour.enclose(OLD))), attached(GAME)))
    yield "newer-copy-pasted.eml", mail(multipart(text(HELLO + TEXT), attached(OLD)))
    broken = BLOCK.replace("\n", "\n\n[image removed]\n", 9)
    yield "armour-damaged-attachment-whole.eml", mail(multipart(text(HELLO + broken), attached(GAME)))
    yield (
        "huge-header.eml",
        mail(multipart(text(HELLO), attached(GAME)), f"X-Spam-Report: {'spam ' * 40_000}"),
    )
    for charset in ("idna", "punycode", "undefined"):
        yield f"charset-{charset}.eml", mail(text(HELLO + TEXT, kind=f"plain; charset={charset}"))
    yield "parts-200-game-first.eml", mail(multipart(attached(GAME), *[text("x\n")] * 200))


def archived() -> Iterator[tuple[str, bytes]]:
    """The game packed with others, or in an encoding that is older than MIME."""
    photo = ("hill314.jpg", b"\xff\xd8\xff")
    yield "archive-zip.eml", with_archive(zipped(photo, ("mortain.yaml", GAME)), "mortain.zip")
    yield "archive-gzip.eml", with_archive(gzipped(GAME), "mortain.yaml.gz", "gzip")
    yield "uuencoded.eml", mail(text(HELLO + uuencoded(GAME)))
    yield "uuencoded-quoted.eml", mail(text("Eh?\n\n" + quoted(HELLO + uuencoded(GAME))))
    encrypted = zipped(("mortain.yaml", GAME)).replace(b"PK\1\2\x14\3\x14\0\0", b"PK\1\2\x14\3\x14\0\1")
    yield "archive-encrypted.eml", with_archive(encrypted, "mortain.zip")
    yield "archive-in-archive.eml", with_archive(zipped(("mortain.zip", zipped(photo))), "mortain.zip")
    yield "archive-cut.eml", with_archive(zipped(("mortain.yaml", GAME))[:400], "mortain.zip")
    yield "archive-7z.eml", with_archive(b"7z\xbc\xaf\x27\x1c", "mortain.7z", "x-7z-compressed")


def with_archive(data: bytes, name: str, kind: str = "zip") -> bytes:
    """A mail with an archive."""
    return mail(multipart(text(HELLO), attached(data, f"application/{kind}", name)))


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
    yield "attachment-stripped-by-list.eml", mail(text(HELLO + BLOCK + SCRUBBED + MAILMAN))
    yield "armour-quoted-twice.eml", mail(text("Eh?\n\n" + quoted(quoted(HELLO + BLOCK), ">")))
    yield (
        "armour-wrapped-at-50.eml",
        mail(text(HELLO + cut(BLOCK, 50).replace(cut(armour.BEGIN, 50), armour.BEGIN))),
    )
    yield "armour-flowed.eml", mail(text(flowed(HELLO + BLOCK), kind=FLOWED))
    page = f"<html><body><p>Ciao!</p><p>{' '.join(BLOCK.split(chr(10)))}</p></body></html>\n"
    yield "armour-in-html-on-one-line.eml", mail(text(page, kind=HTML))
    yield "armour-in-outlook-html.eml", mail(text(word(HELLO + BLOCK), kind=HTML))
    yield "armour-smart-dashes.txt", (HELLO + BLOCK.replace("-----", "——-")).encode()
    signed = (
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{HELLO}{BLOCK.replace('-----', '- -----', 1)}"
    )
    yield "armour-in-pgp-signed-text.eml", mail(text(signed + "-----BEGIN PGP SIGNATURE-----\n\niQ==\n"))
    yield "armour-tabs-and-blanks.txt", BLOCK.replace("\n", " \t\r\n\t").encode()


def forwarded() -> Iterator[tuple[str, bytes]]:
    """The mail with the game inside another."""
    inner = mail(multipart(text(HELLO), attached(GAME), boundary="inner"), subject="Mortain").decode()
    rfc822 = "Content-Type: message/rfc822\nContent-Disposition: attachment\n\n" + inner
    yield "forwarded-as-attachment.eml", mail(multipart(text("See below\n"), rfc822), subject="Fwd: Mortain")
    packed = "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
    packed += encodebytes(inner.encode()).decode()
    yield "forwarded-as-base64.eml", mail(multipart(text("See below\n"), packed), subject="FW: Mortain")
    yield (
        "forwarded-as-eml-file.eml",
        mail(
            multipart(
                text("See below\n"), attached(inner.encode(), "application/octet-stream", "Re Mortain.eml")
            )
        ),
    )
    yield (
        "forwarded-three-deep.eml",
        mail(nested(nested(rfc822, "b2"), "b3"), subject="Fwd: Fwd: Fwd: Mortain"),
    )
    yield "forwarded-inline-outlook.eml", mail(text("FYI\n" + ORIGINAL + TEXT), subject="FW: Mortain")
    yield (
        "forwarded-inline-gmail-html.eml",
        mail(
            text(
                rich("---------- Forwarded message ---------\nDa: Nicolò\n\n" + TEXT),
                kind=HTML,
            )
        ),
    )
    digest = [f"Content-Type: message/rfc822\n\n{one}" for one in (mail(text(HELLO)).decode(), inner)]
    yield (
        "mailman-digest.eml",
        mail(multipart(text(MAILMAN), multipart(*digest, kind="digest", boundary="d1"))),
    )


def nested(part: str, boundary: str) -> str:
    """A mail with that part, as a part."""
    return "Content-Type: message/rfc822\n\n" + mail(multipart(part, boundary=boundary)).decode()


def pasted() -> Iterator[tuple[str, bytes]]:
    """The file itself in the text."""
    yield "wrapped-at-72.eml", mail(text(HELLO + wrapped(TEXT, 72)))
    yield "wrapped-at-76.eml", mail(text(HELLO + wrapped(TEXT, 76) + MAILMAN))
    yield "cut-at-76-columns.eml", mail(text(HELLO + cut(TEXT, 76)))
    yield (
        "quoted-then-wrapped.eml",
        mail(text("Andrea wrote:\n" + wrapped(quoted(TEXT), 72) + "\nWhat is this?\n")),
    )
    yield (
        "quoted-without-blank.eml",
        mail(text("Andrea ha scritto:\n" + quoted(TEXT, ">") + "\nWhat is this?\n")),
    )
    yield "quoted-three-times.eml", mail(text(quoted(quoted(quoted(TEXT), ">"), "| ")))
    yield "format-flowed.eml", mail(text(flowed(HELLO + TEXT), kind=FLOWED))
    yield (
        "format-flowed-delsp.eml",
        mail(text(flowed_anywhere(TEXT), kind=f"{FLOWED}; delsp=yes")),
    )
    yield "html-twin-only.eml", mail(text(rich(HELLO + TEXT + PHONE), kind=HTML))
    yield "outlook-html-only.eml", mail(text(word(HELLO + TEXT + DISCLAIMER), kind=HTML))
    yield "non-breaking-blanks.txt", TEXT.replace("  ", "\u00a0 ").encode()
    yield "smart-quotes.txt", re.sub(r'"([^"]*)"', "“\\1”", TEXT).encode()
    yield (
        "smart-quotes-and-apostrophes.eml",
        mail(
            text(re.sub(r'"([^"]*)"', "„\\1“", TEXT).replace("'", "’") + GROUPS, kind="plain; charset=utf-8")
        ),
    )
    yield "crlf.txt", GAME.replace(b"\n", b"\r\n")
    yield "old-mac-cr.txt", (HELLO + TEXT).replace("\n", "\r").encode()
    yield "bom.txt", ("\ufeff" + HELLO + TEXT).encode()
    yield "utf-16.txt", (HELLO + TEXT).encode("utf-16")
    yield "double-encoded.txt", TEXT.encode().decode("latin-1").encode()
    yield (
        "double-encoded-windows.eml",
        mail(text(TEXT.encode().decode("cp1252", "replace").replace("\ufffd", "\u00a0") + "\n" + BLOCK)),
    )
    yield "wrong-charset.eml", mail(text(HELLO + TEXT, kind="plain; charset=iso-8859-1"))
    yield "unknown-charset.eml", mail(text(HELLO + TEXT, kind="plain; charset=x-unknown-8bit"))
    yield "quoted-printable-not-decoded.txt", (HELLO + printable(GAME)).encode()
    yield (
        "boundary-lost.eml",
        mail(multipart(text(HELLO), attached(GAME))).replace(BOUNDARY.encode(), b"other", 1),
    )
    yield "no-mime-headers.eml", f"From: Nicolò\nTo: Andrea\nSubject: Mortain\n\n{HELLO}{TEXT}".encode()
    yield "indented-by-four.txt", (HELLO + quoted(TEXT, "    ") + PHONE).encode()
    yield "reply-header-in-front.txt", (ORIGINAL + TEXT).encode()
    yield "footer-mailman.eml", mail(text(TEXT + MAILMAN))
    yield "footer-google-groups.eml", mail(text(TEXT + GROUPS))
    yield "footer-exchange-disclaimer.eml", mail(text(TEXT + DISCLAIMER))
    yield "footer-phone.eml", mail(text(TEXT + PHONE))
    yield "answered-below.eml", mail(text(TEXT + ORIGINAL + OLD.decode()))
    yield "from-escaped-by-relay.eml", mail(text(spoilt(" From here", "\n>From here")))
    yield "trailing-blanks.txt", TEXT.replace("\n", "  \n").encode()
    yield (
        "map-spoilt.txt",
        re.sub(r"(?m)^  ( .*)$", "\\1", TEXT[: TEXT.index("log:")]).encode() + GAME[GAME.index(b"log:") :],
    )
    yield "cut-at-an-entry.txt", TEXT[: TEXT.index("  - n: 4")].encode()
    yield "apple-mail.emlx", apple(mail(multipart(text(HELLO), attached(GAME))))


def apple(data: bytes) -> bytes:
    """A mail as Apple Mail stores it."""
    return f"{len(data)}      \n".encode() + data + b'<?xml version="1.0"?>\n<plist version="1.0"/>\n'


def many() -> Iterator[tuple[str, bytes]]:
    """Several games, and several copies of one."""
    yield "two-games.eml", mail(multipart(attached(GAME), attached(OTHER, name="second.yaml")))
    mails = [mail(multipart(text(HELLO), attached(one))) for one in (OLD, GAME, GAME)]
    lines = b"".join(b"From nicolo@example.org Wed Mar  4 11:02:13 2026\n" + one + b"\n" for one in mails)
    yield "one-game-three-mails.mbox", lines
    other = mail(text(re.sub(r"(?m)^(>*From )", r">\1", OTHER.decode() + "\nFrom here on\n")))
    yield "two-games.mbox", lines + b"From begona@example.org Wed Mar  4 12:02:13 2026\n" + other
    yield "forked.eml", mail(multipart(attached(GAME), attached(file_of(FORGED), name="other.yaml")))
    yield "maildir/cur/1772618533.M1P7.host", mails[0]
    yield "maildir/new/1772618599.M2P7.host", mails[1]


def damaged() -> Iterator[tuple[str, bytes]]:
    """What cannot be read, or does not verify."""
    lines = BLOCK.splitlines(keepends=True)
    yield "armour-cut.eml", mail(text(HELLO + "".join(lines[:12])))
    yield "armour-line-missing.eml", mail(text(HELLO + "".join(lines[:9] + lines[10:])))
    yield (
        "armour-character-changed.eml",
        mail(text(HELLO + "".join([*lines[:9], swapped(lines[9]), *lines[10:]]))),
    )
    yield (
        "armour-word-inside.eml",
        mail(text(HELLO + "".join([*lines[:9], "[Quoted text hidden]\n", *lines[9:]]))),
    )
    yield "armour-first-line-changed.eml", mail(text(HELLO + BLOCK.replace("sha256", "SHA-256")))
    yield "armour-beginning-lost.eml", mail(text(HELLO + "".join(lines[5:])))
    whole = mail(multipart(text(HELLO), attached(GAME)))
    yield "attachment-cut.eml", whole[: len(whole) * 2 // 3]
    yield "attachment-stripped.eml", mail(text(HELLO + SCRUBBED + MAILMAN))
    yield (
        "winmail-dat-cut.eml",
        mail(
            multipart(
                text(HELLO),
                attached(tnef(GAME)[:4000], "application/ms-tnef", "winmail.dat"),
            )
        ),
    )
    pgp = "Content-Type: application/pgp-encrypted\n\nVersion: 1\n"
    yield (
        "encrypted-pgp.eml",
        mail(multipart(pgp, attached(b"x", "application/octet-stream", "encrypted.asc"))),
    )
    yield (
        "encrypted-smime.eml",
        mail(
            attached(
                b"\x30\x80",
                "application/pkcs7-mime",
                "smime.p7m",
            )
        ),
    )
    yield "text-cut-in-an-entry.txt", TEXT[: TEXT.index("    position:")].encode()
    yield "text-character-changed.txt", spoilt("tedeschi", "tedeschy").encode()
    yield "text-line-missing.txt", re.sub(r"(?m)^  +at: .*\n(?=  +say: .*\n  +seat)", "", TEXT).encode()
    yield "text-beginning-lost.eml", mail(text(HELLO + TEXT[TEXT.index("  - n: 1") :]))
    yield "indentation-lost.eml", mail(text(re.sub(r"(?m)^ +", "", TEXT)))
    yield "newer-rules.eml", mail(multipart(attached(spoilt("mortain/1", "mortain/2").encode())))
    third = re.search(r'(?m)^    prev: "[0-9a-f]{64}"', OTHER.decode())
    assert third
    yield (
        "entry-of-another-game.eml",
        mail(text(re.sub(r'(?m)^    prev: "[0-9a-f]{64}"', third[0], TEXT, count=1))),
    )
    yield "strangers-key.eml", mail(multipart(attached(under_another_key())))
    yield "deep-40-levels.eml", mail(deep(40))
    yield "parts-200-game-last.eml", mail(multipart(*[text("x\n")] * 200, attached(GAME)))
    yield (
        "no-game.eml",
        mail(multipart(text(HELLO), attached(b"\xff\xd8\xff\xe0", "image/jpeg", "hill314.jpg"))),
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
    part = attached(GAME)
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
