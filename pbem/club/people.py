"""People by their keys: who is who, under which names, and who imitates whom.

A name is a claim and a key is not. `members.yaml` says which keys belong to one person, and that person's
name; without it each key is a person, with the name it has used most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from pbem.base import validation
from pbem.club.classify import VerifiedLog
from pbem.club.collect import Problem
from pbem.errors import FileError
from pbem.format.entries import Key, Name
from pbem.format.keys import PublicKey
from pbem.format.yaml_reader import parse_yaml
from pbem.lookalikes import fold_name
from pbem.texts import ENGLISH, LANGUAGES, Texts
from pbem.umpire.game_facts import PRACTICE
from pbem.umpire.offered_scenario import looks_like

tr = Texts("pbem")

_DIGITS = 8
"""The number of digits of the fingerprint appended to an ambiguous name."""

_CONFUSABLES = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l"})


class Member(Struct, frozen=True, forbid_unknown_fields=True):
    """A member of the club, and all their keys."""

    name: Name
    keys: list[Key]


class Members(Struct, frozen=True, forbid_unknown_fields=True):
    """The content of `members.yaml`. `language` is that of the club's page."""

    members: list[Member] = []
    language: str = ENGLISH


class ClubPlayer(Struct, frozen=True):
    """A player: `display_name` is unique in this club; `names` are all their keys have used, sorted."""

    display_name: str
    keys: tuple[str, ...]
    names: tuple[str, ...] = ()
    member: bool = False


def read_members(data: bytes) -> Members:
    """Parse and check the content of `members.yaml`. Raises `FileError` if it is invalid."""
    members = validation.convert(parse_yaml(data), Members, "")
    names: set[str] = set()
    for number, member in enumerate(members.members):
        if fold_name(member.name) in names:
            problem = tr("{name} is listed twice: put all keys of a member together", name=repr(member.name))
            raise FileError(problem, where=f"members[{number}].name")
        names.add(fold_name(member.name))
        for place, key in enumerate(member.keys):
            try:
                PublicKey.parse(key)
            except FileError as error:
                raise FileError(error.problem, where=f"members[{number}].keys[{place}]") from None
    if members.language not in LANGUAGES:
        expected = ", ".join(LANGUAGES)
        problem = tr(
            "must be one of {names}, not {found}",
            found=validation.describe_value(members.language),
            names=expected,
        )
        raise FileError(problem, where="language")
    return members


class People:
    """All players by their keys; `problems` lists keys claimed twice, and imitated names.

    `has_members`: there is a members' file. Without one, a person can play under many keys.
    """

    def __init__(self, logs: Iterable[VerifiedLog], members: Members, file: str) -> None:
        """Take the players of these logs; `file` is the name of the members' file, for its problems."""
        self.problems: list[Problem] = []
        self.has_members = bool(members.members)
        used: dict[str, Counter[str]] = {}
        for log in logs:
            for player in log.players:
                used.setdefault(player.key, Counter())[player.name] += 1
        joined = self._member_keys(members, file)
        persons = [_make_player(name, keys, used, True) for name, keys in joined.items()]
        member_keys = {key for keys in joined.values() for key in keys}
        persons += [_make_player("", (key,), used, False) for key in sorted(used.keys() - member_keys)]
        self._by_key = {key: person for person in self._disambiguate(persons) for key in person.keys}
        robot = fold_name(PRACTICE)
        self._practice = {
            (key, name)
            for key, names in used.items()
            for name in names
            if key not in member_keys and fold_name(name) == robot
        }

    def __getitem__(self, key: str) -> ClubPlayer:
        """The player with this key."""
        return self._by_key[key]

    @property
    def all(self) -> list[ClubPlayer]:
        """All players, in the order of their display names."""
        return sorted(set(self._by_key.values()), key=lambda person: person.display_name)

    def find(self, name: str) -> ClubPlayer | None:
        """The player with this display name; None if there is none."""
        wanted = fold_name(name)
        return next((person for person in self.all if fold_name(person.display_name) == wanted), None)

    def is_practice(self, log: VerifiedLog) -> bool:
        """Whether the computer plays a side: it has the computer's name here, and no member has its key."""
        return any((player.key, player.name) in self._practice for player in log.players)

    def _member_keys(self, members: Members, file: str) -> dict[str, tuple[str, ...]]:
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

    def _disambiguate(self, persons: list[ClubPlayer]) -> list[ClubPlayer]:
        """The players with unique display names: members keep theirs, others get their key appended."""
        apart: list[ClubPlayer] = []
        ordered = sorted(persons, key=lambda person: _skeleton(person.display_name))
        for _, same in groupby(ordered, key=lambda person: _skeleton(person.display_name)):
            apart += self._disambiguate_group(list(same))
        members = [person.display_name for person in apart if person.member and person.display_name.isascii()]
        return [self._expose_imitation(person, members) for person in apart]

    def _expose_imitation(self, person: ClubPlayer, members: Sequence[str]) -> ClubPlayer:
        """The player, with their key appended if their name has foreign letters and looks like a member's."""
        if person.member or person.display_name.isascii():
            return person
        name = next((name for name in members if looks_like(person.display_name, name)), "")
        if not name:
            return person
        self._report_imitation(person, name)
        return _with_key(person)

    def _disambiguate_group(self, same: list[ClubPlayer]) -> list[ClubPlayer]:
        """Give unique names to players whose names a reader would confuse."""
        members = [person for person in same if person.member]
        strangers = [person for person in same if not person.member]
        if members:
            for person in strangers:
                self._report_imitation(person, members[0].display_name)
        elif len(same) > 1:
            keys = ", ".join(fingerprint(person.keys[0]) for person in same)
            self.problems.append(
                Problem("", f"{len(same)} keys go by the name {same[0].display_name!r}: {keys}")
            )
        # otherwise it could equal another's name with a key appended
        elif not same[0].display_name.endswith(")"):
            return same
        return [*members, *map(_with_key, strangers)]

    def _report_imitation(self, person: ClubPlayer, name: str) -> None:
        key = fingerprint(person.keys[0])
        problem = f"the name {person.display_name!r} of the key {key} imitates that of the member {name!r}"
        self.problems.append(Problem("", problem))


def _make_player(
    name: str, keys: tuple[str, ...], used: Mapping[str, Counter[str]], member: bool
) -> ClubPlayer:
    counts = sum((used.get(key, Counter()) for key in keys), Counter[str]())
    most = min(counts, key=lambda used_name: (-counts[used_name], used_name)) if counts else ""
    return ClubPlayer(name or most, keys, tuple(sorted(counts)), member)


def _with_key(person: ClubPlayer) -> ClubPlayer:
    digits = fingerprint(person.keys[0]).removeprefix("SHA256:")[:_DIGITS]
    return ClubPlayer(f"{person.display_name} ({digits})", person.keys, person.names, person.member)


def fingerprint(key: str) -> str:
    """The fingerprint of a key, which players compare: `SHA256:…`."""
    return PublicKey.parse(key).fingerprint


def _skeleton(name: str) -> str:
    """The common form of names that a reader might confuse."""
    letters = "".join(letter for letter in fold_name(name).translate(_CONFUSABLES) if letter.isalnum())
    return letters.replace("rn", "m").replace("vv", "w").replace("cl", "d")
