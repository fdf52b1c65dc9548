"""The output on the terminal: our own lines, data for programs, and faults."""

from __future__ import annotations

import os
import sys
from codecs import lookup, register_error
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from pbem.base.interrupts import catch
from pbem.errors import IllegalOrder, NotUnderstood, PbemError
from pbem.render.words import WIDTH, fitted, safe, wrap
from pbem.texts import Texts

if TYPE_CHECKING:
    from pbem.core.legend import Legend

tr = Texts("pbem")

TYPED = ("y", "yes", "n", "no")
YES, NO = TYPED[:2], TYPED[2:]
"""The answers to a question, in English, which is always understood."""

MOST_LINES = 40
"""The lines that are printed at once: as many as one glance takes in."""

LEAST_COLUMNS, LEAST_LINES = 30, 15
"""Columns and lines that are printed on any terminal, however small."""


def interactive() -> bool:
    """Whether a person sits at both ends: questions may be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def be_sure(question: str) -> None:
    """Ask whether the player means it; if he does not, say that nothing was done, and raise `typer.Exit`."""
    if not agreed(question):
        from typer import Exit  # here, because who is asked nothing does without Typer

        put(tr("Nothing was done: only {yes} does it.", yes=tr.own("yes")))
        raise Exit(1)


def agreed(question: str) -> bool:
    """Whether the player says yes; Return alone is no, as at every question. Raises `typer.Abort`."""
    while True:
        said = _asked(question, default="", show_default=False, prompt_suffix=f" {choice()}: ")
        if (answer := answered(said)) is not None:
            return answer
        put(tr("Error: invalid input"))


def choice() -> str:
    """The answers as a question shows them, the one that Return means in capitals: `[y/N]`."""
    return f"[{tr.own('y')}/{tr.own('n').upper()}]"


def answered(said: str) -> bool | None:
    """Whether the typed text says yes; an empty one says no, and None is one that says neither."""
    if not said.strip():
        return False
    word = tr.meant(said.strip(), TYPED)
    return word in YES if word in TYPED else None


def typed_in(question: str, default: str | None = None, *, hidden: bool = False) -> str:
    """The player's typed text; Return alone is `default`, if there is one. Raises `typer.Abort`.

    If `hidden`, neither the text nor the default is shown.
    """
    return str(_asked(question, default=default, hide_input=hidden, show_default=not hidden))


def _asked(question: str, **how: Any) -> Any:
    """The player's answer, as `typer.prompt` asks: on lines that the terminal need not break.

    A player who stops at a question leaves its line unended: the next output begins a line all the same.
    """
    import typer  # here, because who is asked nothing does without it

    lines = fitted(question, room()[0] - len(f" {choice()}: "))
    try:
        with catch():
            return typer.prompt("\n".join(lines), **how)
    except typer.Abort:
        write_line(err=True)
        raise


def prepare_streams() -> None:
    """See to it that printing and reading cannot fail for want of a stream or of a character.

    A stream that was closed becomes one that takes all and gives nothing. A character that the stream lacks
    is printed as `?`; standard error sees to that itself.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    register_error("pbem.typed", _in_code_page)
    for stream, errors in (
        (sys.stdin, "pbem.typed" if os.name == "nt" else "replace"),
        (sys.stdout, "replace"),
        (sys.stderr, "backslashreplace"),
    ):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8" if _means_utf_8(stream) else None, errors=errors)


def _means_utf_8(stream: TextIOWrapper) -> bool:
    """Whether to take UTF-8 whatever the stream says of itself, since nobody has told it.

    So it is where a system says that it has ASCII alone, and in a pipe or a file of Windows, for which Python
    takes the code page of old programs: `pbem log > story.txt` would lose names. `PYTHONIOENCODING` tells it.
    """
    told = os.environ.get("PYTHONIOENCODING")
    return lookup(stream.encoding).name == "ascii" or (os.name == "nt" and not told and not stream.isatty())


