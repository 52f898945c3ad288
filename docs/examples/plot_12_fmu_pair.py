"""
Two FMUs
========

A mass on a spring of FMI 2 and one of FMI 3, each in a process and a sandbox of its
own, glued so that they move as one. Here they are exported from our own leaves first;
any FMUs with the same ports would do (:doc:`/guide/fmus`).
"""

import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bondline.build import open_model, template
from bondline.report.figures import plot
from bondline.run import Keep, simulate

kept = Keep()
with TemporaryDirectory() as folder:
    here = Path(shutil.copytree(template("fmu-pair"), Path(folder, "pair")))
    subprocess.run([sys.executable, here / "make_fmus.py"], check=True)
    simulate(open_model(here).model, until=0.5, step=0.005, record=kept)
moved = plot(kept.results("two FMUs"), ["wheel.x", "joint.*"])
