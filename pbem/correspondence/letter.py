"""The letter: the text of a mail that carries a game, for a reader on a telephone.

The first screen says whose move it is, what to decide and how to answer. Then come the opponent's message and
the news, the map if there is something to decide, and the other commands. It knows no particular game: the
rules' view describes events, and their legend has the map and the turn. It is in its reader's language, or in
two if that is unknown (see `Contacts.languages`), with the map only once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from pbem import __version__
from pbem.base.system import IN_BROWSER, SITE
from pbem.core.requests import Tell
from pbem.core.sentences import capitalized
from pbem.core.traces import Rolled
from pbem.correspondence.letter_layout import (
    COLUMNS,
    LetterLine,
    Paragraph,
    as_plain_text,
    map_paragraphs,
    table_paragraph,
    text_paragraph,
)
from pbem.correspondence.outbox import entries_by_mail, thread
from pbem.format.entries import Body
from pbem.mail import armour
from pbem.mail.extract_reply import PBEM_TAG
from pbem.player.status import describe_afterwards, describe_deadline, pending_question
from pbem.render.safe_text import quote_lines as quoted_words
from pbem.render.safe_text import safe_text, wrap
from pbem.render.story import describe_aims, describe_deed, describe_next_duty, list_commanders, quote_player
from pbem.texts import LANGUAGES, Texts, speaking, spoken
from pbem.umpire.game_facts import INVITATION, SHORT_ID_DIGITS, count_entries, file_name
from pbem.umpire.game_state import Beat, Game, GameState, ReplayedEntry
from pbem.umpire.next_duty import next_duty
from pbem.umpire.offered_scenario import own_scenario

tr = Texts("pbem")

T = TypeVar("T")

SIGNATURE = "-- "
"""The line from which mail programs drop everything in a reply (RFC 3676, 4.3)."""


def subject(game: Game) -> str:
    """The subject. It has no words and never changes, so that mail programs keep a game in one thread."""
    return safe_text(f"{PBEM_TAG} {game.rules.title} {game.ids[0][:SHORT_ID_DIGITS]}")


def letter(
    game: Game,
    *,
    languages: Sequence[str] = (),
    picture: bool = True,
    part: bool = False,
    again: bool = False,
    get_it: str = "",
) -> str:
    """The letter with a game's newest entries as plain text; `picture`: with the map.

    The other arguments are those of `letter_paragraphs`.
    """
    return as_plain_text(
        letter_paragraphs(game, languages=languages, picture=picture, part=part, again=again, get_it=get_it)
    )


def body(
    game: Game, data: bytes, *, languages: Sequence[str] = (), again: bool = False, get_it: str = ""
) -> str:
    """The letter, and below a signature line the file `data` as an armoured block."""
    advice = "\n".join(
        wrap(paragraph, COLUMNS) for paragraph in in_each_language(languages, _advice_without_attachment)
    )
    words = letter(game, languages=languages, again=again, get_it=get_it)
    return f"{words}\n{SIGNATURE}\n{advice}\n\n{armour.enclose(data)}"


def _advice_without_attachment() -> str:
    return tr(
        "If nothing is attached, save this mail as a text file and give that to pbem: the block "
        "below contains the game."
    )


def in_each_language(languages: Sequence[str], say: Callable[[], T]) -> list[T]:
    """Call `say` in each of the languages; if there are none, in the player's own."""
    results = []
    for language in languages or (spoken(),):
        with speaking(language):
            results.append(say())
    return results


def segment_file_name(game: Game) -> str:
    """The file name of an attachment with only the newest entries (FORMAT 10), numbered by the last."""
    return f"{file_name(game).removesuffix('.yaml')}-{len(game.entries) - 1}.txt"


def segment_attachment(game: Game, data: bytes, languages: Sequence[str] = ()) -> str:
    """The content of that attachment: the entries as an armoured block, and what to do with it."""
    name = segment_file_name(game)
    instructions = in_each_language(
        languages, lambda: tr("New entries of a game: pbem show {file}", file=name)
    )
    return "\n".join([*instructions, "", armour.enclose(data)])


