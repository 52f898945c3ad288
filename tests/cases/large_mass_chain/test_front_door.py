"""The model file of the mass-spring example, with anything set."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from bondline.build import Given, build, catalogue
from bondline.build.given import apply
from bondline.core import uniform
from bondline.description import read
from bondline.errors import SettingError
from bondline.run import Keep, simulate

UNTIL = 0.1


@pytest.fixture
def model(project):
    def made(scheme=None, **settings):
        spec = read(project / "examples" / "large_mass_chain", catalogue())
        told = {f"large_mass.{name}": value for name, value in settings.items()}
        return build(apply(spec, catalogue(), Given(set=told, scheme=scheme)))

    return made


def errors(made, h, project):
    """Largest errors of positions and of forces against reference.csv."""
    keep = Keep()
    simulate(made, UNTIL, h, record=keep)
    found = keep.results()
    path = project / "examples" / "large_mass_chain" / "reference.csv"
    exact = np.genfromtxt(path, delimiter=",", names=True, deletechars="")
    there = exact["t"] <= found.t[-1] + 1e-9
    at = np.round(exact["t"][there] / h).astype(int)
    return {
        name: np.abs(found.signals[name][at] - exact[name][there]).max()
        for name in exact.dtype.names[1:]
    }


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("scheme", "settings", "x", "f"),
    [
        (None, {}, 3e-5, 7.0),
        ("linear", {"ratio": "1000"}, 3e-5, 7.0),
        ("newton", {"weights": "1"}, 2e-5, 7.0),
        ("hold", {"rho": "0.8"}, 1e-3, 110.0),
        ("linear", {"weights": "0", "w2": "2000", "w3": "1e6"}, 3e-5, 7.0),
    ],
)
def test_whatever_is_set_agrees_with_all_at_once(
    model, project, scheme, settings, x, f
):
    off = errors(model(scheme, **settings), 1e-3, project)
    assert max(off[n] for n in off if n.endswith(".x")) < x
    assert max(off[n] for n in off if n.startswith("joint")) < f


def test_the_choice_is_told_with_its_number(model):
    made = model()
    (note,) = made.guard(made.start(0.0).state, uniform(0.0, 1e-4, 0))
    assert "0.0134 times the leaders' inertia" in note
    assert "linear/explicit was chosen" in note


@pytest.mark.parametrize(
    ("settings", "finding"),
    [
        ({"ratio": "-1"}, "ratio of -1"),
        ({"weights": "0", "w1": "0"}, "(0.0, 0.0, 0.0)"),
    ],
)
def test_nonsense_is_refused(model, settings, finding):
    with pytest.raises(SettingError) as no:
        model(**settings)
    assert finding in no.value.finding


def test_a_run_that_was_killed_goes_on_to_the_same_bits(model):
    """The state is all there is: dumped, loaded by another process, and on."""
    made, other = model(rho="0.8"), model(rho="0.8")
    step, h = made.start(0.0), 1e-3
    for n in range(10):
        step = made.advance(step.state, uniform(0.0, h, n), {})
    kept = made.dump(step.state)
    again = replace(step, state=other.load(kept))
    for n in range(10, 30):
        step = made.advance(step.state, uniform(0.0, h, n), {})
        again = other.advance(again.state, uniform(0.0, h, n), {})
    assert made.dump(step.state) == other.dump(again.state)
