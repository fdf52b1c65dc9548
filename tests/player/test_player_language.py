"""A player of another language: the words they type, and what is stored, which is the same in all."""

from __future__ import annotations

import re
from gettext import NullTranslations

import pytest

from pbem import texts
from pbem.errors import Ambiguous, IllegalOrder, NotYourMove, OrderError, PbemError
from pbem.format.entries import KINDS, kind_name
from pbem.player.actions.action import ActionContext
from pbem.player.actions.parse_action import action_from_reply, parse_reply_text
from pbem.player.actions.proposals import moves_to_take_back, parse_takeback, takeback_of_orders
from pbem.player.game_list import list_games
from pbem.player.order_sheet import OrdersRefused, complete_order
from pbem.player.plans.grammar import Plan, parse_typed_plan
from pbem.player.plans.plan_store import PlanStore, consult_armed_plan
from pbem.player.plans.ready_made import add_to_plan
from pbem.player.store.game_file import status_fields
from pbem.player.store.log_relation import LogLine
from pbem.texts import TYPED, speak, speaking
from pbem.umpire.game_state import Game
from player.test_order_sheet import mortain_setup_sheet
from player.test_plan_store import carry_out_plan
from support.correspondents import Correspondent
from support.marked_language import CLOSE, OPEN, words_outside_marks

SPANISH = {
    "now": "ahora",
    "say": "di",
    "yes": "sí",
    "answer": "responde",
    "resign": "abandono",
    "propose": "propongo",
    "plan": "plan",
    "off": "fuera",
    "draw": "tablas",
    "last": "última",
    "takeback": "deshacer",
    "pass": "pasar|paso",
    "place": "colocar",
}


class Words(NullTranslations):
    """A catalogue of words that players type, of the program and of every game; and of one title."""

    def pgettext(self, context: str, message: str) -> str:
        """How a word is typed."""
        return SPANISH.get(message, message) if context == TYPED else message

    def gettext(self, message: str) -> str:
        """What is said."""
        return {"Next: {waiting}": "Sigue: {waiting}", "Stand at Mortain": "Línea de Mortain"}.get(
            message, message
        )