def letter_paragraphs(
    game: Game,
    *,
    languages: Sequence[str] = (),
    picture: bool = True,
    part: bool = False,
    most: int | None = None,
    again: bool = False,
    get_it: str = "",
) -> list[Paragraph]:
    """The paragraphs of the letter with a game's newest entries in each language, the first with the map.

    Without languages, in the player's own. `part`: only the newest entries are attached. `most` is the number
    of lines that describe an entry (None: all). `again`: the mail repeats one that might be lost. `get_it` is
    the web page where somebody who is offered a game can get pbem.
    """
    writer = game.replayed_entries[-1].entry.body.by
    mapped = picture and needs_map(game)
    first, *others = languages or (spoken(),)
    with speaking(first):
        result = list(_paragraphs_in_language(game, writer, get_it, mapped=mapped, part=part, most=most))
        result[1:1] = [text_paragraph(_reminder())] if again else []
    for language in others:
        with speaking(language):
            result += _paragraphs_in_language(game, writer, get_it, mapped=False, part=part, most=most)
    if others:
        result[0] = Paragraph((*result[0].lines, LetterLine(other_languages_note(others))))
    return result


def _reminder() -> str:
    return tr(
        "This is a reminder, because nothing has arrived from you. If you have the previous mail, "
        "ignore this one. If you have already answered, your answer was lost; pbem will mail it "
        "again."
    )


def other_languages_note(languages: Sequence[str]) -> str:
    """The note that the letter follows in these languages, for readers who do not know the first one."""
    return f"({', '.join(LANGUAGES[language] for language in languages)} below)"


def _paragraphs_in_language(
    game: Game, writer: str, get_it: str, *, mapped: bool, part: bool, most: int | None
) -> Iterator[Paragraph]:
    """The letter in the current language."""
    attached = segment_file_name(game) if part else file_name(game)
    is_offer = next_duty(game.state).what == "accept"
    yield _invitation(game, attached, get_it) if is_offer else text_paragraph(_headline(game, writer))
    yield text_paragraph(_heading(game, writer))
    waits = pending_question(game, None)
    if reminder := describe_deadline(waits, game.rules.side(waits.clock_of)):
        yield text_paragraph(reminder)
    if not is_offer:
        yield from _how_to_answer(game, writer, attached)
    yield from quote_messages(game, entries_by_mail(game)[-1], writer)
    yield from _scenario(game)
    yield from _commanders(game)
    yield from _introduction(game)
    yield from _news(game, most)
    if mapped:
        yield from map_paragraphs(game, game.state)
    yield from _other_commands(game, writer, attached)
    yield text_paragraph(_verification_note(game))


def _headline(game: Game, writer: str) -> str:
    """The first line: whose move it is, and what to decide."""
    duty = next_duty(game.state)
    if duty.seat is None:
        return _describe_result(game)
    if duty.what == "accept":
        return tr(
            "{player} invites you to play {title}. You would play {side}.",
            player=player_name(game, writer),
            title=game.rules.title,
            side=game.rules.side(duty.seat),
        )
    if duty.seat == writer:
        return tr("{player} is still to move. You have nothing to do yet.", player=player_name(game, writer))
    return tr(
        "Your move, {player}. {what}.",
        player=player_name(game, duty.seat),
        what=capitalized(_describe_duty(game)),
    )


def _describe_result(game: Game) -> str:
    """Who has won, and why."""
    ending = game.state.ending
    assert ending is not None
    if ending.winner:
        return tr(
            "The game is over: {side} {side:wins|win} ({reason}).",
            side=game.rules.side(ending.winner),
            reason=ending.reason,
        )
    return tr("The game is over: a draw ({reason}).", reason=ending.reason)


def _describe_duty(game: Game) -> str:
    match next_duty(game.state).what:
        case "share":
            return tr("add your half of the draw")
        case "opening":
            return tr("open your sealed orders")
        case "sealing":
            return tr("let pbem seal an order for you")
    return next_question(game.state)


def next_question(table: GameState) -> str:
    """The question to the player who writes next; if it asks for orders, without the name of the seat."""
    if next_duty(table).what == "orders" and table.pending_question:
        return table.rules.view.prompt(table.pending_question)
    return describe_next_duty(table)


