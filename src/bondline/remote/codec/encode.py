"""From the words of `core` to messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import numpy as np

from bondline.core import (
    Capabilities,
    Causality,
    Effort,
    Energy,
    Flexibility,
    ForceRows,
    Forces,
    Inputs,
    Motion,
    Motions,
    Output,
    Parameter,
    Port,
    Pose,
    Receptance,
    Signal,
    SignalPort,
    Vector,
    in_rows,
)
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec.rows import (
    BENT,
    EFFORT,
    MOTION,
    TURNED,
    VALUE,
    Asks,
    Numbers,
    inputs_head,
    raw,
    signal_head,
    told_head,
)

A = TypeVar("A")


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


def outputs(shown: Mapping[str, Output], numbers: Numbers, made: pb.Outputs) -> int:
    """What the ports show that have a number, in one row; how many values that is."""
    if isinstance(shown, Motions):
        return numbers.write(shown, made)
    values: list[float] = []
    forms: list[int] = []
    ports = [name for name in shown if name in numbers]
    for what in (shown[name] for name in ports):
        if isinstance(what, Motion):
            forms.append(MOTION + _motion(what, values))
        elif isinstance(what, Effort):
            values += what.f.tolist()
            forms.append(EFFORT + _motion(what.at, values))
        else:
            values.append(what)
            forms.append(VALUE)
    made.ports.extend([numbers[name] for name in ports])
    made.forms.extend(forms)
    made.values.extend(values)
    return len(values)


def _motion(m: Motion, values: list[float]) -> int:
    """Put a motion into the row; what is known of it."""
    values += m.x.tolist()
    values += m.v.tolist()
    if m.a is not None:
        values += m.a.tolist()
    if m.turn is not None:
        values += m.turn.tolist()
    return (BENT if m.a is not None else 0) + (TURNED if m.turn is not None else 0)


def energy(e: Energy | None, made: pb.Stepped | pb.Responded) -> int:
    """Energy, where it is known; how many numbers that is."""
    if e is None:
        return 0
    told = made.energy
    told.SetInParent()  # zeros are told, too
    told.stored, told.dissipated, told.supplied = e.stored, e.dissipated, e.supplied
    return 3


def tell(
    told: Mapping[str, Signal], numbers: Numbers, ask: pb.Advance | pb.Realise
) -> None:
    """Put what the ports are told into a request; forces of one array at once."""
    if isinstance(told, Forces):
        kind: Asks = type(ask)
        ask.MergeFromString(_forces(told, numbers, partial(inputs_head, kind)))
    else:
        ask.inputs.extend(signals(told, numbers))


def inputs(told: Mapping[str, Signal], numbers: Numbers) -> pb.Inputs:
    """What the ports are told in one window among several."""
    if isinstance(told, Forces):
        return pb.Inputs.FromString(_forces(told, numbers, told_head))
    return pb.Inputs(signals=signals(told, numbers))


def inputs_rows(each: Sequence[Inputs], numbers: Numbers, made: Any) -> None:
    """The same in several windows, each added to `made`."""
    if isinstance(each, ForceRows) and each.coefficients.shape[1] == 1:
        numbers.tell_rows(each, made)
    else:
        made.extend([inputs(told, numbers) for told in each])


def outputs_rows(
    shown: Sequence[Mapping[str, Output]], numbers: Numbers, made: Sequence[pb.Outputs]
) -> int:
    """What the ports show after every window, each into its own; how many values."""
    rows = in_rows(shown)
    if rows is not None:
        return numbers.write_rows(rows, made)
    every = zip(shown, made, strict=True)
    return sum([outputs(one, numbers, into) for one, into in every])


def _forces(
    told: Forces[str], numbers: Numbers, head: Callable[[int, int, int], bytes]
) -> bytes:
    """A `Signal` after the other, each from its `head` on."""
    rows, pieces = told.coefficients, list[bytes]()
    if len(rows) == 1:  # of one power: its bytes are cut, which is quicker than it
        whole = raw(rows)
        for name, cut in told.places.items():
            first, last = cut.start, cut.stop
            pieces += head(numbers[name], 1, last - first), whole[8 * first : 8 * last]
        return b"".join(pieces)
    for name, cut in told.places.items():
        own = rows[:, cut]
        pieces += head(numbers[name], *own.shape), raw(own)
    return b"".join(pieces)


def signals(told: Mapping[str, Signal], numbers: Numbers) -> list[pb.Signal]:
    """What the ports are told."""
    return [_signal(numbers[name], signal) for name, signal in told.items()]


def _signal(port: int, told: Signal) -> pb.Signal:
    rows = told.coefficients
    made = pb.Signal.FromString(signal_head(port, len(rows), rows.size) + raw(rows))
    if told.origin is not None:
        made.origin.extend(_origin(told.origin))
    return made


def _origin(pose: Pose) -> list[float]:
    return [*pose.x.tolist(), *pose.turn.tolist()]


def loads(values: Mapping[str, Vector], numbers: Numbers) -> list[pb.Load]:
    """One number a dof, port by port."""
    return [
        pb.Load(port=numbers[name], values=np.asarray(v, dtype=np.float64).tolist())
        for name, v in values.items()
    ]


def numbered(
    blocks: Mapping[tuple[str, str], A], numbers: Numbers
) -> Iterator[tuple[int, int, A]]:
    """Blocks between ports that have a number, with both numbers."""
    for (shown, driven), block in blocks.items():
        if shown in numbers and driven in numbers:
            yield numbers[shown], numbers[driven], block


def flexibility(G: Flexibility, numbers: Numbers) -> pb.Flexibility:
    """All blocks of G between ports that have a number."""
    made = pb.Flexibility(solves=G.solves)
    for shown, driven, block in numbered(G.blocks, numbers):
        made.blocks.add(
            shown=shown,
            driven=driven,
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
    for shown, driven, block in numbered(H.blocks, numbers):
        made.blocks.add(
            shown=shown,
            driven=driven,
            levels=1,
            powers=1,
            values=block.real.ravel().tolist(),
            imaginary=block.imag.ravel().tolist(),
        )
    return made
