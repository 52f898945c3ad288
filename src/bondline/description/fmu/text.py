"""modelDescription.xml of FMI 2 and 3, as far as gluing needs it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bondline.description.bindings import read_number
from bondline.description.fmu.archive import MAIN, TERMINALS, Packed, library
from bondline.description.fmu.variables import Variable, read_variables
from bondline.description.place import Place, Problem
from bondline.description.untrusted import Node, read_xml

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,127}")


@dataclass(frozen=True, slots=True)
class TerminalText:
    """A terminal: its kind, and which variable is which of its members."""

    name: str
    kind: str
    members: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FmuText:
    """What an FMU says of itself; flags are claims until they were tried."""

    where: Place
    version: int
    name: str
    token: str
    identifier: str
    library: str
    saves: bool
    serialises: bool
    derivatives: bool
    interpolates: bool
    once: bool
    variable_step: bool
    variables: Mapping[str, Variable]
    terminals: tuple[TerminalText, ...] = ()
    step: float | None = None
    tool: str = ""

    def of(self, *causality: str) -> Iterator[Variable]:
        """The variables with one of those causalities."""
        return (v for v in self.variables.values() if v.causality in causality)


def read_fmu(packed: Packed) -> FmuText | Problem:
    """What the FMU says of itself, or why it cannot be used."""
    document = read_xml(packed.texts[MAIN], f"{packed.shown}/{MAIN}")
    if isinstance(document, Problem):
        return document
    root = document.root
    if root.name != "fmiModelDescription":
        return _wrong(root, f"the root element is {root.name!r}")
    version = {"2.0": 2}.get(root.get("fmiVersion"), 3)
    if version == 3 and not root.get("fmiVersion").startswith("3."):
        found = root.get("fmiVersion")[:40]
        return _wrong(root, f"it is of FMI {found!r}; 2.0 and 3.0 are read")
    solver = root.one("", "CoSimulation")
    if solver is None:
        return _wrong(root, "it brings no solver: there is no CoSimulation in it")
    return _text(packed, root, solver, version)


def _wrong(node: Node, why: str) -> Problem:
    return Problem(
        "BND103",
        node.where,
        f"{why}.",
        "Export the FMU for co-simulation, as FMI 2.0 or 3.0.",
    )


def _text(packed: Packed, root: Node, solver: Node, version: int) -> FmuText | Problem:
    identifier = solver.get("modelIdentifier")
    if not _IDENTIFIER.fullmatch(identifier):
        return Problem(
            "BND105",
            solver.where,
            f"the model identifier is {identifier[:200]!r}.",
            "It names a file of the FMU, and must be a C identifier: letters, digits "
            "and _, no digit first.",
        )
    found = library(packed, version, identifier)
    if found is None:
        return _no_library(packed, solver)
    state = "state" if version == 2 else "State"
    experiment = root.one("", "DefaultExperiment")
    variables = read_variables(root, version)
    if isinstance(variables, Problem):
        return variables
    return FmuText(
        where=root.where,
        version=version,
        name=root.get("modelName"),
        token=root.get("guid" if version == 2 else "instantiationToken"),
        identifier=identifier,
        library=found,
        saves=_flag(solver, f"canGetAndSetFMU{state}"),
        serialises=_flag(solver, f"canSerializeFMU{state}"),
        derivatives=_flag(
            solver,
            "providesDirectionalDerivative" + ("" if version == 2 else "s"),
        ),
        interpolates=version == 2 and _flag(solver, "canInterpolateInputs"),
        once=_flag(solver, "canBeInstantiatedOnlyOncePerProcess"),
        variable_step=_flag(solver, "canHandleVariableCommunicationStepSize"),
        variables={v.name: v for v in variables},
        terminals=_terminals(packed),
        step=read_number(experiment.get("stepSize")) if experiment else None,
        tool=root.get("generationTool"),
    )


def _no_library(packed: Packed, solver: Node) -> Problem:
    folders = {n.split("/")[1] for n in packed.names if n.count("/") > 1}
    have = sorted(f for f in folders if f"binaries/{f}/" in "\n".join(packed.names))
    return Problem(
        "BND104",
        solver.where,
        f"it has no library for this machine; it has {', '.join(have) or 'none'}.",
        "Export it for this machine, or let a partner run it: bondline serve.",
    )


def _flag(node: Node, key: str) -> bool:
    return node.get(key) in ("true", "1")


def _terminals(packed: Packed) -> tuple[TerminalText, ...]:
    """Those of terminalsAndIcons.xml; none where it cannot be read."""
    data = packed.texts.get(TERMINALS)
    document = read_xml(data, f"{packed.shown}/{TERMINALS}") if data else None
    if document is None or isinstance(document, Problem):
        return ()
    group = document.root.one("", "Terminals")
    return tuple(_terminal(n) for n in (group.all("", "Terminal") if group else ()))


def _terminal(node: Node) -> TerminalText:
    members = node.all("", "TerminalMemberVariable")
    return TerminalText(
        node.get("name"),
        node.get("terminalKind"),
        tuple((m.get("memberName"), m.get("variableName")) for m in members),
    )
