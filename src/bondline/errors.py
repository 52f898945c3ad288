"""Every exception this package raises on purpose, with its exit code.

* BondlineError                 70  something is wrong in Bondline itself
  - DescriptionError             1  a model file cannot be used (has `problems`)
  - DeckError                    1  an FE deck cannot be used (has `problems`)
  - UsageError                   2  a command or call was given something impossible
    - OtherSettings              2  a run is to go on with other settings
  - WiringError                  3  parts and connections do not fit together
  - SettingError                 3  a setting is not one of those that work
    - Unplaced                   3  a part is at its owner's, and nobody said where
    - NotServed                  3  a partner has no model of that name
  - StartGap                     3  the parts do not meet where the run starts
  - KernelError                  3  the compiled kernels cannot be built or loaded
  - NotAllowed                   3  a partner does not allow it, or is not trusted
  - SecurityError                3  a key, certificate or policy is not safe to use
  - Interrupted                 10  stopped on request; resumable
  - LeafFailed                  20  a model could not complete a window
  - LeafLost                    20  a partner's model is gone; resumable
  - LeafHung                    21  a partner's model does not answer; resumable
  - PartnerUnreachable          22  there is no way to a partner; resumable
  - Fenced                      23  another coordinator has taken over
  - NonFinite                   30  a model answered with NaN or infinity
  - CouplingDiverged            31  the interface iteration did not converge
  - SingularInterface           32  the interface matrix cannot be inverted
  - LeafInconsistent            33  a leaf does not do what it declares
  - StorageError                40  a run cannot be written or read
  - CorruptRun                  41  a run's record does not match its hashes
  - CorruptLog                  41  an audit log does not match its hashes
  - CorruptModel                41  a model library does not match its hashes
  - VersionMismatch             50  a run was made by something incompatible
    - OtherState                50  a state is none of the model that is here
  - ResourceLimit               60  a limit or a budget is reached
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from typing import Any


class BondlineError(Exception):
    """Base of all errors: one message that names place, finding and remedy."""

    exit_code = 70

    def __init__(self, place: str, finding: str, remedy: str) -> None:
        self.place, self.finding, self.remedy = place, finding, remedy
        super().__init__(f"{place}: {finding} {remedy}".strip())


class DescriptionError(BondlineError):
    """A model file cannot be used; `problems` lists everything that is wrong."""

    exit_code = 1

    def __init__(
        self, place: str, finding: str, remedy: str, problems: Sequence[object] = ()
    ) -> None:
        self.problems = tuple(problems)
        super().__init__(place, finding, remedy)


class DeckError(BondlineError):
    """A finite-element deck cannot be used; the place is file:line, card.

    `problems` are all that were found, one `DeckError` each, up to twenty.
    """

    exit_code = 1

    def __init__(
        self, place: str, finding: str, remedy: str, problems: Sequence[object] = ()
    ) -> None:
        self.problems = tuple(problems)
        super().__init__(place, finding, remedy)


class UsageError(BondlineError):
    """A command or call was given something impossible."""

    exit_code = 2


class OtherSettings(UsageError):
    """A run is to go on with other settings than it was made with."""


class WiringError(BondlineError):
    """Parts and connections do not fit together."""

    exit_code = 3


class SettingError(BondlineError):
    """A setting is not one of those that work."""

    exit_code = 3


class Unplaced(SettingError):
    """A part stays with its owner, and nobody said where that is."""


class NotServed(SettingError):
    """A partner has no model of that name."""


class StartGap(BondlineError):
    """The parts do not meet where the run starts."""

    exit_code = 3


class KernelError(BondlineError):
    """The compiled kernels cannot be built or loaded."""

    exit_code = 3


class NotAllowed(BondlineError):
    """A partner does not allow it, or one side does not trust the other."""

    exit_code = 3


class SecurityError(BondlineError):
    """A key, a certificate or a policy is not safe to use, or not usable at all.

    `problems` are all that were found in a policy, one `SecurityError` each.
    """

    exit_code = 3

    def __init__(
        self, place: str, finding: str, remedy: str, problems: Sequence[object] = ()
    ) -> None:
        self.problems = tuple(problems)
        super().__init__(place, finding, remedy)


class Interrupted(BondlineError):
    """Stopped on request after a whole window; the run can be resumed."""

    exit_code = 10


class LeafFailed(BondlineError):
    """A model could not complete a window."""

    exit_code = 20


class LeafLost(BondlineError):
    """A partner's model is gone: its process ended, or its session."""

    exit_code = 20


