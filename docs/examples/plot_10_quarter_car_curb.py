"""
Quarter car on a curb
=====================

A double wishbone strikes a curb of 120 mm at 25 km/h. The lower arm is finite elements
that flow; the rest is a multibody model with a tyre that bottoms.
"""

from bondline.build import open_model, template
from bondline.report.figures import plot
from bondline.run import Keep, simulate

opened = open_model(template("quarter-car-curb"))
kept = Keep()
simulate(opened.model, until=0.06, step=1e-4, record=kept)
results = kept.results("quarter car")
strike = plot(results, ["balljoint.F*", "wheel.z", "plastic_strain.max"])
