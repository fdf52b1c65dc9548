"""The story of events, in the player's language: a line for each kind of event, and its traces on the map."""

from __future__ import annotations

from pbem.core.requests import Tell
from pbem.core.sentences import joined, listed
from pbem.core.traces import Drawn, Lost, Settled, Shot, Struck, Trace, Turn, Way
from pbem.games.mortain.rules import events, fire
from pbem.games.mortain.terms.setting import GERMAN
from pbem.games.mortain.view import names
from pbem.texts import Texts

tr = Texts("pbem.games.mortain")


def describe_event(tell: Tell) -> str:
    """Describe one event in one line, without a full stop."""
    match tell.what:
        case events.Placed(units):
            places = listed(tr("{unit} in {hex}", unit=name, hex=at) for name, at in units.items())
            return tr("The Americans set up: {places}", places=places)
        case events.Passes(seat):
            return tr("The Germans pass") if seat == GERMAN else tr("The Americans pass")
        case events.Moves(_, unit, start, to):
            return tr("{unit} moves from {start} to {to}", unit=unit, start=start, to=to)
        case events.Enters(_, unit, at):
            return tr("{unit} enters at {hex}", unit=unit, hex=at)
        case events.Exits(_, unit, start, exits, needed):
            return tr(
                "{unit} leaves the map from {start}: exit {exit} of {needed}",
                unit=unit,
                start=start,
                exit=exits,
                needed=needed,
            )
        case events.Card() as card:
            return _describe_german_card(card) if card.seat == GERMAN else _describe_us_card(card)
        case events.Attack() as attack:
            reasons = [f"{names.modifier_name(reason)} {number:+}" for reason, number in attack.why]
            return listed([_describe_attack(attack), *reasons])
    return _describe_turn(tell) or _describe_combat(tell)


def _describe_turn(tell: Tell) -> str:
    """Describe an event of the turn, the joker, or the end of the game (M3.1, M7, M8); empty for others."""
    match tell.what:
        case events.TurnBegins(turn, turns):
            return tr("Turn {turn} of {turns}: all 53 cards are shuffled", turn=turn, turns=turns)
        case events.JokerAside():
            return tr(
                "The joker is drawn too early and set aside: the turn continues until the deck is empty"
            )
        case events.JokerEnds():
            return tr("The joker ends the turn")
        case events.DeckOut():
            return tr("The deck is empty, and the turn ends")
        case events.TurnEnds(turn, turns, exits, needed):
            return tr(
                "Turn {turn} of {turns} is over: {exits} of {needed} exits",
                turn=turn,
                turns=turns,
                exits=exits,
                needed=needed,
            )
        case events.Victory(winner, reason):
            if winner == GERMAN:
                return tr("The Germans win: {reason}", reason=reason)
            return tr("The Americans win: {reason}", reason=reason)
    return ""


def _describe_combat(tell: Tell) -> str:
    """Describe an event of attacks and support (M5, M6)."""
    match tell.what:
        case events.Suppresses(_, at):
            return tr(
                "Air suppresses the Germans in {hex} and the hexes around it for the rest of the turn", hex=at
            )
        case events.AttackCard(card, None):
            return tr("{card} is not a number card", card=names.card_heading(card))
        case events.AttackCard(card, result, strength):
            return tr(
                "{card}: {result} against {strength}",
                card=names.card_heading(card),
                result=result,
                strength=strength,
            )
        case events.Face(_, choice):
            return tr("Another card is drawn") if choice == "redraw" else tr("The attack counts as a miss")
        case events.Hit(unit, at):
            return tr("{unit} in {hex} is hit and reduced", unit=unit, hex=at)
        case events.Eliminated(unit, at):
            return tr("{unit} in {hex} is hit again and eliminated", unit=unit, hex=at)
        case events.Misses(targets, reason):
            return _describe_miss(targets, reason)
    raise AssertionError(tell.event)


