"""Events in words, the table as lists, and warnings before orders are signed."""

from __future__ import annotations

from pbem.core.legend import Legend
from pbem.core.phrases import quote
from pbem.core.requests import Orders, Question, Tell
from pbem.core.rules import Forecast
from pbem.core.traces import Rolled, Trace
from pbem.games.tabletop.rules import events
from pbem.games.tabletop.rules.hands import hand_of
from pbem.games.tabletop.rules.state import Deck, State
from pbem.games.tabletop.terms.scenario import SEATS
from pbem.texts import Texts

tr = Texts("pbem.games.tabletop")

_TURN = {"turn", "turno", "runde", "zug"}
"""The names of a track that counts the turns."""


def describe_event(tell: Tell) -> str:
    """An event in one line."""
    match tell.what:
        case events.Rolled(side, dice, note, faces, total):
            fallen = tuple(map(str, faces))
            total_ = f" = {sum_}" if (sum_ := _sum(fallen, total)) else ""
            rolled = f"{', '.join(fallen)}{total_}"
            return tr("{side} rolls {dice}: {faces}", side=side, dice=dice, faces=rolled) + _for(note)
        case events.Drew(side, deck, cards, hidden, note):
            return _describe_draw(side, deck, cards, hidden) + _for(note)
        case events.Moved(side, verb, card, deck, _, note):
            return _describe_card(side, verb, card, deck) + _for(note)
        case events.Shuffled(deck, cards, True):
            return tr.plural(
                "{deck} is shuffled and sealed: {number} card",
                "{deck} is shuffled and sealed: {number} cards",
                cards,
                deck=deck,
            )
        case events.Shuffled(deck, cards, _):
            return tr.plural(
                "{deck} is shuffled: {number} card", "{deck} is shuffled: {number} cards", cards, deck=deck
            )
        case events.Noted(side, text, ""):
            return f"{side}: {quote(text)}"
        case events.Noted(side, text, digest):
            return tr(
                "{side}: {text}, a file with the SHA-256 {digest}", side=side, text=quote(text), digest=digest
            )
        case events.TrackSet(side, track, before, now):
            return tr(
                "{side} moves {track} from {before} to {now}", side=side, track=track, before=before, now=now
            )
        case events.HandedOver(side, to, ""):
            return tr("{side} hands over to {to}", side=side, to=to)
        case events.HandedOver(side, to, question):
            return tr("{side} asks {to}: {text}", side=side, to=to, text=quote(question))
        case events.Proposed(side, "", note):
            return tr("{side} proposes a draw", side=side) + _for(note)
        case events.Proposed(side, winner, note):
            return tr("{side} proposes that {winner} wins", side=side, winner=winner) + _for(note)
        case events.Answered(side, agrees):
            return tr("{side} agrees", side=side) if agrees else tr("{side} does not agree", side=side)
        case events.Opened(side, deck, "", _):
            return tr("{side} opens {deck}: every card named was in hand", side=side, deck=deck)
        case events.Opened(side, deck, "card", card):
            return tr(
                "{side} opens {deck}: {card} was named but not in hand",
                side=side,
                deck=deck,
                card=quote(card),
            )
        case events.Opened(side, deck, _, _):
            return tr(
                "{side} opens {deck}: the seal does not contain an ordering of its cards",
                side=side,
                deck=deck,
            )
        case events.Ends("", note):
            return tr("The game ends in a draw") + _for(note)
        case events.Ends(winner, note):
            return tr("{side} wins", side=winner) + _for(note)
    raise AssertionError(tell.event)


def _sum(fallen: tuple[str, ...], total: int | None) -> str:
    """The sum of dice in words; empty if it says no more than the dice."""
    return "" if total is None or fallen == (str(total),) else str(total)


def _for(note: str) -> str:
    """What something was for, in the player's words."""
    return f"   {quote(note)}" if note else ""


