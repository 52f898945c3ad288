"""From the words of `core` to messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from bondline.core import (
    Capabilities,
    Causality,
    Effort,
    Energy,
    Flexibility,
    Motion,
    Output,
    Parameter,
    Port,
    Pose,
    Receptance,
    Signal,
    SignalPort,
    Vector,
)
from bondline.remote import bondline_pb2 as pb

MOTION, EFFORT, VALUE, BENT, TURNED = 1, 2, 3, 4, 8  # forms of outputs
Numbers = Mapping[str, int]  # of ports, by their names


def port(p: Port | SignalPort) -> pb.Port:
    """What may be known of a port."""
    if isinstance(p, SignalPort):
        return pb.Port(name=p.name, signal=True, unit=p.unit, incoming=p.incoming)
    made = pb.Port(
        name=p.name,
        dofs=p.dofs,
        nodes=p.nodes,
        motion_in=p.causality is Causality.MOTION_IN,
        frame=p.frame,
        fixed=p.fixed,
    )
    if p.surface is not None:
        made.points.extend(p.surface.points.ravel().tolist())
        made.facets.extend(pb.Facet(nodes=f) for f in p.surface.facets)
    return made


def parameter(p: Parameter) -> pb.Parameter:
    """A published parameter."""
    return pb.Parameter(
        name=p.name,
        value=p.value,
        unit=p.unit,
        meaning=p.meaning,
        positive=p.positive,
        choices=p.choices,
    )


def capabilities(can: Capabilities) -> pb.Capabilities:
    """Field by field; both sides spell them alike."""
    return pb.Capabilities(**{n: getattr(can, n) for n in can.__slots__})


def motion(m: Motion) -> pb.Motion:
    """Kinematics; what is not known stays empty."""
    made = pb.Motion(x=m.x.tolist(), v=m.v.tolist())
    if m.a is not None:
        made.a.extend(m.a.tolist())
    if m.turn is not None:
        made.turn.extend(m.turn.tolist())
    return made


def outputs(shown: Mapping[str, Output], numbers: Numbers, made: pb.Outputs) -> None:
    """What the ports show, in one row."""
    values: list[float] = []
    forms: list[int] = []
    for what in shown.values():
        if isinstance(what, Motion):
            forms.append(MOTION + _motion(what, values))
        elif isinstance(what, Effort):
            values += what.f.tolist()
            forms.append(EFFORT + _motion(what.at, values))
        else:
            values.append(what)
            forms.append(VALUE)
    made.ports.extend([numbers[name] for name in shown])
    made.forms.extend(forms)
    made.values.extend(values)


def _motion(m: Motion, values: list[float]) -> int:
    """Put a motion into the row; what is known of it."""
    values += m.x.tolist()
    values += m.v.tolist()
    if m.a is not None:
        values += m.a.tolist()
    if m.turn is not None:
        values += m.turn.tolist()
    return (BENT if m.a is not None else 0) + (TURNED if m.turn is not None else 0)


def energy(e: Energy | None) -> pb.Energy | None:
    """Energy, where it is known."""
    if e is None:
        return None
    return pb.Energy(stored=e.stored, dissipated=e.dissipated, supplied=e.supplied)


def signals(told: Mapping[str, Signal], numbers: Numbers) -> list[pb.Signal]:
    """What the ports are told."""
    return [
        pb.Signal(
            port=numbers[name],
            rows=len(signal.coefficients),
            coefficients=signal.coefficients.ravel().tolist(),
            origin=_origin(signal.origin),
        )
        for name, signal in told.items()
    ]


def _origin(pose: Pose | None) -> list[float]:
    return [] if pose is None else [*pose.x.tolist(), *pose.turn.tolist()]


def loads(values: Mapping[str, Vector], numbers: Numbers) -> list[pb.Load]:
    """One number a dof, port by port."""
    return [
        pb.Load(port=numbers[name], values=np.asarray(v, dtype=np.float64).tolist())
        for name, v in values.items()
    ]


def flexibility(G: Flexibility, numbers: Numbers) -> pb.Flexibility:
    """All blocks of G."""
    made = pb.Flexibility(solves=G.solves)
    for (shown, driven), block in G.blocks.items():
        made.blocks.add(
            shown=numbers[shown],
            driven=numbers[driven],
            levels=block.shape[0],
            powers=block.shape[2],
            values=block.ravel().tolist(),
        )
    return made


def mobility(
    blocks: Mapping[tuple[str, str], Vector] | None, numbers: Numbers
) -> pb.Flexibility:
    """The blocks of a mobility, or that it is not known."""
    if blocks is None:
        return pb.Flexibility(unknown=True)
    each = {pair: block[None, :, None, :] for pair, block in blocks.items()}
    return flexibility(Flexibility(each, 0), numbers)


def harmonics(H: Receptance, numbers: Numbers) -> pb.Harmonics:
    """Real and imaginary parts."""
    made = pb.Harmonics(counted=H.below is not None, below=H.below or 0)
    for (shown, driven), block in H.blocks.items():
        made.blocks.add(
            shown=numbers[shown],
            driven=numbers[driven],
            levels=1,
            powers=1,
            values=block.real.ravel().tolist(),
            imaginary=block.imag.ravel().tolist(),
        )
    return made


def numbered(ports: Iterable[str]) -> Numbers:
    """Ports by their places in the description."""
    return {name: k for k, name in enumerate(ports)}
