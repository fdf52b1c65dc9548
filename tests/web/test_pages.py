"""What a page may ask of the program, asked without a server: what the lobby answers and leaves behind."""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from pbem import games
from pbem.format.yaml_reader import parse_yaml
from pbem.mail.settings import read_config
from pbem.player.local_player import LocalPlayer
from pbem.texts import speaking
from pbem.umpire.verify import open_game, parse_log
from pbem.web.lobby_session import catalogue
from pbem.web.page_data import MAX_REQUEST_BYTES
from pbem.web.pages import BOARD_FUNCTIONS, LOBBY_FUNCTIONS, Pages
from support.simulator import file_of, log_of, offer_game

EXAMPLES = Path(__file__).parents[2] / "examples"
FINISHED = EXAMPLES / "mortain-it-exits.yaml"


class Home:
    """The pages of one player, and his folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.pages = Pages(LocalPlayer(folder / "home"), folder)

    def ask(self, path: str, **request: Any) -> Any:
        """What the program answers."""
        return self.pages.answer(path, json.encode(request))

    def accepted(self, path: str, **request: Any) -> Any:
        """The same, which is not a refusal."""
        answer = self.ask(path, **request)
        assert "refused" not in answer, answer
        return answer

    def refused(self, path: str, **request: Any) -> str:
        """Why the program refuses it."""
        return str(self.ask(path, **request)["refused"]["error"])

    def open(self, data: bytes, name: str = "game.yaml") -> Any:
        """What is told of bytes that were dropped."""
        return self.ask("open", name=name, data=b64encode(data).decode())

    def offer(self, **terms: Any) -> tuple[str, bytes]:
        """The id of a new offer, and its file."""
        page = self.accepted("begin", game="mortain", seat="us", name="Anna", **terms)["page"]
        return page[:-1], self.file(page[:-1])

    def file(self, game: str) -> bytes:
        """The file of a game as the page saves it."""
        return b64decode(self.accepted("file", game=game)["data"])

    def files(self) -> set[str]:
        """The names of all that lies in the player's folder."""
        return {path.name for path in self.folder.rglob("*") if path.is_file()}


@pytest.fixture
def anna(tmp_path: Path) -> Home:
    return Home(tmp_path / "anna")


@pytest.fixture
def bruno(tmp_path: Path) -> Home:
    return Home(tmp_path / "bruno")


class TestLooking:
    def test_leaves_nothing_behind(self, anna: Home) -> None:
        found = anna.open(FINISHED.read_bytes())
        assert [check["holds"] for check in found["checks"]] == [True] * 10
        assert found["role"] == "look"
        page = anna.pages.html(found["page"]).decode()
        assert 'id="proof-found"' in page
        assert "key" not in anna.files()
        assert not any(name.endswith(".yaml") for name in anna.files())

    def test_names_the_check_that_fails(self, anna: Home) -> None:
        late = FINISHED.read_bytes().replace(b"n: 12\n", b"n: 13\n", 1)
        found = anna.open(late)
        assert [check["holds"] for check in found["checks"]] == [True, True, False]
        assert found["role"] == "nothing"
        assert found["failure"][1].startswith("log[12]: ")

    @pytest.mark.parametrize("data", [b"", b"Lunch at one?", b"\0" * 1000, b"pbem: [1\n"])
    def test_what_is_no_game_is_refused(self, anna: Home, data: bytes) -> None:
        answer = anna.open(data)
        assert "refused" in answer or answer["role"] == "nothing"

    def test_what_is_not_base64_is_refused(self, anna: Home) -> None:
        assert anna.refused("open", name="x", data="?") == "the file did not arrive complete"

    def test_an_unknown_game_has_no_page(self, anna: Home) -> None:
        for path in ("0" * 64 + "/", "0" * 64 + "/page", "page", "../", "0/", f"{'0' * 64}/look"):
            assert not anna.pages.has(path)
        assert anna.pages.function("0" * 64 + "/sign") is None
        assert anna.pages.function("sign") is None

    @pytest.mark.thorough
    def test_of_many_only_the_last_are_kept(self, anna: Home) -> None:
        for example in sorted(EXAMPLES.glob("mortain*.yaml"))[:3] * 10:
            assert anna.open(example.read_bytes())["role"] == "look"
        assert len(anna.pages.lobby._opened) <= 20


