"""A stand-in for Microsoft's authority, which issues codes and tokens over HTTPS on loopback."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from support.https_server import HttpsSite, serve_https
from support.smtp_servers import Authority

AUTHORITY_HOST = "login.microsoftonline.com"
CLIENT_ID = "5f2c1a7e-0000-4000-8000-000000000001"
CODE, PAGE = "ABCD-EFGH", "https://microsoft.com/devicelogin"
_COMMON = f"{AUTHORITY_HOST}/common"


@dataclass
class MicrosoftStandIn:
    """The state of the authority: whether the user has agreed on its page, and which tokens are valid."""

    user: str
    site: HttpsSite
    agreed: bool = True
    declined: bool = False
    lasts: int = 3600
    good: set[str] = field(default_factory=set)
    renewing: set[str] = field(default_factory=set)
    clients: set[str] = field(default_factory=set)
    scopes: set[str] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=count)

    def begin(self, form: dict[str, str]) -> tuple[int, bytes]:
        """A code for the user, and one for pbem (RFC 8628, 3.2)."""
        self.clients.add(form["client_id"])
        self.scopes |= set(form["scope"].split())
        if form["client_id"] != CLIENT_ID:
            words = "AADSTS700016: Application with identifier 'x' was not found.\r\nTrace ID: 1\r\n"
            return _answer(400, error="unauthorized_client", error_description=words)
        return _answer(
            200,
            device_code="d1",
            user_code=CODE,
            verification_uri=PAGE,
            expires_in=900,
            interval=1,
            message="m",
        )

    def token(self, form: dict[str, str]) -> tuple[int, bytes]:
        """A token for a device code or a refresh token; or the reason there is none."""
        if form["grant_type"] == "refresh_token":
            if form["refresh_token"] not in self.renewing:
                words = "AADSTS70000: The user has revoked the grant.\r\nTrace ID: 1\r\n"
                return _answer(400, error="invalid_grant", error_description=words)
        elif self.declined:
            return _answer(400, error="authorization_declined", error_description="declined")
        elif not self.agreed:
            self.agreed = True  # by the next time it is asked
            return _answer(400, error="authorization_pending", error_description="pending")
        number = next(self._numbers)
        self.good.add(f"access-{number}")
        self.renewing.add(f"renew-{number}")
        claims = {"sub": "s", "oid": "o", "tid": "t", "preferred_username": self.user, "aud": CLIENT_ID}
        return _answer(
            200,
            token_type="Bearer",
            access_token=f"access-{number}",
            refresh_token=f"renew-{number}",
            expires_in=self.lasts,
            scope=" ".join(scope for scope in self.scopes if scope.startswith("https:")),
            client_info=_encode({"uid": "u", "utid": "t"}),
            id_token=f"{_encode({'alg': 'none'})}.{_encode(claims)}.",
        )


@contextmanager
def stand_in_for_microsoft(authority: Authority, user: str) -> Iterator[MicrosoftStandIn]:
    """The authority, behind a proxy (`site.proxy`), inside the `with`."""
    with serve_https(authority, AUTHORITY_HOST) as site:
        microsoft = MicrosoftStandIn(user, site)
        base = f"https://{_COMMON}/oauth2/v2.0"
        site.pages[f"{_COMMON}/v2.0/.well-known/openid-configuration"] = json.dumps(
            {
                "issuer": f"https://{AUTHORITY_HOST}/t/v2.0",
                "authorization_endpoint": f"{base}/authorize",
                "token_endpoint": f"{base}/token",
                "device_authorization_endpoint": f"{base}/devicecode",
            }
        ).encode()
        site.forms[f"{_COMMON}/oauth2/v2.0/devicecode"] = microsoft.begin
        site.forms[f"{_COMMON}/oauth2/v2.0/token"] = microsoft.token
        yield microsoft


def _answer(status: int, **words: object) -> tuple[int, bytes]:
    return status, json.dumps(words).encode()


def _encode(claims: dict[str, str]) -> str:
    return urlsafe_b64encode(json.dumps(claims).encode()).decode().rstrip("=")