def _describe_draw(side: str, deck: str, cards: tuple[str, ...], hidden: bool) -> str:
    if hidden:
        return tr.plural(
            "{side} draws {number} card from {deck} into a hidden hand (place {places})",
            "{side} draws {number} cards from {deck} into a hidden hand (places {places})",
            len(cards),
            side=side,
            deck=deck,
            places=", ".join(cards),
        )
    return tr("{side} draws from {deck}: {cards}", side=side, deck=deck, cards=", ".join(cards))


def _describe_card(side: str, verb: str, card: str, deck: str) -> str:
    match verb:
        case "play":
            return tr(
                "{side} plays {card} ({deck}, to be proven at the end)",
                side=side,
                card=quote(card),
                deck=deck,
            )
        case "discard":
            return tr(
                "{side} discards {card} ({deck}, to be proven at the end)",
                side=side,
                card=quote(card),
                deck=deck,
            )
        case "remove":
            return tr("{side} takes {card} out of the game ({deck})", side=side, card=quote(card), deck=deck)
    return tr("{side} returns {card} to {deck}", side=side, card=quote(card), deck=deck)


def legend(state: State) -> Legend:
    """The table: tracks as figures, decks as lists, and the hands known only to the reader."""
    tracks = tuple((track, str(value)) for track, value in state.tracks.items())
    turn = next((track for track in state.tracks if track.casefold() in _TURN), "")
    lists = [(deck_title(state, name), _deck_parts(state, name, deck)) for name, deck in state.decks.items()]
    hands = [(name, hand_of(state, name)) for name in state.decks if state.owner(name)]
    return Legend(
        columns=0,
        rows=0,
        cells=(),
        terrain={},
        marks={},
        sides=dict(zip(SEATS, state.setting.sides, strict=True)),
        margins=(),
        figures=tracks,
        turn=turn,
        lists=tuple(lists),
        private=tuple(
            (
                tr.plural(
                    "Your hand of {deck}, {number} card",
                    "Your hand of {deck}, {number} cards",
                    len(cards),
                    deck=name,
                ),
                tuple(cards),
            )
            for name, cards in hands
            if cards is not None and state.own
        ),
    )


def deck_title(state: State, name: str) -> str:
    """The name of a deck, and its owner."""
    owner = state.owner(name)
    return name if owner is None else tr("{deck} of {side}", deck=name, side=state.side(owner))


def _deck_parts(state: State, name: str, deck: Deck) -> tuple[str, ...]:
    parts = [tr("{number} in the pile", number=len(deck.pile))]
    if state.owner(name):
        parts.append(tr("{number} in hand", number=deck.held))
    if deck.out:
        parts.append(tr("open: {cards}", cards=", ".join(deck.out)))
    if deck.gone:
        parts.append(tr("out of the game: {cards}", cards=", ".join(deck.gone)))
    return tuple(parts)


def traces(tell: Tell) -> list[Trace]:
    """The dice of a roll."""
    match tell.what:
        case events.Rolled(side, dice, note, faces, total):
            fallen = tuple(map(str, faces))
            return [Rolled(side, dice, fallen, _sum(fallen, total), note)]
    return []


def turn(state: State) -> int:
    """The turn, from the track with that name; 1 if there is none."""
    return max(1, next((value for track, value in state.tracks.items() if track.casefold() in _TURN), 1))


def forecast(ask: Question, orders: Orders) -> Forecast:
    """Warnings about dice without a stated purpose, and about orders that keep the table."""
    ask.read(orders)
    if ask.question != "act":
        return Forecast()
    warnings = [
        tr(
            "say what {dice} is for, as in: {example}",
            dice=order["roll"],
            example=f'{tr.own("roll")} {order["roll"]} "Verdun, 3:1"',
        )
        for order in orders
        if "roll" in order and "for" not in order
    ]
    if orders and not orders[-1].keys() & {"ask", "end", "result"}:
        warnings.append(tr("it stays your turn; to hand over, add: {end}", end=tr.own("end")))
    return Forecast((), tuple(dict.fromkeys(warnings)))
