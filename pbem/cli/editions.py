"""The editions of a game: which one is played, how it is called, and where the others differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import typer

from pbem.cli.terminal import put
from pbem.core import rulebook
from pbem.core.rulebook import shown
from pbem.render.words import quote_path, safe_text
from pbem.texts import Texts, spoken

if TYPE_CHECKING:
    from pbem.core.requests import Plain
    from pbem.core.rules import Rules

tr = Texts("pbem")

TYPED = ("editions",)
"""The word after a game's name by which `pbem rules` prints the differences."""


def chosen_edition(rules: Rules, typed: str) -> str:
    """The edition that is typed, else the one of the player's language, else the game's first.

    Raises `typer.BadParameter` for one that the game does not have.
    """
    if typed and typed not in rules.editions:
        problem = tr(
            "there is no edition '{found}'; there are {names}", found=typed, names=", ".join(rules.editions)
        )
        raise typer.BadParameter(problem, param_hint="--edition")
    return typed or rules.edition(spoken())


def describe_edition(rules: Rules, name: str) -> str:
    """An edition by its name and its description: `de (the German booklet)`."""
    words = rules.view.editions().get(name, "")
    return f"{name} ({words})" if words else name


def put_chosen_edition(rules: Rules, name: str) -> None:
    """Print which edition a new game has, if there are several, and how to list the differences."""
    if len(rules.editions) > 1:
        put(
            tr(
                "Edition: {edition}. Others: {command}",
                edition=describe_edition(rules, name),
                command=_editions_command(rules),
            ),
            indent=4,
        )


def put_page_edition(rules: Rules, name: str) -> None:
    """Print which edition a how-to-play page describes, and how to list the differences."""
    words = describe_edition(rules, name)
    put(
        tr("So {edition}; where others part: {command}", edition=words, command=_editions_command(rules)),
        indent=4,
    )


def _editions_command(rules: Rules) -> str:
    return f"pbem rules {quote_path(rules.called)} {tr.own('editions')}"


def put_edition_differences(rules: Rules, own: str, title: str) -> None:
    """Print every option in which editions differ, with what each says; the player's own edition first."""
    if len(rules.editions) == 1:
        put(
            tr("{title} has one edition: {edition}.", title=title, edition=describe_edition(rules, own)),
            indent=2,
        )
        return
    put(
        tr(
            "Where the editions of {title} part; yours is {edition}:",
            title=title,
            edition=describe_edition(rules, own),
        ),
        indent=2,
    )
    book = rulebook.of(rules, spoken())
    names = [own, *(name for name in rules.editions if name != own)]
    for option in rules.editions[own]:
        values = {name: rules.editions[name][option] for name in names}
        if any(value != values[own] for value in values.values()):
            rule, texts = book.texts(option, rules.editions)
            put(f"\n{option} {rule}".rstrip())
            for line in _difference_lines(values, texts):
                put(f"  {line}", indent=6)
    put()
    put(
        tr(
            "pbem new takes yours; another one by {options}",
            options=", ".join(f"--edition {describe_edition(rules, name)}" for name in names[1:]),
        ),
        indent=2,
    )


def _difference_lines(values: Mapping[str, Plain], texts: Mapping[str, str]) -> Iterator[str]:
    """A line for each value: the editions that have it, and what their rules say."""
    for value in dict.fromkeys(map(shown, values.values())):
        names = [name for name, other in values.items() if shown(other) == value]
        said = next((text for name, text in texts.items() if name in names and text), "")
        yield safe_text(f"{', '.join(names)}: {value}" + (f" ({said})" if said else ""))
