"""Mails and games from people nobody here knows, each with their own key and address."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage
from functools import cache
from hashlib import sha256
from pathlib import Path

from pbem.core.requests import Plain
from pbem.correspondence.outbox import entries_by_mail
from pbem.format.entries import Commander
from pbem.format.keys import PrivateKey
from pbem.games.mortain import RULES
from pbem.umpire import write
from pbem.umpire.game_state import Game
from pbem.umpire.verify import open_game
from pbem.umpire.write import Person, Terms
from support import commanders_game
from support.correspondents import Correspondent, begin_game
from support.simulator import SHORT, clock, entropy, file_of, log_of, message

PADDING = b"# nothing that anybody has signed\n"


@cache
def stranger(number: int) -> Person:
    """A stranger, with a key of their own."""
    return Person(f"Eve {number}", PrivateKey(sha256(f"stranger {number}".encode()).digest()))


@cache
def stranger_offer(number: int) -> Game:
    """A stranger's offer."""
    terms = Terms(RULES, dict(SHORT), RULES.scenarios.names[0])
    return write.offer(stranger(number), "german", terms, entropy(f"offer {number}"), claim=clock(None))


def pad_file(data: bytes, size: int) -> bytes:
    """An equivalent file, followed by this many bytes of comments."""
    return data + PADDING * (size // len(PADDING))


def zip_files(*files: bytes) -> bytes:
    """The files in an archive, where padding costs nothing."""
    with io.BytesIO() as data:
        with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
            for number, file in enumerate(files):
                archive.writestr(f"{number}.yaml", file)
        return data.getvalue()


def stranger_mail(number: int, *attached: bytes, name: str = "game.yaml", text: str = "Hello.") -> bytes:
    """A mail by a stranger's pbem with these files, in ASCII whatever their name."""
    message = EmailMessage()
    message["From"], message["To"] = f"eve{number}@example.net", "bruno@example.org"
    message["Subject"] = f"pbem {number}"
    message.set_content(text)
    for data in attached:
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def with_unsigned_words(game: Game) -> bytes:
    """The file of a game with a message added to the last entry after it was signed."""
    log = log_of(game)
    log[-1]["say"] = "words that nobody signed"
    return file_of(log)


def with_entry_out_of_turn(game: Game, player: Correspondent) -> bytes:
    """The file of a game with one more entry that the player has signed out of turn."""
    seat = next(seat for seat in game.seats if seat != game.state.writer)
    assert game.seats[seat].key == str(player.local_player.key.public)
    raw: dict[str, Plain] = {"n": len(game.ids), "by": seat, "kind": "resign", "prev": game.ids[-1]}
    return file_of([*log_of(game), raw | {"sig": player.local_player.key.sign(message(raw))}])


def game_of_strangers(number: int) -> Game:
    """A game between two strangers."""
    return begin_game(stranger(number), stranger(number + 1))


@cache
def game_naming_commander(number: int, key: str) -> Game:
    """A game between two strangers, of whom the first names the holder of a key as commander."""
    leads = stranger(number), stranger(number + 1)
    terms = Terms(commanders_game.RULES, commanders_game.OPTIONS, "alamein")
    who = Commander(name="Bruno", key=key, of=["italian"])
    offered = write.offer(
        Person(leads[0].name, leads[0].key, commanders=(who,)), "axis", terms, entropy(f"{number}")
    )
    return write.accept(offered, leads[1], entropy(f"{number} too"))


def fork_games(own: Game, anna: Correspondent, number: int = 1) -> list[Game]:
    """Entries Anna signs to replace the first entry of her last mail."""
    last = entries_by_mail(own)[-1][0].entry.body.n
    before = open_game(file_of(log_of(own)[:last]))
    words = [write.Claim(say=f"or so {n}") for n in range(number)]
    return [write.resign(before, anna.local_player.key, claim=one) for one in words]


def total_size(*folders: Path) -> int:
    """The total size of all files there, in bytes."""
    return sum(path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file())


def waiting_offers(player: Correspondent) -> list[str]:
    """The ids of a player's open offers."""
    return sorted(player.local_player.offers.ids())
