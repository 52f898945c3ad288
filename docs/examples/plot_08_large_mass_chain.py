"""
Large mass
==========

The mass-spring example of liu: a finite-element side follows a multibody side through a
large mass. All it has to show is its corrector.
"""

from bondline.build import open_model, template
from bondline.report.figures import plot
from bondline.run import Keep, simulate

opened = open_model(template("large-mass-chain"))
kept = Keep()
simulate(opened.model, until=0.1, step=1e-4, record=kept)
force = plot(kept.results("large mass"), ["joint.*"])
