"""A code with a Python module of its own, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from frame_case import Array, Shells, Transient, plain
from installed import absent

from bondline.leaves.fe.model import FeModel

Job = Callable[..., Any]


@dataclass(frozen=True)
class Code:
    """A script that takes `shells.npz` and `job.json` and leaves `result.json`."""

    script: Path
    packages: tuple[str, ...]
    extra: str

    def missing(self) -> str:
        """What is not installed, or nothing."""
        return absent(self.packages, self.extra)

    def frequencies(self, model: FeModel, kind: str, count: int = 10) -> Array:
        """The lowest ones, Hz."""
        return np.array(self._run(model, "frequencies", kind, count))

    def deflection(self, model: FeModel, kind: str) -> float:
        """z of the pushed node at rest under the amplitude of its load."""
        return float(self._run(model, "deflection", kind))

    def transient(self, model: FeModel, kind: str, steps: int) -> Transient:
        """Newmark's trapezoidal rule from rest."""
        z, each = self._run(model, "transient", kind, steps)
        return Transient(np.array(z), each)

    def _run(self, model: FeModel, job: str, *arguments: Any) -> Any:
        with TemporaryDirectory() as folder:
            plain(model).save(Path(folder, "shells.npz"))
            Path(folder, "job.json").write_text(json.dumps([job, *arguments]))
            done = subprocess.run(
                [sys.executable, str(self.script)],
                cwd=folder,
                capture_output=True,
                text=True,
                env={**environ, "OMP_NUM_THREADS": "1"},
            )
            result = Path(folder, "result.json")
            if done.returncode or not result.exists():
                raise RuntimeError(done.stdout[-1000:] + done.stderr[-2000:])
            return json.loads(result.read_text())


def answer(jobs: Mapping[str, Job]) -> None:
    """What happens in the process of its own."""
    job, *arguments = json.loads(Path("job.json").read_text())
    found = jobs[job](Shells.load(Path("shells.npz")), *arguments)
    Path("result.json").write_text(json.dumps(found))
