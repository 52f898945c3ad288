"""
Four-bar mechanism
==================

wang2003's Example 3: a crank with a coupler, glued at *C* to a flexible bar. Three
times in a turn the bars align; the mechanism snaps through, and the forces show it.
:doc:`/theory/four_bar` explains the oscillation that the paper left open.
"""

from bondline.build import open_model, template
from bondline.report.figures import plot
from bondline.run import Keep, simulate

opened = open_model(template("four-bar"))
kept = Keep()
simulate(opened.model, until=0.5, step=1e-3, record=kept)
results = kept.results("four-bar")
force = plot(results, ["joint.C.Fx", "joint.C.Fy", "joint.C.vx", "joint.C.vy"])
