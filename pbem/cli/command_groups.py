"""Groups of commands that are imported when they run, and Typer's own texts in the player's language.

Typer contains its own Click, whose texts are mostly in its code and not translatable. So they are listed here
as Typer prints them: those of help, and its errors with our own words for each. A text that a new version of
Typer words differently is printed as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer._click.formatting import HelpFormatter
from typer.core import TyperCommand, TyperGroup

from pbem.core.sentences import joined
from pbem.texts import ENGLISH, Texts, spoken

tr = Texts("pbem")


FOREIGN = (
    "Arguments",
    "Options",
    "Commands",
    "[OPTIONS]",
    "COMMAND [ARGS]...",
    "Show this message and exit.",
    "default: {default}",
    "required",
    "env var: {variable}",
    "str",
    "path",
)
"""Typer's texts in help."""

_USAGE_ERRORS: tuple[tuple[str, Callable[..., str]], ...] = (
    ("Missing command", lambda: tr("missing command")),
    ("Missing argument '(.+)'", lambda name: tr("missing argument '{name}'", name=name)),
    ("Missing option '(.+)'", lambda option: tr("missing option {option}", option=option)),
    (
        r"No such command '(.+)'\. Did you mean (.+)\?",
        lambda name, others: tr(
            "no such command '{name}'; did you mean {others}?", name=name, others=_list_choices(others)
        ),
    ),
    ("No such command '(.+)'", lambda name: tr("no such command '{name}'", name=name)),
    (
        r"No such option: (\S+) \(Possible options: (.+)\)",
        lambda option, others: tr(
            "no such option: {option}; did you mean {others}?", option=option, others=_list_choices(others)
        ),
    ),
    (r"No such option: (\S+)", lambda option: tr("no such option: {option}", option=option)),
    ("Option '(.+)' requires an argument", lambda option: tr("{option} needs a value", option=option)),
    (
        "Option '(.+)' requires ([0-9]+) arguments",
        lambda option, number: tr("{option} needs {number} values", option=option, number=number),
    ),
    (
        "Option '(.+)' does not take a value",
        lambda option: tr("{option} does not take a value", option=option),
    ),
    (
        r"Got unexpected extra argument\(s\) \((.+)\)",
        lambda words: tr("too many arguments: {words}", words=words),
    ),
    (
        "'([^']*)' is not a valid int(?: range)?",
        lambda value: tr("must be a whole number, not '{value}'", value=value),
    ),
    (
        "'([^']*)' is not a valid float(?: range)?",
        lambda value: tr("must be a number, not '{value}'", value=value),
    ),
    (
        r"(\S+) is not in the range x>=(\S+)",
        lambda value, least: tr("must be {least} or more, not {value}", least=least, value=value),
    ),
    (
        r"(\S+) is not in the range x<=(\S+)",
        lambda value, most: tr("must be {most} or less, not {value}", most=most, value=value),
    ),
    (
        r"(\S+) is not in the range (\S+)<=x<=(\S+)",
        lambda value, least, most: tr(
            "must be from {least} to {most}, not {value}", least=least, most=most, value=value
        ),
    ),
)
"""Typer's usage errors and our words for each; of two that start alike, the longer first."""


class NameInContext(str):
    """An argument's name with its sense for translators: `metavar=NameInContext("a game's id", "game")`."""

    sense: str

    def __new__(cls, sense: str, name: str) -> NameInContext:
        """Make a name with this sense."""
        sensed = super().__new__(cls, name)
        sensed.sense = sense
        return sensed


def rephrase_usage_error(message: str) -> str:
    """Rephrase one of Typer's usage errors like our own: what is wrong first, in one lower-case line.

    Our own text in a `BadParameter` is kept, after the name of the option. So is an error not listed here.
    """
    said = message.removeprefix("Invalid value: ").removeprefix("Invalid value for ").removesuffix(".")
    where, colon, problem = said.partition(": ")
    if (ours := _our_words(said)) is not None:
        return ours
    if colon and (ours := _our_words(problem)) is not None:
        option = where.replace("'", "")
        return f"{option}: {ours}"
    return said if where.isupper() else said[:1].lower() + said[1:]


def _our_words(said: str) -> str | None:
    """Our words for one of Typer's usage errors; None for another text."""
    for pattern, words in _USAGE_ERRORS:
        if found := re.fullmatch(pattern, said, re.DOTALL):
            return words(*found.groups())
    return None


def _list_choices(names: str) -> str:
    """The names that Typer proposes, without its quotation marks."""
    return str(joined(names.replace("'", "").split(", "), "or"))


def translate_typer_text(said: str) -> str:
    """Translate one of Typer's texts, if it is one of `FOREIGN`; else return it as it is."""
    if spoken() == ENGLISH:
        return said
    for known in FOREIGN:
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(known))
        if found := re.fullmatch(pattern, said):
            return tr(known, **found.groupdict())
    return said


