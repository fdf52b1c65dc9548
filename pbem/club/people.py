"""People by their keys: who is who, under which names, and who imitates whom.

A name is a claim and a key is not. `members.yaml` says which keys are one person's, and how a person is
called; without it each key is a person, called by the name under which it has played most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from pbem.base import validation
from pbem.club.collect import Problem
from pbem.club.log import Log
from pbem.errors import FileError
from pbem.format.keys import PublicKey
from pbem.format.shapes import Key, Name
from pbem.format.yaml_reader import read_yaml
from pbem.lookalikes import folded
from pbem.texts import ENGLISH, LANGUAGES, Texts
from pbem.umpire.game_facts import PRACTICE
from pbem.umpire.scenario import looks_like

tr = Texts("pbem")

_DIGITS = 8
"""The digits of the fingerprint appended to an ambiguous name."""

_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l"})


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """A member of the club, and all his keys."""

    name: Name
    keys: list[Key]


class Members(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `members.yaml`. `language` is that of the club's page."""

    members: list[Member] = []
    language: str = ENGLISH


class Person(Struct, frozen=True):
    """A player: `display_name` is unique in this club; `names` are all that his keys have used, sorted."""

    called: str
    keys: tuple[str, ...]
    names: tuple[str, ...] = ()
    member: bool = False


def read_members(data: bytes) -> Members:
    """Parse and check the content of `members.yaml`. Raises `FileError` where it is invalid."""
    members = validation.read(read_yaml(data), Members, "")
    names: set[str] = set()
    for number, member in enumerate(members.members):
        if folded(member.name) in names:
            problem = tr("{name} is named twice: all keys of a member stand together", name=repr(member.name))
            raise FileError(problem, where=f"members[{number}].name")
        names.add(folded(member.name))
        for place, key in enumerate(member.keys):
            try:
                PublicKey.parse(key)
            except FileError as error:
                raise FileError(error.problem, where=f"members[{number}].keys[{place}]") from None
    if members.language not in LANGUAGES:
        expected = ", ".join(LANGUAGES)
        problem = tr(
            "must be one of {names}, not {found}", found=validation.shown(members.language), names=expected
        )
        raise FileError(problem, where="language")
    return members


class People:
    """All players by their keys; `problems` lists keys claimed twice, and imitated names."""

    def __init__(self, logs: Iterable[Log], members: Members, file: str) -> None:
        """`file` is the name of the members' file, for its problems."""
        self.problems: list[Problem] = []
        used: dict[str, Counter[str]] = {}
        for log in logs:
            for player in log.players:
                used.setdefault(player.key, Counter())[player.name] += 1
        joined = self._joined(members, file)
        persons = [_person(name, keys, used, True) for name, keys in joined.items()]
        member_keys = {key for keys in joined.values() for key in keys}
        persons += [_person("", (key,), used, False) for key in sorted(used.keys() - member_keys)]
        self._by_key = {key: person for person in self._told_apart(persons) for key in person.keys}
        robot = folded(PRACTICE)
        self._practice = {
            (key, name)
            for key, names in used.items()
            for name in names
            if key not in member_keys and folded(name) == robot
        }

    def __getitem__(self, key: str) -> Person:
        """The player whose key this is."""
        return self._by_key[key]

    @property
    def all(self) -> list[Person]:
        """All players, in the order of their display names."""
        return sorted(set(self._by_key.values()), key=lambda person: person.called)

    def find(self, name: str) -> Person | None:
        """The player with that display name; None if there is none."""
        wanted = folded(name)
        return next((person for person in self.all if folded(person.called) == wanted), None)

    def is_practice(self, log: Log) -> bool:
        """Whether the program plays a side: it has the program's name here, and no member has its key."""
        return any((player.key, player.name) in self._practice for player in log.players)

    def _joined(self, members: Members, file: str) -> dict[str, tuple[str, ...]]:
        """The keys of each member; a key that two members claim belongs to neither, and is a problem."""
        claimed: dict[str, set[str]] = {}
        for member in members.members:
            for key in member.keys:
                claimed.setdefault(key, set()).add(member.name)
        for key, names in sorted(claimed.items()):
            if len(names) > 1:
                who = " and ".join(sorted(names))
                problem = f"{who} claim one key, {fingerprint(key)}: it is taken for neither's"
                self.problems.append(Problem(file, problem))
        own = {one.name: {key for key in one.keys if len(claimed[key]) == 1} for one in members.members}
        return {name: tuple(sorted(keys)) for name, keys in own.items() if keys}

    def _told_apart(self, persons: list[Person]) -> list[Person]:
        """The players with unique display names: members keep theirs, others get their key appended."""
        apart: list[Person] = []
        ordered = sorted(persons, key=lambda person: _alike(person.called))
        for _, same in groupby(ordered, key=lambda person: _alike(person.called)):
            apart += self._apart(list(same))
        members = [person.called for person in apart if person.member and person.called.isascii()]
        return [self._seen_through(person, members) for person in apart]

    def _seen_through(self, person: Person, members: Sequence[str]) -> Person:
        """The player, with his key appended if his name has foreign letters and looks like a member's."""
        if person.member or person.called.isascii():
            return person
        name = next((name for name in members if looks_like(person.called, name)), "")
        if not name:
            return person
        self._imitates(person, name)
        return _with_key(person)

    def _apart(self, same: list[Person]) -> list[Person]:
        """Give unique names to players whose names a reader would confuse."""
        members = [person for person in same if person.member]
        strangers = [person for person in same if not person.member]
        if members:
            for person in strangers:
                self._imitates(person, members[0].called)
        elif len(same) > 1:
            keys = ", ".join(fingerprint(person.keys[0]) for person in same)
            self.problems.append(Problem("", f"{len(same)} keys go by the name {same[0].called!r}: {keys}"))
        elif not same[0].called.endswith(")"):  # else it might equal another's name with a key appended
            return same
        return [*members, *map(_with_key, strangers)]

    def _imitates(self, person: Person, name: str) -> None:
        key = fingerprint(person.keys[0])
        problem = f"the name {person.called!r} of the key {key} imitates that of the member {name!r}"
        self.problems.append(Problem("", problem))


def _person(name: str, keys: tuple[str, ...], used: Mapping[str, Counter[str]], member: bool) -> Person:
    counts = sum((used.get(key, Counter()) for key in keys), Counter[str]())
    most = min(counts, key=lambda used_name: (-counts[used_name], used_name)) if counts else ""
    return Person(name or most, keys, tuple(sorted(counts)), member)


def _with_key(person: Person) -> Person:
    digits = fingerprint(person.keys[0]).removeprefix("SHA256:")[:_DIGITS]
    return Person(f"{person.called} ({digits})", person.keys, person.names, person.member)


def fingerprint(key: str) -> str:
    """The fingerprint of a key, which players compare: `SHA256:…`."""
    return PublicKey.parse(key).fingerprint


def _alike(name: str) -> str:
    """The common form of names that a reader might confuse."""
    letters = "".join(letter for letter in folded(name).translate(_ALIKE) if letter.isalnum())
    return letters.replace("rn", "m").replace("vv", "w").replace("cl", "d")
