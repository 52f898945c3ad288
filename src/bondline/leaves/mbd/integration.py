"""How mechanisms go through time: what may be asked for, and the integrators for it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from bondline.errors import SettingError, did_you_mean
from bondline.numerics.integrators import (
    Dop853,
    DormandPrince,
    GeneralizedAlpha,
    RungeKutta4,
    Stepper,
)
from bondline.numerics.multirate import Form, Multirate
from bondline.numerics.nordsieck import Nordsieck
from bondline.numerics.stiff import Cvode, Radau

NEAR = 1e-9  # of a step: what lengths of windows may be off by
_MOST = 1e9  # steps in a window
_RATIOS = 1_000_000
CORRECTORS = ("PECE", "PEC")
FORMS = ("paper", "residual")
KERNELS = ("general", "specialised")
SPECTRUM = ("spectrum",)


class Maker(NamedTuple):
    """Whether steps have one length; from a step and a tolerance to the integrator."""

    fixed: bool
    make: Callable[[float, float], Stepper]


METHODS: Mapping[str, Maker] = {
    "nordsieck": Maker(True, lambda step, _: Nordsieck(step)),
    "rk4": Maker(True, lambda step, _: RungeKutta4(step)),
    "dormand-prince": Maker(True, lambda step, _: DormandPrince(step)),
    "generalized-alpha": Maker(True, lambda step, _: GeneralizedAlpha(step)),
    "dop853": Maker(False, lambda _, tol: Dop853(tol, tol)),
    "radau": Maker(False, lambda _, tol: Radau(tol, tol)),
    "cvode": Maker(False, lambda _, tol: Cvode(tol, tol)),
}


@dataclass(frozen=True, slots=True)
class Integration:
    """How a mechanism goes through time.

    With a `ratio` above 1 the `fast` coordinates (the modal ones, if not said; those
    above the widest gap between its frequencies, if `("spectrum",)`) take `ratio`
    steps while the others take one; `multirate` says how. `step` is that of
    the fast ones, and no longer than that: windows are divided evenly. `corrector` is
    Nordsieck's; `tolerance`, relative and absolute, is that of methods that choose
    their steps. A specialised `kernel` is a program for this mechanism alone, several
    times as quick; it needs a C compiler once, and differs by round-off.
    """

    method: str = "nordsieck"
    step: float = 1e-3
    ratio: int = 1
    multirate: str = "residual"
    fast: tuple[str, ...] | None = None
    solver: str = "auto"
    corrector: str = "PECE"
    tolerance: float = 1e-9
    kernel: str = "general"

    @property
    def fixed(self) -> bool:
        """Whether steps have one length."""
        return METHODS[self.method].fixed

    def __post_init__(self) -> None:
        words: Mapping[str, Collection[str]] = {
            **{"method": METHODS, "multirate": FORMS, "corrector": CORRECTORS},
            "kernel": KERNELS,
        }
        for name, known in words.items():
            word = getattr(self, name)
            if word not in known:
                remedy = did_you_mean(word, known)
                raise SettingError(f"integration: {name}", f"{word!r}.", remedy)
        if not 0.0 < self.step < float("inf"):
            raise SettingError(
                "integration: step", f"it is {self.step:g} s.", "Give a time above 0."
            )
        most = _RATIOS if self.method == "nordsieck" else 1
        if not (1 <= self.ratio <= most and self.ratio == int(self.ratio)):
            raise SettingError(
                "integration: ratio",
                f"it is {self.ratio} with the method {self.method}.",
                f"Give 1; or a whole number from 1 to {_RATIOS} with nordsieck.",
            )


def stepper(how: Integration, length: float) -> Stepper:
    """For a window of that length: steps no longer than asked for, and evenly."""
    whole = how.step * how.ratio
    wanted = length / whole * (1.0 - NEAR)
    if not wanted < _MOST:
        raise SettingError(
            "integration: step",
            f"a window of {length:g} s takes {wanted:.3g} steps of {whole:g} s.",
            "Give a longer step.",
        )
    count = max(1, ceil(wanted))
    step = length / count / how.ratio
    if how.method != "nordsieck":
        return METHODS[how.method].make(step, how.tolerance)
    last = how.corrector == "PECE"
    if how.ratio == 1:
        return Nordsieck(step, evaluate=last)
    form: Form = "paper" if how.multirate == "paper" else "residual"
    return Multirate(step, how.ratio, form, evaluate=last)