class Formatter(HelpFormatter):
    """Formats the help of a command in the player's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line."""
        for words in ("[OPTIONS]", "COMMAND [ARGS]..."):
            args = args.replace(words, translate_typer_text(words))
        super().write_usage(prog, args, prefix or tr("Usage: "))

    def write_heading(self, heading: str) -> None:
        """Write the heading over arguments or options."""
        super().write_heading(translate_typer_text(heading))

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write arguments or options with their help. A number is shown as `N`, other types in `<>`."""
        super().write_dl(
            [(_translate_kinds(name), _translate_meaning(text)) for name, text in rows], col_max, col_spacing
        )


_NUMBER = re.compile("<(?:int|float)(?: range)?>")
"""Typer's name for the type of a number."""

_TYPER_NOTES = re.compile(r"default: 0|x[<>]=?[\d.]+|[\d.]+<=?x.*")
"""Notes Typer adds to an option's help that nobody needs: the bounds of a number, and the default 0."""


def _translate_kinds(name: str) -> str:
    name = _NUMBER.sub("N", name)
    return re.sub("<([a-z ]+)>", lambda found: f"<{translate_typer_text(found[1])}>", name)


def _translate_meaning(text: str) -> str:
    """Translate the help of an option, which can end in `[default: 1; x>=0]`."""
    found = re.fullmatch(r"(.*?)(  )?\[([^][]*)\]", text, re.DOTALL)
    if not found or (found[1] and not found[2]):
        return translate_typer_text(text)
    notes = [note for note in found[3].split("; ") if not _TYPER_NOTES.fullmatch(note)]
    if not notes:
        return translate_typer_text(found[1])
    return f"{found[1]}{found[2] or ''}[{'; '.join(map(translate_typer_text, notes))}]"


def help_text(command: Any, ctx: Any) -> str:
    """The text that `--help` prints."""
    formatter = Formatter(width=ctx.make_formatter().width)
    command.format_help(ctx, formatter)
    return formatter.getvalue().rstrip("\n")


def translate_command(command: Any) -> Any:
    """Translate the help of a command and of its sub-commands, in place."""
    command.get_help = partial(help_text, command)
    for told in (command, *command.params):
        if told.help:
            told.help = tr(told.help)
    # in full: Click would cut a short help that it makes itself at the terminal's width
    command.short_help = " ".join((command.help or "").partition("\n\n")[0].split())
    for told in command.params:
        if told.metavar:
            translate = _translate_metavar if told.param_type_name == "argument" else _translate_capitals
            told.metavar = translate(told.metavar)
    for subcommand in getattr(command, "commands", {}).values():
        translate_command(subcommand)
    return command


def _translate_metavar(name: str) -> str:
    return tr.sense(name.sense, name) if isinstance(name, NameInContext) else tr(name)


def _translate_capitals(metavar: str) -> str:
    """Translate the metavar of an option, such as `NAME|FILE`, word by word."""
    return re.sub("[A-Z]{2,}", lambda found: tr.sense("placeholder", found[0]), metavar)


class LazyGroup(TyperGroup):
    """A group that knows each command by its name, its module, and one line of help.

    The group's help and the completion of names need no more. A module has its commands in `app`; if `app`
    has no command of the name, `app` itself is the sub-group of that name.
    """

    table: ClassVar[Mapping[str, tuple[str, str]]]
    """For each name, the module in `pbem.cli` and the line of help, in the order of the help.

    These lines are translated, and so are the headings in `chapters`.
    """

    chapters: ClassVar[Mapping[str, str]] = {}
    """The chapters of the help: the first command of each, with the heading printed before it."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        stubs = {name: TyperCommand(name, help=line) for name, (_, line) in self.table.items()}
        self.commands = {**stubs, **self.commands}

    def load(self, name: str) -> Any:
        """Import the module of a command. Returns the command."""
        module, _ = self.table[name]
        group = typer.main.get_group(import_module(f"pbem.cli.{module}").app)
        return translate_command(group.commands.get(name, group))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Resolve the command that begins `args`, after replacing its stub with the command itself."""
        if args and args[0] in self.table:
            self.add_command(self.load(args[0]), args[0])
        return super().resolve_command(ctx, args)

    def table_lines(self) -> list[str]:
        """The table as the help prints it: commands with the same line of help share a row."""
        together: dict[str, list[str]] = {}
        for name, (_, line) in self.table.items():
            together.setdefault(line, []).append(name)
        rows = [(self._chapter(names[0]), ", ".join(names), tr(line)) for line, names in together.items()]
        first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
        return [f"{chapter:<{first}}  {names:<{second}}  {line}" for chapter, names, line in rows]

    def _chapter(self, name: str) -> str:
        return tr.sense("chapter of the help", self.chapters[name]) if name in self.chapters else ""


def commands(help: str | None = None, cls: type[TyperGroup] = TyperGroup) -> typer.Typer:
    """Make the `app` of a module with commands; `help` describes it if it is a group of its own."""
    return typer.Typer(help=help, cls=cls, rich_markup_mode=None)
