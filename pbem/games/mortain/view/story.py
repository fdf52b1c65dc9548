"""What has happened, in English: one line for each kind of event."""

from __future__ import annotations

from pbem.core.requests import Tell
from pbem.core.sentences import joined, listed
from pbem.games.mortain.rules import events
from pbem.games.mortain.terms.setting import GERMAN
from pbem.games.mortain.view.words import SIDES


def line(tell: Tell) -> str:
    """Tell one event in one line, without a full stop."""
    match tell.what:
        case events.Placed(units):
            return f"The US sets up: {listed(f'{name} in {at}' for name, at in units.items())}"
        case events.TurnBegins(turn, turns):
            return f"Turn {turn} of {turns}: all 53 cards are shuffled"
        case events.Card() as card:
            return f"{card.card}: the {SIDES[card.seat]} side {_allowed(card)}"
        case events.Passes(seat):
            return f"The {SIDES[seat]} side passes"
        case events.Moves(_, unit, start, to):
            return f"{unit} moves from {start} to {to}"
        case events.Enters(_, unit, at):
            return f"{unit} enters at {at}"
        case events.Exits(_, unit, start, exits, needed):
            return f"{unit} leaves the map from {start}: exit {exits} of {needed}"
        case events.JokerAside():
            return "The joker comes too early and is set aside: the turn goes on until the deck is empty"
        case events.JokerEnds():
            return "The joker ends the turn"
        case events.DeckOut():
            return "The deck is empty, and the turn ends"
        case events.TurnEnds(turn, turns, exits, needed):
            return f"Turn {turn} of {turns} is over: {exits} of {needed} exits"
        case events.Victory(winner, reason):
            return f"The {SIDES[str(winner)]} side wins: {reason}"
    return _fighting(tell)


def _fighting(tell: Tell) -> str:
    """What is told of attacks and support (M5, M6)."""
    match tell.what:
        case events.Suppresses(_, at):
            return f"Air suppresses the Germans in {at} and around it for the rest of the turn"
        case events.Attack() as attack:
            return ", ".join([_attack(attack), *(f"{word} {number:+}" for word, number in attack.why)])
        case events.AttackCard(card, None):
            return f"Card {card}: no number"
        case events.AttackCard(card, result, strength):
            return f"Card {card} makes {result}, against {strength}"
        case events.Face(_, choice):
            return "Another card is drawn" if choice == "redraw" else "It is taken as a miss"
        case events.Hit(unit, at):
            return f"{unit} in {at} is hit and reduced"
        case events.Eliminated(unit, at):
            return f"{unit} in {at} is hit again and eliminated"
        case events.Misses(targets, reason):
            safe = f"{joined(targets)} {'is' if len(targets) == 1 else 'are'} not hit"
            return f"{SPOILT[reason]}: {safe}" if reason in SPOILT else safe
    raise AssertionError(tell.event)


SPOILT = {"joker": "The joker spoils the attack", "deck": "No card is left for the attack"}
"""Why an attack misses, where the card before has not said it."""


def _allowed(card: events.Card) -> str:
    """What a side may do with a card."""
    if not card.asked:
        return "can only pass"
    match card.allowance:
        case None:
            return "may activate one unit, or units of one hex"
        case 0:
            return f"may only {'activate a free Tiger 102' if card.seat == GERMAN else 'use support'}"
        case 1:
            return "may activate one unit"
        case number:
            return f"may activate up to {number} units"


def _attack(attack: events.Attack) -> str:
    """Who attacks whom, and how strongly."""
    target = f"{joined(attack.targets)} in {attack.at}"
    if attack.way == "fire":
        verb = "fires" if len(attack.firers) == 1 else "fire"
        return f"{joined(attack.firers)} {verb} at {target}: {attack.strength} {attack.factor}"
    return f"{attack.way.capitalize()} attacks {target}: strength {attack.strength}"
