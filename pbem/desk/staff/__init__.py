"""Those who order beside the player: the commanders of his side, and the program."""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.desk.staff.drafts import came as came
    from pbem.desk.staff.drafts import draft_name as draft_name
    from pbem.desk.staff.drafts import is_same as is_same
    from pbem.desk.staff.drafts import keep_draft as keep_draft
    from pbem.desk.staff.drafts import keep_own as keep_own
    from pbem.desk.staff.drafts import waiting as waiting
    from pbem.desk.staff.lead import NAME as NAME
    from pbem.desk.staff.lead import Staff as Staff
    from pbem.desk.staff.lead import names_units as names_units
    from pbem.desk.staff.lead import persons as persons
    from pbem.desk.staff.lead import staff as staff
    from pbem.desk.staff.lead import staff_desk as staff_desk
    from pbem.desk.staff.lead import staff_draft as staff_draft
    from pbem.desk.staff.opponent import SENSIBLE as SENSIBLE
    from pbem.desk.staff.opponent import THINK as THINK
    from pbem.desk.staff.opponent import Opponent as Opponent
    from pbem.desk.staff.opponent import appoint as appoint
    from pbem.desk.staff.opponent import is_practice as is_practice
    from pbem.desk.staff.opponent import practice_desk as practice_desk
else:
    __getattr__ = door(__name__)
