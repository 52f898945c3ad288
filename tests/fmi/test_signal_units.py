"""Signals on their way: the units of both ends, and what a connection makes of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bondline.build import fmus, open_model
from bondline.build.wiring import wire
from bondline.core import SignalPort
from bondline.description import ConnectionSpec, Place, SystemSpec
from bondline.description.spec import FMU_TYPE, ComponentSpec, ConnectorSpec, FileSpec
from bondline.errors import SettingError
from bondline.gluing import glue
from bondline.leaves.oscillator import Oscillator
from tests.fmi.test_files import packed, text
from tests.fmi.test_signals import Gain

HERE = Place("model.ssd", 7, 3)
LINE = ConnectionSpec(("m", "p.r.x"), ("k", "u"), HERE)


def carried(
    unit: str, line: ConnectionSpec = LINE, told: str | None = None
) -> tuple[float, float]:
    """What a position in m becomes at an input in `unit`: factor and offset."""
    connectors = (ConnectorSpec("u", "input", HERE, told),)
    k = ComponentSpec("k", FMU_TYPE, "k.fmu", connectors, (), HERE)
    system = SystemSpec("s", (k,), (), (), (line,), None, HERE)
    gain = Gain("k", 1.0, ports={"u": SignalPort("u", unit, True)})
    made = wire(line, system, {"m": Oscillator("m"), "k": gain})
    return made.factor, made.offset


def test_a_signal_arrives_in_the_unit_of_its_input() -> None:
    assert carried("m") == carried("1") == (1.0, 0.0)
    assert carried("mm") == carried("1", told="mm") == (1000.0, 0.0)
    transformed = replace(LINE, factor=2.0, offset=1.0)
    assert carried("mm", transformed) == (2000.0, 1.0)
    assert carried("mm", replace(transformed, keep_number=True)) == (2.0, 1.0)


@pytest.mark.parametrize(
    ("unit", "told", "finding"),
    [
        ("N", None, "'m' measures [length], but 'N' is expected"),
        ("furlogn", None, "'furlogn'"),
        ("mm", "cm", "its unit is 'cm', and that of k itself 'mm'"),
    ],
)
def test_units_that_do_not_go_together_are_refused(
    unit: str, told: str | None, finding: str
) -> None:
    with pytest.raises(SettingError) as refused:
        carried(unit, told=told)
    assert finding in refused.value.finding


def test_a_wire_carries_factor_times_source_plus_offset() -> None:
    mass = Oscillator("m", mass=2.0, gravity=-1.0)
    whole = glue("s", [mass, Gain("k", 3.0)], {}, wires=[("m.p.a.x", "k.u")])
    [plain] = whole.wires
    changed = replace(whole, wires=[plain._replace(factor=2.0, offset=5.0)])
    [y] = changed.start(0.0).state.signals.values()
    assert y == 3.0 * (2.0 * 1.0 + 5.0)


DEFINED = '<Unit name="mm"><BaseUnit m="1" factor="{}"/></Unit>'


@pytest.mark.parametrize(
    ("defined", "unit"),
    [
        ('<Unit name="mm"/>', "mm"),
        (DEFINED.format("0.001"), "mm"),
        (DEFINED.format("0.01"), "1"),  # a lie: then nothing is converted
    ],
)
def test_numbers_of_an_fmu_have_the_units_that_it_says(defined: str, unit: str) -> None:
    variables = "".join(
        f'<ScalarVariable name="{n}" valueReference="{i}" causality="{c}" '
        f'variability="{v}"><Real unit="mm" start="1"/></ScalarVariable>'
        for i, (n, c, v) in enumerate(
            [("gap", "input", "continuous"), ("size", "parameter", "fixed")]
        )
    )
    units = f"<UnitDefinitions>{defined}</UnitDefinitions>"
    data = packed(main=text(variables=variables, units=units))
    file = FileSpec("arm.fmu", "arm.fmu", data)
    part = ComponentSpec("arm", FMU_TYPE, "arm.fmu", (), (), HERE, file=file)
    seen = fmus.examined(part)
    assert seen.passport is not None
    gap = seen.passport.ports["gap"]
    assert isinstance(gap, SignalPort)
    assert (gap.unit, seen.passport.parameters["size"].unit) == (unit, unit)
    told = [p.code for p in seen.problems if p.code != "BND100"]  # no fmpy here
    assert told == (["BND138"] if unit == "1" else [])


def test_a_model_file_says_what_becomes_of_a_signal(tmp_path: Path) -> None:
    from tests.fmi.models import component, model

    parts = [
        component("a", "leaf:oscillator", [("p.r.x", "output")]),
        component("b", "leaf:oscillator", [("p.F.x", "input")]),
    ]
    folder = model(tmp_path, parts, wires=[("a.p.r.x", "b.p.F.x")])
    file = folder / "SystemStructure.ssd"
    plain = file.read_text(encoding="utf-8")
    with pytest.raises(SettingError) as refused:
        open_model(folder)
    assert "suppressUnitConversion" in refused.value.remedy
    assert f"{file}:" in refused.value.place
    linear = '<ssc:LinearTransformation factor="2" offset="1"/></ssd:Connection>'
    spring = f' suppressUnitConversion="true">{linear}'
    file.write_text(
        plain.replace('endConnector="p.F.x"/>', f'endConnector="p.F.x"{spring}'),
        encoding="utf-8",
    )
    [carries] = open_model(folder).model.wires
    assert (carries.factor, carries.offset) == (2.0, 1.0)
