"""What `bondline run` says before and after."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from bondline import __version__
from bondline.cli.called import called
from bondline.cli.duration import show
from bondline.cli.files import handle, human_size, short, size_of
from bondline.cli.voice import Voice, bold, dim, fit, flow, yellow
from bondline.errors import Interrupted

if TYPE_CHECKING:
    from bondline.build import Opened
    from bondline.core import Frame
    from bondline.run import Certificate, Run


_FIT = 24  # signals that are not too many for a figure


def count(number: int, word: str) -> str:
    """A number and its word.

    >>> count(1, "joint"), count(2, "leaf")
    ('1 joint', '2 leaves')
    """
    many = "leaves" if word == "leaf" else f"{word}s"
    return f"{number} {word if number == 1 else many}"


def header(voice: Voice, opened: Opened, step: float) -> None:
    """What is about to run."""
    from bondline.build import outline

    model = opened.model
    coupling, solver = model.coupling.settings(), model.solver.settings()
    leaves, joints = list(outline.leaves(model)), list(outline.joints(model))
    dofs = sum(len(c.components) for c in joints)
    pieces = [
        f"bondline {__version__}",
        f"{model.name}",
        f"{count(len(leaves), 'leaf')}, {count(len(joints), 'joint')}, "
        f"{count(dofs, 'interface dof')}",
        f"{coupling['method']}, {coupling['scheme']}, {_solving(solver)}, "
        f"step {show(step)}",
    ]
    voice.say(flow(pieces, 2))
    if model.why:
        voice.say(dim(f"  {fit(model.why, 2)}"))
    for name, leaf in leaves:
        voice.say(dim(f"  {name}   {_abilities(leaf)}"))


def _solving(solver: dict[str, Any]) -> str:
    """The solver, if it is not the usual one, and what it is asked for."""
    name = "" if solver["kind"] == "newton" else f"{solver['kind']}, "
    within = solver.get("tolerance")
    return name.rstrip(", ") if within is None else f"{name}tolerance {within:g}"


class Hearing:
    """Passes frames on, and says what they note: each sentence once."""

    def __init__(self, voice: Voice, progress: Callable[[Frame], None] | None) -> None:
        self.voice, self.progress = voice, progress
        self.heard: set[str] = set()

    def __call__(self, frame: Frame) -> None:
        """Warn of what is new in this frame."""
        for note in frame.notes:
            if note not in self.heard:
                self.heard.add(note)
                warn(self.voice, [f"t = {frame.t:.6g} s: {note}"])
        if self.progress is not None:
            self.progress(frame)


def warn(voice: Voice, notes: Iterable[str]) -> None:
    """Doubts about the model, beside the answer."""
    from bondline.core.remarks import remarked

    for note in notes:
        told = remarked(note)
        word = yellow("warning") if told is None else dim("remark ")
        voice.note(f"{word}  {fit(note if told is None else told, 9, err=True)}")


def _abilities(leaf: Any) -> str:
    from bondline.build import outline

    can = outline.plain(leaf)["capabilities"]
    return "   ".join(
        [
            outline.told(leaf),
            f"rollback {'yes' if can['rollback'] else 'no'}",
            f"linearise {'yes' if can['linearises'] else 'by differences'}",
            f"resume {'yes' if can['serialises'] else 'by replay'}",
        ]
    )


def certificate(run: Run) -> Certificate:
    """The stored certificate of a run that is done."""
    from bondline.run import Certificate
    from bondline.run.chain import canonical

    return Certificate.load(canonical(run.certificate))


def certificate_line(line: str, indent: int) -> str:
    """A line of a certificate, its words folded below each other."""
    name, words = line[:22], line[22:]
    return f"{name}{fit(words, indent + 22)}"


def summary(run: Run, windows: int, took: float) -> dict[str, Any]:
    """A run that is done, as plain data."""
    s, facts = run.summary, run.facts
    return {
        "run": run.id,
        "path": str(run.path.resolve()),
        "model": s.model,
        "status": s.status,
        "t": s.t,
        "windows": s.windows,
        "new_windows": windows,
        "seconds": took,
        "sha256": s.sha256,
        "step": facts["step"],
        "settings": facts["settings"],
        "warnings": facts.get("notes", []),
        "certificate": run.certificate,
    }


def outcome(voice: Voice, run: Run, windows: int, took: float) -> None:
    """What came of the run, its certificate, and what to do next."""
    finished(voice, run, windows, took)
    where = f"{short(run.path)}/  ({human_size(size_of(run.path))})"
    voice.say(f"{bold('run')}   {flow([run.id, where], 6)}")
    if voice.quiet:
        voice.print(run.id)
    voice.say(f"{bold('next')}  {flow(_next(run), 6)}")


def finished(voice: Voice, run: Run, windows: int, took: float) -> None:
    """The line that ends a run, and its certificate."""
    told = certificate(run)
    voice.say(f"{bold('done')}  {flow(_done(told, windows, took), 6)}")
    voice.say(dim("certificate"))
    for line in told.lines():
        voice.say(f"  {certificate_line(line, 2)}")


def _done(c: Certificate, windows: int, took: float) -> list[str]:
    pieces = [f"{count(windows, 'window')} in {took:.2f} s"]
    if c.iterations_mean is not None:
        mean, most = f"{c.iterations_mean:.2f}", c.iterations_max
        pieces.append(f"iterations mean {mean} max {most}")
    if c.builds is not None:
        pieces.append(f"Lambda builds {c.builds}")
    if c.exchanges is not None:
        pieces.append(count(c.exchanges, "exchange"))
    if c.gap is not None:
        pieces.append(f"largest gap {c.gap:.2g} m")
    if c.work_error is not None:
        pieces.append(f"interface work error {c.work_error:.2g} J")
    if c.energy is not None:
        pieces.append(f"energy defect {c.energy.defect:.2g} J")
    return pieces


def _next(run: Run) -> list[str]:
    name, command = handle(run), called()
    shown = _fitting(run)
    drawn = [f"{command} plot {name} {shown}"] if shown else []
    return [*drawn, f"{command} report {name}"]


def _fitting(run: Run) -> str:
    """Signals that fit into one figure: all joint forces, or what is published."""
    last = next(run.frames())
    forces = sum(len(r.components) for r in last.forces.values())
    if 0 < forces <= _FIT:
        return "'joint.*'"
    names = list(last.values) or [f"{joint}.Fx" for joint in last.forces]
    return " ".join(names[: 1 if forces else 3])


def stopped(voice: Voice, error: Interrupted) -> None:
    """The run stopped on request; how to go on."""
    words = fit(f"{error.place}: {error.finding}", 9, err=True)
    voice.complain(f"{yellow('stopped')}  {words}")
    voice.complain(f"{dim('resume')}   {error.remedy}")
