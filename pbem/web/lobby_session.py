"""A player's lobby: looking at a game, the list of games, beginning and joining one, for the page.

A page can open files from anywhere, so they are judged in the worker process (decision 35). Opened games are
kept only in memory: looking needs neither a key nor a name, and nothing is stored until the player joins or
continues the game.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from pathlib import Path
from typing import Any, Literal

from msgspec import to_builtins

from pbem import games
from pbem.analysis.statistics import rounded_ratings
from pbem.base.language import parse_language
from pbem.core import rulebook
from pbem.core.requests import Plain
from pbem.core.rules import Rules
from pbem.core.scenario_form import ScenarioForm
from pbem.correspondence.contacts import Contacts, PeerCapabilities
from pbem.correspondence.examiner import Examiner
from pbem.correspondence.open_file import OpenedGame, open_file
from pbem.correspondence.question_record import QuestionRecord
from pbem.correspondence.verdict import Verdict, write_newest_state
from pbem.errors import FileError, PbemError, StorageError, UnknownGame, VerificationError
from pbem.format.keys import PublicKey
from pbem.format.yaml_reader import parse_yaml
from pbem.mail.settings import programs_run_by, read_config, rename_config, write_personal_settings
from pbem.player import backup
from pbem.player.actions.action import sign_accept, sign_offer
from pbem.player.actions.preconditions import is_commander
from pbem.player.clock import claim, now
from pbem.player.game_list import (
    ListedGame,
    describe_players,
    is_news,
    is_yours,
    list_games,
    list_offers,
    needs_you,
)
from pbem.player.local_player import (
    THINK_SECONDS,
    LocalPlayer,
    Opponent,
    practice_player,
    save_opponent,
)
from pbem.player.own_scenarios import OwnScenarios
from pbem.player.practice import play_to_next_decision
from pbem.player.status import (
    describe_clock,
    describe_question,
    describe_unbound_offer,
    should_show_time,
)
from pbem.player.store.game_file import game_file_bytes
from pbem.player.store.game_store import describe_unconfirmed
from pbem.render.safe_text import quote_name, safe_text
from pbem.render.story import describe_edition, describe_next_duty, quote_player
from pbem.render.svg import svg_picture
from pbem.texts import Texts, spoken
from pbem.umpire.deadline import DEADLINE_KEY, Deadline
from pbem.umpire.game_facts import PRACTICE, SHOWN_ID_DIGITS, count_entries, file_name
from pbem.umpire.game_state import Game
from pbem.umpire.offered_scenario import own_scenario, scenario_faults
from pbem.umpire.verify import steps
from pbem.umpire.write import Person, Terms
from pbem.web.departure import Departure, MailRequest, describe_departure, mail_entries
from pbem.web.lobby_data import (
    BackupMade,
    BeginRequest,
    Entered,
    GameRequest,
    GameRow,
    JoinRequest,
    LobbyState,
    OpenedData,
    OpenRequest,
    PassphraseRequest,
    Rematch,
    RestoreRequest,
    SavedScenario,
    SaveScenarioRequest,
    ScenarioFormData,
    ScenarioRequest,
    SendRequest,
    SettingsRequest,
    TakeRequest,
    Unconfirmed,
)
from pbem.web.page_data import Check, FileToSave, NoRequest, Told, failed_checks

tr = Texts("pbem")

MAX_OPENED = 20
"""How many opened games are kept in memory; the oldest is dropped first."""


class LobbySession:
    """The lobby of one player, whose game files go to `folder`. Not thread-safe."""

    def __init__(self, player: LocalPlayer, folder: Path) -> None:
        self.player = player
        self.folder = folder
        self.language = ""  # chosen by the player while pbem runs
        self._opened: dict[str, OpenedGame] = {}

    def state(self, _request: NoRequest | None = None) -> LobbyState:
        """The player, their games and offers. Raises `PbemError` if the home cannot be read."""
        player, config = self.player, read_config(self.player.home)
        rows = sorted(
            list_games(player), key=lambda row: (not needs_you(player, row), not is_news(player, row))
        )
        public = player.public_key
        return LobbyState(
            name=config.player_name,
            lang=config.lang,
            get_it=config.get_it,
            has_key=player.has_key,
            locked=player.has_key and player.key_without_passphrase is None,
            protected=player.is_key_protected,
            fingerprint=public.fingerprint if public else "",
            folder=safe_text(str(self.folder.resolve())),
            mail=config.mail.address if config.mail else "",
            games=[self._row(row) for row in rows],
            offers=[self._row(row) for row in list_offers(player)],
        )

    def state_data(self) -> dict[str, Any]:
        """The state as JSON data, for a page that has nothing yet."""
        data: dict[str, Any] = to_builtins(self.state())
        return data

    # Looking at a game

    def open(self, request: OpenRequest) -> OpenedData:
        """Judge what the player has opened, and describe it. Raises `PbemError` if it contains no game."""
        data = _from_base64(request.data)
        name = safe_text(Path(request.name).name or tr("the text"))
        try:
            with Examiner(self.player.home) as examiner:
                verdict = examiner.find_one_game(None, data, "")
        except VerificationError as error:
            return _failed_checks(name, error)
        if verdict is None or verdict.game is None:
            raise FileError(tr("there is no game in {file}", file=name))
        return self._describe_opened(self._keep_opened(verdict.game, verdict.data, verdict))

    def show(self, request: GameRequest) -> OpenedData:
        """A stored game, such as an offer, as if it had been opened. Raises `PbemError`."""
        return self._describe_opened(self.find(request.game))

    def find(self, game: str) -> OpenedGame:
        """A game by its id, as opened, or as stored if that is newer. Raises `PbemError`."""
        opened = self._opened.get(game)
        if opened and not self.player.relation(opened.game, opened.data).is_behind:
            return opened
        return self._find_stored(game)

    def _find_stored(self, game: str) -> OpenedGame:
        stored = self.player.look_up(game)
        if stored is None:
            raise StorageError(tr("there is no such game here"))
        held = self.player.open(stored.data)
        return OpenedGame(held, stored.data, self.player.game_path(held, self.folder), game)

    def has(self, game: str) -> bool:
        """Whether a game with this full id is opened or stored."""
        is_id = len(game) == 64 and set(game) <= set("0123456789abcdef")
        return is_id and (game in self._opened or self.player.look_up(game) is not None)

    def _keep_opened(self, game: Game, data: bytes, verdict: Verdict) -> OpenedGame:
        while len(self._opened) >= MAX_OPENED:
            del self._opened[next(iter(self._opened))]
        path = self.player.game_path(game, self.folder)
        opened = OpenedGame(game, data, path, path.name, verdict=verdict)
        self._opened[game.ids[0]] = opened
        return opened

    def _describe_opened(self, opened: OpenedGame) -> OpenedData:
        game, player = opened.game, self.player
        _, remark = player.standing(game, opened.data)
        own = own_scenario(game)
        first = game.replayed_entries[-1].entry.body
        facts = [
            describe_edition(game),
            *(
                f"{game.rules.side(seat):name}: {quote_player(taken.name)}"
                for seat, taken in game.seats.items()
            ),
            tr(
                "game {id}, {entries}",
                id=game.ids[0][:SHOWN_ID_DIGITS],
                entries=count_entries(len(game.entries)),
            ),
        ]
        notes = [str(note) for note in (remark, describe_unbound_offer(player, game)) if note]
        role = self._role(game)
        if role == "join" and player.seats(game):
            notes.append(tr("You made this offer yourself: your opponent has to join it."))
            role = "play"
        return OpenedData(
            game=game.ids[0],
            title=game.rules.title,
            lines=[safe_text(line) for line in facts],
            says=[safe_text(line) for line in (first.say or "").splitlines()],
            state=safe_text(describe_next_duty(game.state)),
            checks=[Check(str(step), True) for step in steps()],
            failure=[],
            notes=[safe_text(note) for note in notes],
            scenario=safe_text(str(own.text)) if own else "",
            role=role,
            page=f"{game.ids[0]}/page",
            picture=_draw(game) if role == "join" else "",
        )

    def _role(self, game: Game) -> Literal["join", "play", "look"]:
        if self.player.seats(game) or is_commander(self.player, game):
            return "play"
        return "join" if len(game.seats) < len(game.rules.seats) else "look"

    # Playing

    def board_game(self, game: str) -> tuple[Game, Path]:
        """A stored game of the player's at their next decision, and the file they write to.

        The computer has answered if it is the opponent. Raises `PbemError` if the player cannot continue the
        game.
        """
        opened = self._open_stored(game)
        if self._role(opened.game) != "play":
            raise StorageError(tr("you do not play either side in this game, but you can look at it"))
        self.player.store.unconfirmed.check(game)
        self.player.check_path_is_free(opened.game, opened.file)
        caught_up = play_to_next_decision(opened.game, self.player, claim=claim())
        if caught_up is not opened.game:
            self.player.save(caught_up, opened.file)
        return caught_up, opened.file

    def _open_stored(self, game: str) -> OpenedGame:
        """The newest state of a stored game: from the player's own file, if that is newer."""
        stored = self.player.store.find(game)
        place = self.player.store.file_of(game)
        if place and place.is_file() and self.player.read(place) != stored.data:
            try:
                opened = open_file(self.player, place)
                if opened.game.ids[0] == game:
                    self.player.record(opened.game, opened.data)
            except PbemError:
                pass  # the stored game is the one to continue
        return self._find_stored(game)

    def take(self, request: TakeRequest) -> Entered | Unconfirmed:
        """Store an opened game of the player's, or confirm a stored one. Raises `PbemError`."""
        opened = self.find(request.game)
        game = opened.game
        commands = is_commander(self.player, game)
        try:
            self.player.record(game, opened.data, new=request.newest or commands)
            if not (request.newest or commands):
                self.player.store.unconfirmed.check(request.game)
        except UnknownGame as unknown:
            return Unconfirmed([safe_text(str(unknown)), safe_text(unknown.hint)])
        self.player.store.unconfirmed.confirm(request.game)
        return self._enter(opened)

    def join(self, request: JoinRequest) -> Entered:
        """Join an opened or offered game, and write its file. Raises `PbemError`."""
        opened = self.find(request.game)
        offered = opened.game
        if self.player.seats(offered):
            raise PbemError(tr("this is your own offer: your opponent has to join it"))
        if own_scenario(offered) and not request.scenario:
            raise PbemError(tr("first look at the custom scenario in the offer, and agree to it"))
        self.player.check_path_is_free(offered, opened.file)
        joined = sign_accept(offered, self._person(request.name), claim(request.say))
        self.player.record(offered, opened.data, new=True)
        self.player.save(joined, opened.file)
        return self._enter(OpenedGame(joined, b"", opened.file, opened.typed, verdict=opened.verdict))

    def _enter(self, opened: OpenedGame) -> Entered:
        """Note what an opened game shows about its players. Returns where it continues."""
        game = opened.game
        if opened.verdict:
            PeerCapabilities(self.player.home).save_observed(opened.verdict)
            Contacts(self.player).save_reader_language(opened.verdict)
        strangers = list(self.player.note_players(game))
        write_newest_state(self.player, game, self.folder)
        self._opened.pop(game.ids[0], None)
        notes = [
            tr("{name} had a different key before: is this the same person?", name=quote_name(name))
            for name in strangers
        ]
        return Entered(f"{game.ids[0]}/", notes)

    def begin(self, request: BeginRequest) -> Entered:
        """Begin a game, as an offer or against the computer, and write its file. Raises `PbemError`."""
        if request.game not in games.names():
            raise PbemError(tr("there is no such game here"))
        rules = games.load(request.game)
        if request.seat not in rules.seats or (request.level and request.level not in rules.players):
            raise PbemError(tr("there is no such side or opponent in this game"))
        invited = str(PublicKey.parse(request.to)) if request.to else ""
        limit = {DEADLINE_KEY: Deadline.parse(request.deadline).text} if request.deadline else None
        edition = request.edition or rules.edition(spoken())
        terms = _terms(
            rules, edition, request.options, *self._scenario(rules, request.scenario, request.rematch)
        )
        offered = sign_offer(
            self._person(request.name, request.mail),
            request.seat,
            terms,
            to=invited,
            x=limit,
            said=claim(request.say),
        )
        if request.level:
            opponent = practice_player(self.player)
            save_opponent(opponent, offered.ids[0], Opponent(request.level, THINK_SECONDS))
            joined = sign_accept(offered, Person(PRACTICE, opponent.key))
            offered = play_to_next_decision(joined, self.player, claim=claim())
        self.player.save(offered, self.folder / file_name(offered), new=True)
        return Entered(f"{offered.ids[0]}/", [])

    def _scenario(self, rules: Rules, name: str, rematch: str) -> tuple[str, Plain]:
        """The name of a scenario (by default the first), and its data if it is not a shipped one.

        That data is in the game with the id `rematch`, or is the player's own. Raises `PbemError`.
        """
        if not name or name in rules.scenarios.names:
            return name or rules.scenarios.names[0], None
        if rematch:
            data = self.find(rematch).game.offer.scenario.data
            for fault in scenario_faults(data, rules):
                raise FileError(fault, where=name)
            return name, data
        own = OwnScenarios(self.player.home, rules)
        return name, own.data(name) if name in own.names else None

    def scenario_form(self, request: ScenarioRequest) -> ScenarioFormData:
        """The form of a scenario, filled with this one. Raises `PbemError`."""
        rules, form = _rules_with_form(request.game)
        name, own = self._scenario(rules, request.scenario, request.rematch)
        values = form.fill(rules.scenarios.data(name) if own is None else own)
        return ScenarioFormData(form.fields(), dict(values))

    def save_scenario(self, request: SaveScenarioRequest) -> SavedScenario:
        """Save the scenario described by a form, or report its faults. Raises `PbemError`."""
        rules, form = _rules_with_form(request.game)
        data, unread = form.read(request.values)
        wrong = [(field, safe_text(str(words))) for field, words in unread]
        for fault in () if wrong else scenario_faults(data, rules):
            path, _, words = str(fault).partition(": ")
            wrong.append((form.field_of(path, request.values), safe_text(words or path)))
        if wrong:
            return SavedScenario(wrong)
        own = OwnScenarios(self.player.home, rules)
        own.save(data)
        return SavedScenario([], data["name"], _named_scenarios(rules, own))

    def _person(self, name: str, mail: str = "") -> Person:
        """The player under a name, with a key, which is made for their first game. Raises `PbemError`."""
        config = read_config(self.player.home)
        if not (name := name.strip() or config.player_name):
            raise PbemError(tr("your name is missing: your opponent sees it beside your side"))
        address = mail.strip() or (config.mail.address if config.mail else "")
        key = self.player.key if self.player.has_key else self.player.make_key()
        if name != config.player_name:
            write_personal_settings(self.player.home, name=name, lang=config.lang, get_it=config.get_it)
        return Person(name, key, address)

    # Sending

    def departure(self, request: GameRequest) -> Departure:
        """What is needed to send the newest entries of a game. Raises `PbemError`."""
        opened = self.find(request.game)
        return describe_departure(self.player, opened.game, opened.file)

    def send(self, request: SendRequest) -> dict[str, Any]:
        """Mail the newest entries of a game. Raises `PbemError`."""
        opened = self.find(request.game)
        wish = MailRequest("", request.how, request.to)
        return mail_entries(self.player, opened.game, opened.file, wish)

    def file(self, request: GameRequest) -> FileToSave:
        """The file of a game in its newest state. Raises `PbemError`."""
        opened = self.find(request.game)
        return FileToSave(file_name(opened.game), b64encode(game_file_bytes(opened.game)).decode())

    # Settings

    def save_settings(self, request: SettingsRequest) -> LobbyState:
        """Save the player's name and language, and where to get pbem. Raises `PbemError`."""
        lang = parse_language(request.lang, tr("language")) if request.lang else ""
        name, get_it = request.name.strip(), request.get_it.strip()
        write_personal_settings(self.player.home, name=name, lang=lang, get_it=get_it)
        self.language = lang
        return self.state()

    def unlock(self, request: PassphraseRequest) -> LobbyState:
        """Unlock the player's key until pbem ends. Raises `KeyFileError`."""
        self.player.unlock(request.passphrase)
        return self.state()

    def protect(self, request: PassphraseRequest) -> Told:
        """Protect the key by a passphrase, making it if there is none; an empty one unprotects it."""
        if not self.player.has_key:
            self.player.make_key()
        self.player.protect_key(request.passphrase)
        if request.passphrase:
            return Told([tr("The key now has the new passphrase. Older copies keep the old one.")])
        return Told([tr("The key now needs no passphrase.")])

    def back_up(self, request: PassphraseRequest) -> BackupMade:
        """The player's home as one encrypted file; proposes a passphrase if none is given.

        Raises `PbemError`.
        """
        archive, passphrase = self.pack(request)
        return self.describe_backup(backup.encrypt(archive, passphrase), passphrase)

    def pack(self, request: PassphraseRequest) -> tuple[bytes, str]:
        """The player's home as an archive, and the passphrase to encrypt it with. Raises `PbemError`."""
        if not self.player.has_key:
            raise FileError(tr("there is no key yet, so there is nothing to back up"))
        passphrase = request.passphrase or backup.propose_passphrase()
        backup.check_passphrase(passphrase)
        return backup.pack(self.player.home), passphrase

    def describe_backup(self, data: bytes, passphrase: str) -> BackupMade:
        """A backup as a file to save."""
        name = f"pbem-{now():%Y-%m-%d}.age"
        return BackupMade(FileToSave(name, b64encode(data).decode()), passphrase)

    def restore(self, request: RestoreRequest) -> Told:
        """Replace the player's home with a backup. Raises `PbemError`, and then nothing is changed."""
        data = _from_base64(request.data)
        return self.restore_archive(backup.decrypt(data, request.passphrase, tr("the backup")))

    def restore_archive(self, archive: bytes) -> Told:
        """Restore an archive made by `pack`. Raises `PbemError`, and then nothing is changed."""
        where = tr("the backup")
        told: list[str] = []

        def settle(made: Path) -> None:
            if programs_run_by(made):  # whoever made the backup chose them
                aside = rename_config(made).name
                told.append(
                    tr(
                        "Its settings run programs, so pbem has set them aside in {file}.",
                        file=aside,
                    )
                )

        restored, before = backup.restore_home(backup.unpack(archive, where), self.player.home, settle)
        if restored:
            QuestionRecord(self.player.home).invalidate_earlier_letters()
        self.player = LocalPlayer(self.player.home)
        self._opened.clear()
        many = tr.plural(
            "Restored your key and {number} game.", "Restored your key and {number} games.", len(restored)
        )
        kept = (
            [tr("What was here before is now in {folder}.", folder=safe_text(str(before)))] if before else []
        )
        return Told([many, *kept, *told])

    def _row(self, row: ListedGame) -> GameRow:
        """A game of the list, as the page shows it."""
        player, brief = self.player, row.game[:SHOWN_ID_DIGITS]
        if row.problem:
            return GameRow(row.game, brief, "damaged", problem=safe_text(row.problem))
        own = [name for name, seat in row.facts["seats"].items() if seat["key"] == str(player.public_key)]
        yours = is_yours(player, row)
        unsure = player.store.unconfirmed.has(row.game)
        time = should_show_time(row.asked) and row.next_seat
        plays = bool(own) or row.may_draft(str(player.public_key))
        return GameRow(
            game=row.game,
            brief=brief,
            group="over" if row.is_over else "yours" if yours else "theirs",
            title=row.title,
            players=safe_text(describe_players(row)),
            state=safe_text(describe_unconfirmed(row.game) if unsure else describe_question(row.asked)),
            since=describe_clock(row.asked, row.side(row.asked.clock_of)) if time else "",
            page=f"{row.game}/" if plays and not unsure else f"{row.game}/page",
            news=is_news(player, row),
            review=row.is_over and plays and not unsure and _has_computer_players(row),
            rematch=_rematch(row, own[0]) if row.is_over and len(own) == 1 else None,
        )


