"""Orders as typed: words to plain orders and back, and the question in words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from msgspec.structs import replace

from pbem.core.phrases import Phrase, Word, phrases, quote
from pbem.core.requests import Orders, Plain, Question, accepts
from pbem.games.tabletop.rules.hands import hand_of
from pbem.games.tabletop.rules.orders import ANSWERS, DRAW, VERBS
from pbem.games.tabletop.rules.sequence import offers
from pbem.games.tabletop.rules.state import State
from pbem.lookalikes import plain_letters
from pbem.messages import Said
from pbem.texts import Texts

tr = Texts("pbem.games.tabletop")

DIGEST = "sha256"
"""The word before the digest of a file, the same in every language."""

TIE = "tie"
"""The word for a drawn game, since `draw` draws cards."""

TYPED = (
    "roll",
    "draw",
    "play",
    "discard",
    "remove",
    "return",
    "shuffle",
    "note",
    "set",
    "ask",
    "end",
    "result",
    "agree",
    "decline",
    "tie",
    "for",
    "from",
    "to",
)

_GERMAN_DICE = re.compile(r"(?<![a-z])w(?=[0-9%])")


def read(ask: Question, lines: Sequence[str]) -> Orders:
    """Parse `roll 2d6 "Verdun, 3:1" "Ypres, 2:1"; play Spy ring for ops; end`. Raises `OrderError`."""
    state: State = ask.state
    orders: Orders = []
    for phrase in phrases(lines, tr.typed):
        if orders and "set" in orders[-1]:  # a second change of a track starts from the first one's result
            state = replace(state, tracks={**state.tracks, orders[-1]["set"]: orders[-1]["to"]})
        verb = phrase.one_of((*VERBS, *ANSWERS), tr("an order"))
        if verb == "shuffle" and ask.question in ("shuffle", "open"):
            orders.append({"shuffle": _read_numbers(phrase)})
        else:
            orders += _read_order(state, verb, phrase)
        phrase.ends()
    return orders


def _read_order(state: State, verb: str, phrase: Phrase) -> Orders:
    match verb:
        case "roll":
            return _read_rolls(phrase)
        case "draw":
            ahead = phrase.ahead
            number = _read_number(phrase) if ahead and ahead.text.isdigit() else 1
            phrase.takes("from")
            return [{"draw": number, "from": _read_deck(state, phrase), **_read_purpose(phrase)}]
        case "play" | "discard" | "remove" | "return":
            order: Plain = {verb: _read_card(state, phrase)}
            if phrase.takes("from"):
                order["from"] = _read_deck(state, phrase)
            return [order | _read_purpose(phrase)]
        case "shuffle":
            return [{"shuffle": _read_deck(state, phrase)}]
        case "note":
            note: Plain = {"note": _text(phrase, tr("a text"), DIGEST)}
            if phrase.takes(DIGEST):
                note["sha256"] = phrase.next(tr("a SHA-256")).text.lower()
            return [note]
        case "ask":
            return [{"ask": _text(phrase, tr("a question"))}]
        case "set":
            return [_read_set(state, phrase)]
        case "result":
            return [{"result": _read_winner(state, phrase), **_read_purpose(phrase)}]
    return [{verb: True}]


def _read_rolls(phrase: Phrase) -> Orders:
    """The same dice once for each text that gives a purpose."""
    dice = _GERMAN_DICE.sub("d", phrase.next(tr("dice, such as 2d6")).text.lower())
    phrase.takes("for")
    rolls: Orders = []
    while phrase.goes_on:
        rolls.append({"roll": dice, "for": _text(phrase, tr("what it is for"))})
    return rolls or [{"roll": dice}]


def _read_purpose(phrase: Phrase) -> dict[str, str]:
    if phrase.takes("for") or phrase.goes_on:
        return {"for": _text(phrase, tr("what it is for"))}
    return {}


def _read_deck(state: State, phrase: Phrase) -> str:
    return phrase.one_of(list(state.decks), tr("a deck"))


def _read_card(state: State, phrase: Phrase) -> str:
    """A card's name, which can be shortened if only one begins so; the rules check that the card is there."""
    text = _text(phrase, tr("a card"), "for", "from")
    every = dict.fromkeys(card for pack in state.setting.packs.values() for card in pack.cards)
    typed = plain_letters(text)
    whole = [card for card in every if plain_letters(card) == typed]
    begun = whole or [card for card in every if plain_letters(card).startswith(typed)]
    return begun[0] if len(begun) == 1 else text


