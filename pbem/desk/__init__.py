"""A player's own things: key, shelf, practice, calendar, and in which order a move is saved."""

from pbem.desk.shelf.desk import Desk

__all__ = ["Desk"]