def _in_code_page(error: UnicodeError) -> tuple[str, int]:
    """Input from a pipe that is not UTF-8, read in the code page of consoles, in which `cmd` writes it."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("oem", "replace"), error.end


def colour(no_color: bool) -> bool:
    """Whether to print in colour: on a terminal that has any, unless told otherwise (NO_COLOR)."""
    told_otherwise = no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not told_otherwise


def put(text: str = "", indent: int | None = None) -> None:
    """Print text of our own, without control characters but line ends; what is too wide is wrapped.

    With `indent`, a text of one line is broken where the terminal ends, or at `WIDTH`, and each line but the
    first begins so far in.
    """
    if indent is not None:
        write_line(wrap(text, room()[0], indent))
        return
    width = _size().columns if sys.stdout.isatty() else WIDTH
    write_line("\n".join(fitted(text, width - 1)) if width < WIDTH else text)


def put_lines(lines: list[str]) -> None:
    """Print lines that have their width, and perhaps colours, which Windows needs Typer for."""
    import typer  # here, because most of what is printed has no colours

    typer.echo("\n".join(lines))


def room() -> tuple[int, int]:
    """The columns and lines to print in at once: a terminal's, but no more than `MOST_LINES`.

    The last column and the last line are left free: the cursor waits there.
    """
    if not sys.stdout.isatty():
        return WIDTH, MOST_LINES
    columns, lines = _size()
    return max(columns - 1, LEAST_COLUMNS), min(max(lines - 1, LEAST_LINES), MOST_LINES)


def put_json(value: Any) -> None:
    """Print data for a program: ASCII, so that no character of it can act on a terminal."""
    import json  # here, because most commands print none

    write_line(json.dumps(value, indent=2, default=str))


def say(line: str) -> None:
    """Print a line to standard error, harmless whatever is in it.

    A terminal is given lines that it need not break: else a stranger's words could begin one.
    """
    text = safe(line)
    if sys.stderr.isatty():
        text = wrap(text, min(max(_size().columns - 1, LEAST_COLUMNS), WIDTH), indent=4)
    write_line(text, err=True)


def write_line(text: str = "", *, err: bool = False) -> None:
    """Write a text and a line end, at once: to standard output, or to standard error."""
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{text}\n")
    stream.flush()


def _size() -> os.terminal_size:
    """The size of the terminal."""
    from shutil import get_terminal_size  # here, because what goes into a file or a pipe has no terminal

    return get_terminal_size()


def complain(problem: PbemError, label: str = "") -> None:
    """Say what is wrong: the line, what was not understood with carets under it, and the hint.

    Where a rule forbids an order, the command that prints that rule.
    """
    say(f"{label or tr('error')}: {problem}")
    if isinstance(problem, NotUnderstood):
        for line in problem.caret().splitlines():
            write_line(f"  {safe(line)}", err=True)  # not wrapped: the carets stand below their place
    if problem.hint:
        say(tr("hint: {hint}", hint=problem.hint))
    if isinstance(problem, IllegalOrder) and problem.game:
        say(tr("hint: {hint}", hint=f"pbem rules {problem.game} {problem.rule}"))


def warn(problem: PbemError | str) -> None:
    """Print a warning, and its hint, to standard error."""
    if isinstance(problem, PbemError):
        complain(problem, tr("warning"))
    else:
        say(f"{tr('warning')}: {problem}")


def put_board(legend: Legend, no_color: bool = False) -> None:
    """Print the map, in colour on a terminal; leave it out where a terminal is too narrow for it."""
    from pbem.render.picture import board  # here, because most of what is printed is no map

    columns = _size().columns
    if sys.stdout.isatty() and columns < WIDTH:
        put(
            tr(
                "(The map needs {width} columns, and this terminal has {columns}: widen it, or turn "
                "the phone.)",
                width=WIDTH,
                columns=columns,
            )
        )
    else:
        put_lines([board(legend, colour=colour(no_color))])
