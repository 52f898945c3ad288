"""`bondline init --template leaf`: a repository of one's own that passes its tests."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from bondline.cli.entry import enter
from bondline.run import Run


def test_a_repository_for_a_leaf_passes_its_own_tests(tmp_path, capsys):
    made = tmp_path / "mine"
    assert enter(["init", str(made), "--template", "leaf"]) == 0
    assert "pip install -e '" in capsys.readouterr().out
    for name in ("pyproject.toml", "README.md", "src/my_leaf/leaf.py"):
        assert (made / name).is_file()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=made,
        env={**os.environ, "PYTEST_ADDOPTS": "", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout


@pytest.mark.full
def test_an_installed_leaf_is_a_kind_that_models_name_and_it_moves(tmp_path):
    """As after `pip install -e .`: a name in the metadata, the code on the path."""
    made = tmp_path / "mine"
    enter(["-q", "init", str(made), "--template", "leaf"])
    info = made / "src" / "my_leaf-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: my-leaf\nVersion: 0.1.0\n"
    )
    entry = "[bondline.leaves]\nmy-leaf = my_leaf:KIND\n"
    (info / "entry_points.txt").write_text(entry)
    done = subprocess.run(
        [sys.executable, "-m", "bondline", "run", ".", "--name", "first"],
        cwd=made,
        env={**os.environ, "PYTHONPATH": str(made / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    moved = Run(made / "runs" / "first").results().shapes["mine"]
    assert np.ptp(moved[:, 1, 0]) > 0.1
