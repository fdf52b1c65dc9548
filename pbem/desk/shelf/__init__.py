"""The home's record of each game: its logs, the entries that have left, and the relation of other files."""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.desk.shelf.backup import decrypt as decrypt
    from pbem.desk.shelf.backup import encrypt as encrypt
    from pbem.desk.shelf.backup import is_backup as is_backup
    from pbem.desk.shelf.backup import pack as pack
    from pbem.desk.shelf.backup import read_backup as read_backup
    from pbem.desk.shelf.backup import restore_home as restore_home
    from pbem.desk.shelf.backup import unpack as unpack
    from pbem.desk.shelf.doubles import forks as forks
    from pbem.desk.shelf.doubts import doubtful as doubtful
    from pbem.desk.shelf.handed import Way as Way
    from pbem.desk.shelf.head import Head as Head
    from pbem.desk.shelf.head import compare_head as compare_head
    from pbem.desk.shelf.log import Kept as Kept
    from pbem.desk.shelf.log import LogLine as LogLine
    from pbem.desk.shelf.looked import Looked as Looked
    from pbem.desk.shelf.offers import Shown as Shown
    from pbem.desk.shelf.page import written as written
    from pbem.desk.shelf.passphrase import check_passphrase as check_passphrase
    from pbem.desk.shelf.passphrase import propose_passphrase as propose_passphrase
    from pbem.desk.shelf.posted import Fate as Fate
    from pbem.desk.shelf.posted import Posted as Posted
    from pbem.desk.shelf.posted import refused as refused
    from pbem.desk.shelf.posted import was_refused as was_refused
    from pbem.desk.shelf.relation import Relation as Relation
    from pbem.desk.shelf.relation import parting as parting
else:
    __getattr__ = door(__name__)
