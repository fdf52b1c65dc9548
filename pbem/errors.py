"""Every exception of pbem. Only `pbem.cli` prints them and chooses the exit code.

    PbemError                     one line for the player, and sometimes a hint
    ├── OrderError                an order was refused                         exit 3
    │   ├── NotUnderstood         the words are not an order; has a caret line
    │   ├── Ambiguous             a name matches several units; lists them
    │   └── IllegalOrder          the rules forbid it; names the rule
    │       ├── Unfinished        legal so far: more orders would complete it
    │       └── Gone              for a unit that has left the game
    ├── NotYourMove               the other seat writes next                   exit 4
    ├── FileError                 the file does not have the form of FORMAT    exit 1
    ├── VerificationError         a step of FORMAT 9 fails                     exit 1
    ├── SegmentRefused            part of a log continues an unknown entry     exit 1
    ├── DraftRefused              a commander's draft is not valid here        exit 1
    ├── KeyFileError              the private key is missing or locked         exit 1
    ├── StorageError              a local file or the game store refuses       exit 1
    │   ├── OlderFile             the file ends earlier than the stored log
    │   │   └── UndoneEntry       it continues with an entry the player has undone
    │   ├── ForkedFile            the file and the stored log diverge
    │   │   └── CompetingAccept   another player has accepted the same offer
    │   ├── UnknownGame           the game is new here: the player must confirm
    │   └── FileNameTaken         something else has the name of the game's file
    ├── MailError                 a message cannot be read or sent             exit 1
    │   ├── RefusedMail           the server refuses this mail permanently
    │   └── RefusedLogin          the server rejects the name and password
    ├── OverBudget                a mail or file exceeds a limit               exit 1
    └── JudgingFailed             a worker process met an unforeseen exception exit 1
        └── WorkerEnded           it took too much time or memory, or crashed

Messages are lower case without a full stop: what was found, what was expected, where, which rule. They are
data (`pbem.messages`), so an error becomes text only for its reader, in the reader's language.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from pbem.lookalikes import escape_invisible
from pbem.messages import Message, Messages, Said, row
from pbem.version import __version__

tr = Messages("pbem")


def newer_version_hint() -> Message:
    """The hint for a file, rules or a home folder that only a newer version of pbem can read."""
    return tr(
        "this needs a newer pbem than yours, which is {version}; nothing was changed", version=__version__
    )


class PbemError(Exception):
    """The base class: `str(error)` is one line; `hint`, which can be empty, says what to do.

    Both are made from `message` and `remedy`. Invisible characters in a text cited by a message are escaped.
    `newer` means that the only fault is that a newer version of pbem is needed.
    """

    newer = False

    def __init__(self, message: Said, *, hint: Said = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = hint

    def __str__(self) -> str:
        return escape_invisible(str(self.message))

    def __reduce__(self) -> tuple[Any, ...]:
        # By default an exception is pickled as a call with its `args`, which few of these classes accept.
        return _restore, (type(self), self.args, vars(self))

    @property
    def hint(self) -> str:
        """The remedy in one line, or an empty string."""
        return escape_invisible(str(self.remedy))

    @hint.setter
    def hint(self, hint: Said) -> None:
        self.remedy = hint


_Error = TypeVar("_Error", bound=PbemError)


def without_traceback(error: _Error) -> _Error:
    """The error without its traceback, whose frames keep everything read from a file in memory."""
    error.__context__ = None
    return error.with_traceback(None)


class OrderError(PbemError):
    """An order was refused, for any reason."""


class NotUnderstood(OrderError):
    """The words typed are not an order: the text, and the part at fault, `text[start:end]`.

    `guessed`: the hint suggests what was probably meant. `similar` are the names most like the part at fault,
    the best match first; `meant` is the whole line as it was probably meant, if known.
    """

    def __init__(self, problem: Said, text: str, start: int, end: int, *, hint: Said = "") -> None:
        super().__init__(problem, hint=hint)
        self.text = text
        self.start = start
        self.end = max(end, start + 1)
        self.guessed = False
        self.similar: tuple[str, ...] = ()
        self.meant = ""

    def caret(self) -> str:
        """Two lines: the text as typed, and carets under the part pbem did not understand."""
        shown = escape_invisible(self.text)
        start, end = (len(escape_invisible(self.text[:place])) for place in (self.start, self.end))
        return f"{shown}\n{' ' * start}{'^' * max(end - start, 1)}"


class Ambiguous(OrderError):
    """A shortened name matches several names: the word typed, and the candidates in the rules' order."""

    def __init__(self, word: str, candidates: Sequence[str]) -> None:
        message = tr("'{word}' could be {names}", word=word, names=row(candidates))
        super().__init__(message, hint=tr("write the whole name"))
        self.word = word
        self.candidates = tuple(candidates)