def _heading(game: Game, writer: str) -> str:
    """The number of this mail, and its game."""
    turn = _turn(game)
    facts = {
        "title": game.rules.title,
        "game": game.ids[0][:SHORT_ID_DIGITS],
        "number": thread(game).number,
        "player": player_name(game, writer),
        "side": game.rules.side(writer),
    }
    if not turn:
        return tr("{title} (game {game}), mail {number}, from {player} ({side:name}).", **facts)
    return tr(
        "{title} (game {game}), turn {turn}, mail {number}, from {player} ({side:name}).", turn=turn, **facts
    )


def _turn(game: Game) -> str:
    """The turn, and the number of turns; empty if the rules have none."""
    legend = game.rules.view.legend(game.state.run.state)
    return dict(legend.figures).get(legend.turn, "")


def quote_messages(game: Game, chapters: Sequence[ReplayedEntry], writer: str) -> Iterator[Paragraph]:
    """The messages of a seat's player in some entries."""
    words = [
        replayed.entry.body.say
        for replayed in chapters
        if replayed.entry.body.say and replayed.entry.body.by == writer
    ]
    if words:
        lines = (line.strip() for say in words for line in quoted_words(say, COLUMNS, 2))
        says = tr("{player} says:", player=player_name(game, writer))
        yield Paragraph((LetterLine(says), *(LetterLine(line, 2, 2) for line in lines)))


def _invitation(game: Game, attached: str, get_it: str) -> Paragraph:
    """All that somebody who is offered a game needs, on the first screen: six lines, the command last."""
    player = player_name(game, game.offer.by)
    if IN_BROWSER:
        return _invitation_to_site(game, attached) if SITE else _invitation_in_one_file(game)
    lines = [
        _headline(game, game.offer.by),
        tr("It is a board wargame for two, by mail. The attached file is the game."),
        tr("The program, pbem.html, needs no installing: {page}", page=get_it)
        if get_it
        else tr(
            "The program, pbem.html, needs no installing: ask {player} for it.",
            player=player,
        ),
    ]
    if mails := game.rules.view.mails:
        lines.append(
            tr("A game takes about {number} mails; pbem writes many of them by itself.", number=mails)
        )
    lines.append(tr("Save {attached}; drop it on pbem.html, or type in its folder:", attached=attached))
    return Paragraph((*map(LetterLine, lines), LetterLine(f"pbem join {file_name(game)}", 2, 4)))


def _invitation_in_one_file(game: Game) -> Paragraph:
    """The invitation by a player in a browser, who attaches the browser edition with the offer in it."""
    lines = [
        _headline(game, game.offer.by),
        tr("It is a board wargame for two, by mail. Attached is the game with the program to play it."),
        tr("Save {file} and open it in your browser. Type your name, and play.", file=INVITATION),
        tr("Nothing is installed, and only you send anything."),
    ]
    return Paragraph(tuple(map(LetterLine, lines)))


def _invitation_to_site(game: Game, attached: str) -> Paragraph:
    """The invitation by a player whose pbem comes from a web server, where the reader gets it too."""
    lines = [
        _headline(game, game.offer.by),
        tr("It is a board wargame for two, by mail. The attached file is the game."),
        tr("Save {attached} and open {page} in your browser.", attached=attached, page=SITE),
        tr("Choose the file there, type your name, and play."),
        tr("Nothing is installed, and only you send anything."),
    ]
    return Paragraph(tuple(map(LetterLine, lines)))


def _introduction(game: Game) -> Iterator[Paragraph]:
    """The introduction in an offer: how the game is won, where its rules are."""
    if next_duty(game.state).what != "accept":
        return
    if won := describe_aims(game.state):
        yield Paragraph((LetterLine(tr("How to win:")), *(LetterLine(f"- {line}", 2, 4) for line in won)))
    yield text_paragraph(tr("How to play: pbem rules {name}", name=game.rules.called))


def _scenario(game: Game) -> Iterator[Paragraph]:
    """The note that the scenario is the offerer's own, where it is, and what it changes (FORMAT 4)."""
    if scenario := own_scenario(game):
        yield text_paragraph(tr("The scenario is {told}", told=scenario.text))


