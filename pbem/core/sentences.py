"""Numbers and lists as words, for refusals, outcomes and stories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pbem.messages import Messages, Said

tr = Messages("pbem")


def numeral(number: int) -> Said:
    """A number before a noun, a small one as a word: `no`, `one`, `three`, `12`.

    It fills a placeholder of `tr.plural`, whose message has the noun:

        tr.plural("{spelt} unit", "{spelt} units", 3, spelt=numeral(3))

    If the word would have to agree with the noun, a language can use figures.
    """
    match number:
        case 0:
            return tr.sense("number before a noun", "no")
        case 1:
            return tr.sense("number before a noun", "one")
        case 2:
            return tr.sense("number before a noun", "two")
        case 3:
            return tr.sense("number before a noun", "three")
        case 4:
            return tr.sense("number before a noun", "four")
        case 5:
            return tr.sense("number before a noun", "five")
        case 6:
            return tr.sense("number before a noun", "six")
        case 7:
            return tr.sense("number before a noun", "seven")
        case 8:
            return tr.sense("number before a noun", "eight")
        case _:
            return str(number)


def capitalized(words: str) -> str:
    """Words with a capital, to begin a sentence."""
    return words[:1].upper() + words[1:]


def listed(names: Iterable[str]) -> str:
    """Names with commas between them."""
    return ", ".join(names)


def joined(names: Sequence[object], last: Literal["and", "or"] = "and") -> Said:
    """Names as listed in a sentence: `DF, D and 37SS`; in Spanish `D e Italia`, `7 u 8`."""
    *first, end = map(str, names)
    if not first:
        return end
    sound = end.lower().removeprefix("h")
    if last == "and":
        if sound.startswith(("i", "í")) and not sound.startswith(("ia", "ie", "io")):
            return tr.sense("before the sound of i", "{names} and {last}", names=listed(first), last=end)
        return tr("{names} and {last}", names=listed(first), last=end)
    if sound.startswith(("o", "ó", "8")) or sound == "11":
        return tr.sense("before the sound of o", "{names} or {last}", names=listed(first), last=end)
    return tr("{names} or {last}", names=listed(first), last=end)
