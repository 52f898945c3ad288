"""Every final class satisfies its protocols: checked by mypy, not by running.

A new class is one more argument here; `test_public_api` fails when one is missing.
"""

from __future__ import annotations

from typing import Any

from bondline.core import (
    Affine,
    Blocked,
    Breaking,
    Connection,
    Correcting,
    Coupling,
    Guarding,
    Harmonic,
    Impulsive,
    InterfaceProblem,
    InterfaceSolver,
    Joining,
    Linearising,
    Mobile,
    Observing,
    Placing,
    Pressing,
    Reacting,
    Recorder,
    Serialising,
    Showing,
    Skinned,
    Static,
    Subsystem,
    Team,
    Trial,
    Vector,
    Vibrating,
    Weighing,
    Windowed,
    Yielding,
)
from bondline.gluing import (
    IQNILS,
    TT,
    XT,
    XX,
    Aitken,
    Anderson,
    Bushing,
    DiagonalSecant,
    GluedState,
    IntegratedModel,
    Iterated,
    Joint,
    Lagged,
    MeshTie,
    Newton,
    OnePass,
    OnePassTT,
    Relaxation,
    Tie,
    TwoRates,
)
from bondline.gluing.blocks.blockwise import Blockwise
from bondline.gluing.blocks.operator import KnownSlope
from bondline.gluing.couplings.one_pass import OnePassProblem
from bondline.gluing.couplings.tt_problem import TTProblem
from bondline.gluing.couplings.xt import XTHistory
from bondline.gluing.couplings.xt_problem import XTProblem
from bondline.gluing.couplings.xx import XXHistory
from bondline.gluing.couplings.xx_problem import XXProblem
from bondline.gluing.rates.problem import RatesProblem
from bondline.gluing.rates.stand_in import StandIn, Standing
from bondline.gluing.rates.two_rates import RatesHistory
from bondline.gluing.solvers.gluing_matrix import GluingMatrix
from bondline.gluing.solvers.iterated import Correction
from bondline.gluing.solvers.learned import Learned
from bondline.gluing.solvers.one_pass import Carried
from bondline.leaves import (
    Checkpointed,
    Crank,
    FlexibleBar,
    FreeBar,
    FunctionLeaf,
    Ground,
    LargeMass,
    Oscillator,
    PinnedBar,
    RigidBody,
    SpringChain,
    Structure,
)
from bondline.leaves.corrected import Corrected
from bondline.leaves.fmu.leaf import FmuLeaf, ForwardFmu
from bondline.leaves.fmu.machine import Held
from bondline.leaves.large_mass.state import MassState
from bondline.leaves.mbd import FloatingLeaf, LedLeaf, MultibodyLeaf
from bondline.leaves.nonlinear import (
    Arms,
    Beams2,
    Beams3,
    Bushes,
    Elements,
    Hardening,
    Law,
    Linear,
    Masses,
    Nonlinear,
    Progressive,
    Rubber,
    Shells,
    Solids,
    SpringLaw,
    Stop,
    Swift,
    Table,
    Tabled,
    Ties,
)
from bondline.leaves.nonlinear.materials.plane_stress import ElasticPlane, PlasticPlane
from bondline.leaves.nonlinear.materials.solid import ElasticSolid, PlasticSolid
from bondline.leaves.nonlinear.materials.uniaxial import ElasticFibre, PlasticFibre
from bondline.leaves.nonlinear.trial import Trial as NonlinearTrial
from bondline.leaves.team import StructureTeam
from bondline.numerics import (
    Adaptive,
    Cvode,
    Dop853,
    DormandPrince,
    FixedStep,
    GeneralizedAlpha,
    Integrator,
    Multirate,
    Nordsieck,
    PacedNordsieck,
    Radau,
    RungeKutta4,
    Stepper,
)
from bondline.run import Flushing, Keep
from bondline.run.static import Ramp
from bondline.run.writer import Writer


def leaves(
    pinned: PinnedBar, free: FreeBar, structure: Structure, function: FunctionLeaf
) -> list[Subsystem[Vector]]:
    """Leaves whose state is an array."""
    return [pinned, free, structure, function]


def mechanisms(
    crank: Crank, flexible: FlexibleBar, body: RigidBody
) -> list[Subsystem[Vector]]:
    """Leaves for bodies that turn."""
    return [crank, flexible, body]


def nonlinear(
    leaf: Nonlinear,
) -> tuple[Subsystem[Vector], Correcting[Vector], Linearising[Vector], Static[Vector]]:
    """Nonlinear finite elements are leaves that show their corrector."""
    return leaf, leaf, leaf, leaf


def nonlinear_seen(
    leaf: Nonlinear,
) -> tuple[Observing[Vector], Showing[Vector], Skinned[Vector], Serialising[Vector]]:
    """They are seen, and their states can be kept."""
    return leaf, leaf, leaf, leaf


