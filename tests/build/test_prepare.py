"""Prepare: what a run keeps is what is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from bondline.build import Given, open_model, plan_of
from bondline.description import digest
from bondline.errors import SettingError, UsageError
from tests.description.wrong import EXAMPLES, PENDULUM, changed, write


def test_a_file_that_changes_later_does_not_change_the_plan(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    write(folder, PENDULUM)
    opened, before = open_model(folder), digest(folder)
    write(folder, changed(PENDULUM, "constant/e", "linear/deadbeat"))
    plan = plan_of(opened)
    kept = tmp_path / "kept.ssp"
    kept.write_bytes(plan.package)
    assert plan.digest == digest(kept) == before != digest(folder)
    scheme = plan.settings["coupling"]["scheme"]
    assert scheme == open_model(kept).model.coupling.scheme.name == "constant/e"


def test_settings_are_those_of_the_model_and_what_was_given() -> None:
    given = Given({"gravity": "9.81"}, refresh="lagged")
    opened = open_model(EXAMPLES / "double_pendulum", given)
    solver = opened.model.settings()["solver"]
    assert opened.settings["solver"] == solver
    assert (solver["kind"], solver["refresh"]) == ("lagged", "lagged")
    assert opened.settings["parameters"]["upper.gravity"] == 9.81
    assert Given.load(opened.settings["given"]) == given


def test_a_wrong_choice_is_told_with_its_flag() -> None:
    with pytest.raises(SettingError) as caught:
        open_model(EXAMPLES / "double_pendulum", Given(refresh="windw"))
    assert caught.value.place == "--refresh"
    assert "no such choice" in caught.value.finding
    assert "'window'" in caught.value.remedy


def test_a_plan_needs_an_end(tmp_path: Path) -> None:
    text = changed(PENDULUM, ' stopTime="3"', "")
    opened = open_model(write(tmp_path, text))
    assert plan_of(opened, until=1.0).until == 1.0
    with pytest.raises(UsageError) as caught:
        plan_of(opened)
    assert caught.value.place == str(opened.path)
    assert caught.value.finding == "the model gives no end."
    assert "--until" in caught.value.remedy


def test_a_model_that_is_not_there_is_told_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        open_model(EXAMPLES / "double_pendulm")
    assert caught.value.place.endswith("double_pendulm")
    assert "no such model" in caught.value.finding
    assert "'double_pendulum'" in caught.value.remedy


def test_step_and_scheme_may_be_set_like_parameters(project: Path) -> None:
    """Where nothing in the model has these names; else they are the parameter's."""
    told = {"step": "0.1ms", "scheme": "linear-discontinuous/e,v", "damping": "0.2"}
    opened = open_model(project / "examples" / "four_bar", Given(told))
    assert plan_of(opened).step == pytest.approx(1e-4)
    assert opened.spec.system.gluing.scheme == "linear-discontinuous/e,v"
    assert opened.given.plain() == {"set": told}
    gun = open_model(project / "examples" / "gun_turret", Given({"step": "2e-4"}))
    assert plan_of(gun).step == 0.005


@pytest.mark.parametrize(
    ("told", "scheme", "says"),
    [
        ({"step": "0.1kg"}, None, "mass"),
        ({"step": "-1"}, None, "more than 0"),
        ({"step": "soon"}, None, "not a number"),
        ({"scheme": "const"}, None, "constant/e"),
        ({"scheme": "constant/e"}, "auto", "once"),
    ],
)
def test_a_wrong_step_or_scheme_is_refused(
    project: Path, told: dict[str, str], scheme: str | None, says: str
) -> None:
    with pytest.raises((UsageError, SettingError), match=says):
        open_model(project / "examples" / "four_bar", Given(told, scheme=scheme))
