"""Compiled kernels: plain C, one shared library, whole windows in one call.

They depend on nothing but the C library, so that one build serves every Python, and
release Python's lock while they run. See `docs/adr/0019-kernels-in-c.md`.
"""

from bondline.kernels.library import built_with, function, pointer
from bondline.kernels.sources import digest

__all__ = ["built_with", "digest", "function", "pointer"]
