"""SEC-25, SEC-29, FT-18: files name no address and no code; versions must agree."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from bondline.build import rehearse
from bondline.remote import bondline_pb2 as pb
from bondline.remote.owner.host import Host
from tests.remote.conftest import parts_of
from tests.remote.test_coming_back import sent

SOURCES = [
    *("leaf:os:system", "os:system", "leaf:subprocess:call", "python:os.system"),
    *("169.254.169.254:80", "http://169.254.169.254/latest", "leaf:127.0.0.1:{port}"),
    *("grpc://127.0.0.1:{port}", "127.0.0.1:{port}"),
]


@pytest.mark.parametrize("source", SOURCES)
def test_a_file_makes_nobody_dial_or_load_code(
    source: str, project: Path, tmp_path: Path
):
    with socket.create_server(("127.0.0.1", 0)) as trap:
        trap.setblocking(False)
        named = source.format(port=trap.getsockname()[1])
        text = (project / "examples/double_pendulum/SystemStructure.ssd").read_text()
        head, mark, tail = text.partition('source="')
        file = tmp_path / "SystemStructure.ssd"
        file.write_text(f"{head}{mark}{named}{tail[tail.index(chr(34)) :]}")
        _, problems = rehearse(file)
        assert [p for p in problems if p.fatal]
        with pytest.raises(BlockingIOError):
            trap.accept()


@pytest.fixture(scope="module")
def chain(project: Path):
    return parts_of(project / "examples" / "linear_chain")


@pytest.mark.parametrize(
    "ask",
    [
        pb.Open(version=pb.Version(major=2), coordinator="a", model="one"),
        pb.Open(version=pb.Version(), coordinator="a", model="one"),
        pb.Open(
            version=pb.Version(major=1), coordinator="a", model="one", digest="other"
        ),
    ],
)
def test_another_version_or_model_is_refused_before_any_window(ask: pb.Open, chain):
    host = Host(chain)
    assert sent(host, pb.Request(open=ask)).failure.kind == pb.KIND_VERSION
    assert not host.sessions


def test_a_newer_minor_version_is_understood(project: Path):
    host = Host(parts_of(project / "examples" / "linear_chain"))
    ask = pb.Open(version=pb.Version(major=1, minor=9), coordinator="a", model="one")
    assert sent(host, pb.Request(open=ask)).HasField("opened")
