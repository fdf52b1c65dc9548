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
from pbem.texts import speaking
from pbem.umpire import permissions
from pbem.umpire.game_state import Game
from support.correspondents import ANNA, Correspondent, make_correspondents, stored_game
from support.mail_answers import answer_mail, carry_out_mail, game_asking_anna, with_fixed_keys
from support.mail_clients import PROGRAMS


class Row(Struct, frozen=True):
    """An answer: by which program, in which language, and its words.

    `orders` are those understood, in English, and `left` what is shown as left out. They are shown, unless
    they are `done`; `why` is a piece of why they are refused.
    """

    program: str
    language: str
    words: str
    orders: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    say: str = ""
    done: bool = False
    why: str = ""


DF, D, BOTH = ("enter DF 1901",), ("enter D 1903",), ("enter DF 1901", "enter D 1903")
THREE = (*BOTH, "enter 2SS-B 1902")

CORPUS = [
    Row("gmail", "en", "enter DF 1901", DF),
    Row(
        "gmail",
        "en",
        "Hi Bruno,\n\nenter DF 1901\nenter D 1903\n\nCheers,\nAnna",
        BOTH,
        ("Hi Bruno,", "Cheers,", "Anna"),
    ),
    Row("gmail", "en", "Hi, please enter DF 1901", DF, ("Hi, please",)),
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
    Row("gmail", "en", "enter DF 1901, D 1903", why="'D'"),
    Row("gmail", "en", "Yes!", why="nothing waits for your yes or no"),
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
    Row("k9", "de", "bitte herein DF 1901", DF, ("bitte",)),
    Row("roundcube", "en", "enter DF 1901\nCode: {code}", DF),
    Row("roundcube", "es", "Código {code}\nya: paso", ("pass",), done=True),
    Row("roundcube", "de", "{code}\nherein DF 1901\n\nDanke\nA.", DF, ("Danke", "A")),
    Row("roundcube", "en", "enter DF to 1901 then wait\nCode: {code}", why="^"),
    Row("gmail", "en", "DF 1901\nCheers", why="not an order"),
    Row("gmail", "en", "enter DF 1901\nand D to 1903", why="not an order"),
    Row("iphone", "en", "Entre DF 1901", why="enter"),
    Row("outlook", "de", "Ich bin im Urlaub und antworte ab dem 3. Dezember.", why="Urlaub"),
]


@pytest.fixture
def anna(tmp_path: Path) -> tuple[Correspondent, Game]:
    both = with_fixed_keys(make_correspondents(tmp_path))
    return both[0], game_asking_anna(*both)


def test_the_corpus_is_wide() -> None:
    assert len(CORPUS) >= 30
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
            told = noted.preview.split("\n")
            left = [line.strip() for line in told[-len(row.left) :]] if row.left else []
            assert tuple(left) == row.left
            assert all(line in noted.preview for line in row.say.split("\n"))
    assert tuple(game.rules.view.write_words(orders)) == row.orders
