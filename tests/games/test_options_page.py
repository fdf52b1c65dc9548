"""The options of a game are those of its rules page, in every language: their names, values, and editions."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Literal, get_args, get_origin

import msgspec
import pytest

from pbem.core.requests import Plain
from pbem.core.rulebook import RULES, Row, of, page
from pbem.core.rules import Rules
from pbem.format.canonical import canonical_form
from pbem.games import all_versions
from pbem.texts import LANGUAGES
from support.playout import values_of

VERSIONS = [rules for name in ("mortain", "rommel") for rules in all_versions(name).values()]


def written(value: Plain) -> str:
    """A value as the page writes it."""
    return value if isinstance(value, str) else canonical_form(value).decode()


def in_code(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def table(rules: Rules, language: str) -> dict[str, Row]:
    """The row of each option that says its values: the first that begins with it."""
    found: dict[str, Row] = {}
    for row in of(rules, language).rows:
        for option in in_code(row.cells[0]):
            found.setdefault(option, row)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", VERSIONS, ids=lambda rules: rules.pin)
class TestPage:
    def test_every_option_has_its_row(self, rules: Rules, language: str) -> None:
        stated = next(iter(rules.editions.values()))
        assert [option for option in table(rules, language) if option in stated] == list(stated)

    def test_a_row_names_the_values(self, rules: Rules, language: str) -> None:
        """Those of an option that is no number or list; they are played by random games, all of them."""
        rows = table(rules, language)
        for option, values in values_of(rules).items():
            if isinstance(values[0], (str, bool)):
                assert set(in_code(rows[option].cells[1])) == set(map(written, values)), option

    def test_the_program_knows_these_values_and_no_others(self, rules: Rules, language: str) -> None:
        rows, options = table(rules, language), import_module(f"{rules.package}.terms.setting").Options
        for field in msgspec.structs.fields(options):
            if get_origin(field.type) is Literal and field.encode_name in rows:
                known = set(map(written, get_args(field.type)))
                assert set(in_code(rows[field.encode_name].cells[1])) == known, field.encode_name

    def test_it_gives_each_edition_its_value(self, rules: Rules, language: str) -> None:
        """In a column each, in their order; where there is one edition, its value is named first."""
        rows = table(rules, language)
        if len(rules.editions) > 1:
            heads = re.findall(r"^\| \w+ \| \w+ \|(.*)\|$", page(rules, RULES, language), re.MULTILINE)
            assert [one.strip() for one in heads[0].split("|")] == list(rules.editions)
        for number, options in enumerate(rules.editions.values(), 2):
            for option, value in options.items():
                if len(rules.editions) > 1:
                    assert rows[option].cells[number].strip("* ") == written(value), option
                else:
                    assert rows[option].cells[1].lstrip("`").startswith(written(value)), option

    def test_it_names_no_option_that_a_version_lacks(self, rules: Rules, language: str) -> None:
        lacked = next(iter(all_versions(rules.name).values())).editions
        gone = {option for one in lacked.values() for option in one} - {*next(iter(rules.editions.values()))}
        assert not gone & {name for one in of(rules, language).passages for name in in_code(one.text)}
