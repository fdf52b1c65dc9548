"""Begin a game: `key`, `new`, `join`."""

from __future__ import annotations

import getpass
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from pbem import games
from pbem.analysis.statistics import rounded_ratings
from pbem.base.interrupts import raise_on_interrupt
from pbem.cli.arguments import (
    CommanderOption,
    Edition,
    File,
    GameName,
    Json,
    Mail,
    Name,
    SayOption,
    ScenarioOption,
    complete_with,
    report_errors_at,
)
from pbem.cli.command_groups import commands
from pbem.cli.commanders import parse_commanders
from pbem.cli.rules import chosen_edition, put_chosen_edition
from pbem.cli.scenario import check_command
from pbem.cli.session import (
    file_to_write,
    local_player,
    note_peer_program,
    open_file,
    remember_players,
    require_computer_players,
)
from pbem.cli.terminal import confirm_or_exit, is_interactive, printable_size, put, put_json, put_lines, warn
from pbem.core.rules import Rules
from pbem.core.sentences import joined
from pbem.correspondence.open_file import OpenedGame
from pbem.errors import FileError, PbemError
from pbem.format.entries import Commander
from pbem.format.keys import PublicKey
from pbem.format.yaml_reader import parse_yaml
from pbem.lookalikes import plain_letters
from pbem.mail.settings import Config, read_config
from pbem.player.actions import action
from pbem.player.actions.action import sign_accept
from pbem.player.clock import claim
from pbem.player.local_player import (
    SENSIBLE,
    THINK_SECONDS,
    LocalPlayer,
    Opponent,
    practice_player,
    save_opponent,
)
from pbem.player.locate import game_file_here, is_beginning_of_id, offer_to_join
from pbem.player.practice import play_to_next_decision
from pbem.player.status import describe_unbound_offer
from pbem.render.safe_text import quote_lines, quote_name, quote_path, safe_text
from pbem.render.story import summary
from pbem.texts import Texts
from pbem.umpire.deadline import DEADLINE_KEY as DEADLINE
from pbem.umpire.deadline import Deadline
from pbem.umpire.game_facts import PRACTICE
from pbem.umpire.game_state import Game
from pbem.umpire.offered_scenario import agreed_data, own_scenario, scenario_faults
from pbem.umpire.write import Person, Terms

tr = Texts("pbem")
app = commands()


