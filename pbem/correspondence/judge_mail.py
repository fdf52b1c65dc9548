"""The stage "judge": whether each log in some mails verifies, and its relation to the stored game.

It runs in a worker process. It reads the game store, to compare games with it, and nothing else of the
player's: neither key nor settings.

The longest logs are verified first, and the beginnings of one that verifies are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from msgspec.structs import replace

from pbem.base.limits import check, time_limit
from pbem.correspondence.mail_stages import ReadLog, ReadMails
from pbem.correspondence.verdict import Verdict
from pbem.errors import FileError, OverBudget, SegmentRefused, VerificationError, without_traceback
from pbem.format.document import After, Document, check_whole_log
from pbem.format.entries import Entry
from pbem.mail.games_in_text import possible_files
from pbem.player.local_player import LocalPlayer
from pbem.player.store.log_relation import Relation
from pbem.umpire.game_state import Game
from pbem.umpire.log_segment import join_segment
from pbem.umpire.verify import parse_log, verify_log

_SIGNATURE_STEP = 5
"""The step of FORMAT 9 that checks signatures: content that fails a later step was signed by somebody."""


def judge(player: LocalPlayer, read: ReadMails) -> list[Verdict]:
    """The verdict on each game in some mails, those that verify first. Raises `StorageError`.

    For the others, the verdicts say why: on the longest log of each game, and on anything damaged, or any
    part of a log that is not here. Verdicts that say which budget ended the work come last.
    """
    ended = list(read.ended)
    with time_limit(read.seconds):
        logs, refused = _join_segments(player, read.logs, ended)
    with time_limit(read.seconds):
        judged = _judge_logs(player, logs, ended)
    return (judged or [*read.unread, *refused, *read.damaged]) + ended


def with_own_writing(player: LocalPlayer, verdict: Verdict) -> Verdict:
    """The verdict with its game's file as pbem writes it, map included, if that is to be stored.

    A part can make a log longer than a file may be (FORMAT 1); its game then fails the first step. Raises
    `StorageError`.
    """
    if verdict.game is None or verdict.behind or verdict.relation is Relation.EQUAL:
        return verdict
    try:
        return replace(verdict, ours=player.rewrite(verdict.game))
    except VerificationError as failure:
        return Verdict(verdict.label, verdict.place, failure=failure, first=verdict.game.ids[0])


def _join_segments(
    player: LocalPlayer, logs: Iterable[ReadLog], ended: list[Verdict]
) -> tuple[list[ReadLog], list[Verdict]]:
    """The logs with each part joined to its log, and verdicts on parts that fit none (FORMAT 10).

    That log is the stored one, or one that arrived too: a mailbox can contain a whole game in parts.
    """
    whole = [log for log in logs if log.document.after is None]
    parts = [(after, log) for log in logs if (after := log.document.after)]
    refused: list[Verdict] = []
    for after, log in sorted(parts, key=lambda part: part[0].n):
        try:
            check()
            joined = _join_to_log(after, log.document, whole) or player.complete_log(log.document)
        except OverBudget as over:
            ended.append(Verdict(log.label, "", damage=over.message, ended=True))
            break
        except SegmentRefused as refusal:
            place, bare = log.candidate.place, without_traceback(refusal)
            refused.append(Verdict(log.label, place, part=True, refusal=bare, first=after.game))
            continue
        whole.append(replace(log, joined=joined))
    return whole, refused


def _join_to_log(after: After, part: Document, logs: list[ReadLog]) -> tuple[Entry, ...]:
    """A part joined to the newest log it continues; empty if there is none."""
    for log in reversed(logs):
        own = log.entries
        if own[0].id == after.game and after.n < len(own) and own[after.n].id == after.id:
            return join_segment(part, own)
    return ()


def _judge_logs(player: LocalPlayer, logs: list[ReadLog], ended: list[Verdict]) -> list[Verdict]:
    """Verdicts on the games that verify, and on the longest log of each other; fills `ended` on timeout."""
    holding: list[Verdict] = []
    failing: dict[str, Verdict] = {}
    for log in sorted(logs, key=lambda log: -len(log.entries)):
        ids = log.ids
        if any(_is_beginning_of(ids, held) for held in holding):
            continue
        try:
            verdict = _judge_log(player, log)
        except OverBudget as over:
            ended.append(Verdict(log.label, "", damage=over.message, ended=True))
            break
        if verdict.game is None:
            failing.setdefault(log.game, verdict)
        elif not any(
            _is_beginning_of(verdict.game.ids, held) for held in holding
        ):  # a repair can change what is read
            holding = [held for held in holding if held.game and not _is_beginning_of(held.game.ids, verdict)]
            holding.append(verdict)
    known = {held.game.offer.game for held in holding if held.game}
    return holding + [verdict for game, verdict in failing.items() if game not in known]


def _judge_log(player: LocalPlayer, log: ReadLog) -> Verdict:
    """The verdict on a log as it was parsed; if it fails, on the repair of its file that gets furthest."""
    try:
        game = _verify_joined(log.joined) if log.joined else verify_log(log.entries)
        return _verdict_on_game(player, log, game, log.data, repaired=not log.joined and log.version > 0)
    except VerificationError as error:
        failure, ids = without_traceback(error), log.ids
    repairs = () if log.joined else islice(possible_files(log.candidate), log.version + 1, None)
    for data in repairs:
        check()
        entries: tuple[Entry, ...] = ()
        try:
            entries = parse_log(data)
            return _verdict_on_game(player, log, verify_log(entries), data, repaired=True)
        except VerificationError as error:
            if error.step > failure.step:
                failure, ids = without_traceback(error), tuple(entry.id for entry in entries)
    return Verdict(
        log.label,
        log.candidate.place,
        failure=failure,
        damage=log.damage,
        first=log.entries[0].id,
        signed=failure.step > _SIGNATURE_STEP and player.begins_as_stored_game(ids),
    )


def _verify_joined(entries: tuple[Entry, ...]) -> Game:
    """Verify a log joined from parts: its entries have been parsed, but never verified together."""
    try:
        check_whole_log(entries)
    except FileError as error:
        raise VerificationError.from_file_error(2, None, error) from None
    return verify_log(entries)


def _verdict_on_game(
    player: LocalPlayer, log: ReadLog, game: Game, data: bytes, *, repaired: bool
) -> Verdict:
    """The verdict on a log that verifies; `data` is its file, which a part lacks."""
    data = b"" if log.joined else data
    return Verdict(
        log.label,
        log.candidate.place,
        game,
        data,
        player.relation(game, data),
        repaired=repaired,
        part=bool(log.joined),
        reads_parts=bool(log.joined) or log.reads_parts,
        language=log.language,
    )


def _is_beginning_of(ids: tuple[str, ...], verdict: Verdict) -> bool:
    """Whether a log is the one that verified, or a beginning of it."""
    return verdict.game is not None and verdict.game.ids[: len(ids)] == ids
