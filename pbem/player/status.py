"""The status of a game for a player: what is new, what is pending and until when; as data and in sentences.

It has the events the player might not know and those only they see; the pending question, whose it is, and
its deadline; the result, and whether that is news; and remarks, such as a fork of which this home has proof
(FORMAT 6). Every surface shows it and none collects its own; `actions.preconditions` says what is possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.files import read_regular
from pbem.core.requests import Tell
from pbem.core.sides import Side
from pbem.errors import StorageError
from pbem.format.entries import BOUND
from pbem.format.keys import PrivateKey, PublicKey
from pbem.player.clock import now
from pbem.player.local_player import LocalPlayer, log_lines
from pbem.player.pending import Deferred, PendingMessages, deferred_for, may_sign_here
from pbem.player.store.delivery import is_refused, refusal_with_command
from pbem.player.store.game_store import describe_unconfirmed, newest_only_hint
from pbem.player.store.log_relation import Relation, compare_logs, find_double_signature
from pbem.player.store.record_store import ReadMarker
from pbem.render.safe_text import WIDTH, quote_lines, quote_path, safe_text, wrap
from pbem.render.story import describe_next_duty, describe_proposal
from pbem.texts import Texts, time_in_words
from pbem.umpire import permissions
from pbem.umpire.deadline import due_time, has_passed
from pbem.umpire.game_facts import PRACTICE, SHORT_ID_DIGITS, decides_nothing
from pbem.umpire.game_state import Game, GameState, ReplayedEntry
from pbem.umpire.next_duty import next_duty
from pbem.umpire.offered_scenario import own_scenario
from pbem.umpire.verify import parse_log

if TYPE_CHECKING:
    from pbem.player.store.game_file import Head


tr = Texts("pbem")


def describe_forks(player: LocalPlayer, game: Game) -> tuple[str, ...]:
    """A line for each side that signed two entries with the same number, with the path of the proof.

    Older files, other accepts and undone logs are stored too, and prove nothing. Raises `StorageError`.
    """
    lines_found: dict[str, None] = {}
    if evidence := player.store.evidence(game.ids[0]):
        kept, handed = log_lines(game.entries), player.store.signed_entries(game.ids[0])
        for path in evidence:
            other = log_lines(parse_log(read_regular(path)))
            n = (
                find_double_signature(kept, other)
                if compare_logs(kept, other, handed) is Relation.FORKED
                else None
            )
            if n is not None:
                told = tr(
                    "{side} {side:has|have} signed two different versions of entry {n} of this "
                    "game; both are kept as proof in {folder}",
                    side=game.rules.side(kept[n].by),
                    n=n,
                    folder=player.home / "games",
                )
                lines_found[told] = None
    return tuple(lines_found)


DutyKind: TypeAlias = Literal["accept", "answer", "share", "orders", "opening", "sealing", "nothing"]
"""What the next entry has to be (FORMAT 6)."""

FORMALITIES: Final = ("share", "opening", "sealing")
"""The duties that follow from the log, so that nobody has to decide anything."""


class PendingQuestion(Struct, frozen=True, kw_only=True):
    """The question to a seat, in `words`; `seat` None: there is none. `yours`: it is the player's.

    `what` and `words` include what the player's share unlocks; `then` is what follows a formality of theirs
    once the share reveals it. `since` and `until` are UTC, by the clock of the seat `clock_of`.
    """

    what: DutyKind
    seat: str | None = None
    words: str = ""
    then: str = ""
    yours: bool = False
    since: datetime | None = None
    until: datetime | None = None
    clock_of: str = ""

    @property
    def is_formality(self) -> bool:
        """Whether the answer follows from the log, so that nobody has to decide anything."""
        return self.what in FORMALITIES


def pending_question(game: Game, key: PrivateKey | None) -> PendingQuestion:
    """The next step of the game as this key's holder sees it; None: as a spectator does."""
    return pending_question_in(game, permissions.unlock_state(game, key) if key else game.state, key)