@app.command()
def key(
    passphrase: Annotated[
        bool,
        typer.Option(
            "--passphrase", help="Protect your key with a new passphrase; if you have no key, make one."
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Make your key, or show the one you have.

    Example: pbem key
    """
    player = local_player()
    made = not player.has_key
    if passphrase and not made:
        player.protect_key(_ask_new_passphrase(player))
    elif made:
        player.make_key(_ask_new_passphrase(None) if passphrase else "")
    public = player.key.public
    if as_json:
        put_json(
            {
                "key": str(public),
                "fingerprint": public.fingerprint,
                "file": str(player.key_path),
                "made": made,
            }
        )
        return
    put(
        tr("made a new key: {fingerprint}", fingerprint=public.fingerprint)
        if made
        else tr("your key: {fingerprint}", fingerprint=public.fingerprint)
    )
    put_lines([str(public)])  # not wrapped: it is to be copied in one line, even from a narrow terminal
    put(
        tr(
            "The private key is in {file}. Keep a copy, and never share it with anyone.",
            file=safe_text(str(player.key_path)),
        )
    )
    if passphrase:
        put(tr("The key now has the new passphrase. Older copies keep the old one."))


class _New(TyperCommand):
    """The command `new`, where the level after `--practice` can be left out.

    The level may be missing before another option, before the game or its file, and at the end.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if "--practice" in args and not ctx.resilient_parsing:  # completion needs the missing level
            after = args.index("--practice") + 1
            word = args[after] if after < len(args) else "-"
            if not word.isalpha() or word.lower() in games.names():
                args = [*args[:after], SENSIBLE, *args[after:]]
        return super().parse_args(ctx, args)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write how strong the computer players are, for games that state it."""
        rows = []
        for rules in map(games.load, games.names()):
            ratings = rounded_ratings(rules.matches)
            rated = [f"{level} {ratings[level]}" for level in rules.players if level in ratings]
            searching = ", ".join(rules.searching)
            if searching:
                rated.append(tr("{option} applies to: {players}", option="--think", players=searching))
            rows += [(rules.title, ", ".join(rated))] if rated else []
        if rows:
            with formatter.section(tr("Ratings (with 200 points more, a player wins about 3 games in 4)")):
                formatter.write_dl(rows)


@app.command(cls=_New)
def new(
    game: GameName,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="file", help="The file to write (default: GAME.yaml, or GAME-2.yaml if that exists)."
        ),
    ] = None,
    seat: Annotated[
        str, typer.Option("--seat", help="The side you play.", autocompletion=complete_with("seats"))
    ] = "",
    version: Annotated[
        str,
        typer.Option(
            "--rules",
            metavar="NAME/VERSION",
            help="An earlier version of the rules: mortain/1.",
            autocompletion=complete_with("versions"),
        ),
    ] = "",
    edition: Edition = "",
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            help="Another value for an option: NAME=VALUE.",
            autocompletion=complete_with("options"),
        ),
    ] = None,
    scenario: ScenarioOption = None,
    to: Annotated[str, typer.Option("--to", help="Let only this key join: 'ssh-ed25519 AAAA…'.")] = "",
    deadline: Annotated[
        str,
        typer.Option(
            "--deadline",
            metavar="7d",
            help="Time allowed for a move, such as 7d or 36h: a reminder only, with no penalty.",
        ),
    ] = "",
    commander: CommanderOption = None,
    shared: Annotated[
        bool, typer.Option("--shared", help="Allow your opponent to name commanders too.")
    ] = False,
    practice: Annotated[
        str,
        typer.Option(
            "--practice",
            metavar="[LEVEL]",
            help="Play against the computer now: easy, sensible (the default), strong or random.",
            autocompletion=complete_with("levels"),
        ),
    ] = "",
    think: Annotated[
        float,
        typer.Option(
            "--think", metavar="SECONDS", min=0.0, help="How long an opponent that looks ahead thinks."
        ),
    ] = THINK_SECONDS,
    name: Name = "",
    mail: Mail = "",
    say: SayOption = "",
) -> None:
    """Start a game: pbem writes the file you then mail to your opponent.

    Example: pbem new mortain --seat german --edition it
    """
    player = local_player()
    game = game.lower()
    if game not in games.names():
        raise typer.BadParameter(_describe_expected(game, ", ".join(games.names())), param_hint=tr("game"))
    rules = _load_rules(game, version)
    level = _parse_level(rules, practice)
    path = file or _unused_path(rules.name)
    if path.is_symlink() or path.exists():
        problem = tr("already exists; nothing was written")
        raise FileError(problem, where=str(path), hint=tr("choose another name"))
    agreed = chosen_edition(rules, edition)
    terms = _make_terms(
        rules, _parse_options(rules, agreed, option or []), *_read_scenario(player, rules, scenario)
    )
    side = _parse_seat(rules.with_sides_of(terms.data), seat)
    with report_errors_at("--to"):
        invited = str(PublicKey.parse(to)) if to else ""
    with report_errors_at("--deadline"):
        limit = {DEADLINE: Deadline.parse(deadline).text} if deadline else None
    own, others = _split_by_side(rules, side, commander or [], practice=bool(practice))
    person = person_from_options(player, name, mail, commanders_from_option(player, rules, own))
    offered = action.sign_offer(
        person,
        side,
        terms,
        to=invited,
        x=limit,
        shared=shared or bool(others),
        said=claim(say),
    )
    if practice:
        offered = _join_practice_opponent(player, offered, Opponent(level, think), others)
    player.save(offered, path, new=True)
    put(summary(offered, player.key))
    if not edition:
        put_chosen_edition(rules, agreed)
    if terms.own_data is None:
        _put_reconstruction(rules)
    if practice:
        name = quote_path(path)
        if think != THINK_SECONDS and level not in rules.searching:
            put(
                tr(
                    "The computer player {player} does not look ahead in {game}, so {option} has no effect.",
                    player=level,
                    game=rules.title,
                    option="--think",
                )
            )
        put(tr("The computer plays the other side. To play: {command}", command=f"pbem play {name}"))
        put(tr("Or at this terminal: {command}", command=f"pbem show {name}"))
    else:
        put(
            tr(
                "Mail {file} to your opponent, who should then type: {command}",
                file=safe_text(str(path)),
                command=f"pbem join {quote_path(path.name)}",
            )
        )


def _put_reconstruction(rules: Rules) -> None:
    """Print which values of the shipped scenario are not the authors' own, and how to type in others."""
    if said := rules.view.reconstruction():
        command = f"pbem scenario write my.yaml --game {rules.called}"
        put(said, indent=2)
        put(tr("To play with the printed values: {command}", command=command), indent=2)


def _load_rules(game: str, version: str) -> Rules:
    """The newest rules of a game, or the requested version."""
    if version and version not in games.all_versions(game):
        raise typer.BadParameter(
            _describe_expected(version, ", ".join(games.all_versions(game))), param_hint="--rules"
        )
    return games.load(version or game)


def _describe_expected(found: str, expected: str) -> str:
    """The message about a wrong value: what is expected, and what was found."""
    return tr("must be {expected}, not '{found}'", found=found, expected=expected)


def _unused_path(name: str) -> Path:
    """The first of `name.yaml`, `name-2.yaml`, ... that does not exist."""
    numbers = (f"-{number}" if number > 1 else "" for number in count(1))
    return next(path for number in numbers if not (path := Path(f"{name}{number}.yaml")).exists())


def _parse_level(rules: Rules, given: str) -> str:
    """The level of the computer player; empty if a person is to play."""
    if given and not rules.players:
        require_computer_players(rules)
    if given and given.lower() not in rules.players:
        raise typer.BadParameter(_describe_expected(given, ", ".join(rules.players)), param_hint="--practice")
    return given.lower()


def _join_practice_opponent(player: LocalPlayer, offered: Game, who: Opponent, given: list[str]) -> Game:
    """The game after the computer has joined it, with any commanders of its own, and has moved."""
    opponent = practice_player(player)
    if who != Opponent():
        save_opponent(opponent, offered.ids[0], who)
    person = Person(PRACTICE, opponent.key, commanders=commanders_from_option(opponent, offered.rules, given))
    joined = action.sign_accept(offered, person)
    return play_to_next_decision(joined, player, claim=claim())


def _key_or_new_one(player: LocalPlayer) -> Any:
    """The player's key, which is made for their first game."""
    return player.key if player.has_key else player.make_key()


def commanders_from_option(
    player: LocalPlayer, rules: Rules, given: list[str] | None
) -> tuple[Commander, ...]:
    """The commanders given with `--commander`."""
    if not given:
        return ()

    return parse_commanders(player, rules, given)


def _split_by_side(
    rules: Rules, side: str, given: list[str], *, practice: bool
) -> tuple[list[str], list[str]]:
    """Split `--commander` by side: the player's own, and those on the computer's side.

    Raises `typer.BadParameter` for a commander on the computer's side other than the computer.
    """
    foreign = {group for seat, groups in rules.sharing.groups.items() if seat != side for group in groups}
    others = [
        option
        for option in given
        if foreign >= {*option.partition("=")[0].lower().replace(" ", "").split(",")}
    ]
    for option in others if practice else ():
        if option.partition("=")[2].strip() != "practice":
            raise typer.BadParameter(
                tr(
                    "must be practice, not '{found}': the computer's own side has no other commanders",
                    found=option,
                ),
                param_hint="--commander",
            )
    return [option for option in given if not (practice and option in others)], others if practice else []


def person_from_options(
    player: LocalPlayer, name: str, mail: str, commanders: tuple[Commander, ...] = ()
) -> Person:
    """The player as the options say, else the settings, else the user name on this computer."""

    config = Config() if name and mail else read_config(player.home)
    name, mail = name or config.player_name, mail or (config.mail.address if config.mail else "")
    return Person(name or _own_name(), _key_or_new_one(player), mail, commanders)


def _own_name() -> str:
    """The user name on this computer. A container or a Windows service might have none."""
    try:
        return getpass.getuser()
    except (OSError, ImportError, KeyError):
        raise typer.BadParameter(
            tr("pbem does not know your name on this computer: please give one"), param_hint="--name"
        ) from None


def _parse_seat(rules: Rules, given: str) -> str:
    """The seat with this key, or with this name of its side in the scenario."""
    for seat in rules.seats if rules.named_sides else ():
        if plain_letters(given) == plain_letters(f"{rules.side(seat):name}"):
            return seat
    if given.lower() not in rules.seats:
        take_seat = str(joined(rules.seats, "or"))
        problem = (
            _describe_expected(given, take_seat) if given else tr("missing: {expected}", expected=take_seat)
        )
        raise typer.BadParameter(problem, param_hint="--seat")
    return given.lower()


def _parse_options(rules: Rules, edition: str, changes: list[str]) -> dict[str, Any]:
    """The options of an edition, changed by NAME=VALUE."""
    options = dict(rules.editions[edition])
    for change in changes:
        name, sign, value = change.partition("=")
        if not sign or name not in options:
            problem = tr(
                "'{found}' is not NAME=VALUE; NAME can be {names}",
                found=change,
                names=", ".join(options),
            )
            raise typer.BadParameter(problem, param_hint="--option")
        with report_errors_at("--option"):
            options[name] = parse_yaml(value.encode())
    return options


def _make_terms(rules: Rules, options: dict[str, Any], scenario: str, own_data: Any) -> Terms:
    """The terms of the offer. The scenario is already checked, so the rules can only refuse the options."""
    terms = Terms(rules, options, scenario, own_data)
    with report_errors_at("--option"):
        rules.begin(terms.options, terms.data)
    return terms


def _scenario_of_game(game: Game, rules: Rules, file: Path) -> Any:
    """The scenario of a game, for a new one. Raises `FileError` if the game has other rules."""
    if game.rules.name != rules.name:
        problem = tr("is a game of {title}, not {other}", title=game.rules.title, other=rules.title)
        raise FileError(problem, where=str(file))
    return agreed_data(game.offer, game.rules)


def _read_scenario(player: LocalPlayer, rules: Rules, own: Path | None) -> tuple[str, Any]:
    """The name of the scenario, and its data if it is not a shipped one but from a file or a game."""
    if own is None:
        return rules.scenarios.names[0], None
    if str(own) in rules.scenarios.names and not own.exists():
        return str(own), None
    is_game = not own.exists() and is_beginning_of_id(player, str(own))
    data = None if is_game else parse_yaml(player.read(own))
    if is_game or (isinstance(data, dict) and "log" in data):
        data = _scenario_of_game(open_file(player, own).game, rules, own)
    if found := scenario_faults(data, rules):
        hint = tr("to list everything: {command}", command=check_command(own, rules.called))
        raise FileError(found[0], where=str(own), hint=hint)
    assert isinstance(data, dict)
    name = str(data["name"])
    return name, None if name in rules.scenarios.names else data


def _ask_new_passphrase(player: LocalPlayer | None) -> str:
    """Ask twice for a new passphrase; if a key is already protected, ask for its old one first."""
    if not is_interactive():
        raise typer.BadParameter(
            tr("pbem asks for it at a terminal, and there is none here"), param_hint="--passphrase"
        )
    if player:
        _ = player.key  # asks for the old one, if there is one
    with raise_on_interrupt():
        passphrase: str = typer.prompt(
            tr("New passphrase"), hide_input=True, confirmation_prompt=tr("Repeat for confirmation"), err=True
        )
    return passphrase


@app.command()
def join(
    file: File = "",
    name: Name = "",
    mail: Mail = "",
    commander: CommanderOption = None,
    say: SayOption = "",
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask about your opponent's own scenario.")
    ] = False,
    solitaire: Annotated[
        bool, typer.Option("--solitaire", help="Join your own offer, and play both sides yourself.")
    ] = False,
) -> None:
    """Join a game you were offered.

    Example: pbem join mortain.yaml --name Bruno
    """
    player = local_player()
    wanted = file or ("" if solitaire else offer_to_join(player))
    if not (wanted or solitaire):
        hint = tr("name the file you received by mail: {command}", command="pbem join FILE")
        if nearby := game_file_here():
            command = f"pbem join {quote_path(nearby)}"
            hint = tr("if the offer is in the file in this folder: {command}", command=command)
        raise FileError(tr("no offer is waiting for you here"), hint=hint)
    opened = open_file(player, wanted)
    if player.store.look_up(opened.game.ids[0]):
        player.record(opened.game, opened.data)
    offered, place = opened.game, file_to_write(player, opened)
    if not (solitaire or _is_from_another(player, opened)):
        confirm_or_exit(tr("You made this offer yourself. Play both sides?"))
    _put_offer_message(offered)
    if unfair := describe_unbound_offer(player, offered):
        warn(unfair)
    if not yes:
        _confirm_scenario(offered, opened.typed)
    person = person_from_options(player, name, mail, commanders_from_option(player, offered.rules, commander))
    joined = sign_accept(offered, person, claim(say))
    player.record(offered, opened.data, new=True)
    note_peer_program(player, opened)
    remember_players(player, joined)
    player.save(joined, place)
    put(summary(joined, player.key))
    put(tr("Now type: {command}", command=f"pbem show {quote_path(place)}"))
    if solitaire:
        back = f"pbem undo {quote_path(place)}"
        put(tr("To leave again, as long as nobody has seen that you joined: {command}", command=back))


def _put_offer_message(offered: Game) -> None:
    """Print the message in the offer, if it has one."""
    if offered.offer.say:
        (name,) = (seat.name for seat in list(offered.seats.values())[:1])
        put(tr("{name} writes:", name=quote_name(name)))
        put("\n".join(quote_lines(offered.offer.say, printable_size()[0])))


def _is_from_another(player: LocalPlayer, opened: OpenedGame) -> bool:
    """Whether the offer is somebody else's. Raises `PbemError` if it is not and there is no terminal."""
    game = opened.game
    if len(game.entries) > 1 or next(iter(game.seats.values())).key != str(player.public_key):
        return True
    if not is_interactive():
        name = quote_path(opened.typed)
        raise PbemError(
            tr("this is your own offer: your opponent has to join it"),
            hint=tr("to play both sides yourself: {command}", command=f"pbem join {name} --solitaire"),
        )
    return False


def _confirm_scenario(game: Game, file: str) -> None:
    """Ask whether to play a scenario of the offerer's own (FORMAT 4), if the game has one."""
    own = own_scenario(game)
    if own is None:
        return
    if not is_interactive():
        hint = tr(
            "for the full list: {compare}. To play it: {join}",
            compare=f"pbem scenario compare {quote_path(file)}",
            join=f"pbem join {quote_path(file)} --yes",
        )
        raise PbemError(tr("the scenario is {scenario}", scenario=own.text), hint=hint)
    put(tr("The scenario is {scenario}", scenario=own.text), indent=2)
    confirm_or_exit(tr("Play it?"))
