"""`pbem send`, the short form of `pbem mail send`."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

from pbem.cli.lazy import commands
from pbem.cli.mail import send


class _Send(TyperCommand):
    """The command `mail send`, whose help uses the short form, in any language."""

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """Write the description of the command."""
        self.help = (self.help or "").replace("pbem mail send", "pbem send")
        super().format_help_text(ctx, formatter)


app = commands()
app.command(cls=_Send)(send)
