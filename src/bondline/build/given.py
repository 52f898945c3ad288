"""Given: what a caller changes of a model, and how that is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from bondline.description import (
    Catalogue,
    GluingSpec,
    ModelSpec,
    SystemSpec,
    check,
    override,
    settable,
)
from bondline.description.checks.settings import among
from bondline.description.overrides import quantity
from bondline.errors import SettingError, UsageError, did_you_mean

CAUSALITY = "BND019"  # what ports take in does not suit the coupling
FLAGS: Mapping[str, str] = {
    "set": "--set",
    "coupling": "--coupling",
    "scheme": "--scheme",
    "solver": "--solver",
    "tolerance": "--tol",
    "max_iterations": "--max-iter",
    "refresh": "--refresh",
    "update": "--update",
    "epsilon": "--epsilon",
    "threads": "--threads",
    "adaptive": "--adaptive",
    "start": "--start-from",
    "rate": "--rate",
    "block": "--block",
    "waveform": "--waveform",
}
_SOLVING = {
    "tolerance": "tolerance",
    "max_iterations": "maxIterations",
    "refresh": "refresh",
    "update": "update",
}
_ELSEWHERE = (*_SOLVING, "rate")
_OF_ALL = ("tolerance", "forceTolerance", "maxIterations")  # settings any solver has


@dataclass(frozen=True)
class Given:
    """Parameters as text with units, and settings of the gluing; None: as in the file.

    Kept in a run's settings, so that a resumed run is the same model.
    """

    set: Mapping[str, str] = field(default_factory=dict)
    scheme: str | None = None
    tolerance: float | None = None
    max_iterations: int | None = None
    refresh: str | None = None
    update: str | None = None
    epsilon: float | None = None
    coupling: str | None = None
    solver: str | None = None
    threads: int | None = None
    adaptive: float | None = None
    start: str | None = None
    rate: int | None = None
    block: int | None = None
    waveform: bool | None = None

    def plain(self) -> dict[str, Any]:
        """What was given, and nothing else."""
        every = asdict(self).items()
        return {name: v for name, v in every if v is not None and v != {}}

    @classmethod
    def load(cls, tree: Mapping[str, Any]) -> Given:
        """What `plain` wrote."""
        return cls(**{f.name: tree[f.name] for f in fields(cls) if f.name in tree})

    @property
    def gluing(self) -> dict[str, Any]:
        """The settings of the gluing only."""
        return {name: value for name, value in self.plain().items() if name != "set"}

    @property
    def flags(self) -> str:
        """Those, as they are typed."""
        told = {n: "" if v is True else f" {v}" for n, v in self.gluing.items()}
        return " ".join(f"{FLAGS[name]}{text}" for name, text in told.items())


def apply(spec: ModelSpec, catalogue: Catalogue, given: Given) -> ModelSpec:
    """The model with what was given; an error names the flag.

    `--set step=1e-4` and `--set scheme=constant/e` are the gluing's where nothing else
    in the model has these names.
    """
    spec, given = _glueing(spec, catalogue, given)
    _check(given, catalogue)
    changed = override(spec, catalogue, given.set) if given.set else spec
    if not given.gluing:
        return changed
    _require_rates(changed.system, given)
    glued = replace(changed, system=_reglued(changed.system, given))
    before = {p.code + str(p.where) for p in check(changed, catalogue)}
    late = {CAUSALITY} if given.set else set[str]()  # ports may be set otherwise
    for problem in check(glued, catalogue):
        if problem.code in late:
            continue
        if problem.fatal and problem.code + str(problem.where) not in before:
            finding = f"{problem.finding} ({problem.code}, {problem.where})"
            raise SettingError(given.flags, finding, problem.remedy)
    return glued


def _require_rates(system: SystemSpec, given: Given) -> None:
    """A ratio needs a system with two rates."""
    if given.rate is not None and not _has_rates(system):
        raise UsageError(
            "--rate",
            f"nothing in {system.name} goes at two rates.",
            'Say which part is fast: <g:rates fast="..."/> in the gluing.',
        )


def _has_rates(system: SystemSpec) -> bool:
    inner = [e for e in system.elements if isinstance(e, SystemSpec)]
    own = system.gluing is not None and system.gluing.rates is not None
    return own or any(map(_has_rates, inner))


def _glueing(
    spec: ModelSpec, catalogue: Catalogue, given: Given
) -> tuple[ModelSpec, Given]:
    """Step and scheme moved from the names that are set to where they belong."""
    asked = given.set.keys() & {"step", "scheme"}
    own = asked and asked - {s.name for s in settable(spec, catalogue)}
    if not own or spec.system.gluing is None:
        return spec, given
    rest = {name: text for name, text in given.set.items() if name not in own}
    told = given.set.get("scheme", given.scheme) if "scheme" in own else given.scheme
    if given.scheme not in (None, told):
        raise UsageError(
            f"--scheme {given.scheme}", f"--set scheme={told}, too.", "Say it once."
        )
    if "step" in own:
        length = quantity("step", given.set["step"], "s")
        gluing = replace(spec.system.gluing, step=length)
        spec = replace(spec, system=replace(spec.system, gluing=gluing))
    return spec, replace(given, set=rest, scheme=told)


def _check(given: Given, catalogue: Catalogue) -> None:
    """Each flag by itself."""
    _check_scheme(given.scheme, catalogue)
    each = catalogue.solvers.values()
    for flag, word, known in (
        ("--coupling", given.coupling, [*catalogue.methods]),
        ("--solver", given.solver, [*catalogue.solvers]),
        ("--refresh", given.refresh, _words("refresh", each)),
        ("--update", given.update, _words("update", each)),
        ("--start-from", given.start, [*catalogue.starts]),
    ):
        if word is not None and word not in known:
            raise SettingError(
                flag, f"no such choice {word!r}.", did_you_mean(word, known)
            )
    for flag, number in (
        ("--tol", given.tolerance),
        ("--epsilon", given.epsilon),
        ("--adaptive", given.adaptive),
    ):
        if number is not None and not 0.0 < number < float("inf"):
            raise UsageError(flag, f"it is {number!r}.", "Give a positive number.")


def _words(key: str, solvers: Any) -> list[str]:
    every = [word for solver in solvers for word in solver.choices.get(key, ())]
    return list(dict.fromkeys(every))


def _check_scheme(name: str | None, catalogue: Catalogue) -> None:
    known, refused = (
        among(listed, None) for listed in (catalogue.schemes, catalogue.refused_schemes)
    )
    if name is None or name in known:
        return
    if name in refused:
        raise SettingError(
            "--scheme",
            f"{name} is refused: {refused[name]}.",
            f"Use one of {', '.join(sorted(known))}.",
        )
    raise SettingError("--scheme", f"no scheme {name!r}.", did_you_mean(name, known))


def _reglued(system: SystemSpec, given: Given) -> SystemSpec:
    """The settings hold for every level of a nested model.

    But one level chooses the windows and blocks, and one knows how the whole starts.
    """
    below = replace(given, adaptive=None, start=None, block=None, waveform=None)
    inner = tuple(
        _reglued(e, below) if isinstance(e, SystemSpec) else e for e in system.elements
    )
    gluing = _changed(system.gluing, given) if system.gluing else None
    return replace(system, elements=inner, gluing=gluing)


def _changed(gluing: GluingSpec, given: Given) -> GluingSpec:
    """Another coupling or solver than the file's leaves out what goes with the file's.

    All solvers have a tolerance and a number of iterations: these stay.
    """
    if given.coupling not in (None, "auto", gluing.method):
        gluing = replace(gluing, scheme=None)
    solving = dict(gluing.solving)
    if given.solver not in (None, gluing.solver or "newton"):
        solving = {k: text for k, text in solving.items() if k in _OF_ALL}
    told = given.gluing
    solving |= {a: _text(told[k]) for k, a in _SOLVING.items() if k in told}
    if given.rate is not None and gluing.rates is not None:
        gluing = replace(gluing, rates=replace(gluing.rates, ratio=given.rate))
    own = {"coupling": "method"}
    direct = {own.get(k, k): v for k, v in told.items() if k not in _ELSEWHERE}
    return replace(gluing, solving=solving, **direct)


def _text(value: object) -> str:
    return value if isinstance(value, str) else repr(value)
