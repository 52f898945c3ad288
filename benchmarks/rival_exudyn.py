"""Exudyn on the cases of `multibody_case`: its compiled solvers, nothing of Python."""

from __future__ import annotations

from pathlib import Path

from exudyn_tree import DEFAULTS
from multibody_case import TREES
from rival_process import Rival, answer

__all__ = ["DEFAULTS", "EXUDYN"]
EXUDYN = Rival("Exudyn", Path(__file__).resolve(), ("exudyn",), "exudyn")

if __name__ == "__main__":
    from exudyn_floating import floating
    from exudyn_plane import plane
    from exudyn_tree import tree

    answer({**dict.fromkeys(TREES, tree), "floating": floating, "plane": plane})
