"""
Chain with one flexible link
============================

Few fast coordinates and many slow ones: where a step size of their own pays most.
"""

from bondline.build import open_model, template
from bondline.report.figures import plot
from bondline.run import Keep, simulate

opened = open_model(template("chain"))
kept = Keep()
simulate(opened.model, until=1.0, step=0.01, record=kept)
results = kept.results("chain")
names = ["first.angle", "beam.a1", "beam.a2", "tip.x", "tip.z"]
links = plot(results, names)
