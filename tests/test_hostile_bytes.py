"""Whatever bytes a stranger sends, to whichever function that takes some: an answer, or an error of our own.

Each function meets each text that is hostile to parsers: deep, long, broken, in odd charsets, and honest
files and mails with such things in them. How long one may take is bounded too.
"""

from __future__ import annotations

import gzip
import io
import os
import time
import zipfile
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from pbem.cli.app import run
from pbem.core.phrases import split_orders
from pbem.correspondence.examiner import Examiner, examine_mail
from pbem.correspondence.fetch import fetch_mails
from pbem.correspondence.judge_mail import judge
from pbem.correspondence.mail_stages import IncomingMail
from pbem.correspondence.open_file import open_file
from pbem.correspondence.orders_by_reply import OrdersByReply
from pbem.correspondence.outbox import games_in_headers, parse_message_id
from pbem.correspondence.parse_incoming import read_games
from pbem.correspondence.problem_reply import find_problem
from pbem.correspondence.question_record import codes_in, make_code
from pbem.errors import PbemError, describe_unforeseen_error
from pbem.format.document import After, is_draft, parse_document, parse_draft, segment_bytes
from pbem.format.keys import PublicKey
from pbem.format.yaml_reader import parse_yaml, top_level_keys
from pbem.games import load
from pbem.mail import archives, armour, autoconfig
from pbem.mail.delivery_reports import is_automatic, parse_delivery_report
from pbem.mail.extract_reply import extract_reply, is_reply, own_words, words_within_quote
from pbem.mail.games_in_text import find_in_text, repaired_versions, to_ascii_punctuation
from pbem.mail.mailbox import Maildir
from pbem.mail.mime_decoding import (
    addresses,
    attachment_name,
    content_type,
    decode_charset,
    decode_transfer,
    header,
    html_to_text,
    parse_headers,
    transfer_encoding,
    type_parameter,
    unflow,
)
from pbem.mail.outgoing import is_by_pbem, language_wanted, reads_parts
from pbem.mail.parse_mail import (
    describe_parts,
    find_in_bytes,
    find_in_message,
    may_hold_a_game,
    own_texts,
    parse_all,
    parse_mail,
    parse_message,
    speaks_of_a_game,
    unsearched_mail,
)
from pbem.mail.server_access import one_line
from pbem.mail.settings import MailSettings
from pbem.player.actions.action import ActionContext
from pbem.player.actions.arm_plan import ArmPlan
from pbem.player.actions.parse_action import action_from_reply as read_act
from pbem.player.actions.parse_action import parse_reply_text
from pbem.player.plans import grammar as plan_words
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from pbem.umpire.offered_scenario import scenario_faults
from pbem.umpire.verify import open_game, parse_file, parse_log
from pbem.web.board_server import BoardServer, open_board
from pbem.web.html_file import is_own_page
from pbem.web.pages import BOARD_FUNCTIONS
from support.correspondents import ANNA, Correspondent, make_correspondents
from support.mail_answers import answer_mail, carry_out_mail, game_asking_anna, with_fixed_keys

pytestmark = pytest.mark.thorough

SECONDS = 12.0
"""Processor time that a text may take: the budget of a file, and what it takes to notice that it is spent."""

EVERY = 1 if os.environ.get("PBEM_LONG") else 14
"""Whether each text is tried, or of so many the first."""

DEEP, LONG = 60_000, 200_000

OUR_FAULT = str(describe_unforeseen_error(Exception())).removesuffix("Exception")
"""How the program begins to tell of what it did not foresee."""

ODD = ("utf-7", "utf-16", "utf-32-be", "iso-2022-jp", "hz", "idna", "punycode", "undefined", "rot13", "zip",
       "unicode_escape", "x" * 500, "\x00", "utf-8\u20ac", "ascii;", '"')  # fmt: skip


class Table(Struct):
    """A game that waits for Anna's orders, her home folder, a folder for strangers' files, and her board."""

    anna: Correspondent
    game: Game
    folder: Path
    board: BoardServer


