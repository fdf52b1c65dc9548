"""Shell completion of arguments and option values: games, seats, options, units, hexes and so on.

Each function takes the context of the command that is being typed, and the word so far. The facts of a game
come from the list of stored games (`player.status.game_list`), so that no game is opened. On any error
nothing is completed, and nothing is printed. All imports are inside functions, because a shell waits for the
answer.
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
    from pbem.player.status.game_list import ListedGame

Offered = list[str] | list[tuple[str, str]]
"""Words; or pairs of a word and its meaning, which some shells show."""

_FILES = (".yaml", ".yml", ".eml", ".mbox")


def games(_ctx: Any, incomplete: str) -> Offered:
    """Game files and mails in the folder that is being typed, and the stored games by their ids."""
    from pbem.render.words import safe
    from pbem.umpire.game_facts import BRIEF

    folder, beginning = os.path.split(incomplete)
    try:
        found = sorted(path for path in Path(folder).iterdir() if path.suffix in _FILES and path.is_file())
    except OSError:
        found = []
    stem = incomplete[: len(incomplete) - len(beginning)]
    files = [(_inserted(stem + path.name), "") for path in found if path.name.startswith(beginning)]
    ids = [(row.game[:BRIEF], safe(row.title)) for row in _listed()]
    return [*files, *(row for row in ids if row[0].startswith(incomplete))]


def _inserted(name: str) -> str:
    """A file's name for the shell to insert: bash inserts it as it is, other shells quote it themselves."""
    bare = os.environ.get("_PBEM_COMPLETE") == "complete_bash"
    return re.sub(r"([^\w@%+=:,./-])", r"\\\1", name) if bare else name


def game_or_order(ctx: Any, incomplete: str) -> Offered:
    """A game; or the first order in the game that is meant where none is named."""
    return _ends(incomplete, _on_map("")) if " " in incomplete else games(ctx, incomplete)


def orders(ctx: Any, incomplete: str) -> Offered:
    """An order, whose last word is a unit or a hex on the map."""
    return _ends(incomplete, _on_map(_game(ctx)))


def units(ctx: Any, incomplete: str) -> Offered:
    """Units on the map."""
    return _beginning(incomplete, (row.units for row in _one(_game(ctx))))


def hexes(ctx: Any, incomplete: str) -> Offered:
    """Hexes of the map."""
    return _beginning(incomplete, (row.hexes for row in _one(_game(ctx))))


def setups(ctx: Any, incomplete: str) -> Offered:
    """Ready-made set-ups; where none matches, the shell completes file names."""
    return _beginning(incomplete, (row.setups for row in _one(_game(ctx))))


def plans(ctx: Any, incomplete: str) -> Offered:
    """The words for a plan; for `add` the ready-made ones, and the units and hexes of a march."""
    from pbem.player.plans.ready_made import EVERYWHERE, VERBS, going_on

    typed = [word for word in (_first(ctx, "file"), *(ctx.params.get("words") or ())) if word]
    game = "" if not typed or typed[0] in VERBS else typed.pop(0)
    verb, *rest = typed or [""]
    match verb, rest:
        case "", _:
            return _beginning(incomplete, [VERBS])
        case "add", _:
            known = [(row.units, row.hexes, row.plans) for row in _one(game)] or [((), (), EVERYWHERE)]
            return _beginning(incomplete, (going_on(rest, *row) for row in known))
    return []


def proposals(_ctx: Any, incomplete: str) -> Offered:
    """The proposals that name no move."""
    from pbem.texts import Texts

    tr = Texts("pbem")
    return _beginning(incomplete, [(tr.own("draw"), tr.own("last"))])


def books(ctx: Any, incomplete: str) -> Offered:
    """The installed games, whose rules can be read, and the games in files and in the store."""
    found: list[Any] = [(name, "") for name in names(ctx, incomplete)]
    return found + list(games(ctx, incomplete))


def names(_ctx: Any, incomplete: str) -> Offered:
    """The installed games."""
    from pbem import games as installed

    return _beginning(incomplete, [installed.names()])