class IllegalOrder(OrderError):
    """The rules forbid the order: the rule's number, the facts and, once known, the game."""

    def __init__(self, rule: str, facts: Said, *, hint: Said = "", game: str = "") -> None:
        super().__init__(row((rule, facts), ": "), hint=hint)
        self.rule = rule
        self.facts = facts
        self.game = game


class Unfinished(IllegalOrder):
    """The orders are legal so far, but a compulsory order is still missing.

    Whatever reads orders checks this last, where it can, so that orders can be given one at a time.
    """


class Gone(IllegalOrder):
    """The order is for a unit that has left the game; `event` is what removed it, such as `eliminated`."""

    def __init__(self, rule: str, facts: Said, *, unit: str, event: str) -> None:
        super().__init__(rule, facts)
        self.unit = unit
        self.event = event


class NotYourMove(PbemError):
    """The player has no seat in this game, or the other seat writes next."""


class FileError(PbemError):
    """A text does not have the form that FORMAT or a schema describes.

    `where` is `line 3, column 7` or a path such as `log[12].orders[0].to`; `at` is the line and column of a
    fault in a text, both counted from 0.
    """

    def __init__(
        self, problem: Said, *, where: Said = "", hint: Said = "", at: tuple[int, int] | None = None
    ) -> None:
        super().__init__(row((where, problem), ": ") if where else problem, hint=hint)
        self.problem = problem
        self.place = where
        self.at = at

    @property
    def where(self) -> str:
        """The place of the fault in words, or an empty string."""
        return str(self.place)


class NewerNeeded(FileError):
    """A text that needs a newer version of pbem, or an extension not installed here; the hint says which."""

    newer = True

    def __init__(self, problem: Said, *, where: Said = "", hint: Said = "") -> None:
        super().__init__(problem, where=where, hint=hint or newer_version_hint())


class VerificationError(PbemError):
    """A step of FORMAT 9 fails: `step` (1 to 10), the entry (None: no single one), expected and found.

    The last two are noun phrases, `tr("the share of beat {beat}")`; if `expected` is empty, `found` is the
    whole message. `told` replaces all this for a player when the cause is known: the end of the file is
    missing.
    """

    def __init__(
        self, step: int, entry: int | None, *, expected: Said, found: Said, hint: Said = "", told: Said = ""
    ) -> None:
        self.problem = expectation(expected, found)
        message: Said
        if told:
            message = told
        elif entry is None:
            message = tr("step {step}: {problem}", step=step, problem=self.problem)
        else:
            message = tr(
                "step {step}, {place}: {problem}", step=step, place=f"log[{entry}]", problem=self.problem
            )
        super().__init__(message, hint="" if told else hint)
        self.step = step
        self.entry = entry
        self.expected = expected
        self.found = found
        self.told = told

    @classmethod
    def from_file_error(
        cls, step: int, entry: int | None, error: FileError, told: Said = ""
    ) -> VerificationError:
        """The failure of a step because of a `FileError`, with the message and place of that error."""
        named = isinstance(error.place, str) and error.place.startswith("log[")
        failure = cls(
            step, None if named else entry, expected="", found=error.message, hint=error.remedy, told=told
        )
        failure.entry = entry
        failure.newer = error.newer
        return failure