def nonlinear_pushed(
    leaf: Nonlinear, trial: NonlinearTrial
) -> tuple[Pressing[Vector], Mobile[Vector], Breaking, Trial]:
    """They say how they would accelerate, and what a correction leaves."""
    return leaf, leaf, leaf, trial


def beams_and_springs(
    plane: Beams2, space: Beams3, bushes: Bushes, ties: Ties, arms: Arms
) -> list[Elements]:
    """Blocks of elements of two nodes."""
    return [plane, space, bushes, ties, arms]


def bodies_of_elements(solids: Solids, shells: Shells, lumps: Masses) -> list[Elements]:
    """Blocks of other elements."""
    return [solids, shells, lumps]


def fibre_laws(
    elastic: ElasticFibre,
    plastic: PlasticFibre,
    layer: ElasticPlane,
    flow: PlasticPlane,
) -> list[Law]:
    """Material points of beams and shells."""
    return [elastic, plastic, layer, flow]


def solid_laws(elastic: ElasticSolid, plastic: PlasticSolid, soft: Rubber) -> list[Law]:
    """Material points of solids."""
    return [elastic, plastic, soft]


def hardenings(linear: Linear, swift: Swift, table: Table) -> list[Hardening]:
    """How yield stress grows."""
    return [linear, swift, table]


def spring_laws(soft: Progressive, stop: Stop, table: Tabled) -> list[SpringLaw]:
    """Forces of springs."""
    return [soft, stop, table]


def observing_mechanisms(
    crank: Crank, flexible: FlexibleBar, body: RigidBody
) -> list[Observing[Vector]]:
    """They publish values."""
    return [crank, flexible, body]


def showing_mechanisms(
    crank: Crank, flexible: FlexibleBar, body: RigidBody
) -> list[Showing[Vector]]:
    """They can be drawn."""
    return [crank, flexible, body]


def keeping_mechanisms(
    crank: Crank, flexible: FlexibleBar, body: RigidBody
) -> list[Serialising[Vector]]:
    """Their states can be kept."""
    return [crank, flexible, body]


def pressing_mechanisms(
    crank: Crank, flexible: FlexibleBar, body: RigidBody
) -> list[Pressing[Vector]]:
    """They say how they would accelerate."""
    return [crank, flexible, body]


def breaking(
    crank: Crank, body: RigidBody, bar: PinnedBar, own: FunctionLeaf
) -> list[Breaking]:
    """Leaves that know where their loads have kinks."""
    return [crank, body, bar, own]


def placed_bodies(body: RigidBody) -> list[Placing[Vector]]:
    """Bodies that can be moved to their joint."""
    return [body]


def grounds(rock: Ground) -> list[Subsystem[None]]:
    """A leaf without a state."""
    return [rock]


def still(
    rock: Ground,
) -> tuple[
    Pressing[None], Linearising[None], Static[None], Showing[None], Serialising[None]
]:
    """What it can do without moving."""
    return rock, rock, rock, rock, rock


def rows(mass: Oscillator, chain: SpringChain) -> list[Subsystem[Vector]]:
    """Masses and springs."""
    return [mass, chain]


def correctors(
    chain: SpringChain, linear: Corrected
) -> tuple[Correcting[Vector], Correcting[Any], Pressing[Vector], Pressing[Any]]:
    """Leaves that show their corrector."""
    return chain, linear, chain, linear


def on_large_masses(
    led: LargeMass,
) -> tuple[
    Subsystem[MassState],
    Pressing[MassState],
    Serialising[MassState],
    Observing[MassState],
    Breaking,
    Weighing,
]:
    """A leaf whose ports take motion, by large masses."""
    return led, led, led, led, led, led


def adapters(checkpointed: Checkpointed) -> list[Subsystem[Any]]:
    """Leaves whose state is somebody else's."""
    return [checkpointed]


def composites(glued: IntegratedModel) -> list[Subsystem[GluedState]]:
    """A composite is a leaf."""
    return [glued]


def observing(
    pinned: PinnedBar, free: FreeBar, structure: Structure, function: FunctionLeaf
) -> list[Observing[Vector]]:
    """Leaves that publish values."""
    return [pinned, free, structure, function]


def showing(
    pinned: PinnedBar, free: FreeBar, structure: Structure
) -> list[Showing[Vector]]:
    """Leaves that can be drawn."""
    return [pinned, free, structure]


def serialising(
    pinned: PinnedBar, free: FreeBar, structure: Structure, function: FunctionLeaf
) -> list[Serialising[Vector]]:
    """Leaves whose state can be kept."""
    return [pinned, free, structure, function]


