"""Matrices in HDF5: the layout, its digest, and files of people who mean no good."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bondline.errors import DeckError, SettingError
from bondline.leaves.expression import Expression
from bondline.leaves.fe.leaf import Plug
from bondline.leaves.fe.links import RigidLink
from bondline.leaves.fe.loads import Gravity, NodalForce
from bondline.leaves.fe.matrices import (
    MatrixSet,
    digest_of,
    full_matrices,
    matrix_leaf,
    read_h5,
    reduced_matrices,
    write_h5,
)
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.modes import damped
from bondline.leaves.fe.reduction import Wanted, reduce_model
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Constant, Harmonic, Table
from bondline.numerics import LinearSystem

from .parts import ALL, DAMPED, added, plate

HISTORIES = (
    Constant(2.0),
    Table((0.0, 1.0), (0.0, 3.0)),
    Harmonic(0.5, (1.0,), (2.0, 3.0), 4.0, 0.1),
    Expression("a * sin(3 * t)", {"a": 2.0}, (0.5,)),
)


def model(**more):
    mesh = plate(2, 1, material=DAMPED)
    loads = [
        NodalForce(mesh.node_sets["u1"], 2, 10.0 + k, h)
        for k, h in enumerate(HISTORIES)
    ]
    hold = (Support(mesh.node_sets["u0"], ALL),)
    gravity = Gravity(np.array([0.0, 0.0, -9.81]))
    return FeModel("wing", mesh, hold, loads=(*loads, gravity), **more)


def reduced(**more):
    ports = {"tip": Plug("u1"), "a": Plug("v0", (2, 0))}
    return reduced_matrices(reduce_model(model(), ports, Wanted(200.0, **more)))


def linked():
    mesh = added(plate(2, 1, material=DAMPED), [(1.2, 0.1, 0.0)])
    link = RigidLink(6, mesh.node_sets["u1"])
    own = FeModel("arm", mesh, (Support(mesh.node_sets["u0"], ALL),), (link,))
    return full_matrices(own, {"end": Plug("u1"), "foot": Plug("u0")})


def same(one: MatrixSet, two: MatrixSet):
    for a, b in zip(one.system, two.system, strict=True):
        assert type(a) is type(b)
        for x, y in zip(numbers(a), numbers(b), strict=True):
            assert_array_equal(x, y)
    assert list(one.ports) == list(two.ports)
    for name, plug in one.ports.items():
        (port, select), other = plug[:2], two.ports[name]
        assert replace(port, surface=None) == replace(other.port, surface=None)
        assert port.surface.facets == other.port.surface.facets
        assert_array_equal(port.surface.points, other.port.surface.points)
        for x, y in zip(numbers(select), numbers(other.select), strict=True):
            assert_array_equal(x, y)
    assert (one.name, one.band) == (two.name, two.band)
    assert (one.loads is None) == (two.loads is None)


def numbers(A):
    return [A] if isinstance(A, np.ndarray) else [A.data, A.indices, A.indptr]


@pytest.mark.parametrize("made", [reduced, linked])
def test_what_is_written_is_read(made, tmp_path):
    source, path = made(samples=0) if made is reduced else made(), tmp_path / "w.h5"
    digest = write_h5(source, path)
    back = read_h5(path)
    same(source, back)
    assert digest == digest_of(source) == digest_of(back)
    same(source, read_h5(path.read_bytes()))
    again = tmp_path / "again.h5"
    write_h5(back, again)
    assert again.read_bytes() == path.read_bytes()


def test_histories_come_back_as_they_were(tmp_path):
    source = reduced(samples=0)
    write_h5(source, tmp_path / "w.h5")
    back = read_h5(tmp_path / "w.h5").loads
    assert set(back.histories) == {*HISTORIES, Constant()}
    for t in (0.0, 0.3, 0.77, 2.0):
        assert_array_equal(back(t), source.loads(t))
    assert back.kinks == source.loads.kinks


def test_nothing_of_the_inside_is_in_the_file(tmp_path):
    """No node numbers, no recovery: what is written is what the ports show."""
    write_h5(reduced(samples=0), tmp_path / "w.h5")
    with h5py.File(tmp_path / "w.h5") as file:
        assert set(file) == {"M", "C", "K", "ports", "loads"}
        about = {"format", "version", "units", "name", "digest", "band"}
        assert set(file.attrs) == about
        tip = {"select", "points", "facets", "facet_sizes"}
        assert set(file["ports/tip"]) == tip
        size = file["K"].shape[0]
        assert {file[letter].shape for letter in "MCK"} == {(size, size)}


def test_damping_by_modes_is_written_in_full(tmp_path):
    own = model()
    system = damped(own.assembled.system, (0.02, 0.03))
    write_h5(MatrixSet("wing", system), tmp_path / "w.h5")
    back = read_h5(tmp_path / "w.h5")
    assert_array_equal(back.system.C, system.C.toarray())


def test_damping_may_be_left_out(tmp_path):
    path = tmp_path / "w.h5"
    plain(path)
    with h5py.File(path, "a") as file:
        del file["C"]
    assert read_h5(path).system.C.nnz == 0
    assert matrix_leaf(path).name == "plain"


def test_a_history_that_a_file_cannot_say():
    @dataclass(frozen=True)
    class Own:
        kinks = ()

        def at(self, t):
            return 1.0, 0.0, 0.0

    mesh = plate(1, 1)
    load = NodalForce(np.array([0]), 2, 1.0, Own())
    with pytest.raises(SettingError) as caught:
        write_h5(full_matrices(FeModel("m", mesh, loads=(load,))), "never.h5")
    assert caught.value.place == "m"
    assert "Own" in caught.value.finding
    assert "Table" in caught.value.remedy


def plain(path):
    K = np.array([[2.0, -1.0], [-1.0, 2.0]])
    made = MatrixSet("plain", LinearSystem(np.eye(2), 0.1 * K, K))
    write_h5(made, path)
    with h5py.File(path, "a") as file:
        del file.attrs["digest"]
        end = file["ports"].create_group("end")
        end.attrs.update({"dofs": "x", "nodes": 1, "takes": "force"})
        end["select"] = np.array([1])


def changed(path, change):
    plain(path)
    with h5py.File(path, "a") as file:
        change(file)


def put(name, value):
    def change(file):
        if name in file:
            del file[name]
        file[name] = value

    return change


def attribute(where, name, value):
    return lambda file: file[where].attrs.__setitem__(name, value)


def sparse(indptr, indices=(0, 1), shape=(2, 2)):
    def change(file):
        del file["K"]
        own = file.create_group("K")
        own.attrs["shape"] = np.array(shape)
        own["data"] = np.ones(2)
        own["indices"] = np.array(indices)
        own["indptr"] = np.array(indptr)

    return change


def claims(shape):
    def change(file):
        del file["K"]
        file.create_dataset("K", shape, "f8", chunks=(1, 1024), compression="gzip")

    return change


def outside(file):
    del file["K"]
    file["K"] = h5py.ExternalLink("/etc/other.h5", "/K")


def soft(file):
    del file["K"]
    file["K"] = h5py.SoftLink("/M")


def stored_elsewhere(file):
    del file["K"]
    file.create_dataset("K", (2, 2), "f8", external=[("/etc/hostname", 0, 32)])


def virtual(file):
    del file["K"]
    layout = h5py.VirtualLayout((2, 2), "f8")
    layout[:] = h5py.VirtualSource("/etc/other.h5", "K", (2, 2))
    file.create_virtual_dataset("K", layout)


def pickled(file):
    del file["K"]
    file["K"] = np.frombuffer(pickle.dumps([1.0]), dtype="S1")


def many(file):
    for k in range(1001):
        file["ports"].create_group(f"p{k}")


def loads(histories, **changes):
    def change(file):
        own = file.create_group("loads")
        own.attrs["histories"] = histories
        given = {"value": np.ones((2, 1)), "rate": np.zeros((2, 1))}
        given |= {"second": np.zeros((2, 1)), "static": np.ones(2)} | changes
        for key, value in given.items():
            own[key] = value

    return change


END = "ports/end"
BAD = {
    "format": (attribute("/", "format", "matlab"), "w.h5", "matlab"),
    "version": (attribute("/", "version", 7), "w.h5", "version 7"),
    "units": (attribute("/", "units", "mm, t, s"), "/@units", "mm, t"),
    "band": (attribute("/", "band", -3.0), "/@band", "-3 is no band"),
    "band word": (attribute("/", "band", "wide"), "/@band", "no number"),
    "name": (attribute("/", "name", np.arange(40)), "/@name", "an array"),
    "digest": (attribute("/", "digest", "00"), "w.h5", "does not match its digest"),
    "no M": (lambda file: file.__delitem__("M"), "/M", "missing"),
    "vector": (put("K", np.ones(4)), "/K", "2 dimension(s)"),
    "words": (put("K", np.array([[b"a", b"b"]])), "/K", "not an array of numbers"),
    "complex": (put("K", np.eye(2) * 1j), "/K", "not an array of numbers"),
    "nan": (put("K", np.full((2, 2), np.nan)), "plain: K", "NaN"),
    "size": (put("K", np.eye(3)), "plain: K", "3 × 3"),
    "asymmetric": (put("K", np.array([[1.0, 1], [0, 1]])), "plain: K", "not symm"),
    "huge": (claims((10**6, 10**6)), "/K", "1000000000000 numbers"),
    "external link": (outside, "/K", "link to something else"),
    "soft link": (soft, "/K", "link to something else"),
    "external bytes": (stored_elsewhere, "/K", "in another file"),
    "virtual": (virtual, "/K", "in another file"),
    "pickle": (pickled, "/K", "not an array of numbers"),
    "indptr": (sparse([0, 2]), "/K", "do not make a matrix"),
    "falling": (sparse([0, 3, 2]), "/K", "do not make a matrix"),
    "column": (sparse([0, 1, 2], (0, 7)), "/indices", "from 0 to 7"),
    "negative": (sparse([0, 1, 2], (0, -1)), "/indices", "from -1"),
    "shape": (sparse([0, 1, 2], shape=(2, 10**12)), "/K", "1000000000000"),
    "port": (put(f"{END}/select", np.array([2])), "end/select", "from 2 to 2"),
    "twice": (put(f"{END}/select", np.array([1, 1])), "end/select", "twice"),
    "half": (put(f"{END}/select", np.array([0.5])), "end/select", "whole numbers"),
    "count": (attribute(END, "nodes", 3), "end/select", "1 dofs for 3 nodes"),
    "dofs": (attribute(END, "dofs", "q"), "end/@dofs", "'q'"),
    "takes": (attribute(END, "takes", "forse"), "end/@takes", "'forse'"),
    "points": (put(f"{END}/points", np.ones((2, 3))), "end/points", "(2, 3)"),
    "fixed": (put(f"{END}/fixed", np.array([4])), "end/fixed", "from 4"),
    "group": (put("ports", np.ones(3)), "/ports", "no group"),
    "many": (many, "/ports", "1002 ports"),
    "labels": (put("labels", np.ones((3, 2), dtype=int)), "/labels", "(3, 2)"),
    "json": (loads("[{"), "/loads", "cannot be read"),
    "kind": (loads('[{"kind": "os"}]'), "/loads", "no kind 'os'"),
    "formula": (
        loads('[{"kind": "expression", "text": "__import__(0)"}]'),
        "/loads",
        "",
    ),
    "columns": (
        loads('[{"kind": "constant"}, {"kind": "constant"}]'),
        "value",
        "(2, 1",
    ),
    "load nan": (
        loads('[{"kind": "constant"}]', static=np.full(2, np.inf)),
        "static",
        "not finite",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_refused(case, tmp_path):
    change, place, finding = BAD[case]
    path = tmp_path / "w.h5"
    changed(path, change)
    with pytest.raises(DeckError) as caught:
        read_h5(path)
    assert caught.value.place.endswith(place)
    assert finding in caught.value.finding
    assert caught.value.remedy


def test_facets_that_do_not_fit(tmp_path):
    path = tmp_path / "w.h5"

    def change(file):
        end = file[END]
        end["points"], end["facets"] = np.ones((1, 3)), np.array([0, 0])
        end["facet_sizes"] = np.array([3])

    changed(path, change)
    with pytest.raises(DeckError) as caught:
        read_h5(path)
    assert caught.value.place.endswith("end/facets")
    assert "2 nodes for facets of 3" in caught.value.finding
    assert "two, three or four" in caught.value.remedy


@pytest.mark.parametrize("bytes_", [b"", b"hello", b"\x89HDF\r\n\x1a\n" + 40 * b"\xff"])
def test_what_is_no_hdf5(bytes_, tmp_path):
    for source in (bytes_, tmp_path / "w.h5"):
        (tmp_path / "w.h5").write_bytes(bytes_)
        with pytest.raises(DeckError) as caught:
            read_h5(source, "w.h5")
        assert caught.value.place == "w.h5"
        assert "no HDF5 file" in caught.value.finding
        assert "write_h5" in caught.value.remedy


def test_one_changed_number_is_noticed(tmp_path):
    path = tmp_path / "w.h5"
    write_h5(reduced(samples=0), path)
    with h5py.File(path, "a") as file:
        file["K"][0, 0] *= 1.0 + 1e-15 * 2
    with pytest.raises(DeckError) as caught:
        read_h5(path)
    assert "digest" in caught.value.finding
    assert "its owner" in caught.value.remedy


def test_a_flipped_byte_is_an_error_or_changes_nothing(tmp_path):
    path = tmp_path / "w.h5"
    write_h5(reduced(samples=0), path)
    data, known = path.read_bytes(), digest_of(read_h5(path))
    for at in np.random.default_rng(1).integers(0, len(data), 60).tolist():
        bad = data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :]
        try:
            found = read_h5(bad)
        except DeckError:
            continue
        assert digest_of(found) == known


def test_the_band_is_in_the_file(tmp_path):
    write_h5(reduced(samples=0), tmp_path / "w.h5")
    assert read_h5(tmp_path / "w.h5").band == 200.0
