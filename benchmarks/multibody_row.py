"""A row of a table of `bench_multibody`: a model in a code, by a method."""

from __future__ import annotations

from dataclasses import dataclass

from rival_process import Job, Rival

SAME = {"plane": "chain"}  # cases of one motion


@dataclass(frozen=True)
class Row:
    """A model in a code, by a method."""

    code: Rival
    case: str
    method: str
    model: str
    step: float = 1e-4

    @property
    def job(self) -> Job:
        return Job(self.case, self.method, self.step)

    @property
    def same(self) -> str:
        """The case whose converged motion is that of this model."""
        return SAME.get(self.case, self.case)

    @property
    def name(self) -> str:
        long = f", {1e3 * self.step:g} ms" if self.step != 1e-4 else ""
        return f"{self.code.name}, {self.model}, {self.method}{long}"