def linearising(structure: Structure) -> list[Linearising[Vector]]:
    """Leaves that know their own flexibility."""
    return [structure]


def affine(structure: Structure) -> list[Affine[Vector]]:
    """Leaves that pay one solve a window."""
    return [structure]


def joining(structure: Structure, team: StructureTeam) -> tuple[Joining, Team]:
    """Leaves that answer together with others of their kind."""
    return structure, team


def static(structure: Structure) -> list[Static[Vector]]:
    """Leaves that find their equilibrium."""
    return [structure]


def yielding(structure: Structure) -> list[Yielding[Vector]]:
    """Leaves that know their static flexibility."""
    return [structure]


def mobile(structure: Structure) -> list[Mobile[Vector]]:
    """Leaves that know at once what forces do to their accelerations."""
    return [structure]


def blocked(
    structure: Structure, glued: IntegratedModel, windowed: Windowed[Vector]
) -> tuple[Blocked[Vector], Blocked[GluedState], Blocked[Vector]]:
    """Many windows in one exchange."""
    return structure, glued, windowed


def blockwise(
    blocks: Blockwise, first: KnownSlope
) -> tuple[Blocked[GluedState], InterfaceProblem]:
    """What an integrated model does it with."""
    return blocks, first


def glued_mobile(glued: IntegratedModel) -> list[Mobile[GluedState]]:
    """A composite knows it from its parts."""
    return [glued]


def glued_static(glued: IntegratedModel) -> list[Static[GluedState]]:
    """A composite rests as a leaf does."""
    return [glued]


def glued_yielding(glued: IntegratedModel) -> list[Yielding[GluedState]]:
    """A composite knows its static flexibility."""
    return [glued]


def ramps(ramp: Ramp) -> list[Subsystem[GluedState]]:
    """Load steps are a model whose time is the load factor."""
    return [ramp]


def impulsive(
    pinned: PinnedBar,
    free: FreeBar,
    body: RigidBody,
    structure: Structure,
    function: FunctionLeaf,
) -> list[Impulsive[Vector]]:
    """Leaves that can be struck."""
    return [pinned, free, body, structure, function]


def glued_impulsive(glued: IntegratedModel) -> list[Impulsive[GluedState]]:
    """A composite passes impulses on."""
    return [glued]


def pressing(structure: Structure) -> list[Pressing[Vector]]:
    """Leaves that say how they would accelerate."""
    return [structure]


def breaking_structures(structure: Structure) -> list[Breaking]:
    """Structures know the kinks of their own load."""
    return [structure]


def harmonic(
    structure: Structure, ground: Ground, glued: IntegratedModel
) -> list[Harmonic]:
    """Models that know their receptance."""
    return [structure, ground, glued]


def placing(free: FreeBar) -> list[Placing[Vector]]:
    """Leaves that can be moved to their joint."""
    return [free]


def glued_observing(glued: IntegratedModel) -> list[Observing[GluedState]]:
    """What the parts publish, the whole publishes."""
    return [glued]


def glued_reacting(glued: IntegratedModel) -> list[Reacting[GluedState]]:
    """Joint forces."""
    return [glued]


def glued_showing(glued: IntegratedModel) -> list[Showing[GluedState]]:
    """What the parts show, the whole shows."""
    return [glued]


def skinned(structure: Structure) -> tuple[Skinned[Vector], Vibrating]:
    """Structures show their surface, at an instant and in a vibration."""
    return structure, structure


def glued_skinned(
    glued: IntegratedModel, ramp: Ramp
) -> tuple[list[Skinned[GluedState]], Vibrating]:
    """The surfaces of the parts are those of the whole."""
    return [glued, ramp], glued


def glued_serialising(glued: IntegratedModel) -> list[Serialising[GluedState]]:
    """What the parts keep, the whole keeps."""
    return [glued]


def connections(
    tie: Tie, joint: Joint, bushing: Bushing, mesh_tie: MeshTie
) -> list[Connection]:
    """Joints."""
    return [tie, joint, bushing, mesh_tie]


def couplings(
    tt: TT, one_pass: OnePassTT
) -> list[Coupling[tuple[Vector, Vector, float]]]:
    """Couplings with their history."""
    return [tt, one_pass]


def motion_couplings(xx: XX, xt: XT) -> tuple[Coupling[XXHistory], Coupling[XTHistory]]:
    """Couplings of ports that take motion."""
    return xx, xt


def two_rates(
    coupling: TwoRates, problem: RatesProblem, stand_in: StandIn
) -> tuple[Coupling[RatesHistory], InterfaceProblem, Subsystem[Standing]]:
    """Two rates: the coupling, its problem, and who stands in for a slow part."""
    return coupling, problem, stand_in


