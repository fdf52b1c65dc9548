"""Passphrases for backups: one of random words to propose, and the least that is taken of one's own."""

from __future__ import annotations

from pkgutil import get_data

from pbem.errors import FileError
from pbem.texts import Texts

tr = Texts("pbem")

PASSPHRASE_WORDS = 6
"""The words of a proposed passphrase: 77 bits, from a list of 7,776."""

LEAST_PASSPHRASE_CHARACTERS = 12
"""The fewest characters of a passphrase that the player chooses."""


def propose_passphrase() -> str:
    """A new passphrase of random words with hyphens between them, as `age -p` proposes one."""
    from secrets import choice  # here, because few commands need it

    listed = word_list()
    return "-".join(choice(listed) for _ in range(PASSPHRASE_WORDS))


def word_list() -> list[str]:
    """The large word list of the Electronic Frontier Foundation; the file states its source and licence."""
    data = get_data(__package__, "eff_large_wordlist.txt")
    assert data is not None
    return [line for line in data.decode("ascii").splitlines() if not line.startswith("#")]


def check_passphrase(passphrase: str, where: str = "") -> None:
    """Raise `FileError` for a passphrase that is too short."""
    if len(passphrase.strip()) < LEAST_PASSPHRASE_CHARACTERS:
        problem = tr("a passphrase needs at least {least} characters", least=LEAST_PASSPHRASE_CHARACTERS)
        hint = tr("several words chosen at random are strong, and easier to type than many signs")
        raise FileError(problem, where=where, hint=hint)
