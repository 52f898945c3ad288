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
    Signal,
    Window,
)


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
    checkpoints. They are opaque, so a run resumes by replaying from its start.
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
    ) -> Advance[Any]:
        """Restore, step, save."""
        self.code.restore(state)
        self.code.step(window, inputs)
        return self._report()

    def _report(self) -> Advance[Any]:
        outputs = {name: self.code.read(name) for name in self.ports}
        return Advance(self.code.save(), outputs)