@pytest.fixture(autouse=True)
def spanish(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player types Spanish, or English; and so he reads orders."""
    spoken = {"es": Words(), "it": NullTranslations(), "de": NullTranslations()}
    monkeypatch.setattr(texts, "_catalogue", lambda _, language: spoken[language])
    speak("es")


class TestAnswers:
    @pytest.mark.parametrize("typed", ["Ahora: pasar", "now: pasar", "AHORA :\npasar"])
    def test_at_once(self, typed: str) -> None:
        found = parse_reply_text(typed)
        assert found.now
        assert found.lines == ("pasar",)

    def test_words_to_the_opponent(self) -> None:
        assert parse_reply_text("pasar\nDi: ¡bien jugado!\nsay: no") == parse_reply_text(
            "pasar\nsay: ¡bien jugado!\nsay: no"
        )
        assert parse_reply_text("pasar\nDi: ¡bien jugado!").say == "¡bien jugado!"

    @pytest.mark.parametrize("typed", ["Sí.", "si", "responde sí", "answer yes", "yes"])
    def test_yes(self, typed: str) -> None:
        assert parse_reply_text(typed).is_yes

    def test_no_word_of_another_language(self) -> None:
        with speaking("de"):
            assert not parse_reply_text("sí").is_yes
            assert not parse_reply_text("ahora: pass").now

    def test_what_is_wanted(self, anna: Correspondent, game: Game) -> None:
        assert (
            action_from_reply(
                ActionContext(anna.local_player, game), parse_reply_text("Abandono")
            ).confirmation
            == "always"
        )
        assert (
            action_from_reply(
                ActionContext(anna.local_player, game), parse_reply_text("propongo tablas")
            ).description
            == "You propose a draw."
        )
        assert (
            action_from_reply(
                ActionContext(anna.local_player, game), parse_reply_text("propose tablas")
            ).description
            == "You propose a draw."
        )
        assert (
            action_from_reply(
                ActionContext(anna.local_player, game), parse_reply_text("plan fuera")
            ).description
            == "Your plan no longer answers."
        )


@pytest.mark.parametrize("typed", ["draw", "1"])
def test_a_proposal_and_its_answers_are_whole_sentences(
    typed: str, both: tuple[Correspondent, Correspondent], game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In English, where "to" came twice."""
    speak("en")
    anna, bruno = both
    told = action_from_reply(
        ActionContext(anna.local_player, game), parse_reply_text(f"propose {typed}")
    ).description
    what, which = {
        "draw": ("a draw", "the draw that the Germans propose."),
        "1": (
            "to undo everything after entry 1",
            "undo everything after entry 1, which the Germans propose.",
        ),
    }[typed]
    assert told.startswith(f"You propose {what}.")
    after = action_from_reply(
        ActionContext(anna.local_player, game), parse_reply_text(f"propose {typed}")
    ).write()
    assert after is not None
    game = after
    agreed = action_from_reply(ActionContext(bruno.local_player, game), parse_reply_text("yes")).description
    assert agreed.startswith(f"You agree to {which}")
    assert (
        action_from_reply(ActionContext(bruno.local_player, game), parse_reply_text("no")).description
        == f"You refuse {'' if typed == 'draw' else 'to '}{which}"
    )
    with pytest.raises(
        NotYourMove,
        match=f"^the Germans propose {what}: answer this proposal first$",
    ):
        action_from_reply(ActionContext(bruno.local_player, game), parse_reply_text("pass"))


class TestTakeBack:
    @pytest.mark.parametrize("typed", ["ultima", "last", "deshacer última", "take-back last"])
    def test_the_last_move(self, both: tuple[Correspondent, Correspondent], game: Game, typed: str) -> None:
        key = both[1].local_player.key
        (newest, _), *_ = moves_to_take_back(game, key)
        assert parse_takeback(game, key, typed) == takeback_of_orders(game, newest)

    @pytest.mark.parametrize("typed", ["entry 1", "1", "take-back entry 1"])
    def test_whole_entries(self, both: tuple[Correspondent, Correspondent], game: Game, typed: str) -> None:
        assert parse_takeback(game, both[1].local_player.key, typed) == {"takeback": 1}

    def test_a_whole_move(self, both: tuple[Correspondent, Correspondent], game: Game) -> None:
        """Bruno has set up. The beginning of a move names nothing, and is told what it may mean."""
        key = both[1].local_player.key
        entry, typed = moves_to_take_back(game, key)[-1]
        english = typed.replace("colocar", "place")
        for words in (typed, english):
            assert parse_takeback(game, key, words) == takeback_of_orders(game, entry)
        with pytest.raises(PbemError, match=f"it could mean {entry} "):
            parse_takeback(game, key, "colocar")


def test_an_order_goes_on_without_accents() -> None:
    assert complete_order(["colocar Única 1803"], "Colocar unica ") == ("", ["1803"])
    assert complete_order(["colocar Única 1803"], "colocar ún") == ("ún", ["Única"])


class TestPlans:
    """Their own words are English; orders in them are in the language in which they were typed, for good."""

    @pytest.mark.parametrize("line", ["do pasar", "do best of pasar | mover DF 1603"])
    def test_means_the_same_in_every_language(self, anna: Correspondent, game: Game, line: str) -> None:
        plans = PlanStore(anna.local_player.home)
        plans.save(game, add_to_plan(game, Plan(), [line]))
        plans.arm(game)
        assert plans.record(game).text == line.replace("do ", "do es: ")
        for language in ("en", "es", "it"):
            with speaking(language):
                choice = consult_armed_plan(anna.local_player, game)
                assert choice is not None
                assert choice.orders == [{"pass": True}], choice.why
                assert choice.words == ("pasar" if language == "es" else "pass")

    def test_what_was_written_is_noted_in_english(self, anna: Correspondent, game: Game) -> None:
        plans = PlanStore(anna.local_player.home)
        plans.save(game, add_to_plan(game, Plan(), ["do pasar"]))
        plans.arm(game)
        after = carry_out_plan(game, anna)
        assert [one.words for one in plans.record(after).written.values()] == ["pass"]

    def test_names_a_language_once(self) -> None:
        plan = parse_typed_plan("do pasar\ndo pasar\n\ndo en: pass\n\ndo march DF 1603", "plan")
        assert plan.text == "do es: pasar\ndo pasar\n\ndo pass\n\ndo march DF 1603"
        with speaking("it"):
            assert parse_typed_plan(plan.text, "plan").text == plan.text.replace("do pass", "do it: pass")

    def test_what_is_ready_made_needs_none(self, game: Game) -> None:
        assert "es:" not in add_to_plan(game, Plan(), ["quiet"]).text


def test_a_list_is_told_in_the_language_of_who_looks(anna: Correspondent, game: Game) -> None:
    """It is kept, so that the games need not be opened again."""
    found: dict[str, str] = {}
    for language in ("en", "es", "en"):
        with speaking(language):
            [one] = list_games(anna.local_player)
            found.setdefault(language, one.found_in)
            assert one.found_in == found[language]
            assert one.title == "Stand at Mortain"
    assert found["en"] != found["es"]


def test_the_top_of_a_file(game: Game) -> None:
    """Whoever writes the file speaks his language in it, in plain ASCII."""
    assert status_fields(game)["game"] == "Linea de Mortain"
    assert all(name.isascii() and name == name.lower() for name in status_fields(game))
    told = list(status_fields(game))
    with speaking("en"):
        assert list(status_fields(game)) == told, "a tool reads the keys"


class TestARefusedLine:
    """Names are known as such in every language; what an order begins with is typed in English too."""

    @pytest.mark.parametrize(
        ("refusal", "typed", "word"),
        [
            (IllegalOrder("M2.1", "119Inf Colocar en 1901 no"), "colocar 119Inf 1303", "119Inf"),
            (IllegalOrder("M2.1", "Colocar viene antes"), "colocar todo", "colocar todo"),
            (Ambiguous("Todo", ["todo", "todos"]), "colocar todo", "todo"),
        ],
    )
    def test_only_names_are_marked(self, refusal: OrderError, typed: str, word: str) -> None:
        begin, end = OrdersRefused(refusal, [typed], mortain_setup_sheet().current.legend).word
        assert typed[begin:end] == word

    @pytest.mark.parametrize("typed", ["colocar 119Inf", "Place 119Inf"])
    def test_another_order_begins_anew(self, typed: str) -> None:
        orders = mortain_setup_sheet()
        assert orders.is_new_order(f"colocar {typed}", typed)
        assert not orders.is_new_order("colocar 119Inf", "119Inf")


@pytest.mark.usefixtures("pseudo")
@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_of_an_entry(kind: str) -> None:
    """Where a log forks or ends, and where an entry cannot come: who signed it, and which kind it is."""
    assert words_outside_marks(str(LogLine("0" * 64, "us", kind))) == {"us"}
    assert re.sub(f"[{OPEN}{CLOSE}]", "", str(kind_name(kind))) == kind
