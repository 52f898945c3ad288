"""The guide to other programs shows code that works, where they are installed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from tests.fences import needing, run

MODULES = {
    "exudyn": "exudyn",
    "mujoco": "mujoco",
    "kratos": "KratosMultiphysics.StructuralMechanicsApplication",
    "skfem": "skfem",
}
PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "third_party.md"
BLOCKS = needing(PAGE.read_text(encoding="utf-8"))
TRIED = {"exudyn": "arm('arm')\n"}  # a block that only defines is called
ARM = """<mujoco><worldbody>
  <body name="arm"><freejoint/><geom type="box" size="0.5 0.05 0.05"/>
    <site name="tip_site" pos="0.5 0 0"/>
    <body name="hand_body" pos="0.5 0 0"><joint axis="0 1 0"/>
      <geom type="sphere" size="0.05"/></body></body>
</worldbody></mujoco>"""
PLATE = """*NODE
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,.1
6,1,0,.1
7,1,1,.1
8,0,1,.1
*ELEMENT, TYPE=C3D8, ELSET=E
1,1,2,3,4,5,6,7,8
*NSET, NSET=EDGE
2,3,6,7
*NSET, NSET=ROOT
1,4,5,8
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11,.3
*DENSITY
7850.
*SOLID SECTION, MATERIAL=STEEL, ELSET=E
*BOUNDARY
ROOT,1,3
"""


def test_every_program_has_its_lines() -> None:
    assert {word for word, _ in BLOCKS} == {*MODULES, "calculix"}


@pytest.mark.full
@pytest.mark.parametrize(("word", "body"), BLOCKS, ids=[w for w, _ in BLOCKS])
def test_the_lines_of_a_program_work(
    word: str, body: str, project: Path, tmp_path: Path
) -> None:
    if word in MODULES:
        pytest.importorskip(MODULES[word])
    elif shutil.which("ccx") is None:
        pytest.skip("needs calculix-ccx")
    shutil.copy(project / "examples/mixed_solvers/bracket.mdpa", tmp_path)
    (tmp_path / "arm.mjcf").write_text(ARM)
    (tmp_path / "plate.inp").write_text(PLATE)
    (tmp_path / "page.py").write_text(f"{body}\n{TRIED.get(word, '')}")
    assert run([sys.executable, "page.py"], tmp_path).returncode == 0
