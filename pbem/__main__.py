"""`python -m pbem` is the `pbem` command."""

import os
import sys

if __name__ == "__main__":
    # `-m` searches the current folder first, where a stranger's msgspec.py might be beside a game file. pbem
    # itself might have been found there too, but it has been imported by now.
    try:
        here = os.getcwd()
    except FileNotFoundError:  # the folder has been deleted, so no module can be in it
        here = ""
    if not sys.flags.safe_path and sys.path[0] in ("", here):
        del sys.path[0]

    from pbem.cli import main

    main()
