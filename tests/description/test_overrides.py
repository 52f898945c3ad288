"""Settings from outside: the same as if the file had said so."""

from __future__ import annotations

from pathlib import Path

import pytest

from bondline.build import catalogue
from bondline.description import ModelSpec, load, numbers, override, settable
from bondline.errors import DescriptionError, UsageError
from tests.description.wrong import EXAMPLES, PENDULUM, changed, write

FIXED = {
    *("upper.mass", "upper.length", "upper.angle", "upper.torque"),
    *("lower.mass", "lower.length", "lower.angle", "gravity"),
}


def _spec(path: Path = EXAMPLES / "double_pendulum") -> ModelSpec:
    spec = load(path).spec
    assert spec is not None
    return spec


def _values(spec: ModelSpec) -> dict[str, float]:
    return numbers(spec.system, catalogue())[0]


def test_the_promised_names_can_be_set_and_stand_as_promised() -> None:
    now = {s.name: (s.value, s.unit) for s in settable(_spec(), catalogue())}
    assert set(now) >= FIXED
    assert now["gravity"] == (0.0, "m/s**2")
    assert now["upper.torque"] == (-200.0, "N*m")
    assert now["upper.mass"] == (10.0, "kg")


def test_an_override_equals_the_same_change_in_the_file(tmp_path: Path) -> None:
    text = changed(PENDULUM, 'value="10" unit="kg"', 'value="12000" unit="g"')
    written = _values(_spec(write(tmp_path, text)))
    told = _values(override(_spec(), catalogue(), {"upper.mass": "12000g"}))
    assert told == written


def test_a_parameter_of_the_system_reaches_all_its_parts() -> None:
    values = _values(override(_spec(), catalogue(), {"gravity": "9.81"}))
    assert values["upper.gravity"] == values["lower.gravity"] == 9.81


def test_the_last_word_counts() -> None:
    changes = {"gravity": "9.81", "lower.gravity": "1.62 m/s2"}
    values = _values(override(_spec(), catalogue(), changes))
    assert (values["upper.gravity"], values["lower.gravity"]) == (9.81, 1.62)


def test_names_inside_nested_systems_can_be_set() -> None:
    spec = _spec(EXAMPLES / "linear_chain" / "Nested.ssd")
    values = _values(override(spec, catalogue(), {"far.four.force": "2kN"}))
    assert values["far.four.force"] == 2000.0


def test_overrides_leave_the_first_model_as_it_was() -> None:
    spec = _spec()
    override(spec, catalogue(), {"gravity": "9.81"})
    assert _values(spec)["upper.gravity"] == 0.0


def test_an_unknown_name_is_told_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        override(_spec(), catalogue(), {"uper.mass": "12kg"})
    assert caught.value.place == "--set uper.mass=12kg"
    assert "nothing is named 'uper.mass'" in caught.value.finding
    assert "Did you mean 'upper.mass'?" in caught.value.remedy
    assert "scheme, step, upper" in caught.value.remedy


def test_a_text_that_is_no_number_is_told() -> None:
    with pytest.raises(UsageError) as caught:
        override(_spec(), catalogue(), {"upper.mass": "heavy"})
    assert caught.value.place == "--set upper.mass=heavy"
    assert "'heavy' is not a number" in caught.value.finding
    assert "12kg" in caught.value.remedy


@pytest.mark.parametrize(
    ("text", "code"),
    [("12mm", "BND031"), ("12kgs", "BND032"), ("-1kg", "BND034"), ("1e999", "BND033")],
)
def test_a_value_that_does_not_suit_is_told(text: str, code: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        override(_spec(), catalogue(), {"upper.mass": text})
    assert caught.value.place == f"--set upper.mass={text}"
    assert caught.value.finding.startswith(code)
    assert caught.value.remedy
