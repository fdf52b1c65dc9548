"""What no file can decide: the director's decisions, and games adjudicated because a player is silent.

Nobody can be made to write, so a player could leave a game they are losing open for ever. The season file
says after how long a silence the game goes to the waiting player. The silence runs from the time in the last
entry, which is a claim, to the beginning of the day the director names. No computer's clock is used, so
everybody gets the same result. A decision of the director overrides both the game and the silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec.structs import replace

from pbem.club.collect import Problem
from pbem.club.results import DIRECTOR, DRAWN, GOES_ON, SILENCE, VOID, ClubGame
from pbem.club.season import Decision, ScheduledGame, Season
from pbem.umpire.game_facts import SHORT_ID_DIGITS


def apply_decisions(
    season: Season, games: Sequence[ClubGame], file: str
) -> tuple[list[ClubGame], list[Problem]]:
    """The games as decided by the director, and the decisions that match no game, or several.

    Of two decisions on the same game, the later one in the file applies.
    """
    decided: dict[str, ClubGame] = {}
    problems: list[Problem] = []
    for decision in season.decisions:
        fitting = [
            game
            for game in games
            if game.game.startswith(decision.game) and game.log.name == season.game and len(game.seats) == 2
        ]
        if len(fitting) != 1:
            problem = f"the director's decision on {decision.game[:16]!r} fits {len(fitting)} games"
            problems.append(Problem(file, problem))
        elif decision.result == GOES_ON and fitting[0].is_over:
            problem = f"the director says that game {_short(fitting[0])} goes on, but it is over"
            problems.append(Problem(file, problem))
        else:
            decided[fitting[0].head] = _decided_game(fitting[0], decision)
    return [decided.get(game.head, game) for game in games], problems


def _decided_game(game: ClubGame, decision: Decision) -> ClubGame:
    """The game as the director has decided it."""
    match decision.result:
        case result if result == GOES_ON:
            return replace(game, reason=decision.reason)
        case result if result == VOID:
            return replace(game, exclusion=VOID, reason=decision.reason)
        case result:
            winner = "" if result == DRAWN else result
            return replace(game, way=DIRECTOR, winner=winner, reason=decision.reason)


def adjudge_silence(
    season: Season, scheduled: Sequence[ScheduledGame], file: str
) -> tuple[list[ScheduledGame], list[Problem]]:
    """The pairings, with games adjudicated whose silence ended before the director's day.

    Also returns the games whose silence cannot be counted: no time is stated, or a later day is, or the
    newest entry states none, and can have arrived at any time since the one before. Games that the director
    keeps open are left alone.
    """
    longest, morning = season.longest_silence, season.morning
    if longest is None or morning is None:
        return list(scheduled), []
    adjudged: list[ScheduledGame] = []
    problems: list[Problem] = []
    for pairing in scheduled:
        game = pairing.game
        decided = game
        if game and not game.is_over and not game.reason:
            uncertain = ""
            since = datetime.fromisoformat(game.log.since) if game.log.since else None
            if since is None:
                uncertain = "has no clock"
            elif since.date() > morning.date():
                uncertain = f"is counted from {game.log.since[:10]}, a later day"
            elif morning - since >= longest:
                if game.log.clocked:
                    decided = _adjudged_game(game)
                else:
                    uncertain = "began with an entry that has no clock"
            if uncertain:
                problem = f"the silence in game {_short(game)} {uncertain}: the director may decide"
                problems.append(Problem(file, problem))
        adjudged.append(replace(pairing, game=decided))
    return adjudged, problems


def _adjudged_game(game: ClubGame) -> ClubGame:
    """The game, won by the waiting player."""
    winner = next(seat for seat in game.seats if seat != game.log.asked)
    return replace(game, way=SILENCE, winner=winner)


def _short(game: ClubGame) -> str:
    return game.game[:SHORT_ID_DIGITS]
