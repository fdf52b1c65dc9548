"""What a person answers is found in whatever his mail program makes of it; what he quotes never is taken."""

from __future__ import annotations

import quopri
from base64 import encodebytes

import pytest

from pbem.mail.extract_reply import MailReply, extract_reply, is_reply, own_words, words_within_quote
from pbem.mail.parse_mail import parse_message
from pbem.texts import Texts
from support.mail_clients import DISCLAIMER, FLOWED, GROUPS, HTML, PHONE, head, multipart, text_part

LETTER = "[pbem] Your move: JS: activate one unit, or pass (M3.4).\n\nCode: 0f3a9c12.57.2.abc\n  pass\n"
QUOTED = "".join(f"> {line}\n" for line in LETTER.split("\n"))
ME = "nicolo@example.org"
ORDERS = "move 2SS-A 1803\nfire DF 2SS-B at 117Inf"

WROTE = {
    "gmail, Italian": "Il giorno dom 22 nov 2026 alle ore 12:00 pbem <a@b.org> ha scritto",
    "gmail, Italian, in two lines": "Il giorno dom 22 nov 2026 alle ore 12:00 pbem <a@b.org>\nha scritto",
    "gmail, German": "Am So., 22. Nov. 2026 um 12:00 Uhr schrieb pbem <a@b.org>",
    "gmail, German, in two lines": "Am So., 22. Nov. 2026 um 12:00 Uhr schrieb pbem <\na@b.org>",
    "gmail, Spanish, in two lines": "El dom, 22 nov 2026 a las 12:00, pbem (<a@b.org>)\nescribió",
}
WROTE_FROM_A_TELEPHONE = {
    "iphone, Italian": "Inviato da iPhone\n\n> Il giorno 22 nov 2026, alle ore 12:00, Anna ha scritto",
    "iphone, Spanish": "Enviado desde mi iPhone\n\n> El 22 nov 2026, a las 12:00, pbem <a@b.org> escribió",
    "apple, German": "> Am 22.11.2026 um 12:00 schrieb pbem <a@b.org>",
}

ABOVE = {
    "nothing quoted": ORDERS,
    "gmail": f"{ORDERS}\n\nOn Sun, 22 Nov 2026 at 12:00, pbem <a@b.org> wrote:\n\n{QUOTED}",
    "gmail, no blank line": f"{ORDERS}\nOn Sun, 22 Nov 2026 at 12:00, pbem <a@b.org> wrote:\n{QUOTED}",
    "gmail, in two lines": f"{ORDERS}\n\nOn Sun, 22 Nov 2026 at 12:00, pbem\n<a@b.org> wrote:\n\n{QUOTED}",
    "gmail, Spanish": f"{ORDERS}\n\nEl dom, 22 nov 2026 a las 12:00, pbem (<a@b.org>) escribió:\n\n{QUOTED}",
    "thunderbird, German": f"{ORDERS}\n\nAm 22.11.2026 um 12:00 schrieb pbem:\n{QUOTED}",
    "thunderbird, Italian": f"{ORDERS}\n\nIl 22/11/2026 12:00, pbem ha scritto:\n{QUOTED}",
    **{name: f"{ORDERS}\n\n{who}:\n\n{QUOTED}" for name, who in WROTE.items()},
    **{name: f"{ORDERS}\n\n{who}:\n> \n{QUOTED}" for name, who in WROTE_FROM_A_TELEPHONE.items()},
    "outlook, Spanish": f"{ORDERS}\n\nDe: pbem <a@b.org>\nEnviado: domingo, 22 de noviembre\n\n{LETTER}",
    "outlook, Italian": f"{ORDERS}\n\nDa: pbem <a@b.org>\nInviato: domenica 22 novembre\n\n{LETTER}",
    "a language that is not known": f"{ORDERS}\n\npbem kirjoitti 22.11.2026 klo 12.00:\n{QUOTED}",
    "s-nail": f"{ORDERS}\n\npbem wrote in\n <0f3a@pbem.invalid>:\n" + QUOTED.replace("> ", " |"),
    "mutt": f"{ORDERS}\n\nOn Sun, Nov 22, 2026 at 12:00AM, Anna wrote:\n{QUOTED}\n> Code\n\n\n-- \nAnna\n",
    "iphone": f"{ORDERS}\n\nSent from my iPhone\n\n> On 22 Nov 2026, pbem <a@b.org> wrote:\n> \n{QUOTED}",
    "iphone, German": f"{ORDERS}\n\nVon meinem iPhone gesendet\n\n{QUOTED}",
    "android, Spanish": f"{ORDERS}\n\nEnviado desde mi Samsung Galaxy\n{LETTER}",
    "outlook": f"{ORDERS}\n\n-----Original Message-----\nFrom: pbem\nSent: Sunday\nTo: Anna\n\n{LETTER}",
    "outlook on a telephone": f"{ORDERS}\n\nGet Outlook for iOS<https://aka.ms/x>\n{'_' * 32}\n{LETTER}",
    "outlook, a header alone": f"{ORDERS}\n\nVon: pbem <anna@example.org>\nGesendet: Sonntag\n\n{LETTER}",
    "quoted by nothing at all": f"{ORDERS}\n\n{LETTER}",
    "signature": f"{ORDERS}\n\n-- \nAnna\nmove DF 1901\n",
    "signature that lost its blank": f"{ORDERS}\n--\nAnna\n",
    "telephone": f"{ORDERS}\n{PHONE}",
    "list's footer": f"{ORDERS}\n{GROUPS}",
    "below the quote": f"On 22 Nov 2026, pbem <a@b.org> wrote:\n{QUOTED}\n{ORDERS}\n\n-- \nAnna\n",
    "below, nobody said to have written": f"{QUOTED}\n\n{ORDERS}\n",
    "non-breaking and invisible blanks": ORDERS.replace(" ", "\u00a0").replace("\n", "\u200b\n")
    + f"\n\n{QUOTED}",
    "old line ends": f"{ORDERS}\n\n{QUOTED}".replace("\n", "\r"),
}

