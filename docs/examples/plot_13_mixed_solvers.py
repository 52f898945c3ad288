"""
Four programs in one assembly
=============================

A bracket of shells in Kratos, a soft arm in Exudyn, a load in MuJoCo and a controller
in an FMU that measures the arm's tip and leads it up. Only forces, motions and signals
go from one program to another (:doc:`/guide/third_party`). The arm is code, and code is
loaded only where the operator says so.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bondline.build import open_model, template
from bondline.build.solvers.grant import code_allowed
from bondline.report.figures import plot
from bondline.run import Keep, simulate

kept = Keep()
with TemporaryDirectory() as folder, code_allowed():
    here = Path(shutil.copytree(template("mixed-solvers"), Path(folder, "mixed")))
    subprocess.run([sys.executable, here / "make_controller.py"], check=True)
    simulate(open_model(here).model, until=0.1, step=1e-3, record=kept)
moved = plot(kept.results("four programs"), ["arm.tip.2", "load.swing", "joint.seat.*"])
