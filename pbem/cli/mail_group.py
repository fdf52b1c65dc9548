"""The group `pbem mail`, of which only the command that runs is imported."""

from __future__ import annotations

from typing import ClassVar

from pbem.cli.command_groups import LazyGroup, commands


class _Mail(LazyGroup):
    """`pbem mail`."""

    table: ClassVar = {
        "setup": ("mail_setup", "Tell pbem your address; it finds the rest, and tries it."),
        "send": ("mail_send", "Mail a game to your opponent."),
        "fetch": ("mail_fetch", "Fetch your mail, and check each game in it."),
        "watch": ("mail_fetch", "Fetch mail; answer it where there is no choice."),
        "automatic": ("mail_background", "Have mail watched by your system."),
        "share": ("mail_send", "Mail a game to the commanders of your side."),
        "trust": ("mail_send", "Trust your opponent's new key."),
        "address": ("mail_send", "Tell your opponents your new address."),
        "check": ("mail_send", "Try the settings in config.yaml."),
    }


app = commands(help="Send games by mail, and get them from there.", cls=_Mail)