NOTHING = {
    "a quote alone": QUOTED,
    "a letter alone": LETTER,
    "what a wrapped quote leaves at the edge": f"{QUOTED}pass\n",
    "a disclaimer": f"\n{QUOTED}-- \n{DISCLAIMER}",
    "below a letter without quote marks": f"{LETTER}\n\npass\n",
    "who wrote, alone": f"On Sun, 22 Nov 2026 at 12:00, pbem wrote:\n\n{QUOTED}",
}


def reply_in(mail: bytes) -> MailReply:
    return extract_reply(parse_message(mail))


@pytest.mark.parametrize("name", ABOVE)
def test_his_own_words(name: str) -> None:
    assert own_words(ABOVE[name]) == ORDERS


@pytest.mark.parametrize("name", NOTHING)
def test_what_he_quotes_is_not_his(name: str) -> None:
    assert own_words(NOTHING[name]) == ""


def test_now_stands_above_a_quote() -> None:
    assert own_words(f"now:\n\n{QUOTED}") == "now:"


def test_so_does_the_players_own_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Texts, "typed", lambda self, word: ("Später", "jetzt") if word == "now" else ())
    assert own_words(f"jetzt:\n\n{QUOTED}") == "jetzt:"
    assert own_words(f"Spater :\n\n{QUOTED}") == "Spater :"
    assert own_words(f"nunc:\n\n{QUOTED}") == ""


def test_quotes_and_dashes_as_on_a_keyboard() -> None:
    assert own_words("say: \u201cwell\u201d \u2013 it\u2019s over") == 'say: "well" - it\'s over'


def test_what_a_keyboard_has_not() -> None:
    """Hyphens that do not break, a minus, wide digits and letters, quotes of other languages."""
    typed = "move 2SS\u2011A \uff11\uff18\uff10\uff13\nfire 2SS\u2212B at 2SS\u2010A\nsay: \u00abhola\u00bb"
    assert own_words(typed) == 'move 2SS-A 1803\nfire 2SS-B at 2SS-A\nsay: "hola"'


INSIDE = {
    "below a quoted line": f"{QUOTED}\npass\n\n{QUOTED}",
    "between two of one thread": f"Hi\n\nOn Sunday pbem wrote:\n> Anna wrote:\n>> old\n\npass\n\n{QUOTED}",
    "who wrote the next is said": f"{QUOTED}\npass\n\nOn Sunday pbem wrote:\n{QUOTED}",
}
NOT_INSIDE = {
    "what a wrapped quote leaves at the edge": f"{QUOTED}pass\n{QUOTED}",
    "below a signature": f"{QUOTED}\n-- \npass\n\n{QUOTED}",
    "quoted without marks": f"{LETTER}\n\npass\n\n{LETTER}",
    "below the quote, where more stands above": f"resign\n\n{QUOTED}\npass\n",
}


@pytest.mark.parametrize("name", INSIDE)
def test_what_is_typed_into_a_quote(name: str) -> None:
    assert words_within_quote(INSIDE[name]) == "pass"


@pytest.mark.parametrize("name", NOT_INSIDE)
def test_what_may_be_quoted_is_not_typed(name: str) -> None:
    assert words_within_quote(NOT_INSIDE[name]) == ""


