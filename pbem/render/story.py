"""A game in sentences: its players, what each entry did, and what comes next, by default in 78 columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.core.requests import Orders, Plain, Question, Tell
from pbem.core.rules import Rules, View
from pbem.core.sentences import capitalized
from pbem.core.traces import Lost, Struck
from pbem.errors import FileError, Gone, OrderError
from pbem.format.entries import Accept, Answer, Body, Commander, Offer, Play, ProposalTerms, Propose, Resign
from pbem.format.keys import PrivateKey, PublicKey
from pbem.render.safe_text import WIDTH, cut, quote_lines, quote_name, safe_text, spreadsheet_cell, wrap
from pbem.texts import Texts, time_in_words
from pbem.umpire import permissions
from pbem.umpire.commander_signatures import orders_by_commander
from pbem.umpire.deadline import agreed_deadline
from pbem.umpire.game_facts import PRACTICE, SHOWN_ID_DIGITS, count_entries, facts
from pbem.umpire.game_state import Beat, Game, GameState, ReplayedEntry
from pbem.umpire.next_duty import next_duty
from pbem.umpire.offered_scenario import own_scenario
from pbem.umpire.sealed_orders import seal_contents, unopened_seals

tr = Texts("pbem")

_MAX_UNDONE = 3
"""How many of the entries undone by a take-back are named."""

_MAX_ORDER_COLUMNS = 40
"""The width to which orders are cut if they are only mentioned."""


def summary(game: Game, key: PrivateKey | None, width: int = WIDTH, *, players: bool = True) -> str:
    """The game, edition, players with fingerprints, the side of the key's holder, scenario and deadline."""
    offer = game.offer
    mine = permissions.held_seats(game, key) if key else ()
    log = tr(
        "game {id}, {entries}", id=game.ids[0][:SHOWN_ID_DIGITS], entries=count_entries(len(game.entries))
    )
    lines = [f"{game.rules.title}, {offer.rules}, {describe_edition(game)}; {log}"]
    for name, seat in game.seats.items() if players else ():
        you = f" {tr('(you)')}" if name in mine else ""
        side = game.rules.side(name)
        lines.append(
            f"  {side:name}: {quote_player(seat.name)}{you}  {PublicKey.parse(seat.key).fingerprint}"
        )
        for commander in seat.commanders or ():
            you = f" {tr('(you)')}" if key and PublicKey.parse(commander.key) == key.public else ""
            lines.append(
                f"    {describe_commander(commander)}{you}  {PublicKey.parse(commander.key).fingerprint}"
            )
    if own := own_scenario(game):
        lines.append(f"  {tr('scenario: {text}', text=own.text)}")
    if deadline := agreed_deadline(game):
        agreed = tr(
            "deadline: {deadline}, by the players' own clocks, agreed with the offer",
            deadline=deadline.description,
        )
        lines.append(f"  {agreed}")
    return "\n".join(wrap(line, width, indent=4) for line in lines)


def describe_aims(table: GameState) -> list[str]:
    """The victory conditions and each side's progress; nothing once the game is over."""
    aim = table.rules.view.aim
    return [] if aim is None or table.ending else aim(table.run.state)


def story(
    game: Game,
    key: PrivateKey | None,
    remarks: Mapping[str, str] = MappingProxyType({}),
    width: int = WIDTH,
) -> str:
    """The whole game, entry by entry, and what comes next; `remarks` are about entries, by id."""
    all_remarks = entry_remarks(game, remarks)
    chapters = (
        describe_entry(game, replayed, width, remark=all_remarks.get(replayed.entry.id, ""))
        for replayed in game.replayed_entries
    )
    following = wrap(
        tr("Next: {waiting}", waiting=safe_text(describe_next_duty(game.state))), width, indent=6
    )
    return "\n".join([summary(game, key, width), *chapters, following])


