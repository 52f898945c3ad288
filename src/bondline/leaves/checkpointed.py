"""Adapter from codes that know only save, restore and step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from bondline.core import (
    Advance,
    Capabilities,
    Motion,
    Parameter,
    Port,
    Rejected,
    Signal,
    Window,
)
from bondline.errors import BondlineError
from bondline.leaves.guard import finite

_MISTAKES = (TypeError, AttributeError, NameError, AssertionError, NotImplementedError)


class StatefulCode(Protocol):
    """What FMI co-simulation, preCICE participants and most FE codes offer."""

    def save(self) -> Any:
        """Checkpoint of everything the code remembers."""
        ...

    def restore(self, checkpoint: Any) -> None:
        """Return to a checkpoint."""
        ...

    def step(self, window: Window, inputs: Mapping[str, Signal]) -> None:
        """Go forward in place."""
        ...

    def read(self, port: str) -> Motion:
        """Motion of a port now."""
        ...


@dataclass(frozen=True)
class Checkpointed:
    """Gives a stateful code the shape of a `Subsystem`: restore, step, save.

    The code is one machine that is wound back and forth; the states are its
    checkpoints. They are opaque, so a run resumes by replaying from its start. A step
    that raises is a rejected window, and so is an answer that is not finite; mistakes
    in the code itself (a wrong type, an unknown name) are raised.
    """

    name: str
    ports: Mapping[str, Port]
    code: StatefulCode
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    capabilities: Capabilities = Capabilities(serialises=False)  # noqa: RUF009

    origin: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "origin", self.code.save())

    def start(self, t0: float) -> Advance[Any]:
        """The checkpoint the code came with, however far it has gone since."""
        self.code.restore(self.origin)
        return self._report()

    def advance(
        self, state: Any, window: Window, inputs: Mapping[str, Signal]
    ) -> Advance[Any] | Rejected:
        """Restore, step, save."""
        self.code.restore(state)
        try:
            self.code.step(window, inputs)
        except _MISTAKES:
            raise
        except Exception as error:  # code of others: anything may happen
            return self._gave_up(error, window)
        return finite(self.name, window, self._report())

    def _gave_up(self, error: Exception, window: Window) -> Rejected:
        reason = f"its code gave up: {type(error).__name__}: {error}"
        told = error if isinstance(error, BondlineError) else None
        return Rejected(self.name, reason, window.at(0.5), told)

    def _report(self) -> Advance[Any]:
        outputs = {name: self.code.read(name) for name in self.ports}
        return Advance(self.code.save(), outputs)
