"""The linkage as one model: the script that made the example's reference."""

from __future__ import annotations

import sys
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "four_bar"


@cache
def script(name):
    """A script of the example as a module."""
    spec = spec_from_file_location(f"four_bar_{name}", FOLDER / f"{name}.py")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


def model():
    return script("make_reference")


@cache
def until(end):
    """All signals every millisecond, computed now."""
    t = np.round(np.arange(round(end * 1000) + 1) * 0.001, 3)
    return dict(zip(model().HEADER.split(","), model().table(t).T, strict=True))


@cache
def kept(name="reference"):
    """A table in the example's folder, every 5 ms for 1.5 s."""
    rows = np.loadtxt(FOLDER / f"{name}.csv", delimiter=",", skiprows=1)
    return dict(zip(model().HEADER.split(","), rows.T, strict=True))