class TestBeginning:
    def test_a_practice_game_waits_at_its_board(self, anna: Home) -> None:
        page = anna.accepted("begin", game="mortain", seat="us", name="Anna", level="easy")["page"]
        assert b'id="choices"' in anna.pages.html(page)
        assert anna.accepted(f"{page}look", bound="")["seat"] == "us"
        (row,) = anna.accepted("state")["games"]
        assert (row["group"], row["page"]) == ("yours", page)

    def test_a_name_is_needed_once(self, anna: Home) -> None:
        wish = {"game": "mortain", "seat": "us", "level": "easy"}
        assert anna.refused("begin", name=" ", **wish).startswith("your name is missing")
        assert "key" not in anna.files()
        anna.accepted("begin", name="Anna", **wish)
        anna.accepted("begin", name="", **wish)
        assert read_config(anna.folder / "home").player_name == "Anna"

    def test_a_scenario_is_chosen_by_its_name(self, anna: Home) -> None:
        found = []
        for name in ("chits", ""):
            wish = {"game": "tabletop", "seat": "first", "name": "Anna", "scenario": name}
            page = anna.accepted("begin", **wish)["page"]
            offer: Any = parse_log(anna.file(page[:-1]))[0].raw
            found.append(offer["scenario"]["name"])
        assert found == ["chits", "dice"]

    def test_each_scenario_names_its_sides(self) -> None:
        (tabletop,) = [entry for entry in catalogue() if entry["game"] == "tabletop"]
        assert tabletop["scenarios"] == [
            ["dice", [["first", "Attacker"], ["second", "Defender"]]],
            ["cards", [["first", "Reds"], ["second", "Blues"]]],
            ["chits", [["first", "North"], ["second", "South"]]],
        ]

    def test_a_scenario_of_ones_own_is_made_edited_and_offered(self, anna: Home, bruno: Home) -> None:
        form = anna.accepted("scenario", game="tabletop", scenario="chits")
        values = {**form["values"], "title": "A Victory Lost", "side1": "Soviets", "side2": ""}
        answer = anna.accepted("save_scenario", game="tabletop", values=values)
        assert [field for field, _ in answer["wrong"]] == ["side2"]
        assert not anna.accepted("save_scenario", game="tabletop", values=values)["scenarios"]
        values |= {"side2": "Germans", "deck1.cards": "2 Vatutin\nManstein"}
        saved = anna.accepted("save_scenario", game="tabletop", values=values)
        assert (saved["wrong"], saved["name"]) == ([], "a-victory-lost")
        assert saved["scenarios"][-1] == ["a-victory-lost", [["first", "Soviets"], ["second", "Germans"]]]
        assert anna.accepted("scenario", game="tabletop", scenario="a-victory-lost")["values"] == values
        assert saved["scenarios"] in [entry["scenarios"] for entry in catalogue(anna.folder / "home")]
        wish = {"game": "tabletop", "seat": "second", "name": "Anna", "scenario": "a-victory-lost"}
        game = anna.accepted("begin", **wish)["page"][:-1]
        opened = bruno.open(anna.file(game))
        assert (opened["role"], opened["scenario"]) == ("join", 'supplied by Germans, "a-victory-lost"')
        assert bruno.refused("begin", **wish), "he does not have it"

    @pytest.mark.parametrize(
        "request_", [{"game": "mortain", "scenario": ""}, {"game": "chess", "scenario": ""}]
    )
    def test_only_a_game_with_a_form_has_one(self, anna: Home, request_: dict[str, str]) -> None:
        assert anna.refused("scenario", **request_)

    def test_a_damaged_scenario_of_ones_own_is_left_out(self, anna: Home) -> None:
        form = anna.accepted("scenario", game="tabletop", scenario="dice")
        values = {**form["values"], "title": "Verdun"}
        assert anna.accepted("save_scenario", game="tabletop", values=values)["name"] == "verdun"
        (file,) = anna.folder.rglob("verdun.yaml")
        file.write_text("name: [")
        assert "verdun" not in str(catalogue(anna.folder / "home"))
        for name in ("verdun", "../verdun"):
            wish = {"game": "tabletop", "seat": "first", "name": "Anna", "scenario": name}
            assert "must be one of dice, cards, chits" in anna.refused("begin", **wish)

    def test_levels_have_their_ratings(self) -> None:
        for name in ("mortain", "rommel"):
            (game,) = (game for game in catalogue() if game["game"] == name)
            assert [level for level, _ in game["levels"]] == ["random", "easy", "sensible", "strong"]
            ratings = [rating for _, rating in game["levels"]]
            assert ratings == sorted(ratings)
            assert ratings[1] == 1000

    def test_options_are_shown_as_one_types_them(self) -> None:
        """A word stands without quotes, and is read as the value that it is of."""
        for game in catalogue():
            rules = games.load(game["game"])
            for edition, options in game["options"].items():
                read = {option: parse_yaml(value.encode()) for option, value in options.items()}
                assert read == rules.editions[edition]
        (mortain,) = (game for game in catalogue() if game["game"] == "mortain")
        assert mortain["options"]["en"]["tiger_free"] == "with_another"

    def test_options_differ_from_the_edition(self, anna: Home) -> None:
        _, data = anna.offer(edition="it", options={"turns": "4", "tiger_free": '"always"'}, deadline="7d")
        offer: Any = parse_log(data)[0].raw
        assert (offer["options"]["turns"], offer["options"]["tiger_free"]) == (4, "always")
        assert offer["x"]["deadline"] == "7d"

    @pytest.mark.parametrize(
        "terms",
        [
            {"game": "chess"},
            {"seat": "french"},
            {"edition": "fr"},
            {"scenario": "chits"},
            {"options": {"turns": "-1"}},
            {"options": {"turns": "[" * 50}},
            {"options": {"weather": "1"}},
            {"to": "nobody's key"},
            {"deadline": "soon"},
            {"level": "cheat"},
        ],
    )
    def test_wrong_terms_are_refused_and_nothing_is_written(self, anna: Home, terms: dict[str, Any]) -> None:
        wish = {"game": "mortain", "seat": "us", "name": "Anna", **terms}
        assert anna.refused("begin", **wish)
        assert not any(name.endswith(".yaml") for name in anna.files() - {"config.yaml"})


