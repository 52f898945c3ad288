"""What does it cost that a model is elsewhere?

Two questions, each answered by ratios within one run: how long is a round trip of ours,
less what the model computes, against a bare gRPC stream that carries as many bytes; and
how long is the truck frame with six remote leaves against in process, window by window
and in blocks of ten, each also with a policy, budgets and logs on both sides, as in
every run of the command line. Round trips are counted. Servers are other processes on
this machine, one an owner; both sides show certificates, in all rows, as in every run
over a network. The first question is asked without certificates, too.

What the model computes is measured twice: in this process, and behind another bare
stream of the server, where its caches are as cold as for ours. Both ratios are printed.
All are asked by turns, a stretch of windows each, as a run has them; medians are
compared.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import grpc

from bondline.build import open_model
from bondline.core import Response, uniform
from bondline.gluing.crew import Turns
from bondline.leaves import chain
from bondline.remote.client.dial import Dial
from bondline.remote.client.remote import remote_model
from bondline.remote.log.audit import AuditLog
from bondline.remote.owner.gate import Gate
from bondline.remote.owner.host import Host, Open
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.owner.server import serve
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Budget, Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.trust.authority import Wanted, issue, make_ca
from bondline.remote.trust.tls import Credentials
from bondline.run import simulate

FRAME = Path(__file__).resolve().parents[1] / "examples/truck_frame/Flat.ssd"
INTEGRATOR = "spiffe://bench/integrator"
H = 0.0005
STRETCH = 50  # round trips of one kind, then as many of the next
PIECE = 100  # windows in process, then as many away, then as many in blocks
BLOCK = 10  # windows an exchange


def bare(requests: Iterator[bytes], context: Any) -> Iterator[bytes]:
    """Answers each request with as many bytes as it asks for."""
    for raw in requests:
        yield raw[:1] * int.from_bytes(raw[:4], "little")


def working(requests: Iterator[bytes], context: Any) -> Iterator[bytes]:
    """The same, after a window of a chain that nothing is told of."""
    window = Windows(chain("chain"))
    for raw in requests:
        window()
        yield from bare(iter([raw]), context)


def certified(folder: Path, name: str) -> Credentials:
    """A certificate of the project's authority, which is made if there is none."""
    if not (folder / "ca.pem").exists():
        make_ca(folder, "bench")
    own = issue(folder, Wanted(name))
    return Credentials(own.certificate, own.key, folder / "ca.pem")


def judge(folder: str) -> Gate:
    """Grants the integrator all, counts it, and writes it down there."""
    kept = Path(folder) / str(os.getpid())
    every, budget = frozenset(METHODS), Budget(windows=10**6)
    granted = {"steps": Steps((H,)), "budget": budget, "blocks": BLOCK}
    grant = Grant(INTEGRATOR, "*", every, **granted)
    audit, budgets = kept / "audit.jsonl", kept / "budgets.sqlite"
    return PolicyGate.of(Policy(grants=(grant,), audit=audit, budgets=budgets))


def be_server(cert: str = "", key: str = "", ca: str = "", folder: str = "") -> None:
    """The other process: bare streams, a chain, and the parts of the frame."""
    secrets = Credentials(Path(cert), Path(key), Path(ca)) if cert else None
    streams = {"Ping": bare, "Work": working}
    handlers = {n: grpc.stream_stream_rpc_method_handler(f) for n, f in streams.items()}
    ping = grpc.server(ThreadPoolExecutor(4))
    ping.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bare", handlers),)
    )
    where = "127.0.0.1:0"
    if secrets is None:
        port = ping.add_insecure_port(where)
    else:
        port = ping.add_secure_port(where, secrets.for_server())
    ping.start()
    parts = {**open_model(FRAME).model.parts, "chain": chain("chain")}
    models = {n: Served(n, lambda p=p: p, "", EVERYTHING) for n, p in parts.items()}
    ours = serve(Host(models, judge(folder) if folder else Open()), where, secrets)
    print(port, ours.port, flush=True)
    sys.stdin.read()
    ping.stop(0)
    ours.stop(0)


