"""Tie: two or more ports share their points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bondline.core import Gap, Matrix, Motion, Port, PortRef, Vector
from bondline.errors import WiringError, did_you_mean
from bondline.gluing.joints.fits import effort, shown
from bondline.gluing.joints.held import idle_rows
from bondline.gluing.joints.order import check_order


@dataclass(frozen=True, slots=True)
class Pick:
    """The tied ones of the `size` dofs of a port, in the order of the tie."""

    columns: tuple[int, ...]
    size: int


@dataclass(frozen=True)
class Tie:
    """Ports that move together in their dofs; in the plane, a revolute joint.

    e = uⁱ − uⁿ for every end but the last, which carries the reactions: wang2003
    (19) for two ends, (23) for n bodies at one node. The force belongs to the first
    end (F acts on it), the last feels −Σ F. `picks` says where each port has these
    dofs; without it they are all that the ports have. `Tie.of` finds them, and leaves
    out those that all ports hold still. `labels` name the forces of an end, `kind` is
    what the joint was asked to be.
    """

    name: str
    ends: tuple[PortRef, ...]
    dofs: tuple[str, ...]
    picks: tuple[Pick, ...] | None = None
    labels: tuple[str, ...] | None = None
    kind: str = field(default="tie", compare=False)

    constant = True
    law = None

    @classmethod
    def of(
        cls,
        name: str,
        ends: tuple[PortRef, ...],
        ports: Sequence[Port],
        dofs: Sequence[str] | None = None,
    ) -> Tie:
        """Tie of the named dofs of every node, of all of them without `dofs`."""
        return cls.whole(name, ends, ports, dofs)._without_idle(ports)

    @classmethod
    def whole(
        cls,
        name: str,
        ends: tuple[PortRef, ...],
        ports: Sequence[Port],
        dofs: Sequence[str] | None = None,
    ) -> Tie:
        """The same, with the dofs that all ports hold still."""
        first = ports[0]
        same = all((p.dofs, p.nodes) == (first.dofs, first.nodes) for p in ports)
        if dofs is None or (same and tuple(dofs) == first.dofs):
            return cls(name, ends, first.dofs * first.nodes)
        picks = [
            Pick(_columns(name, end, port, dofs), port.size)
            for end, port in zip(ends, ports, strict=True)
        ]
        return cls(name, ends, tuple(dofs) * first.nodes, tuple(picks))

    def _without_idle(self, ports: Sequence[Port]) -> Tie:
        if any(not self._found(i, port) for i, port in enumerate(ports)):
            return self  # `suits` says why
        rows = idle_rows(f"joint {self.name}", self.ends, ports, self._B)
        count = len(self.dofs)
        idle = {row for row in rows if row < count}
        if not idle:
            return self
        kept = [k for k in range(count) if k not in idle]
        every = [Pick(tuple(range(port.size)), port.size) for port in ports]
        picks = [
            Pick(tuple(pick.columns[k] for k in kept), pick.size)
            for pick in self.picks or every
        ]
        dofs, labels = (
            tuple(names[k] for k in kept) for names in (self.dofs, self._each)
        )
        return Tie(self.name, self.ends, dofs, tuple(picks), labels)

    @property
    def components(self) -> tuple[str, ...]:
        """One force a dof and active end; of several nodes `0.Fx`, `0.Mx` and so on."""
        each = self._each
        if len(self.ends) == 2:
            return each
        return tuple(f"{end.part}.{f}" for end in self.ends[:-1] for f in each)

    @property
    def _each(self) -> tuple[str, ...]:
        if self.labels is not None:
            return self.labels
        width = len(set(self.dofs))
        if width == len(self.dofs):
            return tuple(effort(d) for d in self.dofs)
        return tuple(f"{k // width}.{effort(d)}" for k, d in enumerate(self.dofs))

    def suits(self, place: str, ports: Sequence[Port]) -> None:
        """All ports have the dofs of the tie, and none is fixed on one side only."""
        self.fits(place, ports)
        check_order(place, self.ends, ports)
        if idle_rows(place, self.ends, ports, self._B):
            raise WiringError(
                place,
                "it ties dofs that all of its ports hold still.",
                "Make it with Tie.of(name, ends, ports), which leaves them out.",
            )

    def fits(self, place: str, ports: Sequence[Port]) -> None:
        """All ports have the dofs of the tie; finite rotations are not among them."""
        if self.picks is None:
            _require_same(place, self.ends, ports)
        for i, (end, port) in enumerate(zip(self.ends, ports, strict=True)):
            if not self._found(i, port):
                raise WiringError(
                    place,
                    f"it ties {len(self.dofs)} dofs of ports that have {shown(port)}.",
                    f"Name all {port.size} of them, or pick some with "
                    "Tie.of(name, ends, ports, dofs).",
                )
            if port.frame and not {"x", "y", "z"} >= {*self.dofs}:
                raise WiringError(
                    place,
                    f"{end} is a frame ({shown(port)}): finite rotations do not add "
                    "up, so they cannot be tied dof by dof.",
                    'Use a fixed joint, or tie only its point: dofs="x y z".',
                )

    def gap(self, motions: Sequence[Motion]) -> Gap:
        """Each active end minus the last one, at the three levels."""
        if self.picks is not None:
            motions = [_picked(m, c) for m, c in zip(motions, self._at, strict=True)]
        if len(motions) == 2:  # asked over and over
            one, two = motions
            bend = None if one.a is None or two.a is None else one.a - two.a
            return one.x - two.x, one.v - two.v, bend
        *active, last = motions
        x = _minus([m.x for m in active], last.x)
        v = _minus([m.v for m in active], last.v)
        a = [m.a for m in motions if m.a is not None]
        return x, v, _minus(a[:-1], a[-1]) if len(a) == len(motions) else None

    def jacobian(self, motions: Sequence[Motion]) -> Sequence[Matrix]:
        """Selectors, wang2003 (20), (26)."""
        return self._B

    @cached_property
    def _B(self) -> tuple[Matrix, ...]:
        active, n = len(self.ends) - 1, len(self.dofs)
        first = np.eye(active * n).reshape(active * n, active, n)
        last: Matrix = np.tile(-np.eye(n), (active, 1))
        B = (*(first[:, i, :] for i in range(active)), last)
        if self.picks is None:
            return B
        return tuple(
            B_i @ np.eye(pick.size)[list(pick.columns)]
            for B_i, pick in zip(B, self.picks, strict=True)
        )

    @cached_property
    def _at(self) -> tuple[list[int], ...]:
        return tuple(list(pick.columns) for pick in self.picks or ())

    def _found(self, i: int, port: Port) -> bool:
        """Whether the dofs are where end i should have them."""
        if self.picks is None:
            return len(self.dofs) == port.size
        pick, have = self.picks[i], port.dofs * port.nodes
        return pick.size == port.size and self.dofs == tuple(
            have[c] for c in pick.columns
        )

    def admissible(self, z: Vector) -> Sequence[Motion]:
        """The same motion for every end: x, v, a stacked in `z`.

        `WiringError` where the ports have other dofs, too: those stay free.
        """
        x, v, a = z.reshape(3, -1)
        if self.picks is None:
            return [Motion(x, v, a) for _ in self.ends]
        free = next((p for p in self.picks if p.size != len(p.columns)), None)
        if free is not None:
            raise WiringError(
                f"joint {self.name}",
                f"it ties {len(free.columns)} of {free.size} dofs of a port, so its "
                "motion does not tell the others.",
                "Couple it by forces (T-T), or tie all dofs.",
            )
        order = [np.argsort(c) for c in self._at]
        return [Motion(x[o], v[o], a[o]) for o in order]


def _picked(m: Motion, columns: list[int]) -> Motion:
    return Motion(
        m.x[columns], m.v[columns], None if m.a is None else m.a[columns], None
    )


def _minus(active: Sequence[Vector], last: Vector) -> Vector:
    return np.concatenate([x - last for x in active])


def _columns(
    name: str, end: PortRef, port: Port, dofs: Sequence[str]
) -> tuple[int, ...]:
    """Where the port has the dofs, node by node."""
    if not dofs or len({*dofs}) < len(dofs):
        raise WiringError(
            f"joint {name}",
            f"it ties the dofs {' '.join(dofs) or '(none)'}.",
            f"Name one or more, each once: {' '.join(port.dofs)}.",
        )
    for d in dofs:
        if d not in port.dofs:
            raise WiringError(
                f"joint {name}",
                f"it ties {d} of {end}, which has {shown(port)}.",
                did_you_mean(d, port.dofs),
            )
    each, width = [port.dofs.index(d) for d in dofs], len(port.dofs)
    return tuple(width * n + k for n in range(port.nodes) for k in each)


def _require_same(place: str, ends: Sequence[PortRef], ports: Sequence[Port]) -> None:
    first = ports[0]
    for end, port in zip(ends, ports, strict=True):
        if (port.dofs, port.nodes) != (first.dofs, first.nodes):
            raise WiringError(
                place,
                f"dofs differ: {ends[0]} has {shown(first)}, {end} has {shown(port)}.",
                "Tie ports with the same dofs, or give one of them the missing dofs.",
            )
