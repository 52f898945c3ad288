"""Invariants in files: what is written is read, what is wrong is refused."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bondline.errors import DeckError
from bondline.leaves.mbd.modal import Shapes, beam_modes, read_modes, write_modes

from .gun import TUBE, gun_modes


def test_a_body_comes_back_bit_for_bit(tmp_path):
    path = tmp_path / "gun.h5"
    gun = beam_modes(TUBE, [Shapes("bend-z", 2)], nodes={"end": 5.3}, held="left")
    write_modes(path, gun)
    for again in (read_modes(path), read_modes(path.read_bytes())):
        for name in ("c0", "J0", "I0", "S1", "S2", "M", "K", "D", "stiffening"):
            assert_array_equal(getattr(again, name), getattr(gun, name))
        assert again.mass == gun.mass
        assert again.nodes["end"].frame == gun.nodes["end"].frame
        assert_array_equal(again.nodes["end"].tilt, gun.nodes["end"].tilt)


def spoiled(tmp_path, change):
    path = tmp_path / "gun.h5"
    write_modes(path, gun_modes())
    with h5py.File(path, "a") as file:
        change(file)
    return path


def replaced(name, value):
    def change(file):
        del file[name]
        file[name] = value

    return change


def linked(file):
    del file["K"]
    file["K"] = h5py.ExternalLink("/etc/passwd", "/")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (replaced("I0", np.zeros((3, 3))), "I0.*4 × 3"),
        (replaced("K", np.full((4, 4), np.nan)), "K.*finite"),
        (linked, "link"),
        (lambda f: f.attrs.update({"format": "mnf"}), "format"),
        (lambda f: f.attrs.update({"units": "mm"}), "SI"),
        (lambda f: f.attrs.update({"mass": -1.0}), "mass"),
        (replaced("nodes/muzzle/turn", np.ones(4)), "quaternion"),
        (lambda f: f.__delitem__("S2"), "missing"),
    ],
)
def test_a_file_that_is_wrong_is_refused_by_name(tmp_path, change, says):
    with pytest.raises(DeckError, match=says):
        read_modes(spoiled(tmp_path, change))


def test_what_is_no_file_is_refused():
    with pytest.raises(DeckError, match="damaged"):
        read_modes(b"nothing", "gun.h5")