def _read_set(state: State, phrase: Phrase) -> Plain:
    """Parse a track and its value, `set VP 5`, `set "North VP" to -2`, or a change of it, `set VP +1`."""
    words = [phrase.next(tr("a track"))]
    track = _track(state, words)
    while track is None and phrase.goes_on:
        words.append(phrase.next(tr("a track")))
        track = _track(state, words)
    if track is None:
        names = ", ".join(state.tracks) or "-"
        raise words[0].problem(
            tr("'{word}' is not a track", word=words[0].text), tr("there are: {names}", names=names)
        )
    absolute = phrase.takes("to")
    word = phrase.next(tr("a number"))
    number = _number(word)
    changes = word.text[0] in "+-" and not absolute
    return {"set": track, "to": state.tracks[track] + number if changes else number}


def _track(state: State, words: Sequence[Word]) -> str | None:
    typed = plain_letters(" ".join(word.text for word in words))
    return next((track for track in state.tracks if plain_letters(track) == typed), None)


def _read_winner(state: State, phrase: Phrase) -> str:
    """A side's name, which can be shortened, or `tie`."""
    ahead = phrase.ahead
    text = _text(phrase, tr("a side, or {tie}", tie=tr.own(TIE)), "for")
    if ahead and (ahead.means(TIE) or ahead.text == DRAW):
        return DRAW
    typed = plain_letters(text)
    named = {plain_letters(side): side for side in state.setting.sides}
    fitting = [side for letters, side in named.items() if letters.startswith(typed)]
    if typed in named:
        return named[typed]
    if len(fitting) != 1 and ahead:
        sides = ", ".join(map(quote, state.setting.sides))
        raise ahead.problem(
            tr("'{word}' is not one of the sides", word=text),
            tr("type {sides} or {tie}", sides=sides, tie=tr.own(TIE)),
        )
    return fitting[0]


def _text(phrase: Phrase, expected: Said, *until: str) -> str:
    """A text with single spaces, whatever spaces a phone puts inside its quotation marks."""
    return " ".join(phrase.text(expected, *until).split())


def _read_number(phrase: Phrase) -> int:
    return _number(phrase.next(tr("a number")))


def _number(word: Word) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,5}", word.text):
        raise word.problem(tr("'{word}' is not a number", word=word.text))
    return int(word.text)


def _read_numbers(phrase: Phrase) -> list[int]:
    numbers = []
    while phrase.goes_on:
        numbers.append(_read_number(phrase))
    return numbers


def write(orders: Orders) -> list[str]:
    """Orders as typed; anything nobody could type becomes JSON. Never raises on plain data."""
    if not isinstance(orders, list):
        return [json.dumps(orders)]
    return [(_write_order(order) if isinstance(order, dict) else "") or json.dumps(order) for order in orders]