def test_what_is_typed_into_a_page() -> None:
    """As Gmail parts a quote, and with a quote within."""
    page = (
        '<div>Hi</div><div class="gmail_quote"><div class="gmail_attr">On Sun pbem wrote:<br></div>'
        "<blockquote>[pbem] Your move<blockquote>older</blockquote>resign</blockquote></div>"
        "<div>pass</div><blockquote>Code: x</blockquote>"
    )
    answer = reply_in((head("Content-Type: text/html; charset=utf-8") + "\n" + page).encode())
    assert (answer.words, answer.inside) == ("Hi", "pass")


PAGES = {
    "gmail": f'<div dir="ltr">move 2SS-A 1803<br>fire DF 2SS-B at 117Inf</div><br><div class="gmail_quote">'
    f"<div>On Sun pbem wrote:<br></div><blockquote>{LETTER}</blockquote></div>",
    "outlook": "<html><head><style>p {margin: 0}</style></head><body><p>move 2SS-A&nbsp;1803</p>"
    '<p>fire DF 2SS-B at 117Inf</p><div id="divRplyFwdMsg"><b>From:</b> pbem<br></div>'
    f"<p>{LETTER}</p></body>",
    "apple": "<html><body>move 2SS-A 1803<div>fire DF 2SS-B at 117Inf</div><br><blockquote type='cite'>"
    f"<div>{LETTER}</div></blockquote></body></html>",
    "nothing marks the quote": f"<p>move 2SS-A 1803<br>fire DF 2SS-B at 117Inf</p><p>{LETTER}</p>",
    "remarks": f"<!-- pass --><p>move 2SS-A 1803</p><!-- > --><p>fire DF 2SS-B at 117Inf</p>{LETTER}",
    "below": f"<blockquote>{LETTER}</blockquote><p>move 2SS-A 1803</p><p>fire DF 2SS-B at 117Inf</p>",
}


@pytest.mark.parametrize("name", PAGES)
def test_html_alone(name: str) -> None:
    mail = head("Content-Type: text/html; charset=utf-8") + "\n" + PAGES[name]
    words = reply_in(mail.encode()).words
    assert [line.strip() for line in words.split("\n") if line.strip()] == ORDERS.split("\n")


def test_a_page_beside_an_empty_text() -> None:
    mail = head() + multipart(text_part(" "), text_part(PAGES["gmail"], kind=HTML), kind="alternative")
    assert reply_in(mail.encode()).words.split() == ORDERS.split()


STRUCK_OUT = {
    "gmail": "<div><strike>pass</strike></div><div>move 2SS-A 1803</div><div>fire DF 2SS-B at 117Inf</div>",
    "outlook": "<p>move 2SS-A <s>1802</s> 1803</p><p><del>move <b>CCA</b> <s>1</s> 2</del></p>"
    "<p>fire DF 2SS-B at 117Inf</p>",
    "apple": '<div>move 2SS-A 1803</div><div><span style="text-decoration: line-through;">pass<br>pass</span>'
    "</div><div>fire DF 2SS-B at 117Inf</div>",
}


@pytest.mark.parametrize("name", STRUCK_OUT)
def test_struck_out_text_is_not_said(name: str) -> None:
    """Beside a plain text neither, in which it looks like all else."""
    page = f"{STRUCK_OUT[name]}<blockquote>{LETTER}</blockquote>"
    alone = head("Content-Type: text/html; charset=utf-8") + "\n" + page
    beside = head() + multipart(
        text_part(f"pass\n{ORDERS}\n{QUOTED}"), text_part(page, kind=HTML), kind="alternative"
    )
    for mail in (alone, beside):
        assert reply_in(mail.encode()).words.split() == ORDERS.split()


def test_a_table() -> None:
    rows = "".join(
        f"<tr>{''.join(f'<td>{word}</td> ' for word in line.split())}</tr>" for line in ORDERS.split("\n")
    )
    page = f"<table><tbody>{rows}</tbody></table><blockquote>{LETTER}</blockquote>"
    words = reply_in((head("Content-Type: text/html; charset=utf-8") + "\n" + page).encode()).words
    assert [" ".join(line.split()) for line in words.split("\n") if line.strip()] == ORDERS.split("\n")


