"""Sphinx-gallery's eye for our figures, which pyplot knows nothing of."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst


def our_figures(block: Any, variables: dict[str, Any], conf: dict[str, Any]) -> str:
    """Save each figure that a block of an example left in a variable of its own."""
    names = variables["example_globals"]
    found = {id(v): v for v in names.values() if isinstance(v, Figure)}
    shown = names.setdefault("__shown__", set())
    paths = []
    for key, figure in found.items():
        if key not in shown:
            paths.append(next(variables["image_path_iterator"]))
            figure.savefig(paths[-1], dpi=110)
            shown.add(key)
    return str(figure_rst(paths, conf["src_dir"]))
