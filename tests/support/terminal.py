"""A terminal of any size running pbem, as a person sees it: keys go in, a screen comes out.

Nothing here waits for a fixed time: only for a text on the screen, or for pbem to end.
"""

from __future__ import annotations

import os
import select
import struct
import subprocess
import sys
from pathlib import Path

import pyte

from support.markers import Posix, skip_without
from support.transcripts import ROOT

if sys.platform != "win32":
    import fcntl
    import pty
    import termios

PATIENCE = 60
"""Seconds without output after which a test fails."""

SIZE = ("COLUMNS", "LINES")
"""Environment variables that would override the terminal's size."""

ENTER, TAB, INTERRUPT, END = "\r", "\t", "\x03", "\x04"


def set_terminal_size(keyboard: int, columns: int, lines: int) -> None:
    """Set a terminal's size, and have it keep its output after Control-C.

    Linux discards pending output only after it has sent the signal: on a busy machine, that could be the
    answer to it.
    """
    fcntl.ioctl(keyboard, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    settings = termios.tcgetattr(keyboard)
    settings[3] |= termios.NOFLSH
    termios.tcsetattr(keyboard, termios.TCSANOW, settings)


class Terminal:
    """A terminal of some size with pbem running in it, as Anna by default."""

    program: tuple[str, ...] = (sys.executable, "-m", "pbem")

    def __init__(self, folder: Path, columns: int, lines: int, *arguments: str, **environment: str) -> None:
        skip_without(Posix.TERMINAL)
        self._terminal, keyboard = pty.openpty()
        set_terminal_size(keyboard, columns, lines)
        surroundings = {"PBEM_HOME": "homes/anna", "PYTHONPATH": str(ROOT), "TERM": "xterm"}
        surroundings |= {"PAGER": "cat", **environment}
        self.process = subprocess.Popen(
            ["setsid", "--ctty", *self.program, *arguments],
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name not in SIZE} | surroundings,
            stdin=keyboard,
            stdout=keyboard,
            stderr=keyboard,
        )
        os.close(keyboard)

    def press(self, keys: str) -> None:
        """Press these keys."""
        os.write(self._terminal, keys.encode())

    def close(self) -> None:
        """Close the terminal."""
        self.process.kill()
        self.process.wait()
        os.close(self._terminal)

    def read(self) -> bytes:
        """The next output; empty once pbem has ended."""
        try:
            return os.read(self._terminal, 65536)
        except OSError:  # Linux reports the end like this
            return b""


class Lines(Terminal):
    """A terminal of 80 columns, read line by line."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        no_window = {"DISPLAY": "", "WAYLAND_DISPLAY": ""}  # so that no mail program opens
        super().__init__(folder, 80, 24, *arguments, **(no_window | environment))
        self.seen = ""

    def read_to(self, words: str) -> str:
        """All output up to and including these words."""
        while words not in self.seen:
            assert select.select([self._terminal], [], [], 60)[0], f"waited for {words!r} after {self.seen!r}"
            more = self._more()
            assert more, f"ended without {words!r} after {self.seen!r}"
            self.seen += more
        before, _, self.seen = self.seen.partition(words)
        return before + words

    def type(self, line: str) -> None:
        """Type a line, and Return."""
        self.press(f"{line}\n")

    def read_to_end(self) -> str:
        """All output to the end."""
        while True:
            assert select.select([self._terminal], [], [], 60)[0], f"does not end after {self.seen!r}"
            if not (more := self._more()):
                break
            self.seen += more
        self.process.wait(60)
        return self.seen

    def _more(self) -> str:
        return self.read().decode().replace("\r\n", "\n")


class Screen(Terminal):
    """A terminal that shows pbem's output."""

    def __init__(self, folder: Path, columns: int, lines: int, *arguments: str, **environment: str) -> None:
        surroundings = {"PBEM_NAME": "Anna", "SOURCE_DATE_EPOCH": "1785585600", **environment}
        super().__init__(folder, columns, lines, *arguments, **surroundings)
        self.columns = columns
        self._screen = pyte.HistoryScreen(columns, lines, history=10_000)
        self._screen.write_process_input = self._answer  # type: ignore[method-assign]
        self._stream = pyte.ByteStream(self._screen)
        self.keys_typed = 0

    @property
    def rows(self) -> list[str]:
        """The screen, line by line."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def text(self) -> str:
        """The text on the screen."""
        return "\n".join(self.rows)

    @property
    def printed(self) -> str:
        """All output: the lines scrolled off the top of the screen, and those on it."""
        gone = [
            "".join(row[x].data for x in range(self.columns)).rstrip() for row in self._screen.history.top
        ]
        return "\n".join([*gone, *self.rows])

    @property
    def line(self) -> str:
        """The line with the cursor, up to the cursor."""
        return str(self._screen.display[self._screen.cursor.y])[: self._screen.cursor.x]

    def type(self, keys: str) -> None:
        """Press these keys."""
        self.keys_typed += len(keys)
        self.press(keys)

    def wait_for_question(self, question: str) -> None:
        """Wait until this question, wrapped or not, is the last on the screen, and pbem waits for input.

        Before that, Python would not notice an interrupt until the line is typed.
        """
        while not (self.line.endswith(question) or " ".join(self.text.split()).endswith(question.strip())):
            assert self._read_more(), f"ended without {question!r}: {self.text}"
        state = Path(f"/proc/{self.process.pid}/stat")
        while state.exists() and state.read_text().rpartition(")")[2].split()[0] != "S":
            os.sched_yield()

    def wait_for(self, words: str, last: str = "", *, exactly: bool = False, times: int = 1) -> str:
        """The screen as soon as it contains these words, and the line with the cursor begins with `last`.

        `exactly`: with nothing more up to the cursor. `times`: and they have been printed this often.
        """
        while not (
            words in self.text
            and self.line.startswith(last)
            and (not exactly or self.line == last)
            and (times == 1 or self.printed.count(words) >= times)
        ):
            assert self._read_more(), f"ended without {words!r} and {last!r}: {self.text}"
        return self.text

    def wait_for_line_or_end(self, last: str) -> None:
        """Wait until the line with the cursor is this one, or pbem has ended."""
        while self.line != last and self._read_more():
            pass

    def wait_for_start_or_end(self, start: str) -> bool:
        """Wait until the line with the cursor begins like this, or pbem ends. Returns whether it began so."""
        while not self.line.startswith(start):
            if not self._read_more():
                return False
        return True

    def wait_for_prompt(self, words: str = "", last: str = "Order") -> str:
        """The screen at the prompt for a line, once it contains these words."""
        return self.wait_for(words, last)

    def wait_for_any_end(self, *ends: str) -> None:
        """Wait until the line with the cursor, up to the cursor, ends with one of these."""
        while not self.line.endswith(ends):
            assert self._read_more(), f"ended without {ends}: {self.text}"

    def wait_for_end(self) -> int:
        """pbem's exit code, once it has ended."""
        while self._read_more():
            pass
        return self.process.wait(PATIENCE)

    def _read_more(self) -> bool:
        """Show more output. Returns whether there was any; False if pbem has ended."""
        assert select.select([self._terminal], [], [], PATIENCE)[0], f"nothing more comes after {self.text}"
        data = self.read()
        self._stream.feed(data)
        return bool(data)

    def _answer(self, data: str) -> None:
        """Answer pbem's query to the terminal: the position of the cursor."""
        self.press(data)
