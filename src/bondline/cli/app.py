"""The commands and the flags that come before them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from bondline import __version__
from bondline.cli import (
    advise,
    animate,
    audit,
    cert,
    certify,
    check,
    compare,
    db,
    demo,
    doctor,
    export,
    frf,
    info,
    init,
    leaf,
    modes,
    pack,
    picture,
    plot,
    policy,
    reduce,
    report,
    run,
    runs,
    static,
    sweep,
    sweeps,
    ui,
    verify,
)
from bondline.cli.voice import Voice, voice

_PROJECT = "BONDLINE_PROJECT"
app = typer.Typer(
    name="bondline",
    help="Glue simulation models at their interfaces; behave as one model.",
    no_args_is_help=False,
    invoke_without_command=True,
    rich_markup_mode=None,  # plain help starts three times as fast
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

app.command("demo")(demo.demo)
app.command("init")(init.init)
app.command("info")(info.info)
app.command("check")(check.check)
app.command("advise")(advise.advise)
app.command("pack")(pack.pack)
app.command("run")(run.run)
app.command("static")(static.static)
app.command("certify")(certify.certify)
app.add_typer(runs.app, name="runs")
app.command("sweep")(sweep.sweep)
app.add_typer(sweeps.app, name="sweeps")
app.add_typer(leaf.app, name="leaf")
app.command("modes")(modes.modes)
app.command("frf")(frf.frf)
app.command("reduce")(reduce.reduce)
app.command("plot")(plot.plot)
app.command("picture")(picture.picture)
app.command("compare")(compare.compare)
app.command("export")(export.export)
app.command("report")(report.report)
app.command("animate")(animate.animate)
app.command("verify")(verify.verify)
app.command("ui")(ui.ui)
app.add_typer(db.app, name="db")
app.add_typer(cert.app, name="cert")
app.add_typer(policy.app, name="policy")
app.add_typer(audit.app, name="audit")
app.command("doctor")(doctor.doctor)


@app.callback()
def bondline(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="One JSON document on stdout.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only answers and errors.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Show tracebacks.")
    ] = False,
    no_color: Annotated[
        bool, typer.Option("--no-color", help="Plain text; so does NO_COLOR.")
    ] = False,
    allow_code: Annotated[
        bool,
        typer.Option("--allow-code", help="Models may run their own Python files."),
    ] = False,
    project: Annotated[
        Path,
        typer.Option(
            envvar=_PROJECT, help="Folder of runs/ and of the model library/."
        ),
    ] = Path(),
    allow_unsandboxed: Annotated[
        bool,
        typer.Option(
            "--allow-unsandboxed", help="Run FMUs even where they cannot be locked in."
        ),
    ] = False,
) -> None:
    """Glue simulation models at their interfaces; behave as one model."""
    mine = voice(ctx)
    mine.quiet, mine.verbose, mine.project = quiet, verbose, project
    _tell_below(ctx, _PROJECT, str(project))
    if no_color or os.environ.get("NO_COLOR"):
        mine.color = False
    if allow_unsandboxed:
        _tell_below(ctx, "BONDLINE_ALLOW_UNSANDBOXED", "1")
    if allow_code:
        from bondline.build.solvers.grant import code_allowed

        ctx.with_resource(code_allowed())
    if version:
        mine.answer(
            {"bondline": __version__}, lambda: mine.print(f"bondline {__version__}")
        )
    elif ctx.invoked_subcommand is None:
        _help(ctx, mine)


def _tell_below(ctx: typer.Context, variable: str, value: str) -> None:
    """Say it to what is below the commands, and to their processes; then no more."""
    before = os.environ.get(variable)
    os.environ[variable] = value

    def restore() -> None:
        del os.environ[variable]
        if before is not None:
            os.environ[variable] = before

    ctx.call_on_close(restore)


def _help(ctx: typer.Context, mine: Voice) -> None:
    mine.print(ctx.get_help())
