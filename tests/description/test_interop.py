"""Other tools of the standard read our files, and starting up stays light."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from bondline.description import bundle
from bondline.description.schema import official
from tests.description.wrong import EXAMPLES


@pytest.mark.parametrize("model", ["double_pendulum", "linear_chain"])
def test_pyssp_standard_opens_our_examples(model: str, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own imports warn
        from pyssp_standard.ssp import SSP

        path = tmp_path / "a.ssp"
        path.write_bytes(bundle(EXAMPLES / model))
        with SSP(path, mode="r") as ssp, ssp.system_structure as ssd:
            assert ssd.name == model
            elements = {e.name for e in ssd.system.elements}
    expected = {
        "double_pendulum": {"upper", "lower"},
        "linear_chain": {"one", "two", "three", "four"},
    }
    assert elements == expected[model]


def test_the_official_schemas_are_where_the_package_puts_them() -> None:
    assert (official() / "SystemStructureDescription.xsd").is_file()


def test_importing_the_description_loads_no_heavy_library() -> None:
    code = (
        "import sys, bondline.description, bondline.build.templates; "
        "print({'lxml', 'pint', 'pyssp_standard'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


def test_checking_the_double_pendulum_needs_no_unit_library() -> None:
    code = (
        "import sys; from bondline.build import rehearse; "
        f"print(rehearse({str(EXAMPLES / 'double_pendulum')!r})[1], "
        "{'pint', 'pyssp_standard'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[] set()"
