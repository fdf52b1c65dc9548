"""Deadlines: what the offer says, since when a move is owed; the calendar file, read by a second reader."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from pbem.errors import FileError
from pbem.games.mortain import RULES
from pbem.player.game_list import Reminder, reminder, to_ics
from pbem.render.safe_text import safe_text
from pbem.render.story import summary
from pbem.umpire import write
from pbem.umpire.deadline import Deadline, agreed_deadline, due_time, has_passed
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Claim, Person, Terms
from support.simulator import KEYS, SHORT, entropy, first_offer, mailed_file, write_reply

NOW = datetime(2026, 8, 3, 12, tzinfo=UTC)
TERMS = Terms(RULES, dict(SHORT), RULES.scenarios.names[0])


def offered(x: dict[str, Any] | None, *, at: str = "2026-08-01T12:00:00Z", name: str = "Gerda") -> Game:
    """Gerda's offer, who takes the Germans."""
    person = Person(name, KEYS["german"])
    return write.offer(person, "german", TERMS, entropy("german"), x=x, claim=Claim(at=at))


def accepted(game: Game, *, at: str = "2026-08-02T12:00:00Z") -> Game:
    """The offer taken by Ulysses, whose set-up is the first move."""
    return write.accept(game, Person("Ulysses", KEYS["us"]), entropy("us"), claim=Claim(at=at))


def begun(deadline: str = "7d") -> Game:
    return accepted(offered({"deadline": deadline}))


class TestDeadline:
    """Days from 1d to 365d, or as many hours, and nothing else."""

    @pytest.mark.parametrize(
        ("text", "length", "words"),
        [
            ("1d", timedelta(days=1), "1 day a move"),
            ("365d", timedelta(days=365), "365 days a move"),
            ("1h", timedelta(hours=1), "1 hour a move"),
            ("36h", timedelta(hours=36), "36 hours a move"),
            ("8760h", timedelta(days=365), "8,760 hours a move"),
        ],
    )
    def test_good(self, text: str, length: timedelta, words: str) -> None:
        deadline = Deadline.parse(text)
        assert (deadline.text, deadline.length, str(deadline.description)) == (text, length, words)

    @pytest.mark.parametrize(
        "text",
        ["", "7", "d", "0d", "07d", "366d", "8761h", "-1d", "7D", "7 d", "7d\n", "1.5d", "٧d", "1d12h", "1w"],
    )
    def test_bad(self, text: str) -> None:
        with pytest.raises(FileError, match="is not a time from 1d to 365d, or in hours such as 36h"):
            Deadline.parse(text)


class TestAgreed:
    """It stands in entry 0 under `x`: signed, kept, told to whoever joins, and never read into the game."""

    def test_in_the_file(self) -> None:
        game = open_game(mailed_file(begun()))
        assert game.entries[0].raw["x"] == {"deadline": "7d"}
        assert agreed_deadline(game) == Deadline.parse("7d")
        assert "deadline: 7 days a move" in summary(game, None)

    def test_nothing_of_the_kind(self) -> None:
        game = open_game(mailed_file(accepted(offered(None))))
        assert "x" not in game.entries[0].raw
        assert agreed_deadline(game) is None
        assert "deadline" not in summary(game, None)

    def test_the_game_is_the_same_with_it(self) -> None:
        def position(x: dict[str, Any] | None) -> object:
            return write_reply(accepted(offered(x)), first_offer).entries[-1].raw["position"]

        assert position({"deadline": "1h"}) == position(None)

    @pytest.mark.parametrize("value", [7, None, True, ["7d"], {"days": 7}, "soon", "7d\x1b[31m", "9" * 900])
    def test_what_another_program_writes_there_is_its_own_business(self, value: Any) -> None:
        game = open_game(mailed_file(accepted(offered({"deadline": value, "other": 1}))))
        assert agreed_deadline(game) is None
        waiting = due_time(game)
        assert waiting
        assert waiting.until is None


