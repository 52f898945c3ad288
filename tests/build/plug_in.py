"""An installed package whose kind of leaf cannot be loaded."""

from __future__ import annotations

from pathlib import Path


def broken_package(site: Path) -> None:
    info = site / "odd_leaves-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: odd-leaves\n")
    (info / "entry_points.txt").write_text("[bondline.leaves]\ngone = no_such:kind\n")