def _draw(game: Game) -> str:
    """The map of a game as SVG in base64; empty for one without a map."""
    legend = game.rules.view.legend(game.state.run.state)
    return b64encode(svg_picture(legend, game.rules.title).encode()).decode() if legend.cells else ""


def _from_base64(text: str) -> bytes:
    """The bytes of a file sent by the page. Raises `FileError`."""
    try:
        return b64decode(text, validate=True)
    except (NotBase64, ValueError):
        raise FileError(tr("the file did not arrive complete")) from None


def _failed_checks(name: str, error: VerificationError) -> OpenedData:
    """The data of a game that fails one of the ten checks."""
    checks, failure = failed_checks(error)
    return OpenedData(
        game="",
        title=name,
        lines=[],
        says=[],
        state="",
        checks=checks,
        failure=failure,
        notes=[],
        scenario="",
        role="nothing",
        page="",
    )


def _rules_with_form(game: str) -> tuple[Rules, ScenarioForm]:
    """The rules of a game with a scenario form, and the form. Raises `PbemError`."""
    rules = games.load(game) if game in games.names() else None
    if rules is None or rules.view.scenario_form is None:
        raise PbemError(tr("there is no such game here"))
    return rules, rules.view.scenario_form


def _terms(rules: Rules, edition: str, changes: dict[str, str], scenario: str, own: Plain) -> Terms:
    """The terms of an offer of a scenario, `own` if it is not a shipped one. Raises `FileError`."""
    if edition not in rules.editions:
        names = ", ".join(rules.editions)
        raise FileError(tr("there is no edition '{found}'; there are {names}", found=edition, names=names))
    options = dict(rules.editions[edition])
    for name, value in changes.items():
        if name not in options:
            raise FileError(tr("there is no option '{found}'", found=name))
        options[name] = parse_yaml(value.encode())
    terms = Terms(rules, options, scenario, own)
    rules.begin(terms.options, terms.data)
    return terms


