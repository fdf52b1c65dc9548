"""The line editor of the prompt: editing, history, completion, and the question that confirms a signature.

It uses prompt_toolkit, which takes 0.1 s to import, so only the prompt imports this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import typer
from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import shift_selection_mode
from prompt_toolkit.formatted_text import AnyFormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.renderer import CPR_Support
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.utils import is_dumb_terminal

from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.terminal import parse_yes_no, yes_no_hint
from pbem.render.safe_text import cut, safe_text
from pbem.texts import Texts

tr = Texts("pbem")


Following = Callable[[str], tuple[str, list[str]]]
"""Returns, for a text, the unfinished word at its end and the words that could complete it."""


class Editor:
    """Asks for lines. Raises only `typer.Abort`, for an interrupt or at the end of input."""

    def __init__(self, earlier: Sequence[str], *, colour: bool) -> None:
        self._history = InMemoryHistory(earlier)
        self._depth = None if colour else ColorDepth.DEPTH_1_BIT
        self._output = create_output()

    def line(
        self, prompt: str, following: Following, text: str = "", marked: tuple[int, int] | None = None
    ) -> str:
        """Ask for a line; pasted text can contain several lines.

        The line begins with `text`, to be edited, and its span `marked` is selected, so that typing replaces
        it. A dumb terminal gets an empty line.
        """
        if is_dumb_terminal():
            text, marked = "", None

        def begin() -> None:
            buffer = get_app().current_buffer
            if marked is not None and marked[0] < marked[1] <= len(text):
                buffer.cursor_position = marked[0]
                buffer.start_selection()
                assert buffer.selection_state is not None
                buffer.selection_state.enter_shift_mode()
                buffer.cursor_position = marked[1]

        def toolbar() -> AnyFormattedText:
            buffer, width = get_app().current_buffer, get_app().output.get_size().columns - 1
            if buffer.selection_state:
                return _mark_hint(width)
            _, words = following(buffer.document.text_before_cursor)
            if words:
                return cut(tr("next: {words}", words=" ".join(words)), width)
            return cut(tr("Tab completes, {help} explains", help=tr.own("help")), width)

        session: PromptSession[str] = PromptSession(
            output=self._output,
            history=self._history,
            completer=_Completer(following),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            reserve_space_for_menu=0,
            bottom_toolbar=toolbar,
            color_depth=self._depth,
            key_bindings=_key_bindings(),
        )
        return self._prompt(session, prompt, default=text, pre_run=begin)

    def confirm(self, question: str) -> tuple[bool | None, str]:
        """Ask for confirmation. Returns whether the answer is yes; None with the answer if it is neither."""
        session: PromptSession[str] = PromptSession(
            output=self._output, color_depth=self._depth, key_bindings=_key_bindings()
        )
        said = self._prompt(session, f"{question} {yes_no_hint()}: ").strip()
        answer = parse_yes_no(said)
        return answer, said if answer is None else ""

    def _prompt(self, session: PromptSession[str], prompt: str, **options: Any) -> str:
        try:
            with raise_on_interrupt():
                return session.prompt(prompt, **options)
        except (KeyboardInterrupt, EOFError):
            raise typer.Abort from None
        finally:
            self._stop_cursor_queries(session)

    def _stop_cursor_queries(self, session: PromptSession[str]) -> None:
        """Stop asking a terminal for its cursor if it does not answer: every line would take a second."""
        if (
            isinstance(self._output, Vt100_Output)
            and session.app.renderer.cpr_support != CPR_Support.SUPPORTED
        ):
            self._output.enable_cpr = False


def _mark_hint(width: int) -> str:
    """The toolbar's text about the marked word: the longest version that fits."""
    said = (
        tr("Type to replace the selection; Ctrl-U clears the line"),
        tr("Type to replace the mark; Ctrl-U clears the line"),
        tr("Type to replace it; Ctrl-U clears the line"),
    )
    return next((words for words in said if len(words) <= width), cut(said[-1], width))


def _key_bindings() -> KeyBindings:
    """Ctrl-U deletes the line; the shell's keys for moving and deleting also work while a word is marked."""
    bindings = KeyBindings()

    @bindings.add("c-u")
    def wipe(event: KeyPressEvent) -> None:
        event.current_buffer.reset()

    for key in ("c-a", "c-e", "c-k"):

        @bindings.add(key, filter=shift_selection_mode)
        def unmark(event: KeyPressEvent) -> None:
            event.current_buffer.exit_selection()
            event.key_processor.feed(event.key_sequence[0], first=True)

    return bindings


class _Completer(Completer):
    """Completes the last word before the cursor."""

    def __init__(self, following: Following) -> None:
        self._following = following

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        begun, words = self._following(document.text_before_cursor)
        for word in map(safe_text, words):
            yield Completion(f"{word} " if len(words) == 1 else word, start_position=-len(begun))
