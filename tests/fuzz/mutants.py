"""Finished games, changed: bytes, lines, values, entries; and what may be accepted of a changed game."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from math import ceil
from typing import Any, TypeAlias

from fuzz.clock import Clock
from fuzz.extremes import NUMBERS, change_extremes
from fuzz.pieces import EXAMPLES, PIECES, VECTORS
from pbem.errors import SegmentRefused, VerificationError
from pbem.format.document import whole_log_bytes
from pbem.format.entries import Entry
from pbem.format.yaml_reader import parse_yaml
from pbem.format.yaml_writer import dump_yaml
from pbem.umpire.log_segment import join_segment
from pbem.umpire.verify import open_game, parse_file, parse_log

SEEDS = {path.stem: path for path in [*sorted(EXAMPLES.glob("*.yaml")), VECTORS / "commanders.yaml"]}
"""Finished games of both kinds, and one that commanders have signed in part."""

NAMES = list(SEEDS)

Source: TypeAlias = random.Random

REFUSED = 11
"""Counted in place of a step: a part that cannot go behind the log that is there."""


@cache
def document(name: str) -> dict[str, Any]:
    """What an example says. Not to be changed."""
    value = parse_yaml(SEEDS[name].read_bytes())
    assert isinstance(value, dict)
    return value


@cache
def own_log(name: str) -> tuple[Entry, ...]:
    """An example's entries."""
    return parse_log(SEEDS[name].read_bytes())


@cache
def signed(name: str) -> tuple[tuple[str, str], ...]:
    """The ids and signatures of an example's entries."""
    return tuple((entry.id, entry.body.sig) for entry in own_log(name))


def change_bytes(data: bytes, source: Source) -> bytes:
    """Overwrite, remove, insert or repeat some bytes at up to four places."""
    changed = bytearray(data)
    for _ in range(source.randint(1, 4)):
        at = source.randrange(len(changed) + 1)
        length = source.choice([1, 1, 1, 2, 8, 100])
        change = source.randrange(5)
        if change == 0:
            changed[at : at + length] = source.randbytes(length)
        elif change == 1:
            del changed[at : at + length]
        elif change == 2:
            changed[at:at] = source.choice(PIECES).encode() * length
        elif change == 3:
            changed[at:at] = changed[at : at + length]
        else:
            changed[at : at + 1] = source.choice(b"0123456789abcdefghij ,:\n").to_bytes()
    return bytes(changed)


def change_lines(data: bytes, source: Source) -> bytes:
    """Swap, remove, repeat, pad or join lines."""
    lines = data.split(b"\n")
    for _ in range(source.randint(1, 3)):
        one, other = source.randrange(len(lines)), source.randrange(len(lines))
        change = source.randrange(5)
        if change == 0:
            lines[one], lines[other] = lines[other], lines[one]
        elif change == 1 and len(lines) > 1:
            del lines[one]
        elif change == 2:
            lines.insert(other % (len(lines) + 1), lines[one])
        elif change == 3:
            lines[one] += source.choice([b" ", b"\r", b" \r", b" # words", b"\\", b"\t"])
        else:
            lines[one : one + 2] = [b"".join(lines[one : one + 2])]
    return b"\n".join(lines)


def change_values(value: dict[str, Any], source: Source) -> dict[str, Any]:
    """Change up to three values or keys, one in four of them in the last entry, which nothing binds."""
    for _ in range(source.randint(1, 3)):
        place: Any = value
        if source.random() < 0.25 and isinstance(value.get("log"), list) and value["log"]:
            place = value["log"][-1]
        if not isinstance(place, dict) or not place:
            break
        key: Any = source.choice(list(place))
        while isinstance(place[key], (dict, list)) and place[key] and source.random() < 0.95:
            place = place[key]
            key = source.choice(range(len(place)) if isinstance(place, list) else list(place))
        change = source.randrange(4)
        if change == 0:
            del place[key]
        elif change == 1 and isinstance(place, dict):
            place[source.choice(["x", "at", "say", "n", "more", "needs"])] = place[key]
        else:
            place[key] = _another(place[key], source)
    return value


def _another(value: Any, source: Source) -> Any:
    """Another value: of the same type and nearly the same, or anything."""
    if isinstance(value, str) and value and source.random() < 0.7:
        at = source.randrange(len(value))
        return value[:at] + source.choice("0123456789abcdefXYZ é\n") + value[at + 1 :]
    if type(value) is int and source.random() < 0.7:
        return source.choice([value - 1, value + 1, value + 1000, *NUMBERS])
    if isinstance(value, list) and source.random() < 0.7:
        return source.sample(value, len(value)) + value[: source.randrange(2)]
    return source.choice([None, True, False, 0, 1, -1, "", "us", [], {}, ["us"], {"us": 1}])


def splice(log: list[Any], other: list[Any], source: Source) -> list[Any]:
    """Entries of another game, or of this one, put among the entries or in their place; or some left out."""
    at, start = source.randint(1, len(log)), source.randrange(len(other))
    some = other[start : start + source.randint(1, 3)]
    change = source.randrange(5)
    if change == 0:
        return [*log[:at], *some, *log[at:]]
    if change == 1:
        return [*log[:at], *some, *log[at + len(some) :]]
    if change == 2:
        return [*log[:at], *other[at:]]
    if change == 3:
        return [*log[:at], *log[at + 1 :]]
    return source.sample(log, len(log))


