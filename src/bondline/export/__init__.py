"""Exports: what a run left behind, in the formats of other programs."""

from bondline.export.vtkhdf import write_vtkhdf

__all__ = ["write_vtkhdf"]
