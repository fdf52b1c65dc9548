"""Many games by practice players: how fair a scenario is, and what might have become of one game.

Nothing here is signed, sealed or kept on the shelf: rules and players run as they are, with seeds in place of
what two people draw.
"""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.study.campaign import carry_out as carry_out
    from pbem.study.campaign import gathered as gathered
    from pbem.study.clusters import Heard as Heard
    from pbem.study.clusters import cluster as cluster
    from pbem.study.crews import Crew as Crew
    from pbem.study.crews import at_home as at_home
    from pbem.study.crews import cores as cores
    from pbem.study.estimate import Estimate as Estimate
    from pbem.study.findings import found as found
    from pbem.study.folder import GAMES as GAMES
    from pbem.study.folder import PAGE as PAGE
    from pbem.study.folder import TABLE as TABLE
    from pbem.study.folder import opened as opened
    from pbem.study.intervals import wilson as wilson
    from pbem.study.moments import Decision as Decision
    from pbem.study.moments import line as line
    from pbem.study.page import page_of as page_of
    from pbem.study.parcel import check_program as check_program
    from pbem.study.parcel import pack as pack
    from pbem.study.plan import PLAYOUTS as PLAYOUTS
    from pbem.study.plan import SIMPLE as SIMPLE
    from pbem.study.plan import Cell as Cell
    from pbem.study.plan import Plan as Plan
    from pbem.study.plan import cells as cells
    from pbem.study.retold import report_data as report_data
    from pbem.study.shifts import crew as crew
    from pbem.study.stretches import Stretch as Stretch
    from pbem.study.summary import study_data as study_data
    from pbem.study.summary import study_told as study_told
    from pbem.study.tally import beginning as beginning
    from pbem.study.tally import sides_of as sides_of
    from pbem.study.task import Task as Task
    from pbem.study.tune import CHECK as CHECK
    from pbem.study.tune import Bench as Bench
    from pbem.study.tune import Tuned as Tuned
    from pbem.study.tune import Wish as Wish
    from pbem.study.tune import changes_in_words as changes_in_words
    from pbem.study.tune import tuned as tuned
    from pbem.study.turning import Report as Report
    from pbem.study.turning import reckon as reckon
    from pbem.study.turning import turning_points as turning_points
    from pbem.study.values import ValuePath as ValuePath
    from pbem.study.values import changed as changed
    from pbem.study.values import number_at as number_at
    from pbem.study.values import number_names as number_names
    from pbem.study.values import paths_named as paths_named
    from pbem.study.values import rewritten as rewritten
    from pbem.study.verdicts import report_told as report_told
else:
    __getattr__ = door(__name__)