class LeafHung(BondlineError):
    """A partner's model is connected, and does not answer in time."""

    exit_code = 21


class PartnerUnreachable(BondlineError):
    """There is no way to a partner's machine."""

    exit_code = 22


GONE = (LeafLost, LeafHung, PartnerUnreachable)
"""After one of these the partner is not asked again; the run can be resumed."""


class Fenced(BondlineError):
    """Another coordinator has taken a partner's session over."""

    exit_code = 23


class NonFinite(BondlineError):
    """A model answered with NaN or infinity."""

    exit_code = 30


class CouplingDiverged(BondlineError):
    """The interface iteration did not reach its tolerance; has `history`."""

    exit_code = 31

    def __init__(
        self, place: str, finding: str, remedy: str, history: Sequence[float] = ()
    ) -> None:
        self.history = tuple(history)
        super().__init__(place, finding, remedy)


class SingularInterface(BondlineError):
    """The interface matrix cannot be inverted."""

    exit_code = 32


class LeafInconsistent(BondlineError):
    """A leaf does not do what it declares."""

    exit_code = 33


class StorageError(BondlineError):
    """A run cannot be written or read."""

    exit_code = 40


class CorruptRun(BondlineError):
    """A run's record does not match its hashes."""

    exit_code = 41


class CorruptLog(BondlineError):
    """An audit log does not match its hashes, or the other side's log."""

    exit_code = 41


class CorruptModel(BondlineError):
    """A record of a model library is not what it was."""

    exit_code = 41


class VersionMismatch(BondlineError):
    """A run was made by something incompatible with this installation."""

    exit_code = 50


class OtherState(VersionMismatch):
    """A stored state is none of the model that is to go on from it."""


class ResourceLimit(BondlineError):
    """A limit or a budget is reached, here or at a partner's."""

    exit_code = 60


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that looks most like `word`, if any does.

    >>> nearest("uper", ["upper", "lower"])
    'upper'
    """
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return close[0] if close else None


_READ = 100  # names in a message


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A sentence with the nearest match and all that exists, as far as one reads.

    >>> did_you_mean("uper", ["upper", "lower"])
    "Did you mean 'upper'? Known: lower, upper."
    """
    names = sorted(known)
    close = nearest(word, names)
    hint = f"Did you mean {close!r}? " if close else ""
    more = f" and {len(names) - _READ} more" if len(names) > _READ else ""
    return f"{hint}Known: {', '.join(names[:_READ]) or 'none'}{more}."


def document(error: BondlineError) -> dict[str, Any]:
    """The error as plain data."""
    extra: dict[str, Any] = {}
    if history := getattr(error, "history", ()):
        extra["history"] = list(history)
    if problems := getattr(error, "problems", ()):
        extra["problems"] = [plain(p) for p in problems]
    return {
        "error": {
            "code": error.exit_code,
            "kind": type(error).__name__,
            "place": error.place,
            "finding": error.finding,
            "remedy": error.remedy,
            **extra,
        }
    }


def plain(problem: Any) -> dict[str, Any]:
    """A problem of a model file, or a mistake of a deck, as plain data."""
    if isinstance(problem, BondlineError):
        return {k: getattr(problem, k) for k in ("place", "finding", "remedy")}
    return {
        "code": problem.code,
        "severity": problem.severity,
        "file": problem.where.file,
        "line": problem.where.line,
        "column": problem.where.column,
        "finding": problem.finding,
        "remedy": problem.remedy,
    }
