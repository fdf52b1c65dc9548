"""Why exits decide so few games of Stand at Mortain: several German plans, several US players.

    cd tests && python -m benchmarks.mortain_exits [GAMES] [SEED]

Plays GAMES games per row (default: 100), in all editions in turn. Each row shows how often the Germans won at
all and how often by exits, and how many units left the map and were eliminated, on average. The last rows
change one thing each: an option, or values of the counters, which are reconstructions.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from msgspec.structs import replace

from pbem import games
from pbem.analysis.self_play import RunDriver, SeatedPlayer, seeded_random
from pbem.analysis.statistics import wilson_interval
from pbem.core.requests import Orders, Question
from pbem.core.rules import Chooser, Effort, Player
from pbem.core.run import Position, Run
from pbem.games.mortain.players.basic import KEEN, keen_player, rank_lists, sensible_player
from pbem.games.mortain.players.outlook import Aims, Outlook
from pbem.games.mortain.rules.state import ELIMINATED, State
from pbem.games.mortain.terms.setting import GERMAN, US

RULES = games.load("mortain")
HILL_AND_ROAD = {"120Inf": "1501", "823TD": "1403", "SPTD": "1403", "117Inf": "1402", "119Inf": "1404"}
"""A US set-up on Hill 314, in Mortain, and on the road to either side of it."""


def player(aims: Aims, places: Mapping[str, str] | None = None) -> Player:
    """The player with these aims, and with its own set-up."""

    def answer(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
        if ask.question == "activate":
            return rank_lists(Outlook(ask.state, ask.seat, aims))[0]
        if ask.question == "place" and places:
            return [{"place": dict(places)}]
        return sensible_player(ask, chooser)

    return answer


def keen(ask: Question, chooser: Chooser, effort: Effort = ()) -> Orders:
    """The keen player, who does not search."""
    return keen_player(ask, chooser)


RUNS = Aims(work=99.0, hurry=12.0, exit=60.0, enter=50.0, caution=0.0, exposure=0.0)
"""The aims of a German player who only walks west."""
GERMANS: Mapping[str, Player] = {
    "sensible": sensible_player,
    "keen": keen,
    "runs": player(RUNS),
    "runs, shy of fire": player(replace(RUNS, exposure=4.0)),
    "runs and shoots": player(replace(KEEN[GERMAN], work=99, hurry=4, exit=60, enter=50)),
    "fights, then runs": player(replace(KEEN[GERMAN], work=4, hurry=4, exit=40, enter=20)),
}
AMERICANS: Mapping[str, Player] = {
    "sensible": sensible_player,
    "keen": keen,
    "holds": player(Aims(step=0.0), HILL_AND_ROAD),
}
ROWS = [(german, us) for us in AMERICANS for german in GERMANS]


def weaker(data: Any, side: str) -> Any:
    """The scenario with every factor of a side above 1 lowered by one."""
    changed = deepcopy(data)
    for unit in changed["units"].values():
        if unit["side"] == side:
            for face in ("full", "reduced"):
                unit[face] = [max(each - 1, min(each, 1)) for each in unit[face]]
    return changed


def play(german: Player, us: Player, options: Mapping[str, int], scenario: Any, seed: str) -> State:
    """The state at the end of a game."""
    editions = list(RULES.editions.values())
    begun = RULES.begin({**editions[int(seed.split()[-1]) % len(editions)], **options}, scenario)
    seated = {
        seat: SeatedPlayer(seat, each, seeded_random(seed, seat))
        for seat, each in ((GERMAN, german), (US, us))
    }
    driver, run = RunDriver(seated, seeded_random(seed)), Run(RULES, Position(begun))
    while run.pending is not None:
        driver.answer_pending(run)
    state: State = run.state
    return state


def report(title: str, ends: list[State]) -> None:
    """Print a row."""
    number = len(ends)
    parts = []
    won = [state for state in ends if state.outcome is not None and state.outcome.winner == GERMAN]
    exits = [state for state in won if state.exits >= state.setting.options.exits_to_win]
    for what, found in (("German", won), ("by exits", exits)):
        low, high = wilson_interval(len(found), number)
        parts.append(f"{what} {100 * len(found) / number:.0f} ({100 * low:.0f} to {100 * high:.0f})")
    lost = [sum(state.at(name) == ELIMINATED for name in state.army(GERMAN)) for state in ends]
    parts.append(f"left {sum(state.exits for state in ends) / number:.1f}, lost {sum(lost) / number:.1f}")
    sys.stdout.write(f"{title}: {', '.join(parts)}\n")
    sys.stdout.flush()


def main(number: str = "100", seed: str = "1") -> None:
    """Play and print all rows."""
    data = RULES.scenarios.data(RULES.scenarios.names[0])
    seeds = [f"{seed} {game}" for game in range(int(number))]
    for german, us in ROWS:
        ends = [play(GERMANS[german], AMERICANS[us], {}, data, each) for each in seeds]
        report(f"{german} against {us}", ends)
    changes: list[tuple[str, dict[str, int], Any]] = [
        ("4 exits", {"exits_to_win": 4}, data),
        ("3 exits", {"exits_to_win": 3}, data),
        ("US factors less 1", {}, weaker(data, US)),
    ]
    for title, options, scenario in changes:
        for german in ("keen", "runs", "runs and shoots", "fights, then runs"):
            ends = [play(GERMANS[german], keen, options, scenario, each) for each in seeds]
            report(f"{title}: {german} against keen", ends)


if __name__ == "__main__":
    main(*sys.argv[1:])