class TestJoining:
    def test_from_offer_to_the_first_question(self, anna: Home, bruno: Home) -> None:
        game, offer = anna.offer(say="Shall we?")
        departure = anna.accepted("departure", game=game)
        assert departure["letter"].startswith('"Anna" invites you to play Stand at Mortain.')
        found = bruno.open(offer)
        assert (found["role"], found["says"]) == ("join", ["Shall we?"])
        page = bruno.accepted("join", game=game, name="Bruno")["page"]
        assert bruno.pages.has(page)
        joined = bruno.file(game)
        assert anna.open(joined)["role"] == "play"
        assert anna.accepted("take", game=game)["page"] == page
        assert anna.accepted(f"{page}look", bound="")["seat"] == "us"

    def test_an_offer_without_bound_is_told_before_it_is_joined(self, bruno: Home) -> None:
        """As 0.1.0 made them (FORMAT 12); of one that names it nothing is said."""
        assert bruno.open(file_of(log_of(offer_game(extensions=("bound",)))))["notes"] == []
        [note] = bruno.open(file_of(log_of(offer_game())))["notes"]
        assert note.startswith("if several people join this offer, its maker can see the first draw")

    def test_an_offer_is_not_for_the_one_who_made_it(self, anna: Home) -> None:
        game, offer = anna.offer()
        assert anna.open(offer)["role"] == "play"
        assert "your opponent has to join it" in anna.refused("join", game=game, name="Anna")

    def test_an_older_file_does_not_replace_the_newest(self, anna: Home, bruno: Home) -> None:
        game, offer = anna.offer()
        bruno.open(offer)
        bruno.accepted("join", game=game, name="Bruno")
        newest = bruno.file(game)
        found = bruno.open(offer)
        assert found["notes"]
        assert bruno.ask("take", game=game)
        assert bruno.file(game) == newest

    def test_a_game_that_is_new_here_is_confirmed_first(
        self, anna: Home, bruno: Home, tmp_path: Path
    ) -> None:
        game, offer = anna.offer()
        bruno.open(offer)
        bruno.accepted("join", game=game, name="Bruno")
        joined = bruno.file(game)
        other = Home(tmp_path / "other")
        (other.folder / "home").mkdir()
        key = other.folder / "home" / "key"
        key.write_bytes((anna.folder / "home" / "key").read_bytes())
        key.chmod(0o600)
        assert other.open(joined)["role"] == "play"
        assert other.accepted("take", game=game)["unconfirmed"]
        assert other.accepted("state")["games"] == []
        assert other.accepted("take", game=game, newest=True)["page"] == f"{game}/"

    def test_a_rematch_is_of_the_same_scenario(self, anna: Home, bruno: Home) -> None:
        wish = {"game": "tabletop", "seat": "first", "name": "Anna", "scenario": "chits"}
        page = anna.accepted("begin", **wish)["page"]
        game = page[:-1]
        bruno.open(anna.file(game))
        bruno.accepted("join", game=game, name="Bruno")
        anna.open(bruno.file(game))
        anna.accepted("take", game=game)
        bound = anna.accepted(f"{page}look", bound="")["bound"]
        shown = anna.accepted(f"{page}confirm", bound=bound, act="resign")
        anna.accepted(f"{page}sign", bound=bound, digest=shown["digest"])
        (row,) = anna.accepted("state")["games"]
        assert (row["rematch"]["scenario"], row["rematch"]["seat"]) == ("chits", "second")

    def test_a_rematch_keeps_a_scenario_that_the_other_player_made(self, anna: Home, bruno: Home) -> None:
        """Bruno has it in the game alone; he may edit it too."""
        game = finish_own_scenario(anna, bruno)
        (row,) = bruno.accepted("state")["games"]
        again = row["rematch"]
        assert (again["scenario"], again["seat"], again["own"]) == ("a-victory-lost", "first", game)
        assert sorted(again["sides"]) == [["first", "Soviets"], ["second", "Germans"]]
        wish = {"game": "tabletop", "seat": "first", "name": "Bruno", "scenario": "a-victory-lost"}
        page = bruno.accepted("begin", **wish, rematch=game)["page"]
        first, second = (open_game(bruno.file(one)).offer for one in (game, page[:-1]))
        assert (first.scenario, first.by, second.by) == (second.scenario, "first", "first")
        form = {"game": "tabletop", "scenario": "a-victory-lost"}
        assert bruno.accepted("scenario", **form, rematch=game) == anna.accepted("scenario", **form)


