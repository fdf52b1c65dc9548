"""The game so far, as the board asks for it: in parts, of which it makes the same as of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from pbem.core.traces import Lost
from pbem.render.svg_style import escape
from pbem.umpire.verify import open_game
from pbem.web.board_state import StoryRequest, story_data
from pbem.web.scene import FaceList
from support.game_pages import EXAMPLES, game_of
from web.test_order_options import board_session_at

NAME = "mortain-it-exits"


def filled(frames: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """All that each frame shows, as `map-check.js` fills it."""
    shown: list[dict[str, Any]] = [{}]
    for frame in frames:
        before = shown[-1]
        parts = {
            name: {**before.get(name, {}), **frame.get(name, {})} for name in ("cells", "marks", "ground")
        }
        shown.append({**before, **frame, **{name: _there(part) for name, part in parts.items()}})
    return [{name: one for name, one in each.items() if name not in ("done", "drawn")} for each in shown[1:]]


def _there(part: dict[int, Any]) -> dict[int, Any]:
    return {index: one for index, one in part.items() if one != []}


def test_parts_are_as_the_whole() -> None:
    """What has happened comes at once, what came before it on asking, what is new after it."""
    game = game_of(NAME)
    cast, last = FaceList(), len(game.entries)
    frames = story_data(game, 0, cast, StoryRequest(whole=True))["frames"]
    whole = filled(frames)
    begun = story_data(game, 60, cast, StoryRequest())
    assert (begun["at"], begun["told"], begun["first"]) == (0, 0, 59)
    assert filled(begun["frames"])[59:] == whole[59:]
    assert not any("cells" in frame for frame in begun["frames"][:59])
    assert [one.get("drawn") for one in begun["frames"]] == [one.get("drawn") for one in frames]
    more = story_data(game, 70, cast, StoryRequest(first=66, known=game.ids[65]))
    assert (more["at"], more["told"], more["first"], len(more["frames"])) == (66, 66, 66, last - 66)
    assert filled([*begun["frames"][:66], *more["frames"]])[59:] == whole[59:]
    assert more["story"].startswith('<li id="entry-66"')
    back = story_data(game, 60, cast, StoryRequest(first=last, known=game.ids[-1], whole=True))
    assert (back["at"], back["told"], back["story"]) == (0, last, "")
    assert filled(back["frames"]) == whole
    none = story_data(game, last, cast, StoryRequest(first=last, known=game.ids[-1]))
    assert (none["frames"], none["story"]) == ([], "")


def test_another_history_comes_whole() -> None:
    """A page whose last entry was undone, or that says so."""
    game = game_of(NAME)
    other = open_game((EXAMPLES / "mortain-it-draw.yaml").read_bytes())
    for first, known in ((66, other.ids[10]), (10**9, game.ids[-1]), (-1, game.ids[-2]), (66, "")):
        answer = story_data(game, 70, FaceList(), StoryRequest(first=first, known=known))
        assert (answer["at"], answer["told"], len(answer["frames"])) == (0, 0, len(game.entries))


@pytest.mark.thorough
def test_the_player_sees_what_his_own_half_has_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The opponent's combats wait for it; no entry has it yet, and once one has it comes with that."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    sitting = board_session_at(tmp_path, "ground_move")
    game, since = sitting.state.game, sitting.state.table.run.told
    assert since
    answer = sitting.story(StoryRequest())
    story, last = answer["story"], answer["story"].rindex("<li")
    assert story[last:].startswith(f'<li value="{len(game.entries)}">')
    assert all(escape(game.rules.view.story(tell)) in story[last:] for tell in since)
    assert game.rules.view.traces
    lost = [trace for tell in since for trace in game.rules.view.traces(tell) if isinstance(trace, Lost)]
    kinds = [kind for kind, *_ in answer["unlocked"]]
    assert "shot" in kinds, "the dice lie where they were thrown"
    assert kinds.count("loss") == len(lost)
    again = sitting.story(StoryRequest(first=len(game.entries), known=game.ids[-1]))
    assert (again["unlocked"], again["story"]) == (answer["unlocked"], story[last:])
