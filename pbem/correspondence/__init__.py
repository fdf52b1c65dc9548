"""Correspondence: mail joined with the player's desk. What comes is judged, what is owed is answered."""

from typing import TYPE_CHECKING

from pbem.doors import door

if TYPE_CHECKING:
    from pbem.correspondence.again import Again as Again
    from pbem.correspondence.again import about_mails as about_mails
    from pbem.correspondence.again import repeats as repeats
    from pbem.correspondence.again import requests as requests
    from pbem.correspondence.asked import Notebook as Notebook
    from pbem.correspondence.asking import ask_by_mail as ask_by_mail
    from pbem.correspondence.contacts import Contact as Contact
    from pbem.correspondence.contacts import Contacts as Contacts
    from pbem.correspondence.drafts import overdue as overdue
    from pbem.correspondence.examine import Examiner as Examiner
    from pbem.correspondence.fetch import Arrival as Arrival
    from pbem.correspondence.fetch import Reply as Reply
    from pbem.correspondence.fetch import fetch_mails as fetch_mails
    from pbem.correspondence.finding import is_unsent as is_unsent
    from pbem.correspondence.finding import meant as meant
    from pbem.correspondence.finding import offer_to_join as offer_to_join
    from pbem.correspondence.finding import shown as shown
    from pbem.correspondence.finding import unsent as unsent
    from pbem.correspondence.lost import Lost as Lost
    from pbem.correspondence.mailbox import Tidying as Tidying
    from pbem.correspondence.mailbox import mail_folder as mail_folder
    from pbem.correspondence.naming import open_game as open_game
    from pbem.correspondence.opening import Opened as Opened
    from pbem.correspondence.opening import by_id as by_id
    from pbem.correspondence.outbox import Outbox as Outbox
    from pbem.correspondence.problem import Problem as Problem
    from pbem.correspondence.problem import addressee as addressee
    from pbem.correspondence.problem import problem_reply as problem_reply
    from pbem.correspondence.problem import sender_of_reply as sender_of_reply
    from pbem.correspondence.problem import the_problem as the_problem
    from pbem.correspondence.readers import Readers as Readers
    from pbem.correspondence.replies import Replies as Replies
    from pbem.correspondence.send import author as author
    from pbem.correspondence.send import hand_over as hand_over
    from pbem.correspondence.send import mail_name as mail_name
    from pbem.correspondence.send import pasted as pasted
    from pbem.correspondence.send import prepared as prepared
    from pbem.correspondence.send import send_by_server as send_by_server
    from pbem.correspondence.settings import programs_run_by as programs_run_by
    from pbem.correspondence.settings import providers as providers
    from pbem.correspondence.settings import read_config as read_config
    from pbem.correspondence.settings import set_config_aside as set_config_aside
    from pbem.correspondence.settings import settings_to_send as settings_to_send
    from pbem.correspondence.settings import write_config as write_config
    from pbem.correspondence.sharing import mail_to_commanders as mail_to_commanders
    from pbem.correspondence.thread import runs as runs
    from pbem.correspondence.undoing import came_of as came_of
    from pbem.correspondence.undoing import finish as finish
    from pbem.correspondence.undoing import undo as undo
    from pbem.correspondence.verdict import named_in_words as named_in_words
    from pbem.correspondence.verdict import plays as plays
    from pbem.correspondence.watch import answers as answers
else:
    __getattr__ = door(__name__)
