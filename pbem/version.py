"""The version of this program, a module of its own so that whatever cites it need not import the library."""

__version__ = "0.1.0"