def _has_computer_players(row: ListedGame) -> bool:
    """Whether the computer plays in the game of a row."""
    name = row.facts["rules"].partition("/")[0]
    return name in games.names() and bool(games.load(name).players)


def _rematch(row: ListedGame, seat: str) -> Rematch:
    """The same game again with sides changed, in the same scenario, whoever made it."""
    other = next(name for name in row.facts["seats"] if name != seat)
    opponent = row.facts["seats"][other]
    computer = opponent["name"] == PRACTICE
    options = {name: _as_typed(value) for name, value in row.facts["options"].items()}
    return Rematch(
        game=row.facts["rules"].partition("/")[0],
        scenario=row.facts["scenario"]["name"],
        own=row.game if row.facts["scenario"]["own"] else "",
        sides=[[name, f"{row.side(name):name}"] for name in row.facts["seats"]],
        seat=other,
        options=options,
        to="" if computer else opponent["key"],
        name="" if computer else safe_text(opponent["name"]),
        level="sensible" if computer else "",
    )


def _as_typed(value: Any) -> str:
    """The value of an option as YAML, as one types it: words are not quoted."""
    is_word = (
        isinstance(value, str) and re.fullmatch("[a-z_]+", value) and parse_yaml(value.encode()) == value
    )
    return value if is_word else json.dumps(value)


