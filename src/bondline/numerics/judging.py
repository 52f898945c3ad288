"""Whether a step suits the vibrations of a system: a verdict, and the words for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bondline.errors import SettingError
from bondline.numerics.multirate import Multirate
from bondline.numerics.nordsieck import Nordsieck

Level: TypeAlias = Literal["fine", "warn", "refuse"]

# Largest ωh at which an undamped vibration does not grow.
PECE_LIMIT, PEC_LIMIT = 1.18, 0.43
# Above this ωh a vibration drifts visibly: in phase, by (19/720 − 9/64) (ωh)⁴ of a
# period in each, docs/theory/nordsieck.md (3).
COARSE, _DRIFT = 0.3, 9.0 / 64.0 - 19.0 / 720.0
# Of ωH, the slow step: where the paper's form is unstable, and where it damps visibly.
UNSTABLE, VISIBLE = 1.0, 0.2


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be thought of a step, and why."""

    level: Level
    fast: float  # highest coupled frequency times the (fast) step
    slow: float  # and times the slow step
    words: str = ""
    remedy: str = ""

    def enforce(self) -> Verdict:
        """Itself, unless it refuses: then a `SettingError`."""
        if self.level == "refuse":
            raise SettingError("integrator", self.words, self.remedy)
        return self


_SHORTER = "Take a shorter step."
_OTHER = "Take a shorter step, a smaller ratio, or the residual form of multirate."


def judged(method: Nordsieck | Multirate, highest: float) -> Verdict:
    """A verdict on a method, given the highest coupled frequency in rad/s."""
    ratio = method.ratio if isinstance(method, Multirate) else 1
    fast, slow = highest * method.step, highest * method.step * ratio
    (level, words), remedy = _of_fast(method, fast), _SHORTER
    if level != "refuse" and isinstance(method, Multirate) and ratio > 1:
        other = _of_slow(method, slow)
        if other[0] != "fine":
            (level, words), remedy = other, _OTHER
    return Verdict(level, fast, slow, words, remedy)


def _of_fast(method: Nordsieck | Multirate, product: float) -> tuple[Level, str]:
    if method.corrections > 1:
        if product > 0.1:
            return "warn", _says(product, "step", "0.1 repeated corrections add energy")
        return "fine", ""
    limit = PECE_LIMIT if method.evaluate else PEC_LIMIT
    if product > limit:
        return "refuse", _says(product, "step", f"{limit:g} vibrations grow")
    if product > COARSE:
        late = 100.0 * _DRIFT * product**4
        said = f"{COARSE:g} the quickest vibration drifts, by {late:.2g} % a period"
        return "warn", _says(product, "step", said)
    return "fine", ""


def _of_slow(method: Multirate, product: float) -> tuple[Level, str]:
    if method.form == "residual":
        if product > UNSTABLE:
            said = "1 a long run may gain energy"
            return "warn", _says(product, "slow step", said)
        return "fine", ""
    if product > UNSTABLE:
        return "refuse", _says(product, "slow step", "1 the paper's form is unstable")
    if product > VISIBLE:
        said = "0.2 the paper's form damps vibrations visibly"
        return "warn", _says(product, "slow step", said)
    return "fine", ""


def _says(product: float, step: str, beyond: str) -> str:
    return (
        f"the highest coupled frequency times the {step} is {product:.3g}; "
        f"above {beyond}."
    )
