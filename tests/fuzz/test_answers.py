"""Whatever answers come in, spoilt in any way: nothing is done that a code and legal orders do not ask for.

PBEM_LONG=1 tries 4,000, half of them with a good code and orders that no rules allow.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from fuzz.mail_mutants import Mutants
from pbem.correspondence.examiner import Examiner
from pbem.correspondence.orders_by_reply import OrdersByReply
from pbem.correspondence.question_record import ReplyCode, make_code
from pbem.mail.settings import MailSettings
from support.correspondents import ANNA, make_correspondents
from support.mail_answers import answer_mail, carry_out_mail, game_asking_anna, with_fixed_keys
from support.mail_clients import head, multipart, text_part

ANSWERS = 4_000 if os.environ.get("PBEM_LONG") == "1" else 400
ORDERS = "now: enter DF 1101"


class Answers(Mutants):
    """Answers instead of games."""

    def __init__(self, seed: int, *answers: bytes) -> None:
        super().__init__(seed)
        self._mails = list(answers)
        self._answers = answers

    def _new(self) -> bytes:
        return random.Random(self._chance.random()).choice(self._answers)


def in_parts(found: ReplyCode) -> bytes:
    """An answer as text and as HTML."""
    page = text_part(f"<p>{ORDERS}</p><blockquote>Code: {found}</blockquote>", kind="html; charset=utf-8")
    headers = head(f"In-Reply-To: <{found}.1f@pbem.invalid>", subject="Re: [pbem] Mortain")
    return (headers + multipart(text_part(ORDERS), page, kind="alternative")).encode()


@pytest.mark.thorough
def test_spoilt_answers(tmp_path: Path) -> None:
    anna, bruno = with_fixed_keys(make_correspondents(tmp_path))
    game = game_asking_anna(anna, bruno)
    replies = OrdersByReply(anna.local_player, MailSettings(address=ANNA), tmp_path)
    forged = make_code(game, bruno.local_player.key, len(game.entries) - 1, 1)
    taken = 0
    with Examiner(anna.local_player.home) as examiner:
        for number in range(ANSWERS):
            good = make_code(game, anna.local_player.key, len(game.entries) - 1, 1 + taken)
            mails = [answer_mail(f"{ORDERS}\n\n> Code: {one}") for one in (good, forged)]
            mutants = Answers(number, *mails, in_parts(good), in_parts(forged))
            lines = carry_out_mail(replies, examiner, mutants.mail())
            taken += any("Refused" in line for line in lines or ())
            assert (lines is None) or all(lines)
    assert [kept.data for kept in anna.local_player.store.games()] == [anna.file.read_bytes()]
    assert taken > ANSWERS / 50
