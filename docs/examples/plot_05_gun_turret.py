"""
Gun turret
==========

kim2000's example: a turret, a mount and a flexible gun that vibrates a hundred times
faster than its joints turn. The vibration takes ten small steps for one of the joints.
"""

from bondline.build import Given, open_model, template
from bondline.report.figures import plot
from bondline.run import Keep, simulate

opened = open_model(template("gun-turret"), Given(set={"ratio": "10"}))
kept = Keep()
simulate(opened.model, until=1.0, step=5e-3, record=kept)
results = kept.results("gun turret, ratio 10")
muzzle = plot(results, ["turret.angle", "gun.elevation", "muzzle.z", "gun.av1"])
