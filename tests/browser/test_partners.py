"""The page beside a partner's server that really runs: mutual TLS, policy, audit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bondline.cli import main
from tests.browser.conftest import end, serve
from tests.remote.test_serve_command import served

SLOW = 60_000.0
POLICY = """
[owner]
audit = "audit.jsonl"
budgets = "budgets.sqlite"

[[grant]]
who = "spiffe://demo/oem"
model = "lower"
methods = ["session", "run", "begin", "checkpoint"]
ports = ["A"]
steps = ["10 ms"]
windows_per_day = 1000
probes_per_day = 1000
"""
PLACEMENT = """
[client]
cert = "certs/oem.pem"
key = "certs/oem.key"
ca = "certs/ca.pem"

[parts.lower]
address = "{address}"
"""


@pytest.fixture
def glued(tmp_path: Path, project: Path, monkeypatch: Any) -> Iterator[Path]:
    """A project whose run `away` had its lower bar at a partner's, who still serves."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(project / "examples" / "double_pendulum", tmp_path / "pendulum")
    for words in (["ca", "demo"], ["issue", "oem"], ["issue", "bars"]):
        assert main(["--quiet", "cert", *words]) == 0
    (tmp_path / "policy.toml").write_text(POLICY, encoding="utf-8")
    how = ("--cert", "certs/bars.pem", "--key", "certs/bars.key")
    more = ("--client-ca", "certs/ca.pem", "--policy", "policy.toml")
    with served(tmp_path, "pendulum:lower", *how, *more) as (address, _):
        text = PLACEMENT.format(address=address)
        (tmp_path / "partners.toml").write_text(text, encoding="utf-8")
        run = ["--quiet", "run", "pendulum", "--placement", "partners.toml", "--watch"]
        assert main([*run, "--until", "0.5s", "--name", "away"]) == 0
        yield tmp_path


@pytest.mark.full
def test_partners_and_the_wire_are_on_the_page(
    browser: Any, glued: Path, shots: Path
) -> None:
    from playwright.sync_api import expect

    server = serve(glued)
    context = browser.new_context(viewport={"width": 1440, "height": 860})
    context.set_default_timeout(SLOW)
    tab = context.new_page()
    tab.goto(server.url)
    tab.goto(f"{server.home}#/partners")
    for panel, words in (
        ("Placement", "mTLS"),
        ("Certificates", "spiffe://demo/bars"),
        ("Policies", "spiffe://demo/oem"),
        ("Audit logs", "audit.jsonl"),
    ):
        expect(tab.get_by_label(panel)).to_contain_text(words, timeout=SLOW)
    tab.screenshot(path=str(shots / "partners.png"))
    tab.goto(f"{server.home}#/run/away")
    times = tab.get_by_label("Time of the parts")
    expect(times).to_contain_text("round trips a window", timeout=SLOW)
    tab.screenshot(path=str(shots / "wire.png"))
    context.close()
    end(server)
