"""The stage "report": which arrivals the player is shown, and what they can do about each.

News is always shown: a game that continues, an alarm, the result of a reply. Of mails that bring nothing new,
a limited number is shown, whoever sends them (`unknown_senders`); the others are counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from pbem.correspondence.contacts import hint_to_trust
from pbem.correspondence.mail_stages import Arrival, IncomingMail
from pbem.correspondence.missing_mail import MissingMail, describe_request
from pbem.correspondence.quarantine import quarantine_mail
from pbem.correspondence.unknown_senders import UnknownSenders
from pbem.correspondence.verdict import Verdict
from pbem.errors import ChangedKey, FileNameTaken, ForkedFile, MailError, NotYourMove, SegmentRefused
from pbem.player.local_player import LocalPlayer
from pbem.player.store.log_relation import Relation
from pbem.render.safe_text import quote_path
from pbem.texts import Texts

tr = Texts("pbem")


class ArrivalReports:
    """What one fetch shows the player."""

    def __init__(self, player: LocalPlayer) -> None:
        self._player = player
        self._strangers = UnknownSenders(player)

    def report(self, mail: IncomingMail, arrivals: list[Arrival]) -> Iterator[Arrival]:
        """The arrivals of a mail that are reported one by one; saves offers, and copies for the player.

        Raises `StorageError`.
        """
        for arrival in arrivals:
            if arrival.offer:
                is_reported = self._strangers.save_offer(arrival.verdict)
            else:
                is_reported = _is_news(arrival) or self._strangers.admit_report(
                    arrival.sender, _refused_game(arrival)
                )
            if is_reported:
                yield _quarantine_with_hint(self._player, mail, arrival)

    def rest(self) -> Iterator[Arrival]:
        """The arrival that sums up the mails that were only counted, if there are any."""
        if rest := self._strangers.describe_rest():
            yield Arrival("", Verdict("", "", damage=rest))


_NEWER = (Relation.NEW, Relation.EXTENDS, Relation.ANSWERED)
"""The relations of a game that is newer than the stored one."""


def _is_news(arrival: Arrival) -> bool:
    """Whether this is news for the player: the result of a reply, a game that continues, or an alarm."""
    if arrival.reply_result or arrival.alarm or isinstance(arrival.refusal, FileNameTaken):
        return True
    verdict = arrival.verdict
    goes_on = verdict.relation in _NEWER if verdict.game else bool(arrival.file)
    return goes_on and arrival.refusal is None


def _refused_game(arrival: Arrival) -> str:
    """The id of the game about which a mail is permanently refused; empty if it is not refused."""
    verdict, refusal = arrival.verdict, arrival.refusal
    if isinstance(refusal, SegmentRefused):
        return verdict.first if refusal.another else ""
    if isinstance(refusal, (NotYourMove, ChangedKey, ForkedFile)) and verdict.game:
        return verdict.game.ids[0]
    return verdict.first if verdict.failure else ""


def _quarantine_with_hint(player: LocalPlayer, mail: IncomingMail, arrival: Arrival) -> Arrival:
    """Quarantine a copy of the mail if the player can do something with it, and hint at what."""
    verdict, refusal = arrival.verdict, arrival.refusal
    if arrival.quarantined:
        file = quarantine_mail(player, mail.data, mail.key)
        damage = tr("{problem}; set aside in {file}", problem=verdict.damage, file=file)
        return replace(arrival, verdict=replace(verdict, damage=damage))
    if isinstance(refusal, ChangedKey):
        refusal.hint = hint_to_trust(quarantine_mail(player, mail.data, mail.key))
    elif player.store.look_up(arrival.lacks or verdict.first):
        asked = MissingMail(player).requested_at(arrival.lacks)
        if isinstance(refusal, SegmentRefused):
            copy = quote_path(quarantine_mail(player, mail.data, mail.key))
            hint = tr("ask for the whole file: pbem mail send {file} --reply-problem", file=copy)
            refusal.hint = describe_request(asked) if asked else hint
        elif verdict.failure or arrival.lacks:
            copy = quote_path(quarantine_mail(player, mail.data, mail.key))
            hint = tr("to ask for it again: pbem mail send {file} --reply-problem", file=copy)
            hint = describe_request(asked) if asked else hint
            return replace(arrival, refusal=MailError(tr("pbem used none of it"), hint=hint))
    return arrival