def headed(*lines: str) -> bytes:
    """A mail with these headers, which seems to answer a letter and to hold a game."""
    top = ("Subject: Re: [pbem] Mortain", "To: anna@example.org", *lines)
    return ("\n".join(top) + "\n\npbem: 1\nlog: []\n").encode("utf-8", "surrogatepass")


def texts() -> Iterator[tuple[str, bytes]]:
    """Texts that are hostile whatever they are taken for."""
    yield "nothing", b""
    yield "zeros", bytes(LONG)
    yield "no UTF-8", b"\xff\xfe\xfa" * 1000 + b"pbem: 1\nlog: \xc3"
    yield "a surrogate", b"pbem: 1\nlog: \xed\xa0\x80\n"
    yield "invisible", ("\u200b\u2060\u202e\U000e0041" * 5000).encode()
    yield "marks", ("a" + "\u0301" * LONG).encode()
    yield "numbers", b"9" * LONG
    yield "escapes", b"\x1b]0;x\x07\x1b[2J" * 1000
    for one in "([{<\"'&*!|>-?:#%@`,=\\_~$;/":
        yield f"many {one}", one.encode() * DEEP
        yield f"many {one} with blanks", f"{one} ".encode() * (DEEP // 2)
        yield f"lines of {one}", f"{one}\n".encode() * (DEEP // 2)
    yield "deep lines", b"\n".join(b" " * n + b"a:" for n in range(500))
    yield "an alias bomb", b"a: &a [x]\n" + b"".join(b"b%d: &b%d [*a, *a]\n" % (n, n) for n in range(500))


def documents() -> Iterator[tuple[str, bytes]]:
    """Game files, drafts, parts of a log, pages and orders with something in them."""
    deep, long = "[" * DEEP + "]" * DEEP, "x" * LONG
    values = {"deep": deep, "long": f'"{long}"', "braces": "{a: " * 5000, "many": "[1,2],\n" * DEEP}
    for name, value in values.items():
        for key in ("pbem", "status", "board", "log", "after", "part", "orders", "scenario"):
            yield f"{key}: {name}", f"pbem: 1\n{key}: {value}\n".encode()
    yield (
        "a draft of deep orders",
        (f"pbem: 1\nafter: {{game: a, n: 1, id: b}}\npart: {{seat: axis, by: 0, orders: {deep}}}\n".encode()),
    )
    yield "a page", f"<!doctype html><html lang=en><body>{'<div>' * DEEP}pbem: 1\nlog: []".encode()
    yield "a page with data", b'<script type="application/json" id="game">' + b"[" * DEEP + b"</script>"
    yield "JSON", b'{"bound": ' + b"[" * DEEP
    yield "orders", ("\n".join(["move SPTD 1404"] * 3000)).encode()
    yield "one long order", ("move " + "SPTD " * 20_000).encode()
    yield "a plan", ("plan\n" + "when unit SPTD reduced\n" * 3000 + "do pass\n").encode()
    yield "a plan of percent", ("plan hold " + "9" * 5000 + "%").encode()
    yield "drafts", ("drafts " + "9" * 5000).encode()
    yield "a key", b"ssh-ed25519 " + b"A" * LONG


def mails() -> Iterator[tuple[str, bytes]]:
    """Mails whose headers and parts are hostile to parsers."""
    for name in ("From", "To", "Cc", "Subject", "References", "In-Reply-To", "Content-Type", "Return-Path",
                 "Content-Disposition", "Content-Transfer-Encoding", "Auto-Submitted", "Accept-Language",
                 "Precedence", "X-Pbem-Reads", "Date", "Message-ID"):  # fmt: skip
        for what in ("(" * DEEP, "((((" + "a" * 900, "<" * DEEP, '"' * 999, "=?utf-8?b?" * 900,
                     "=?utf-16?q?=00=D8?= <x@y>", "=?\x00?b?AA?=", ":;,@" * 5000, "a\n b" * 9000,
                     "[pbem] (" * 99, "\u20ac" * 999, "\udcff"):  # fmt: skip
            yield f"{name}: {what[:9]!r}", headed(f"{name}: {what}")
    for charset in ODD:
        yield f"charset {charset[:9]!r}", headed(f"Content-Type: text/plain; charset={charset}")
        yield f"a word in {charset[:9]!r}", headed(f"From: =?{charset}?b?AAEC/w==?= <anna@example.org>")
        yield (
            f"a file in {charset[:9]!r}",
            headed(f"Content-Disposition: attachment; filename*={charset}''%ff%00"),
        )
    for word in ("filename*0*=a;" * 300, "filename*999999999999999999999*=utf-8''x", "filename*=''"):
        yield f"a file's name {word[:12]}", headed(f"Content-Disposition: attachment; {word}")
    for kind in ("multipart/mixed", "multipart/report", "message/rfc822", "message/delivery-status"):
        yield f"{kind} without an end", headed(f'Content-Type: {kind}; boundary="{"x" * 999}"')
    yield (
        "parts in parts",
        b"Subject: [pbem]\n"
        + b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(2000)),
    )
    yield "mails in mails", b"Subject: [pbem]\n" + b"Content-Type: message/rfc822\n\n" * 3000
    status = b"--a\nContent-Type: message/delivery-status\n\n" + b"Action: failed\n\n" * 5000
    yield "a report", b"Content-Type: multipart/report; boundary=a\n\n" + status
    yield "an mbox", b"From x\nSubject: pbem\n\npbem: 1\n\n" * 3000
    yield "an mbox of beginnings", b"From \n\n" * 50_000


def packed() -> Iterator[tuple[str, bytes]]:
    """Archives and armoured blocks that are not what they say."""
    bomb = zlib.compress(b"pbem: 1\n" + bytes(40 * 2**20), 9)
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.yaml", b"pbem: 1\n" + bytes(20 * 2**20))
        archive.writestr("../../etc/passwd.yaml", b"pbem: 1\n" + b"[" * DEEP)
    data = zipped.getvalue()
    yield "zip", data
    yield "zip, cut", data[: len(data) // 2]
    yield "zip, no table", data.replace(b"PK\x01\x02", b"PK\x01\x03")
    yield "zip, another size", data.replace(b"\x08\x00", b"\xff\xff")
    yield "gzip", gzip.compress(b"pbem: 1\n" + bytes(40 * 2**20))
    yield "gzip of nothing", b"\x1f\x8b\x08" + b"\xff" * 40
    yield "winmail.dat", b"\x78\x9f\x3e\x22\x00\x00" + b"\x02\x0f\x80\x06\x00\xff\xff\xff\xff" * 500
    for size in (15 * 2**20, 40 * 2**20):
        head = f"{armour.BEGIN}\nlines 1, bytes {size}, sha256 {'0' * 32}\n"
        yield f"armour of {size} bytes", head.encode() + b64encode(bomb) + b"\n" + armour.END.encode()
    yield "armour of many", (f"{armour.BEGIN}\n" * 3000).encode()
    yield "uuencoded", b"pbem\nbegin 644 a.yaml\n" + b"M" * LONG + b"\n" * 1000
    yield "base64", b"cGJlbTog" * 20_000


HOSTILE = dict([*texts(), *documents(), *mails(), *packed()])


def text_of(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def each_header(_: Table, data: bytes) -> object:
    """All that is read of headers."""
    found = parse_headers(data)
    of_each = (header, addresses, type_parameter)
    names = ("From", "To", "Subject", "Content-Type", "charset", "References")
    read = [one(found, name) for one in of_each for name in names]
    read += [content_type(found), transfer_encoding(found), attachment_name(found)]
    return [*read, is_by_pbem(found), is_automatic(found), language_wanted(found), reads_parts(found)]


def a_mail(_: Table, data: bytes) -> object:
    """All that is read of a mail in one piece."""
    message = parse_message(data)
    return (
        own_texts(message),
        describe_parts(message),
        find_in_message(message),
        speaks_of_a_game(data, message),
    )


def opened(table: Table, data: bytes) -> object:
    """A file with these bytes, opened by the name of a page, and as a mail, mbox or game."""
    for name in ("stranger.yaml", "stranger.html"):
        (table.folder / name).write_bytes(data)
    with suppress(PbemError):
        open_file(table.anna.local_player, table.folder / "stranger.html")
    return open_file(table.anna.local_player, table.folder / "stranger.yaml")


def verified(table: Table, data: bytes) -> object:
    """The command, whose last defence must not be needed."""
    (table.folder / "stranger.yaml").write_bytes(data)
    said, complained = io.StringIO(), io.StringIO()
    with redirect_stdout(said), redirect_stderr(complained):
        rc = run(["verify", str(table.folder / "stranger.yaml")])
    assert rc in (0, 1)
    assert OUR_FAULT not in said.getvalue() + complained.getvalue()
    return rc


def fetched(table: Table, data: bytes) -> object:
    """What `fetch` and orders by reply make of a mail; none is set aside because of a fault of ours."""
    box = table.folder / "box"
    for part in ("new", "cur", "tmp"):
        (box / part).mkdir(parents=True, exist_ok=True)
    (box / "new" / f"{time.time_ns()}.host").write_bytes(data)
    replies = OrdersByReply(table.anna.local_player, MailSettings(address=ANNA), table.folder)
    with Maildir(box) as mails:
        arrivals = list(fetch_mails(table.anna.local_player, mails, table.folder, replies=replies))
    for arrival in arrivals:
        assert OUR_FAULT not in arrival.verdict.description + arrival.reply_result
    return arrivals


def answered(table: Table, data: bytes) -> object:
    """An answer with a good code, from the player himself."""
    game, anna = table.game, table.anna
    good = make_code(game, anna.local_player.key, len(game.entries) - 1, 1)
    mail = answer_mail("", f"In-Reply-To: <{good}.1f@pbem.invalid>").rstrip(b"\n") + b"\n\n" + data
    with Examiner(anna.local_player.home) as examiner:
        replies = OrdersByReply(anna.local_player, MailSettings(address=ANNA), table.folder)
        return carry_out_mail(replies, examiner, mail)


def an_act(table: Table, data: bytes) -> object:
    return read_act(
        ActionContext(table.anna.local_player, table.game),
        parse_reply_text(to_ascii_punctuation(text_of(data))),
    ).words


def a_plan(table: Table, data: bytes) -> object:
    lines = split_orders("plan " + to_ascii_punctuation(text_of(data)))
    return ArmPlan(ActionContext(table.anna.local_player, table.game), lines).words


def orders(table: Table, data: bytes) -> object:
    asked = permissions.unlock_state(table.game, table.anna.local_player.key).pending_question
    assert asked
    return table.game.rules.view.read_words(asked, split_orders(text_of(data)))


def raw_orders(table: Table, data: bytes) -> object:
    """Orders as they stand in a file."""
    asked = permissions.unlock_state(table.game, table.anna.local_player.key).pending_question
    assert asked
    value: Any = parse_yaml(data)
    return asked.read(value if isinstance(value, list) else [value])


def scenario(_: Table, data: bytes) -> object:
    return [scenario_faults(parse_yaml(data), load(name)) for name in ("mortain", "rommel")]


def behind(table: Table, data: bytes) -> object:
    """A part of a log whose entries are these bytes."""
    after = After(table.game.ids[0], 0, table.game.ids[0])
    return table.anna.local_player.complete_log(parse_file(segment_bytes(after, ()) + b"\n" + data))


def from_the_board(table: Table, data: bytes) -> object:
    """What a page asks of the program that serves it."""
    game = table.game.ids[0]
    return [table.board.pages.answer(f"{game}/{name}", data) for name in BOARD_FUNCTIONS]


TAKERS: dict[str, Callable[[Table, bytes], object]] = {
    "read_yaml": lambda _, data: parse_yaml(data),
    "keys_of": lambda _, data: list(top_level_keys(data)),
    "read_entries": lambda _, data: parse_document(parse_yaml(data)),
    "read_file": lambda _, data: parse_file(data),
    "read_log": lambda _, data: parse_log(data),
    "open_game": lambda _, data: open_game(data),
    "a part of a log": behind,
    "is_draft": lambda _, data: is_draft(data),
    "read_draft": lambda _, data: parse_draft(data),
    "an own scenario": scenario,
    "orders in a file": raw_orders,
    "a public key": lambda _, data: PublicKey.parse(text_of(data)),
    "the headers": each_header,
    "a mail": a_mail,
    "may_hold_a_game": lambda _, data: may_hold_a_game(data),
    "find_bytes": lambda _, data: find_in_bytes(data, "a file"),
    "find": lambda _, data: find_in_text(text_of(data), "a text"),
    "repaired": lambda _, data: list(repaired_versions(data)),
    "received": lambda _, data: parse_mail(data, "a mail"),
    "standard input": lambda _, data: list(parse_all(None, data)),
    "judge": lambda table, data: judge(table.anna.local_player, read_games(parse_mail(data, "a mail"))),
    "armour": lambda _, data: [armour.unpack(one) for one in armour.blocks(text_of(data))],
    "an archive": lambda _, data: [
        list(archives.files_in_archive(data, "", name, "x")) for name in ("a.zip", "a.gz")
    ],
    "winmail.dat": lambda _, data: list(archives.tnef_attachments(data)),
    "transfer": lambda _, data: [decode_transfer(data, one) for one in ("base64", "quoted-printable", "uue")],
    "charsets": lambda _, data: [decode_charset(data, one) for one in ODD],
    "layouts": lambda _, data: (html_to_text(text_of(data)), unflow(text_of(data), delete_blanks=True)),
    "a report": lambda _, data: parse_delivery_report(data, unsearched_mail(data, "a mail").message),
    "answers_a_letter": lambda _, data: is_reply(data, ANNA),
    "read_answer": lambda _, data: extract_reply(parse_message(data)),
    "own_words": lambda _, data: (own_words(text_of(data)), words_within_quote(text_of(data))),
    "codes": lambda _, data: (
        codes_in(text_of(data)),
        games_in_headers(text_of(data)),
        parse_message_id(text_of(data)),
    ),
    "an answer": answered,
    "an act": an_act,
    "a plan by answer": a_plan,
    "a plan's text": lambda _, data: plan_words.parse_plan(text_of(data), "the plan"),
    "typed orders": orders,
    "a problem's mail": lambda table, data: find_problem(
        table.anna.local_player, examine_mail(table.anna.local_player.home, IncomingMail("1", data)), "a mail"
    ),
    "fetch": fetched,
    "a file": opened,
    "verify": verified,
    "a page of ours": lambda _, data: is_own_page(data),
    "the board's requests": from_the_board,
    "what a domain says": lambda _, data: autoconfig.parse_autoconfig(data),
    "a server's words": lambda _, data: one_line(text_of(data)),
}


@contextmanager
def told(what: str) -> Iterator[None]:
    """Within, an exception that is not ours is told with the text that has caused it."""
    try:
        yield
    except PbemError:
        raise
    except Exception as error:
        pytest.fail(f"{what}: {type(error).__name__}: {str(error)[:200]}")


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    anna, bruno = with_fixed_keys(make_correspondents(tmp_path_factory.mktemp("players")))
    game = game_asking_anna(anna, bruno)
    board = open_board(anna.local_player, game, anna.file)
    yield Table(anna, game, tmp_path_factory.mktemp("folder"), board)
    board.server_close()


@pytest.mark.parametrize("name", TAKERS)
def test_only_errors_of_our_own(table: Table, name: str) -> None:
    before = table.anna.file.read_bytes()
    for what, data in list(HOSTILE.items())[::EVERY]:
        start = time.process_time()
        with suppress(PbemError), told(what):
            TAKERS[name](table, data)
        spent = time.process_time() - start
        assert spent < SECONDS, f"{what}: {spent:.1f} s"
    assert table.anna.file.read_bytes() == before
