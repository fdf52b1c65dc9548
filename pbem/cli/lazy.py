"""Groups of commands of which only the one that runs is imported, so that the program starts fast."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from pbem.cli.usage import translate_command
from pbem.texts import Texts

tr = Texts("pbem")


class LazyGroup(TyperGroup):
    """A group that knows each command by its name, its module, and one line of help.

    The group's help and the completion of names need no more. A module holds its commands in `app`; if `app`
    has no command of the name, it is itself the sub-group of that name.
    """

    table: ClassVar[Mapping[str, tuple[str, str]]]
    """The module below `pbem.cli` and the line of help for each name, in the order of the help.

    The lines are translated, and so are the words of `chapters`.
    """

    chapters: ClassVar[Mapping[str, str]] = {}
    """The chapters of the help: the first command of each, with the heading that is printed before it."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        stubs = {name: TyperCommand(name, help=line) for name, (_, line) in self.table.items()}
        self.commands = {**stubs, **self.commands}

    def load(self, name: str) -> Any:
        """Import the module of a command, and return the command."""
        module, _ = self.table[name]
        group = typer.main.get_group(import_module(f"pbem.cli.{module}").app)
        return translate_command(group.commands.get(name, group))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Resolve the command that `args` begins with, after replacing its stub with the command itself."""
        if args and args[0] in self.table:
            self.add_command(self.load(args[0]), args[0])
        return super().resolve_command(ctx, args)

    def table_lines(self) -> list[str]:
        """The table as help prints it: commands that share a line of help share a row."""
        together: dict[str, list[str]] = {}
        for name, (_, line) in self.table.items():
            together.setdefault(line, []).append(name)
        rows = [(self._chapter(names[0]), ", ".join(names), tr(line)) for line, names in together.items()]
        first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
        return [f"{chapter:<{first}}  {names:<{second}}  {line}" for chapter, names, line in rows]

    def _chapter(self, name: str) -> str:
        return tr.sense("chapter of the help", self.chapters[name]) if name in self.chapters else ""


def commands(help: str | None = None, cls: type[TyperGroup] = TyperGroup) -> typer.Typer:
    """Make the `app` of a module with commands; `help` describes it where it is a group of its own."""
    return typer.Typer(help=help, cls=cls, rich_markup_mode=None)
