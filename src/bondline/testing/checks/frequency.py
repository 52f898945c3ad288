"""Whether the receptance of a leaf is that of the model it advances."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

import numpy as np

from bondline.core import Harmonic, Matrix, Pressing, Receptance
from bondline.testing.asking import Declined, ask
from bondline.testing.report import Finding, judged
from bondline.testing.shown import largest
from bondline.testing.spectrum import Complex, Spectrum, statics
from bondline.testing.trial import LADDER, Trial

EVEN = 1e-7  # how far undamped H may be from real and symmetric
CLOSE = 1e-3  # how far H may be from its limits
UP, DOWN = LADDER, 12  # rungs of the ladders of frequency, by 4 each
NEGATIVE, SURELY = 1e-9, 1e-6  # of the largest eigenvalue


def receptance(trial: Trial) -> Iterator[Finding]:
    """H(ω) is real and symmetric without damping, and has the limits it must have.

    At high frequency −ω²H is the acceleration per force, at low frequency H is what
    forces do to the equilibrium; the count of modes begins with the free motions.
    """
    leaf = trial.leaf
    if not isinstance(leaf, Harmonic) or not trial.driven:
        words = "the leaf has no receptance, or no port"
        yield Finding("receptance", "skipped", words)
        return
    if not leaf.capabilities.linear:
        yield Finding("receptance", "skipped", "the leaf is not linear")
        return
    seen = Spectrum(trial, leaf)
    wrong = _shape(trial, ask(lambda: leaf.receptance(1.0 / trial.h, False)))
    if wrong:
        yield Finding("receptance", "failed", wrong[1], wrong[0])
        return
    yield _even(seen)
    yield from _fast(seen)
    yield from _slow(seen)
    yield _counted(seen)


def _shape(trial: Trial, found: Receptance) -> tuple[str, str] | None:
    """What is missing, and in words."""
    for out, into in product(trial.driven, trial.driven):
        wanted = (trial.driven[out].size, trial.driven[into].size)
        block = found.blocks.get((out, into))
        if block is None:
            return f"port {out}", f"there is no block for a force on {into}."
        if block.shape != wanted or not np.isfinite(block).all():
            words = f"its block for a force on {into} is not {wanted} finite numbers."
            return f"port {out}", words
    return None


def _even(seen: Spectrum) -> Finding:
    """Without damping H is real and symmetric."""
    off = 0.0
    for omega in seen.ladder(4, -4):
        H = seen.scaled(omega, False)
        size = max(largest(np.abs(H)), 1e-300)
        off = max(off, largest(np.abs(H.imag)) / size, largest(np.abs(H - H.T)) / size)
    words = "without damping it is real and symmetric"
    if not off <= EVEN:
        words = "without damping it is not real and symmetric."
    return judged("receptance", "receptance", off, EVEN, words)


def _fast(seen: Spectrum) -> Iterator[Finding]:
    """−ω²H tends to the acceleration per force, with damping and without."""
    trial = seen.trial
    if not isinstance(trial.leaf, Pressing) or not trial.leaf.capabilities.acceleration:
        return
    wanted = seen.accelerations(trial.leaf)
    for damped in (False, True):
        near = ((w, -(w**2) * seen.scaled(w, damped)) for w in seen.ladder(0, UP))
        _, off = _nearest(near, wanted)
        yield _limit(off, "at high frequency", "the acceleration per force")


def _slow(seen: Spectrum) -> Iterator[Finding]:
    """H tends to what forces do at rest; the modes below are then the free motions."""
    try:
        found = statics(seen.trial)
    except Declined:
        return
    if found is None:
        return
    wanted, k = found
    near = ((w, seen.on_springs(w, k)) for w in seen.ladder(0, -DOWN))
    omega, off = _nearest(near, wanted)
    yield _limit(off, "at low frequency", "the equilibrium under a force")
    if off <= CLOSE:
        yield _free_motions(seen, omega)


def _nearest(
    near: Iterable[tuple[float, Complex]], wanted: Matrix
) -> tuple[float, float]:
    """The first frequency at which a limit is met, or the nearest; and how well."""
    size = largest(wanted) or 1.0  # where nothing moves, H itself must vanish
    best, least = 0.0, np.inf
    for omega, H in near:
        off = largest(np.abs(H - wanted)) / size
        if off < least:
            best, least = omega, off
        if off <= CLOSE:
            break
    return best, least


def _limit(off: float, where: str, what: str) -> Finding:
    words = f"{where} it is {what}"
    if not off <= CLOSE:
        words = f"{where} it is {100.0 * off:.3g} % off {what}."
    return judged("receptance", "receptance", off, CLOSE, words)


def _free_motions(seen: Spectrum, omega: float) -> Finding:
    """All free motions show at the ports, since springs there stop them."""
    wanted = seen.negative(omega, NEGATIVE)
    told = seen.below(omega)
    if told != wanted:  # a slow mode that no port shows may still be below
        told = seen.below(omega / 64.0)
    words = f"{wanted} free motions"
    if told != wanted:
        words = f"it counts {told} modes near zero, and {wanted} motions are free."
    off = abs((told or 0) - wanted)
    return judged("receptance", "modes below", off, 0.0, words)


def _counted(seen: Spectrum) -> Finding:
    """The count of modes never falls, and is never less than H itself shows."""
    last, name = 0, "modes below"
    for omega in seen.ladder(-4, 6):
        told = seen.below(omega)
        if told is None:
            words = "without damping it does not say how many modes are below."
            return Finding("receptance", "failed", words, name)
        least = seen.negative(omega, SURELY)
        if told < max(last, least):
            what = f"after {last}" if told < last else f"and H shows {least}"
            words = f"it counts {told} modes below {omega:.4g} rad/s, {what}."
            return Finding("receptance", "failed", words, name, told, max(last, least))
        last = told
    return Finding("receptance", "passed", f"up to {last} modes, in order", name)
