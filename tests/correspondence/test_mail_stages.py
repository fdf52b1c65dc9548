"""A mail goes from stage to stage: its bytes are parsed once, a part of a log is joined as entries."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from pathlib import Path

import pytest

from correspondence.test_log_segments import Match, another, comes, match, shelved
from pbem.base.workers import Worker
from pbem.correspondence.examiner import examine_mail
from pbem.correspondence.mail_stages import IncomingMail
from pbem.correspondence.parse_incoming import read_games
from pbem.correspondence.verdict import Verdict
from pbem.format.document import After, segment_bytes
from pbem.format.entries import sign_entry
from pbem.format.yaml_text import Plain
from pbem.mail.parse_mail import parse_mail
from support.correspondents import play_share_and_orders, segment_in
from support.mail_clients import attachment, multipart, text_part, whole_mail

__all__ = ["match"]


def verdict_on(match: Match, mail: bytes) -> Verdict:
    """The verdict on the only game in a mail to Bruno."""
    (verdict,) = examine_mail(match.bruno.local_player.home, IncomingMail("1", mail)).verdicts
    return verdict


def arguments_of(monkeypatch: pytest.MonkeyPatch, *names: str) -> list[bytes]:
    """The bytes that these functions, as their users call them, are given from now on."""
    seen: list[bytes] = []
    for name in names:
        module, _, function = name.rpartition(".")
        original: Callable[[bytes], object] = vars(__import__(module, fromlist=["_"]))[function]

        def noted(data: bytes, original: Callable[[bytes], object] = original) -> object:
            seen.append(data)
            return original(data)

        monkeypatch.setattr(name, noted)
    return seen


class TestParsedOnce:
    """The mail has the part twice, as its attachment and as its block: the same bytes."""

    @pytest.mark.thorough
    def test_the_message(self, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        mail = match.next(arrives=False)
        seen = arguments_of(monkeypatch, "pbem.mail.parse_mail.parse_message")
        assert verdict_on(match, mail).game is not None
        assert seen == [mail]

    def test_the_part(self, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        """Beside it, only the stored file is read, and what will be the next one is read back."""
        mail = match.next(arrives=False)
        stored = match.bruno.local_player.store.find(shelved(match.bruno).ids[0]).data
        seen = arguments_of(monkeypatch, "pbem.umpire.verify.parse_yaml")
        verdict = verdict_on(match, mail)
        assert verdict.part
        assert seen == [segment_in(mail), stored, verdict.ours]

    def test_a_whole_game(self, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        match.next(arrives=False)
        anna = match.anna.local_player
        data = anna.store.find(shelved(match.anna).ids[0]).data
        seen = arguments_of(monkeypatch, "pbem.umpire.verify.parse_yaml")
        mail = whole_mail(multipart(text_part("Hello"), attachment(data)))
        verdict = verdict_on(match, mail)
        assert verdict.game is not None
        assert seen == [data, verdict.ours]

    @pytest.mark.thorough
    def test_a_mail_that_came_before_another(
        self, match: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It waits as it was read, and is joined once what it continues has come."""
        other, (first, second, *_) = another(match, tmp_path)
        monkeypatch.setattr(Worker, "run", lambda _, function, *given, **__: function(*given))
        seen = arguments_of(monkeypatch, "pbem.mail.parse_mail.parse_message")
        early, one, two = comes(other, second, first)
        assert [early.refusal is None, one.refusal, two.refusal] == [False, None, None]
        assert seen == [second, first]

    def test_an_entry_of_several_logs_is_held_once(self, match: Match) -> None:
        """A mailbox has a game in each of its states: that takes the room of the last."""
        before = match.anna.local_player.store.find(shelved(match.anna).ids[0]).data
        match.next()
        after = match.anna.local_player.store.find(shelved(match.anna).ids[0]).data
        mails = [parse_mail(whole_mail(attachment(data)), "x") for data in (before, after)]
        older, newer = read_games(*mails).logs
        assert 0 < len(older.entries) < len(newer.entries)
        assert all(one is same for one, same in zip(older.entries, newer.entries, strict=False))


class TestJoined:
    """Step 2 of FORMAT 9 for a log that was never one file: what it asks of all entries together."""

    def test_a_commanders_orders_in_a_game_without_commanders(self, match: Match) -> None:
        """FORMAT 11: each entry by itself may have them, but the offer does not name the extension."""
        game, anna = shelved(match.bruno), match.anna
        n = len(game.entries) - 1
        entry = play_share_and_orders(game, anna.person()).entries[-1]
        part: Plain = {"by": 1, "orders": [], "sig": b64encode(bytes(64)).decode()}
        raw: dict[str, Plain] = {**entry.raw, "parts": [part], "n": n + 1, "prev": game.ids[n]}
        signed = sign_entry(
            {key: value for key, value in raw.items() if key != "sig"}, anna.local_player.key.sign
        )
        data = segment_bytes(After(game.ids[0], n, game.ids[n]), [signed])
        verdict = verdict_on(match, whole_mail(multipart(text_part("Hello"), attachment(data))))
        assert verdict.failure is not None
        assert verdict.failure.step == 2
        assert "parts" in str(verdict.failure)

    def test_more_entries_than_a_file_may_have(self, match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
        """FORMAT 1: two mails within the limit do not make a file beyond it."""
        mail = match.next(arrives=False)
        for reader in ("yaml_lines", "strict_yaml"):
            monkeypatch.setattr(f"pbem.format.{reader}.FILE_ENTRIES", len(shelved(match.bruno).entries))
        verdict = verdict_on(match, mail)
        assert verdict.failure is not None
        assert verdict.failure.step == 1
        assert verdict.game is None
