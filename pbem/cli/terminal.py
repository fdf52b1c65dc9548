"""Terminal input and output: questions, text, JSON data, and errors."""

from __future__ import annotations

import os
import stat
import sys
from codecs import lookup, register_error
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any

from pbem.base.interrupts import raise_on_interrupt
from pbem.errors import FileError, IllegalOrder, NotUnderstood, PbemError
from pbem.render.safe_text import WIDTH, drawn_text, fit_lines, keeping_accents, safe_text, wrap
from pbem.texts import Texts

if TYPE_CHECKING:
    from pbem.core.legend import Legend

tr = Texts("pbem")

TYPED = ("y", "yes", "n", "no")
YES, NO = TYPED[:2], TYPED[2:]
"""The answers to a question in English, which are accepted in every language."""

MOST_LINES = 40
"""The most lines printed at once: enough to take in at a glance."""

MOST_NARROW_LINES = 1000
"""More lines than the map and the lists of a position ever have."""

LEAST_COLUMNS, LEAST_LINES = 30, 15
"""The least columns and lines assumed of any terminal."""


PIPE_SECONDS, MOST_PIPED_BYTES = 10, 100_000
"""Seconds to wait for piped orders, and the most bytes read: far more than any turn needs."""


def is_interactive() -> bool:
    """Whether input and output are both a terminal, so that pbem can ask questions."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def confirm_or_exit(question: str) -> None:
    """Ask for confirmation; without a yes, print that nothing was done and raise `typer.Exit`."""
    if not ask_yes_no(question):
        from typer import Exit  # 28 ms, and a command without questions needs no Typer

        put(tr("Nothing was done, because you did not type {yes}.", yes=tr.own("yes")))
        raise Exit(1)


def ask_yes_no(question: str) -> bool:
    """Ask a yes-or-no question until it is answered; Return alone is no answer. Raises `typer.Abort`.

    Without a terminal, nobody could answer a second time, so anything except a yes is a no.
    """
    while True:
        said = _ask(question, default="", show_default=False, prompt_suffix=f" {yes_no_hint()}: ")
        answer = parse_yes_no(said)
        if answer is not None or not is_interactive():
            return bool(answer)
        put(ask_for_yes_or_no())


def yes_no_hint() -> str:
    """The answers as a question shows them: `[y/n]`. Neither is a default, so a stray Return does nothing."""
    return f"[{tr.own('y')}/{tr.own('n')}]"


def ask_for_yes_or_no() -> str:
    """The message after any other answer, including Return alone."""
    return tr("Type {yes} or {no}.", yes=tr.own("yes"), no=tr.own("no"))


def parse_yes_no(said: str) -> bool | None:
    """Whether a typed answer means yes; None if it is neither yes nor no."""
    word = tr.meant(said.strip(), TYPED)
    return word in YES if word in TYPED else None


def ask_text(question: str, default: str | None = None, *, hidden: bool = False) -> str:
    """Ask for a text; Return alone gives `default`, if there is one. Raises `typer.Abort`.

    If `hidden`, neither the text nor the default is shown.
    """
    return str(_ask(question, default=default, hide_input=hidden, show_default=not hidden))


def _ask(question: str, **how: Any) -> Any:
    """Ask with `typer.prompt`, with the question wrapped to the terminal.

    An interrupt leaves the cursor after the question, so the line is ended before any more output.
    """
    import typer  # 28 ms, and a command without questions needs no Typer

    lines = fit_lines(question, printable_size()[0] - len(f" {yes_no_hint()}: "))
    try:
        with raise_on_interrupt():
            return typer.prompt("\n".join(lines), **how)
    except typer.Abort:
        write_line(err=True)
        raise


def read_piped_text() -> str:
    """The text from a pipe or a file; empty at a terminal, or if input is closed.

    Raises `FileError` if a pipe stays open and silent for too long, as a scheduler's may: ignoring it would
    lose what it might still send.
    """
    try:
        number = sys.stdin.fileno()
        mode = os.fstat(number).st_mode
    except (OSError, ValueError):  # closed, or not a file at all
        return ""
    if not (stat.S_ISFIFO(mode) or stat.S_ISREG(mode)):
        return ""
    from threading import Thread  # 1 ms, and most commands read no pipe

    parts: list[bytes] = []

    def read() -> None:
        while sum(map(len, parts)) < MOST_PIPED_BYTES and (data := os.read(number, 65536)):
            parts.append(data)
        parts.append(b"")

    # holds no lock of Python meanwhile, so that the program can end while this still waits
    reader = Thread(target=read, daemon=True)
    reader.start()
    reader.join(PIPE_SECONDS)
    if reader.is_alive():
        raise FileError(
            tr(
                "pbem waited {seconds} seconds for the pipe to close, and it is still open",
                seconds=PIPE_SECONDS,
            ),
            hint=tr("give the orders after the file, or close the pipe: </dev/null"),
        )
    return b"".join(parts).decode(sys.stdin.encoding or "utf-8", sys.stdin.errors or "replace")


def prepare_streams() -> None:
    """Set up the standard streams so that neither a closed one nor an unknown character can raise.

    A closed stream is replaced with the null device. A character missing from the encoding of standard output
    is printed as its nearest ASCII or `?`, on standard error as an escape.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
    register_error("pbem.typed", _decode_by_code_page)
    register_error("pbem.shown", _nearest_ascii)
    for stream, errors in (
        (sys.stdin, "pbem.typed" if os.name == "nt" else "replace"),
        (sys.stdout, "pbem.shown"),
        (sys.stderr, "backslashreplace"),
    ):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8" if _must_assume_utf_8(stream) else None, errors=errors)


