"""
Spatial pendulum
================

Rigid bodies in space, glued at a spherical joint. Rotations are never added: the gap of
a joint is a relative rotation vector, and moments belong to spins.
"""

from bondline.build import open_model, template
from bondline.report.figures import picture
from bondline.run import Keep, simulate

opened = open_model(template("spatial-pendulum"))
kept = Keep()
simulate(opened.model, until=0.6, step=0.01, record=kept)
overview = picture(kept.results("spatial pendulum"))
