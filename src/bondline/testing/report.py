"""What the kit found: one finding a check, and the verdict of all."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from bondline.errors import LeafInconsistent

Verdict: TypeAlias = Literal["passed", "failed", "hint", "skipped"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check came to: the quantity it looked at, and how far that was off.

    A hint is not wrong, but the author should know.
    """

    check: str
    verdict: Verdict
    words: str
    quantity: str = ""
    measured: float | None = None
    allowed: float | None = None

    def plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that the kit found about one leaf."""

    leaf: str
    findings: tuple[Finding, ...]

    @property
    def failed(self) -> tuple[Finding, ...]:
        """What the leaf does other than it declares, in the order of the checks."""
        return tuple(f for f in self.findings if f.verdict == "failed")

    @property
    def refused(self) -> tuple[str, ...]:
        """Names of the checks that failed, each once."""
        return tuple(dict.fromkeys(f.check for f in self.failed))

    @property
    def hints(self) -> tuple[Finding, ...]:
        """What the author should know."""
        return tuple(f for f in self.findings if f.verdict == "hint")

    @property
    def error(self) -> LeafInconsistent | None:
        """The refusal, if anything failed; it leads with the first finding."""
        if not self.failed:
            return None
        first = self.failed[0]
        more = [name for name in self.refused if name != first.check]
        also = f" Also: {', '.join(more)}." if more else ""
        about = f"{first.quantity}: " if first.quantity else ""
        return LeafInconsistent(
            f"{self.leaf}: {first.check}",
            f"{about}{first.words.rstrip('.')}.{also}",
            REMEDIES.get(first.check, "Repair the leaf, or declare what it does."),
        )

    def raise_if_failed(self) -> None:
        """`LeafInconsistent` if anything failed."""
        if self.error is not None:
            raise self.error


def judged(
    check: str, quantity: str, measured: float, allowed: float, words: str
) -> Finding:
    """Passed where the measured number is within the allowed one."""
    good = measured <= allowed  # False for NaN
    return Finding(
        check, "passed" if good else "failed", words, quantity, measured, allowed
    )


REMEDIES = {
    "window": "Give a window that the leaf can complete, for example --window 1ms.",
    "ports": "Answer every port with what it declares: its size, its levels, SI units.",
    "silence": "Take a missing input for no force: inputs.get(port).",
    "in place": "Copy what you change; a state belongs to the caller, who may use it "
    "again.",
    "repeatability": "Keep everything the next window depends on in the state, or say "
    "Capabilities(repeatable=False).",
    "rollback": "Save and restore everything the next window depends on: positions, "
    "velocities, accelerations, histories; or say Capabilities(repeatable=False).",
    "determinism": "Take every number from the arguments; no clocks, no unseeded "
    "random numbers, no leftovers of earlier runs.",
    "start": "Let start return a new state, and touch nothing else.",
    "serialisation": "Let dump write everything the next window depends on, or say "
    "Capabilities(serialises=False).",
    "affinity": "Say Capabilities(linear=False), or look for what depends on the force "
    "other than linearly.",
    "one step": "Say Capabilities(one_step=False): forces inside count, too.",
    "velocity": "Give v as the rate of x, in the same axes and in SI units.",
    "acceleration": "Give a as the rate of v under the force at t1, or say "
    "Capabilities(acceleration=False) and leave it out.",
    "energy": "Report the energy stored at t1 and what this window dissipated and "
    "supplied, without the work of the ports; or report none.",
    "linearise": "Compare your derivative with differences of advance; levels are x, "
    "v, a, columns the coefficients of the force.",
    "superposition": "realise(respond(state, window, known), more) must be what "
    "advance gives under known + more.",
    "blocks": "settle_block(try_block(respond_block(state, block), more)) must be what "
    "advance gives window by window; impulse is what a unit force leaves behind.",
    "press": "Change accelerations only, to those under the given forces.",
    "place": "Move the whole model so that the port is where it was told.",
    "kick": "Change velocities only, by M⁻¹ times the impulses.",
    "compliance": "Compare your compliance with differences of equilibrium.",
    "receptance": "Compute H from the M, C and K that advance uses; count the undamped "
    "modes below with the force ports free.",
    "equilibrium": "Balance own loads and port forces at rest.",
    "breaks": "List instants strictly inside the window, in order.",
    "refusal": "Return Rejected(name, reason, until) instead of raising.",
    "parameters": "Refuse values that make no sense with a SettingError.",
}
