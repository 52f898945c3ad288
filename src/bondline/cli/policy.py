"""`bondline policy`: what an owner grants to whom."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bondline.cli.files import short, writing
from bondline.cli.options import Json
from bondline.cli.say import count
from bondline.cli.tables import table
from bondline.cli.voice import Voice, dim, fit, green, red, voice
from bondline.errors import SecurityError, UsageError, plain

if TYPE_CHECKING:
    from bondline.remote.privacy.policy import Grant, Policy

app = typer.Typer(
    help="What an owner grants to whom.", no_args_is_help=True, rich_markup_mode=None
)


@app.callback()
def policy() -> None:
    """What an owner grants to whom."""


@app.command("new")
def new(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="policy.toml")] = Path(
        "policy.toml"
    ),
    who: Annotated[
        str, typer.Option("--who", metavar="URI", help="Identity of the partner.")
    ] = "spiffe://project/integrator",
    model: Annotated[
        str, typer.Option("--model", metavar="NAME", help="That is served.")
    ] = "my_model",
    json: Json = False,
) -> None:
    """Write a policy to start from, with every key explained."""
    from bondline.remote.privacy.policy_file import read_policy
    from bondline.remote.privacy.policy_template import template
    from bondline.remote.trust.files import write_new

    mine, text = voice(ctx), template(who, model)
    read_policy(text, path)
    with writing(path):
        write_new(path, text.encode())
    mine.answer(
        {"file": str(path), "who": who, "model": model},
        lambda: mine.print(f"wrote {short(path)}; then: bondline policy check {path}"),
    )


@app.command("check")
def check(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="policy.toml")],
    json: Json = False,
) -> None:
    """Find all mistakes of a policy, and say what it grants.

    The exit code is 3 if there are mistakes: no server would start with it.
    """
    from bondline.remote.privacy.policy_file import load_policy

    mine = voice(ctx)
    try:
        found = load_policy(path)
    except SecurityError as error:
        if not error.problems:
            raise
        _refuse(mine, path, error)
        raise typer.Exit(error.exit_code) from None
    mine.answer(_document(path, found), lambda: _show(mine, found))


@app.command("lift")
def lift(
    ctx: typer.Context,
    path: Annotated[Path, typer.Argument(metavar="FILE", help="policy.toml")],
    who: Annotated[
        str, typer.Argument(metavar="PARTNER", help="spiffe://truck/integrator")
    ],
    model: Annotated[str, typer.Argument(metavar="MODEL", help="That is served.")],
    json: Json = False,
) -> None:
    """Serve a partner again today whom the excitation monitor stopped.

    Servers that run take it up by themselves. Budgets stay as they are.
    """
    from bondline.remote.privacy.budgets import Budgets
    from bondline.remote.privacy.policy_file import load_policy

    mine, found = voice(ctx), load_policy(path)
    place = f"{who}, {model}"
    if found.budgets is None or not found.budgets.exists():
        raise UsageError(
            place,
            f"{path} names no file of budgets, or it is not there: nothing is stopped.",
            "Give the policy that the server has.",
        )
    with closing(Budgets(found.budgets)) as budgets:
        if not budgets.lift(who, model):
            raise UsageError(
                place,
                "it is not stopped today.",
                "bondline audit tells who was, and of which model.",
            )
    mine.answer(
        {"who": who, "model": model, "lifted": True},
        lambda: mine.print(f"{who} is served {model} again"),
    )


def _refuse(mine: Voice, path: Path, error: SecurityError) -> None:
    document = {
        "file": str(path),
        "ok": False,
        "problems": [plain(p) for p in error.problems],
    }
    mine.answer(document, lambda: _problems(mine, error.problems))


def _problems(mine: Voice, problems: Sequence[Any]) -> None:
    for one in problems:
        words = fit(f"{one.place}: {one.finding}", 7, err=True)
        mine.complain(f"{red('error')}  {words}")
        mine.complain(f"       {dim('try:')} {fit(one.remedy, 12, err=True)}")


def _document(path: Path, found: Policy) -> dict[str, Any]:
    return {
        "file": str(path),
        "ok": True,
        "models": {
            name: {
                "band": terms.band,
                "digest": terms.digest,
                "observables": list(terms.observables),
                "publish": sorted(terms.publish),
            }
            for name, terms in found.models.items()
        },
        "grants": [_plain(g) for g in found.grants],
        "audit": str(found.audit) if found.audit else None,
        "budgets": str(found.budgets) if found.budgets else None,
        "keep": found.keep,
    }


def _plain(g: Grant) -> dict[str, Any]:
    return {
        "who": g.who,
        "model": g.model,
        "methods": sorted(g.methods),
        "ports": sorted(g.ports),
        "steps": str(g.steps),
        "budget": g.budget.limits(),
        "rollbacks": g.rollbacks,
        "blocks": g.blocks,
        "monitor": {"band": g.monitor.band, "action": g.monitor.action},
    }


def _show(mine: Voice, found: Policy) -> None:
    rows = [_row(g, found) for g in found.grants]
    if rows:
        head = (
            "who",
            "model",
            "served",
            "windows",
            "a day",
            "ports",
            "blocks",
            "monitor",
        )
        table(mine, head, rows)
    for warning in _doubts(found):
        mine.note(f"warning  {warning}")
    mine.say(f"{green('ok')}  {count(len(rows), 'grant')}; all else is denied")


def _row(g: Grant, found: Policy) -> tuple[str, ...]:
    band = found.terms(g.model).band
    limits = ", ".join(f"{n:g} {k}" for k, n in g.budget.limits().items())
    watched = g.monitor
    return (
        g.who,
        g.model,
        f"up to {band:g} Hz" if band else "whole",
        str(g.steps),
        limits or "no limit",
        "all" if "*" in g.ports else ", ".join(sorted(g.ports)) or "none",
        str(g.blocks),
        f"{watched.action} above {watched.band:g} Hz" if watched.band else "off",
    )


def _doubts(found: Policy) -> list[str]:
    """What is allowed and not wise."""
    said = []
    if found.audit is None:
        said.append("there is no audit log: nobody will know what left.")
    if found.budgets is None and any(g.budget.limits() for g in found.grants):
        said.append("budgets are granted, but [owner] names no file to keep them.")
    said += [
        f"all observables of {name} may be seen, also inner ones."
        for name, terms in found.models.items()
        if terms.seen is True
    ]
    said += [
        f"{g.who} may use no port of {g.model}: ports is empty."
        for g in found.grants
        if not g.ports
    ]
    for g in found.grants:
        if "receptance" in g.methods and found.terms(g.model).band is None:
            said.append(f"{g.who} may sweep {g.model} in frequency: all its modes.")
        if g.blocks > 1 and found.terms(g.model).band is None:
            said.append(f"{g.who} gets impulse responses of {g.model}: its modes.")
        if len(g.steps.lengths) > 3 or g.steps.least is not None:
            said.append(f"{g.who} may choose window lengths of {g.model}: a sweep.")
    return said
