"""Fetching: each new mail passes through its stages (`mail_stages`), from its bytes to a line for the player.

No mail can hold up the next: any failure is reported, and its mail quarantined.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.correspondence.examiner import Examiner
from pbem.correspondence.file_mail import file_mail, save_losses
from pbem.correspondence.incoming_mail import EarlyMails, IncomingMails, incoming_mails
from pbem.correspondence.mail_stages import (
    Arrival,
    Examination,
    IncomingMail,
    ReadMails,
    quarantined_arrival,
)
from pbem.correspondence.missing_mail import MissingMail
from pbem.correspondence.parse_incoming import is_worth_parsing
from pbem.correspondence.report_arrivals import ArrivalReports
from pbem.correspondence.verdict import Verdict
from pbem.errors import KeyFileError, StorageError, WorkerEnded, describe_unforeseen_error
from pbem.mail.mailbox import Mailbox, Tidying
from pbem.player.local_player import LocalPlayer

if TYPE_CHECKING:
    from pbem.correspondence.orders_by_reply import OrdersByReply


def fetch_mails(
    player: LocalPlayer,
    box: Mailbox,
    folder: Path,
    tidying: Tidying = Tidying(),
    progress: Callable[[int, int], None] = lambda read, number: None,
    replies: OrdersByReply | None = None,
    lost: MissingMail | None = None,
) -> Generator[Arrival, None, None]:
    """Judge and file every game in the new mails of `box`. Game files are written to `folder`.

    A mail counts as read once the caller asks for the arrival after it; if the caller stops before, it is
    read again next time. After each mail, `progress` is called with the number read and the total. With
    `replies`, a new mail can also be the player's reply to a letter to oneself. Losses are saved in `lost`.
    The last arrival sums up mails that brought nothing new and were not reported. Raises `MailError` if the
    mailbox cannot be read, `StorageError` if nothing can be saved.
    """
    lost = MissingMail(player) if lost is None else lost
    reports = ArrivalReports(player)
    with incoming_mails(player, box, tidying, progress) as incoming, Examiner(player.home) as examiner:
        stages = _MailStages(player, folder, examiner, incoming, lost)
        for mail in incoming.to_retry():
            yield from reports.report(mail, stages.process(mail, None))
        for mail in incoming.new():
            arrivals = stages.process(mail, replies)
            yield from reports.report(mail, arrivals)
            if any(arrival.file for arrival in arrivals):
                for early, retried in stages.retry_early():
                    yield from reports.report(early, retried)
            tidy = any(not (arrival.quarantined or arrival.reply_result) for arrival in arrivals)
            incoming.finish(mail, tidy=tidy)
        yield from reports.rest()


class _MailStages:
    """Takes one mail after another from its bytes to its arrivals."""

    def __init__(
        self,
        player: LocalPlayer,
        folder: Path,
        examiner: Examiner,
        incoming: IncomingMails,
        lost: MissingMail,
    ) -> None:
        self._player = player
        self._folder = folder
        self._examiner = examiner
        self._unjudged = incoming.unjudged
        self._lost = lost
        self._early = EarlyMails(player, lost)

    def process(self, mail: IncomingMail, replies: OrdersByReply | None) -> list[Arrival]:
        """The arrivals of a new mail; it is kept if a part of a log in it might fit later."""
        arrivals = self._process_guarded(mail, partial(self._examine_and_file, mail, replies))
        save_losses(self._player, self._lost, mail, arrivals)
        return arrivals

    def retry_early(self) -> Iterator[tuple[IncomingMail, list[Arrival]]]:
        """Retry the early mails as long as one fits; yields each that does, with its arrivals."""
        has_more = True
        while has_more:
            has_more = False
            for mail, read in self._early.waiting():
                arrivals = self._process_guarded(mail, partial(self._retry, mail, read))
                if _is_settled(arrivals):
                    has_more = True
                    self._early.settle(mail)
                    save_losses(self._player, self._lost, mail, arrivals)
                    yield mail, arrivals

    def _examine_and_file(self, mail: IncomingMail, replies: OrdersByReply | None) -> list[Arrival]:
        """Examine a mail, then file it, or carry it out as the player's reply."""
        own = replies.address if replies else ""
        if not is_worth_parsing(mail, own):
            return []
        examined = self._examiner.examine_mail(mail, own)
        if replies and examined.reply:
            lines = replies.carry_out_reply(examined.reply)
            return [Arrival(mail.label, Verdict(mail.label, ""), reply_result=line) for line in lines]
        return self._file(mail, examined)

    def _retry(self, mail: IncomingMail, read: ReadMails | None) -> list[Arrival]:
        """Judge an early mail again, and file it."""
        return self._file(
            mail, self._examiner.judge_early(read) if read else self._examiner.examine_mail(mail)
        )

    def _file(self, mail: IncomingMail, examined: Examination) -> list[Arrival]:
        """File a mail, and keep it if a part of a log in it might fit later."""
        if examined.early:
            self._early.save(mail, examined.early)
        return file_mail(self._player, mail, examined, self._folder, self._examiner.check_draft)

    def _process_guarded(self, mail: IncomingMail, work: Callable[[], list[Arrival]]) -> list[Arrival]:
        """The arrivals that `work` returns; if a mail cannot be judged, one that says so.

        A mail that ended the worker is not judged again. Only a failure on the player's own side, such as
        their disk or key, is raised, since it would recur with the next mail.
        """
        if self._unjudged.has_failed_on(mail.data):
            return []
        try:
            return work()
        except (StorageError, KeyFileError, OSError):
            raise
        except WorkerEnded as ended:
            self._unjudged.save(mail.data, mail.key)
            return [quarantined_arrival(mail.label, str(describe_unforeseen_error(ended)))]
        except Exception as error:
            return [quarantined_arrival(mail.label, str(describe_unforeseen_error(error)))]


def _is_settled(arrivals: list[Arrival]) -> bool:
    """Whether an early mail need not be kept any longer: it was filed, or is refused permanently."""
    return any(arrival.file or arrival.refusal for arrival in arrivals) and not any(
        arrival.verdict.may_fit_later for arrival in arrivals
    )
