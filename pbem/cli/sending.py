"""`pbem send`, which is `pbem mail send`: what one types most, in one word less."""

from __future__ import annotations

from pbem.cli.lazy import commands
from pbem.cli.mail import send

app = commands()
# as its other help, with another example: a message must stand in the code to be found
app.command(
    help="Mail a game to your opponent: by your server, or where you have set up none, by your own mail "
    "program.\n\n"
    "At a terminal of a desktop that program opens with letter and game. Elsewhere you get what to paste, "
    "and a\nfile that it can open. For a server of your own: pbem mail setup.\n\n"
    "Example: pbem send mortain.yaml --to bruno@example.org"
)(send)
