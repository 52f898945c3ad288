"""Quality: the certificate of a run, and what there is to ask of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from bondline.run.chain import canonical
from bondline.run.checks import SILENT, Check, every_check, listed, others, rate_words
from bondline.run.flows import Drift, Side
from bondline.run.lag import Lag
from bondline.run.refined import Refined
from bondline.run.tally import Balance


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a run's windows say about its quality; None where nobody reported it."""

    windows: int
    leaves: int
    gap: float | None  # largest, m
    gap_at: float | None
    residual: float | None  # largest norm of the scheme's residual
    rate_gap: float | None  # largest difference of velocities at a joint, m/s
    rate_share: float | None  # of the largest speed at a joint
    work_error: float | None  # sum of |interface work| over the windows, J
    work_net: float | None  # sum with signs, J
    energy: Balance | None
    iterations_mean: float | None
    iterations_max: int | None
    iterations_at: int | None  # the window that needed most
    halved: int | None  # windows that did not converge in one piece
    builds: int | None
    solves: int | None
    solves_per_window: float | None  # of one leaf
    warnings: tuple[str, ...]
    condition: float | None = None  # of the gluing matrix, largest
    condition_at: float | None = None
    sides: tuple[Side, ...] = ()
    drift: Drift | None = None
    refined: Refined | None = None
    allowed: float | None = None  # largest residual that a window was accepted with
    excess: float | None = None  # largest residual over what its window allowed
    exchanges: int | None = None  # with the parts, where windows come in blocks
    lag: Lag | None = None  # of the forces, where windows take one pass
    remarks: tuple[str, ...] = ()  # for information
    silent: tuple[str, ...] = ()  # parts that did not say their energy, if known
    uncounted: int = 0  # leaves at partners' that did not say their solves

    def lines(self) -> list[str]:
        """The certificate in plain words, one fact a line."""
        lines = [
            f"windows               {self.windows}",
            f"largest gap           {_at(self.gap, 'm', self.gap_at)}",
            f"velocity gap          {rate_words(self)}",
            f"interface work error  {_work(self)}",
            *_energy_lines(self.energy, self.silent),
            f"iterations            {_iterations(self)}",
            f"Lambda builds         {_count(self.builds)}",
            f"leaf solves           {_solves(self)}",
            *_more_lines(self),
        ]
        lines += [f"remark                {text}" for text in self.remarks]
        return lines + [f"warning               {text}" for text in self.warnings]

    def checks(
        self, tolerance: float | None = None, method: str | None = None
    ) -> tuple[Check, ...]:
        """Every question this certificate answers.

        `tolerance` is the one of the solver: on the norm of the scheme's residual. The
        gap is part of that residual in some schemes only, so it is told, not judged.
        `method` is the coupling's, which says what the residual is: X-X and X-T compare
        forces, T-T lengths.
        """
        found = tuple(every_check(self, tolerance, method))
        told = {check.advice for check in found}
        return *found, others([w for w in self.warnings if w not in told])

    def dump(self) -> str:
        """As JSON."""
        return canonical(asdict(self))

    @classmethod
    def load(cls, text: str) -> Certificate:
        """The certificate that `dump` wrote."""
        return cls.of(json.loads(text))

    @classmethod
    def of(cls, tree: Mapping[str, Any]) -> Certificate:
        """The same from plain data."""
        more = {
            "energy": Balance(**tree["energy"]) if tree["energy"] else None,
            "warnings": tuple(tree["warnings"]),
            "sides": tuple(Side(**side) for side in tree.get("sides", ())),
            "drift": Drift(**tree["drift"]) if tree.get("drift") else None,
            "refined": Refined.of(tree["refined"]) if tree.get("refined") else None,
            "lag": Lag(**tree["lag"]) if tree.get("lag") else None,
            "remarks": tuple(tree.get("remarks", ())),
            "silent": tuple(tree.get("silent", ())),
        }
        return cls(**{**tree, **more})


def _at(value: float | None, unit: str, t: float | None) -> str:
    return SILENT if value is None else f"{value:.3g} {unit} at t = {t:.6g} s"


def _work(c: Certificate) -> str:
    if c.work_error is None or c.work_net is None:
        return SILENT
    return f"{c.work_error:.3g} J in all, {c.work_net:.3g} J net"


def _energy_lines(energy: Balance | None, silent: Sequence[str]) -> list[str]:
    if energy is None:
        who = f"not reported by {listed(silent)}" if silent else SILENT
        return [f"energy balance        {who}"]
    return [
        f"energy balance        defect {energy.defect:.3g} J at t = "
        f"{energy.defect_at:.6g} s, {energy.defect_end:.3g} J at the end",
        f"                      {energy.relative:.2g} of the largest energy, "
        f"{energy.largest:.6g} J; with interface work {energy.drift:.3g} J",
    ]


def _iterations(c: Certificate) -> str:
    if c.iterations_mean is None:
        return SILENT
    return f"mean {c.iterations_mean:.3g}, max {c.iterations_max}"


def _count(value: int | None) -> str:
    return SILENT if value is None else str(value)


def _solves(c: Certificate) -> str:
    if c.solves_per_window is None:
        return SILENT
    rest = ""
    if c.uncounted:
        rest = (
            f"; {c.uncounted} of {c.leaves} leaves, at partners', tell no counts: "
            "whenever one is asked counts as one"
        )
    return f"{c.solves_per_window:.4g} per window and leaf ({c.solves} in all{rest})"


def _more_lines(c: Certificate) -> list[str]:
    lines = []
    if c.condition is not None:
        when = _at(c.condition, "", c.condition_at).replace("  ", " ")
        lines.append(f"Lambda condition      {when}")
    if c.exchanges is not None:
        lines.append(f"exchanges             {c.exchanges}, without those to start up")
    if c.lag is not None:
        lines.append(
            f"lag of one pass       {_at(c.lag.most, 'N', c.lag.at)}, "
            f"{c.lag.share:.2g} of the largest force, {c.lag.force:.4g} N"
        )
    if c.drift is not None:
        lines.append(f"gap drift             {c.drift.rate:.2g} m/s")
    for joint in dict.fromkeys(side.joint for side in c.sides):
        each = [s for s in c.sides if s.joint == joint]
        words = ", ".join(f"{s.work:.4g} J on {s.side}" for s in each)
        top = max(each, key=lambda s: abs(s.power))
        peak = f"at most {abs(top.power):.3g} W at t = {top.power_at:.6g} s"
        lines.append(f"work of {joint.replace('joint.', ''):<13} {words}; {peak}")
    return lines + ([] if c.refined is None else c.refined.lines())
