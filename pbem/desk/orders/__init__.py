"""Orders in the making: typed, tried, gathered, and what may be ordered."""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.desk.orders.commander import NOTHING as NOTHING
    from pbem.desk.orders.commander import own_first as own_first
    from pbem.desk.orders.commander import own_offers as own_offers
    from pbem.desk.orders.commander import own_orders as own_orders
    from pbem.desk.orders.effects import trial as trial
    from pbem.desk.orders.offered import chances as chances
    from pbem.desk.orders.offered import choices as choices
    from pbem.desk.orders.offered import grouped as grouped
    from pbem.desk.orders.offered import odds as odds
    from pbem.desk.orders.offered import odds_lines as odds_lines
    from pbem.desk.orders.offered import offers as offers
    from pbem.desk.orders.sheet import Lines as Lines
    from pbem.desk.orders.sheet import OrderSheet as OrderSheet
    from pbem.desk.orders.sheet import Refused as Refused
    from pbem.desk.orders.sheet import following as following
    from pbem.desk.orders.sheet import split as split
    from pbem.desk.orders.takeback import is_draw as is_draw
    from pbem.desk.orders.takeback import may_be_taken_back as may_be_taken_back
    from pbem.desk.orders.takeback import proposed_entry as proposed_entry
else:
    __getattr__ = door(__name__)
