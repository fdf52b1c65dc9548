"""How pbem ends: every error is reported in one line, and each kind has its exit code.

0 done, 1 the file or a check fails, 2 usage, 3 an order is refused, 4 not your move. Ctrl-C ends the process
by the system's default action (`base.interrupts`); at a question, and if something has to be cleaned up, with
exit code 1.
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
    """Do the work, then exit with the code it returns.

    Work that only reads and prints has nothing to clean up (`clears_up` false). The process then exits at
    once, without tearing down loaded modules, which would take a twentieth of the time of a `verify`.
    """
    # A command creates many objects that reference counting frees, and almost no cycles. Collecting after
    # every 700 new objects, Python's default, takes a twentieth of its time.
    gc.set_threshold(10_000)
    prepare_streams()
    kill_by_default()
    try:
        code = work()
        if not clears_up:
            exit_at_once(code)  # every line was flushed when printed
        sys.exit(code)
    finally:
        gc.freeze()  # otherwise a last collection searches everything: a tenth of the time of a short command


def run_for_exit_code(work: Callable[[], int]) -> int:
    """Do the work and report errors in its input without a traceback. Returns the exit code."""
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
    """Whether the reader of our output has closed the pipe, as `head` does, so that nothing can be printed.

    On Windows, writing to a closed pipe fails with "invalid argument".
    """
    closed = os.name == "nt" and error.errno == EINVAL and error.filename is None
    return closed or isinstance(error, BrokenPipeError)


def report_interrupt() -> int:
    """Report an interrupt outside a question. Returns the exit code."""
    if sys.stderr.isatty():
        write_line(err=True)  # after the ^C that the terminal shows
    put_stderr(tr("error: stopped"))
    return FAILED


def _exit_code_of(error: PbemError) -> int:
    if isinstance(error, OrderError):
        return REFUSED
    return NOT_YOURS if isinstance(error, NotYourMove) else FAILED