def pending_question_in(game: Game, seen: GameState, key: PrivateKey | None) -> PendingQuestion:
    """The next step of the game; `seen` is the state with what this key's holder has unlocked."""
    now, waiting = next_duty(game.state), due_time(game)
    yours = key is not None and len(game.seats) > 1 and now.seat in permissions.held_seats(game, key)
    what, words, then = now.what, describe_next_duty(game.state), ""
    if yours and key and what in FORMALITIES:
        if permissions.has_forced_entry(game, key):
            after = _describe_duty_after(seen)
            then = "" if after == words else after  # the words of a seal do not show what follows it
        else:
            what, words = "orders", describe_next_duty(seen)
    if what == "answer" and now.seat:
        words = tr(
            "{proposed}; {side} {side:answers|answer}",
            proposed=describe_proposal(game),
            side=game.rules.side(now.seat),
        )
    if waiting is None:
        return PendingQuestion(what=what, words=words)
    return PendingQuestion(
        what=what,
        seat=now.seat,
        words=words,
        then=then,
        yours=yours,
        since=waiting.since,
        until=waiting.until,
        clock_of=waiting.clock_of,
    )


def _describe_duty_after(seen: GameState) -> str:
    """What follows a share, in the state it leads to; another share if it opens the draw."""
    if not seen.is_beat_due:
        return describe_next_duty(seen)
    other = seen.rules.side(seen.opponent(seen.writer or ""))
    return tr("{side} {side:adds its|add their} half of the next draw", side=other)


RemarkKind: TypeAlias = Literal[
    "file", "map", "status", "fork", "doubt", "mail", "offer", "scenario", "draft"
]
"""Kinds of remark: a file that is not the newest, a map or status in it that is false or cannot be compared,
another history, a game that might have continued elsewhere, a mail that a server refused, an offer whose
first draw can be chosen, an own scenario, a commander's draft that has or has not arrived.
"""


class Remark(Struct, frozen=True):
    """A remark in one line, with a hint if there is one. A `warning` comes before others."""

    kind: RemarkKind
    words: str
    hint: str = ""
    warning: bool = False


class GameResult(Struct, frozen=True):
    """The end of a game: the winner (empty: nobody), the reason, and whether it is unseen."""

    winner: str
    reason: str
    is_news: bool


class GameStatus(Struct, frozen=True):
    """The status of a game for the player. `table` includes what their share unlocks; `news` do not.

    `pending_message` goes with the player's next decision; `suspended_message` is one whose entry was undone.
    `is_planned`: the player's plan is armed here. `may_sign_here`: this home automatically signs what the
    player has deferred and planned.
    """

    game: Game
    table: GameState
    news: tuple[ReplayedEntry, ...]
    question: PendingQuestion
    result: GameResult | None
    remarks: tuple[Remark, ...]
    deferred: Deferred
    pending_message: str
    suspended_message: str
    is_planned: bool
    may_sign_here: bool

    @property
    def unlocked_events(self) -> tuple[Tell, ...]:
        """The events only the player's share reveals; their next entry writes it into the file."""
        return tuple(self.table.run.told)


def game_status(player: LocalPlayer, game: Game) -> GameStatus:
    """The status of a game. Raises `KeyFileError`, `StorageError`."""
    key = player.key if player.has_key else None
    table = permissions.unlock_state(game, key) if key else game.state
    due, wish, planned = (
        pending_question_in(game, table, key),
        deferred_for(player, game),
        _is_planned(player, game),
    )
    refused = bool(player.seats(game)) and is_refused(player.home, game.ids[0], game.ids[-1])
    if refused and not due.yours:
        # the opponent cannot be late with a move they never received
        due = replace(due, since=None, until=None)
    return GameStatus(
        game,
        table,
        news(player, game),
        due,
        game_result(player, game),
        (*_mail_remarks(game, refused=refused), *remarks(player, game, table, due)),
        wish,
        *_pending_messages(player, game),
        planned,
        may_sign_here=may_sign_here(player, game) if wish.is_pending or planned else True,
    )


def _is_planned(player: LocalPlayer, game: Game) -> bool:
    """Whether a plan is armed here. Raises `StorageError`."""
    if not player.store.records.read(game.ids[0]).plan.is_armed:
        return False
    from pbem.player.plans.plan_store import PlanStore  # 3 ms: most players have no plans

    return PlanStore(player.home).is_armed_here(game)


