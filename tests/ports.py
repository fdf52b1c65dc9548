"""Ports for the servers of tests, below those that the system gives to whoever connects."""

from __future__ import annotations

import os
import socket
from itertools import count

LOWEST, PORTS = 20_000, 12_000
"""Linux gives 32768 and above: a port that was free a moment ago may be somebody's connection by now."""

APART = 97
"""Processes begin so far from each other, since their numbers follow each other."""

_numbers = count(os.getpid() * APART)


def free_port() -> int:
    """A port on which nobody listens, and which this process has not been given for a while."""
    while True:
        port = LOWEST + next(_numbers) % PORTS
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
