"""What all tests share: determinism, and where the project is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

from tests.long_forms import mark_long_forms

os.environ["MPLBACKEND"] = "Agg"
settings.register_profile(  # always the same examples: fifty say what a hundred do
    "bondline", deadline=None, derandomize=True, database=None, max_examples=50
)
settings.load_profile("bondline")


@pytest.fixture(scope="session")
def project() -> Path:
    """The root of the repository."""
    return Path(__file__).resolve().parents[1]


@pytest.hookimpl(tryfirst=True)  # before -m is asked
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_long_forms(items)