def news(player: LocalPlayer, game: Game) -> tuple[ReplayedEntry, ...]:
    """The entries since the player last looked, but at most those since their last decision.

    A share written automatically is not a decision, so it hides nothing. In solitaire, and for a spectator,
    they are those since the player looked. The last entry is always included. Raises `StorageError`.
    """
    last, seats = len(game.replayed_entries) - 1, player.seats(game)
    looked = ReadMarker(player.home).first_news(game)
    if len(seats) != 1:
        return game.replayed_entries[min(looked or last, last) :]
    own = [chapter.entry.body for chapter in game.replayed_entries if chapter.entry.body.by in seats]
    decided = max((body.n for body in own if not decides_nothing(game, body)), default=0)
    if decided == 1 and game.offer.say:
        decided = 0  # joining a game does not mean having read what its offerer said
    return game.replayed_entries[min(max(looked, decided), last) :]


def unread_news(player: LocalPlayer, game: Game) -> tuple[ReplayedEntry, ...]:
    """The news the player has not looked at, without the decisions they signed themselves.

    A share written automatically might have turned over a card, so it is included. Raises `StorageError`.
    """
    if ReadMarker(player.home).mark(game.ids[0]).at == game.ids[-1]:
        return ()
    seats = player.seats(game)
    return tuple(
        replayed
        for replayed in news(player, game)
        if replayed.entry.body.by not in seats or decides_nothing(game, replayed.entry.body)
    )


def remarks(player: LocalPlayer, game: Game, table: GameState, due: PendingQuestion) -> tuple[Remark, ...]:
    """Remarks on a game, warnings first. Raises `StorageError`."""
    all_remarks = [Remark("fork", words, warning=True) for words in describe_forks(player, game)]
    if player.store.unconfirmed.has(game.ids[0]):
        all_remarks.append(
            Remark("doubt", describe_unconfirmed(game.ids[0]), newest_only_hint(), warning=True)
        )
    if unfair := describe_unbound_offer(player, game):
        all_remarks.append(Remark("offer", unfair, warning=True))
    if own := own_scenario(game):
        all_remarks.append(Remark("scenario", tr("scenario: {text}", text=own.text)))
    if due.yours and due.what == "orders" and game.state.commanders.get(due.seat or ""):
        from pbem.player.commanders import commanders_of  # 4 ms: few sides are shared

        side = commanders_of(player, game, table)
        all_remarks += [Remark("draft", line) for line in (side.describe() if side else ())]
    return tuple(all_remarks)


def describe_unbound_offer(player: LocalPlayer, game: Game) -> str:
    """The warning about an offer that others can accept, if it lacks `bound` (FORMAT 12); else empty."""
    if len(game.seats) > 1 or player.seats(game) or BOUND in (game.offer.needs or ()):
        return ""
    return tr(
        "if several people join this offer, its maker can see the first draw with each of them and answer "
        "only the one that suits; an offer made with pbem 0.2 or later prevents that"
    )


def _mail_remarks(game: Game, *, refused: bool) -> tuple[Remark, ...]:
    """The remark that the player's newest mail was not sent, if a server refused it."""
    return (
        (Remark("mail", refusal_with_command(game.ids[0][:SHORT_ID_DIGITS]), warning=True),)
        if refused
        else ()
    )


def _pending_messages(player: LocalPlayer, game: Game) -> tuple[str, str]:
    """The message for the player's next decision, and the suspended one. Raises `StorageError`."""
    kept = PendingMessages(player.home)
    if not player.has_key or kept.is_empty(game.ids[0]):
        return "", ""
    return kept.pending_for(game, player.key), kept.suspended_message(game)


def file_remarks(refusal: StorageError | None, head: Head) -> tuple[Remark, ...]:
    """Remarks on a game's file: that it must not be continued, or that its status or map might be false."""
    all_remarks = [Remark("file", str(refusal), refusal.hint, warning=True)] if refusal else []
    if head.map == "false":
        lies = tr("the map in this file is not the game's; here is the right one")
        all_remarks.append(Remark("map", lies, warning=True))
    if head.map == "unclear":
        doubtful_map = tr(
            "pbem cannot compare the map in this file, because this version draws it differently; here is "
            "the right one"
        )
        all_remarks.append(Remark("map", doubtful_map))
    if head.status == "false":
        lies = tr("the status in this file is not the game's; here is the right one")
        all_remarks.append(Remark("status", lies, warning=True))
    if head.status == "unclear":
        doubtful_status = tr(
            "pbem cannot compare the status in this file, because this version words it differently; here "
            "is the right one"
        )
        all_remarks.append(Remark("status", doubtful_status))
    return tuple(all_remarks)


