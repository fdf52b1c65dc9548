"""The things that wait for the player's next entry: words, wishes, a new address."""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.desk.waiting.address import keep as keep
    from pbem.desk.waiting.address import untold as untold
    from pbem.desk.waiting.wishes import What as What
    from pbem.desk.waiting.wishes import Wishes as Wishes
    from pbem.desk.waiting.words import Words as Words
else:
    __getattr__ = door(__name__)
