"""`python -m pbem` is the `pbem` command."""

import os
import sys

if __name__ == "__main__":
    # `-m` looks for modules in the current folder first: a game file may lie beside another's msgspec.py.
    # pbem itself, which may have been found there, needs it no more: it is imported by now.
    try:
        here = os.getcwd()
    except FileNotFoundError:  # the folder has been removed, so nothing lies in it
        here = ""
    if not sys.flags.safe_path and sys.path[0] in ("", here):
        del sys.path[0]

    from pbem.cli import main

    main()