def finish_own_scenario(anna: Home, bruno: Home) -> str:
    """Anna's game of a scenario that she has made, which Bruno joined and she has resigned; its id."""
    values = anna.accepted("scenario", game="tabletop", scenario="chits")["values"]
    values |= {"title": "A Victory Lost", "side1": "Soviets", "side2": "Germans"}
    anna.accepted("save_scenario", game="tabletop", values=values)
    wish = {"game": "tabletop", "seat": "first", "name": "Anna", "scenario": "a-victory-lost"}
    page = anna.accepted("begin", **wish)["page"]
    game: str = page[:-1]
    bruno.open(anna.file(game))
    bruno.accepted("join", game=game, name="Bruno", scenario=True)
    anna.open(bruno.file(game))
    anna.accepted("take", game=game)
    bound = anna.accepted(f"{page}look", bound="")["bound"]
    shown = anna.accepted(f"{page}confirm", bound=bound, act="resign")
    anna.accepted(f"{page}sign", bound=bound, digest=shown["digest"])
    bruno.open(anna.file(game))
    bruno.accepted("take", game=game)
    return game


class TestSettings:
    def test_are_kept_and_the_language_changes(self, anna: Home) -> None:
        anna.accepted("settings", name="Anna", lang="es", get_it="https://example.org/pbem")
        assert anna.pages.language == "es"
        with speaking(anna.pages.language):
            assert '<html lang="es"' in anna.pages.html("").decode()
        again = Home(anna.folder).accepted("state")
        assert (again["name"], again["lang"], again["get_it"]) == ("Anna", "es", "https://example.org/pbem")
        assert anna.refused("settings", name="Anna", lang="xx", get_it="")
        assert anna.refused("settings", name="A" * 65, lang="", get_it="")

    def test_the_letter_with_an_offer_says_where_to_get_it(self, anna: Home) -> None:
        before, _ = anna.offer()
        assert "example.org" not in anna.accepted("departure", game=before)["letter"]
        anna.accepted("settings", name="Anna", lang="", get_it="https://example.org/pbem")
        letter = anna.accepted("departure", game=before)["letter"]
        assert "needs no installing: https://example.org/pbem" in letter

    def test_a_locked_key_is_unlocked_by_its_passphrase(self, anna: Home) -> None:
        game, _ = anna.offer()
        anna.accepted("protect", passphrase="open sesame")
        locked = Home(anna.folder)
        assert locked.accepted("state")["locked"]
        assert "encrypted" in locked.refused("begin", game="mortain", seat="us", name="Anna", level="easy")
        assert locked.refused("unlock", passphrase="open sesam")
        assert not locked.accepted("unlock", passphrase="open sesame")["locked"]
        assert locked.accepted("departure", game=game)["post"]

    @pytest.mark.thorough
    def test_a_backup_is_restored_elsewhere(self, anna: Home, bruno: Home) -> None:
        assert "no key yet" in anna.refused("backup", passphrase="")
        game, _ = anna.offer()
        made = anna.accepted("backup", passphrase="")
        assert len(made["passphrase"].split("-")) >= 5
        data = made["file"]["data"]
        assert bruno.refused("restore", data=data, passphrase="wrong")
        told = bruno.accepted("restore", data=data, passphrase=made["passphrase"])["told"]
        assert told == ["Restored your key and 1 game."]
        (row,) = bruno.accepted("state")["games"]
        assert row["page"] == f"{game}/page", "it is to be confirmed first"
        assert bruno.accepted("take", game=game)["unconfirmed"]
        assert bruno.accepted("take", game=game, newest=True)["page"] == f"{game}/"


def test_no_function_takes_what_no_page_asks(anna: Home) -> None:
    game, _ = anna.offer()
    for path in [*LOBBY_FUNCTIONS, *(f"{game}/{name}" for name in BOARD_FUNCTIONS)]:
        for body in (b"", b"[]", b"null", b"\xff", b'{"x": 1}', b"[" * 30_000):
            assert "not one the page makes" in anna.pages.answer(path, body)["refused"]["error"], path


def test_only_files_make_a_request_long() -> None:
    longer = [name for name, one in LOBBY_FUNCTIONS.items() if one.most_bytes > MAX_REQUEST_BYTES]
    assert longer == ["open", "restore"]
