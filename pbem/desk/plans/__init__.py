"""Plans: conditional orders, kept at home, which answer when they fit."""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.desk.plans.foresight import outlook as outlook
    from pbem.desk.plans.grammar import read as read
    from pbem.desk.plans.grammar import typed as typed
    from pbem.desk.plans.holds import value_of as value_of
    from pbem.desk.plans.kept import Plans as Plans
    from pbem.desk.plans.kept import chosen as chosen
    from pbem.desk.plans.kept import consulted as consulted
    from pbem.desk.plans.kept import done as done
    from pbem.desk.plans.kept import here as here
    from pbem.desk.plans.kept import left as left
    from pbem.desk.plans.kept import shares_a_side as shares_a_side
    from pbem.desk.plans.kept import sight as sight
    from pbem.desk.plans.kept import written as written
    from pbem.desk.plans.plan import Plan as Plan
    from pbem.desk.plans.readymade import EVERYWHERE as EVERYWHERE
    from pbem.desk.plans.readymade import VERBS as VERBS
    from pbem.desk.plans.readymade import added as added
    from pbem.desk.plans.readymade import check as check
    from pbem.desk.plans.readymade import going_on as going_on
    from pbem.desk.plans.readymade import ready as ready
    from pbem.desk.plans.readymade import ready_made as ready_made
    from pbem.desk.plans.readymade import serving as serving
    from pbem.desk.plans.readymade import typed_here as typed_here
    from pbem.desk.plans.seen import facts as facts
else:
    __getattr__ = door(__name__)