def _nearest_ascii(error: UnicodeError) -> tuple[str, int]:
    """Replace a letter missing from the terminal's encoding with the letter without its accent, as wide."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(drawn_text, error.object[error.start : error.end])), error.end


def _must_assume_utf_8(stream: TextIOWrapper) -> bool:
    """Whether to use UTF-8 whatever the stream's encoding is, because nobody has chosen that one.

    That is so if the locale gives plain ASCII, and for a pipe or file on Windows, where Python uses the
    legacy code page: `pbem log > story.txt` would lose names. `PYTHONIOENCODING` counts as a choice.
    """
    told = os.environ.get("PYTHONIOENCODING")
    return lookup(stream.encoding).name == "ascii" or (os.name == "nt" and not told and not stream.isatty())


def _decode_by_code_page(error: UnicodeError) -> tuple[str, int]:
    """Decode piped input that is not UTF-8 with the console's code page, in which `cmd` writes it."""
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("oem", "replace"), error.end


def may_use_colour(no_color: bool) -> bool:
    """Whether to print in colour: on a terminal that has colours, unless switched off (NO_COLOR)."""
    told_otherwise = no_color or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not told_otherwise


def put(text: str = "", indent: int | None = None) -> None:
    """Print a text without control characters other than newlines, wrapped if it is too wide.

    With `indent`, a text of one line is wrapped at the terminal's width, or at `WIDTH`, and every line except
    the first is indented by this many columns.
    """
    if indent is not None:
        write_line(wrap(text, printable_size()[0], indent))
        return
    if sys.stdout.isatty():
        width = terminal_size().columns
        text = "\n".join(fit_lines(text, width - 1 if width < WIDTH else width))
    write_line(text)


def put_lines(lines: list[str]) -> None:
    """Print lines that already fit. They can have colours, which need Typer on Windows."""
    import typer  # 28 ms, and most output has no colours

    typer.echo("\n".join(lines))


def printable_size() -> tuple[int, int]:
    """The columns and lines to print at once: those of the terminal, but at most `MOST_LINES`.

    The last column and the last line are left free for the cursor.
    """
    if not sys.stdout.isatty():
        return WIDTH, MOST_LINES
    columns, lines = terminal_size()
    return max(columns - 1, LEAST_COLUMNS), min(max(lines - 1, LEAST_LINES), MOST_LINES)


def put_json(value: Any) -> None:
    """Print data as JSON, in ASCII, so that no character can act on a terminal."""
    import json  # 1 ms, and most commands print no JSON

    write_line(json.dumps(value, indent=2, default=str))


def put_stderr(line: str) -> None:
    """Print a line to standard error, with everything in it made harmless.

    It is wrapped here: if the terminal broke it, a stranger's text could begin a line.
    """
    text = safe_text(line)
    if sys.stderr.isatty():
        text = wrap(text, min(max(terminal_size().columns - 1, LEAST_COLUMNS), WIDTH), indent=4)
    write_line(text, err=True)


def write_line(text: str = "", *, err: bool = False) -> None:
    """Write a text and a newline to standard output, or to standard error, and flush."""
    stream = sys.stderr if err else sys.stdout
    stream.write(f"{text}\n")
    stream.flush()


def terminal_size() -> os.terminal_size:
    """The size of the terminal."""
    from shutil import get_terminal_size  # 2 ms, and output to a file or a pipe needs no size

    return get_terminal_size()


def report_problem(problem: PbemError, label: str = "") -> None:
    """Report an error: its message, carets under a word that was not understood, and its hint.

    For an order a rule forbids, the hint is the command that prints the rule.
    """
    put_stderr(f"{label or tr('error')}: {problem}")
    if isinstance(problem, NotUnderstood):
        for line in problem.caret().splitlines():
            write_line(
                f"  {safe_text(line)}", err=True
            )  # not wrapped, so that the carets are under their word
    if problem.hint:
        put_stderr(tr("hint: {hint}", hint=problem.hint))
    if isinstance(problem, IllegalOrder) and problem.game:
        put_stderr(tr("hint: {hint}", hint=f"pbem rules {problem.game} {problem.rule}"))


def warn(problem: PbemError | str) -> None:
    """Print a warning, and its hint if it has one, to standard error."""
    if isinstance(problem, PbemError):
        report_problem(problem, tr("warning"))
    else:
        put_stderr(f"{tr('warning')}: {problem}")


def put_board(legend: Legend, no_color: bool = False) -> None:
    """Print the map and all counters, in colour on a terminal; on a narrow one, as much map as fits."""
    width = terminal_size().columns - 1
    if sys.stdout.isatty() and width < WIDTH - 1:
        from pbem.render.screen import draw_screen  # 19 ms, and most output has no map

        drawn = draw_screen(
            legend, max(width, LEAST_COLUMNS), MOST_NARROW_LINES, colour=may_use_colour(no_color)
        )
        put_lines(drawn.lines)
    else:
        from pbem.render.ascii_picture import ascii_picture  # as above

        with keeping_accents():
            put_lines([ascii_picture(legend, colour=may_use_colour(no_color))])