def test_flowed() -> None:
    flowed = f"move 2SS-A \n1803\nfire DF 2SS-B at \n117Inf\n\nOn Sun, 22 Nov 2026, pbem wrote:\n{QUOTED}"
    assert reply_in((head() + text_part(flowed, kind=FLOWED)).encode()).words == ORDERS


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64"])
def test_encodings(encoding: str) -> None:
    data = f"move 2SS-A\u00a01803\nfire DF 2SS-B at 117Inf\n\n{QUOTED}".encode()
    body = quopri.encodestring(data) if encoding == "quoted-printable" else encodebytes(data)
    headers = head("Content-Type: text/plain; charset=utf-8", f"Content-Transfer-Encoding: {encoding}")
    assert reply_in(headers.encode() + b"\n" + body).words == ORDERS


def test_an_attached_text_is_not_said() -> None:
    attached = text_part("pass\n", more='Content-Disposition: attachment; filename="orders.txt"\n')
    mail = (
        head('Content-Type: multipart/mixed; boundary="b"')
        + f"\n--b\n{attached}\n--b\n{text_part(ORDERS)}\n--b--\n"
    )
    assert reply_in(mail.encode()).words == ORDERS


def test_another_mail_within_is_not_said() -> None:
    inner = head("Content-Type: text/plain") + "\npass\n"
    forwarded = head() + multipart(f"Content-Type: message/rfc822\n\n{inner}")
    assert reply_in(forwarded.encode()).words == ""
    answered = head() + multipart(text_part(ORDERS), f"Content-Type: message/rfc822\n\n{inner}")
    assert reply_in(answered.encode()).words == ORDERS


AUTOMATIC = {
    "Auto-Submitted: auto-replied": "a program",
    "X-Autoreply: yes": "a program",
    "X-Autorespond: yes": "a program",
    "Return-Path: <>": "a program",
    "Precedence: bulk": "bulk",
    "Precedence: LIST": "bulk",
    "List-Id: <mortain.lists.example.org>": "a mailing list",
}


@pytest.mark.parametrize("header", AUTOMATIC)
def test_no_person_may_have_written_it(header: str) -> None:
    assert AUTOMATIC[header] in reply_in((head(header) + "\n" + ORDERS).encode()).automatic
    assert reply_in((head("Auto-Submitted: no") + "\n" + ORDERS).encode()).automatic == ""


def test_who_sends_it() -> None:
    def senders(*headers: str) -> str:
        return reply_in(("\n".join(headers) + f"\nTo: a@b.org\n\n{ORDERS}").encode()).sender

    assert senders("From: Anna <anna@example.org>") == "anna@example.org"
    assert senders("From: anna@example.org, eve@example.org") == ""
    assert senders("From: anna@example.org", "From: eve@example.org") == ""
    assert senders("Subject: nobody") == ""


def test_which_mails_are_looked_at() -> None:
    answer = b"In-Reply-To: <1.2@pbem.invalid>\nSubject: Re: x\n\npass"
    assert is_reply(answer, ME)
    assert is_reply(b"Subject: AW: [pbem] Stand at Mortain 0f3a9c12\n\npass", ME)
    assert not is_reply(b"X-Pbem-Reads: parts\n" + answer, ME)
    assert not is_reply(b"Subject: Stand at Mortain\n\nIn-Reply-To: <1@pbem.invalid>", ME)


def test_a_fresh_mail_is_looked_at() -> None:
    """From oneself, whatever its subject; or with what looks like a code in it, whoever sends it."""
    assert is_reply(f"From: Nicolo <{ME.upper()}>\nSubject: orders\n\npass".encode(), ME)
    coded = b"From: x@y.org\n\npass\n0f3a9c12.57.2.k7qd73mdx2fa5w=\nvnk7qd73md"
    assert is_reply(coded, ME)
    assert not is_reply(coded[:-1], ME)


@pytest.mark.parametrize(
    "piece",
    [
        "<blockquote>",
        "<style>",
        "<!--",
        "<div class='",
        "<script ",
        "</blockquote>",
        "<s>",
        "</td><td>",
        "<s a",
    ],
)
def test_a_page_that_never_ends_is_read_soon(piece: str) -> None:
    """Within the processor time of a mail, which would raise `OverBudget`."""
    page = piece * (300_000 // len(piece))
    assert reply_in((head("Content-Type: text/html; charset=utf-8") + "\n" + page).encode()).words is not None


@pytest.mark.parametrize("many", [400, 60_000])
def test_brackets_in_the_sender(many: int) -> None:
    """A comment in a comment (RFC 5322, 3.2.2), for ever: nobody has sent it."""
    mail = f"From: {'(' * many}\nTo: {'(' * 400}\nSubject: Re: [pbem] Mortain\n\n{ORDERS}\n".encode()
    assert is_reply(mail, ME)
    found = reply_in(mail)
    assert (found.sender, found.recipients, found.words) == ("", (), ORDERS)