def _commanders(game: Game) -> Iterator[Paragraph]:
    """The commanders, and what each commands, if a side is shared (FORMAT 11)."""
    if commanders := list_commanders(game):
        yield text_paragraph(tr("Commanders: {told}.", told=commanders))


def _news(game: Game, most: int | None) -> Iterator[Paragraph]:
    """The news of the mail, entry by entry."""
    first, *_ = newest = entries_by_mail(game)[-1]
    begins = first.entry.body.n == 0
    since = tr("What happens:") if begins else tr("What has happened since your last mail:")
    yield Paragraph(
        (LetterLine(since), *(line for replayed in newest for line in _entry_lines(game, replayed, most)))
    )
    yield from list_rolls(game, [tell for replayed in newest for tell in replayed.events], most)


def list_rolls(game: Game, tells: Sequence[Tell], most: int | None) -> Iterator[Paragraph]:
    """The dice rolled in some events, as a table, and how many more rolls there are than `most`."""
    rolls = [roll for tell in tells for roll in _rolls_of(game, tell)]
    if not rolls:
        return
    yield table_paragraph(tr("The dice, with what they were for:"), list(map(_roll_as_row, rolls[:most])))
    if more := len(rolls) - len(rolls[:most]):
        yield text_paragraph(_more_lines(game, more))


def _rolls_of(game: Game, tell: Tell) -> list[Rolled]:
    """The roll in an event, if it is one, in a game without a map."""
    traces = game.rules.view.traces
    return [trace for trace in traces(tell) if isinstance(trace, Rolled)] if traces else []


def _roll_as_row(roll: Rolled) -> tuple[str, str, str]:
    """The sum, the faces if there are several dice, and what they were for, who rolled, and which dice."""
    several = len(roll.faces) > 1 or bool(roll.total)
    made = f"{roll.side}, {roll.dice}"
    return (
        roll.total or ("" if several else roll.faces[0]),
        " ".join(roll.faces) if several else "",
        f"{roll.purpose} ({made})" if roll.purpose else made,
    )


def _entry_lines(game: Game, replayed: ReplayedEntry, most: int | None) -> Iterator[LetterLine]:
    """An entry: who did what, the draws it brought, and the events, in at most `most` lines each."""
    yield entry_line(game, replayed, most)
    if replayed.beat and replayed.beat.draws:
        yield LetterLine(_describe_draws(game, replayed.beat), 6, 8)
    yield from event_lines(game, replayed.events, most)


def entry_line(game: Game, replayed: ReplayedEntry, most: int | None) -> LetterLine:
    """The number of an entry, who wrote it and what they did, in at most `most` lines of plain text."""
    entry: Body = replayed.entry.body
    what = describe_deed(game, replayed, shares=False) or tr("adds the other half of the draw")
    if most and len(what) > most * COLUMNS:
        what = f"{what[: most * COLUMNS].rpartition(';')[0]}; ... (pbem log {file_name(game)})"
    return LetterLine(
        f"{entry.n}. {player_name(game, entry.by)} ({game.rules.side(entry.by):name}): {what}", 2, 6
    )


def event_lines(game: Game, tells: Sequence[Tell], most: int | None) -> Iterator[LetterLine]:
    """Events except rolls, one per line, and how many more there are than `most`."""
    told = [tell for tell in tells if not _rolls_of(game, tell)]  # rolls have their own table
    events = told[:most]
    for tell in events:
        yield LetterLine(f"- {game.rules.view.story(tell)}", 6, 8)
    if more := len(told) - len(events):
        yield LetterLine(_more_lines(game, more), 6, 8)


def _more_lines(game: Game, more: int) -> str:
    """Where to find the lines for which the letter has no room."""
    log = f"pbem log {file_name(game)}"
    return tr.plural("({number} line more: {log})", "({number} lines more: {log})", more, log=log)


def _describe_draws(game: Game, beat: Beat) -> str:
    """The results of draws, and the note that nobody could choose them."""
    outcomes = ", ".join(game.rules.view.drawn([draw.outcome]) for draw in beat.draws)
    return tr("Drawn: {outcomes} (verified: made from both players' secrets)", outcomes=outcomes)


