"""VTKHDF: what is written can be read by its definition, and by VTK itself."""

from __future__ import annotations

from dataclasses import replace

import h5py
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from tests.report.surfaces import seen, skins

from bondline.errors import StorageError, UsageError
from bondline.export import write_vtkhdf


@pytest.fixture
def files(tmp_path):
    return write_vtkhdf("m", skins(True), seen(5, True), tmp_path / "out")


def test_there_is_a_file_for_every_part_and_nothing_else(files):
    assert [f.name for f in files] == ["low.vtkhdf", "high.vtkhdf"]
    assert sorted(f.name for f in files[0].parent.iterdir()) == sorted(
        f.name for f in files
    )


def test_a_file_says_what_was_recorded(files):
    skin, states = skins(True)["high"], seen(5, True)
    with h5py.File(files[1]) as file:
        root = file["VTKHDF"]
        assert root.attrs["Type"] == b"UnstructuredGrid"
        assert root.attrs["Version"].tolist() == [2, 0]
        assert root["Steps"].attrs["NSteps"] == 5
        assert_allclose(root["Steps/Values"], [s.t for s in states])
        assert_array_equal(root["Points"], skin.points)
        assert root["NumberOfCells"][0] == 3 + 2 + 1
        assert root["Types"][:].tolist() == [9] * 3 + [5] * 2 + [3]
        assert root["Offsets"][-1] == len(root["Connectivity"])
        first = root["Steps/PointDataOffsets/displacement"][4]
        u = root["PointData/displacement"][first : first + len(skin.points)]
        assert_allclose(u, states[4].parts["high"].displacement, rtol=1e-6)
        assert root["PointData/port.edge"][:].sum() == 3
        assert_array_equal(root["PointData/id"], skin.ids)


def test_numbers_that_are_not_shown_are_not_written(tmp_path):
    none = np.zeros(0, dtype=np.intp)
    hidden = {name: replace(s, ids=none) for name, s in skins(True).items()}
    for path in write_vtkhdf("m", hidden, seen(5, True), tmp_path / "out"):
        with h5py.File(path) as file:
            assert "id" not in file["VTKHDF/PointData"]


def test_vtk_opens_it_and_follows_time(files):
    pytest.importorskip("vtkmodules")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOHDF import vtkHDFReader

    skin, states = skins(True)["high"], seen(5, True)
    reader = vtkHDFReader()
    reader.SetFileName(str(files[1]))
    reader.UpdateInformation()
    assert reader.GetNumberOfSteps() == 5
    for k in (0, 3):
        reader.SetStep(k)
        reader.Update()
        grid = reader.GetOutputDataObject(0)
        assert grid.GetClassName() == "vtkUnstructuredGrid"
        assert (grid.GetNumberOfPoints(), grid.GetNumberOfCells()) == (9, 6)
        data, state = grid.GetPointData(), states[k].parts["high"]
        u = vtk_to_numpy(data.GetArray("displacement"))
        assert_allclose(u, state.displacement, rtol=1e-6)
        assert_allclose(
            vtk_to_numpy(data.GetArray("von_mises")), state.mises, rtol=1e-6
        )
        assert vtk_to_numpy(data.GetArray("set.corner")).sum() == 1
        points = vtk_to_numpy(grid.GetPoints().GetData())
        assert_allclose(points, skin.points)
        assert np.isclose(reader.GetTimeValue(), 0.1 * k)


def test_nothing_to_write_is_refused(tmp_path):
    with pytest.raises(UsageError) as caught:
        write_vtkhdf("run r-1", {}, [], tmp_path)
    assert caught.value.place == "run r-1"
    assert "no part shows its surface" in caught.value.finding
    assert 'draw="mesh"' in caught.value.remedy


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError) as caught:
        write_vtkhdf("m", skins(), seen(), tmp_path / "file" / "out")
    assert "out" in caught.value.place
    assert "written" in caught.value.finding
    assert "folder" in caught.value.remedy