@contextmanager
def other_process(
    secrets: Credentials | None, kept: Path | None = None
) -> Iterator[tuple[str, str]]:
    """Where it serves bare streams, and where models; by a policy, if it keeps logs."""
    files = (secrets.cert, secrets.key, secrets.ca) if secrets else ()
    files += (kept,) if kept else ()
    command = [sys.executable, __file__, "--serve", *map(str, files)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        assert process.stdout is not None
        yield tuple(f"127.0.0.1:{p}" for p in process.stdout.readline().split())


@dataclass(frozen=True)
class Both:
    """What the two sides show to each other: certificates, or nothing."""

    owner: Credentials | None = None
    integrator: Credentials | None = None

    def channel(self, address: str) -> grpc.Channel:
        """For a bare stream."""
        if self.integrator is None:
            return grpc.insecure_channel(address)
        return grpc.secure_channel(address, self.integrator.for_channel())

    def model(self, address: str, name: str) -> Any:
        """One that is served there."""
        return remote_model(name, Dial(address, self.integrator), name)


@dataclass(frozen=True)
class Trip:
    """Medians of one window, in seconds."""

    bare: float
    behind: float  # a bare one, with the model behind it
    remote: float
    here: float

    def ratio(self, model: float) -> float:
        """A round trip of ours less what the model takes, over a bare one."""
        return (self.remote - model) / self.bare

    @property
    def there(self) -> float:
        """What the model takes on the server."""
        return self.behind - self.bare


class Windows:
    """A chain, one window after the other, as gluing asks for it."""

    def __init__(self, model: Any) -> None:
        self.model, self.n = model, 0
        self.state = model.start(0.0).state

    def __call__(self) -> None:
        window = uniform(0.0, H, self.n)
        response = self.model.respond(self.state, window, {})
        assert isinstance(response, Response)
        self.state = self.model.realise(response, {}).state
        self.model.observe(self.state)
        self.model.shapes(self.state)
        self.n += 1


def timed(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def trips(both: Both, count: int) -> Trip:
    """The four of them by turns, so that what else the machine does hits all."""
    with other_process(both.owner) as (ping, ours), both.channel(ping) as channel:
        streams = [Stream(channel, "Ping"), Stream(channel, "Work")]
        remote = both.model(ours, "chain")
        sizes = Sizes(remote.link.line)
        remote.link.line = sizes
        away, here = Windows(remote), Windows(chain("chain"))

        away()
        calls = [*(lambda s=s: s.ping(sizes) for s in streams), away, here]
        columns: list[list[float]] = [[] for _ in calls]
        for _ in range(count // STRETCH):
            for column, call in zip(columns, calls, strict=True):
                column += [timed(call) for _ in range(STRETCH)]
        for stream in streams:
            stream.outbox.put(None)
        remote.close()
    return Trip(*(median(column[STRETCH:]) for column in columns))


class Stream:
    """A bare stream, as anybody would write it."""

    def __init__(self, channel: grpc.Channel, name: str) -> None:
        self.outbox: SimpleQueue[bytes | None] = SimpleQueue()
        requests = iter(self.outbox.get, None)
        self.replies = channel.stream_stream(f"/bare/{name}")(requests)

    def ping(self, sizes: Sizes) -> None:
        """A round trip with as many bytes."""
        head = sizes.reply.to_bytes(4, "little")
        self.outbox.put(head.ljust(sizes.request, b"\0"))
        next(self.replies)


class Sizes:
    """A line that knows how long the last messages were."""

    def __init__(self, line: Dial) -> None:
        self.line, self.place, self.request, self.reply = line, line.place, 0, 0

    def exchange(self, raw: bytes, *more: Any) -> bytes:
        reply = self.line.exchange(raw, *more)
        self.request, self.reply = len(raw), len(reply)
        return reply

    def __getattr__(self, name: str) -> Any:
        return getattr(self.line, name)


@dataclass(frozen=True)
class Frame:
    """Seconds a window after start-up, and round trips a window of one leaf."""

    here: float
    away: float
    in_blocks: float
    judged: float  # with a policy, budgets and logs
    judged_in_blocks: float
    trips: float
    trips_in_blocks: float


def frame(both: Both, windows: int, folder: Path, warm: int = 20) -> Frame:
    whole = open_model(FRAME).model
    log = AuditLog(folder / "audit.jsonl", "integrator")
    with ExitStack() as stack:

        def elsewhere(kept: Path | None = None) -> dict[str, Any]:
            """Six owners, each with a server of its own."""
            parts = {}
            for name in whole.parts:
                _, ours = stack.enter_context(other_process(both.owner, kept))
                parts[name] = both.model(ours, name)
                stack.callback(parts[name].close)
                if kept is not None:
                    parts[name].link.ledger.begin(log)
            return parts

        far = replace(whole, parts=elsewhere(), crew=Turns())
        blocks = replace(whole, parts=elsewhere(), crew=Turns(), block=BLOCK)
        judged = replace(whole, parts=elsewhere(folder), crew=Turns())
        together = replace(whole, parts=elsewhere(folder), crew=Turns(), block=BLOCK)
        runs = [Going(m) for m in (whole, far, blocks, judged, together)]
        for run in runs:
            run(warm)
        before = [asked(far), asked(blocks)]
        rows = [
            [timed(lambda run=run: run(PIECE)) for run in runs]
            for _ in range(windows // PIECE)
        ]
        after = [asked(far), asked(blocks)]
    seconds = [median(column) / PIECE for column in zip(*rows, strict=True)]
    made = [(b - a) / windows for a, b in zip(before, after, strict=True)]
    return Frame(*seconds, *made)


def asked(model: Any) -> int:
    """Round trips so far, of the leaf that made most."""
    return max(part.link.trips for part in model.parts.values())


class Going:
    """A run that goes on by so many windows."""

    def __init__(self, model: Any) -> None:
        self.model, self.end, self.last = model, 0, None

    def __call__(self, windows: int) -> None:
        self.end += windows
        done = simulate(self.model, self.end * H, H, resume=self.last)
        self.last = (done.windows, done.t, done.state)


def told(t: Trip, how: str) -> None:
    print(f"round trips, {how}")
    print(f"  bare gRPC stream     {1e6 * t.bare:8.0f} us")
    print(f"  a window of a chain  {1e6 * t.here:8.0f} us in process")
    print(f"                       {1e6 * t.there:8.0f} us behind a bare stream")
    print(f"                       {1e6 * t.remote:8.0f} us remote")
    here, there = t.ratio(t.here), t.ratio(t.there)
    print(f"  our round trip       {there:8.2f} x the bare one (goal 1.3)")
    print(f"                       {here:8.2f} x, less the window in process")


def main(count: int = 3000, windows: int = 2000) -> None:
    with TemporaryDirectory() as folder:
        names = ("owner", "integrator")
        both = Both(*(certified(Path(folder), name) for name in names))
        told(trips(both, count), "certificates on both sides")
        told(trips(Both(), count), "in the open, on loopback")
        f = frame(both, windows, Path(folder))
    print("truck frame, six owners, certificates on both sides")
    print(f"  in process           {1e3 * f.here:8.2f} ms a window")
    print(f"  six remote leaves    {1e3 * f.away:8.2f} ms a window")
    print(f"                       {f.away / f.here:8.2f} x in process (goal 2)")
    print(f"  in blocks of {BLOCK}      {1e3 * f.in_blocks:8.2f} ms a window")
    print(f"                       {f.in_blocks / f.here:8.2f} x in process (goal 2)")
    print(f"  policies and logs    {1e3 * f.judged:8.2f} ms a window, one by one")
    print(f"                       {f.judged / f.here:8.2f} x in process")
    print(f"                       {1e3 * f.judged_in_blocks:8.2f} ms in blocks")
    print(f"                       {f.judged_in_blocks / f.here:8.2f} x in process")
    print(f"  round trips a window {f.trips:8.2f} of each leaf")
    print(f"                       {f.trips_in_blocks:8.2f} in blocks")


if __name__ == "__main__":
    if "--serve" in sys.argv:
        be_server(*sys.argv[2:])
    elif "--short" in sys.argv:
        main(200, PIECE)
    else:
        main()
