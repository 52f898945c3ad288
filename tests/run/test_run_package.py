"""The package is light to import, and names what it offers."""

from __future__ import annotations

import subprocess
import sys

import bondline.run


def test_importing_run_loads_neither_scipy_nor_matplotlib() -> None:
    code = (
        "import sys, bondline.run; "
        "print([m for m in ('scipy', 'matplotlib', 'lxml') if m in sys.modules])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == "[]"


def test_every_public_name_exists_once() -> None:
    names = bondline.run.__all__
    assert len(names) == len(set(names))
    assert all(hasattr(bondline.run, name) for name in names)
