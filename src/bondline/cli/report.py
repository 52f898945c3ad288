"""`bondline report`: one HTML page about a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bondline.cli import outline
from bondline.cli.files import as_reference, handle, short, writing
from bondline.cli.kept import away, has_package, kept_model, stays_away
from bondline.cli.options import Json, Reference, RunName
from bondline.cli.voice import voice

if TYPE_CHECKING:
    from bondline.report.figures import Study
    from bondline.report.tree import TreeNode
    from bondline.run import Run


def report(
    ctx: typer.Context,
    name: RunName = "latest",
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The page to write.")
    ] = Path("report.html"),
    reference: Reference = None,
    json: Json = False,
) -> None:
    """Write an HTML report about a run.

    Certificate, figures, model, settings, versions and hashes on one page that needs
    nothing else.
    """
    from bondline.run import find

    mine = voice(ctx)
    run = find(mine.runs, name)
    path = write_report(run, output, reference)
    document = {"run": run.id, "file": str(path.resolve())}
    mine.answer(document, lambda: mine.say(f"wrote {short(path)}"))


def write_report(
    run: Run, output: Path, reference: Path | None, studies: Sequence[Study] = ()
) -> Path:
    """The page, with whatever reference and studies there are."""
    from bondline.report.html import Report, page
    from bondline.report.meshes import plates_of

    results = run.results()
    model, why_not = _model(run)
    text = page(
        Report(
            results,
            as_reference(reference, results) if reference else None,
            studies,
            model,
            _facts(run),
            _warnings(run),
            _commands(run),
            why_not,
            plates_of(results.model, run.skins(), run.seen()),
        )
    )
    with writing(output):
        output.write_text(text, encoding="utf-8", newline="\n")
    return output


def _model(run: Run) -> tuple[TreeNode | None, str]:
    """The parts of the model; or None, and a sentence that says why.

    Parts that stay with their owners are drawn as the model file has them: a report
    is about a run that is over, and asks nobody.
    """
    opened, why_not = kept_model(run)
    if opened is not None:
        return outline.tree(opened.model), why_not
    system = stays_away(run)
    return (None, why_not) if system is None else (outline.described(system), "")


def _facts(run: Run) -> dict[str, str]:
    facts, summary = run.facts, run.summary
    return {
        "made": facts["created"],
        "status": summary.status,
        "SHA-256 of the run": summary.sha256,
        "SHA-256 of the model": facts["digest"],
        **facts["versions"],
        **facts["fingerprint"],
    }


def _warnings(run: Run) -> list[str]:
    summary = run.summary
    unfinished = f"{summary.status}: {summary.message}".rstrip(": ")
    found = [] if summary.status == "done" else [f"The run is {unfinished}."]
    found += run.certificate.get("warnings", [])
    return found + [f"{e.kind}: {e.text}" for e in run.events]


def _commands(run: Run) -> list[str]:
    """What makes the same run again, where its model was kept, and checks this one."""
    again = [_again(run)] if has_package(run) else []
    return [*again, f"bondline verify {handle(run)}"]


def _again(run: Run) -> str:
    from bondline.build import Given

    facts, summary = run.facts, run.summary
    given = Given.load(facts["settings"].get("given", {}))
    flags = [f"--set {name}={value}" for name, value in given.set.items()]
    names = {"tolerance": "tol", "max_iterations": "max-iter"}
    flags += [f"--{names.get(k, k)} {v}" for k, v in given.gluing.items()]
    grid = f"--until {summary.until!r} --step {facts['step']!r}"
    model = f"{short(run.path)}/model.ssp"
    flags += ["--placement FILE"] if away(run) else []  # where partners are now
    return " ".join(["bondline run", model, grid, *flags])
