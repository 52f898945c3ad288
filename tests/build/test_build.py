"""Build: names become objects, and misfits come with their place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from bondline.build import (
    build,
    catalogue,
    kinds,
    open_model,
    rehearse,
    template,
    templates,
)
from bondline.build.kinds import _stock, installed, stock
from bondline.build.rehearse import misfits
from bondline.description import Place, load, override, read
from bondline.errors import DescriptionError, SettingError, UsageError
from bondline.gluing import IntegratedModel
from tests.build.plug_in import broken_package
from tests.description.wrong import EXAMPLES, NESTED, PENDULUM, changed, place, write


def _built(path: Path) -> IntegratedModel:
    return build(read(path, catalogue()))


def test_the_double_pendulum_is_what_its_file_says() -> None:
    model = _built(EXAMPLES / "double_pendulum")
    assert model.name == "double_pendulum"
    assert list(model.parts) == ["upper", "lower"]
    assert model.coupling.scheme.name == "constant/e"
    assert model.solver.tolerance == 1e-10
    [joint] = model.connections
    assert (joint.name, joint.components) == ("A", ("Fx", "Fy"))
    assert [str(end) for end in joint.ends] == ["upper.A", "lower.A"]
    values = {n: p.value for n, p in model.parameters.items()}
    assert values["upper.mass"] == 10.0
    assert values["upper.torque"] == -200.0
    assert values["lower.length"] == 2.0
    assert values["lower.gravity"] == 0.0


def test_the_scheme_is_chosen_by_the_parts() -> None:
    assert _built(EXAMPLES / "linear_chain").coupling.scheme.name == "newmark/a,v,u"


def test_nested_systems_become_nested_models() -> None:
    model = _built(EXAMPLES / "linear_chain" / "Nested.ssd")
    near = model.parts["near"]
    assert isinstance(near, IntegratedModel)
    assert list(near.parts) == ["one", "two"]
    assert {n: str(r) for n, r in near.exports.items()} == {
        "left": "one.left",
        "right": "two.right",
    }


def test_settings_of_the_annotation_reach_the_solver(tmp_path: Path) -> None:
    more = (
        'step="0.01" windows="4" maxIterations="7" refresh="window" update="none" '
        'forceTolerance="1e-4" epsilon="0.5"'
    )
    text = changed(PENDULUM, 'step="0.01"', more)
    model = _built(write(tmp_path, text))
    solver = model.solver
    assert model.windows == 4
    assert (solver.max_iterations, solver.refresh, solver.update) == (
        7,
        "window",
        "none",
    )
    assert solver.force_tolerance == 1e-4
    assert model.coupling.probe.epsilon == 0.5


def test_overrides_reach_the_parts() -> None:
    spec = read(EXAMPLES / "double_pendulum", catalogue())
    model = build(override(spec, catalogue(), {"gravity": "9.81", "upper.mass": "8kg"}))
    values = {n: p.value for n, p in model.parameters.items()}
    assert values["upper.gravity"] == values["lower.gravity"] == 9.81
    assert values["upper.mass"] == 8.0


def test_a_description_with_errors_is_not_built(tmp_path: Path) -> None:
    text = changed(PENDULUM, "leaf:free-bar", "leaf:fre-bar")
    spec = load(write(tmp_path, text)).spec
    assert spec is not None
    with pytest.raises(DescriptionError) as caught:
        build(spec)
    assert "SystemStructure.ssd:" in caught.value.place
    assert "BND023" in caught.value.finding
    assert "Did you mean 'free-bar'?" in caught.value.remedy


def test_parts_that_do_not_suit_the_scheme_are_told_with_their_place(
    tmp_path: Path,
) -> None:
    text = changed(PENDULUM, "constant/e", "newmark/a,v,u")
    folder = write(tmp_path, text)
    line, column = place(text, "<g:gluing")
    with pytest.raises(SettingError) as caught:
        _built(folder)
    where = f"{folder / 'SystemStructure.ssd'}:{line}:{column}"
    assert caught.value.place.startswith(f"{where}: double_pendulum")
    assert "one Newmark step a window" in caught.value.finding
    assert "mixed/a,v,u" in caught.value.remedy


def test_a_rehearsal_lists_such_a_misfit_as_a_problem(tmp_path: Path) -> None:
    text = changed(NESTED, "<g:gluing", '<g:gluing scheme="constant/e"')
    spec, [problem] = rehearse(write(tmp_path, text))
    assert spec is not None
    assert problem.code == "BND060"
    line, column = place(text, "<g:gluing")
    assert (problem.where.line, problem.where.column) == (line, column)
    assert "near" in problem.finding
    assert "newmark/a,v,u" in problem.remedy


def test_a_misfit_keeps_its_place_whatever_the_file_is_called(tmp_path: Path) -> None:
    folder = tmp_path / "a:1:2: b"
    folder.mkdir()
    text = changed(PENDULUM, "constant/e", "newmark/a,v,u")
    _, [problem] = rehearse(write(folder, text))
    line, column = place(text, "<g:gluing")
    file = str(folder / "SystemStructure.ssd")
    assert problem.where == Place(file, line, column)


def test_a_misfit_may_have_a_place_without_a_line() -> None:
    spec = read(EXAMPLES / "double_pendulum", catalogue())
    assert spec.system.gluing is not None
    gluing = replace(spec.system.gluing, scheme="newmark/a,v,u", where=Place("made"))
    made = replace(spec, system=replace(spec.system, gluing=gluing))
    [problem] = misfits(made)
    assert problem.where == Place("made")
    assert "one Newmark step a window" in problem.finding
    with pytest.raises(SettingError) as caught:
        build(made)
    assert caught.value.place.startswith("made: double_pendulum")


def test_a_rehearsal_of_a_right_model_finds_nothing() -> None:
    for model in ("double_pendulum", "linear_chain", "linear_chain/Nested.ssd"):
        spec, problems = rehearse(EXAMPLES / model)
        assert spec is not None
        assert problems == []


def test_every_kind_can_be_made_and_keeps_its_passport() -> None:
    for name, kind in kinds().items():
        leaf = kind.make("x")
        assert kind.passport.kind == name
        assert leaf.name == "x"
        assert leaf.ports == kind.passport.ports
        assert leaf.capabilities == kind.passport.capabilities
        assert {n: p.value for n, p in leaf.parameters.items()} == {
            n: p.value for n, p in kind.passport.parameters.items()
        }


def test_an_entry_point_must_be_a_kind() -> None:
    with pytest.raises(SettingError) as caught:
        installed(EntryPoint("odd", "json:loads", "bondline.leaves"))
    assert caught.value.place == "entry point bondline.leaves: odd"
    assert "json:loads is a function" in caught.value.finding
    assert "bondline.build.Kind" in caught.value.remedy


def test_a_broken_entry_point_leaves_the_other_kinds_alone() -> None:
    gone = EntryPoint("gone", "no_such_module:kind", "bondline.leaves")
    ours = EntryPoint("chain", "no_such_module:kind", "bondline.leaves")
    found = stock([gone, ours])
    assert set(found.kinds) == set(stock([]).kinds)
    assert {"pinned-bar", "chain", "rigid-body", "ground"} <= set(found.kinds)
    assert set(found.broken) == {"gone"}
    error = found.broken["gone"]
    assert error.place == "entry point bondline.leaves: gone"
    assert "no_such_module:kind cannot be loaded" in error.finding
    assert "ModuleNotFoundError: No module named 'no_such_module'" in error.finding
    assert "pip uninstall" in error.remedy


@pytest.fixture
def plug_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[pytest.MonkeyPatch]:
    """An installed package whose kind `gone` cannot be loaded."""
    broken_package(tmp_path / "site")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    forget()
    yield monkeypatch
    monkeypatch.undo()
    forget()


def forget() -> None:
    _stock.cache_clear()
    catalogue.cache_clear()


@pytest.mark.usefixtures("plug_in")
def test_a_broken_kind_is_told_where_a_model_names_it(tmp_path: Path) -> None:
    text = changed(PENDULUM, "leaf:free-bar", "leaf:gone")
    folder = write(tmp_path, text)
    with pytest.raises(SettingError) as caught:
        open_model(folder)
    assert "SystemStructure.ssd:" in caught.value.place
    assert "entry point bondline.leaves: gone" in caught.value.place
    assert "of the package odd-leaves cannot be loaded" in caught.value.finding
    assert "pip uninstall odd-leaves" in caught.value.remedy
    _, problems = rehearse(folder)
    told = [p for p in problems if p.code == "BND023"]
    assert ["of the package odd-leaves" in p.finding for p in told] == [True]
    assert rehearse(EXAMPLES / "double_pendulum")[1] == []


def test_templates_are_the_examples() -> None:
    assert {"double_pendulum", "linear_chain"} <= set(templates())
    assert template("double-pendulum") == template("double_pendulum")
    assert (template("double-pendulum") / "SystemStructure.ssd").is_file()


def test_an_unknown_template_is_told_with_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        template("double-pendlum")
    assert caught.value.place == "--template double-pendlum"
    assert caught.value.finding == "no such example."
    assert "Did you mean 'double_pendulum'?" in caught.value.remedy
