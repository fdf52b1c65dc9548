"""Commanders: `orders` drafts a commander's orders for the lead, and `move` joins drafts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.base.files import write_atomically
from pbem.cli.arguments import FileBeforeOrders, Newest, complete_with, report_errors_at
from pbem.cli.command_groups import commands
from pbem.cli.legal_moves import read_setup_orders
from pbem.cli.prompt_session import ask_commander
from pbem.cli.session import confirm_address, local_player, open_file, remember_players, split_off_game
from pbem.cli.terminal import is_interactive, put, put_stderr
from pbem.core.requests import Orders, Plain
from pbem.core.rules import Rules
from pbem.correspondence import commander_mail
from pbem.correspondence.contacts import Contacts
from pbem.correspondence.examiner import Examiner
from pbem.errors import FileError, IllegalOrder, NotYourMove, OrderError
from pbem.format.document import Draft, draft_bytes, is_draft, parse_draft
from pbem.format.entries import Commander
from pbem.format.keys import PublicKey
from pbem.mail.settings import settings_to_send
from pbem.player.clock import now
from pbem.player.commanders import (
    PROGRAM_NAME,
    arrival_time,
    commands_units,
    is_same_draft,
    practice_commander,
    save_own_draft,
    sign_practice_draft,
    waiting_drafts,
)
from pbem.player.local_player import LocalPlayer
from pbem.player.order_reader import OrderReader
from pbem.player.order_sheet import PASS, own_orders
from pbem.render.safe_text import quote_path, safe_text
from pbem.render.story import describe_commander, orders_as_typed, quote_player
from pbem.texts import Texts
from pbem.umpire.drafts import (
    CommanderSeat,
    check_and_sign_draft,
    commander_question,
    find_commander_seat,
    join_drafts,
    missing_commanders,
    orders_within_command,
    verify_draft,
)
from pbem.umpire.game_facts import SHORT_ID_DIGITS
from pbem.umpire.game_state import Game, GameState

if TYPE_CHECKING:
    pass

tr = Texts("pbem")

app = commands()


@app.command()
def orders(
    file: FileBeforeOrders = "",
    given: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="order…",
            help="Such as 'move Ari-A 1306', or pass.",
            autocompletion=complete_with("orders"),
        ),
    ] = None,
    setup: Annotated[
        str,
        typer.Option(
            "--setup", metavar="NAME|FILE", help="Place your counters as in this ready-made set-up."
        ),
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="OUT", help="The draft to write.", show_default=False),
    ] = None,
    send: Annotated[bool, typer.Option("--send", help="Mail the draft to your lead.")] = False,
    to: Annotated[
        str, typer.Option("--to", metavar="ADDRESS", help="Your lead's address; pbem remembers it.")
    ] = "",
    newest: Newest = False,
) -> None:
    """Draft orders for the units you command, and sign them; then mail the file to your lead.

    At a terminal, pbem asks for your orders one at a time if you give none.

    Example: pbem orders rommel.yaml "move Ari-A 1306"
    """
    player = local_player()
    named, words = split_off_game(player, file, *(given or []))
    opened = open_file(player, named)
    game = opened.game
    at = find_commander_seat(game, player.public_key)
    if at is None:
        raise NotYourMove(
            tr("you do not command any units in this game"),
            hint=tr("to move: {command}", command=f"pbem move {quote_path(opened.typed)}"),
        )
    _store_game(player, game, opened.data, newest)
    lines = [*(read_setup_orders(player, setup) if setup else []), *words]
    plain = _commander_orders(player, game, at, lines, opened.typed, ready_made=bool(setup))
    if plain is None:
        again = f"pbem orders {quote_path(opened.typed)}"
        put(tr("Nothing was signed. To continue: {command}", command=again))
        return
    made = check_and_sign_draft(game, player.key, plain)
    place = out or save_own_draft(player, game, made, Path())
    if out:
        write_atomically(out, draft_bytes(made), private=True)
    remember_players(player, game)
    lead = quote_player(game.seats[at.seat].name)
    put(tr("Signed by you: {orders}", orders=orders_as_typed(game, made.part.orders) or tr("no orders")))
    if not send:
        told = tr("Mail {file} to {player}, who types:", file=safe_text(str(place)), player=lead)
        put(f"{told}\n  pbem move {game.ids[0][:SHORT_ID_DIGITS]} --with {quote_path(place.name)}")
        return

    settings = settings_to_send(player.home)
    command = f"pbem orders {quote_path(opened.typed)} --send"
    contact = confirm_address(
        Contacts(player), commander_mail.lead_contact(player, game, at), to, command, opened.typed
    )
    commander_mail.send_draft(player, settings, game, at, draft_bytes(made), contact, now())
    put(tr("Sent to {mailbox}.", mailbox=contact.mailbox))


def _commander_orders(
    player: LocalPlayer, game: Game, at: CommanderSeat, lines: list[str], file: str, *, ready_made: bool
) -> Orders | None:
    """A commander's orders, as typed or from the prompt; None if they quit it. Raises `OrderError`."""
    asked = commander_question(game, at)
    if lines:
        lines = OrderReader(game, asked).read(lines)
        plain = game.rules.view.read_words(asked, lines)
        return orders_within_command(game, at, plain) if ready_made else own_orders(game, at, lines, plain)
    if is_interactive():
        return ask_commander(player, game, at)
    nothing = (*Texts(game.rules.package).typed(PASS), PASS)[0]
    hint = tr(
        "to see the orders you can give: {command}. To give none: {nothing}",
        command=f"pbem moves {quote_path(file)}",
        nothing=nothing,
    )
    raise OrderError(tr("there are no orders yet"), hint=hint)