def _write_order(order: dict[str, Plain]) -> str:
    """One order as typed; empty for anything that is not an order."""
    rest = dict(order)
    purpose, deck = rest.pop("for", None), rest.pop("from", None)
    if not (isinstance(purpose, str) or purpose is None) or not (deck is None or _is_word(deck)):
        return ""
    origin = "" if deck is None else f" {tr.own('from')} {deck}"
    tail = origin + ("" if purpose is None else f" {tr.own('for')} {quote(purpose)}")
    match rest:
        case {"roll": str(dice)} if len(rest) == 1 and deck is None and _is_word(dice):
            return f"{tr.own('roll')} {dice}" + ("" if purpose is None else f" {quote(purpose)}")
        case {"draw": int(number)} if len(rest) == 1 and deck is not None and type(number) is int:
            return f"{tr.own('draw')} {number}{tail}"
        case {"set": str(track), "to": int(number)} if len(rest) == 2 and not tail and type(number) is int:
            return f"{tr.own('set')} {typed_name(track)} {tr.own('to')} {number}"
        case {"note": str(text), "sha256": str(digest)} if len(rest) == 2 and not tail and _is_word(digest):
            return f"{tr.own('note')} {quote(text)} {DIGEST} {digest}"
        case {"shuffle": list(numbers)} if (
            len(rest) == 1 and not tail and all(type(n) is int for n in numbers)
        ):
            return " ".join([tr.own("shuffle"), *map(str, numbers)])
        case {"shuffle": str(name)} if len(rest) == 1 and not tail and _is_word(name):
            return f"{tr.own('shuffle')} {name}"
        case {"result": str(side)} if len(rest) == 1 and deck is None:
            return f"{tr.own('result')} {tr.own(TIE) if side == DRAW else quote(side)}{tail}"
    if len(rest) == 1:
        [(verb, value)] = rest.items()
        if verb in ("play", "discard", "remove", "return") and isinstance(value, str):
            return f"{tr.own(verb)} {quote(value)}{tail}"
        if verb in ("note", "ask") and isinstance(value, str) and not tail:
            return f"{tr.own(verb)} {quote(value)}"
        if verb in ("end", *ANSWERS) and value is True and not tail:
            return tr.own(verb)
    return ""


def typed_name(track: str) -> str:
    """The name of a track as typed."""
    return track if _is_word(track) else quote(track)


def _is_word(text: Plain) -> bool:
    return isinstance(text, str) and re.fullmatch(r"[A-Za-z0-9%+-]+", text) is not None


def prompt(ask: Question) -> str:
    """The question and its answers, in one line."""
    state: State = ask.state
    if ask.question == "shuffle":
        return tr("pbem shuffles and seals {deck}", deck=state.shuffling or "")
    if ask.question == "answer":
        return tr("{result}: agree or decline", result=describe_result(state))
    verbs = ", ".join(map(tr.own, _possible_verbs(state)))
    if state.asked:
        return tr("answer to {text} ({verbs})", text=quote(state.asked), verbs=verbs)
    return tr("orders ({verbs})", verbs=verbs)


def _possible_verbs(state: State) -> list[str]:
    """The verbs that make sense with what is on this table."""
    needs = {
        "draw": bool(state.decks),
        "play": bool(state.setting.own_decks(state.active)),
        "discard": bool(state.setting.own_decks(state.active)),
        "remove": bool(state.decks),
        "return": any(state.owner(name) is None for name in state.decks),
        "shuffle": bool(state.decks),
        "set": bool(state.tracks),
    }
    return [verb for verb in VERBS if needs.get(verb, True)]


def describe_result(state: State) -> str:
    """The proposed result in words."""
    assert state.proposed is not None
    winner, note = state.proposed
    said = tr("a draw is proposed") if winner == DRAW else tr("it is proposed that {side} wins", side=winner)
    return f"{said}, {quote(note)}" if note else said


def further(ask: Question, orders: Orders) -> list[str]:
    """Orders as typed that can follow these, as suggestions."""
    state: State = ask.state
    if ask.question != "act":
        return [] if orders else [line for offer in offers(ask) for line in write(offer)]
    if orders and isinstance(orders[-1], dict) and orders[-1].keys() & {"ask", "end", "result"}:
        return []
    lines = [f"{tr.own('roll')} {dice}" for dice in ("2d6", "d6", "d10", "d%", *state.setting.dice)]
    for name in state.decks:
        if state.owner(name) in (None, state.active):
            lines.append(f"{tr.own('draw')} 1 {tr.own('from')} {name}")
            lines.append(f"{tr.own('shuffle')} {name}")
    for name in state.setting.own_decks(state.active):
        lines += [f"{tr.own('play')} {quote(card)}" for card in dict.fromkeys(hand_of(state, name) or ())]
    lines += [f"{tr.own('set')} {typed_name(track)} +1" for track in state.tracks]
    return [line for line in (*lines, tr.own("end")) if _may_follow(ask, orders, line)]


def _may_follow(ask: Question, orders: Orders, line: str) -> bool:
    return accepts(ask.read, [*orders, *read(ask, [line])])
