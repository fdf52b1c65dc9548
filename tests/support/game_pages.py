"""Pages of games, and how somebody could change one after it was written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.web.game_page import game_page

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))

Change: TypeAlias = Callable[[Any], object]
"""A change to the data in a page."""


@cache
def game_of(name: str) -> Game:
    """An example."""
    return open_game((EXAMPLES / f"{name}.yaml").read_bytes())


def entries_of(name: str) -> Any:
    """The log of an example, as its page has it too; making a page would take a second."""
    return yaml.load((EXAMPLES / f"{name}.yaml").read_bytes(), Loader=yaml.CSafeLoader)["log"]


@cache
def page_of(name: str) -> str:
    """The page of an example."""
    return game_page(game_of(name)).decode()


def data_in(html: str, name: str) -> Any:
    """The data in the script with that id."""
    found = re.search(rf'<script type="application/json" id="{name}">([^<]*)</script>', html)
    assert found is not None
    return json.loads(found[1])


def alter_data(html: str, name: str, change: Change) -> str:
    """The page with its data changed in place by `change`."""
    value = data_in(html, name)
    change(value)
    return replace_text(html, name, json.dumps(value).replace("<", "\\u003c"))


def replace_text(html: str, name: str, text: str) -> str:
    """The page with another text in the script with that id."""
    pattern = rf'(<script type="application/json" id="{name}">)[^<]*(</script>)'
    return re.sub(pattern, lambda found: found[1] + text + found[2], html)