def problems(
    tt: TTProblem, once: OnePassProblem, xx: XXProblem, xt: XTProblem
) -> list[InterfaceProblem]:
    """What couplings pose."""
    return [tt, once, xx, xt]


def one_pass_solvers(solver: OnePass) -> list[InterfaceSolver[Carried | None]]:
    """Solvers that never iterate."""
    return [solver]


def solvers(
    newton: Newton, lagged: Lagged
) -> list[InterfaceSolver[GluingMatrix | None]]:
    """Solvers with their memory."""
    return [newton, lagged]


def matrix_free_solvers(
    iterated: Iterated,
) -> list[InterfaceSolver[Learned | None]]:
    """Solvers that never build a gluing matrix."""
    return [iterated]


def rules(
    iqn: IQNILS,
    anderson: Anderson,
    aitken: Aitken,
    relaxation: Relaxation,
    diagonal: DiagonalSecant,
) -> list[Correction]:
    """What such a solver iterates."""
    return [iqn, anderson, aitken, relaxation, diagonal]


def recorders(keep: Keep, writer: Writer) -> list[Recorder]:
    """What a run can be written to."""
    return [keep, writer]


def flushing(writer: Writer) -> list[Flushing]:
    """Recorders that hold frames back."""
    return [writer]


def integrators(fixed: FixedStep, adaptive: Adaptive) -> list[Integrator]:
    """Ways through one window."""
    return [fixed, adaptive]


def steppers(
    nordsieck: Nordsieck,
    multirate: Multirate,
    rk4: RungeKutta4,
    dp5: DormandPrince,
    alpha: GeneralizedAlpha,
) -> list[Stepper]:
    """Fixed steps through compiled mechanisms."""
    return [nordsieck, multirate, rk4, dp5, alpha]


def controlled(
    paced: PacedNordsieck, dop853: Dop853, radau: Radau, cvode: Cvode
) -> list[Stepper]:
    """Steps that errors decide about."""
    return [paced, dop853, radau, cvode]


def guarding(glued: IntegratedModel) -> list[Guarding[GluedState]]:
    """Knows which windows its scheme cannot serve."""
    return [glued]


def multibody_leaves(
    leaf: MultibodyLeaf, floating: FloatingLeaf, led: LedLeaf
) -> list[Subsystem[Vector]]:
    """Mechanisms, standing, floating and led."""
    return [leaf, floating, led]


def pressed_mechanisms(
    leaf: MultibodyLeaf, floating: FloatingLeaf, led: LedLeaf
) -> list[Pressing[Vector]]:
    """They say how they would accelerate."""
    return [leaf, floating, led]


def published_mechanisms(
    leaf: MultibodyLeaf, floating: FloatingLeaf, led: LedLeaf
) -> list[Observing[Vector]]:
    """They publish values."""
    return [leaf, floating, led]


def drawn_mechanisms(
    leaf: MultibodyLeaf, floating: FloatingLeaf, led: LedLeaf
) -> list[Showing[Vector]]:
    """They can be drawn."""
    return [leaf, floating, led]


def dumped_mechanisms(
    leaf: MultibodyLeaf, floating: FloatingLeaf, led: LedLeaf
) -> list[Serialising[Vector]]:
    """Their states can be kept."""
    return [leaf, floating, led]


def breaking_mechanisms(leaf: MultibodyLeaf, led: LedLeaf) -> list[Breaking]:
    """They know where their loads have kinks."""
    return [leaf, led]


def struck_mechanisms(leaf: MultibodyLeaf) -> list[Impulsive[Vector]]:
    """They can be struck."""
    return [leaf]


def mobile_mechanisms(leaf: MultibodyLeaf) -> list[Mobile[Vector]]:
    """They know their mobility."""
    return [leaf]


def guarding_mechanisms(leaf: MultibodyLeaf) -> list[Guarding[Vector]]:
    """They know steps that are too long."""
    return [leaf]


def placed_mechanisms(floating: FloatingLeaf) -> list[Placing[Vector]]:
    """Those that float can be moved to their joint."""
    return [floating]


def fmus(forward: ForwardFmu, back: FmuLeaf) -> list[Subsystem[Held]]:
    """FMUs that only go forward, and those that can go back."""
    return [forward, back]


def pressed_fmus(back: FmuLeaf) -> list[Pressing[Held]]:
    """Those that can go back can be asked at an instant."""
    return [back]


def mobile_fmus(back: FmuLeaf) -> list[Mobile[Held]]:
    """They may know their mobility."""
    return [back]


def dumped_fmus(back: FmuLeaf) -> list[Serialising[Held]]:
    """Their states can be kept, if they say so."""
    return [back]


def observed_fmus(forward: ForwardFmu, back: FmuLeaf) -> list[Observing[Held]]:
    """Their signals are seen."""
    return [forward, back]
