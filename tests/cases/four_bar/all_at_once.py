"""The linkage as one model: the script that made the example's reference."""

from __future__ import annotations

from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parents[3] / "examples" / "four_bar"


@cache
def model():
    spec = spec_from_file_location("four_bar", FOLDER / "make_reference.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def until(end):
    """All signals every millisecond, computed now."""
    t = np.round(np.arange(round(end * 1000) + 1) * 0.001, 3)
    return dict(zip(model().HEADER.split(","), model().table(t).T, strict=True))


@cache
def kept():
    """The table in the example's folder, every 5 ms for 1.5 s."""
    rows = np.loadtxt(FOLDER / "reference.csv", delimiter=",", skiprows=1)
    return dict(zip(model().HEADER.split(","), rows.T, strict=True))
