"""FT-23: certificates that run out, or are renewed, while a run goes on.

They are valid for seconds; nothing sleeps: the run works until it is cut, or is past
the end of the certificate that it began with.
"""

from __future__ import annotations

import shutil
from datetime import timedelta
from time import monotonic

import pytest
from cryptography import x509

from bondline.core import uniform
from bondline.errors import NotAllowed
from bondline.leaves import chain
from bondline.remote.client.dial import Dial
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.host import Host
from bondline.remote.owner.served import Served
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.trust.tls import Credentials
from bondline.remote.trust.validity import now
from tests.remote.certificates import authority
from tests.remote.conftest import ca, integrator, owner, serving  # noqa: F401

H = 0.01
SECONDS = 4.0
BRIEF = (300.0 + SECONDS) / 86400.0  # days: the test's authority begins 5 minutes ago
BOUND = 60.0  # s after which a connection must be cut


@pytest.fixture
def host(tmp_path):
    grants = tuple(
        Grant(f"spiffe://test/{name}", "chain", frozenset(METHODS), steps=Steps((H,)))
        for name in ("brief", "integrator")
    )
    gate = PolicyGate.of(Policy(grants=grants, audit=tmp_path / "audit.jsonl"))
    yield Host({"chain": Served("chain", lambda: chain("chain"))}, gate)
    gate.close()


def ends(secrets: Credentials):
    return x509.load_pem_x509_certificate(secrets.cert.read_bytes()).not_valid_after_utc


def running(model, until):
    """One window after the other, up to that time of the day; how many."""
    state, n = model.start(0.0).state, 0
    while now() < until:
        state = model.advance(state, uniform(0.0, H, n), {}).state
        n += 1
    return n


def opened(there, secrets):
    line = Dial(f"127.0.0.1:{there.port}", secrets)
    return remote_model("part", line, "chain", Patience(10.0, 10.0, 10.0))


def copied(secrets: Credentials, folder) -> Credentials:
    folder.mkdir()
    made = [shutil.copy(p, folder) for p in (secrets.cert, secrets.key, secrets.ca)]
    return Credentials(*(folder / path.rpartition("/")[2] for path in map(str, made)))


def test_a_partners_certificate_that_runs_out_cuts_the_run(host, ca, owner, tmp_path):  # noqa: F811
    with serving(host, owner) as there:
        brief = ca.issue("brief", BRIEF)
        end, model = ends(brief), opened(there, brief)
        with pytest.raises(NotAllowed, match=r"your certificate \(CN=brief\) expired"):
            running(model, end + timedelta(seconds=BOUND))
        assert now() < end + timedelta(seconds=BOUND)
        model.close()
    records = read_log(tmp_path / "audit.jsonl").records
    cut = [r for r in records if r["kind"] == "denied"]
    assert cut
    assert cut[0]["who"] == "spiffe://test/brief"
    assert "ran out" in cut[0]["reason"]
    assert [r for r in records if r.get("method") == "advance"], "it did run before"


def test_a_servers_certificate_that_runs_out_cuts_the_run(host, ca, integrator):  # noqa: F811
    brief = ca.issue("brief-server", BRIEF)
    with serving(host, brief) as there:
        end, model = ends(brief), opened(there, integrator)
        with pytest.raises(NotAllowed, match=r"the server's certificate .* expired"):
            running(model, end + timedelta(seconds=BOUND))
        model.close()


@pytest.mark.parametrize("whose", ["partner", "server"])
def test_a_renewed_certificate_carries_the_run_on(host, ca, owner, tmp_path, whose):  # noqa: F811
    """The same session, no state made again, past the end of the first certificate."""
    late = copied(ca.issue("brief"), tmp_path / "late")
    brief = ca.issue("brief", BRIEF)
    mine, theirs = (brief, owner) if whose == "partner" else (late, brief)
    with serving(host, theirs) as there:
        model, began = opened(there, mine), monotonic()
        end = ends(brief)
        first = running(model, now() + timedelta(seconds=1))
        for new, old in ((late.key, brief.key), (late.cert, brief.cert)):
            shutil.copy(new, old)
        session = model.link.epoch
        more = running(model, end + timedelta(seconds=2))
        assert first > 0
        assert more > 0
        assert (model.link.epoch, model.link.recoveries) == (session, 0)
        assert monotonic() - began < BOUND
        model.close()


def test_an_authority_is_replaced_while_a_run_goes_on(host, tmp_path):
    """Both in one bundle for a while; then the old one is gone, and no run lost."""
    old, new = authority(tmp_path / "old"), authority(tmp_path / "new", "successor")
    server, client = (
        copied(old.issue(n), tmp_path / f"files of {n}")
        for n in ("owner", "integrator")
    )
    with serving(host, server) as there:
        model = opened(there, client)
        state, n = model.start(0.0).state, 0

        def on(windows: int) -> None:
            nonlocal state, n
            for _ in range(windows):
                state = model.advance(state, uniform(0.0, H, n), {}).state
                n += 1

        on(3)
        both = old.pem.read_bytes() + new.pem.read_bytes()
        for step in (
            {"ca": both},  # everybody believes both
            {"cert": None, "key": None},  # everybody gets a certificate of the new one
            {"ca": new.pem.read_bytes()},  # nobody believes the old one any more
        ):
            for mine, name in ((server, "owner"), (client, "integrator")):
                fresh = new.issue(name)
                for what, data in step.items():
                    source = getattr(fresh, what).read_bytes() if data is None else data
                    getattr(mine, what).write_bytes(source)
            model.link.line.hang_up()  # as if the network had: a new connection
            on(3)
        assert n == 12
        assert model.link.recoveries == 0, "the session lives on"
        model.close()
        late = old.issue("integrator")
        with pytest.raises(NotAllowed):
            opened(there, Credentials(late.cert, late.key, new.pem))
