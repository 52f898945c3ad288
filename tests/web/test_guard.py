"""SEC-23 and SEC-24: who is let in, and what browsers are told."""

from __future__ import annotations

import itertools
import logging

import pytest
from starlette.websockets import WebSocketDisconnect

from bondline.web.guard import Door
from bondline.web.vault import LINK_LIFE, SESSION_LIFE, SPAN, TRIES, Vault
from tests.web.conftest import HOME, Page, TestClient, live_of, opened

HOSTS = ("127.0.0.1:8765", "localhost:8765", "evil.test:8765", "127.0.0.1:80", "")
ORIGINS = (None, HOME, "http://evil.test:8765", "null", "http://127.0.0.1:8766")
METHODS = ("GET", "POST", "PUT", "DELETE", "OPTIONS")


@pytest.mark.parametrize("with_cookie", [True, False])
def test_only_our_own_page_gets_an_answer(page: Page, with_cookie: bool) -> None:
    """Origin × Host × cookie × method: the matrix of SEC-23."""
    client = page.stranger()
    session = page.vault.redeem(page.vault.link())
    let_in = set()
    for host, origin, method in itertools.product(HOSTS, ORIGINS, METHODS):
        headers = {"host": host}
        if origin is not None:
            headers["origin"] = origin
        if with_cookie:
            headers["cookie"] = f"bondline-8765={session}"
        answer = client.request(method, "/api/runs", headers=headers)
        if answer.status_code not in (401, 403, 421, 429):
            let_in.add((host, origin, method))
        assert "access-control-allow-origin" not in answer.headers
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    ours = [h for h in HOSTS[:2]]
    may = {(h, o, m) for h in ours for o in (None, HOME) for m in ("GET", "OPTIONS")}
    may |= {(h, HOME, m) for h in ours for m in METHODS}
    assert let_in == (may if with_cookie else set())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.test:8765"}, 421),
        ({"origin": "http://evil.test"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({}, 401),
        ({"cookie": "bondline-8765=guess"}, 401),
        ({"cookie": '=;;"\\'}, 401),
        ({"authorization": "Bearer guess"}, 401),
    ],
)
def test_refusals_say_which(page: Page, headers: dict[str, str], status: int) -> None:
    answer = page.stranger().get("/api/runs", headers=headers)
    assert answer.status_code == status
    assert answer.json()["error"]["finding"]


def test_a_web_socket_needs_the_same(page: Page) -> None:
    path, cookies = live_of("short"), dict(page.client.cookies)
    for client, headers in (
        (page.stranger(), {"origin": HOME}),
        (TestClient(page.app, base_url=HOME, cookies=cookies), {}),
        (
            TestClient(page.app, base_url=HOME, cookies=cookies),
            {"origin": "http://evil.test"},
        ),
        (
            TestClient(page.app, base_url=HOME, cookies=cookies),
            {"origin": HOME, "host": "evil.test:8765"},
        ),
    ):
        with (
            pytest.raises(WebSocketDisconnect) as refused,
            client.websocket_connect(path, headers=headers),
        ):
            pass
        assert refused.value.code == 4403
    with page.client.websocket_connect(path) as live:
        assert live.receive_json()["status"] == "done"


def test_the_link_works_once_and_leaves_no_trace(
    page: Page, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    token, client = page.vault.link(), page.stranger()
    answer = client.get("/", params={"token": token})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert token not in answer.headers["set-cookie"]
    assert page.stranger().get("/", params={"token": token}).status_code == 401
    assert client.get("/", params={"token": token}).status_code == 200  # a reload
    ours = [r for r in caplog.records if r.name.startswith(("bondline", "uvicorn"))]
    assert not any(token in record.getMessage() for record in ours)
    assert token.encode() not in repr(vars(page.vault)).encode()


def test_a_thousand_guesses_lock_the_door(page: Page) -> None:
    client, token = page.stranger(), page.vault.link()
    answers = [
        client.get("/", params={"token": f"guess{k}"}).status_code for k in range(1000)
    ]
    assert answers[: TRIES - 1] == [401] * (TRIES - 1)
    assert set(answers[TRIES:]) == {429}
    assert client.get("/", params={"token": token}).status_code == 429
    assert page.client.get("/api/runs").status_code == 200  # who is in stays in


def test_a_page_that_was_left_open_locks_nobody_out(page: Page) -> None:
    """It asks on and on with the session of a server that is no more."""
    old = {"cookie": f"bondline-8765={Vault().link()}"}
    left, token = page.stranger(), page.vault.link()
    answers = [left.get("/api/runs", headers=old).status_code for _ in range(99)]
    assert set(answers) == {401}
    assert left.get("/", params={"token": token}, headers=old).status_code == 303


def test_other_sites_guess_nothing_and_lock_nobody_out(page: Page) -> None:
    stranger, token = page.stranger(), page.vault.link()
    for sent in ({"sec-fetch-site": "cross-site"}, {"origin": "http://evil.test"}):
        for k in range(TRIES + 1):
            answer = stranger.get("/", params={"token": f"{k}"}, headers=sent)
            assert answer.status_code == 403
        # a link that is right does not work from there either
        answer = stranger.get("/", params={"token": token}, headers=sent)
        assert answer.status_code == 403
    near = {"sec-fetch-site": "same-site"}  # a notebook on another port
    assert stranger.get("/api/runs", headers=near).status_code == 403
    answer = stranger.get("/", params={"token": token}, headers=near)
    assert answer.status_code == 303


def test_guessing_sessions_locks_the_door(page: Page) -> None:
    stranger, token = page.stranger(), page.vault.link()
    for k in range(TRIES):
        stranger.get("/api/runs", headers={"cookie": f"bondline-8765=guess{k}"})
    assert stranger.get("/", params={"token": token}).status_code == 429


def test_secrets_end_and_the_lock_opens_again() -> None:
    now = [0.0]
    vault = Vault(lambda: now[0])
    late, session = vault.link(), vault.redeem(vault.link())
    assert session is not None
    assert len(session) >= 43
    now[0] = LINK_LIFE + 1.0
    assert vault.redeem(late) is None
    for _ in range(TRIES):
        vault.redeem("guess")
    assert vault.redeem(vault.link()) is None
    now[0] += SPAN + 1.0
    assert vault.redeem(vault.link()) is not None
    assert vault.knows(session)
    now[0] = SESSION_LIFE + 1.0
    assert not vault.knows(session)
    vault.close(session)


def test_read_only_means_it(page: Page) -> None:
    looking = opened(page.folder, Door(port=8765, read_only=True)).client
    assert looking.get("/api/runs").status_code == 200
    body = {"template": "double_pendulum", "name": "new"}
    answer = looking.post("/api/models", json=body)
    assert answer.status_code == 403
    assert "--read-only" in answer.json()["error"]["finding"]
    assert not (page.folder / "new").exists()
    with looking.websocket_connect(live_of("short")) as live:  # watching is reading
        assert live.receive_json()["status"] == "done"


def test_no_answer_may_run_what_is_not_ours(page: Page) -> None:
    policy = page.client.get("/").headers["content-security-policy"]
    assert "'unsafe" not in policy
    assert "http:" not in policy
    assert page.client.get("/").headers["x-content-type-options"] == "nosniff"