def versions(ctx: Any, incomplete: str) -> Offered:
    """The versions of the game that is named."""
    from pbem import games as installed

    return _beginning(incomplete, (installed.every(rules.name) for rules in _rules(ctx)))


def seats(ctx: Any, incomplete: str) -> Offered:
    """The sides of the game that is named."""
    return _beginning(incomplete, (rules.seats for rules in _rules(ctx)))


def levels(ctx: Any, incomplete: str) -> Offered:
    """The practice players of the game that is named; in a list with commas, the last one is completed."""
    return _ends(incomplete, (name for rules in _rules(ctx) for name in rules.players), ",")


def editions(ctx: Any, incomplete: str) -> Offered:
    """The editions of the game that is named; in a list with commas, the last one is completed."""
    return _ends(incomplete, (name for rules in _rules(ctx) for name in rules.editions), ",")


def numbers(ctx: Any, incomplete: str) -> Offered:
    """The numbers that may change in the scenarios of the game that is named."""
    from pbem.study.values import number_names as of_numbers

    books = (rules.scenarios for rules in _rules(ctx))
    return _beginning(incomplete, (of_numbers(book.data(name)) for book in books for name in book.names))


@contextmanager
def words_of_bash() -> Iterator[None]:
    """A block in which a word that bash has split at `=`, as in `--option NAME=VALUE`, is one word again.

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


def options(ctx: Any, incomplete: str) -> Offered:
    """`NAME=VALUE` for every value of an option in any edition of the game."""
    found = {
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for rules in _rules(ctx)
        for edition in rules.editions.values()
        for name, value in edition.items()
    }
    return _beginning(incomplete, [sorted(found)])


def _beginning(incomplete: str, words: Iterable[Iterable[str]]) -> list[str]:
    """The words that start with what is typed."""
    return [word for group in words for word in group if word.startswith(incomplete)]


def _ends(incomplete: str, words: Iterable[str], between: str = " ") -> list[str]:
    """The typed words with the last one completed."""
    before, sign, last = incomplete.rpartition(between)
    return [f"{before}{sign}{word}" for word in _beginning(last, [words])]


def _on_map(game: str) -> list[str]:
    return [name for row in _one(game) for name in (*row.units, *row.hexes)]


def _game(ctx: Any) -> str:
    """The word that names the game, if one is typed."""
    return _first(ctx, "file")


def _first(ctx: Any, name: str) -> str:
    """The first argument, whose name this is. It may still stand in `args` while an option is completed."""
    return str(ctx.params.get(name) or next(iter(ctx.args), ""))


def _listed() -> list[ListedGame]:
    from pbem.base.home import home
    from pbem.player.local_player import LocalPlayer
    from pbem.player.status.game_list import list_games

    with suppress(PbemError, OSError):
        return [row for row in list_games(LocalPlayer(home())) if not row.problem]
    return []


def _one(word: str) -> list[ListedGame]:
    """The game that a word names, or that is meant without one; an empty list if that is not certain."""
    from pbem.base.home import home
    from pbem.correspondence.locate_game import meant
    from pbem.correspondence.open_file import by_id
    from pbem.player.local_player import LocalPlayer
    from pbem.player.status.game_list import at_a_glance
    from pbem.umpire.verify import read_log

    with suppress(PbemError, OSError):
        mine = LocalPlayer(home())
        if not word:
            return [meant(mine)]
        path = Path(os.path.abspath(word))
        noted = (game for game in mine.shelf.ids() if mine.shelf.file_of(game) == path)
        game = word if by_id(mine, word) else next(noted, "") or read_log(mine.read(path))[0].id
        return [at_a_glance(mine, mine.shelf.find(game))]
    return []


def _rules(ctx: Any) -> list[Rules]:
    """The rules of the game that is named, if it is installed; of all games where none is typed yet."""
    from pbem import games as installed

    game = str(ctx.params.get("version") or _first(ctx, "game").lower())
    found = []
    for name in [game] if game else installed.names():
        with suppress(PbemError):
            found.append(installed.load(name))
    return found
