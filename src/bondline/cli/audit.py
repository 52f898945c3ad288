"""`bondline audit`: what left, to whom, and what it reveals."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from bondline.cli.downstream import SIDE as SUPPLIER
from bondline.cli.files import short
from bondline.cli.options import Json
from bondline.cli.say import count
from bondline.cli.tables import table
from bondline.cli.voice import Voice, bold, green, voice, yellow
from bondline.errors import UsageError

if TYPE_CHECKING:
    from bondline.remote.log.audit_read import Log
    from bondline.remote.privacy.denials import Denial
    from bondline.remote.privacy.leakage import Account, Estimate


_ROWS = 20  # of denials, for each partner and model
_TO = {"integrator": "run", SUPPLIER: "server"}  # whose log it is of what came


class _ShowFirst(TyperGroup):
    """`bondline audit FILE` is `bondline audit show FILE`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names; a file is shown."""
        if args and args[0] not in self.commands:
            args = ["show", *args]
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_ShowFirst,
    help="What left a model, to whom, and what it reveals.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
File = Annotated[
    str, typer.Argument(metavar="FILE|RUN", help="audit.jsonl, or a run with partners")
]


@app.callback()
def audit() -> None:
    """What left a model, to whom, and what it reveals."""


@app.command("show")
def show(
    ctx: typer.Context,
    path: File,
    numbers: Annotated[
        bool, typer.Option("--numbers", help="Every record, with the numbers kept.")
    ] = False,
    json: Json = False,
) -> None:
    """Show what left: how many numbers, to whom, by which calls.

    Also what was denied: who asked what, and which rule of the policy said no.
    And what they reveal: how many modes an identification finds in them, if the owner
    keeps them (keep = "numbers"); else how many the counts would allow at most.
    """
    from bondline.remote.log.audit_read import read_log
    from bondline.remote.privacy.denials import denials
    from bondline.remote.privacy.knocks import knocked
    from bondline.remote.privacy.leakage import accounts, estimates

    mine = voice(ctx)
    log = read_log(_log(mine, path))
    found = accounts(log.records)
    guesses = {(a.who, a.model): estimates(log.records, a.who, a.model) for a in found}
    each = [(a, guesses[a.who, a.model]) for a in found]
    refusals = denials(log.records)
    document = {
        "file": str(log.path),
        "records": len(log.records),
        "head": log.head,
        "partners": [_plain(a, g) for a, g in each],
        "denials": [d._asdict() for d in refusals],
        "handshakes": [k._asdict() for k in knocked(log.records)],
    }
    if numbers:
        document["log"] = list(log.records)
    mine.answer(document, lambda: _show(mine, log, each, refusals, numbers))


@app.command("verify")
def verify(
    ctx: typer.Context,
    path: File,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", metavar="FILE|RUN", help="The other side's log."),
    ] = None,
    json: Json = False,
) -> None:
    """Check that a log is what was written, to the byte.

    Each record holds the hash of the one before. With the log of the other side also
    the end is checked: both wrote down the other's head at checkpoints. The exit code
    is 41 if something was changed, and the record is named.
    """
    from bondline.remote.log.audit_read import compare, read_log

    mine = voice(ctx)
    log = read_log(_log(mine, path))
    others = [read_log(_log(mine, other)) for other in against or []]
    each = compare(log, others)
    heads, silent = sum(each), [o for o, n in zip(others, each, strict=True) if not n]
    for other in silent:
        mine.note(
            f"warning  {short(other.path)} and {short(log.path)} have no head of each "
            "other: there is nothing to compare, and the end is not checked."
        )
    document = {
        "ok": True,
        "file": str(log.path),
        "records": len(log.records),
        "head": log.head,
        "heads": heads,
        "not_compared": [str(other.path) for other in silent],
    }
    mine.answer(document, lambda: _sound(mine, log, heads, bool(against)))


def _log(mine: Voice, text: str) -> Path:
    """A log itself, or that of a run."""
    from bondline.remote.log.audit import NAME
    from bondline.run import find

    if Path(text).is_file() or Path(text).suffix == ".jsonl":
        return Path(text)
    run = find(mine.runs, text)
    if not (run.path / NAME).is_file():
        raise UsageError(
            f"run {run.id}",
            "it has no audit log: no part of it was at a partner's.",
            "Give a run with --placement, or the audit.jsonl of an owner.",
        )
    return run.path / NAME


def _sound(mine: Voice, log: Log, heads: int, compared: bool) -> None:
    mine.print(f"{green('ok')}  {short(log.path)}: {count(len(log.records), 'record')}")
    mine.say(f"    head {log.head}")
    if heads:
        mine.say(f"    {count(heads, 'head')} of the two logs in each other agree")
    elif not compared:
        mine.say("    the end is checked with --against the other side's log only")


def _plain(a: Account, guesses: Sequence[Estimate]) -> dict[str, Any]:
    return {
        "who": a.who,
        "model": a.model,
        "numbers": a.numbers,
        "windows": a.windows,
        "probes": a.probes,
        "denied": a.denied,
        "alarms": len(a.alarms),
        "calls": a.calls,
        "numbers_by_call": a.by_method,
        "window_lengths": sorted(a.steps),
        "impulse_windows": a.impulses,
        "modes_at_most": a.at_most(),
        "sessions": [
            {
                "session": g.session,
                "windows": g.windows,
                "windows_kept": g.kept,
                "modes": g.modes,
                "frequencies": list(g.frequencies),
                "perhaps": list(g.perhaps),
            }
            for g in guesses
        ],
    }


def _show(
    mine: Voice,
    log: Log,
    each: Sequence[tuple[Account, Sequence[Estimate]]],
    refusals: Sequence[Denial],
    numbers: bool,
) -> None:
    side = str(log.records[0].get("side", "")) if log.records else ""
    for account, guesses in each:
        mine.print(_headline(account, side))
        _account(mine, account, side)
        key = (account.who, account.model)
        _denied(mine, account, [d for d in refusals if (d.who, d.model) == key])
        _reveals(mine, account, guesses)
    if not each:
        mine.print("nothing left")
    _refused(mine, log)
    if numbers:
        for record in log.records:
            mine.print(_line(record))
    mine.say(f"{count(len(log.records), 'record')}, chain holds, head {log.head}")


def _headline(a: Account, side: str) -> str:
    model, who = _printable(a.model), _printable(a.who)
    if side in _TO:
        return f"{bold(model)} of {who}, to this {_TO[side]}"
    what = bold(model) if model else "no model"
    return f"{what} to {who or 'callers without a certificate'}"


def _printable(text: str) -> str:
    """What came from outside, so that it moves no cursor and makes no line."""
    return text if text.isprintable() else ascii(text)


def _account(mine: Voice, a: Account, side: str) -> None:
    lengths = ", ".join(f"{h:g} s" for h in sorted(a.steps)) or "none"
    # who receives does not know what counts as a probe there
    probes = "" if side in _TO else f"{count(a.probes, 'probe')}   "
    mine.print(
        f"  {count(a.numbers, 'number')} {'came' if side in _TO else 'left'}   "
        f"{count(a.windows, 'window')}   {probes}window lengths {lengths}"
    )
    rows = [(m, str(n), str(a.by_method.get(m, 0))) for m, n in a.calls.items()]
    if rows:
        table(mine, ("call", "times", "numbers"), rows, indent=2)
    if a.impulses:
        mine.print(
            f"  {yellow('impulse responses')}  over {count(a.impulses, 'window')}: "
            f"{count(a.by_method.get('impulse', 0), 'number')} that tell all modes"
        )
    for alarm in a.alarms:
        mine.print(
            f"  {yellow('alarm')}  port {alarm['port']} at t = {alarm['t']:g} s: "
            f"{100 * alarm['outside']:.0f} % of its energy outside the band"
        )


def _denied(mine: Voice, a: Account, each: Sequence[Denial]) -> None:
    """What was asked for in vain, and why."""
    if not a.denied:
        return
    mine.print(f"  {yellow('denied')}  {count(a.denied, 'call')}")
    rows = [
        (_asked(d), d.rule or "-", str(d.times), d.last, d.why or d.reason)
        for d in each[-_ROWS:]
    ]
    table(mine, ("asked", "rule", "times", "last", "because"), rows, indent=2)
    if len(each) > _ROWS:
        mine.print(
            f"  the last {_ROWS} of {len(each)} kinds; --json has all, --numbers each"
        )


def _asked(d: Denial) -> str:
    """The request: method, ports, window length."""
    ports = f" {', '.join(d.ports)}" if d.ports else ""
    step = f" over {d.step:g} s" if d.step else ""
    return f"{d.method or 'something unknown'}{ports}{step}"


def _reveals(mine: Voice, a: Account, guesses: Sequence[Estimate]) -> None:
    for g in guesses:
        each, more = (
            ", ".join(f"{f:.4g}" for f in fs) for fs in (g.frequencies, g.perhaps)
        )
        where = f"session {g.session or '-'}, {_looked_at(g)}"
        if g.modes:
            mine.print(f"  reveals {count(g.modes, 'mode')}: {where}: {each} Hz")
        else:  # which is no promise
            mine.print(
                f"  reveals no mode to this attack; others may find some: {where}"
            )
        if more:
            mine.print(f"  perhaps also {more} Hz: agreed on, but not sure to be modes")
    if not guesses:
        most = max(a.at_most().values())
        how = [f"{n} {k}" for k, n in a.at_most().items() if n]
        words = f" ({', '.join(how)})" if how else ""
        mine.print(f"  reveals at most {count(most, 'mode')}{words}, by counts alone")


def _looked_at(g: Estimate) -> str:
    """How many windows, and of how many: what was left out may tell more."""
    if g.windows == g.kept:
        return count(g.windows, "window")
    return f"looked at {g.windows} of {count(g.kept, 'window')}"


def _refused(mine: Voice, log: Log) -> None:
    """Who did not even get to ask."""
    from bondline.remote.privacy.knocks import knocked

    found = knocked(log.records)
    if not found:
        return
    times = count(sum(k.times for k in found), "handshake")
    mine.print(f"{yellow('refused')}  {times} failed")
    rows = [(k.host or "others", k.reason, str(k.times), k.last) for k in found]
    table(mine, ("from", "because", "times", "last"), rows, indent=2)


def _line(record: dict[str, Any]) -> str:
    skip = ("hash", "at", "n", "kind")
    rest = "  ".join(f"{k}={v}" for k, v in record.items() if k not in skip and v)
    return f"{record['n']:>6}  {record['at']}  {record['kind']}  {rest}"
