"""Small mails (FORMAT 10): each brings what the opponent lacks, and is believed no more than a whole file."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem.correspondence.contacts import Contact
from pbem.correspondence.fetch import fetch_mails
from pbem.correspondence.mail_stages import Arrival
from pbem.correspondence.outbox import Outbox
from pbem.correspondence.send import export_for_pasting, save_to_outbox
from pbem.errors import StorageError
from pbem.format.canonical import canonical_form
from pbem.format.yaml_text import Plain
from pbem.format.yaml_writer import dump_yaml
from pbem.mail.armour import enclose
from pbem.mail.mailbox import Maildir
from pbem.player.local_player import LocalPlayer
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.log_segment import segment_after
from pbem.umpire.verify import open_game
from support.correspondents import (
    ANNA,
    BRUNO,
    Correspondent,
    begin_game,
    brings_segment,
    make_correspondents,
    offer_game,
    parse_mail,
    play_share_and_orders,
    segment_in,
)
from support.simulator import STRANGER, file_of, log_of
from support.simulator import mailed_file as file
from support.transcripts import write_key

pytestmark = pytest.mark.thorough

NOW = datetime(2026, 8, 1, 12, tzinfo=UTC)
TO_ANNA = Contact("Anna", "", ANNA, confirmed=True)
TO_BRUNO = Contact("Bruno", "", BRUNO, confirmed=True)


def mailed(player: Correspondent, game: Game, recipient: Contact, *, whole: bool = False) -> bytes:
    """The mail with a game's newest entries, which the player has on his shelf."""
    player.save(game)
    return save_to_outbox(player.local_player, None, game, recipient, NOW, whole=whole)


def comes(player: Correspondent, *mails: bytes) -> list[Arrival]:
    """What becomes of these mails, which are the next in the player's Maildir."""
    folder = player.file.parent / "Mail"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for data in mails:
        number = len(list((folder / "new").iterdir()))
        (folder / "new" / f"{1_700_000_000 + number}.host").write_bytes(data)
    with Maildir(folder) as box:
        return list(fetch_mails(player.local_player, box, player.file.parent))


def shelved(player: Correspondent) -> Game:
    (kept,) = player.local_player.store.games()
    return open_game(kept.data)


class Match:
    """A game by mail between the two, mail by mail; Anna's offer and Bruno's answer have gone both ways."""

    def __init__(self, anna: Correspondent, bruno: Correspondent) -> None:
        self.anna, self.bruno = anna, bruno
        offer = offer_game(anna.person())
        comes(bruno, mailed(anna, offer, TO_BRUNO))
        bruno.local_player.record(offer, file(offer), new=True)
        self.mails = [mailed(bruno, begin_game(anna.person(), bruno.person()), TO_ANNA)]
        comes(anna, self.mails[0])

    def next(self, *, arrives: bool = True) -> bytes:
        """The next mail of whoever is to move; and the other fetches it."""
        game = max((shelved(self.anna), shelved(self.bruno)), key=lambda one: len(one.entries))
        anna_moves = game.state.writer == "german"
        mover, other = (self.anna, self.bruno) if anna_moves else (self.bruno, self.anna)
        after = play_share_and_orders(game, mover.person())
        self.mails.append(mailed(mover, after, TO_BRUNO if anna_moves else TO_ANNA))
        if arrives:
            comes(other, self.mails[-1])
            assert shelved(other).ids == after.ids
        return self.mails[-1]


@pytest.fixture
def match(tmp_path: Path) -> Match:
    """With the same keys every time, and so the same cards."""
    both = make_correspondents(tmp_path)
    for player in both:
        write_key(player.local_player.key_path, player.name)
    anna, bruno = (Correspondent(one.name, LocalPlayer(one.local_player.home), one.file) for one in both)
    return Match(anna, bruno)


def another(match: Match, folder: Path) -> tuple[Correspondent, list[bytes]]:
    """A second computer of Anna's, as hers is now; and the mails that come to her in the next moves."""
    other = Correspondent("Anna", LocalPlayer(folder / "other" / "home"), folder / "other" / "game.yaml")
    shutil.copytree(match.anna.local_player.home, other.local_player.home)
    shutil.rmtree(other.local_player.home / "mail")
    mails = [match.next() for _ in range(6)]
    return other, [mail for mail in mails if parse_mail(mail)["To"].addresses[0].addr_spec == ANNA]


