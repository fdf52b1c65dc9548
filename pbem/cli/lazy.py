"""A group of commands of which only the one that runs is imported: a program that starts in a blink."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

from pbem.cli.usage import translated
from pbem.texts import Texts

tr = Texts("pbem")


class LazyGroup(TyperGroup):
    """Knows each command by its name, the module in which it is, and one line of help.

    Help and completion of the names need no more. A module has its commands in `app`; where that has none of
    the name, it is a group itself.
    """

    table: ClassVar[Mapping[str, tuple[str, str]]]
    """The module below `pbem.cli` and the line of help for each name, in the order of the help.

    The lines are messages, and so are the words of `chapters`.
    """

    chapters: ClassVar[Mapping[str, str]] = {}
    """The chapters of the help: the first command of each, with the word that stands before it."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        stubs = {name: TyperCommand(name, help=line) for name, (_, line) in self.table.items()}
        self.commands = {**stubs, **self.commands}

    def load(self, name: str) -> Any:
        """The command of that name, imported now."""
        module, _ = self.table[name]
        group = typer.main.get_group(import_module(f"pbem.cli.{module}").app)
        return translated(group.commands.get(name, group))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that `args` begins with, no stub any more."""
        if args and args[0] in self.table:
            self.add_command(self.load(args[0]), args[0])
        return super().resolve_command(ctx, args)

    def lines(self) -> list[str]:
        """The table as the help has it: commands with the same line of help stand together."""
        together: dict[str, list[str]] = {}
        for name, (_, line) in self.table.items():
            together.setdefault(line, []).append(name)
        rows = [(self._chapter(names[0]), ", ".join(names), tr(line)) for line, names in together.items()]
        first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
        return [f"{chapter:<{first}}  {names:<{second}}  {line}" for chapter, names, line in rows]

    def _chapter(self, name: str) -> str:
        return tr.sense("chapter of the help", self.chapters[name]) if name in self.chapters else ""


def commands(help: str | None = None, cls: type[TyperGroup] = TyperGroup) -> typer.Typer:
    """The `app` of a module with commands; `help` tells of the group that they are, if they are one."""
    return typer.Typer(help=help, cls=cls, rich_markup_mode=None)
