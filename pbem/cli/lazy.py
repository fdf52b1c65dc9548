"""A group of commands of which only the one that runs is imported: a program that starts in a blink."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup


class LazyGroup(TyperGroup):
    """Knows each command by its name, the module in which it is, and one line of help.

    Help and completion of the names need no more. A module has its commands in `app`; where that has none of
    the name, it is a group itself.
    """

    table: ClassVar[Mapping[str, tuple[str, str]]]
    """The module below `pbem.cli` and the line of help for each name, in the order of the help."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        stubs = {name: TyperCommand(name, help=line) for name, (_, line) in self.table.items()}
        self.commands = {**stubs, **self.commands}

    def load(self, name: str) -> Any:
        """The command of that name, imported now."""
        module, _ = self.table[name]
        group = typer.main.get_group(import_module(f"pbem.cli.{module}").app)
        return group.commands.get(name, group)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that `args` begins with, no stub any more."""
        if args and args[0] in self.table:
            self.add_command(self.load(args[0]), args[0])
        return super().resolve_command(ctx, args)


def commands(help: str | None = None) -> typer.Typer:
    """The `app` of a module with commands; `help` tells of the group that they are, if they are one."""
    return typer.Typer(help=help, rich_markup_mode=None)
