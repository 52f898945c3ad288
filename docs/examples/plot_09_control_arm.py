"""
Control arm
===========

An arm of steel under an abusive pulse: it yields, and stays bent. The vehicle is a
multibody model, the arm nonlinear finite elements; large masses lead it.
"""

from bondline.build import open_model, template
from bondline.report.figures import plot
from bondline.run import Keep, simulate

opened = open_model(template("control-arm"))
kept = Keep()
simulate(opened.model, until=0.02, step=1e-4, record=kept)
results = kept.results("control arm")
names = ["balljoint.Fx", "balljoint.dx", "permanent_set", "plastic_strain.max"]
course = plot(results, names)
