"""The rules: `rules` explains how to play a game, prints a rule, searches the rules, and lists editions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem import games
from pbem.cli.arguments import complete_with
from pbem.cli.command_groups import commands
from pbem.cli.session import local_player, open_file
from pbem.cli.terminal import printable_size, put, put_stderr
from pbem.core import rulebook
from pbem.core.requests import Plain
from pbem.core.rulebook import HOW_TO, NUMBER, RULES, Passage, Rulebook, filled, holds, shown
from pbem.core.rules import Rules
from pbem.errors import FileError
from pbem.render.ascii_picture import explain_key
from pbem.render.markdown import markdown_to_text
from pbem.render.safe_text import WIDTH, cut, keeping_accents, quote_path, safe_text
from pbem.render.story import nearest_edition
from pbem.texts import ENGLISH, Texts, spoken

if TYPE_CHECKING:
    from pbem.core.requests import Plain
    from pbem.core.rules import Rules


tr = Texts("pbem")


TYPED = ("editions",)
"""The word after a game's name that prints the differences between editions."""


def chosen_edition(rules: Rules, typed: str) -> str:
    """The typed edition, else the one of the player's language, else the game's first.

    Raises `typer.BadParameter` for an edition the game does not have.
    """
    if typed and typed not in rules.editions:
        problem = tr(
            "there is no edition '{found}'; there are {names}", found=typed, names=", ".join(rules.editions)
        )
        raise typer.BadParameter(problem, param_hint="--edition")
    return typed or rules.edition(spoken())


def describe_edition(rules: Rules, name: str) -> str:
    """An edition's name and description: `de (the German booklet)`."""
    words = rules.view.editions().get(name, "")
    return f"{name} ({words})" if words else name


def put_chosen_edition(rules: Rules, name: str) -> None:
    """Print the edition of a new game, if there are several, and how to list the differences."""
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
        tr(
            "This is edition {edition}. To see how the others differ: {command}",
            edition=words,
            command=_editions_command(rules),
        ),
        indent=4,
    )


def _editions_command(rules: Rules) -> str:
    return f"pbem rules {quote_path(rules.called)} {tr.own('editions')}"


def put_edition_differences(rules: Rules, own: str, title: str) -> None:
    """Print every option in which editions differ, with the rules of each; the player's own edition first."""
    if len(rules.editions) == 1:
        put(
            tr("{title} has one edition: {edition}.", title=title, edition=describe_edition(rules, own)),
            indent=2,
        )
        return
    put(
        tr(
            "How the editions of {title} differ; yours is {edition}:",
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
            "pbem new uses the edition in your language; for another one, add {options}",
            options=", ".join(f"--edition {describe_edition(rules, name)}" for name in names[1:]),
        ),
        indent=2,
    )


def _difference_lines(values: Mapping[str, Plain], texts: Mapping[str, str]) -> Iterator[str]:
    """A line for each value and source: the editions that have it, and what their rules say."""
    found = {name: (shown(value), texts.get(name, "")) for name, value in values.items()}
    for value, said in dict.fromkeys(found.values()):
        names = [name for name, pair in found.items() if pair == (value, said)]
        source = " ({})".format(said.replace("`", '"')) if said else ""
        yield safe_text(f"{', '.join(names)}: {value}{source}")


app = commands()

WHOLE = 4
"""The most matching rules printed in full; if there are more, only the sentence with the first word."""


@app.command()
def rules(
    game: Annotated[
        str,
        typer.Argument(
            metavar="game|file",
            help="A game, or a game file, to see its options too.",
            autocompletion=complete_with("books"),
        ),
    ] = "",
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="rule|word…", help="A rule or chapter such as M4.2, or words to look for."),
    ] = None,
) -> None:
    """Explain how to play a game, print one of its rules, or search them for words.

    Without a game, lists all games. The word `editions` shows how the editions of a game differ.

    Example: pbem rules mortain M4.2
    """
    from pbem.cli.paging import paged  # 9 ms: `new` needs this module, and prints no rules

    with paged():
        _put_rules(game, words or [])


def _put_rules(game: str, words: list[str]) -> None:
    """Print the games, how to play one, or some of its rules."""
    if not game:
        _list_games()
        return
    if not words and (owner := _game_with_rule(game.upper())):  # a number alone, as a refusal quotes it
        game, words = owner, [game]
    found, options, edition, said, state = _resolve_game(game)
    if not words:
        _put_how_to_play(found, options, said, state)
        return
    if len(words) == 1 and tr.meant(words[0], TYPED) in TYPED:
        put_edition_differences(found, edition or found.edition(spoken()), safe_text(_title(found)))
        return
    book = rulebook.read(_read_page(found, RULES))
    if not book.passages:
        raise FileError(tr("{title} comes with no rules to read", title=_title(found)))
    number = words[0].upper()
    if len(words) == 1 and NUMBER.fullmatch(number):
        _put_rule(found, book, number)
        numbers = [number]
    else:
        with keeping_accents():
            on_map = (
                explain_key(found.view.legend(state), words, printable_size()[0]) if state is not None else []
            )
        numbers = _put_matching_rules(found, book, words, on_map)
    for option in dict.fromkeys(
        option_name for number in numbers for option_name in book.options(number, options)
    ):
        put(
            tr("In this game {option} is {value}.", option=option, value=safe_text(shown(options[option]))),
            indent=2,
        )


