"""The group `pbem mail`, which only imports the command that runs."""

from __future__ import annotations

from typing import ClassVar

from pbem.cli.command_groups import LazyGroup, commands


class _Mail(LazyGroup):
    """The group `pbem mail`."""

    table: ClassVar = {
        "setup": ("mail_setup", "Give pbem your address; it finds the rest and tests it."),
        "send": ("mail_send", "Mail a game to your opponent."),
        "fetch": ("mail_fetch", "Fetch your mail and check each game in it."),
        "watch": ("mail_fetch", "Fetch mail; answer when you have no choice to make."),
        "automatic": ("mail_background", "Make your system check your mail."),
        "share": ("mail_send", "Mail a game to the commanders of your side."),
        "trust": ("mail_send", "Trust your opponent's new key."),
        "address": ("mail_send", "Send your opponents your new address."),
        "check": ("mail_send", "Test the settings in config.yaml."),
    }


app = commands(help="Send and fetch games by mail.", cls=_Mail)
