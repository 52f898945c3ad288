"""
Linear chain
============

Springs and masses in six parts. For linear parts one correction a window is enough, and
the glued chain is the whole chain to round-off. Two files describe it: flat, and nested
in three layers; the difference between the two is what rounding leaves.
"""

import numpy as np

from bondline.build import open_model, template
from bondline.report.figures import plot
from bondline.run import Keep, simulate


def run(file):
    kept = Keep()
    simulate(open_model(file).model, until=10.0, step=0.01, record=kept)
    return kept.results(file.stem)


folder = template("linear-chain")
flat, nested = run(folder / "SystemStructure.ssd"), run(folder / "Nested.ssd")
mine = [name for name in flat.signals if name in nested.signals]
apart = max(np.abs(flat.signals[n] - nested.signals[n]).max() for n in mine)
print(f"flat and nested differ by {apart:.1e}")

# %%
# The forces in the joints.

force = plot(flat, ["joint.*"])
