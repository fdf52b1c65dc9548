"""A real name server on loopback that has the MX records of some domains."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from socketserver import BaseRequestHandler, UDPServer

import dns.flags
import dns.message
import dns.rrset
from dns.resolver import Resolver


@contextmanager
def serve_mx(domains: Mapping[str, Sequence[tuple[int, str]]]) -> Iterator[Resolver]:
    """A server with these MX records, and a resolver that uses it, inside the `with`."""

    class Answers(BaseRequestHandler):
        def handle(self) -> None:
            data, socket = self.request
            query = dns.message.from_wire(data)
            answer = dns.message.make_response(query)
            answer.flags |= dns.flags.RA
            name = str(query.question[0].name)
            if records := [f"{number} {host}" for number, host in domains.get(name, ())]:
                answer.answer.append(dns.rrset.from_text(name, 60, "IN", "MX", *records))
            socket.sendto(answer.to_wire(), self.client_address)

    with UDPServer(("127.0.0.1", 0), Answers) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        resolver = Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], server.server_address[1]
        yield resolver
        server.shutdown()