def game_result(player: LocalPlayer, game: Game) -> GameResult | None:
    """The result of the game, if it is over. Raises `StorageError`."""
    ending = game.state.ending
    if ending is None:
        return None
    unseen = bool(player.seats(game)) and is_end_unseen(player, game.ids[0], game.ids[-1])
    return GameResult(ending.winner or "", str(ending.reason), unseen)


def is_end_unseen(player: LocalPlayer, game: str, head: str) -> bool:
    """Whether the player has not looked at a game since its last entry; if the game is over, that is news.

    `game` and `head` are the ids of the game and that entry. Raises `StorageError`.
    """
    return ReadMarker(player.home).mark(game).at != head


_A_DAY = timedelta(days=1)


def describe_clock(due: PendingQuestion, whose: Side) -> str:
    """How long a move has been pending, its deadline, and by which side's clock (which is a claim)."""
    if due.since is None:
        return tr("waiting since an entry without a time")
    words = tr("waiting since {time}, by the clock of {side}", time=time_in_words(due.since), side=whose)
    if due.since <= now():
        words = tr("{owed} ({time})", owed=words, time=_describe_duration(now() - due.since))
    if due.until:
        words = tr("{owed}, due {time}", owed=words, time=time_in_words(due.until))
    return tr("{owed} (OVERDUE)", owed=words) if is_overdue(due) else words


def describe_deadline(due: PendingQuestion, whose: Side) -> str:
    """The deadline of a move, in a sentence that is true on any day; empty if there is none."""
    if due.until is None:
        return ""
    return tr("The move is due {time}, by the clock of {side}.", time=time_in_words(due.until), side=whose)


def describe_question(due: PendingQuestion) -> str:
    """The question in one line; for a formality, that there is nothing to decide, and what follows it."""
    if due.is_formality and due.yours:
        if not due.then:
            return tr("{asked}, with nothing to decide", asked=due.words)
        return tr("{asked}, with nothing to decide; then {then}", asked=due.words, then=due.then)
    return due.words


def describe_next_step(
    due: PendingQuestion, game: Game, key: PrivateKey | None, file: Path | str, width: int = WIDTH
) -> str:
    """The question, since when it is pending, and what this key's holder types next."""
    lines = [wrap(tr("Next: {waiting}", waiting=safe_text(describe_question(due))), width, indent=6)]
    if due.seat in game.seats and should_show_time(due):
        lines.append(wrap(f"  {describe_clock(due, game.rules.side(due.clock_of))}", width, indent=6))
    steps, typing = _next_steps(due, game, key, quote_path(file), safe_text(str(file)))
    return "\n".join([*lines, *steps, *(tr("Type: {command}", command=line) for line in typing)])


def _next_steps(
    due: PendingQuestion, game: Game, key: PrivateKey | None, name: str, shown: str
) -> tuple[Sequence[str], Sequence[str]]:
    """The reader's next steps in sentences, and the commands. `name` is the file as typed."""
    mine = permissions.held_seats(game, key) if key else ()
    by_mail = tr("Mail {file} to your opponent, and wait.", file=shown)
    match due.what:
        case "accept" if mine:
            join = f"pbem join {quote_path(PurePath(shown).name)}"  # the opponent can keep it in any folder
            return [
                tr("Mail {file} to your opponent, who should then type: {command}", file=shown, command=join)
            ], []
        case "accept":
            return [], [f"pbem join {name}"]
        case "nothing":
            return describe_afterwards(game, mine, name) if mine else [], []
        case "orders" if not due.yours and _is_commander(game, due.seat, key):
            return [], [f"pbem moves {name}", f'pbem orders {name} "{tr("ORDER")}" ...']
        case _ if not due.yours:
            is_mine = game.replayed_entries[-1].entry.body.by in mine
            return [by_mail if is_mine else tr("Wait for your opponent's next mail.")] if mine else [], []
        case "answer":
            return [], [f"pbem answer {name} yes", f"pbem answer {name} no"]
        case "orders":
            return [], [f"pbem moves {name}", f'pbem move {name} "{tr("ORDER")}" ...']
    return [], [f"pbem move {name}"]