class TestDue:
    """A move is owed since the last entry that has a clock: one that decides nothing has none (FORMAT 6)."""

    def test_since_the_accept(self) -> None:
        """The set-up is due a week after Ulysses has come, not after the offer that he answers."""
        waiting = due_time(begun())
        assert waiting
        assert (waiting.seat, waiting.clock_of) == ("us", "us")
        assert waiting.since == datetime(2026, 8, 2, 12, tzinfo=UTC)
        assert waiting.until == datetime(2026, 8, 9, 12, tzinfo=UTC)

    def test_since_the_others_move(self) -> None:
        """By the simulator's clock, one minute an entry: entry 2 was written two minutes past midnight."""
        waiting = due_time(write_reply(begun(), first_offer))
        assert waiting
        assert (waiting.seat, waiting.clock_of) == ("german", "us")
        assert waiting.since == datetime(2026, 8, 1, 0, 2, tzinfo=UTC)

    def test_a_share_alone_starts_no_new_time(self) -> None:
        """Gerda opens the card and still owes her orders: since entry 2, which Ulysses wrote."""
        game = write.play(
            write_reply(begun(), first_offer), KEYS["german"], claim=Claim(at="2026-08-05T00:00:00Z")
        )
        assert "at" not in game.entries[-1].raw
        waiting = due_time(game)
        assert waiting
        assert (waiting.seat, waiting.clock_of) == ("german", "us")
        assert waiting.since == datetime(2026, 8, 1, 0, 2, tzinfo=UTC)

    def test_a_free_seat(self) -> None:
        """Nobody has agreed to the deadline yet."""
        waiting = due_time(offered({"deadline": "7d"}))
        assert waiting
        assert waiting.since == datetime(2026, 8, 1, 12, tzinfo=UTC)
        assert waiting.until is None

    def test_an_entry_without_a_time(self) -> None:
        """Then the one before it counts: here the offer, at noon."""
        waiting = due_time(accepted(offered({"deadline": "7d"}), at=""))
        assert waiting
        assert (waiting.clock_of, waiting.since) == ("german", datetime(2026, 8, 1, 12, tzinfo=UTC))

    def test_no_time_at_all(self) -> None:
        waiting = due_time(accepted(offered({"deadline": "7d"}, at=""), at=""))
        assert waiting
        assert (waiting.since, waiting.until) == (None, None)

    def test_beyond_the_calendar(self) -> None:
        """A clock is a claim, and may claim the last day there is."""
        waiting = due_time(accepted(offered({"deadline": "365d"}), at="9999-12-31T23:59:59Z"))
        assert waiting
        assert waiting.until is None
        assert not has_passed(waiting.until, NOW)

    def test_overdue(self) -> None:
        waiting = due_time(begun("24h"))
        assert waiting
        deadline = datetime(2026, 8, 3, 12, tzinfo=UTC)
        assert not has_passed(waiting.until, deadline)
        assert has_passed(waiting.until, deadline + timedelta(seconds=1))

    def test_at_the_end_nothing_is_owed(self) -> None:
        assert due_time(write.resign(begun(), KEYS["us"])) is None


class TestReminder:
    """What the calendar says, and to whom."""

    def test_my_move(self) -> None:
        game = begun()
        mine = reminder(game, KEYS["us"])
        assert mine
        assert mine.title == "Your move: Stand at Mortain"
        assert mine.text.startswith(
            f'"Gerda" (German) - "Ulysses" (US), game {game.ids[0][:8]}. The Americans are to move. '
        )
        assert mine.until == datetime(2026, 8, 9, 12, tzinfo=UTC)

    @pytest.mark.parametrize("key", [KEYS["german"], None])
    def test_the_opponents(self, key: Any) -> None:
        his = reminder(begun(), key)
        assert his
        assert his.title == '"Ulysses" to move: Stand at Mortain'

    @pytest.mark.parametrize(
        "game",
        [offered({"deadline": "7d"}), accepted(offered(None)), write.resign(begun(), KEYS["us"])],
        ids=["a free seat", "no deadline", "over"],
    )
    def test_none(self, game: Game) -> None:
        assert reminder(game, KEYS["us"]) is None