class TestWhatAMailBrings:
    def test_whole_at_first_and_then_what_is_new(self, match: Match) -> None:
        """Offer and answer are whole; from then on each has shown that its program reads parts."""
        kinds = [brings_segment(match.next()) for _ in range(6)]
        assert not brings_segment(match.mails[0])
        assert kinds == [True] * 6
        assert shelved(match.anna).ids == shelved(match.bruno).ids
        sizes = [len(mail) for mail in match.mails[2:]]
        assert max(sizes) < 16_000, "a letter with its map, and few entries"

    def test_the_readers_own_last_entries_and_the_new_ones(self, match: Match) -> None:
        """After the writer's mail before: on that the reader has signed, so he has it."""
        for _ in range(3):
            mail = match.next()
        game = shelved(match.anna)
        assert segment_in(mail).startswith(b"pbem: 1\nafter:")
        numbers = [int(n) for n in re.findall(rb"^  - n: (\d+)$", segment_in(mail), re.MULTILINE)]
        assert numbers == list(range(numbers[0], len(game.entries)))
        writer = game.entries[-1].body.by
        before = [n for n in range(numbers[0]) if game.entries[n].body.by == writer]
        assert max(before) == numbers[0] - 1
        assert {game.entries[n].body.by for n in numbers} == {"german", "us"}

    def test_the_file_at_home_is_whole(self, match: Match) -> None:
        match.next()
        (written,) = match.bruno.file.parent.glob("*.yaml")
        assert open_game(written.read_bytes()).ids == shelved(match.bruno).ids
        assert b"\nboard: |" in written.read_bytes()

    def test_to_a_program_of_before(self, match: Match) -> None:
        """Its mails do not say that it reads parts: it gets whole files, until they do."""
        older = match.next(arrives=False).replace(b"X-Pbem-Reads: parts\r\n", b"")
        game = shelved(match.anna)
        data = match.anna.local_player.store.find(game.ids[0]).data
        older = b"Subject: my move\r\n\r\n" + data
        comes(match.bruno, older)
        answer = match.next()
        assert not brings_segment(answer)
        assert brings_segment(match.next())

    def test_on_request(self, match: Match) -> None:
        mail = match.next()
        game = shelved(match.anna)
        again = save_to_outbox(match.anna.local_player, None, game, TO_BRUNO, NOW, whole=True)
        assert (brings_segment(mail), brings_segment(again)) == (True, False)
        assert parse_mail(mail)["Message-ID"] != parse_mail(again)["Message-ID"]
        assert Outbox(match.anna.local_player.home).count_copies(game.ids[0], game.ids[-1]) == 2
        block = export_for_pasting(match.anna.local_player, game, TO_BRUNO)
        assert len(export_for_pasting(match.anna.local_player, game, TO_BRUNO, whole=True)) > len(block)

    def test_what_waits_goes_out_as_it_was(self, match: Match) -> None:
        mail = match.next()
        assert save_to_outbox(match.anna.local_player, None, shelved(match.anna), TO_BRUNO, NOW) == mail

    def test_once_more(self, match: Match) -> None:
        """Who mails it a second time has a reason: perhaps something was lost."""
        match.next()
        game = shelved(match.anna)
        again = save_to_outbox(match.anna.local_player, None, game, TO_BRUNO, NOW, unsent=True)
        assert not brings_segment(again)

    def test_to_another_address(self, match: Match) -> None:
        """Nobody knows what is there."""
        match.next()
        game = shelved(match.bruno)
        match.bruno.save(play_share_and_orders(game, match.bruno.person()))
        elsewhere = Contact("Anna", "", "anna@elsewhere.example", confirmed=True)
        assert not brings_segment(
            save_to_outbox(match.bruno.local_player, None, shelved(match.bruno), elsewhere, NOW)
        )

    def test_after_an_older_file_of_his(self, match: Match) -> None:
        """He stands there, whatever he has signed upon; so comes what asks for the whole file."""
        before = match.anna.local_player.store.find(shelved(match.anna).ids[0]).data
        match.next()
        match.next()
        comes(match.anna, b"X-Pbem-Reads: parts\r\nSubject: a problem\r\n\r\n" + before)
        assert not brings_segment(match.next())

    def test_a_computer_that_sees_only_what_comes_to_it(self, match: Match, tmp_path: Path) -> None:
        """Anna's other one: her own entries come back to it with Bruno's next mail."""
        other, to_anna = another(match, tmp_path)
        for mail in to_anna:
            (arrival,) = comes(other, mail)
            assert arrival.file is not None
        assert shelved(other).ids == shelved(match.bruno).ids[: len(shelved(other).ids)]
        assert len(shelved(other).ids) >= len(shelved(match.bruno).ids) - 2


