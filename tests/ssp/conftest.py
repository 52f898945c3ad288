"""Pendulums as other tools would write them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from lxml import etree

PENDULUM = Path(__file__).parents[2] / "examples" / "double_pendulum"
SSC = "http://ssp-standard.org/SSP1/SystemStructureCommon"


@pytest.fixture(scope="session")
def pyssp() -> SimpleNamespace:
    """The tool of the standard, without the warnings of its own imports."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyssp_standard import common_content_ssc, ssd, ssm, ssp, ssv
    return SimpleNamespace(
        ssd=ssd, ssp=ssp, ssv=ssv, ssm=ssm, common=common_content_ssc
    )


def gluing() -> etree._Element:
    """The annotation of our own pendulum, which the other tool knows nothing of."""
    root = etree.parse(PENDULUM / "SystemStructure.ssd").getroot()
    (found,) = root.iter(f"{{{SSC}}}Annotation")
    return found


VALUES = {
    "light": (10.0, "kg", "upper.mass"),
    "heavy": (30.0, "kg", "lower.mass"),
    "short": (1000.0, "mm", "upper.length"),
    "long": (2.0, "m", "lower.length"),
    "torque": (-200.0, "N.m", "upper.torque"),
}
Write = Callable[..., Path]


@pytest.fixture
def foreign(pyssp: SimpleNamespace, tmp_path: Path) -> Write:
    """Writes a pendulum with the other tool, its values in .ssv and .ssm files."""

    def write(
        version: str = "2.0", source: str = "leaf:pinned-bar", **more: str
    ) -> Path:
        values, mapping = tmp_path / "values.ssv", tmp_path / "values.ssm"
        with pyssp.ssv.SSV(values, mode="w") as ssv:
            ssv.version, ssv.name = version, "values"
            for name, (value, unit, _) in VALUES.items():
                ssv.add_parameter(name, "Real", value=value, unit=unit)
        with pyssp.ssm.SSM(mapping, mode="w") as ssm:
            ssm.version = version
            for name, (_, _, target) in VALUES.items():
                ssm.add_mapping(name, target)
        path = tmp_path / "foreign.ssp"
        with pyssp.ssp.SSP(path, mode="w") as ssp:
            ssp.add_resource(values)
            ssp.add_resource(mapping)
            with ssp.system_structure as ssd:
                ssd.name, ssd.version = "foreign", version
                ssd.system = _system(pyssp, source, more)
                ssd.default_experiment = _experiment(pyssp)
        return path

    return write


def _system(pyssp: SimpleNamespace, source: str, more: dict[str, str]) -> object:
    system = pyssp.ssd.System(name="foreign")
    for name, of in (("upper", source), ("lower", "leaf:free-bar")):
        part = pyssp.ssd.Component()
        part.name, part.source = name, of
        part.component_type = more.get(name, "application/x-bondline-leaf")
        part.connectors = [pyssp.ssd.Connector(name="A", kind="unspecified")]
        system.elements.append(part)
    binding = pyssp.ssd.ParameterBinding(source="resources/values.ssv")
    binding.parameter_mapping = pyssp.ssd.ParameterMapping(
        source="resources/values.ssm"
    )
    system.parameter_bindings = [binding]
    system.annotations.add_annotation(pyssp.common.Annotation(gluing()))
    return system


def _experiment(pyssp: SimpleNamespace) -> object:
    found = pyssp.ssd.DefaultExperiment()
    found.start_time, found.stop_time = 0.0, 0.05
    return found
