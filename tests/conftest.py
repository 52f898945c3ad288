"""What all tests share: determinism, and where the project is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

os.environ["MPLBACKEND"] = "Agg"
settings.register_profile("bondline", deadline=None, derandomize=True, database=None)
settings.load_profile("bondline")


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the repository."""
    return Path(__file__).resolve().parents[1]
