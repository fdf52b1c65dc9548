"""The state of a game for a player: what is new, what is asked, until when; in data, and in sentences."""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.desk.situation.asked import waits_for as waits_for
    from pbem.desk.situation.calendar import reminder as reminder
    from pbem.desk.situation.calendar import to_ics as to_ics
    from pbem.desk.situation.listing import Listed as Listed
    from pbem.desk.situation.listing import at_a_glance as at_a_glance
    from pbem.desk.situation.listing import listed as listed
    from pbem.desk.situation.listing import offered as offered
    from pbem.desk.situation.telling import afterwards as afterwards
    from pbem.desk.situation.telling import asks as asks
    from pbem.desk.situation.telling import beside as beside
    from pbem.desk.situation.telling import came_back as came_back
    from pbem.desk.situation.telling import clock as clock
    from pbem.desk.situation.telling import deadline as deadline
    from pbem.desk.situation.telling import drafts as drafts
    from pbem.desk.situation.telling import is_overdue as is_overdue
    from pbem.desk.situation.telling import remarked as remarked
    from pbem.desk.situation.telling import stamp as stamp
    from pbem.desk.situation.telling import waited as waited
    from pbem.desk.situation.telling import waiting as waiting
    from pbem.desk.situation.telling import what_next as what_next
    from pbem.desk.situation.telling import wishes as wishes
    from pbem.desk.situation.telling import wishes_as_data as wishes_as_data
    from pbem.desk.situation.whole import Remark as Remark
    from pbem.desk.situation.whole import Situation as Situation
    from pbem.desk.situation.whole import is_over_unseen as is_over_unseen
    from pbem.desk.situation.whole import news as news
    from pbem.desk.situation.whole import of_the_file as of_the_file
    from pbem.desk.situation.whole import situation as situation
else:
    __getattr__ = door(__name__)
