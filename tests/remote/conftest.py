"""Servers on loopback with real certificates, and runs to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from bondline.build import open_model
from bondline.remote.client.dial import Dial
from bondline.remote.client.link import Patience
from bondline.remote.client.remote import remote_model
from bondline.remote.limits import Limits
from bondline.remote.owner.gate import Gate
from bondline.remote.owner.host import Host, Open
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.owner.server import Server, serve
from bondline.remote.owner.shelf import Shelf
from bondline.remote.trust.tls import Credentials
from tests.remote.certificates import Authority, authority


@pytest.fixture(scope="session")
def ca(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return authority(tmp_path_factory.mktemp("ca"))


@pytest.fixture(scope="session")
def owner(ca: Authority) -> Credentials:
    return ca.issue("owner")


@pytest.fixture(scope="session")
def integrator(ca: Authority) -> Credentials:
    return ca.issue("integrator")


@dataclass(frozen=True)
class Supplier:
    """A server in this process, and how to get there."""

    server: Server
    secrets: Credentials

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.server.port}"

    def dial(self) -> Dial:
        return Dial(self.address, self.secrets)

    def model(self, part: str, model: str = "", grace: float = 5.0):
        patience = Patience(10.0, 5.0, grace)
        return remote_model(part, self.dial(), model or part, patience)


Supply = Callable[..., Supplier]
MANY = Limits(sessions=64)


@pytest.fixture
def supply(
    tmp_path: Path, owner: Credentials, integrator: Credentials
) -> Iterator[Supply]:
    """Serve the parts of a model, or models of one's own."""
    with ExitStack() as stack:

        def start(
            what: Path | Mapping[str, Served],
            limits: Limits = MANY,
            gate: Gate | None = None,
        ) -> Supplier:
            models = parts_of(what) if isinstance(what, Path) else what
            shelf = Shelf(tmp_path / "shelf")
            host = Host(models, gate or Open(), limits, shelf)
            return Supplier(stack.enter_context(serving(host, owner)), integrator)

        yield start


@contextmanager
def serving(
    host: Host, secrets: Credentials | None, listen: str = "127.0.0.1:0"
) -> Iterator[Server]:
    server = serve(host, listen, secrets)
    try:
        yield server
    finally:
        server.stop(1.0)


def parts_of(path: Path) -> dict[str, Served]:
    """Every part of a model as something that is served."""

    def maker(name: str):
        return lambda: open_model(path).model.parts[name]

    return {
        name: Served(name, maker(name), f"digest of {name}", EVERYTHING)
        for name in open_model(path).model.parts
    }


def placement(file: Path, places: Mapping[str, str], secrets: Credentials) -> Path:
    """A placement file: part to address."""
    lines = [
        "[client]",
        f'cert = "{secrets.cert}"',
        f'key = "{secrets.key}"',
        f'ca = "{secrets.ca}"',
    ]
    for part, address in places.items():
        lines += [f'[parts."{part}"]', f'address = "{address}"', f'model = "{part}"']
    file.write_text("\n".join(lines), encoding="utf-8")
    return file