@pytest.mark.thorough
class TestInAnyOrder:
    def test_twice(self, match: Match) -> None:
        mail = match.next()
        before = shelved(match.bruno).ids
        (again,) = comes(match.bruno, mail)
        assert (again.refusal, again.alarm) == (None, False)
        assert "the same as your saved game" in again.verdict.description
        assert shelved(match.bruno).ids == before

    def test_an_old_one_late(self, match: Match) -> None:
        first = match.next()
        match.next()
        match.next()
        (late,) = comes(match.bruno, first)
        assert (late.refusal, late.alarm) == (None, False)
        assert "older than your saved game" in late.verdict.description
        assert shelved(match.bruno).ids == shelved(match.anna).ids
        assert brings_segment(match.next()), "it shows nothing about where its writer stands"

    def test_the_newest_before_the_one_before(self, match: Match) -> None:
        """A mail overtakes the one before it: the late one is old, and nothing is missing."""
        anna = match.anna.person()
        while shelved(match.anna).state.writer != "german" or shelved(match.anna).state.open_beat:
            match.next()
        game = shelved(match.anna)
        first = write.propose(shelved(match.anna), anna.key, {"draw": True})
        one = mailed(match.anna, first, TO_BRUNO)
        match.bruno.save(first)
        refused = write.answer(first, match.bruno.local_player.key, granted=False)
        comes(match.anna, mailed(match.bruno, refused, TO_ANNA))
        after = match.anna.save(play_share_and_orders(shelved(match.anna), anna))
        two = save_to_outbox(match.anna.local_player, None, after, TO_BRUNO, NOW)
        assert brings_segment(two)
        comes(match.bruno, two, one)
        assert shelved(match.bruno).ids == after.ids
        assert len(after.ids) > len(game.ids) + 2

    def test_the_newest_first(self, match: Match, tmp_path: Path) -> None:
        """What came too early is told so, and joined as soon as what it goes on from has been read."""
        other, (first, *others) = another(match, tmp_path)
        assert len(others) > 1
        arrivals = comes(other, *reversed(others), first)
        assert [one.refusal is not None for one in arrivals[: len(others)]] == [True] * len(others)
        assert [one.refusal for one in arrivals[len(others) :]] == [None] * (len(others) + 1)
        assert list((other.local_player.home / "mail" / "set-aside").iterdir()) == [], (
            "no copy is needed any more"
        )
        assert shelved(other).ids == shelved(match.bruno).ids[: len(shelved(other).ids)]
        assert len(shelved(other).ids) >= len(shelved(match.bruno).ids) - 2

    def test_the_newer_first_and_the_other_in_a_later_look(self, match: Match, tmp_path: Path) -> None:
        """What came too early waits at home, and is told and joined when the one before it has come."""
        other, (first, second, *_) = another(match, tmp_path)
        (early,) = comes(other, second)
        assert early.refusal is not None
        assert comes(other) == []
        one, two = comes(other, first)
        assert (one.refusal, two.refusal) == (None, None)
        last = int(re.findall(rb"^  - n: (\d+)$", segment_in(second), re.MULTILINE)[-1])
        assert shelved(other).ids == shelved(match.bruno).ids[: last + 1]
        assert list((other.local_player.home / "mail" / "set-aside").iterdir()) == []

    def test_a_broken_mail_does_not_come_again_with_the_next(self, match: Match, tmp_path: Path) -> None:
        other, (first, *_) = another(match, tmp_path)
        (broken,) = comes(other, first[: first.index(b"BEGIN PBEM GAME") + 300])
        assert broken.file is None
        (copy,) = (other.local_player.home / "mail" / "set-aside").iterdir()
        (one,) = comes(other, first)
        assert one.file is not None
        assert copy.exists()

    def test_early_mails_are_not_kept_without_end(
        self, match: Match, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other, (first, *others) = another(match, tmp_path)
        monkeypatch.setattr("pbem.correspondence.incoming_mail.EARLY_BYTES", len(others[-1]))
        comes(other, *reversed(others), first)
        assert len(shelved(other).entries) < len(shelved(match.bruno).entries) - 2

    def test_across_a_take_back(self, match: Match) -> None:
        """It takes nothing out of the log, so the mails go on as ever."""
        match.next()
        while shelved(match.anna).state.open_beat:
            match.next()
        game = shelved(match.anna)
        seats = {"german": match.anna, "us": match.bruno}
        to = {"german": TO_BRUNO, "us": TO_ANNA}
        mover = str(game.state.writer)
        other = "us" if mover == "german" else "german"
        asked = write.propose(game, seats[mover].local_player.key, {"takeback": 1})
        mail = mailed(seats[mover], asked, to[mover])
        assert brings_segment(mail)
        comes(seats[other], mail)
        granted = write.answer(shelved(seats[other]), seats[other].local_player.key, granted=True)
        mail = mailed(seats[other], granted, to[other])
        assert brings_segment(mail)
        comes(seats[mover], mail)
        assert shelved(seats[mover]).ids == granted.ids
        assert brings_segment(match.next())


class TestAMailbox:
    """The mails of a game, kept in one file: they hold it all, also for a computer that knows nothing yet."""

    def test_shown_whole(self, match: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for _ in range(6):
            match.next()
        mails = match.mails[1:2] + match.mails[:1] + match.mails[:1:-1]
        mbox = b"".join(b"From x\n" + mail.replace(b"\r\n", b"\n") + b"\n\n" for mail in mails)
        _, carla = make_correspondents(tmp_path / "others")
        (carla.file.parent / "game.mbox").write_bytes(mbox)
        assert carla.type("verify", "game.mbox") == 0
        assert f"verified: {len(shelved(match.anna).ids)} entries" in capsys.readouterr().out

    def test_with_a_gap(self, match: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Up to the first mail that is missing, and the next: each brings what its reader had written."""
        for _ in range(6):
            match.next()
        mails = match.mails[:2] + match.mails[4:]
        mbox = b"".join(b"From x\n" + mail.replace(b"\r\n", b"\n") + b"\n\n" for mail in mails)
        _, carla = make_correspondents(tmp_path / "others")
        (carla.file.parent / "game.mbox").write_bytes(mbox)
        assert carla.type("verify", "game.mbox") == 0
        assert f"verified: {len(shelved(match.anna).ids)} entries" not in capsys.readouterr().out


class TestOnItsWay:
    """What mail does to a text: a part is found like a whole file."""

    @pytest.mark.parametrize(
        "way",
        [
            lambda text: re.sub("^", "> ", text, flags=re.MULTILINE),
            lambda text: re.sub("^", "> > ", text, flags=re.MULTILINE),
            lambda text: text.replace("\n", " \r\n"),
            lambda text: re.sub("(?<=^.{70})", "\n", text, flags=re.MULTILINE),
            lambda text: f"Hello\n\n{text}\n-- \nAnna\n",
        ],
        ids=["quoted", "quoted twice", "blanks", "broken", "among words"],
    )
    @pytest.mark.parametrize("block", [True, False])
    def test_found(self, way: Callable[[str], str], block: bool, match: Match) -> None:
        text = segment_in(match.next(arrives=False)).decode()
        if block:
            text = enclose(text.encode())
        (arrival,) = comes(match.bruno, f"Subject: my move\r\n\r\n{way(text)}".encode())
        assert arrival.file is not None
        assert shelved(match.bruno).ids == shelved(match.anna).ids


class TestRefused:
    """What it cannot go behind: nothing changes, and it is said which of the three it is, and what to do."""

    def test_the_game_is_not_here(self, match: Match, tmp_path: Path) -> None:
        _, carla = make_correspondents(tmp_path / "others")
        (arrival,) = comes(carla, match.next())
        assert (arrival.alarm, arrival.file) == (False, None)
        assert "which is not on this computer: you need the whole file" in str(arrival.refusal)
        assert arrival.refusal is not None
        assert "pbem mail send --whole" in arrival.refusal.hint
        assert list(carla.local_player.store.games()) == []
        assert not (carla.local_player.home / "mail" / "set-aside").exists()

    def test_the_entry_is_not_here(self, match: Match) -> None:
        """Bruno's computer was restored from a copy that is three mails old."""
        shutil.copytree(match.bruno.local_player.home / "games", match.bruno.file.parent / "copy")
        for _ in range(5):
            mail = match.next()
        shutil.rmtree(match.bruno.local_player.home / "games")
        shutil.copytree(match.bruno.file.parent / "copy", match.bruno.local_player.home / "games")
        before = shelved(match.bruno).ids
        (arrival,) = comes(match.bruno, mail)
        assert arrival.alarm is False, "watch goes on with the other games"
        assert f"but yours ends with entry {len(before) - 1}: you need the whole file" in str(arrival.refusal)
        assert shelved(match.bruno).ids == before
        assert arrival.refusal is not None
        copy = re.fullmatch(
            "ask for the whole file: pbem mail send (.*) --reply-problem", arrival.refusal.hint
        )
        assert copy is not None
        assert Path(copy[1]).read_bytes() == mail

    def test_another_entry_is_here(self, match: Match) -> None:
        """Bruno's log parts from what the mail names; which proves nothing, for anybody could name it."""
        match.next()
        game = shelved(match.bruno)
        match.bruno.save(play_share_and_orders(game, match.bruno.person()))
        other = write.resign(game, match.bruno.local_player.key)
        data = segment_after(other, len(game.entries) - 1)
        data = data.replace(other.ids[len(game.entries) - 1].encode(), b"0" * 64)
        (arrival,) = comes(match.bruno, b"Subject: x\r\n\r\n" + data)
        assert arrival.alarm is False
        n = len(game.entries) - 1
        assert f"but your entry {n} is {game.ids[n][:8]} and the sender's is 0" in str(arrival.refusal)
        assert arrival.refusal is not None
        assert "--reply-problem" in arrival.refusal.hint

    def test_the_shelf_is_damaged(self, match: Match) -> None:
        """That is no fault of the mail's: fetching stops before it passes the mail over."""
        mail = match.next(arrives=False)
        (kept,) = match.bruno.local_player.store.games()
        kept.path.write_bytes(kept.data[:-100])
        with pytest.raises(StorageError, match=r"your saved game .* is damaged .the end of this file"):
            comes(match.bruno, mail)
        kept.path.write_bytes(kept.data)
        (arrival,) = comes(match.bruno)
        assert arrival.file is not None

    def test_asking_for_the_whole_file(self, match: Match, capsys: pytest.CaptureFixture[str]) -> None:
        """The command that the hint gives; Anna's program sends the whole file once it has come."""
        shutil.copytree(match.bruno.local_player.home / "games", match.bruno.file.parent / "copy")
        for _ in range(5):
            mail = match.next()
        shutil.rmtree(match.bruno.local_player.home / "games")
        shutil.copytree(match.bruno.file.parent / "copy", match.bruno.local_player.home / "games")
        (match.bruno.file.parent / "gap.eml").write_bytes(mail)
        assert match.bruno.type("mail", "send", "gap.eml", "--reply-problem", "--to", ANNA) == 0
        told = " ".join(capsys.readouterr().out.split())
        assert f"pbem mail send {shelved(match.anna).ids[0][:8]} --whole" in told
        assert "My own newest file is attached" in told
        comes(match.anna, (match.bruno.file.parent / "gap.eml-problem.eml").read_bytes())
        again = save_to_outbox(match.anna.local_player, None, shelved(match.anna), TO_BRUNO, NOW, whole=True)
        comes(match.bruno, again)
        assert shelved(match.bruno).ids == shelved(match.anna).ids


class TestGivenAsAFile:
    """The attached text, saved: who has the game goes on from it; a third party needs the whole file."""

    def saved(self, match: Match, player: Correspondent) -> str:
        mail = match.next(arrives=False)
        (attached,) = parse_mail(mail).iter_attachments()
        (player.file.parent / "new.txt").write_text(attached.get_content())
        return "new.txt"

    @pytest.mark.parametrize("command", ["show", "verify", "log", "draws"])
    def test_with_the_game(self, command: str, match: Match, capsys: pytest.CaptureFixture[str]) -> None:
        name = self.saved(match, match.bruno)
        assert match.bruno.type(command, name) == 0
        if command == "verify":
            assert f"verified: {len(shelved(match.anna).entries)} entries" in capsys.readouterr().out

    def test_played_on(self, match: Match) -> None:
        """As the letter says: its name in place of the file's; the move writes his own file."""
        name = self.saved(match, match.bruno)
        assert match.bruno.type("resign", name, "--yes") == 0
        (written,) = match.bruno.file.parent.glob("*.yaml")
        assert len(open_game(written.read_bytes()).entries) == len(shelved(match.anna).entries) + 1
        assert match.bruno.type("mail", "send", written.name, "--to", ANNA) == 0
        (draft,) = match.bruno.file.parent.glob("*.eml")
        assert brings_segment(draft.read_bytes()), "what was saved by hand shows as well that parts are read"

    @pytest.mark.parametrize("command", ["show", "verify", "log", "join", "move"])
    def test_without_the_game(
        self, command: str, match: Match, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        _, carla = make_correspondents(tmp_path / "others")
        name = self.saved(match, carla)
        assert carla.type(command, name) == 1
        told = " ".join("".join(capsys.readouterr()).split())
        assert "not on this computer: you need the whole file" in told
        assert "ask the sender to type: pbem mail send --whole" in told

    def test_after_a_gap(self, match: Match, capsys: pytest.CaptureFixture[str]) -> None:
        """Bruno has the game, but not up to there."""
        game = shelved(match.bruno)
        before = match.bruno.local_player.store.find(game.ids[0]).data
        for _ in range(5):
            match.next()
        name = self.saved(match, match.bruno)
        (kept,) = match.bruno.local_player.store.games()
        kept.path.write_bytes(before)
        assert match.bruno.type("show", name) == 1
        told = " ".join("".join(capsys.readouterr()).split())
        assert f"yours ends with entry {len(game.entries) - 1}: you need the whole file" in told
        assert "hint: ask the sender to type: pbem mail send --whole" in told


class TestCheats:
    """Behind the shelf's log a part is judged as a whole file is, signature by signature."""

    def judged(self, match: Match, data: bytes) -> Arrival:
        before = shelved(match.bruno).ids
        (arrival,) = comes(match.bruno, b"Subject: x\r\n\r\n" + data)
        assert shelved(match.bruno).ids == before
        return arrival

    def after(self, match: Match, n: int, *raw: Plain) -> bytes:
        ids = shelved(match.bruno).ids
        return dump_yaml(
            {"pbem": 1, "after": {"game": ids[0], "n": n, "id": ids[n]}, "log": list(raw)}
        ).encode()

    def test_a_word_changed(self, match: Match) -> None:
        data = segment_in(match.next(arrives=False))
        raw = log_of(shelved(match.anna))[-1] | {"say": "I was never asked"}
        assert b"never asked" not in data
        arrival = self.judged(match, self.after(match, len(shelved(match.bruno).ids) - 1, raw))
        assert not arrival.alarm, "nobody has signed it"
        assert arrival.verdict.failure is not None
        assert arrival.verdict.failure.step == 5

    def test_under_a_strangers_key(self, match: Match) -> None:
        game = shelved(match.bruno)
        raw: dict[str, Plain] = {"n": len(game.ids), "by": "german", "kind": "resign", "prev": game.ids[-1]}
        raw["sig"] = STRANGER.sign(b"pbem/1 entry\n" + canonical_form(raw))
        arrival = self.judged(match, self.after(match, len(game.ids) - 1, raw))
        assert arrival.verdict.failure is not None
        assert arrival.verdict.failure.step == 5

    def test_entries_of_another_game(self, match: Match) -> None:
        other = log_of(
            play_share_and_orders(
                begin_game(match.anna.person(name="A"), match.bruno.person()), match.anna.person()
            )
        )
        n = len(shelved(match.bruno).ids) - 1
        arrival = self.judged(match, self.after(match, n, other[-1]))
        assert arrival.verdict.failure is not None
        assert arrival.verdict.failure.step == 3

    def test_another_place(self, match: Match) -> None:
        match.next()
        game = shelved(match.bruno)
        raw = log_of(game)[-1]
        arrival = self.judged(match, self.after(match, len(game.ids) - 3, raw))
        assert arrival.verdict.failure is not None
        assert arrival.verdict.failure.step == 3

    def test_a_fork(self, match: Match) -> None:
        """Two moves of Anna's for one number: the second is evidence, and no more than that."""
        before = shelved(match.bruno)
        match.next()
        fork = write.resign(before, match.anna.local_player.key)
        arrival = self.judged(match, segment_after(fork, len(before.ids) - 1))
        assert arrival.alarm
        assert "the Germans have signed both versions of entry 3" in str(arrival.refusal)
        (evidence,) = match.bruno.local_player.home.glob("games/*/evidence/*.yaml")
        assert open_game(evidence.read_bytes()).ids == fork.ids

    def test_it_stands_in_no_whole_file(self, match: Match) -> None:
        """An `after` in front of the offer is a part as well, and goes behind nothing."""
        raw = log_of(shelved(match.bruno))
        data = file_of(raw).replace(
            b"pbem: 1\n",
            b'pbem: 1\nafter: {game: "%s", n: 0, id: "%s"}\n'
            % (shelved(match.bruno).ids[0].encode(), shelved(match.bruno).ids[0].encode()),
        )
        arrival = self.judged(match, data)
        assert arrival.verdict.failure is not None
        assert arrival.verdict.failure.step == 3
