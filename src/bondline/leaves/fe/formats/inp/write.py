"""Writing a model as a deck for CalculiX or Abaqus."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bondline.leaves.fe.formats.deck import Analysis
from bondline.leaves.fe.formats.inp.load_cards import heavy
from bondline.leaves.fe.formats.inp.pen import Dialect, Pen
from bondline.leaves.fe.formats.inp.write_loads import (
    Named,
    write_initial,
    write_links,
    write_load,
    write_pressed,
    write_supports,
)
from bondline.leaves.fe.formats.inp.write_mesh import (
    write_elements,
    write_nodes,
    write_sets,
)
from bondline.leaves.fe.formats.inp.write_sections import write_materials
from bondline.leaves.fe.loads import Gravity
from bondline.leaves.fe.model import FeModel


def write_inp(
    model: FeModel,
    path: Path,
    analysis: Analysis | None = None,
    *,
    dialect: Dialect = "calculix",
    prints: Sequence[str] = (),
) -> None:
    """Write a model as a deck; `UsageError` if the code has no card for a part of it.

    `prints` are node sets whose displacements are printed. Amplitudes that CalculiX
    does not know are written as tables, exact at the steps of the analysis. Lumped
    masses are refused where masses count.
    """
    path.write_text(inp_text(model, analysis, dialect=dialect, prints=prints), "utf-8")


def inp_text(
    model: FeModel,
    analysis: Analysis | None = None,
    *,
    dialect: Dialect = "calculix",
    prints: Sequence[str] = (),
) -> str:
    """The deck that `write_inp` writes; a static step unless told."""
    step = analysis or Analysis("static", t1=model.static_time or 1.0)
    mesh = model.mesh
    taken = {
        n.upper()
        for s in (mesh.node_sets, mesh.element_sets, mesh.face_sets)
        for n in s
    }
    pen = Pen(model, dialect, names=taken)
    _check_mass(pen, step)
    pen.card("HEADING")
    pen.lines.append(f"{model.name}, in SI units")
    write_nodes(pen)
    write_elements(pen)
    write_materials(pen)
    write_sets(pen)
    named = Named(pen, step)
    named.write()
    surfaces, everything = write_pressed(pen), _everything(pen)
    write_links(pen)
    write_supports(pen, [s for s in model.supports if not s.value], named)
    write_initial(pen)
    _step(pen, step)
    write_supports(pen, [s for s in model.supports if s.value], named)
    for i, load in enumerate(model.loads):
        write_load(pen, load, named, surfaces.get(i, everything))
    for name in prints:
        pen.card("NODE PRINT", NSET=name)
        pen.row("U")
    pen.card("END STEP")
    return "\n".join(pen.lines) + "\n"


def _check_mass(pen: Pen, step: Analysis) -> None:
    """No card says that masses are lumped; without mass it does not matter."""
    heavy = any(isinstance(load, Gravity) for load in pen.model.loads)
    if pen.model.lumped and (heavy or step.kind != "static"):
        raise pen.impossible(
            "masses are lumped, and no card says so: others would use their own.",
            "Write the model with consistent masses: replace(model, lumped=False).",
        )


def _everything(pen: Pen) -> str:
    """A set of all elements that gravity acts on, if CalculiX needs one."""
    if pen.dialect == "abaqus" or not any(
        isinstance(load, Gravity) for load in pen.model.loads
    ):
        return ""
    blocks = [b for b in pen.model.mesh.blocks if heavy(b.section)]
    numbers = [number for block in blocks for number in block.ids.tolist()]
    name = pen.elset(numbers, "HEAVY")
    if name not in pen.model.mesh.element_sets:
        pen.card("ELSET", ELSET=name)
        pen.rows(numbers)
    return name


def _step(pen: Pen, step: Analysis) -> None:
    name = {"NAME": step.name} if step.name and pen.dialect == "abaqus" else {}
    match step.kind:
        case "static":
            pen.card("STEP", **name)
            pen.card("STATIC")
            pen.row(step.t1, step.t1)
        case "frequency":
            pen.card("STEP", **name)
            pen.card("FREQUENCY")
            pen.row(step.modes)
        case "dynamic":
            pen.card("STEP", INC=int(step.t1 / step.dt) + 10, **name)
            pen.card("DYNAMIC", DIRECT=None, ALPHA=pen.text(step.alpha))
            pen.row(step.dt, step.t1)
