"""Games against the program, and the demonstration."""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.desk.practice.answering import go_on as go_on
    from pbem.desk.practice.demo import Sent as Sent
    from pbem.desk.practice.demo import play as play
else:
    __getattr__ = door(__name__)
