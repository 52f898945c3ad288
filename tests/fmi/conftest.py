"""FMUs that several tests use, each made once."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with FMUs of ours, by the names of models and versions of FMI."""
    from tests.fmi.making import MODELS, fmu

    folder = tmp_path_factory.mktemp("fmus")
    for name in ("oscillator", "signals", "ball", "rates"):
        assert name in MODELS
        for version in (2, 3):
            fmu(folder / f"{name}{version}.fmu", name, version)
    return folder
