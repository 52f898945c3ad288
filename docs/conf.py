"""How the documentation is built: ./run docs."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import bondline

sys.path.insert(0, str(Path(__file__).parent / "_ext"))


project = "Bondline"
author = "The Bondline founders"
copyright = "2026, The Bondline founders. Apache-2.0"
version = release = bondline.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx-mathjax-offline",  # equations without a network
    "sphinx_gallery.gen_gallery",
    "command_help",
    "plain_docstrings",
]
exclude_patterns = ["_build", "_ext", "examples", "gallery/*.py", "gallery/*.ipynb"]
html_theme = "furo"
html_title = f"Bondline {release}"
html_show_sourcelink = False

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3

# These need extras: where they are not installed, their pages show no pictures.
NEED = {"12_fmu_pair": ["fmpy"], "13_mixed_solvers": ["exudyn", "fmpy", "mujoco"]}
idle = [page for page, names in NEED.items() if not all(map(find_spec, names))]

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",  # written here while the pages are built
    "filename_pattern": rf"/plot_(?!{'|'.join(idle) or '$'})",
    "image_scrapers": ("our_figures.our_figures",),
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "min_reported_time": 1e9,  # times of this machine are nobody's
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_signature": False,
    "write_computation_times": False,
}

autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
autodoc_type_aliases = {name: name for name in ("Matrix", "Model", "Tree", "Vector")}
python_use_unqualified_type_names = True

# -n reports every name without a target. Names of our public packages must resolve;
# inner modules, aliases, type variables and other projects are shown as they are.
nitpick_ignore_regex = [
    (r"py:.*", pattern)
    for pattern in (
        r"bondline\.(\w+\.){2,}\w+",
        r"(.*\.)?(Band|Gap|Inputs|Matrix|Model|Tree|Vector)",
        r"(.*\.)?[A-Z](_in)?",
        r"(?!bondline\.)\w+(\.\w+)+",
        r".*\[.*",  # an annotation cut in two
        r"SolverKind|TypeAliasForwardRef",  # Vector | None reads like this
        # of the matrices that numerics takes, and of their factors
        r"Array|Complex|Floats|Form|Operator|Plain|Solve|Sparse|Updated",
        r"Any|Callable|Exception|Iterable|Iterator|Mapping|Path|Sequence",
    )
]