def _store_game(player: LocalPlayer, game: Game, data: bytes, newest: bool) -> None:
    """Store the commander's game, unless it is older than their own copy. Raises `StorageError`."""
    new = newest or player.store.look_up(game.ids[0]) is None
    player.record(game, data, new=new)


def read_drafts(player: LocalPlayer, places: Sequence[str]) -> list[Draft]:
    """The drafts in files, which can be mails that contain them. Raises `FileError`."""
    return [signed_draft for place in places for signed_draft in _read_drafts_in(player, Path(place))]


def _read_drafts_in(player: LocalPlayer, place: Path) -> list[Draft]:
    data = player.read(place)
    if is_draft(data):
        try:
            return [parse_draft(data)]
        except FileError as error:
            raise FileError(str(error), where=str(place)) from None

    with Examiner(player.home) as examiner:
        drafts = [signed_draft for mail in examiner.examine_file(place).mails for signed_draft in mail.drafts]
    if not drafts:
        raise FileError(tr("this is not a commander's draft"), where=str(place))
    return drafts


def combine_with_drafts(
    player: LocalPlayer, game: Game, table: GameState, drafts: Sequence[Draft], own: Orders, *, give_way: bool
) -> tuple[Orders, list[dict[str, Plain]]]:
    """Join drafts and the lead's own orders into one list. Returns it with the signed parts.

    Notes whose drafts are used and whose are missing. With `give_way`, the lead's orders are a ready-made
    set-up, without the units that drafts place. Raises `DraftRefused`, `OrderError`.
    """
    for signed_draft in drafts:
        commander = verify_draft(game, table, signed_draft)
        words = orders_as_typed(game, signed_draft.part.orders) or tr("no orders")
        put_stderr(
            tr("note: {commander} signs: {orders}", commander=describe_commander(commander), orders=words)
        )
    ours = sign_practice_draft(game, table, player, own)
    if ours:
        words = orders_as_typed(game, ours.part.orders) or tr("no orders")
        put_stderr(tr("note: the computer signs: {orders}", orders=words))
        drafts = [*drafts, ours]
    _note_missing(player, game, table, drafts)
    if not drafts:
        return own, []
    if give_way:
        placed = {
            unit
            for signed_draft in drafts
            for order in signed_draft.part.orders
            for unit in order.get("place", ())
        }
        own = [_without_units(order, placed) for order in own]
    try:
        return join_drafts(game, table, drafts, own)
    except IllegalOrder:
        if ours is None or not ours.part.orders or commands_units(game, own):
            raise
        return join_drafts(game, table, drafts, [])  # the computer's orders replace a pass