def entry_remarks(game: Game, others: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """Remarks about entries, by id: the `others`, and which orders a take-back has undone."""
    in_force = {play.n: play for play in _plays_in_force(game)}
    remarks = dict(others)
    for entry in game.entries:
        play = in_force.get(entry.body.n)
        if not isinstance(entry.body, Play) or (
            play and bool(play.orders) == (entry.body.orders is not None)
        ):
            continue
        undone = (
            tr("a take-back has undone its orders; the draw it completed remains")
            if play and play.beat
            else tr("a take-back has undone it")
        )
        remarks[entry.id] = "; ".join(filter(None, [remarks.get(entry.id, ""), undone]))
    return remarks


def describe_edition(game: Game) -> str:
    """The edition with the game's options, or the nearest one and the options that are different."""
    nearest, differing = nearest_edition(game)
    if not differing:
        return tr("edition {name}", name=nearest)
    return tr("edition {name} with {options}", name=nearest, options=differing)


def nearest_edition(game: Game) -> tuple[str, str]:
    """The name of the edition with the nearest options, and the options that are different, as typed."""
    options = game.offer.options
    changed = {
        name: {option: value for option, value in options.items() if preset.get(option) != value}
        for name, preset in game.rules.editions.items()
    }
    nearest = min(changed, key=lambda name: len(changed[name]))
    differing = ", ".join(f"{option}={value}" for option, value in changed[nearest].items())
    return nearest, differing


_JOINT = "\u2007"
"""Stands for a blank within a time, which is not to be broken over two lines; nothing else contains it."""


def describe_entry(game: Game, replayed: ReplayedEntry, width: int = WIDTH, *, remark: str = "") -> str:
    """An entry: who wrote what and when, the message to the opponent, and its effect."""
    return "\n".join(entry_paragraphs(game, replayed, width, remark=remark))


def entry_paragraphs(
    game: Game, replayed: ReplayedEntry, width: int = WIDTH, *, remark: str = "", saying: int = 0
) -> list[str]:
    """The paragraphs of an entry: its title, each line of its message, each event.

    The message is quoted line by line, `saying` columns wide, or `width` if that is 0.
    """
    body = replayed.entry.body
    time = "" if body.at is None else time_in_words(datetime.fromisoformat(body.at))
    when = f"  {time.replace(' ', _JOINT)}" if time else ""
    side = game.rules.side(body.by)
    title = wrap(f"{body.n:>3} {side:name}: {describe_deed(game, replayed)}{when}", width, indent=6)
    lines = [title.replace(_JOINT, " ")]
    if remark:
        lines.append(f"      ({remark})")
    if body.say is not None:
        lines += quote_lines(body.say, saying or width)
    return [*lines, *describe_events(game, replayed.events, width)]


HARM = (Struck, Lost)
"""The traces of hits and losses on the map."""


def settles_attack(view: View, tell: Tell) -> bool:
    """Whether an event is the result of an attack, or its effect on a unit."""
    traces = view.traces(tell) if view.traces else []
    return bool(view.combat and view.combat(tell)) or any(isinstance(trace, HARM) for trace in traces)


def harm_facts(view: View, tells: Iterable[Tell]) -> list[Plain]:
    """The facts of the events that `settles_attack`."""
    return [tell.facts for tell in tells if settles_attack(view, tell)]


def describe_events(game: Game, tells: tuple[Tell, ...], width: int = WIDTH) -> list[str]:
    """A paragraph for each event."""
    return [wrap(f"      {safe_text(game.rules.view.story(tell))}", width, indent=8) for tell in tells]


def recent_events(
    game: Game, chapters: Sequence[ReplayedEntry], unlocked: Sequence[Tell], width: int = WIDTH
) -> list[str]:
    """Recent events in short, after the numbers of their entries, and the players' messages.

    Events whose entry is still to be written (`unlocked`) have `now` instead of a number.
    """
    lines: list[str] = []
    for replayed in chapters:
        body = replayed.entry.body
        sentences = [safe_text(game.rules.view.story(tell)) for tell in replayed.events]
        if not sentences and not (isinstance(body, Play) and body.orders is None):
            sentences = [f"{game.rules.side(body.by):name}: {describe_deed(game, replayed)}"]
        lines += _number_lines(str(body.n), sentences, width)
        lines += quote_lines(body.say, width, indent=6) if body.say is not None else []
    now = tr.sense("what is just unlocked", "now")
    return lines + _number_lines(now, [safe_text(game.rules.view.story(tell)) for tell in unlocked], width)


def _number_lines(number: str, sentences: Sequence[str], width: int) -> list[str]:
    """Lines of at most `width` columns, the first with the number."""
    numbers = [number, *[""] * len(sentences)]
    lines = (wrap(f"{n:>4}  {event}", width, indent=8) for n, event in zip(numbers, sentences, strict=False))
    return [line for text in lines for line in text.split("\n")]


def explain_departure(game: Game, unlocked: Sequence[Tell], error: OrderError) -> OrderError:
    """The refusal; for a unit that has left the game, with the entry in which it left.

    `unlocked` are the events that the player's next entry will write into the file.
    """
    if not isinstance(error, Gone):
        return error
    chapters = (
        (tr("{refusal}, in entry {entry}", refusal=error.facts, entry=replayed.entry.body.n), replayed.events)
        for replayed in reversed(game.replayed_entries)
    )
    just = tr("{refusal}, as a result of the latest draw", refusal=error.facts)
    for refusal, tells in [(just, unlocked), *chapters]:
        if any(tell.event == error.event and tell.facts.get("unit") == error.unit for tell in tells):
            return Gone(error.rule, refusal, unit=error.unit, event=error.event)
    return error


def describe_deed(game: Game, replayed: ReplayedEntry, *, shares: bool = True) -> str:
    """What an entry does, in a few words; can be empty without `shares`."""
    body = replayed.entry.body
    match body:
        case Offer():
            return tr("offers {title}", title=game.rules.title)
        case Accept() | Play():
            taken = tr("joins the game") if isinstance(body, Accept) else ""
            share = _describe_share(body, replayed) if shares else ""
            return ", ".join(
                part
                for part in (taken, describe_orders(game, body), *_describe_signers(game, replayed), share)
                if part
            )
        case Propose():
            if body.what.draw:
                return tr("proposes a draw")
            if body.what.retract is not None:
                undone = tr("proposes to take back the orders of entry {entry}", entry=body.what.retract)
            else:
                undone = tr("proposes to undo everything after entry {entry}", entry=body.what.takeback)
            return _describe_undone(game, body, undone)
        case Answer():
            return _describe_answer(game, body)
        case Resign():
            return tr("resigns")


class PlayInForce(NamedTuple):
    """A play that no take-back has undone: its orders, if any are in force, and the beat it completed."""

    n: int
    orders: Play | None
    beat: Beat | None


class _Line(NamedTuple):
    """The plays in force after an entry: the newest, and the line before it, which several entries share."""

    play: PlayInForce
    before: _Line | None


def orders_in_force(game: Game, before: int | None = None) -> list[Play]:
    """The entries with orders that no take-back has undone, oldest first, up to entry `before` if given."""
    return [play.orders for play in _plays_in_force(game, before) if play.orders]


def _plays_in_force(game: Game, before: int | None = None) -> list[PlayInForce]:
    """The plays that no take-back has undone, oldest first; a retracted one keeps its share (FORMAT 12)."""
    line: _Line | None = None
    after: list[_Line | None] = []
    for replayed in game.replayed_entries[:before]:
        body = replayed.entry.body
        if isinstance(body, Play):
            line = _Line(PlayInForce(body.n, body if body.orders is not None else None, replayed.beat), line)
        elif isinstance(body, Answer) and body.accept:
            proposed = game.entries[body.n - 1].body
            assert isinstance(proposed, Propose)
            if (entry := proposed.what.retract) is not None:
                line, retracted = after[entry - 1], after[entry]
                if retracted and retracted.play.n == entry:
                    line = _Line(retracted.play._replace(orders=None), line)
            elif (entry := proposed.what.takeback) is not None:
                line = after[entry]
        after.append(line)
    plays: list[PlayInForce] = []
    while line:
        plays.append(line.play)
        line = line.before
    return plays[::-1]


def describe_redrawn(game: Game, terms: ProposalTerms, before: int | None = None) -> str:
    """The draws that a take-back gives up, because they will be made again; empty if there are none.

    Draws completed by the share of a retracted entry stand (FORMAT 12).
    """
    kept = terms.takeback if terms.retract is None else terms.retract
    if kept is None:
        return ""
    undone = [play.beat.number for play in _plays_in_force(game, before) if play.beat and play.n > kept]
    if not undone:
        return ""
    draws = ", ".join(map(str, undone))
    return tr.plural(
        "draw {draws} will be made again", "draws {draws} will be made again", len(undone), draws=draws
    )


def _describe_undone(game: Game, body: Propose, words: str) -> str:
    """The words about a proposal, with the orders and draws it would undo; a draw offer undoes none."""
    first = body.what.first_undone
    undone = [] if first is None else [play for play in orders_in_force(game, body.n) if play.n >= first]
    orders = [cut(describe_orders(game, play), _MAX_ORDER_COLUMNS) for play in undone]
    plays = [
        f"{play.n} {game.rules.side(play.by):name} ({each})"
        for play, each in zip(undone, orders, strict=True)
    ]
    if more := len(plays[_MAX_UNDONE:]):
        plays[_MAX_UNDONE:] = [tr.plural("and {number} more", "and {number} more", more)]
    redrawn = describe_redrawn(game, body.what, body.n)
    if body.what.retract is not None and len(orders) == 1:
        words = f"{words} ({orders[0]})"  # they name the entry
    elif plays:
        words = f"{words}: {', '.join(plays)}"
    return f"{words}; {redrawn}" if redrawn else words


def describe_proposal(game: Game) -> str:
    """The proposal awaiting an answer, and who made it; empty if there is none."""
    body, proposal = game.entries[-1].body, game.state.proposal
    if not isinstance(body, Propose) or proposal is None:
        return ""
    return _describe_undone(game, body, str(proposal.describe(game.rules)))


def describe_orders(game: Game, body: Accept | Play) -> str:
    """The orders of an entry as typed; sealed ones are not shown (FORMAT 8)."""
    match body.orders:
        case None:
            return ""
        case [{"seal": str(seal)}]:
            return tr("seals its orders as {seal}", seal=seal[:SHOWN_ID_DIGITS])
        case [{"open": {"orders": list(orders)}}]:
            return tr("opens its sealed orders: {orders}", orders=orders_as_typed(game, orders))
        case orders:
            return orders_as_typed(game, orders)


def quote_player(name: str) -> str:
    """A player's name in quotation marks; computer players, who sign as `Practice`, are called `Computer`."""
    return quote_name(tr("Computer") if name == PRACTICE else name)


def describe_commander(commander: Commander) -> str:
    """A commander and their groups, such as `"Graziani" (italian)`."""
    return _with_groups(quote_player(commander.name), commander)


def list_commanders(game: Game) -> str:
    """The commanders besides the seats' players, with their groups, on one line; empty if there are none."""
    return _list_by_side(game, describe_commander)


def commanders_in_file(game: Game) -> str:
    """The commanders in the form used by the head of a file in every release: by the names they sign."""
    return _list_by_side(game, lambda commander: _with_groups(quote_name(commander.name), commander))


def _with_groups(name: str, commander: Commander) -> str:
    return f"{name} ({', '.join(map(safe_text, commander.of))})"


def _list_by_side(game: Game, describe: Callable[[Commander], str]) -> str:
    shared = {
        game.rules.side(seat): taken.commanders for seat, taken in game.seats.items() if taken.commanders
    }
    return "; ".join(
        f"{side:name}: {', '.join(map(describe, commanders))}" for side, commanders in shared.items()
    )


def _describe_signers(game: Game, replayed: ReplayedEntry) -> list[str]:
    """Who signed an entry's orders, if the side is shared (FORMAT 11)."""
    body = replayed.entry.body
    assert isinstance(body, (Accept, Play))
    if body.orders is None or not game.state.commanders.get(body.by):
        return []

    phrases = []
    for hand in orders_by_commander(game, replayed):
        who, by_lead = describe_commander(hand.commander), orders_as_typed(game, hand.in_place)
        match hand.signed, bool(by_lead):
            case None, True:
                phrases.append(tr("by the lead instead of {who}: {orders}", who=who, orders=by_lead))
            case None, False:
                pass
            case [], True:
                phrases.append(
                    tr(
                        "{who} signs without giving orders; the lead orders: {orders}",
                        who=who,
                        orders=by_lead,
                    )
                )
            case [], False:
                phrases.append(tr("{who} signs without giving orders", who=who))
            case _, True:
                phrases.append(tr("signed by {who}; by the lead instead: {orders}", who=who, orders=by_lead))
            case _:
                phrases.append(tr("signed by {who}", who=who))
    return phrases


def orders_as_typed(game: Game, orders: Orders) -> str:
    """Orders as typed, on one line."""
    return "; ".join(map(safe_text, game.rules.view.write_words(orders)))


def describe_own_seals(game: Game, key: PrivateKey | None) -> list[str]:
    """The orders that the holder of this key has sealed and not yet opened; nobody else can read them."""
    computed = [_seal_of(game.entries[n].body) for n in game.state.computed]
    seals = [pair for pair in unopened_seals(game, key) if pair[1] not in computed] if key else []
    return [
        wrap(tr("Sealed by you: {orders}", orders=_describe_seal(game, key, seat, seal)), indent=6)
        for seat, seal in seals
        if key
    ]


def _seal_of(body: Body) -> str:
    """The seal in an entry, or an empty text."""
    match body:
        case Play(orders=[{"seal": str(seal)}]):
            return seal
    return ""


def _describe_seal(game: Game, key: PrivateKey, seat: str, seal: str) -> str:
    """The player's own orders under a seal, or why they cannot be read from the file."""
    try:
        return orders_as_typed(game, seal_contents(game, key, seat, seal)["orders"])
    except FileError as error:
        return safe_text(str(error))


def _describe_share(body: Accept | Play, replayed: ReplayedEntry) -> str:
    """The effect of an entry's share, unless it belongs to the beat its orders complete."""
    if body.beat is None:
        return ""
    completed = replayed.beat is not None and replayed.beat.number == body.beat
    if completed:
        return tr("completes draw {beat}", beat=body.beat)
    return tr("starts draw {beat}", beat=body.beat)


def _describe_answer(game: Game, body: Answer) -> str:
    proposed = game.replayed_entries[body.n - 1].entry.body
    if not body.accept:
        return tr("refuses")
    if isinstance(proposed, Propose) and proposed.what.retract is not None:
        return tr("agrees: the orders of entry {entry} have to be given again", entry=proposed.what.retract)
    if isinstance(proposed, Propose) and proposed.what.takeback is not None:
        return tr(
            "agrees: the game goes back to how it was after entry {entry}", entry=proposed.what.takeback
        )
    return tr("agrees")


def describe_next_duty(table: GameState) -> str:
    """What the game needs next, on one line; if orders, who moves, and the rules' question."""
    if next_duty(table).what == "orders" and (question := table.pending_question):
        return describe_asked(table.rules, question)
    return name_next_duty(table)


def describe_asked(rules: Rules, question: Question) -> str:
    """A question about orders: who moves, and the rules' question."""
    task = capitalized(rules.view.prompt(question))
    return tr("{side} {side:is|are} to move. {task}", side=rules.side(question.seat), task=task)


def next_duty_in_file(table: GameState) -> str:
    """What the game needs next, in the words used by the head of a file in every release (FORMAT 3)."""
    if next_duty(table).what == "orders" and (question := table.pending_question):
        return f"{table.rules.side(question.seat)}: {table.rules.view.prompt(question)}"
    return name_next_duty(table)


def name_next_duty(table: GameState) -> str:
    """What the game needs next, as a clause, such as that a side gives orders."""
    due = next_duty(table)
    if due.what == "share" and due.seat and not table.is_beat_due:
        side = table.rules.side(due.seat)
        return tr("{side} {side:adds its|add their} half of the next draw", side=side)
    return str(due.text)


def journal_csv(game: Game) -> str:
    """The story as CSV for a spreadsheet: a row for each entry, followed by one for each of its events."""
    buffer = io.StringIO()
    table = csv.writer(buffer, lineterminator="\n")
    table.writerow(("entry", "at", "side", "player", "rule", "event", "text", "id"))
    for replayed in game.replayed_entries:
        body = replayed.entry.body
        who = (f"{game.rules.side(body.by):name}", game.seats[body.by].name)
        rows = [("", replayed.entry.kind, describe_deed(game, replayed))]
        rows += [(tell.rule, tell.event, game.rules.view.story(tell)) for tell in replayed.events]
        for row in rows:
            cells = (str(body.n), body.at or "", *who, *row, replayed.entry.id)
            table.writerow([spreadsheet_cell(cell) for cell in cells])
    return buffer.getvalue()


def entry_as_data(game: Game, replayed: ReplayedEntry) -> dict[str, Any]:
    """An entry as data: the entry as signed, and its events."""
    return {
        "id": replayed.entry.id,
        "entry": replayed.entry.raw,
        "deed": describe_deed(game, replayed),
        "events": [{"event": tell.event, "rule": tell.rule, **tell.facts} for tell in replayed.events],
        "story": [game.rules.view.story(tell) for tell in replayed.events],
    }


def game_as_data(game: Game) -> dict[str, Any]:
    """The game as data, with the next duty in the words of its rules."""
    known = facts(game)
    return {**known, "owed": {**known["owed"], "text": describe_next_duty(game.state)}}
