"""The C++ leaf server: built once for each state of its sources, and started."""

from __future__ import annotations

import fcntl
import hashlib
import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bondline.remote.trust.tls import Credentials

TOOLS = ("g++", "make", "pkg-config", "protoc", "grpc_cpp_plugin")
LIMIT = 600.0  # s for a build on a busy machine


def missing() -> str:
    """What a build lacks; empty if nothing."""
    lacking = [tool for tool in TOOLS if shutil.which(tool) is None]
    if not lacking:
        found = subprocess.run(["pkg-config", "--exists", "grpc++"], check=False)
        lacking = [] if found.returncode == 0 else ["libgrpc++-dev"]
    return f"{', '.join(lacking)}: not here, see servers/cpp" if lacking else ""


def build(project: Path, cache: Path) -> Path:
    """The server; sources that were built before are not built again."""
    here = project / "servers" / "cpp"
    proto = project / "src" / "bondline" / "remote" / "bondline.proto"
    sources = [proto, *sorted(p for p in here.iterdir() if p.is_file())]
    digest = hashlib.sha256(b"".join(p.read_bytes() for p in sources)).hexdigest()
    folder = cache / digest[:16]
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # other workers wait, and find it done
        command = ["make", "-C", str(here), f"PROTO={proto}", f"BUILD={folder}"]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    assert done.returncode == 0, done.stderr
    assert "warning:" not in done.stderr, done.stderr
    return folder / "chain_leaf"


@contextmanager
def started(
    binary: Path, secrets: Credentials, *more: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Its address, and the process."""
    command = [str(binary), *flags(secrets), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        assert line, "the server ended before it served"
        yield json.loads(line)["address"], process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(LIMIT)
        process.stdout.close()


def flags(secrets: Credentials) -> list[str]:
    """Whose server it is, and whom it believes."""
    return [
        *("--cert", str(secrets.cert), "--key", str(secrets.key)),
        *("--client-ca", str(secrets.ca)),
    ]
