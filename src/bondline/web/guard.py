"""The guard: who may talk to the page, and what browsers may do with its answers.

It stands before everything else, for HTTP and WebSocket alike: the Host must be ours
(DNS rebinding), the Origin too (forged requests), and a session must be open.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bondline.web.vault import SESSION_LIFE, Vault

SAFE = ("GET", "HEAD", "OPTIONS")
LOOKS = "WEBSOCKET"  # changes nothing, but a browser lets any page open one
ASKS = ("/api/compare", "/api/model/try", "/api/model/scene")  # they only tell
OPEN = ("/assets/", "/favicon.svg")  # the program of the page holds no secrets
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: "
    "data:; connect-src 'self'; frame-src 'self'; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


@dataclass(frozen=True)
class Door:
    """Where the page is, and what may be done there."""

    host: str = "127.0.0.1"
    port: int = 8765
    read_only: bool = False

    @property
    def hosts(self) -> tuple[str, ...]:
        """What a browser that means us says in its Host header."""
        names = dict.fromkeys(("127.0.0.1", "localhost", "[::1]", self.host))
        plain = tuple(names) if self.port == 80 else ()
        return (*(f"{name}:{self.port}" for name in names), *plain)

    @property
    def origins(self) -> tuple[str, ...]:
        """The pages whose requests are ours."""
        return tuple(f"http://{host}" for host in self.hosts)

    @property
    def cookie(self) -> str:
        """Cookies know no ports, so that the name has to."""
        return f"bondline-{self.port}"


class Guard:
    """Lets in who may come in; everybody else gets a short answer."""

    def __init__(self, app: ASGIApp, door: Door, vault: Vault) -> None:
        self.app, self.door, self.vault = app, door, vault

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or one WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        asked = _Asked(scope)
        answer = self._stray(asked) or self._exchange(asked) or self._refuse(asked)
        if answer is None:
            await self.app(scope, receive, _dressed(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403})
        else:
            await answer(scope, receive, _dressed(send))

    def _stray(self, asked: _Asked) -> Response | None:
        """Whoever means another host, or is sent by another page, guesses nothing."""
        if asked.headers.get("host", "") not in self.door.hosts:
            return _no(421, "this server does not go by that name")
        if not (self._opens(asked) or self._same_origin(asked)):
            return _no(403, "the request comes from another page")
        return None

    def _opens(self, asked: _Asked) -> bool:
        """Whether somebody follows a link of ours, typed or from this machine."""
        site = asked.headers.get("sec-fetch-site", "none")
        near = site == "same-site" and "origin" not in asked.headers
        return (
            near and asked.path == "/" and asked.method == "GET" and bool(asked.token)
        )

    def _refuse(self, asked: _Asked) -> Response | None:
        """Why not; None where there is no reason."""
        if asked.path.startswith(OPEN) and asked.method in SAFE:
            return None
        if not self._known(asked):
            if self.vault.limit.reached:
                return _no(429, "too many wrong guesses; wait a minute")
            return _no(401, "no session is open; use the link that bondline ui prints")
        if self.door.read_only and not asked.harmless:
            return _no(403, "the page was started with --read-only")
        return None

    def _same_origin(self, asked: _Asked) -> bool:
        """A browser tells the origin of whatever can change something."""
        origin = asked.headers.get("origin")
        if origin is not None:
            return origin in self.door.origins
        if asked.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return False
        return asked.method in SAFE or bool(asked.bearer)

    def _known(self, asked: _Asked) -> bool:
        session = asked.bearer or asked.cookies.get(self.door.cookie, "")
        return bool(session) and self.vault.knows(session)

    def _exchange(self, asked: _Asked) -> Response | None:
        """The link of the terminal becomes a cookie, and leaves the address."""
        if asked.path != "/" or asked.method != "GET" or not asked.token:
            return None
        session = self.vault.redeem(asked.token)
        if session is None:
            return None if self._known_quietly(asked) else self._late()
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            self.door.cookie,
            session,
            max_age=int(SESSION_LIFE),
            httponly=True,
            samesite="strict",
        )
        return answer

    def _late(self) -> Response:
        if self.vault.limit.reached:
            return _no(429, "too many wrong guesses; wait a minute")
        return _no(401, "this link was used or is too old; start bondline ui again")

    def _known_quietly(self, asked: _Asked) -> bool:
        cookie = asked.cookies.get(self.door.cookie, "")
        return bool(cookie) and self.vault.knows(cookie)


class _Asked:
    """What the guard looks at."""

    def __init__(self, scope: Scope) -> None:
        web = scope["type"] == "websocket"
        self.method = LOOKS if web else str(scope["method"])
        self.path = str(scope["path"])
        pairs: list[tuple[bytes, bytes]] = scope["headers"]
        self.headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in pairs}
        query = scope.get("query_string", b"").decode("latin-1")
        self.token = parse_qs(query).get("token", [""])[0]

    @property
    def harmless(self) -> bool:
        """Whether nothing is written for it."""
        return self.method in (*SAFE, LOOKS) or self.path in ASKS

    @property
    def bearer(self) -> str:
        kind, _, rest = self.headers.get("authorization", "").partition(" ")
        return rest.strip() if kind.lower() == "bearer" else ""

    @property
    def cookies(self) -> dict[str, str]:
        try:
            jar = SimpleCookie(self.headers.get("cookie", ""))
        except CookieError:
            return {}
        return {name: morsel.value for name, morsel in jar.items()}


def _no(status: int, words: str) -> Response:
    return JSONResponse({"error": {"code": status, "finding": words}}, status)


def _dressed(send: Send) -> Send:
    """The same, with our headers on every answer that has none of its own."""

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            _add(message)
        await send(message)

    return dressed


def _add(message: MutableMapping[str, Any]) -> None:
    given = list(message.get("headers", []))
    there = {name.lower() for name, _ in given}
    message["headers"] = given + [
        (name.encode(), value.encode())
        for name, value in HEADERS.items()
        if name.encode() not in there
    ]
