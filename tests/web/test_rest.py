"""A model at rest on the page, its live picture, and files to take away."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bondline.build import open_model
from bondline.build.outline import leaves
from bondline.web.bundle import unbundle
from bondline.web.rest import at_rest, ours
from bondline.web.told import Changes
from tests.run.run_models import Swing
from tests.web.conftest import Page


def _shown(answer: Any) -> dict[str, np.ndarray]:
    assert answer.status_code == 200, answer.text
    about, arrays = unbundle(answer.content)
    return {p["name"]: arrays[f"{k}.x"][0] for k, p in enumerate(about["parts"])}


def test_a_model_is_shown_where_it_starts(page: Page) -> None:
    """Joined ends meet; a changed length is seen at once, and nothing is written."""
    here = _shown(page.client.get("/api/model/scene", params={"path": "pendulum"}))
    assert set(here) == {"upper", "lower"}
    assert np.allclose(here["upper"][-1], here["lower"][0])
    changed = {"model": "pendulum", "changes": {"set": {"upper.length": "3m"}}}
    there = _shown(page.client.post("/api/model/scene", json=changed))
    assert np.allclose(there["lower"][0], [0, 0, -3])
    again = _shown(page.client.get("/api/model/scene", params={"path": "pendulum"}))
    assert np.array_equal(again["lower"], here["lower"])


def test_surfaces_are_shown_with_their_ports(project: Path) -> None:
    about, arrays = unbundle(at_rest(project / "examples" / "truck_frame", Changes()))
    rail = next(p for p in about["parts"] if p["name"] == "right_rail")
    assert set(rail["ports"]) >= {"C1", "C2", "C3", "C4"}
    assert not any(arrays[f"{k}.x"].any() for k in range(len(about["parts"])))


@dataclass
class Wrapping:
    """An adapter around a part."""

    inner: Any

    def advance(self) -> None: ...


Wrapping.__module__ = "bondline.leaves.large_mass.adapter"


def test_only_what_is_computed_here_is_started(project: Path) -> None:
    """Programs of owners wait until somebody runs the model."""
    model = open_model(project / "examples" / "double_pendulum").model
    own = [leaf for _, leaf in leaves(model)]
    assert all(map(ours, [*own, Wrapping(own[0])]))
    assert not ours(Swing())
    assert not ours(Wrapping(Swing()))


def test_a_run_without_surfaces_says_so(page: Page) -> None:
    answer = page.client.get("/api/runs/short/export", params={"to": "vtkhdf"})
    assert answer.status_code in (409, 422)
    assert answer.json()["error"]["remedy"]


@pytest.mark.full
def test_signals_leave_as_parquet_or_the_page_says_what_is_missing(page: Page) -> None:
    answer = page.client.get("/api/runs/short/export", params={"to": "parquet"})
    if find_spec("pyarrow") is None:
        assert "bondline[parquet]" in answer.json()["error"]["remedy"]
        return
    from pyarrow import parquet

    table = parquet.read_table(io.BytesIO(answer.content))
    assert table.num_rows == 21
    assert {"t", "joint.A.Fx"} <= set(table.column_names)


@pytest.mark.full
def test_surfaces_leave_as_an_archive(own: Page, project: Path) -> None:
    from bondline.cli import main

    model = str(project / "examples" / "truck_frame")
    words = ["--quiet", "--project", str(own.folder), "run", model]
    assert main([*words, "--until", "1ms", "--name", "frame"]) == 0
    answer = own.client.get("/api/runs/frame/export", params={"to": "vtkhdf"})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = archive.namelist()
    assert any("right_rail" in name for name in names)
