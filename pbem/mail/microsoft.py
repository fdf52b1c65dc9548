"""Outlook.com, Hotmail and Microsoft 365: login without a password, by the device code flow (RFC 8628).

Microsoft's servers only accept tokens. The player opens a Microsoft page in any browser, types a code and
agrees. pbem then receives a token for an hour and another that renews it, and stores both as a secret. It is
a public client: it has an id, and no secret of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from pbem.errors import MailError, RefusedLogin
from pbem.mail.secret_store import read_secret, save_secret
from pbem.mail.server_access import one_line
from pbem.render.safe_text import quote_path
from pbem.texts import Texts

if TYPE_CHECKING:
    from msal import PublicClientApplication, SerializableTokenCache  # type: ignore[import-untyped]

tr = Texts("pbem")

CLIENT_ID = ""
"""The id under which Microsoft knows pbem; `docs/MAIL-SETTINGS.md` says how to register one.

`mail.microsoft_client_id` in the settings takes precedence.
"""

AUTHORITY = "https://login.microsoftonline.com/common"
"""Where personal and organisational accounts log in."""

SCOPES = ("https://outlook.office.com/IMAP.AccessAsUser.All", "https://outlook.office.com/SMTP.Send")

SECONDS = 20
"""The seconds Microsoft may take for one answer."""


class _Tokens(Struct, frozen=True):
    """What is stored for an account: the client id it was made with, and msal's own tokens."""

    client_id: str
    cache: str


class DeviceLogin:
    """A login the player completes in a browser: the page to open, and the code to type there.

    Raises `MailError` if Microsoft cannot be reached or refuses.
    """

    def __init__(self, client_id: str) -> None:
        self._client_id = client_id
        self._app, self._cache = _open_application(client_id, "")
        self._flow: dict[str, Any] = _ask(lambda: self._app.initiate_device_flow(list(SCOPES)))
        if "user_code" not in self._flow:
            raise _refusal(self._flow)
        self.page, self.code = str(self._flow["verification_uri"]), str(self._flow["user_code"])
        self.minutes = int(self._flow.get("expires_in", 900)) // 60

    def finish(self, user: str) -> None:
        """Wait until the player has agreed, then store this user's tokens. Raises `MailError`."""
        if not self._fetch_tokens(user):
            raise _refusal({"error": "expired_token"})

    def has_agreed(self, user: str) -> bool:
        """Ask once whether the player has agreed yet; if so, store the tokens. Raises `MailError`."""
        return self._fetch_tokens(user, exit_condition=lambda _flow: True)

    def _fetch_tokens(self, user: str, **limits: Any) -> bool:
        answer = _ask(lambda: self._app.acquire_token_by_device_flow(self._flow, **limits))
        if answer.get("error") in ("authorization_pending", "slow_down"):
            return False
        if "access_token" not in answer:
            raise _refusal(answer)
        _save(user, self._client_id, self._cache)
        return True


def fetch_token(user: str, *, renew: bool = False) -> str:
    """A valid token for a user's account, renewed if it has expired or if `renew`.

    Raises `MailError` if it cannot be renewed, or if the player has never given pbem access.
    """
    stored = msgspec.json.decode(read_secret(_name(user)).encode(), type=_Tokens)
    app, cache = _open_application(stored.client_id, stored.cache)
    known = app.get_accounts()
    if not known:
        raise _not_let_in(user)
    answer = _ask(
        lambda: app.acquire_token_silent_with_error(list(SCOPES), known[0], force_refresh=renew) or {}
    )
    if cache.has_state_changed:
        _save(user, stored.client_id, cache)
    if "access_token" not in answer:
        raise _not_let_in(user, answer)
    return str(answer["access_token"])


def _open_application(client_id: str, cache: str) -> tuple[PublicClientApplication, SerializableTokenCache]:
    import msal  # 0.2 s, and few players have an account there

    tokens = msal.SerializableTokenCache()
    if cache:
        tokens.deserialize(cache)
    app = _ask(
        lambda: msal.PublicClientApplication(
            client_id, authority=AUTHORITY, token_cache=tokens, timeout=SECONDS, instance_discovery=False
        )
    )
    return app, tokens


def _ask(question: Any) -> Any:
    """Microsoft's answer. Raises `MailError` if it cannot be reached, or if its certificate fails."""
    import requests  # as above: msal imports it

    try:
        return question()
    except requests.exceptions.SSLError:
        problem = tr("the certificate of {server} is not valid: {why}", server="Microsoft", why="TLS")
        raise MailError(problem) from None
    except (requests.exceptions.RequestException, OSError) as error:
        problem = tr("no connection to {server}: {why}", server="Microsoft", why=type(error).__name__)
        raise MailError(problem) from None
    # not Microsoft's answer, but that of something in between
    except (ValueError, KeyError, RuntimeError) as error:
        problem = tr("no connection to {server}: {why}", server="Microsoft", why=one_line(str(error)))
        raise MailError(problem) from None


def _save(user: str, client_id: str, cache: SerializableTokenCache) -> None:
    save_secret(_name(user), msgspec.json.encode(_Tokens(client_id, cache.serialize())).decode())


def _name(user: str) -> str:
    """The name under which the tokens are stored."""
    return f"{user}@microsoft"


def _refusal(answer: dict[str, Any]) -> MailError:
    """The error in an answer from Microsoft."""
    match answer.get("error"):
        case "authorization_declined" | "access_denied":
            return MailError(tr("access for pbem was refused on the Microsoft page"))
        case "expired_token" | "code_expired":
            return MailError(tr("the code was not typed in time"))
        case error:
            words = str(answer.get("error_description") or error or "").partition("\n")[0]
            return MailError(tr("Microsoft refuses: {why}", why=one_line(words)))


def _not_let_in(user: str, answer: dict[str, Any] | None = None) -> MailError:
    """The error that pbem needs access again; or Microsoft's words, if the problem might be temporary."""
    if answer and answer.get("error") not in (None, "invalid_grant", "interaction_required"):
        return _refusal(answer)
    return RefusedLogin(
        tr("Microsoft no longer lets pbem in for {user}", user=user),
        hint=tr("type: {command}", command=f"pbem mail setup {quote_path(user)}"),
    )