def describe_afterwards(game: Game, mine: Sequence[str], name: str) -> list[str]:
    """The commands for a player whose game is over: to replay it, to share it, to play again."""
    other = next((seat for seat in game.rules.seats if seat not in mine), mine[0])
    again = f"pbem new {game.rules.name} --seat {other}"
    if game.offer.scenario.data is not None:
        again += f" --scenario {name}"  # the player's own, which the finished game contains
    elif game.offer.scenario.name != game.rules.scenarios.names[0]:
        again += f" --scenario {game.offer.scenario.name}"
    if game.seats[other].name == PRACTICE:
        again += " --practice"
    luck = (
        [tr("To see how lucky you both were: {command}", command=f"pbem report {name}")]
        if game.rules.players
        else []
    )
    return [
        tr("To see it again: {command}", command=f"pbem replay {name}"),
        *luck,
        tr("To make a web page of it: {command}", command=f"pbem page {name}"),
        tr("To play again with sides swapped: {command}", command=again),
    ]


def describe_status(now: GameStatus, file: Path | str) -> list[str]:
    """The lines beside the question: remarks, since when it is pending, and what is pending at home.

    The commanders' drafts are in `describe_drafts`.
    """
    whose = now.game.rules.side(now.question.clock_of)
    time = [describe_clock(now.question, whose)] if should_show_time(now.question) else []
    others = [remark for remark in now.remarks if remark.kind != "draft"]
    return [*describe_remarks(others), *time, *describe_pending(now, file)]


def describe_drafts(now: GameStatus) -> list[str]:
    """The commanders whose drafts have arrived, and those whose drafts have not (FORMAT 11)."""
    return describe_remarks(remark for remark in now.remarks if remark.kind == "draft")


def describe_pending(now: GameStatus, file: Path | str, width: int = WIDTH) -> list[str]:
    """Lines about deferred actions and messages at home, each with what to type about it."""
    words = (
        [tr("Your next orders will include this message:"), *quote_lines(now.pending_message, width)]
        if now.pending_message
        else []
    )
    return [
        *describe_deferred(now, file),
        *words,
        *describe_suspended_message(now.suspended_message, file, width),
    ]


def describe_suspended_message(words: str, file: Path | str, width: int = WIDTH) -> list[str]:
    """Lines about a message whose entry was undone, and how to release it; none if it is empty."""
    if not words:
        return []
    again = f"pbem say {quote_path(file)} --again"
    told = tr("This message is waiting until you confirm it: {command}", command=again)
    return [told, *quote_lines(words, width)]


def describe_deferred(now: GameStatus, file: Path | str) -> list[str]:
    """Lines about deferred actions, with how to withdraw or repeat each; and about a suspended plan."""
    wish, decides = now.deferred, now.question.yours and now.question.what == "orders"
    draw, resign = f"pbem propose {quote_path(file)} draw", f"pbem resign {quote_path(file)}"
    refused = now.game.state.barred == now.question.seat
    lines = (
        [_describe_deferred_draw(draw, due=decides and not refused, here=now.may_sign_here)]
        if wish.draw
        else []
    )
    lines += [_describe_deferred_takeback(now, file, due=decides and not refused)] if wish.takeback else []
    lines += [_describe_deferred_resignation(resign, now, due=decides)] if wish.resign else []
    if "draw" in wish.suspended:
        lines.append(tr("Your undo also withdrew your draw offer. To make it again: {command}", command=draw))
    if "takeback" in wish.suspended:
        lines.append(tr("Your take-back has been cancelled, because you undid what came before it."))
    if "resign" in wish.suspended:
        lines.append(
            tr("Your undo also withdrew your resignation. To resign again: {command}", command=resign)
        )
    if wish.lapsed:
        lines.append(tr("Your resignation has been cancelled, because your opponent has made a proposal."))
    if now.is_planned and decides and not now.may_sign_here:
        command = f"pbem move {quote_path(file)} --plan"
        lines.append(
            tr(
                "Your plan is waiting for you here, because your last decision was signed "
                "elsewhere: {command}",
                command=command,
            )
        )
    return lines


