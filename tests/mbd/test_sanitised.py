"""The kernels under sanitizers of addresses and undefined behaviour; all warnings."""

import subprocess
from pathlib import Path

import numpy as np
import pytest

from bondline.kernels.sources import SOURCES, files
from bondline.leaves.mbd.forces import (
    Bushing,
    Constant,
    Contact,
    Expression,
    JointLoad,
    JointMotion,
    JointStop,
    Polynomial,
    Push,
    Spring,
    Table,
)
from bondline.leaves.mbd.model import Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.tree import Tree
from tests.mbd.models import chain, gun_turret
from tests.mbd.random_trees import TREES, random_state, random_tree
from tests.mbd.test_loops import four_bar_mechanism, moving

WARNINGS = (
    *("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wno-sign-conversion"),
    *("-Wshadow", "-Werror", "-std=c99", "-g", "-O1"),
)


@pytest.fixture(scope="module")
def driver(tmp_path_factory):
    path = tmp_path_factory.mktemp("driver") / "driver"
    own = Path(__file__).with_name("driver.c")
    strict = (*WARNINGS, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    sources = (f"-I{SOURCES}", own, *files())
    line = ["cc", *strict, "-o", path, *sources, "-lm"]
    made = subprocess.run(line, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return path


def run(driver, folder, mechanism, state, **choices):
    packed = pack(mechanism, **choices)
    names = [folder / name for name in ("ints", "reals", "state")]
    for name, data in zip(names, (packed.ints, packed.reals, state), strict=True):
        data.tofile(name)
    done = subprocess.run([driver, *names], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def pushed(mechanism):
    forces = (
        JointLoad("j2", Table((0.0, 0.1), (1.0, 2.0))),
        JointLoad("j2", Expression("min(t, 1) + sin(t) * 2")),
        JointStop("j2", 10.0, above=-9.0, below=9.0, power=2.0),
        Spring("b0.one", "b2.two", 5.0, 1.0, 0.5),
        Bushing("b1.one", "ground", range(6)),
        Push("b2.one", (1.0, 0.0, 0.0), follow=True),
        Contact("b2.two", "ground", 100.0, 1.0, friction=0.3, edge=True),
    )
    return Mechanism("m", mechanism.bodies, mechanism.joints, forces)


@pytest.mark.full
@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("solver", ["dense", "recursive"])
def test_random_trees_run_clean(driver, tmp_path, name, solver):
    rng = np.random.default_rng(1)
    mechanism, points = random_tree(rng, *TREES[name])
    state = np.concatenate(random_state(rng, points))
    if len(mechanism.bodies) > 2:
        mechanism = pushed(mechanism)
    run(driver, tmp_path, mechanism, state, solver=solver)


@pytest.mark.full
@pytest.mark.parametrize("model", [gun_turret, chain])
def test_examples_run_clean(driver, tmp_path, model):
    order = pack(model()).layout
    state = np.concatenate([order.start, order.speed]) + 0.01
    run(driver, tmp_path, model(), state)


@pytest.mark.full
def test_chosen_fast_coordinates_run_clean(driver, tmp_path):
    rng = np.random.default_rng(2)
    mechanism, points = random_tree(rng, *TREES["flexible"])
    state = np.concatenate(random_state(rng, points))
    run(driver, tmp_path, pushed(mechanism), state, fast=["j1.angle", "b2.a1"])


@pytest.mark.full
def test_told_coordinates_run_clean(driver, tmp_path):
    rng = np.random.default_rng(3)
    plain, points = random_tree(rng, ("universal", "planar"), (2, 2))
    motion = JointMotion("j0", (Polynomial((0.1, 0.2)), Constant(0.1)))
    told = Mechanism("m", plain.bodies, plain.joints, motions=[motion])
    run(driver, tmp_path, told, np.concatenate(random_state(rng, points)))


@pytest.mark.full
@pytest.mark.parametrize("cut", "BCD")
def test_closed_loops_run_clean(driver, tmp_path, cut):
    mechanism = four_bar_mechanism(cut)
    packed = pack(mechanism, fast=["A.angle"])
    state = np.concatenate(moving(packed, Tree(packed), -1.0, 2.0))
    run(driver, tmp_path, mechanism, state, fast=["A.angle"])