def mutant(name: str, source: Source) -> bytes:
    """A changed file of an example, or of its first entries: most are short, to be quick."""
    entries = len(document(name)["log"])
    length = entries if source.random() < 0.01 else ceil(entries ** (source.random() ** 2))
    head = source.random() < 0.5
    kind = source.random()
    if kind < 0.3:
        return change_bytes(_text(name, length, head), source)
    if kind < 0.4:
        return change_extremes(_text(name, length, head), source)
    if kind < 0.6:
        return change_lines(_text(name, length, head), source)
    value = _beginning(name, length, head)
    if kind < 0.85:
        return dump_yaml(change_values(_copied(value), source)).encode()
    other = document(source.choice([name, *NAMES]))["log"][: 2 * length]
    return dump_yaml({**value, "log": splice(value["log"], other, source)}).encode()


def mutant_of_a_part(name: str, source: Source) -> bytes:
    """A changed part of an example's log (FORMAT 10), which goes on from one of its first entries."""
    entries = len(document(name)["log"])
    n = source.randrange(ceil(entries ** (source.random() ** 2)))
    ids = signed(name)
    after = {"game": ids[0][0], "n": n, "id": ids[n][0]}
    log = document(name)["log"][n + 1 : n + source.randint(2, 6)]
    value: dict[str, Any] = {"pbem": 1, "after": after, "log": log}
    kind = source.random()
    if kind < 0.25:
        return change_bytes(dump_yaml(value).encode(), source)
    if kind < 0.32:
        return change_extremes(dump_yaml(value).encode(), source)
    if kind < 0.4:
        return change_lines(dump_yaml(value).encode(), source)
    if kind < 0.7:
        return dump_yaml(change_values(_copied(value), source)).encode()
    if kind < 0.85:
        number, other = source.randrange(-1, entries + 2), source.randrange(entries)
        value["after"] = after | {"n": max(number, 0), "id": ids[other][0]}
        return dump_yaml(value).encode()
    other_log = document(source.choice([name, *NAMES]))["log"][: n + 8]
    return dump_yaml({**value, "log": splice(value["log"] or other_log, other_log, source)}).encode()


def mutant_of(data: bytes, source: Source) -> bytes:
    """A document, such as a draft or a page, changed in bytes or lines; or, if it is YAML, in its values."""
    kind = source.random()
    if kind < 0.2:
        return change_bytes(data, source)
    if kind < 0.3:
        return change_extremes(data, source)
    if kind < 0.5 or not data.startswith(b"pbem:"):
        return change_lines(data, source)
    value = parse_yaml(data)
    assert isinstance(value, dict)
    return dump_yaml(change_values(value, source)).encode()


def _beginning(name: str, length: int, head: bool) -> dict[str, Any]:
    """An example's first entries, with the status and map at its end or without."""
    value = document(name)
    return {**(value if head else {"pbem": 1}), "log": value["log"][:length]}


@cache
def _text(name: str, length: int, head: bool) -> bytes:
    return dump_yaml(_beginning(name, length, head)).encode()


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


@dataclass
class Tally:
    """How many files were refused at which step of FORMAT section 9; at step 0: how many hold."""

    clock: Clock
    steps: Counter[int] = field(default_factory=Counter)

    def judge(self, name: str, data: bytes) -> None:
        """Put a file through the whole verification. What is accepted must be a beginning of the example."""
        self.steps[self.clock.judge(data, lambda: self._step(name, data))] += 1

    def judge_part(self, name: str, data: bytes) -> None:
        """Put a part behind the example's own log. What is accepted must be a beginning of the example."""
        self.steps[self.clock.judge(data, lambda: self._step_of_a_part(name, data))] += 1

    def _step(self, name: str, data: bytes) -> int:
        """The step at which a file is refused. Any exception but a refusal leaves this function.

        The entries of an example, if the signatures are the same too, are good, as other tests show: of the
        files that hold nothing else one in ten is replayed.
        """
        try:
            entries = parse_log(data)
            found = tuple((entry.id, entry.body.sig) for entry in entries)
            is_beginning = found == signed(name)[: len(found)]
            if not is_beginning or self.steps[0] % 10 == 0:
                open_game(data)
        except VerificationError as error:
            return _step(str(error), error.step)
        assert is_beginning, f"found another game than {name}"
        return 0

    def _step_of_a_part(self, name: str, data: bytes) -> int:
        """The like for a part of a log."""
        own = own_log(name)
        try:
            part = parse_file(data)
            entries = join_segment(part, own) if part.after else part.entries
            found = tuple((entry.id, entry.body.sig) for entry in entries)
            is_beginning = found == signed(name)[: len(found)]
            if not is_beginning or self.steps[0] % 10 == 0:
                open_game(whole_log_bytes(entries))
        except VerificationError as error:
            return _step(str(error), error.step)
        except SegmentRefused as error:
            return _step(str(error), REFUSED)
        assert is_beginning, f"found another game than {name}"
        return 0


def _step(words: str, step: int) -> int:
    """The step, once the words of a refusal are seen to be short and harmless."""
    assert len(words) < 1000
    assert words.isprintable()
    return step
