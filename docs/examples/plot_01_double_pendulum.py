"""
Double pendulum
===============

The first example of wang2003 that moves: an upper bar with a torque, a lower bar that
hangs on it. Each is a model of its own and knows nothing of the other; the joint *A*
exists only between them.
"""

from bondline.build import open_model, template
from bondline.report.figures import forces, picture
from bondline.run import Keep, simulate

opened = open_model(template("double-pendulum"))
kept = Keep()
simulate(opened.model, until=3.0, step=0.01, record=kept)
results = kept.results("double pendulum")
overview = picture(results)

# %%
# The force in the joint, which neither model computes: gluing finds it, window by
# window, so that the two ends stay together (wang2003 Figs. 11 and 12).

joint = forces(results, "joint.A")