def _without_units(order: Plain, placed: set[str]) -> Plain:
    """A placement without the units somebody else has placed."""
    if "place" not in order:
        return order
    return {"place": {unit: at for unit, at in order["place"].items() if unit not in placed}}


def _note_missing(player: LocalPlayer, game: Game, table: GameState, drafts: Sequence[Draft]) -> None:
    """Note whose drafts are missing, and which drafts have arrived but are not used."""
    left_out = [
        (place, signed_draft)
        for place, signed_draft in waiting_drafts(player, game, Path())
        if not any(is_same_draft(signed_draft, given) for given in drafts)
    ]
    taken = {signed_draft.part.by for signed_draft in drafts}
    for place, other in left_out:
        told = {"file": place, "time": arrival_time(place), "option": f"--with {quote_path(place)}"}
        if other.part.by in taken:
            put_stderr(tr("note: {file}, received {time}, is another draft from the same commander", **told))
        else:
            put_stderr(
                tr("note: there is a draft in {file}, received {time}: to use it, add {option}", **told)
            )
    for absent in missing_commanders(game, table, [*drafts, *(signed_draft for _, signed_draft in left_out)]):
        put_stderr(
            tr(
                "note: no draft from {commander} has arrived, so you give those orders",
                commander=describe_commander(absent),
            )
        )


def parse_commanders(player: LocalPlayer, rules: Rules, given: Sequence[str]) -> tuple[Commander, ...]:
    """The commanders in `--commander GROUPS=WHO`; WHO is a file with a key, a key, or a known address."""
    return tuple(_parse_commander(player, rules, option) for option in given)


def _parse_commander(player: LocalPlayer, rules: Rules, given: str) -> Commander:
    groups, sign, who = given.partition("=")
    of = [group.strip().lower() for group in groups.split(",") if group.strip()]
    if not (sign and of and who.strip()):
        problem = tr("'{found}' is not GROUP=WHO, such as italian=graziani.pub", found=given)
        raise typer.BadParameter(problem, param_hint="--commander")
    if rules.sharing.groups and (unknown := next((group for group in of if group not in _groups(rules)), "")):
        expected = ", ".join(_groups(rules))
        problem = tr("must be {expected}, not '{found}'", found=unknown, expected=expected)
        raise typer.BadParameter(problem, param_hint="--commander")
    key, name = _key_and_name(player, who.strip())
    return Commander(name=name or of[0].capitalize(), key=str(key), of=of)


def _groups(rules: Rules) -> list[str]:
    return [group for groups in rules.sharing.groups.values() for group in groups]


def _key_and_name(player: LocalPlayer, who: str) -> tuple[PublicKey, str]:
    """A key and its holder's name: from a file or mail, as typed, or for a known address."""
    if who == PROGRAM_NAME:
        return practice_commander(player).key.public, PROGRAM_NAME.capitalize()
    text, stem = who, ""
    if Path(who).is_file():
        text, stem = player.read(Path(who)).decode(errors="replace"), Path(who).stem
    elif "@" in who and not who.startswith("ssh-"):
        text, stem = Contacts(player).key_and_name_at(who)
    words = text.split()
    for number, word in enumerate(words):
        if word == "ssh-ed25519" and number + 1 < len(words):
            with report_errors_at("--commander"):
                key = PublicKey.parse(f"{word} {words[number + 1]}")
            return key, stem
    problem = tr(
        "'{found}' contains no key: give the key that {command} prints, or a file with it",
        found=who,
        command="pbem key",
    )
    raise typer.BadParameter(problem, param_hint="--commander")
