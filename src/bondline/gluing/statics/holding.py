"""How parts are held while they are asked: springs where they would float away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bondline.core import Port, PortRef, Rejected, Vector
from bondline.errors import SettingError, SingularInterface, did_you_mean
from bondline.gluing.statics.asking import Load, rest, yields
from bondline.gluing.statics.dofs import Here, Seen
from bondline.gluing.statics.rigid import determinate, rigid_modes

METHODS = ("auto", "direct", "robin", "feti")
_TRIALS = (1e6, 1e10, 1e2)  # N/m; to look at a floating part with
_SOFT, _NOISE = 1e-5, 1e-12  # of the trial: may be, and is round-off
_SOFTER = 1e-4


@dataclass(frozen=True, eq=False)
class Hold:
    """Springs k against the motions w of some dofs, which are unknowns.

    Where x = w a spring carries no force, so the answer is the same for every k.
    """

    method: str
    why: str
    k: Vector
    natural: Vector  # on all glued dofs of those parts, as stiff as the parts are
    follow: NDArray[np.intp]  # dofs whose motion is an unknown


@dataclass(frozen=True)
class Asked:
    """Which method, and how stiff: about as the parts themselves if it is None."""

    method: str
    stiffness: float | None

    @property
    def how(self) -> str:
        """What 'auto' means where parts float."""
        return "robin" if self.method == "auto" else self.method

    @property
    def says(self) -> str:
        """The reason, for the user."""
        which = "a statically determinate set of" if self.how == "feti" else "all"
        return f"springs on {which} glued dofs of what floats or may float"


def check_method(name: str, method: str) -> None:
    """Raise `SettingError` for a word that is no method."""
    if method not in METHODS:
        raise SettingError(
            f"{name}, static equilibrium",
            f"there is no method {method!r}.",
            did_you_mean(method, METHODS),
        )


def hold(seen: Seen, here: Here, acting: Load, asked: Asked) -> Hold | Rejected:
    """Springs for the parts that float, or may come to float as they deform.

    The springs of `acting` are really there.
    """
    loose = _loose(seen, here, acting, asked)
    if isinstance(loose, Rejected):
        return loose
    follow, k = seen.turning | (seen.driven & seen.glued), np.zeros(seen.size)
    natural = k.copy()
    if not loose:
        why, where = "every part is supported", np.flatnonzero(follow)
        return Hold("direct", why, k, natural, where)
    for part, answer in loose.items():
        own = _springs(seen, part, here, acting)
        if isinstance(own, Rejected):
            return own
        if answer is not None and not own.any():
            return answer
        natural += own
        k += _asked_for(seen, part, own, asked)
    sprung, why = np.flatnonzero(follow | (k > 0.0)), f"{asked.says}: "
    return Hold(asked.how, why + ", ".join(loose), k, natural, sprung)


def _loose(
    seen: Seen, here: Here, acting: Load, asked: Asked
) -> dict[str, Rejected | None] | Rejected:
    """Parts that cannot rest alone, with what they say; and those that deform far."""
    found: dict[str, Rejected | None] = {}
    for part, model in seen.assembly.parts.items():
        if not model.capabilities.linear and asked.method != "direct":
            found[part] = None
            continue
        still = Load(0.0, np.full(seen.size, np.nan), acting.k)
        answer = rest(seen, part, here.states[part], still)
        if isinstance(answer, Rejected):
            if not _floats(answer):
                return answer
            if asked.method == "direct":
                return _refused(part, answer)
            found[part] = answer
    return found


def _floats(answer: Rejected) -> bool:
    return answer.error is None or isinstance(answer.error, SingularInterface)


def _springs(seen: Seen, part: str, here: Here, acting: Load) -> Vector | Rejected:
    """Natural springs of one part; none where no glued port takes force."""
    where, k = np.flatnonzero(seen.mask(_ends(seen, part))), np.zeros(seen.size)
    if where.size:
        own = _stiffness(seen, part, here, acting, where)
        if isinstance(own, Rejected):
            return own
        k[where] = own
    return k


def _ends(seen: Seen, part: str) -> list[PortRef]:
    """Glued ports that take force."""
    fit = seen.glued & ~seen.driven
    return [r for r in seen.of_part.get(part, ()) if fit[seen.at[r]].all()]


def _asked_for(seen: Seen, part: str, natural: Vector, asked: Asked) -> Vector:
    """The springs of one part by method, as stiff as it was asked for."""
    ends = _ends(seen, part)
    where = np.flatnonzero(seen.mask(ends))
    some = where[_sprung([seen.ports[r] for r in ends], asked.how)]
    k = np.zeros(seen.size)
    k[some] = natural[some] if asked.stiffness is None else asked.stiffness
    return k


def _sprung(ports: Sequence[Port], method: str) -> NDArray[np.intp]:
    """Which dofs of these ports get a spring."""
    if method == "feti" and ports:
        return determinate(rigid_modes(ports))
    return np.arange(sum(port.size for port in ports))


def _stiffness(
    seen: Seen, part: str, here: Here, acting: Load, where: NDArray[np.intp]
) -> Vector | Rejected:
    """What holds each of these dofs inside the part, for springs of the same size.

    Round-off of a stiff part must not pass for stiffness: little counts only where a
    second look, with softer springs, sees the same. A dof that nothing holds gets the
    mean of the others.
    """
    look = partial(_look, seen, part, (here, acting), where)
    found, trial = look(_TRIALS[0]), _TRIALS[0]
    for other in _TRIALS[1:]:
        if isinstance(found, Rejected):
            again, trial = look(other), other
            found = found if isinstance(again, Rejected) else again
    if isinstance(found, Rejected):
        return found
    stiff = found > _SOFT * trial
    if stiff.any():
        return np.where(stiff, found, np.exp(np.log(found[stiff]).mean()))
    again = look(_SOFTER * trial)
    if isinstance(again, Rejected) or (found < _NOISE * trial).any():
        return np.full(len(found), trial)
    same = np.allclose(again, found, rtol=0.01, atol=0.0)
    return found if same else np.full(len(found), trial)


def _look(
    seen: Seen,
    part: str,
    at: tuple[Here, Load],
    where: NDArray[np.intp],
    trial: float,
) -> Vector | Rejected:
    """The diagonal of G⁻¹ − k with trial springs, slack where the part is."""
    (here, acting), more = at, np.zeros(seen.size)
    more[where] = trial
    load = Load(acting.factor, acting.u + more * here.p, acting.k + more)
    found = yields(seen, part, here.states[part], load)
    if isinstance(found, Rejected):
        return found
    own = np.flatnonzero(seen.mask(seen.of_part[part]))
    spots = np.searchsorted(own, where)
    inside = np.linalg.pinv(found[0][np.ix_(spots, spots)], rcond=1e-13)
    stiffness: Vector = np.diag(inside) - load.k[where]
    return stiffness


def _refused(part: str, answer: Rejected) -> Rejected:
    error = SingularInterface(
        f"{part}, static equilibrium",
        f"method 'direct' needs supported parts; {answer.reason}",
        "Use method 'robin' or 'feti', or support the part.",
    )
    return Rejected(answer.model, error.finding, error=error)
