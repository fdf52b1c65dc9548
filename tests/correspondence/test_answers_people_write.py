"""Answers as people write them, in four languages, by eight programs, each with what is understood."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import Struct

from pbem.correspondence.examiner import Examiner
from pbem.correspondence.orders_by_reply import OrdersByReply
from pbem.correspondence.question_record import QuestionRecord, make_code
from pbem.mail.settings import MailSettings
from pbem.player.actions.parse_action import parse_reply_text
from pbem.texts import Texts, speaking
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from support.correspondents import ANNA, Correspondent, make_correspondents, stored_game
from support.mail_answers import answer_mail, carry_out_mail, game_asking_anna, with_fixed_keys
from support.mail_clients import PROGRAMS


class Row(Struct, frozen=True):
    """An answer: by which program, in which language, and its words.

    `orders` are those understood, in English, and `left` what is shown as left out. They are shown, unless
    they are `done`, and asked about if they are only `meant`; `why` is a piece of why they are refused.
    """

    program: str
    language: str
    words: str
    orders: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    say: str = ""
    meant: bool = False
    done: bool = False
    why: str = ""


DF, D, BOTH = ("enter DF 1901",), ("enter D 1903",), ("enter DF 1901", "enter D 1903")
THREE = (*BOTH, "enter 2SS-B 1902")

PASS, SAME_HEX = ("pass",), ("enter DF 1901", "enter D 1901")
LISTED = ("enter 17StuG 1901", "enter 37SS 1902")
SIGNED = ("Anna Rossi", "Tel. +39 011 1901 1903")

CORPUS = [
    Row("gmail", "en", "enter DF 1901", DF),
    Row(
        "gmail",
        "en",
        "Hi Bruno,\n\nenter DF 1901\nenter D 1903\n\nCheers,\nAnna",
        BOTH,
        ("Hi Bruno,", "Cheers,", "Anna"),
    ),
    Row("gmail", "en", "Hi, please enter DF 1901", DF, ("Hi",)),
    Row("gmail", "en", "now: enter DF 1901\n\nCarla", DF, ("Carla",)),
    Row("gmail", "en", "now: enter DF 1901; enter D 1903", BOTH, done=True),
    Row(
        "gmail",
        "en",
        "enter DF 1901; enter D 1903; enter 2SS-B 1902; say: see you in Mortain, on the hill",
        THREE,
        say="see you in Mortain,\non the hill",
    ),
    Row("gmail", "en", "enter DF 1901, enter D 1903", BOTH),
    Row("gmail", "en", "enter DF 1901, enter D\n1903\n\nThanks!", BOTH, ("Thanks",)),
    Row("gmail", "en", "enter DF 1901, D 1903", BOTH),
    Row("gmail", "en", "Yes!", why="there is nothing to answer with yes or no"),
    Row("gmail", "de", "herein DF 1901; herein D 1903; herein Panzer 1902", why="Panzer"),
    Row("gmail", "es", "Hola Bruno,\nentra DF en 1901\n¡Un saludo!", DF, ("Hola Bruno,", "¡Un saludo")),
    Row("outlook", "en", "Enter DF 1901.\n\nKind regards\nAnna", DF, ("Kind regards", "Anna")),
    Row(
        "outlook",
        "de",
        "Hallo,\n\nherein DF 1901\nherein D 1903\n\nMit freundlichen Grüßen\nAnna",
        BOTH,
        ("Hallo,", "Mit freundlichen Grüßen", "Anna"),
    ),
    Row("outlook", "it", "entra 2SS\u2011B 1902", ("enter 2SS-B 1902",)),
    Row("outlook", "es", "pasar\ndecir: ¡A ver qué haces ahora!", ("pass",), say="¡A ver qué haces ahora!"),
    Row(
        "thunderbird",
        "en",
        "enter DF 1901; enter D 1903; enter 2SS-B 1902; enter 2SS-A 1904; enter 37SS 1905",
        (*THREE, "enter 2SS-A 1904", "enter 37SS 1905"),
        why="M3.3",
    ),
    Row(
        "thunderbird", "de", "Moin!\nherein DF 1901\nsage: Nun du!\nAnna", DF, ("Moin",), say="Nun du!\nAnna"
    ),
    Row("thunderbird", "it", "passo.", ("pass",)),
    Row("thunderbird", "es", "mi plan: esperar y ver\npaso", ("pass",), ("mi plan: esperar y ver",)),
    Row("iphone", "en", "Enter 2ss\u2011b 1902", ("enter 2SS-B 1902",)),
    Row("iphone", "it", "Ciao!\nentra DF\u00a01901", DF, ("Ciao",)),
    Row("iphone", "it", "entra DF 1901 e poi entra D 1903", BOTH),
    Row("iphone", "de", "Passe!", ("pass",)),
    Row("iphone", "es", "- entra DF 1901\n- entra D 1903", BOTH),
    Row("iphone", "de", "1. herein DF 1901\n2. herein D 1903", BOTH),
    Row("iphone", "en", "enter DF \uff11\uff19\uff10\uff11", DF),
    Row("mutt", "en", "enter DF 1901; enter D 1903; enter 2SS-B 1902", THREE),
    Row(
        "mutt",
        "en",
        "enter DF 1901; enter D 1903; enter 2SS-B 1902\nsay: Your turn!",
        THREE,
        say="Your turn!",
    ),
    Row("mutt", "de", "herein DF 1901; herein D 1903; herein 2SS-B 1902", THREE),
    Row(
        "mutt", "it", "Caro Bruno, ecco le mie mosse:\nentra DF 1901", DF, ("Caro Bruno, ecco le mie mosse:",)
    ),
    Row("claws", "en", "enter DF 1901\n\n-- \nAnna\nenter D 1903", DF),
    Row("claws", "es", "Por favor:\nentra DF 1901", DF, ("Por favor:",)),
    Row("claws", "de", "passe\n\nLG Anna", ("pass",), ("LG Anna",)),
    Row("k9", "en", "now: enter DF 1901", DF),
    Row("k9", "it", "entra DF 1901\nentra D 1903", BOTH),
    Row("k9", "de", "bitte herein DF 1901", DF),
    Row("roundcube", "en", "enter DF 1901\nCode: {code}", DF),
    Row("roundcube", "es", "Código {code}\nya: paso", ("pass",), done=True),
    Row("roundcube", "de", "{code}\nherein DF 1901\n\nDanke\nA.", DF, ("Danke", "A")),
    Row("roundcube", "en", "enter DF to 1901 then wait\nCode: {code}", why="^"),
    Row("gmail", "en", "DF 1901\nCheers", DF, ("Cheers",), meant=True),
    Row("gmail", "en", "enter DF 1901\nand D to 1903", BOTH),
    Row("iphone", "en", "Entre DF 1901", DF, meant=True),
    # several units, one verb or one hex
    Row("outlook", "en", "enter DF 1901 and D 1903", BOTH),
    Row("iphone", "en", "enter DF and D 1901", SAME_HEX),
    Row("k9", "en", "I enter DF at 1901 and D at 1903", BOTH),
    Row("gmail", "en", "enter DF 1901 & D 1903", BOTH),
    Row("mutt", "en", "enter DF 1901 / enter D 1903", BOTH),
    Row("claws", "en", "First enter DF 1901, then enter D 1903", BOTH),
    Row("iphone", "de", "herein DF 1901, D 1903", BOTH),
    Row("outlook", "de", "Herein DF nach 1901 und D nach 1903", BOTH),
    Row("gmail", "de", "herein DF und D auf 1901", SAME_HEX),
    Row("iphone", "it", "entra DF in 1901 e D in 1903", BOTH),
    Row("gmail", "it", "Entra DF e D in 1901", SAME_HEX),
    Row("outlook", "it", "entra DF 1901, D 1903 e 2SS-B 1902", THREE),
    Row("gmail", "es", "Entra DF en 1901 y D en 1903", BOTH),
    Row("iphone", "es", "entra DF y D en 1901", SAME_HEX),
    Row("thunderbird", "es", "Entra DF 1901, D 1903, 2SS-B 1902.", THREE),
    # small words and signs
    Row("gmail", "en", "Enter DF at 1901", DF),
    Row("iphone", "en", "enter D in 1903", D),
    Row("outlook", "en", "enter DF -> 1901", DF),
    Row("iphone", "en", "enter DF \u2192 1901", DF),
    Row("k9", "en", "enter the DF at hex 1901.", DF),
    Row("claws", "de", "herein DF auf 1901", DF),
    Row("roundcube", "de", "Code {code}\nherein die DF auf Feld 1901", DF),
    Row("outlook", "de", "Herein mit DF nach 1901!", DF),
    Row("gmail", "it", "entra D a 1903", D),
    Row("iphone", "it", "Entra con DF in 1901", DF),
    Row("mutt", "it", "entra il DF nel 1901", DF),
    Row("iphone", "es", "entra D a 1903", D),
    Row("gmail", "es", "entra el DF al 1901", DF),
    Row("outlook", "es", "\u00a1Entra DF en 1901!", DF),
    # names as one says them
    Row("iphone", "en", "enter 2ssb 1902", ("enter 2SS-B 1902",)),
    Row("gmail", "en", "enter 2ss b 1902", ("enter 2SS-B 1902",)),
    Row("iphone", "en", "enter Tiger 102 1901", ("enter Tiger102 1901",)),
    Row("outlook", "de", "herein Tiger 102 auf 1901", ("enter Tiger102 1901",)),
    Row("iphone", "it", "entra tiger-102 a 1901", ("enter Tiger102 1901",)),
    Row("gmail", "es", "entra 17 StuG en 1901", ("enter 17StuG 1901",)),
    Row("thunderbird", "en", "enter 2 SS B 1902", ("enter 2SS-B 1902",)),
    Row("gmail", "en", "enter DF1901", DF),
    Row("iphone", "it", "entra 2ss a 1904", ("enter 2SS-A 1904",), meant=True),
    Row("gmail", "en", "enter 2SS 1901", why="'2SS' could be 2SS-A, 2SS-B"),
    Row("outlook", "de", "herein 2SS auf 1901", why="2SS-A, 2SS-B"),
    # what is said around an order
    Row("gmail", "en", "I pass", PASS),
    Row("iphone", "en", "I'll pass.", PASS),
    Row("mutt", "en", "We pass, thanks!", PASS),
    Row("claws", "en", "now enter DF 1901", DF),
    Row("gmail", "en", "Let's enter DF at 1901 please", DF),
    Row("iphone", "en", "PASS!!!", PASS),
    Row("outlook", "en", "*enter DF 1901*", DF),
    Row("gmail", "de", "Ich passe.", PASS),
    Row("iphone", "de", "jetzt herein DF 1901", DF),
    Row("thunderbird", "de", "Danke, ich passe", PASS, ("Danke",)),
    Row("iphone", "it", "Io passo, grazie", PASS),
    Row("gmail", "it", "Ciao Bruno, entra DF a 1901\nA presto!", DF, ("Ciao Bruno,", "A presto")),
    Row("outlook", "es", "Yo paso, gracias", PASS),
    Row("k9", "es", "ahora entra DF en 1901", DF),
    # without a verb, or with it elsewhere, and slips
    Row("gmail", "en", "DF to 1901", DF, meant=True),
    Row("iphone", "en", "DF -> 1901", DF, meant=True),
    Row("iphone", "en", "DF 1901, D 1903", BOTH, meant=True),
    Row("outlook", "en", "DF enters at 1901", DF, meant=True),
    Row("gmail", "en", "1901 DF", DF, meant=True),
    Row("mutt", "en", "enter D 1093", why="1093"),
    Row("iphone", "en", "now: enter DG 1901", ("enter D 1901",), meant=True),
    Row("gmail", "de", "DF nach 1901", DF, meant=True),
    Row("iphone", "de", "DF auf 1901 herein", DF, meant=True),
    Row("outlook", "de", "hereim DF 1901", DF, meant=True),
    Row("gmail", "it", "DF in 1901", DF, meant=True),
    Row("iphone", "it", "entro DF 1901", DF, meant=True),
    Row("gmail", "es", "DF a 1901", DF, meant=True),
    Row("iphone", "es", "entro DF en 1901", DF, meant=True),
    # as the letter itself writes what is possible, copied whole, or with its bracket half cut
    Row(
        "gmail",
        "en",
        "enter 17StuG 1901 (or 1902-1905, or 37SS, DF, D,\n    Tiger102)",
        ("enter 17StuG 1901",),
    ),
    Row("iphone", "it", "entra DF 1901 (o 1902-1905, o D)\npasso (o altro)", why="pass"),
    Row("mutt", "de", "herein DF 1901 (oder 1902-1905)", DF),
    Row("iphone", "es", "entra DF 1901 (o 1902-1905, o", DF, meant=True),
    Row("gmail", "en", "enter 17StuG, 37SS, \u2026 1901-1905", LISTED, meant=True),
    Row("iphone", "en", "enter DF 1901-1905", DF, meant=True),
    Row("outlook", "de", "herein 17StuG, 37SS 1901-1905", LISTED, meant=True),
    # signatures
    Row("outlook", "en", "enter DF 1901\n\nAnna Rossi\nTel. +39 011 1901 1903", DF, SIGNED),
    Row("gmail", "it", "passo\n\nAnna Rossi\nTel. +39 011 1901 1903", PASS, SIGNED),
    Row("iphone", "en", "OK", why="there is nothing to answer with yes or no"),
    Row("gmail", "en", "y", why="there is nothing to answer with yes or no"),
    Row("iphone", "de", "\U0001f44d", why="ja oder nein"),
    # a yes is none for orders that were not shown
    Row("gmail", "en", "OK, enter DF 1901", DF, ("OK,",)),
    Row("outlook", "de", "Ja\nherein DF 1901", DF, ("Ja",)),
    Row("gmail", "en", "say: Good luck!\nenter DF 1901", DF, say="Good luck!"),
    Row("iphone", "it", "di: Ciao!\nentra DF 1901\nentra D 1903", BOTH, say="Ciao!"),
    Row("outlook", "de", "Ich bin im Urlaub und antworte ab dem 3. Dezember.", why="Urlaub"),
]


@pytest.fixture
def anna(tmp_path: Path) -> tuple[Correspondent, Game]:
    both = with_fixed_keys(make_correspondents(tmp_path))
    return both[0], game_asking_anna(*both)


def test_the_corpus_is_wide() -> None:
    assert len(CORPUS) >= 100
    assert {row.program for row in CORPUS} == set(PROGRAMS)
    assert {row.language for row in CORPUS} == {"en", "es", "it", "de"}


@pytest.mark.parametrize("row", CORPUS, ids=lambda row: f"{row.program}, {row.language}: {row.words[:24]!r}")
def test_what_is_understood(
    row: Row, anna: tuple[Correspondent, Game], tmp_path: Path, examiner: Examiner
) -> None:
    player, game = anna
    good = make_code(game, player.local_player.key, len(game.entries) - 1, 1)
    letter = f"[pbem] Your move: pass.\n\nAnswer.\n\nCode: {good}\n  pass\n  enter Tiger102 1901\n"
    content, _, body = PROGRAMS[row.program](
        row.words.replace("{code}", str(good)), letter, row.language
    ).partition("\n\n")
    fresh = row.program == "roundcube"
    mail = answer_mail(
        "",
        *([] if fresh else [f"In-Reply-To: <{good}.1f@pbem.invalid>"]),
        subject="orders" if fresh else "[pbem] Mortain",
    )
    head = b"".join(line + b"\n" for line in mail.split(b"\n") if line and not line.startswith(b"Content-"))
    with speaking(row.language):
        replies = OrdersByReply(player.local_player, MailSettings(address=ANNA), tmp_path)
        taken = carry_out_mail(replies, examiner, head + content.encode() + b"\n\n" + body.encode())
        assert taken
        after, noted = (
            stored_game(player),
            QuestionRecord(player.local_player.home).stored_letter(game.ids[0]),
        )
        if row.why:
            assert after.ids == game.ids
            assert row.why in "\n".join(noted.notes)
            return
        if row.done:
            assert after.ids != game.ids
            given = after.entries[len(game.entries)].raw["orders"]
            assert isinstance(given, list)
            orders = given
        else:
            assert after.ids == game.ids
            asks = permissions.unlock_state(game, player.local_player.key).pending_question
            assert asks is not None
            shown = parse_reply_text(noted.shown)
            orders = game.rules.view.read_words(asks, shown.lines)
            assert shown.say == row.say
            question = Texts("pbem")("Did you mean: {orders}?", orders="; ".join(shown.lines))
            assert noted.preview.startswith(question) == row.meant
            told = noted.preview.split("\n")
            left = [line.strip() for line in told[-len(row.left) :]] if row.left else []
            assert tuple(left) == row.left
            assert all(line in noted.preview for line in row.say.split("\n"))
    assert tuple(game.rules.view.write_words(orders)) == row.orders
