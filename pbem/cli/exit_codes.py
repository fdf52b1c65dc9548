"""How the program ends: every error is reported in a line, and each kind has its exit code.

0 done, 1 the file or a check fails, 2 usage, 3 an order is refused, 4 not your move. Ctrl-C ends the program
by the system's default action (`interrupts`); at a question, and where something must be cleaned up, with 1.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from errno import EINVAL
from typing import NoReturn

from pbem.base.interrupts import kill_by_default
from pbem.base.system import exit_at_once
from pbem.cli.terminal import prepare_streams, put_stderr, report_problem, write_line
from pbem.errors import NotYourMove, OrderError, PbemError, system_reason
from pbem.texts import Texts

tr = Texts("pbem")

FAILED, USAGE, REFUSED, NOT_YOURS = 1, 2, 3, 4


def run_and_exit(work: Callable[[], int], *, clears_up: bool = True) -> NoReturn:
    """Do the work, and exit the program with the code that it returns.

    Work that only reads and prints has nothing to clean up (`clears_up` false): then the process exits at
    once, without tearing down what it has loaded, which is a twentieth of the time of a check.
    """
    # A command creates many objects that reference counting frees, and hardly a cycle: to collect after every
    # 700 new objects, as Python does by default, takes a twentieth of its time.
    gc.set_threshold(10_000)
    prepare_streams()
    kill_by_default()
    try:
        code = work()
        if not clears_up:
            exit_at_once(code)  # every line was flushed when it was printed
        sys.exit(code)
    finally:
        gc.freeze()  # else a last collection searches everything, a tenth of the time of a short command


def run_for_exit_code(work: Callable[[], int]) -> int:
    """Do the work and return its exit code; report errors that a player can cause, without a traceback."""
    try:
        return work()
    except PbemError as error:
        report_problem(error)
        return _exit_code_of(error)
    except OSError as error:
        if _is_closed_pipe(error):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return FAILED
        where = f"{error.filename}: " if isinstance(error.filename, str) else ""
        put_stderr(f"{tr('error')}: {where}{system_reason(error)}")
        return FAILED
    except KeyboardInterrupt:
        return report_interrupt()


def _is_closed_pipe(error: OSError) -> bool:
    """Whether the reader of our output has closed the pipe, as `head` does: then nobody can be told.

    On Windows, writing to a closed pipe fails with "invalid argument".
    """
    closed = os.name == "nt" and error.errno == EINVAL and error.filename is None
    return closed or isinstance(error, BrokenPipeError)


def report_interrupt() -> int:
    """Report an interrupt that was caught outside of a question; return the exit code."""
    if sys.stderr.isatty():
        write_line(err=True)  # behind the ^C that the terminal shows
    put_stderr(tr("error: stopped"))
    return FAILED


def _exit_code_of(error: PbemError) -> int:
    if isinstance(error, OrderError):
        return REFUSED
    return NOT_YOURS if isinstance(error, NotYourMove) else FAILED
