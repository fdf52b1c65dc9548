"""Yes and no as people answer a question by mail: in four languages, with thanks, a name or a signature.

The first line decides. Text below a blank line is taken for a signature or an advertisement, unless it begins
by withdrawing the answer. Anything else beside the answer makes it uncertain, and the question is put again.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Literal, TypeAlias

from msgspec import Struct

from pbem.lookalikes import plain_letters
from pbem.texts import Texts

tr = Texts("pbem")

TYPED = ("yes", "no", "answer")

Answer: TypeAlias = Literal["yes", "no"]

COURTESIES = frozenset(
    " ".join(
        [
            "hi hello hey dear please thanks thank you cheers best kind regards greetings good great perfect",
            "hola buenos buenas días tardes noches querido querida por favor gracias un una abrazo saludo",
            "saludos cordial cordiales bueno muy",
            "ciao salve buongiorno buonasera caro cara per favore piacere grazie cordiali saluti bene",
            "hallo moin servus liebe lieber guten tag morgen abend bitte danke dir gern gerne viele beste",
            "schöne freundliche freundlichen mit grüße grüßen grüsse grüssen gruß gruss mfg vg lg prima",
        ]
    ).split()
)
"""Words people write beside orders or a yes that change nothing."""

_YES = frozenset(
    " ".join(
        [
            "yes y yep yeah yup aye ok okay okey sure fine agreed confirmed confirm correct right exactly",
            "si s claro vale correcto confirmo confirmado adelante hazlo",
            "certo confermo confermato esatto fallo procedi",
            "ja j jo jawohl jep passt einverstanden genau klar",
            "\U0001f44d \U0001f44c \U0001f197 \u2705 \u2714",
        ]
    ).split()
)
_YES_PHRASES = (
    "do it",
    "go ahead",
    "that is right",
    "de acuerdo",
    "d'accordo",
    "va bene",
    "in ordnung",
    "geht klar",
    "mach das",
)
_NO = frozenset(("no", "n", "nope", "nein", "nee", "\U0001f44e", "\u274c"))

_DOUBTS = frozenset(
    " ".join(
        [
            "but not don't wait except however instead unless only after before until later if stop",
            "pero no espera salvo excepto antes despues cuando solo",
            "ma non pero aspetta tranne prima dopo quando se solo invece",
            "aber nicht kein keine warte doch sondern erst nur wenn stattdessen halt stopp",
        ]
    ).split()
)
"""Words beside a yes that might withdraw it or make it conditional."""

_TAKES_BACK = frozenset(
    " ".join(
        [
            "but wait except however instead unless stop pero espera salvo ma aspetta tranne invece",
            "aber warte doch sondern halt stopp moment",
        ]
    ).split()
)
"""Words that begin a later paragraph withdrawing a yes; no signature or advertisement begins with one."""

_TOKEN = re.compile("[\\w']+|[\U0001f44d\U0001f44c\U0001f197\u2705\u2714\U0001f44e\u274c]")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")


class Agreement(Struct, frozen=True):
    """A yes or no on the first line of a reply.

    `beside` is the rest of its paragraph, `below` the text after a blank line. `is_certain`: nothing in the
    reply, orders aside, might mean anything else.
    """

    answer: Answer
    line: str
    beside: str
    below: str
    is_certain: bool


def read_agreement(text: str, people: Collection[str]) -> Agreement | None:
    """The yes or no that begins a reply, below any greeting of the `people`; None if there is none."""
    lines = text.split("\n")
    while lines and is_courteous(lines[0], people) and _answer_of(lines[0], people)[0] is None:
        del lines[0]
    if not lines:
        return None
    answer, is_alone = _answer_of(lines[0], people)
    if answer is None:
        return None
    rest = lines[1:]
    end = next((number for number, line in enumerate(rest) if not line.strip()), len(rest))
    beside, below = "\n".join(rest[:end]), "\n".join(rest[end:])
    return Agreement(answer, lines[0], beside, below, is_alone and not _is_doubtful(beside, below))


def is_courteous(line: str, people: Collection[str]) -> bool:
    """Whether a line contains only greetings and names."""
    words = [word.casefold() for word in re.findall(r"[\w-]+", line)]
    return all(word in COURTESIES or word in people or len(word) == 1 for word in words)


def _answer_of(line: str, people: Collection[str]) -> tuple[Answer | None, bool]:
    """The yes or no in a line, and whether only courtesies surround it."""
    said = " ".join(plain_letters(token) for token in _TOKEN.findall(line.replace("\u2019", "'")))
    for phrase in _YES_PHRASES:
        said = re.sub(rf"\b{phrase}\b", "yes", said)
    tokens = [tr.meant(token, TYPED) for token in said.split()]
    if tokens[:1] == ["answer"]:
        del tokens[0]
    courtesies = {plain_letters(word) for word in (*COURTESIES, *people)}
    begun = next((token for token in tokens if token not in courtesies), "")
    answer: Answer | None = "yes" if begun in _YES else "no" if begun in _NO else None
    alike = _YES if answer == "yes" else _NO
    letters = [token for token in tokens[1:] if len(token) == 1 and token.isalpha()]
    others = [token for token in tokens if token not in courtesies and token not in alike]
    return answer, all(token in letters for token in others)


def _is_doubtful(beside: str, below: str) -> bool:
    """Whether the text beside a yes, or the start of a later paragraph, might withdraw it."""
    near = {plain_letters(token) for token in _TOKEN.findall(beside)}
    begun = (_TOKEN.search(paragraph) for paragraph in _BLANK_LINE.split(below))
    return bool(near & _DOUBTS) or any(word and plain_letters(word[0]) in _TAKES_BACK for word in begun)
