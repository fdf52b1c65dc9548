"""Shell completion of arguments and option values: games, seats, options, units, hexes and so on.

Each function receives the context of the command being typed, and the current word. Facts about a game come
from the list of stored games (`player.game_list`), so that no game is opened. On an error, nothing is
completed and nothing printed. All imports are inside functions, because a shell waits for the completions.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.errors import PbemError

if TYPE_CHECKING:
    from pbem.core.rules import Rules
    from pbem.player.game_list import ListedGame

Completions = list[str] | list[tuple[str, str]]
"""Words, or pairs of a word and its meaning, which some shells show."""

_FILES = (".yaml", ".yml", ".eml", ".mbox")


def games(_ctx: Any, incomplete: str) -> Completions:
    """Game files and mails in the folder being typed, and the stored games by their ids."""
    from pbem.render.safe_text import safe_text  # 38 ms
    from pbem.umpire.game_facts import SHORT_ID_DIGITS

    folder, beginning = os.path.split(incomplete)
    try:
        found = sorted(path for path in Path(folder).iterdir() if path.suffix in _FILES and path.is_file())
    except OSError:
        found = []
    stem = incomplete[: len(incomplete) - len(beginning)]
    files = [(_escape_for_shell(stem + path.name), "") for path in found if path.name.startswith(beginning)]
    ids = [(row.game[:SHORT_ID_DIGITS], safe_text(row.title)) for row in _listed_games()]
    return [*files, *(row for row in ids if row[0].startswith(incomplete))]


def _escape_for_shell(name: str) -> str:
    """A file name for the shell to insert: bash inserts it as it is, other shells quote it themselves."""
    bare = os.environ.get("_PBEM_COMPLETE") == "complete_bash"
    return re.sub(r"([^\w@%+=:,./-])", r"\\\1", name) if bare else name


def game_or_order(ctx: Any, incomplete: str) -> Completions:
    """A game, or the first order in the default game."""
    return (
        _complete_last_word(incomplete, _units_and_hexes("")) if " " in incomplete else games(ctx, incomplete)
    )


def orders(ctx: Any, incomplete: str) -> Completions:
    """An order, whose last word is a unit or hex on the map."""
    return _complete_last_word(incomplete, _units_and_hexes(_typed_game(ctx)))


def units(ctx: Any, incomplete: str) -> Completions:
    """Units on the map."""
    return _matches(incomplete, (row.units for row in _find_listed_games(_typed_game(ctx))))


def hexes(ctx: Any, incomplete: str) -> Completions:
    """Hexes of the map."""
    return _matches(incomplete, (row.hexes for row in _find_listed_games(_typed_game(ctx))))


def setups(ctx: Any, incomplete: str) -> Completions:
    """Ready-made set-ups; if none matches, the shell completes file names."""
    return _matches(incomplete, (row.setups for row in _find_listed_games(_typed_game(ctx))))


def plans(ctx: Any, incomplete: str) -> Completions:
    """The words after `plan`; after `add`, the ready-made plans, and units and hexes for a march."""
    from pbem.player.plans.ready_made import GENERAL_PLANS, PLAN_COMMANDS, complete_plan  # 40 ms

    typed = [word for word in (_first_argument(ctx, "file"), *(ctx.params.get("words") or ())) if word]
    game = "" if not typed or typed[0] in PLAN_COMMANDS else typed.pop(0)
    verb, *rest = typed or [""]
    match verb, rest:
        case "", _:
            return _matches(incomplete, [PLAN_COMMANDS])
        case "add", _:
            known = [(row.units, row.hexes, row.plans) for row in _find_listed_games(game)] or [
                ((), (), GENERAL_PLANS)
            ]
            return _matches(incomplete, (complete_plan(rest, *row) for row in known))
    return []


def proposals(_ctx: Any, incomplete: str) -> Completions:
    """The proposals that do not name a move."""
    from pbem.texts import Texts  # under 1 ms

    tr = Texts("pbem")
    return _matches(incomplete, [(tr.own("draw"), tr.own("last"))])


def books(ctx: Any, incomplete: str) -> Completions:
    """The installed games, whose rules can be read, and the games in files and in the store."""
    found: list[Any] = [(name, "") for name in names(ctx, incomplete)]
    return found + list(games(ctx, incomplete))


def names(_ctx: Any, incomplete: str) -> Completions:
    """The installed games."""
    from pbem import games as installed  # under 1 ms

    return _matches(incomplete, [installed.names()])


def versions(ctx: Any, incomplete: str) -> Completions:
    """The versions of the named game."""
    from pbem import games as installed  # under 1 ms

    return _matches(incomplete, (installed.all_versions(rules.name) for rules in _find_rules(ctx)))


def seats(ctx: Any, incomplete: str) -> Completions:
    """The sides of the named game."""
    return _matches(incomplete, (rules.seats for rules in _find_rules(ctx)))


def levels(ctx: Any, incomplete: str) -> Completions:
    """The computer players of the named game; in a list with commas, for its last item."""
    return _complete_last_word(
        incomplete, (name for rules in _find_rules(ctx) for name in rules.players), ","
    )


def editions(ctx: Any, incomplete: str) -> Completions:
    """The editions of the named game; in a list with commas, for its last item."""
    return _complete_last_word(
        incomplete, (name for rules in _find_rules(ctx) for name in rules.editions), ","
    )


def numbers(ctx: Any, incomplete: str) -> Completions:
    """The numbers that can be changed in the scenarios of the named game."""
    from pbem.analysis.scenario_tuning import number_names as of_numbers  # 71 ms

    books = (rules.scenarios for rules in _find_rules(ctx))
    return _matches(incomplete, (of_numbers(book.data(name)) for book in books for name in book.names))


@contextmanager
def rejoin_bash_words() -> Iterator[None]:
    """In this block, a word that bash has split at `=`, as in `--option NAME=VALUE`, is one word again.

    Bash inserts the completion after the `=`, so only that part is printed.
    """
    words = os.environ.get("COMP_WORDS", "").split("\n")
    at = int(os.environ.get("COMP_CWORD") or 0)
    sign = at if words[at : at + 1] == ["="] else at - 1
    if sign < 1 or words[sign : sign + 1] != ["="]:
        yield
        return
    joined = "".join(words[sign - 1 : at + 1])
    os.environ["COMP_WORDS"] = "\n".join([*words[: sign - 1], joined])
    os.environ["COMP_CWORD"] = str(sign - 1)
    told = StringIO()
    try:
        with redirect_stdout(told):
            yield
    finally:
        sys.stdout.writelines(f"{line.partition('=')[2]}\n" for line in told.getvalue().splitlines())


def options(ctx: Any, incomplete: str) -> Completions:
    """`NAME=VALUE` for every value of an option in any edition of the game."""
    found = {
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for rules in _find_rules(ctx)
        for edition in rules.editions.values()
        for name, value in edition.items()
    }
    return _matches(incomplete, [sorted(found)])


def _matches(incomplete: str, words: Iterable[Iterable[str]]) -> list[str]:
    """The words that begin with what is typed."""
    return [word for group in words for word in group if word.startswith(incomplete)]


def _complete_last_word(incomplete: str, words: Iterable[str], between: str = " ") -> list[str]:
    """The typed words with the last one completed."""
    before, sign, last = incomplete.rpartition(between)
    return [f"{before}{sign}{word}" for word in _matches(last, [words])]


def _units_and_hexes(game: str) -> list[str]:
    return [name for row in _find_listed_games(game) for name in (*row.units, *row.hexes)]


def _typed_game(ctx: Any) -> str:
    """The word that names the game, if it is typed."""
    return _first_argument(ctx, "file")


def _first_argument(ctx: Any, name: str) -> str:
    """The first argument, by its name. It can still be in `args` while an option is completed."""
    return str(ctx.params.get(name) or next(iter(ctx.args), ""))


def _listed_games() -> list[ListedGame]:
    from pbem.base.home import home  # 52 ms
    from pbem.player.game_list import list_games
    from pbem.player.local_player import LocalPlayer

    with suppress(PbemError, OSError):
        return [row for row in list_games(LocalPlayer(home())) if not row.problem]
    return []


def _find_listed_games(word: str) -> list[ListedGame]:
    """The game a word names, or the default game without a word; empty if that is uncertain."""
    from pbem.base.home import home  # 50 ms
    from pbem.player.game_list import list_game
    from pbem.player.local_player import LocalPlayer
    from pbem.player.locate import default_game, is_beginning_of_id
    from pbem.umpire.verify import parse_log

    with suppress(PbemError, OSError):
        player = LocalPlayer(home())
        if not word:
            return [default_game(player)]
        path = Path(os.path.abspath(word))
        noted = (game for game in player.store.ids() if player.store.file_of(game) == path)
        game = (
            word
            if is_beginning_of_id(player, word)
            else next(noted, "") or parse_log(player.read(path))[0].id
        )
        return [list_game(player, player.store.find(game))]
    return []


def _find_rules(ctx: Any) -> list[Rules]:
    """The rules of the named game, if it is installed; those of all games if none is named yet."""
    from pbem import games as installed  # under 1 ms

    game = str(ctx.params.get("version") or _first_argument(ctx, "game").lower())
    found = []
    for name in [game] if game else installed.names():
        with suppress(PbemError):
            found.append(installed.load(name))
    return found
