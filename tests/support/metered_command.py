"""Runs and measures a command: `python -m support.metered_command ARGUMENTS…`, on Linux.

The last line of its output is the exit code, the peak memory (MiB), and the processor time (s), in JSON. It
is ended after a minute of processor time.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from pathlib import Path

from pbem.cli.app import run

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    code = run(sys.argv[1:])
    peak = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
    assert peak is not None
    print(json.dumps([code, int(peak[1]) // 1024, time.process_time()]))  # noqa: T201