class SegmentRefused(PbemError):
    """Part of a log continues an entry this computer lacks, or has `another` version of.

    A different version proves nothing: anybody who knows a game's id can name any entry.
    """

    def __init__(self, message: Said, *, hint: Said = "", another: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.another = another


class DraftRefused(PbemError):
    """A draft does not answer the pending question, or its signer does not command here (FORMAT 11)."""


class KeyFileError(PbemError):
    """The private key is missing, unreadable, of the wrong kind, or protected by another passphrase."""


class StorageError(PbemError):
    """A file contradicts the game store, or something in a local folder cannot be read or written."""


class OlderFile(StorageError):
    """The file ends earlier than the stored log, which begins with it."""


class UndoneEntry(OlderFile):
    """The file continues with an entry that the player has undone and nobody has answered."""


class ForkedFile(StorageError):
    """The file and the stored log diverge at some entry; both are stored as evidence."""


class CompetingAccept(ForkedFile):
    """Another player has accepted the same offer: nobody signed two histories, and the first counts."""


class UnknownGame(StorageError):
    """The game store lacks this game: the player must confirm that it is the newest state they know."""


class FileNameTaken(StorageError):
    """A game from a mail cannot be written to its path, because a link or another file is there."""


class MailError(PbemError):
    """A message cannot be read or sent."""


class ChangedKey(MailError):
    """A sender's name or address is known with a key other than the one used here."""


class RefusedMail(MailError):
    """The server refuses this mail permanently: a reply of 500 or more (RFC 5321, 4.2.1)."""


class RefusedLogin(MailError):
    """The server rejects the name and password, or the token."""


class OverBudget(PbemError):
    """A mail or file would take more time or space than `pbem.base.limits` allows."""


class JudgingFailed(PbemError):
    """A mail or file could not be judged: the worker process met an unforeseen exception."""


class WorkerEnded(JudgingFailed):
    """The worker process ended: it took too much time or memory, or it crashed."""


def _restore(kind: type[PbemError], arguments: tuple[Any, ...], attributes: dict[str, Any]) -> PbemError:
    """Rebuild a pickled error."""
    error = kind.__new__(kind, *arguments)
    vars(error).update(attributes)
    return error


def expectation(expected: Said, found: Said) -> Said:
    """The message made of two noun phrases, expected and found; without the first, `found` alone."""
    if not expected:
        return found
    return tr("this should be {expected}, not {found}", expected=expected, found=found)


def describe_unforeseen_error(error: Exception) -> Message:
    """Any exception in one line, as the reason why something could not be judged. It may be a bug of pbem."""
    if isinstance(error, PbemError):
        return tr("could not be checked: {reason}", reason=error.message)
    words = " ".join(str(error).split())[:200]
    name = type(error).__name__
    return tr("could not be checked: {reason}", reason=f"{name}: {words}" if words else name)


@contextmanager
def unforeseen_as_file_error(where: str) -> Iterator[None]:
    """Turn an unforeseen exception in the block into a `FileError` at `where`, in what a stranger sent.

    Errors of pbem and of the system pass through unchanged.
    """
    try:
        yield
    except JudgingFailed as error:
        raise FileError(describe_unforeseen_error(error), where=where) from error
    except (PbemError, OSError):
        raise
    except Exception as error:
        raise FileError(describe_unforeseen_error(error), where=where) from error


def unreadable_reason(path: Path, error: OSError) -> Said:
    """Why a file cannot be read. Says so if it is a folder, for which Windows only says "denied"."""
    return tr("Is a directory") if path.is_dir() else system_reason(error)


def system_reason(error: OSError) -> Said:
    """Why the system refused something, in the reader's language if the reason is a common one.

    Otherwise in the system's words, which are in its own language; Windows words them differently.
    """
    match errno.errorcode.get(error.errno or 0, "").removeprefix("WSA"):
        case "ENOENT":
            return tr("No such file or directory")
        case "EACCES":
            return tr("Permission denied")
        case "EPERM":
            return tr("Operation not permitted")
        case "EISDIR":
            return tr("Is a directory")
        case "ENOTDIR":
            return tr("Not a directory")
        case "EEXIST":
            return tr("File exists")
        case "ENOTEMPTY":
            return tr("Directory not empty")
        case "ENAMETOOLONG":
            return tr("File name too long")
        case "EFBIG":
            return tr("File too large")
        case "ENOSPC":
            return tr("No space left on device")
        case "EDQUOT":
            return tr("Disk quota exceeded")
        case "EROFS":
            return tr("Read-only file system")
        case "EIO":
            return tr("Input/output error")
        case "ELOOP":
            return tr("Too many levels of symbolic links")
        case "EMFILE" | "ENFILE":
            return tr("Too many open files")
        case "EBUSY":
            return tr("Device or resource busy")
        case "ECONNREFUSED":
            return tr("Connection refused")
        case "ECONNRESET" | "ECONNABORTED" | "EPIPE":
            return tr("Connection reset by peer")
        case "ETIMEDOUT":
            return tr("Connection timed out")
        case "ENETUNREACH":
            return tr("Network is unreachable")
        case "EHOSTUNREACH":
            return tr("No route to host")
    if isinstance(error, TimeoutError):  # from a socket with its own time limit
        return tr("Connection timed out")
    return error.strerror or str(error)