def _describe_miss(targets: tuple[str, ...], reason: events.Reason) -> str:
    """Describe a miss: the targets, and the reason if the card before does not show it."""
    safe = tr.plural("{targets} is not hit", "{targets} are not hit", len(targets), targets=joined(targets))
    match reason:
        case "joker":
            return tr("The joker spoils the attack: {clause}", clause=safe)
        case "deck":
            return tr("No card is left for the attack: {clause}", clause=safe)
    return safe


def _describe_german_card(card: events.Card) -> str:
    """Describe the Germans' choices with a card."""
    if not card.asked:
        return tr("{card}: the Germans can only pass", card=names.card_heading(card.card))
    match card.allowance:
        case None:
            return tr(
                "{card}: the Germans may activate one unit, or units of one hex",
                card=names.card_heading(card.card),
            )
        case 0:
            return tr(
                "{card}: the Germans may only activate a free Tiger 102", card=names.card_heading(card.card)
            )
        case number:
            return tr.plural(
                "{card}: the Germans may activate one unit",
                "{card}: the Germans may activate up to {number} units",
                number,
                card=names.card_heading(card.card),
            )


def _describe_us_card(card: events.Card) -> str:
    """Describe the Americans' choices with a card."""
    if not card.asked:
        return tr("{card}: the Americans can only pass", card=names.card_heading(card.card))
    match card.allowance:
        case None:
            return tr(
                "{card}: the Americans may activate one unit, or units of one hex",
                card=names.card_heading(card.card),
            )
        case 0:
            return tr("{card}: the Americans may only use support", card=names.card_heading(card.card))
        case number:
            return tr.plural(
                "{card}: the Americans may activate one unit",
                "{card}: the Americans may activate up to {number} units",
                number,
                card=names.card_heading(card.card),
            )


def _describe_attack(attack: events.Attack) -> str:
    """Describe who attacks whom, and with what strength."""
    targets, at, strength = joined(attack.targets), attack.at, attack.strength
    match attack.way:
        case "fire":
            return tr.plural(
                "{firers} fires at {targets} in {hex}: {strength} {factor}",
                "{firers} fire at {targets} in {hex}: {strength} {factor}",
                len(attack.firers),
                firers=joined(attack.firers),
                targets=targets,
                hex=at,
                strength=strength,
                factor=attack.factor,
            )
        case "air":
            return tr(
                "Air attacks {targets} in {hex}: strength {strength}",
                targets=targets,
                hex=at,
                strength=strength,
            )
    return tr(
        "Artillery attacks {targets} in {hex}: strength {strength}",
        targets=targets,
        hex=at,
        strength=strength,
    )


def traces(tell: Tell) -> list[Trace]:
    """The traces of one event, in order."""
    match tell.what:
        case events.TurnBegins(turn, _):
            return [Turn(turn)]
        case events.Moves(seat, unit, start, to):
            return [Way(seat, (start, to), unit)]
        case events.Enters(seat, unit, at) | events.Exits(seat, unit, at):
            return [Way(seat, (at,), unit)]
        case events.Attack() as attack:
            return [_attack_trace(tell, attack)]
        case events.AttackCard(card):
            return [Drawn(card)]
        case events.Hit(unit, at):
            return [Settled(True), Struck(at, unit)]
        case events.Eliminated(unit, at):
            return [Settled(True), Lost(at, unit)]
        case events.Misses():
            return [Settled(False)]
    return []


def _attack_trace(tell: Tell, attack: events.Attack) -> Shot:
    """The trace of a declared attack, with its chance at that moment (M5.5 to M5.8)."""
    out_of = tuple(dict.fromkeys(tell.state.at(name) for name in attack.firers))
    return Shot(
        attack.by, out_of, attack.at, fire.hit_chance(tell.state, tell.state.attack), _attack_label(attack)
    )


def _attack_label(attack: events.Attack) -> str:
    """A short label for an attack."""
    targets = joined(attack.targets)
    match attack.way:
        case "fire":
            return tr("{firers} at {targets}", firers=joined(attack.firers), targets=targets)
        case "air":
            return tr("Air at {targets}", targets=targets)
    return tr("Artillery at {targets}", targets=targets)