def _list_games() -> None:
    """Print every game's title, with the command to type."""
    for name in games.names():
        try:
            title = _title(games.load(name))
        except FileError as error:  # a game from another package might be broken
            title = str(error)
        put(f"pbem rules {safe_text(name):<10}  {safe_text(title)}", indent=4)


def _resolve_game(typed: str) -> tuple[Rules, Mapping[str, Plain], str, str, Any]:
    """The rules of a game or a file; for a file also options, edition, a line about that, and the state."""
    name = typed.lower()
    if name.partition("/")[0] in games.names():
        return games.load(name), {}, "", "", None

    try:
        game = open_file(local_player(), Path(typed)).game
    except FileError as error:
        installed = ", ".join(games.names())
        problem = tr(
            "there is no installed game of that name ({games}), and no file: {problem}",
            games=installed,
            problem=error,
        )
        raise FileError(problem, hint="pbem rules") from None
    edition, differing = nearest_edition(game)
    words = describe_edition(game.rules, edition)
    said = (
        tr("This game uses edition {edition} with {differing}.", edition=words, differing=differing)
        if differing
        else tr("This game uses edition {edition}.", edition=words)
    )
    return game.rules, game.offer.options, edition, said, game.state.run.state


def _game_with_rule(number: str) -> str:
    """The game that has a rule or chapter with this number; empty if none has, or if it is not a number."""
    for name in games.names() if NUMBER.fullmatch(number) else ():
        with suppress(FileError):  # a game from another package might be broken
            if number in rulebook.of(games.load(name)).numbers():
                return name
    return ""


def _put_how_to_play(game: Rules, options: Mapping[str, Plain], said: str, state: Any) -> None:
    """Print how to play, with the options of the game, and the numbers in `state` if there is one."""
    own = game.edition(spoken())
    if state is None:
        options, scenarios = game.editions[own], game.scenarios
        state = game.begin(options, scenarios.data(scenarios.names[0]))
    values = {**options, **game.view.numbers(state)}
    page = _markdown_as_text(filled(_read_page(game, HOW_TO), values))
    put(page or tr("{title} comes with no text on how to play.", title=safe_text(_title(game))))
    if said:
        put(f"\n{safe_text(said)}", indent=0)
    elif page and len(game.editions) > 1:
        put_page_edition(game, own)


def _put_rule(game: Rules, book: Rulebook, number: str) -> None:
    """Print a rule with the remarks on it and on its options, or a chapter."""
    chapter, rule = book.chapter(number), book.rule(number)
    if chapter:
        put(_markdown_as_text(f"## {number} {chapter.title}\n\n{chapter.text}"))
    elif rule:
        every = next(iter(game.editions.values()))
        remarks = "\n".join(row.markdown() for row in book.remarks(number, every))
        put(_markdown_as_text(f"{rule.text}\n\n{remarks}"))
    else:
        near = book.nearest(number)
        raise FileError(
            tr(
                "{title} has no rule {number}; nearby: {near}",
                title=_title(game),
                number=number,
                near=", ".join(near),
            ),
            hint=f"pbem rules {quote_path(game.called)} {near[0]}",
        )


def _put_matching_rules(game: Rules, book: Rulebook, words: Sequence[str], on_map: list[str]) -> list[str]:
    """Print the rules that contain all the words, and lines of the map's key.

    Returns the numbers of the rules printed in full.
    """
    found = book.search(words)
    if not found and not on_map:
        wanted = ", ".join(cut(safe_text(word), 40) for word in words)
        problem = tr.plural(
            "no rule of {title} mentions {words}",
            "no rule of {title} mentions all of {words}",
            len(words),
            title=_title(game),
            words=wanted,
        )
        raise FileError(problem, hint=f"pbem rules {quote_path(game.called)}")
    whole = len(found) <= WHOLE
    put(
        "\n".join(
            [
                *(
                    _markdown_as_text(passage.text if whole else _sentence(passage, words[0]))
                    for passage in found
                ),
                *on_map,
            ]
        )
    )
    if whole:
        return [passage.number for passage in found]
    command = f"pbem rules {quote_path(game.called)} {found[-1].number}"
    put(tr("To read a whole rule, for example: {command}", command=command))
    return []


def _sentence(passage: Passage, word: str) -> str:
    """The first sentence of a passage that contains the word, after the passage's number."""
    sentences = passage.text.removeprefix("* ").removeprefix(f"{passage.number} ").split(". ")
    said = next((sentence for sentence in sentences if holds(sentence, [word])), sentences[0])
    return f"* {passage.number} {said}" if passage.number else f"* {said}"


def _title(game: Rules) -> str:
    """The title of a game, translated by the game's own catalogue."""
    return Texts(game.package)(game.title)


def _read_page(game: Rules, name: str) -> str:
    """A page of a game's package in the player's language; else in English, with a note."""
    if page := rulebook.page(game, name, spoken()):
        return page
    page = rulebook.page(game, name)
    if page and spoken() != ENGLISH:
        put_stderr(
            tr(
                "note: this page of {title} is in English, because it is not translated into your "
                "language yet",
                title=_title(game),
            )
        )
    return page


def _markdown_as_text(markdown: str) -> str:
    """Markdown rendered as text, wrapped to the terminal."""
    return markdown_to_text(markdown, min(WIDTH, printable_size()[0]))
