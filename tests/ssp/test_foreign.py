"""Packages that other tools wrote run, or it is said what they lack."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.build import Given, catalogue, open_model
from bondline.cli import main
from bondline.description import examine
from bondline.run import Keep, find, simulate
from tests.description.wrong import PENDULUM, changed, problems, write
from tests.ssp.conftest import PENDULUM as OURS


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_package_of_another_tool_runs_like_ours(foreign, tmp_path, version):
    path = foreign(version)
    project = ["--quiet", "--project", str(tmp_path)]
    assert main([*project, "run", str(path), "--name", "there"]) == 0
    results = find(tmp_path / "runs", "there").results()
    keep = Keep()
    ours = open_model(OURS, Given(set={"lower.mass": "30kg"}))
    simulate(ours.model, 0.05, 0.01, record=keep)
    for name, values in keep.results().signals.items():
        assert np.array_equal(results.signals[name], values)


def test_what_a_package_lacks_is_said_with_its_place(foreign, capsys):
    path = foreign(source="controller.fmu", upper="application/x-fmu-sharedlibrary")
    assert main(["check", str(path)]) == 1
    told = capsys.readouterr().out
    assert "foreign.ssp/SystemStructure.ssd:" in told
    assert "upper" in told


DICTIONARY = """<ssd:Elements>
      <ssd:SignalDictionaryReference name="bus" dictionary="signals">
        <ssd:Connectors><ssd:Connector name="speed" kind="inout"/></ssd:Connectors>
      </ssd:SignalDictionaryReference>"""
USED = """</ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="bus" startConnector="speed"
                      endElement="upper" endConnector="A"/>
    </ssd:Connections>
    <ssd:SignalDictionaries>
      <ssd:SignalDictionary name="signals" source="resources/signals.ssb"/>
    </ssd:SignalDictionaries>"""


def test_signal_dictionaries_are_ignored_with_a_note(tmp_path):
    text = changed(PENDULUM, "<ssd:Elements>", DICTIONARY)
    text = changed(text, "</ssd:Elements>", USED)
    path = write(tmp_path, text)
    (told,) = problems(path)
    assert (told.code, told.severity) == ("BND120", "warning")
    assert "not read" in told.finding
    assert open_model(tmp_path).model.parts.keys() == {"upper", "lower"}


@pytest.mark.parametrize(
    ("attributes", "code", "finding"),
    [
        (
            'source="values.ssv" sourceBase="component"',
            "BND121",
            "inside the component",
        ),
        ('source="values.csv" type="text/csv"', "BND122", "'text/csv' is not read"),
    ],
)
def test_values_elsewhere_or_in_other_forms_are_told(
    tmp_path, attributes, code, finding
):
    old = """<ssd:ParameterBindings>
      <ssd:ParameterBinding>"""
    extra = f"""<ssd:ParameterBindings>
      <ssd:ParameterBinding {attributes}/>
      <ssd:ParameterBinding>"""
    text = changed(PENDULUM, old, extra)
    _, found = examine(write(tmp_path, text), catalogue())
    (told,) = found
    assert (told.code, told.fatal) == (code, True)
    assert finding in told.finding
    assert told.remedy
