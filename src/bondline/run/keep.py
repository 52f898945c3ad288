"""Keep: a recorder in memory, for scripts and notebooks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bondline.core import Frame
from bondline.run.results import Results
from bondline.run.signals import About, gather


@dataclass(slots=True)
class Keep:
    """Keeps every frame, and the last state."""

    frames: list[Frame] = field(default_factory=list)
    state: Any = None

    def write(self, frame: Frame, state: Any) -> None:
        """Append one frame."""
        self.frames.append(frame)
        self.state = state

    def results(self, model: str = "") -> Results:
        """What was kept, as arrays."""
        return gather(self.frames, About(model=model))
