"""`bondline leaf serve`: a model for partners, without giving it away."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import (
    AbstractContextManager,
    ExitStack,
    contextmanager,
    nullcontext,
)
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli.downstream import Downstream, downstream, log_of
from bondline.cli.files import short
from bondline.cli.given import pairs
from bondline.cli.options import Placement
from bondline.cli.serve_checks import check_names, check_seconds
from bondline.cli.serve_models import all_served, audit_of, gate_of, rules_of, served
from bondline.cli.signals import HEARD, NUMBERS
from bondline.cli.voice import Voice, voice
from bondline.errors import Interrupted, SettingError, UsageError

if TYPE_CHECKING:
    from bondline.remote.owner.host import Host
    from bondline.remote.owner.published import Published
    from bondline.remote.owner.served import Served
    from bondline.remote.owner.server import Server
    from bondline.remote.privacy.policy import Policy
    from bondline.remote.trust.tls import Credentials

    Listening = Callable[[Host, str, Credentials | None], Server]


_LOOK = 0.1  # s between looks at whether a signal came
_GRACE = 10.0  # s for what is computed when the server is told to stop


def serve(
    ctx: typer.Context,
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="[NAME=]MODEL...",
            help="A model, MODEL:part, a kind, or module:maker of your own.",
        ),
    ],
    listen: Annotated[
        str, typer.Option("--listen", metavar="HOST:PORT", help="Where to listen.")
    ] = "127.0.0.1:0",
    cert: Annotated[
        Path | None, typer.Option("--cert", help="The server's certificate, PEM.")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", help="Its key, PEM.")] = None,
    client_ca: Annotated[
        Path | None,
        typer.Option("--client-ca", help="The authority that partners belong to."),
    ] = None,
    policy: Annotated[
        Path | None,
        typer.Option("--policy", help="Who may do what; nothing without it."),
    ] = None,
    store: Annotated[
        Path, typer.Option("--store", help="Folder for checkpoints and the epoch.")
    ] = Path("leaf-store"),
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter, with its unit."),
    ] = None,
    placement: Placement = None,
    partners_log: Annotated[
        Path | None,
        typer.Option(
            "--partners-log",
            metavar="FILE",
            help="What parts of --placement sent; beside the audit log if not given.",
        ),
    ] = None,
    sessions: Annotated[
        int, typer.Option("--sessions", min=1, help="Coordinators at a time.")
    ] = 8,
    lease: Annotated[
        float, typer.Option("--lease", help="Seconds that a session may be silent.")
    ] = 60.0,
    rate: Annotated[
        float,
        typer.Option(
            "--requests-per-second", min=1.0, help="Of one session; more are refused."
        ),
    ] = float("inf"),
    message: Annotated[
        float,
        typer.Option("--max-message", min=0.01, max=64.0, help="MiB of one request."),
    ] = 4.0,
    states: Annotated[
        int, typer.Option("--states", min=1, help="That one session may keep.")
    ] = 4096,
    growth: Annotated[
        float,
        typer.Option(
            "--max-growth",
            min=16.0,
            help="MiB of memory more, after which who brings most is dropped.",
        ),
    ] = 512.0,
    max_step: Annotated[
        float, typer.Option("--max-step", help="Seconds that a window may take.")
    ] = 10.0,
    allow_all: Annotated[
        bool,
        typer.Option(
            "--allow-all",
            help="No policy: everything, for everybody with a certificate.",
        ),
    ] = False,
    insecure: Annotated[
        bool,
        typer.Option(
            "--insecure-loopback", help="No certificates, for this machine only."
        ),
    ] = False,
) -> None:
    """Serve models to partners: they exchange forces and motions, and see no inside.

    Mutual TLS is required. SIGTERM or Ctrl-C lets it finish what it computes, for 10 s
    at most; a second one does not wait. If a window was given up, the exit code is 10.
    """
    from bondline.remote.limits import Limits
    from bondline.remote.owner.hardening import harden
    from bondline.remote.owner.host import Host
    from bondline.remote.owner.shelf import Shelf

    mine = voice(ctx)
    check_seconds({"--lease": lease, "--max-step": max_step})
    files = _files(cert, key, client_ca, insecure)
    rules = rules_of(policy, allow_all or insecure)
    heard, secrets = _heard(None if insecure else audit_of(rules)), _credentials(files)
    for warning in harden():
        mine.note(f"warning  {warning}")
    given = pairs(set_ or ())
    size, grown = (round(mib * 2**20) for mib in (message, growth))
    limits = Limits(
        message=size,
        sessions=sessions,
        states=states,
        per_second=rate,
        lease=lease,
        growth=grown,
    )
    sent = log_of(partners_log, audit_of(rules), store)
    with ExitStack() as open_:
        # gRPC tells of our own handshakes with sub-suppliers, too: nobody wants that
        early = open_.enter_context(heard) if placement is not None else None
        below = open_.enter_context(downstream(placement, sent, mine))
        models = all_served(targets, given, below, (rules, max_step))
        named = _tried(mine, models, rules, lease)
        gate = open_.enter_context(gate_of(rules))
        listening = early or open_.enter_context(heard)
        host = Host(named, gate, limits, Shelf(store))
        server = listening(host, listen, secrets)
        if placement is not None:
            mine.say(f"what partners send is written down in {short(sent)}")
        _until_told(mine, server, listen, list(host.models))
        below.busy = host.busy
    if below.busy:
        _leave(mine)


def _tried(
    mine: Voice, models: list[Served], rules: Policy | Published, lease: float
) -> dict[str, Served]:
    """By name; what cannot be served is told now, and what is doubtful."""
    from bondline.remote.privacy.policy import Policy
    from bondline.remote.privacy.strangers import strangers

    check_names([m.name for m in models])
    for model in models:
        model.description(lease)
    named = {m.name: m for m in models}
    for warning in strangers(rules, named) if isinstance(rules, Policy) else ():
        mine.note(f"warning  {warning}")
    return named


def _heard(audit: Path | None) -> AbstractContextManager[Listening]:
    """What listens; while it does, the log has the handshakes that fail.

    gRPC is imported here, and nothing may import it before. Processes that a model
    starts before it is entered do not keep the listener waiting; a server that has
    partners of its own enters it before it connects.
    """
    from bondline.remote.privacy.listener import overheard
    from bondline.remote.trust.handshakes import traced

    with traced() if audit else nullcontext("") as hidden:
        from bondline.remote.owner.server import serve as listening

    @contextmanager
    def heard() -> Iterator[Listening]:
        with overheard(audit, hidden) if audit else nullcontext():
            yield listening

    return heard()


@dataclass
class _Told:
    """Ends a server: the first signal lets it finish, the second does not."""

    times: int = 0
    answered: int = 0

    def hear(self, number: int, *_: object) -> None:
        """A signal came: count it, and no more, since another may come in here."""
        self.times += 1
        HEARD.note(number, 0)  # so that the process ends by itself, whatever comes

    def answer(self, server: Server) -> None:
        """Outside of the handler: to start a thread takes locks."""
        if self.times > self.answered:
            self.answered = self.times
            server.begin_stop(0.0 if self.times > 1 else _GRACE)


def _until_told(mine: Voice, server: Server, listen: str, names: list[str]) -> None:
    place = f"{listen.rpartition(':')[0]}:{server.port}"
    told, stop = {"address": place, "models": names}, _Told()
    for each in NUMBERS:
        signal.signal(each, stop.hear)
    if HEARD.number:  # before we listened, and somebody else's code swallowed it
        stop.hear(HEARD.number)
    mine.answer(told, lambda: mine.say(f"serving {', '.join(names)} on {place}"))
    while not server.wait(_LOOK):
        stop.answer(server)


def _leave(mine: Voice) -> None:
    """End now, though a thread still computes: Python would wait for it."""
    mine.note(
        "stopped  while a window was computed, which is given up: runs go on with it "
        "once the server is started again"
    )
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(Interrupted.exit_code)


def _files(
    cert: Path | None, key: Path | None, ca: Path | None, insecure: bool
) -> tuple[Path, Path, Path] | None:
    """Certificate, key and authority, which only this machine goes without."""
    if insecure:
        return None
    if cert is None or key is None or ca is None:
        raise UsageError(
            "bondline leaf serve",
            "--cert, --key and --client-ca are needed: partners and you must know "
            "who talks.",
            "bondline cert makes them (cert ca, cert request, cert issue); on this "
            "machine only, --insecure-loopback goes without.",
        )
    return cert, key, ca


def _credentials(files: tuple[Path, Path, Path] | None) -> Credentials | None:
    from bondline.remote.trust.certificates import why_no_authority, why_refused
    from bondline.remote.trust.tls import Credentials

    if files is None:
        return None
    secrets = Credentials(*files)
    secrets.files()
    if wrong := why_refused(secrets.cert, None, None):
        raise SettingError(
            str(secrets.cert),
            f"no partner would take it: {wrong}",
            "Servers take up renewed files by themselves, once they run.",
        )
    if wrong := why_no_authority(secrets.ca):
        raise SettingError(
            f"--client-ca {secrets.ca}",
            wrong,
            "Give the ca.pem that came with your certificate: that of the project.",
        )
    return secrets


def pipe(
    target: Annotated[str, typer.Argument(metavar="MODEL:part")],
    store: Annotated[Path, typer.Option("--store")],
    set_: Annotated[list[str] | None, typer.Option("--set")] = None,
) -> None:
    """Serve one part to the process that started this one, over pipes."""
    from bondline.remote.limits import Limits
    from bondline.remote.owner.host import Host
    from bondline.remote.owner.pipe import serve_pipe
    from bondline.remote.owner.published import EVERYTHING
    from bondline.remote.owner.shelf import Shelf
    from bondline.wire.pipes import Frames

    frames = Frames()  # before anything of the model may print
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    alone = Downstream({}, None)
    model = served(target, pairs(set_ or ()), alone, (EVERYTHING, 0.0))
    limits = Limits(lease=float("inf"))
    shelf = Shelf(store / model.name)
    serve_pipe(frames, Host({model.name: model}, limits=limits, shelf=shelf))
