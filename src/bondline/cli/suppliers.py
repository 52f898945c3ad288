"""Servers of a model's parts on this machine, as partners would run them on theirs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bondline.errors import LeafLost

INTEGRATOR = "integrator"
_POLICY = """\
# Written by bondline demo; bondline policy new explains every key.
[owner]
audit = "audit.jsonl"
budgets = "budgets.sqlite"

[models.{part}]
observables = {observables}
publish = ["outline", "reactions", "notes", "parameters"]

[[grant]]
who = "{who}"
model = "{part}"
ports = ["*"]
methods = ["session", "run", "begin", "checkpoint", "look"]
steps = ["{step:.12g} s"]
windows_per_day = 1000000
rollbacks = 1000
"""
_PATIENCE = 120.0  # s for a server to stop


@dataclass(frozen=True)
class Project:
    """A folder with an authority, and one folder for each partner in it."""

    folder: Path
    name: str  # of the project: in identities

    @property
    def certs(self) -> Path:
        """Certificates and keys; partners would have their own only."""
        return self.folder / "certs"

    @property
    def placement(self) -> Path:
        """The integrator's file that says where parts are."""
        return self.folder / "placement.toml"

    def home(self, part: str) -> Path:
        """A partner's folder: policy, audit log, checkpoints."""
        return self.folder / part

    def found(self, parts: Mapping[str, Sequence[str]], step: float) -> None:
        """Certificates for all, and a policy for each part with its observables."""
        from bondline.remote.authority import Wanted, issue, make_ca

        make_ca(self.certs, self.name)
        issue(self.certs, Wanted(INTEGRATOR))
        for part, observables in parts.items():
            issue(self.certs, Wanted(partner(part)))
            text = _POLICY.format(
                part=part,
                who=f"spiffe://{self.name}/{INTEGRATOR}",
                observables=json.dumps(list(observables)),
                step=step,
            )
            self.home(part).mkdir()
            (self.home(part) / "policy.toml").write_text(text, encoding="utf-8")

    def place(self, addresses: Mapping[str, str]) -> None:
        """Write down who is where."""
        own = (f'{k} = "certs/{INTEGRATOR}.{e}"' for k, e in _OWN.items())
        lines = ["[client]", *own, 'ca = "certs/ca.pem"']
        for part, address in addresses.items():
            lines += ["", f"[parts.{part}]", f'address = "{address}"']
        self.placement.write_text("\n".join([*lines, ""]), encoding="utf-8")


_OWN = {"cert": "pem", "key": "key"}


def partner(part: str) -> str:
    """The name of the partner who has a part."""
    return part.lower()


@contextmanager
def serving(
    project: Project, model: Path, parts: Sequence[str]
) -> Iterator[dict[str, str]]:
    """Start a server for each part, in turn with none waiting for another.

    Gives their addresses; the servers end with the block, whatever happens in it.
    """
    with ExitStack() as stack:
        started = {
            part: stack.enter_context(_server(project, model, part)) for part in parts
        }
        yield {part: _address(project, part, p) for part, p in started.items()}


@contextmanager
def _server(
    project: Project, model: Path, part: str
) -> Iterator[subprocess.Popen[str]]:
    home, certs = project.home(part), project.certs.resolve()
    mine = certs / partner(part)
    command = [sys.executable, "-m", "bondline", "--json", "leaf", "serve"]
    files = ("--cert", f"{mine}.pem", "--key", f"{mine}.key")
    more = ("--client-ca", str(certs / "ca.pem"), "--policy", "policy.toml")
    with (home / "server.log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*command, f"{part}={model.resolve()}:{part}", *files, *more],
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,  # Ctrl-C is for the run; it ends the servers
        )
    try:
        yield process
    finally:
        _end(process)


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(_PATIENCE)
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        if process.stdout is not None:
            process.stdout.close()


def _address(project: Project, part: str, process: subprocess.Popen[str]) -> str:
    """Where it listens, as soon as it says so."""
    assert process.stdout is not None
    told = _document(process.stdout)
    if not told:
        log = project.home(part) / "server.log"
        last = log.read_text(encoding="utf-8").strip().splitlines()[-1:]
        raise LeafLost(
            f"the server of {part}",
            f"it ended before it served: {' '.join(last) or 'it said nothing'}",
            f"Read {log}.",
        )
    return str(json.loads(told)["address"])


def _document(stream: IO[str]) -> str:
    """One JSON document; empty if the stream ends before."""
    told = ""
    while not told.rstrip().endswith("}"):
        line = stream.readline()
        if not line:
            return ""
        told += line
    return told
