"""The program's run and end: every fault is told in a line, and each kind has its exit code.

0 done, 1 the file or a check fails, 2 usage, 3 an order is refused, 4 not your move. Ctrl-C ends it by the
system's own action (`interrupts`), or at a question and wherever else something is put in order, with 1.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from errno import EINVAL
from typing import NoReturn

from pbem.base.interrupts import kill_by_default
from pbem.cli.terminal import complain, prepare_streams, say, write_line
from pbem.errors import NotYourMove, OrderError, PbemError
from pbem.texts import Texts

tr = Texts("pbem")

FAILED, USAGE, REFUSED, NOT_YOURS = 1, 2, 3, 4


def ending(work: Callable[[], int], *, clears_up: bool = True) -> NoReturn:
    """Do the work, and end the program with the exit code that it gives.

    Work that only reads and prints leaves nothing to clear up, and whatever was loaded for it need not be
    taken apart, which is a twentieth of the time of a check.
    """
    # A command makes much that counting references frees, and hardly a cycle: to search after each 700 new
    # objects takes a twentieth of its time.
    gc.set_threshold(10_000)
    prepare_streams()
    kill_by_default()
    try:
        code = work()
        if not clears_up:
            os._exit(code)  # each line was written out when it was printed
        sys.exit(code)
    finally:
        gc.freeze()  # else all that is left is searched for cycles, a tenth of the time of a short command


def exit_code(work: Callable[[], int]) -> int:
    """The exit code of some work; never a traceback for what a player can cause, which is told."""
    try:
        return work()
    except PbemError as error:
        complain(error)
        return _code(error)
    except OSError as error:
        if _nobody_reads(error):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return FAILED
        where = f"{error.filename}: " if isinstance(error.filename, str) else ""
        say(f"{tr('error')}: {where}{error.strerror or error}")
        return FAILED
    except KeyboardInterrupt:
        return stopped()


def _nobody_reads(error: OSError) -> bool:
    """Whether nobody reads on, as `head` does, so that there is no one to tell.

    To Windows a pipe that is closed is an invalid argument.
    """
    closed = os.name == "nt" and error.errno == EINVAL and error.filename is None
    return closed or isinstance(error, BrokenPipeError)


def stopped() -> int:
    """Tell that the player has stopped it, where an interrupt was caught and nothing was asked."""
    if sys.stderr.isatty():
        write_line(err=True)  # behind the ^C that the terminal shows
    say(tr("error: stopped"))
    return FAILED


def _code(error: PbemError) -> int:
    if isinstance(error, OrderError):
        return REFUSED
    return NOT_YOURS if isinstance(error, NotYourMove) else FAILED
