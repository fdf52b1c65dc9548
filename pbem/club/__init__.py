"""A club: the games that lie in some folders, and the standings that every member can make again from them.

`gather` verifies, `counted` says which games count and how each ended, `standings` rates; `sheets`, `summary`
and `pbem.web.club` show it. Nothing here depends on clock, language, or the order of files.
"""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.club.cache import Cache as Cache
    from pbem.club.check import differences as differences
    from pbem.club.check import stated as stated
    from pbem.club.counted import Game as Game
    from pbem.club.counted import Wanted as Wanted
    from pbem.club.gather import BATCH_FILES as BATCH_FILES
    from pbem.club.gather import files_in as files_in
    from pbem.club.judges import judges as judges
    from pbem.club.log import stamp as stamp
    from pbem.club.made import DATA as DATA
    from pbem.club.made import GAMES as GAMES
    from pbem.club.made import PAGE as PAGE
    from pbem.club.made import PAGES as PAGES
    from pbem.club.made import PROBLEMS as PROBLEMS
    from pbem.club.made import STANDINGS as STANDINGS
    from pbem.club.made import Made as Made
    from pbem.club.made import Request as Request
    from pbem.club.made import make_table as make_table
    from pbem.club.made import read as read
    from pbem.club.pairing import paired as paired
    from pbem.club.people import read_members as read_members
    from pbem.club.season import BEGUN as BEGUN
    from pbem.club.season import PLAYED as PLAYED
    from pbem.club.season import Played as Played
    from pbem.club.sheets import overdue as overdue
    from pbem.club.sift import ROOMS as ROOMS
    from pbem.club.sift import reopened as reopened
    from pbem.club.standings import Row as Row
    from pbem.club.standings import Seat as Seat
    from pbem.club.standings import Tally as Tally
    from pbem.club.summary import counts as counts
    from pbem.club.summary import told as told
    from pbem.club.summary import way as way
else:
    __getattr__ = door(__name__)
