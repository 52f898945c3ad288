"""Bindings: prefixes, mappings, files, precedence, as SSP has them."""

from __future__ import annotations

from pathlib import Path

from bondline.build import catalogue
from bondline.description import load, numbers
from tests.description.wrong import (
    EXAMPLES,
    NESTED,
    PENDULUM,
    changed,
    place,
    problems,
    write,
)

ENTRY = '<ssm:MappingEntry source="gravity" target="upper.gravity"/>'
OUTER = """<ssd:ParameterBindings><ssd:ParameterBinding prefix="%s">
<ssd:ParameterValues><ssv:ParameterSet version="2.0" name="o"><ssv:Parameters>
<ssv:Parameter name="mass"><ssv:Real value="7" unit="kg"/></ssv:Parameter>
</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues>
</ssd:ParameterBinding></ssd:ParameterBindings>"""


def _values(path: Path) -> dict[str, float]:
    loaded = load(path)
    assert loaded.spec is not None
    values, wrong = numbers(loaded.spec.system, catalogue())
    assert (loaded.problems, wrong) == ((), [])
    return values


def test_values_come_from_files_and_later_bindings_win() -> None:
    values = _values(EXAMPLES / "linear_chain")
    assert values["one.stiffness"] == 1000.0  # 1 N/mm, from the file
    assert values["two.stiffness"] == 1500.0  # its own
    assert values["three.mass"] == 0.8  # 800 g


def test_flat_and_nested_set_the_same_values() -> None:
    flat = _values(EXAMPLES / "linear_chain")
    nested = _values(EXAMPLES / "linear_chain" / "Nested.ssd")
    assert {n.partition(".")[2]: v for n, v in nested.items()} == flat


def test_an_outer_binding_beats_an_inner_one(tmp_path: Path) -> None:
    text = changed(NESTED, "<ssd:Elements>", OUTER % "far.four." + "<ssd:Elements>")
    values = _values(write(tmp_path, text))
    assert values["far.four.mass"] == 7.0
    assert values["far.three.mass"] == 0.8


def test_a_mapping_may_scale_and_shift(tmp_path: Path) -> None:
    linear = '><ssc:LinearTransformation factor="2" offset="1"/></ssm:MappingEntry>'
    text = changed(PENDULUM, ENTRY, ENTRY[:-2] + linear)
    text = changed(text, 'value="0" unit="m/s2"', 'value="400" unit="cm/s2"')
    values = _values(write(tmp_path, text))
    assert (values["upper.gravity"], values["lower.gravity"]) == (9.0, 4.0)


def test_a_mapping_may_keep_the_number(tmp_path: Path) -> None:
    text = changed(PENDULUM, ENTRY, ENTRY[:-2] + ' suppressUnitConversion="true"/>')
    text = changed(text, 'value="0" unit="m/s2"', 'value="4" unit="cm/s2"')
    values = _values(write(tmp_path, text))
    assert values["upper.gravity"] == 4.0
    assert values["lower.gravity"] == 0.04


def test_a_mapping_may_come_from_a_file(tmp_path: Path) -> None:
    start = PENDULUM.index("<ssm:ParameterMapping")
    end = PENDULUM.index("</ssm:ParameterMapping>") + len("</ssm:ParameterMapping>")
    mapping = PENDULUM[start:end].replace(
        "<ssm:ParameterMapping",
        '<ssm:ParameterMapping xmlns:ssm="http://ssp-standard.org/SSP1/'
        'SystemStructureParameterMapping"',
    )
    text = PENDULUM[:start] + PENDULUM[end:]
    text = changed(
        text, "<ssd:ParameterMapping>", '<ssd:ParameterMapping source="m.ssm">'
    )
    (tmp_path / "m.ssm").write_text(mapping)
    assert _values(write(tmp_path, text)) == _values(EXAMPLES / "double_pendulum")


def test_a_file_of_another_kind_is_told_at_its_root(tmp_path: Path) -> None:
    text = changed(NESTED, "resources/common.ssv", "SystemStructure.ssd")
    [problem] = problems(write(tmp_path, text))
    assert problem.code == "BND010"
    assert "'SystemStructureDescription'" in problem.finding
    assert "ssv:ParameterSet" in problem.remedy
    line, column = place(text, "<ssd:SystemStructureDescription")
    assert (problem.where.line, problem.where.column) == (line, column)


def test_another_description_can_be_a_part(tmp_path: Path) -> None:
    start = NESTED.index('      <ssd:System name="far">')
    end = NESTED.index("      </ssd:System>", start) + len("      </ssd:System>\n")
    far = NESTED[start:end]
    head = NESTED[: NESTED.index('  <ssd:System name="linear_chain_nested">')]
    (tmp_path / "far.ssd").write_text(f"{head}{far}</ssd:SystemStructureDescription>")
    part = (
        '<ssd:Component name="far" type="application/x-ssp-definition" '
        'source="far.ssd"/>'
    )
    here = write(tmp_path, NESTED[:start] + part + NESTED[end:])
    assert problems(here) == []
    assert _values(here) == _values(EXAMPLES / "linear_chain" / "Nested.ssd")
    assert set(load(here).contents) == {
        *("SystemStructure.ssd", "far.ssd", "resources/common.ssv")
    }


def test_a_signal_between_outputs_is_told_as_not_carried(tmp_path: Path) -> None:
    signal = '<ssd:Connector name="s" kind="output"><ssc:Real/></ssd:Connector>'
    port = '<ssd:Connector name="A" kind="unspecified"/>'
    text = PENDULUM.replace(port, port + signal)
    line = (
        '<ssd:Connections><ssd:Connection startElement="upper" startConnector="s" '
        'endElement="lower" endConnector="s"/></ssd:Connections>'
    )
    text = changed(text, "</ssd:Elements>", f"</ssd:Elements>{line}")
    [problem] = problems(write(tmp_path, text))
    assert problem.code == "BND028"
    assert problem.severity == "warning"
    assert (problem.where.line, problem.where.column) == place(text, "<ssd:Connection ")
    assert "from s (output) to s (output) cannot be carried" in problem.finding
    assert "remove the connection" in problem.remedy
