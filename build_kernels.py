"""Hatchling's hook: a wheel carries the compiled kernels of `src/bondline/kernels/c`.

Where there is no C compiler the wheel is made without them, and they are built when
they are first needed. An editable installation always does it that way, so that a
changed source is never run with an old build.
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "src"))
from bondline.errors import KernelError
from bondline.kernels.building import build


class CustomBuildHook(BuildHookInterface[Any]):
    """Compiles into the build's own folder and adds the result."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the library to the wheel, which is then one for this platform."""
        if self.target_name != "wheel" or version == "editable":
            return
        try:
            made = build(Path(self.directory) / "kernels")
        except KernelError as error:
            self.app.display_warning(str(error))
            return
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        inside = f"bondline/kernels/built/{made.name}"
        build_data["force_include"][str(made)] = inside
