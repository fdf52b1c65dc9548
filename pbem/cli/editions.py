"""The editions of a game: which one is played, by its name in words, and what the others say otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import typer

from pbem.cli.terminal import put
from pbem.core import rulebook
from pbem.core.rulebook import shown
from pbem.render.words import quoted, safe
from pbem.texts import Texts, spoken

if TYPE_CHECKING:
    from pbem.core.requests import Plain
    from pbem.core.rules import Rules

tr = Texts("pbem")

TYPED = ("editions",)
"""The word after a game's name that asks `pbem rules` for them."""


def chosen(rules: Rules, typed: str) -> str:
    """The edition that is typed, else the one of the player's language, else the game's first.

    Raises `typer.BadParameter` for one that the game has not.
    """
    if typed and typed not in rules.editions:
        problem = tr(
            "there is no edition '{found}'; there are {names}", found=typed, names=", ".join(rules.editions)
        )
        raise typer.BadParameter(problem, param_hint="--edition")
    return typed or rules.edition(spoken())


def named(rules: Rules, name: str) -> str:
    """An edition by its name and in words: `de (the German booklet)`."""
    words = rules.view.editions().get(name, "")
    return f"{name} ({words})" if words else name


def put_chosen(rules: Rules, name: str) -> None:
    """Print which edition a new game has, where there are several, and how to read what differs."""
    if len(rules.editions) > 1:
        put(
            tr(
                "Edition: {edition}. Others: {command}",
                edition=named(rules, name),
                command=_command(rules),
            ),
            indent=4,
        )


def put_told(rules: Rules, name: str) -> None:
    """Print which edition a page tells, that of the player's language, and how to read what differs."""
    words = named(rules, name)
    put(tr("So {edition}; where others part: {command}", edition=words, command=_command(rules)), indent=4)


def _command(rules: Rules) -> str:
    return f"pbem rules {quoted(rules.called)} {tr.own('editions')}"


def put_differences(rules: Rules, own: str, title: str) -> None:
    """Print every option on which editions part, and what each says of it; first the one that one knows."""
    if len(rules.editions) == 1:
        put(tr("{title} has one edition: {edition}.", title=title, edition=named(rules, own)), indent=2)
        return
    put(
        tr("Where the editions of {title} part; yours is {edition}:", title=title, edition=named(rules, own)),
        indent=2,
    )
    book = rulebook.of(rules, spoken())
    names = [own, *(name for name in rules.editions if name != own)]
    for option in rules.editions[own]:
        values = {name: rules.editions[name][option] for name in names}
        if any(value != values[own] for value in values.values()):
            rule, texts = book.texts(option, rules.editions)
            put(f"\n{option} {rule}".rstrip())
            for line in _lines(values, texts):
                put(f"  {line}", indent=6)
    put()
    put(
        tr(
            "pbem new takes yours; another one by {options}",
            options=", ".join(f"--edition {named(rules, name)}" for name in names[1:]),
        ),
        indent=2,
    )


def _lines(values: Mapping[str, Plain], texts: Mapping[str, str]) -> Iterator[str]:
    """Each value once, the editions that have it before it, and what their texts say."""
    for value in dict.fromkeys(map(shown, values.values())):
        names = [name for name, one in values.items() if shown(one) == value]
        said = next((text for name, text in texts.items() if name in names and text), "")
        yield safe(f"{', '.join(names)}: {value}" + (f" ({said})" if said else ""))