def deferred_as_data(wish: Deferred) -> dict[str, Any]:
    """The deferred actions as data for other programs; empty if there are none."""
    if not (wish.is_pending or wish.suspended):
        return {}
    told = {
        "draw": wish.draw,
        "takeback": wish.takeback or None,
        "resign": wish.resign or None,
        "suspended": list(wish.suspended),
    }
    return {"wishes": told}


def _describe_deferred_takeback(now: GameStatus, file: Path | str, *, due: bool) -> str:
    """The line about a deferred take-back."""
    back = f"pbem propose {quote_path(file)} --withdraw"
    if not due:
        return tr(
            "Your take-back is waiting until you can propose it. To withdraw it: {command}", command=back
        )
    return tr(
        "Your take-back has to go first: {command}. To withdraw it: {back}",
        command=f"pbem move {quote_path(file)}",
        back=back,
    )


def _describe_deferred_draw(again: str, *, due: bool, here: bool) -> str:
    """The line about a deferred draw offer."""
    back = f"{again} --withdraw"
    if not due:
        return tr(
            "Your draw offer goes out as soon as it is your turn to write. To withdraw it: {command}",
            command=back,
        )
    if here:
        return tr(
            "Your draw offer has to go first: {command}. To withdraw it: {back}", command=again, back=back
        )
    return tr(
        "Your draw offer is waiting for you here, because your last decision was signed elsewhere: "
        "{command}. To withdraw it: {back}",
        command=again,
        back=back,
    )


def _describe_deferred_resignation(again: str, now: GameStatus, *, due: bool) -> str:
    """The line about a deferred resignation."""
    back, certain = f"{again} --withdraw", now.deferred.resign == "certain"
    match due, certain:
        case True, True if now.may_sign_here:
            return tr(
                "Your resignation has to go first: {command}. To withdraw it: {back}",
                command=again,
                back=back,
            )
        case True, _:
            return tr(
                "You wanted to resign. If you still do: {command}. If not: {back}", command=again, back=back
            )
        case _, True:
            return tr(
                "Your resignation goes out as soon as it is your turn to write. To withdraw it: {command}",
                command=back,
            )
    return tr(
        "You will be asked to confirm your resignation when it is your turn to write. To withdraw "
        "it: {command}",
        command=back,
    )


def describe_remarks(remarks: Iterable[Remark]) -> list[str]:
    """Remarks in lines, with their hints."""
    lines = []
    for remark in remarks:
        lines.append(f"{tr('warning')}: {remark.words}" if remark.warning else remark.words)
        lines += [tr("hint: {hint}", hint=remark.hint)] if remark.hint else []
    return [safe_text(line) for line in lines]


def is_overdue(due: PendingQuestion) -> bool:
    """Whether there is a deadline and it has passed."""
    return has_passed(due.until, now())


def timestamp(moment: datetime | None) -> str | None:
    """A time as the game file writes it."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z") if moment else None


def describe_wait(span: timedelta) -> str:
    """How long a move has been pending: in days, at first in hours; empty under an hour."""
    hours = _hours(span)
    if not hours:
        return ""
    if hours < 48:
        return tr.plural("for {number} hour", "for {number} hours", hours)
    return tr.plural("for {number} day", "for {number} days", hours // 24)


def should_show_time(due: PendingQuestion) -> bool:
    """Whether the time is worth a line: there is a deadline, or a day has passed."""
    return due.until is not None or (due.since is not None and now() - due.since >= _A_DAY)


def _describe_duration(span: timedelta) -> str:
    """How long a move has been pending, in words."""
    hours = _hours(span)
    if not hours:
        return tr("just now")
    if hours < 48:
        return tr.plural("{number} hour", "{number} hours", hours)
    return tr.plural("{number} day", "{number} days", hours // 24)


def _hours(span: timedelta) -> int:
    return int(span.total_seconds()) // 3600


def _is_commander(game: Game, seat: str | None, key: PrivateKey | None) -> bool:
    """Whether this key's holder is a commander of a seat (FORMAT 11)."""
    commanders = game.state.commanders.get(seat or "", ())
    return key is not None and any(PublicKey.parse(commander.key) == key.public for commander in commanders)
