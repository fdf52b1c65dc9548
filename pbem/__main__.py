"""`python -m pbem` is the `pbem` command."""

import os
import sys

if __name__ == "__main__":
    # `-m` searches the current folder first, where somebody else's msgspec.py may lie beside a game file.
    # pbem itself may have been found there too, but is imported by now.
    try:
        here = os.getcwd()
    except FileNotFoundError:  # the folder has been removed, so it holds no module
        here = ""
    if not sys.flags.safe_path and sys.path[0] in ("", here):
        del sys.path[0]

    from pbem.cli import main

    main()
