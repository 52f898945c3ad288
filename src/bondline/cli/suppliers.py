"""Servers of a model's parts on this machine, as partners would run them on theirs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from bondline.errors import LeafLost

INTEGRATOR = "integrator"
_POLICY = """\
# Written by bondline demo; bondline policy new explains every key.
[owner]
audit = "audit.jsonl"
budgets = "budgets.sqlite"
"""
_MODEL = """
[models."{part}"]
observables = {observables}
publish = ["outline", "reactions", "notes", "parameters", "energy", "counts"]

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
Companies = Mapping[str, Mapping[str, Sequence[str]]]
"""Who has which parts, and what each of them shows."""


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

    def home(self, company: str) -> Path:
        """A partner's folder: policy, audit log, checkpoints."""
        return self.folder / company

    def identity(self, company: str) -> str:
        """What its certificate says."""
        return f"spiffe://{self.name}/{company.lower()}"

    def found(self, companies: Companies, step: float) -> None:
        """Certificates for all, and a policy for each with windows of `step`."""
        from bondline.remote.trust.authority import Wanted, issue, make_ca

        make_ca(self.certs, self.name)
        issue(self.certs, Wanted(INTEGRATOR))
        who = self.identity(INTEGRATOR)
        for company, parts in companies.items():
            issue(self.certs, Wanted(company.lower()))
            models = (
                _MODEL.format(
                    part=part, who=who, observables=json.dumps(list(shown)), step=step
                )
                for part, shown in parts.items()
            )
            self.home(company).mkdir()
            file = self.home(company) / "policy.toml"
            file.write_text("".join([_POLICY, *models]), encoding="utf-8")

    def place(self, companies: Companies, addresses: Mapping[str, str]) -> None:
        """Write down which part is where."""
        own = (f'{k} = "certs/{INTEGRATOR}.{e}"' for k, e in _OWN.items())
        lines = ["[client]", *own, 'ca = "certs/ca.pem"']
        for company, parts in companies.items():
            for part in parts:
                where = f'address = "{addresses[company]}"'
                lines += ["", f'[parts."{part}"]', where, f'model = "{part}"']
        self.placement.write_text("\n".join([*lines, ""]), encoding="utf-8")


_OWN = {"cert": "pem", "key": "key"}


@contextmanager
def serving(
    project: Project, model: Path, companies: Companies
) -> Iterator[dict[str, str]]:
    """Start a server for each company; they get ready side by side.

    Gives their addresses; the servers end with the block, whatever happens in it.
    """
    with ExitStack() as stack:
        started = {
            company: stack.enter_context(_server(project, model, company, parts))
            for company, parts in companies.items()
        }
        yield {company: _address(project, company, p) for company, p in started.items()}


@contextmanager
def _server(
    project: Project, model: Path, company: str, parts: Iterable[str]
) -> Iterator[subprocess.Popen[str]]:
    home, certs = project.home(company), project.certs.resolve()
    mine, served = (
        certs / company.lower(),
        [f"{p}={model.resolve()}:{p}" for p in parts],
    )
    command = [sys.executable, "-m", "bondline", "--json", "leaf", "serve"]
    files = ("--cert", f"{mine}.pem", "--key", f"{mine}.key")
    more = ("--client-ca", str(certs / "ca.pem"), "--policy", "policy.toml")
    with (home / "server.log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*command, *served, *files, *more],
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


def _address(project: Project, company: str, process: subprocess.Popen[str]) -> str:
    """Where it listens, as soon as it says so."""
    assert process.stdout is not None
    told = _document(process.stdout)
    if "address" in told:
        return str(told["address"])
    log, error = project.home(company) / "server.log", told.get("error", {})
    raise LeafLost(
        f"the server of {company}",
        f"it ended before it served: {error.get('finding', 'it did not say why.')}",
        f"{error.get('remedy', '')} Its log is {log}.".strip(),
    )


def _document(stream: IO[str]) -> dict[str, Any]:
    """One JSON document; empty if the stream ends before."""
    told = ""
    for line in stream:
        told += line
        if line.startswith("}"):  # indented: the last brace only
            return dict(json.loads(told))
    return {}