def catalogue(home: Path | None = None) -> list[dict[str, Any]]:
    """The games that can be begun: scenarios with their sides, editions with their options, and levels.

    With a `home`, the player's own scenarios are included.
    """
    return [_catalogue_entry(games.load(name), home) for name in games.names()]


def _catalogue_entry(rules: Rules, home: Path | None) -> dict[str, Any]:
    words, book = rules.view.editions(), rulebook.of(rules)
    own, ratings = rules.edition(spoken()), rounded_ratings(rules.matches)
    first = next(iter(rules.editions))
    return {
        "game": rules.name,
        "title": rules.title,
        "scenarios": _named_scenarios(rules, OwnScenarios(home, rules) if home else None),
        "form": rules.view.scenario_form is not None,
        "levels": [[level, ratings.get(level)] for level in rules.players],
        "edition": own,
        "editions": [[name, words.get(name, "")] for name in rules.editions],
        "options": {
            name: {option: _as_typed(value) for option, value in values.items()}
            for name, values in rules.editions.items()
        },
        "rules": {option: book.texts(option, rules.editions)[0] for option in rules.editions[first]},
        "note": safe_text(rules.view.reconstruction()),
    }


def _named_scenarios(rules: Rules, own: OwnScenarios | None) -> list[list[Any]]:
    """The shipped scenarios and the player's own, each with the names of its sides."""
    data = {name: rules.scenarios.data(name) for name in rules.scenarios.names}
    if own and rules.view.scenario_form:
        data |= {name: own.data(name) for name in own.names}
    return [[name, _side_names(rules, scenario)] for name, scenario in data.items()]


def _side_names(rules: Rules, scenario: Plain) -> list[list[str]]:
    """The seats in a scenario, each with the name of its side."""
    named = rules.with_sides_of(scenario)
    return [[seat, f"{named.side(seat):name}"] for seat in named.seats]