def _verification_note(game: Game) -> str:
    """The note that the sender's program has checked the file, and how the reader can check it too."""
    return tr(
        "pbem {version} verified this before sending it: {entries}, every signature and order, and "
        "{draws}. To check it again: pbem verify {file}",
        version=__version__,
        entries=count_entries(len(game.entries)),
        draws=tr.plural("{number} draw", "{number} draws", sum(len(beat.draws) for beat in game.state.beats)),
        file=file_name(game),
    )


def needs_map(game: Game) -> bool:
    """Whether to include the map: if the reader has something to decide, and at the end of a game."""
    duty = next_duty(game.state)
    return (
        duty.what in ("orders", "answer", "accept", "nothing")
        and duty.seat != game.replayed_entries[-1].entry.body.by
    )


def _how_to_answer(game: Game, writer: str, attached: str) -> Iterator[Paragraph]:
    """The commands for a reader who is to move, or wants to see the game; `attached` is their file."""
    duty, file = next_duty(game.state), file_name(game)
    if duty.seat is None:
        return
    answers = duty.seat != writer
    commands = _commands_to_answer(duty.what if answers else "wait")
    typed = [f"pbem {command.format(file)}" for command in commands]
    if attached != file:  # the reader's program has shown that it sends mail itself
        head = tr("To answer, type:") if answers else tr("To see it, type:")
        typed = ["pbem mail fetch", *typed]
    elif answers:
        head = tr("To answer, save {attached} and type in its folder:", attached=attached)
    else:
        head = tr("To see it, save {attached} and type in its folder:", attached=attached)
    yield _list_commands(head, *typed)


def _other_commands(game: Game, writer: str, attached: str) -> Iterator[Paragraph]:
    """The reader's other commands, one per line, including those for reading mail without pbem."""
    duty, file = next_duty(game.state), file_name(game)
    if duty.what == "nothing":
        typed = describe_afterwards(game, [game.state.opponent(writer)], file)
        yield Paragraph((LetterLine(tr("What you can do now:")), *(LetterLine(line, 2, 4) for line in typed)))
    elif duty.what == "accept" and duty.seat != writer:
        yield text_paragraph(
            tr("To look at the game first: {command}", command=f"pbem show {file}"),
            tr(
                "If you have not set up mail in pbem, reply to this mail with the updated {file} attached.",
                file=file,
            ),
        )
    else:
        orders = [tr("What you can order: {command}", command=f"pbem moves {file}")]
        view = [tr("To see the game: {command}", command=f"pbem show {file}")]
        lines = [*(orders if duty.what == "orders" else ()), *view] if duty.seat != writer else []
        yield Paragraph(
            tuple(LetterLine(line, 0, 2) for line in [*lines, _advice_without_fetch(file, attached)])
        )


def _advice_without_fetch(file: str, attached: str) -> str:
    """The commands for a reader who saves the attachment."""
    if attached == file:
        return tr("If pbem fetches your mail, type pbem mail fetch instead of saving the file.")
    return tr(
        "If you do not use pbem mail fetch, save the attached {attached} and type its name instead "
        "of {file} until you have moved.",
        attached=attached,
        file=file,
    )


def _commands_to_answer(what: str) -> list[str]:
    """The commands that do the next duty `what`, each with a placeholder for the file.

    `move` asks for orders if there are any to give, and otherwise adds the due share or opening.
    """
    match what:
        case "answer":
            return ["answer {} yes", "answer {} no", "mail send {}"]
        case "orders" | "share" | "opening" | "sealing":
            return ["move {}", "mail send {}"]
    return ["show {}"]


def player_name(game: Game, seat: str) -> str:
    """The name of a seat's player; for a free seat, its side."""
    return quote_player(game.seats[seat].name) if seat in game.seats else str(game.rules.side(seat))


def _list_commands(words: str, *commands: str) -> Paragraph:
    return Paragraph((LetterLine(words), *(LetterLine(command, 2, 4) for command in commands)))