def read(data: bytes) -> list[Any]:
    """The events in a calendar file, as the `icalendar` package reads it."""
    return list(Calendar.from_ical(data).walk("VEVENT"))


WORDS = st.text(st.characters(codec="utf-8"), max_size=200)


class TestCalendar:
    """RFC 5545, as a second reader takes it."""

    def test_an_event(self) -> None:
        game = begun()
        mine = reminder(game, KEYS["us"])
        assert mine
        (event,) = read(to_ics([mine], NOW))
        assert event["UID"] == f"{game.ids[0]}@pbem.invalid"
        assert event.decoded("DTSTAMP") == NOW
        assert event.decoded("DTSTART") == mine.until
        assert str(event["SUMMARY"]) == mine.title
        assert str(event["DESCRIPTION"]) == mine.text
        (alarm,) = event.walk("VALARM")
        assert str(alarm["ACTION"]) == "DISPLAY"
        assert alarm.decoded("TRIGGER") == timedelta(days=-1)
        assert not event.errors

    def test_the_same_game_is_the_same_event(self) -> None:
        """So that a calendar moves the old one, and does not show both."""
        before, after = (reminder(game, None) for game in (begun(), write_reply(begun(), first_offer)))
        assert before
        assert after
        (old,), (new,) = read(to_ics([before], NOW)), read(to_ics([after], NOW))
        assert old["UID"] == new["UID"]
        assert old["DTSTART"] != new["DTSTART"]

    def test_one_event_for_each_game(self) -> None:
        several = [Reminder(str(n), f"title {n}", "", NOW + timedelta(days=n)) for n in range(3)]
        assert [str(event["SUMMARY"]) for event in read(to_ics(several, NOW))] == [
            "title 0",
            "title 1",
            "title 2",
        ]

    def test_times_are_written_in_utc(self) -> None:
        eastern = NOW.astimezone(datetime.strptime("+0300", "%z").tzinfo)
        assert to_ics([Reminder("1", "", "", eastern)], eastern) == to_ics([Reminder("1", "", "", NOW)], NOW)

    @given(title=WORDS, text=WORDS)
    def test_any_words(self, title: str, text: str) -> None:
        """Names may hold anything: lines of at most 75 octets, CRLF, and exactly one event comes back."""
        data = to_ics([Reminder("1", title, text, NOW)], NOW)
        lines = data.decode().removesuffix("\r\n").split("\r\n")
        assert all(len(line.encode()) <= 75 for line in lines)
        assert all(line.isprintable() for line in lines)
        (event,) = read(data)
        for name, words in (("SUMMARY", title), ("DESCRIPTION", text)):
            assert str(event[name]) == safe_text(words)

    def test_a_long_name_is_folded_between_letters(self) -> None:
        data = to_ics([Reminder("1", "ä€𝄞" * 40, "", NOW)], NOW)
        assert max(map(len, data.split(b"\r\n"))) <= 75
        (event,) = read(data)
        assert str(event["SUMMARY"]) == "ä€𝄞" * 40

    def test_escapes(self) -> None:
        """RFC 5545, 3.3.11: a reader may part a list at a comma, and a value at a semicolon."""
        assert rb"SUMMARY:a\, b\; c\\n" in to_ics([Reminder("1", "a, b; c\\n", "", NOW)], NOW)

    def test_no_name_writes_a_line_of_its_own(self) -> None:
        game = accepted(offered({"deadline": "7d"}, name="x; ATTENDEE:mailto:eve@example.org, \\n"))
        mine = reminder(game, KEYS["us"])
        assert mine
        (event,) = read(to_ics([mine], NOW))
        assert "ATTENDEE" not in event
        assert str(event["DESCRIPTION"]).startswith('"x; ATTENDEE:mailto:eve@example.org, \\n" (German) - ')
