"""The verdict on each game that came: how it stands to the shelf, or the step that fails."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from mail.corpus.make import BLOCK, FORGED, GAME, NEWER, OLD, OLDER, OTHER, TEXT, file_of, under_another_key
from pbem.base.limits import FILE_BYTES, MAIL_GAMES
from pbem.correspondence.examiner import find_one_game
from pbem.correspondence.judge_mail import judge
from pbem.correspondence.parse_incoming import read_games
from pbem.correspondence.verdict import Verdict, store_game
from pbem.errors import ForkedFile, OlderFile, UnknownGame
from pbem.format.key_file import create_key_file
from pbem.mail.armour import enclose
from pbem.mail.parse_mail import ParsedMail, parse_mail
from pbem.player.local_player import LocalPlayer
from pbem.player.store.log_relation import Relation
from pbem.umpire import write
from pbem.umpire.game_state import Game
from support.mail_clients import attachment, multipart, text_part, whole_mail
from support.transcripts import Step, perform_steps


@pytest.fixture
def player(tmp_path: Path) -> LocalPlayer:
    return LocalPlayer(tmp_path / "home")


def with_files(*files: bytes) -> ParsedMail:
    return parse_mail(whole_mail(multipart(text_part("Hello"), *map(attachment, files))), "the letter")


def kept(player: LocalPlayer, game: Game) -> LocalPlayer:
    player.record(game, file_of(game), new=True)
    return player


def judged(player: LocalPlayer, *mails: ParsedMail) -> list[Verdict]:
    return judge(player, read_games(*mails))


def only(verdicts: list[Verdict]) -> Verdict:
    (verdict,) = verdicts
    return verdict


class TestRelation:
    """How the game that came stands to the one on the shelf."""

    def test_new(self, player: LocalPlayer) -> None:
        verdict = only(judged(player, with_files(GAME)))
        assert verdict.relation is Relation.NEW
        assert verdict.description == (
            f"{NEWER.ids[0][:12]} Stand at Mortain "
            """(German: "Nicolò Bianchi", US: "Andrea D'Errico"), 5 entries: """
            'new on this computer (the attachment "mortain.yaml")'
        )
        with pytest.raises(UnknownGame):
            store_game(player, verdict)
        assert store_game(player, verdict, new=True)
        assert only(judged(player, with_files(GAME))).relation is Relation.EQUAL

    def test_newer(self, player: LocalPlayer) -> None:
        verdict = only(judged(kept(player, OLDER), with_files(GAME)))
        assert verdict.relation is Relation.EXTENDS
        assert store_game(player, verdict)

    def test_equal(self, player: LocalPlayer) -> None:
        verdict = only(judged(kept(player, NEWER), with_files(GAME)))
        assert verdict.relation is Relation.EQUAL
        assert not store_game(player, verdict)

    def test_older(self, player: LocalPlayer) -> None:
        verdict = only(judged(kept(player, NEWER), with_files(OLD)))
        assert verdict.relation is Relation.OLDER
        with pytest.raises(OlderFile):
            store_game(player, verdict)

    def test_forked(self, player: LocalPlayer) -> None:
        verdict = only(judged(kept(player, NEWER), with_files(file_of(FORGED))))
        assert verdict.relation is Relation.FORKED
        with pytest.raises(ForkedFile):
            store_game(player, verdict)


class TestSeveral:
    def test_copies_are_one_game(self, player: LocalPlayer) -> None:
        verdict = only(judged(player, with_files(OLD, GAME, GAME), with_files(OLD)))
        assert verdict.game is not None
        assert verdict.game.ids == NEWER.ids

    def test_games_are_told_apart(self, player: LocalPlayer) -> None:
        games = [verdict.game for verdict in judged(player, with_files(GAME, OTHER)) if verdict.game]
        assert [game.rules.name for game in games] == ["mortain", "mortain"]
        assert len({game.ids[0] for game in games}) == 2

    def test_two_histories_are_two_verdicts(self, player: LocalPlayer) -> None:
        verdicts = judged(kept(player, NEWER), with_files(GAME, file_of(FORGED)))
        assert [verdict.relation for verdict in verdicts] == [Relation.EQUAL, Relation.FORKED]

    def test_a_damaged_copy_beside_a_whole_one_is_not_told(self, player: LocalPlayer) -> None:
        assert only(judged(player, with_files(under_another_key(), OLD))).game is not None


class TestRepaired:
    """A file that was damaged where nothing is signed."""

    def test_two_repairs_of_one_file_are_one_game(self, player: LocalPlayer, tmp_path: Path) -> None:
        """The file as bytes, and as the text of Windows that it may be: both come to the same."""
        rules = NEWER.rules
        terms = write.Terms(rules, NEWER.offer.options, rules.scenarios.names[0])
        game = write.offer(write.Person("José", create_key_file(tmp_path / "key"), ""), "us", terms, bytes)
        data = file_of(game)
        at = data.index(b"    ", data.index(b"board:"))
        mailed = tmp_path / "mail.eml"
        mailed.write_bytes(
            whole_mail(multipart(text_part("Hello"), attachment(data[:at] + b"\xa0" + data[at + 1 :])))
        )
        found = find_one_game(player, mailed, b"")
        assert found is not None
        assert found.repaired
        assert found.game is not None
        assert found.game.ids == game.ids


class TestBudget:
    """What would cost more than it may is told; what was found before is judged all the same."""

    def test_games_before_too_many(self, player: LocalPlayer) -> None:
        first, last = judged(
            player, parse_mail(whole_mail(text_part(TEXT + "pbem: 1\n" * MAIL_GAMES)), "the letter")
        )
        assert first.game is not None
        assert first.game.ids == NEWER.ids
        assert last.ended
        assert last.description == f"contains more than {MAIL_GAMES} games, the limit for one mail"

    def test_more_unpacked_than_may_be(self, player: LocalPlayer) -> None:
        zeros = enclose(bytes(FILE_BYTES - 1))
        verdicts = judged(player, parse_mail(whole_mail(text_part(BLOCK + zeros * 5)), "the letter"))
        assert verdicts[0].game is not None
        assert "bytes of games, the limit for one mail" in verdicts[-1].description

    def test_no_time(self, player: LocalPlayer) -> None:
        verdict = only(judge(player, replace(read_games(with_files(GAME)), seconds=0.0)))
        assert verdict.ended
        assert verdict.description == "needs more than 0 s of processor time, the limit for one mail or file"


class TestFailure:
    def test_a_strangers_signature(self, player: LocalPlayer) -> None:
        verdict = only(judged(player, with_files(under_another_key())))
        assert verdict.game is None
        assert verdict.failure is not None
        assert (verdict.failure.step, verdict.failure.entry) == (5, 4)
        assert (
            "entry 4 has been changed since the Americans signed it, or was signed by somebody else: ask"
            in verdict.description
        )
        assert verdict.description.endswith('(the attachment "mortain.yaml")')

    def test_the_longest_that_fails_does_not_hide_the_one_that_holds(self, player: LocalPlayer) -> None:
        verdict = only(judged(player, with_files(under_another_key(), OLD)))
        assert verdict.game is not None
        assert verdict.game.ids == OLDER.ids

    def test_what_mail_has_damaged(self, player: LocalPlayer) -> None:
        verdict = only(judged(player, parse_mail(whole_mail(text_part(BLOCK[:500])), "the letter")))
        assert verdict.description.startswith("the end of this game is missing: ")

    def test_nothing(self, player: LocalPlayer) -> None:
        assert judged(player, with_files(b"a picture")) == []


class TestCommands:
    """Every command takes a mail where it takes a file, and writes beside it."""

    @pytest.mark.thorough
    def test_exchange(self, tmp_path: Path) -> None:
        commands = [
            "pbem new mortain --seat german",
            "(printf 'Subject: x\\n\\nHello\\n\\n'; sed 's/^/> /' mortain.yaml) > offer.eml; rm mortain.yaml",
            "cat offer.eml | pbem show -",
            "pbem verify offer.eml",
            "pbem join offer.eml",
            "ls",
        ]
        steps = [Step("anna" if n == 0 else "bruno", command, n) for n, command in enumerate(commands)]
        printed = [lines for _, lines in perform_steps(steps, tmp_path)]
        assert "Stand at Mortain" in "\n".join(printed[2])
        assert any(line.startswith("  verified") for line in printed[3])
        written = next(line for line in printed[5] if line.startswith("mortain-"))
        assert f"note: pbem writes your game to {written}" in printed[4]
        assert (tmp_path / "offer.eml").read_bytes().startswith(b"Subject: x")

    def test_one_of_several_by_its_id(self, tmp_path: Path) -> None:
        (tmp_path / "two.eml").write_bytes(whole_mail(multipart(attachment(GAME), attachment(OTHER))))
        commands = ["pbem log two.eml", f"pbem log two.eml#{NEWER.ids[0][:8]}", "pbem log two.eml#00"]
        printed = [
            "\n".join(lines)
            for _, lines in perform_steps([Step("anna", one, 0) for one in commands], tmp_path)
        ]
        assert "there are 2 games here; name one" in printed[0]
        assert "Nicolò Bianchi" in printed[1]
        assert "no game here has an id that begins with '00'" in printed[2]
