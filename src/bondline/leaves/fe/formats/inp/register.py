"""The cards of INP decks that are understood, and what each takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from bondline.leaves.fe.formats.inp import (
    amplitude_cards,
    beam_cards,
    generate_cards,
    link_cards,
    load_cards,
    material_cards,
    mesh_cards,
    point_cards,
    section_cards,
    set_cards,
    step_cards,
    support_cards,
)
from bondline.leaves.fe.formats.inp.card import Card, squeezed
from bondline.leaves.fe.formats.inp.work import Work

Reading: TypeAlias = Callable[[Card, Work], None]
STAGES = 6


@dataclass(frozen=True)
class Known:
    """A card that is understood.

    Cards are read stage by stage: nodes and elements, element sets, node sets, named
    things, sections, then what refers to all of them. A card with `under` belongs to
    the card before it that has one of those titles, which reads it.
    """

    title: str
    options: str = ""
    stage: int = 0
    read: Reading | None = None
    under: tuple[str, ...] = ()


def _known(*cards: Known) -> Mapping[str, Known]:
    return {squeezed(card.title): card for card in cards}


_BEAMS = ("BEAM SECTION", "BEAM GENERAL SECTION")
CARDS: Mapping[str, Known] = _known(
    Known("NODE", "NSET SYSTEM", 0, mesh_cards.nodes),
    Known("ELEMENT", "TYPE ELSET", 0, mesh_cards.elements),
    Known("NGEN", "NSET", 0, generate_cards.ngen),
    Known("NFILL", "NSET", 0, generate_cards.nfill),
    Known("ELGEN", "ELSET", 0, generate_cards.elgen),
    Known("ELSET", "ELSET GENERATE INSTANCE INTERNAL UNSORTED", 1,
          set_cards.element_set),
    Known("NSET", "NSET ELSET GENERATE INSTANCE INTERNAL UNSORTED", 2,
          set_cards.node_set),
    Known("SURFACE", "NAME TYPE INTERNAL", 3, set_cards.surface),
    Known("ORIENTATION", "NAME SYSTEM DEFINITION", 3, set_cards.orientation),
    Known("AMPLITUDE", "NAME DEFINITION TIME VALUE SMOOTH FIXEDINTERVAL BEGIN", 3,
          amplitude_cards.amplitude),
    Known("MATERIAL", "NAME", 3, material_cards.material),
    Known("ELASTIC", "TYPE", under=("MATERIAL",)),
    Known("DENSITY", under=("MATERIAL",)),
    Known("DAMPING", "ALPHA BETA STRUCTURAL COMPOSITE", under=("MATERIAL",)),
    Known("EXPANSION", "TYPE ZERO", under=("MATERIAL",)),
    Known("CONDUCTIVITY", "TYPE", under=("MATERIAL",)),
    Known("SPECIFIC HEAT", under=("MATERIAL",)),
    Known("STEP", "NAME NLGEOM INC PERTURBATION AMPLITUDE", 3, step_cards.step),
    Known("STATIC", "DIRECT SOLVER", under=("STEP",)),
    Known("FREQUENCY", "EIGENSOLVER SOLVER STORAGE GLOBAL NORMALIZATION "
          "ACOUSTICCOUPLING", under=("STEP",)),
    Known("DYNAMIC", "DIRECT ALPHA SOLVER NOHAF INITIAL EXPLICIT APPLICATION",
          under=("STEP",)),
    Known("SHELL SECTION", "ELSET MATERIAL OFFSET ORIENTATION CONTROLS POISSON "
          "SECTIONINTEGRATION", 4, section_cards.shell_section),
    Known("SOLID SECTION", "ELSET MATERIAL ORIENTATION CONTROLS", 4,
          section_cards.solid_section),
    Known("BEAM SECTION", "ELSET MATERIAL SECTION TEMPERATURE POISSON LUMPED", 4,
          beam_cards.beam_section),
    Known("BEAM GENERAL SECTION", "ELSET SECTION DENSITY POISSON LUMPED", 4,
          beam_cards.beam_general_section),
    Known("TRANSVERSE SHEAR STIFFNESS", under=_BEAMS),
    Known("CENTROID", under=("BEAM GENERAL SECTION",)),
    Known("MASS", "ELSET", 4, point_cards.mass),
    Known("ROTARY INERTIA", "ELSET ORIENTATION", 4, point_cards.rotary_inertia),
    Known("SPRING", "ELSET ORIENTATION NONLINEAR", 4, point_cards.spring),
    Known("DASHPOT", "ELSET ORIENTATION NONLINEAR", 4, point_cards.dashpot),
    Known("BOUNDARY", "OP AMPLITUDE TYPE", 5, support_cards.boundary),
    Known("INITIAL CONDITIONS", "TYPE", 5, support_cards.initial),
    Known("CLOAD", "OP AMPLITUDE FOLLOWER", 5, load_cards.cload),
    Known("DLOAD", "OP AMPLITUDE FOLLOWER", 5, load_cards.dload),
    Known("DSLOAD", "OP AMPLITUDE FOLLOWER", 5, load_cards.dsload),
    Known("RIGID BODY", "REFNODE ROTNODE NSET ELSET PINNSET TIENSET", 5,
          link_cards.rigid_body),
    Known("KINEMATIC COUPLING", "REFNODE", 5, link_cards.kinematic_coupling),
    Known("COUPLING", "CONSTRAINTNAME REFNODE SURFACE", 5, link_cards.coupling),
    Known("KINEMATIC", under=("COUPLING",)),
    Known("DISTRIBUTING", "COUPLING WEIGHTINGMETHOD", under=("COUPLING",)),
    Known("EQUATION", "", 5, link_cards.equation),
    Known("MPC", "", 5, link_cards.mpc),
)  # fmt: skip
STRUCTURE: Mapping[str, str] = {  # title without blanks: options
    "ENDSTEP": "", "PART": "NAME", "ENDPART": "", "ASSEMBLY": "NAME",
    "ENDASSEMBLY": "", "INSTANCE": "NAME PART", "ENDINSTANCE": "",
}  # fmt: skip
ELSEWHERE: Mapping[str, str] = {  # read while the lines are read
    "INCLUDE": "INPUT",
    "PARAMETER": "",
}
PASSED_OVER = frozenset(map(squeezed, (
    "HEADING", "PREPRINT", "OUTPUT", "NODE OUTPUT", "ELEMENT OUTPUT", "ENERGY OUTPUT",
    "CONTACT OUTPUT", "NODE PRINT", "EL PRINT", "ENERGY PRINT", "SECTION PRINT",
    "CONTACT PRINT", "MODAL PRINT", "MODAL OUTPUT", "FACE PRINT", "NODE FILE",
    "EL FILE", "ELEMENT FILE", "CONTACT FILE", "ENERGY FILE", "MODAL FILE",
    "SECTION FILE", "FILE FORMAT", "RESTART", "MONITOR", "PRINT", "DIAGNOSTICS",
    "SECTION CONTROLS", "CONTROLS", "SOLUTION TECHNIQUE", "TIME POINTS",
)))  # fmt: skip
REMEDIES: Mapping[str, str] = {
    "BUCKLE": "Use *STATIC, *FREQUENCY or *DYNAMIC.",
    "MODALDYNAMIC": "Use *DYNAMIC, DIRECT: all modes take part.",
    "STEADYSTATEDYNAMICS": "Use *DYNAMIC, or the frequency response of Bondline.",
    "TIE": "Let the meshes share nodes, or glue two models at their ports.",
    "CONTACTPAIR": "Contact is not linear: take it out.",
    "TRANSFORM": "Write supports and loads in global axes, or as *EQUATION.",
    "SYSTEM": "Write the nodes in global axes.",
    "TEMPERATURE": "Nothing is heated here: take it out.",
    "PLASTIC": "Materials are elastic here: take it out.",
    "DISTRIBUTINGCOUPLING": "Use *COUPLING with *DISTRIBUTING.",
    "MODALDAMPING": "Give the material *DAMPING, ALPHA=, BETA=.",
    "SHELLGENERALSECTION": "Use *SHELL SECTION.",
    "NODALTHICKNESS": "Give *SHELL SECTION a thickness.",
}  # fmt: skip
