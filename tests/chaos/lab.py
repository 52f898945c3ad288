"""Machines on a network of their own: namespaces of the kernel, on a bridge.

Each has one interface, e0, with an address that exists in the laboratory only; the
bridge is in a namespace as well, so nothing outside has a new interface or a way in.
"""

from __future__ import annotations

import ctypes
import os
import secrets
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path

from bondline.cli import main
from tests.chaos.kills import FORKS

HUB = "hub"
MACHINES = {"office": "10.77.0.1", "left": "10.77.0.2", "right": "10.77.0.3"}
WAYS = {"input": "iifname", "output": "oifname"}  # hooks, and what they see of e0
TOOLS = {"ip": "iproute2", "tc": "iproute2", "nft": "nftables"}
LIMIT = 20.0  # s for one command
_CLONE_NEWNET = 0x40000000


class Laboratory:
    """An office and two suppliers, each a machine as far as a network can tell."""

    def __init__(self) -> None:
        self.tag = f"bl{os.getpid()}{secrets.token_hex(2)}"
        self._made = list[str]()

    def build(self) -> None:
        """All machines, connected."""
        for name in (HUB, *MACHINES):
            _do("ip", "netns", "add", self.space(name))
            self._made.append(name)
        hub = ("ip", "-n", self.space(HUB), "link")
        _do(*hub, "add", "bridge", "type", "bridge")
        _do(*hub, "set", "bridge", "up")
        for name, address in MACHINES.items():
            there, port = self.space(name), f"to-{name}"
            peer = ("peer", "name", "e0", "netns", there)
            _do(*hub, "add", port, "type", "veth", *peer)
            _do(*hub, "set", port, "master", "bridge", "up")
            _do("ip", "-n", there, "address", "add", f"{address}/24", "dev", "e0")
            for each in ("e0", "lo"):
                _do("ip", "-n", there, "link", "set", each, "up")

    def space(self, name: str) -> str:
        """The namespace of a machine."""
        return f"{self.tag}-{name}"

    def bondline(self, name: str, log: Path, *words: object) -> BaseProcess:
        """`bondline`, on that machine, with its words in a file."""
        given = (self.space(name), log, [*map(str, words)])
        process = FORKS.Process(target=_inside, args=given, daemon=True)
        process.start()
        return process

    def cut(self, name: str, ways: Sequence[str] = tuple(WAYS)) -> None:
        """Whatever goes these ways is lost, without a word; the machine has itself."""
        self._filter(name, "cut", "{} e0 drop", ways)

    def heal(self, name: str) -> None:
        """The end of `cut`."""
        _do(*self._on(name), "nft", "delete", "table", "inet", "cut")

    def lose(self, name: str, percent: int) -> None:
        """So many of the packets that it sends, at random."""
        rule = f"{{}} e0 numgen random mod 100 < {percent} counter drop"
        self._filter(name, "lose", rule, ("output",))

    def lost(self, name: str) -> int:
        """Packets since `lose`."""
        words = _do(*self._on(name), "nft", "list", "table", "inet", "lose").split()
        return int(words[words.index("packets") + 1])

    def narrow(self, name: str, rate: str) -> None:
        """Whatever it sends goes out so slowly: 256kbit."""
        head = (*self._on(name), "tc", "qdisc", "add", "dev", "e0", "root")
        _do(*head, "tbf", "rate", rate, "burst", "4kb", "latency", "400ms")

    def _on(self, name: str) -> tuple[str, ...]:
        return "ip", "netns", "exec", self.space(name)

    def _filter(self, name: str, table: str, rule: str, ways: Sequence[str]) -> None:
        chains = [
            f"chain {way} {{ type filter hook {way} priority 0; "
            f"{rule.format(WAYS[way])}; }};"
            for way in ways
        ]
        _do(*self._on(name), "nft", f"table inet {table} {{ {' '.join(chains)} }}")

    def close(self) -> None:
        """Processes first: a namespace lives as long as anybody in it."""
        for name in self._made:
            there = self.space(name)
            for pid in _do("ip", "netns", "pids", there).split():
                with suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            _do("ip", "netns", "delete", there)
        self._made.clear()


def _inside(space: str, log: Path, words: list[str]) -> None:
    """Enter a namespace, as `ip netns exec` does, and be `bondline` there."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open(f"/run/netns/{space}") as door:
        if libc.setns(door.fileno(), _CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "setns")
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(file, stream)
    os._exit(main(words))


def received(pid: int) -> int:
    """Bytes that came to the machine on which a process runs."""
    for line in Path(f"/proc/{pid}/net/dev").read_text().splitlines():
        name, _, numbers = line.partition(":")
        if name.strip() == "e0":
            return int(numbers.split()[0])
    raise LookupError("e0")


@contextmanager
def laboratory() -> Iterator[Laboratory]:
    """Removed in any case."""
    made = Laboratory()
    try:
        made.build()
        yield made
    finally:
        made.close()


@cache
def why_none() -> str:
    """Why this machine can have none; "" if it can. All of it is tried."""
    if missing := [tool for tool in TOOLS if shutil.which(tool) is None]:
        debian = {TOOLS[tool] for tool in missing}
        return f"no {', '.join(missing)} (Debian: {' '.join(sorted(debian))})"
    if os.geteuid() != 0:
        return "network namespaces are made by root only"
    try:
        with laboratory() as made:
            made.cut("left")
            made.heal("left")
            made.lose("left", 5)
            made.narrow("left", "256kbit")
    except OSError as error:
        return f"no network namespaces here: {error}"
    return ""


def _do(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT)
    if done.returncode != 0:
        said = " ".join(done.stderr.split())
        raise OSError(f"{' '.join(words)} ended with {done.returncode}: {said}")
    return done.stdout
