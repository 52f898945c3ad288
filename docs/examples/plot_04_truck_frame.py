"""
Truck chassis frame
===================

wang2003's Example 1: two rails and four connectors of six owners, shells in their own
solvers, glued two layers deep. A force at 50 Hz shakes the second connector.
"""

from bondline.build import open_model, template
from bondline.report.figures import plot
from bondline.report.meshes import at_rest
from bondline.report.render import draw
from bondline.run import Keep, simulate

opened = open_model(template("truck-frame"))
frame = draw(at_rest("truck frame", opened.model.skins()))

# %%
# The first 40 ms: the acceleration at the observed node (wang2003 Fig. 9).

kept = Keep()
simulate(opened.model, until=0.04, step=5e-4, record=kept)
moved = plot(kept.results("truck frame"), ["observed.az"])
