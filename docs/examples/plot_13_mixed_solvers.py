"""
Four programs in one assembly
=============================

A bracket of shells in Kratos, a soft arm in Exudyn, a load in MuJoCo and a controller
in Python. Only forces and motions at three joints go from one program to another
(:doc:`/guide/third_party`). The arm is code, and code is loaded only where the operator
says so.
"""

from bondline.build import open_model, template
from bondline.build.solvers.grant import code_allowed
from bondline.report.figures import plot
from bondline.run import Keep, simulate

with code_allowed():
    opened = open_model(template("mixed-solvers"))
kept = Keep()
simulate(opened.model, until=0.1, step=1e-3, record=kept)
moved = plot(kept.results("four programs"), ["arm.tip.2", "load.swing", "joint.seat.*"])
