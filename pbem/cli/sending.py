"""`pbem send`, which is `pbem mail send`: what one types most, in one word less."""

from __future__ import annotations

from pbem.cli.lazy import commands
from pbem.cli.mail import send

app = commands()
app.command()(send)
