from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from bondline.errors import UsageError
from bondline.report import figures
from bondline.report.canvas import save, svg
from bondline.report.counts import window_ends
from bondline.report.palette import DARK, GRID, INK, MUTED, PAPER, SERIES
from bondline.run.results import Results

Draw = Callable[[Results, Results], Figure]

EVERY: dict[str, Draw] = {
    "forces": lambda r, ref: figures.forces(r, "joint.A", ref),
    "motion": lambda r, ref: figures.motion(r, "lower", ref),
    "plot": lambda r, ref: figures.plot(r, ["joint.*", "upper.*"], ref),
    "iterations": lambda r, ref: figures.iterations(r),
    "refreshes": lambda r, ref: figures.refreshes(r),
    "gap": lambda r, ref: figures.gap(r),
    "energy": lambda r, ref: figures.energy(r),
    "study": lambda r, ref: figures.study(figures.epsilon_study([1e-6, 1e2], [r, r])),
    "picture": lambda r, ref: figures.picture(r, ref),
}


@pytest.fixture(scope="module", params=EVERY)
def drawn(
    request: pytest.FixtureRequest, run: Results, all_at_once: Results
) -> tuple[Draw, Figure, str]:
    draw = EVERY[request.param]
    figure = draw(run, all_at_once)
    return draw, figure, svg(figure, "k")


def test_same_run_gives_the_same_bytes(
    drawn: tuple[Draw, Figure, str], run: Results, all_at_once: Results
) -> None:
    draw, _, first = drawn
    assert svg(draw(run, all_at_once), "k") == first


def test_every_axis_says_what_it_measures(drawn: tuple[Draw, Figure, str]) -> None:
    axes = drawn[1].axes
    said = [ax.get_ylabel() for ax in axes if ax.get_ylabel()]
    assert said
    assert all(re.search(r"\[.+\]$", label) for label in said)
    assert any(re.search(r"\[.+\]$", ax.get_xlabel()) for ax in axes)


def test_every_colour_has_a_dark_counterpart(drawn: tuple[Draw, Figure, str]) -> None:
    assert set(re.findall(r"(?:fill|stroke): (#\w+)", drawn[2])) <= set(DARK)


def test_a_force_is_drawn_with_its_reference_and_their_difference(
    run: Results, all_at_once: Results
) -> None:
    Fx, dx, Fy, dy = figures.forces(run, "joint.A", all_at_once).axes
    assert [Fx.get_title(loc="left"), Fy.get_title(loc="left")] == [
        "joint.A.Fx",
        "joint.A.Fy",
    ]
    assert [len(ax.lines) for ax in (Fx, Fy)] == [2, 2]
    assert Fx.lines[1].is_dashed()
    for ax in (dx, dy):
        _, apart = ax.lines
        np.testing.assert_allclose(np.asarray(apart.get_ydata()), -0.25, atol=1e-12)
    assert dx.get_ylabel() == "diff. [N]"


def test_without_a_reference_there_is_one_line_and_no_difference(run: Results) -> None:
    axes = figures.forces(run, "joint.A").axes
    assert [len(ax.lines) for ax in axes] == [1, 1]


def test_a_signal_the_reference_lacks_is_said_to_be_missing(
    run: Results, all_at_once: Results
) -> None:
    figure = figures.plot(run, ["upper.angle", "joint.A.Fx"], all_at_once)
    words = [text.get_text() for ax in figure.axes for text in ax.texts]
    assert words == ["not in the reference"]


def test_signals_of_one_unit_share_a_panel(run: Results) -> None:
    figure = figures.plot(run, "*")
    assert [len(ax.lines) for ax in figure.axes] == [2, 1, 2, 2]
    assert [ax.get_ylabel() for ax in figure.axes] == [
        "force [N]",
        "angle [rad]",
        "position [m]",
        "velocity [m/s]",
    ]


def test_refresh_marks_leave_out_the_first_build(run: Results) -> None:
    marks, total = figures.refreshes(run).axes
    (events,) = marks.collections
    assert len(events.get_paths()) == 59
    assert np.asarray(total.lines[0].get_ydata())[-1] == 60


def test_windows_without_matching_instants_are_numbered(run: Results) -> None:
    x, label = window_ends(replace(run, t=run.t[::2]), 300)
    assert label == "window"
    assert x[0] == 1.0


def test_a_gap_of_exactly_zero_is_shown_as_such(run: Results) -> None:
    gaps = run.windows["gap"].copy()
    gaps[::2] = 0.0
    shown = figures.gap(replace(run, windows={"gap": gaps})).axes[0]
    assert shown.get_yscale() == "log"
    assert shown.get_title(loc="right") == "| exactly zero"
    closed = figures.gap(replace(run, windows={"gap": 0.0 * gaps})).axes[0]
    assert closed.get_yscale() == "linear"


def test_the_epsilon_study_has_a_logarithmic_axis(run: Results) -> None:
    ax = figures.study(figures.epsilon_study([1e-6, 1e2], [run, run])).axes[0]
    assert ax.get_xscale() == "log"
    np.testing.assert_allclose(np.asarray(ax.lines[0].get_ydata()), 3.0)


@pytest.mark.parametrize("name", [r"$\frac{", "_hidden", "力", "a\x00b", "x" * 500])
def test_a_signal_may_be_called_anything(name: str, run: Results) -> None:
    odd = replace(run, signals={name: run.t, "other": run.t}, units={})
    assert "<svg" in svg(figures.plot(odd, [name, "other"]), "k")


def test_unknown_signal_names_the_nearest_and_the_list(run: Results) -> None:
    with pytest.raises(UsageError) as caught:
        figures.plot(run, ["joint.A.Fz"])
    error = caught.value
    assert error.place == "run r-1"
    assert error.finding == "there is no signal 'joint.A.Fz'."
    assert error.remedy.startswith("Did you mean 'joint.A.F")
    assert all(name in error.remedy for name in run.signals)


def test_unknown_joint_and_body_name_what_exists(run: Results) -> None:
    with pytest.raises(UsageError, match=r"run r-1: .* joint 'joint.B'.*'joint.A'"):
        figures.forces(run, "joint.B")
    with pytest.raises(UsageError, match=r"run r-1: .* 'lowr'\. Did you mean 'lower'"):
        figures.motion(run, "lowr")


def test_what_was_not_kept_for_windows_is_named(run: Results) -> None:
    bare = replace(run, windows={"gaps": run.windows["gap"]})
    with pytest.raises(UsageError, match=r"run r-1: .*'gap'.* Did you mean 'gaps'"):
        figures.gap(bare)


def test_too_many_signals_are_refused_with_an_example(run: Results) -> None:
    many = {f"s{k}": run.t for k in range(200)}
    with pytest.raises(UsageError, match=r"run r-1: 200 signals .* example 's0'"):
        figures.plot(replace(run, signals=many, units={}), "*")


def test_a_study_needs_one_y_for_each_x() -> None:
    odd = figures.Study("odd", "x", [1.0, 2.0], "y", [1.0])
    with pytest.raises(UsageError, match=r"study 'odd': x has .* Give one y"):
        figures.study(odd)


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_files_are_the_same_bytes_each_time(
    suffix: str, run: Results, tmp_path: Path
) -> None:
    figure = figures.plot(run, "joint.*")
    paths = [save(figure, tmp_path / f"{k}{suffix}") for k in range(2)]
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert len(first) > 1000


def test_an_svg_file_turns_dark_by_itself(run: Results, tmp_path: Path) -> None:
    text = save(figures.plot(run, "joint.*"), tmp_path / "a.svg").read_text()
    assert "prefers-color-scheme:dark" in text
    assert f"stroke: {SERIES[0]}" in text


def test_unknown_figure_format_lists_the_known(run: Results, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        save(figures.plot(run, "joint.*"), tmp_path / "a.sgv")
    assert caught.value.place.endswith("a.sgv")
    assert "'.sgv'" in caught.value.finding
    assert caught.value.remedy == "Did you mean '.svg'? Known: .pdf, .png, .svg."


def _luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255.0 for i in (1, 3, 5)]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(a: str, b: str) -> float:
    low, high = sorted((_luminance(a), _luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_text_and_lines_stand_out_in_light_and_in_dark() -> None:
    assert _contrast(INK, PAPER) > 7.0
    assert _contrast(MUTED, PAPER) > 4.5
    for color in (INK, MUTED, *SERIES):
        assert _contrast(DARK[color], DARK[PAPER]) > 5.0
    assert _contrast(DARK[GRID], DARK[PAPER]) < 2.0


def test_the_overview_shows_what_there_is(run: Results, all_at_once: Results) -> None:
    mechanism, Fx, Fy = figures.picture(run, all_at_once).axes
    assert mechanism.get_aspect() == 1.0
    assert [len(ax.lines) for ax in (Fx, Fy)] == [2, 2]
    assert len(figures.picture(replace(run, shapes={})).axes) == 2
    unforced = {"upper.angle": run.t}
    assert len(figures.picture(replace(run, signals=unforced)).axes) == 1
    assert len(figures.picture(replace(run, signals=unforced, shapes={})).axes) == 1


def test_plates_cover_the_paper_and_say_what_to_see(
    run: Results, all_at_once: Results
) -> None:
    drawn = figures.plates(run, all_at_once, [figures.epsilon_study([1.0], [run])])
    keys = [plate.key for plate in drawn]
    assert keys == [
        "force0",
        "motion0",
        "signal0",
        "iterations",
        "refreshes",
        "gap",
        "energy",
        "study0",
    ]
    captions = {plate.key: plate.caption for plate in drawn}
    assert "0.25 N" in captions["force0"]
    assert "3.00 in the mean over 300 windows" in captions["iterations"]
    assert "again in 59 of 300 windows" in captions["refreshes"]
    assert "7e-12 m" in captions["gap"]


def test_what_a_mechanism_publishes_is_drawn_though_nothing_is_glued(
    run: Results,
) -> None:
    names = ("arm.swing.angle", "arm.whip.a1", "height")
    alone = replace(
        run, signals=dict.fromkeys(names, run.t), units={"arm.swing.angle": "rad"}
    )
    drawn = {plate.title: plate for plate in figures.plates(alone, alone)}
    assert [*drawn][:3] == [
        "Signals of arm.swing",
        "Signals of arm.whip",
        f"Signals of {run.model}",
    ]
    assert f"Thick: {run.run}" in drawn["Signals of arm.whip"].caption
    legend = drawn["Signals of arm.swing"].figure.legends[0]
    assert [t.get_text() for t in legend.get_texts()] == [run.run, run.run]
    assert not {"iterations", "gap"} & {plate.key for plate in drawn.values()}


def test_what_is_published_of_a_joint_is_no_force(run: Results) -> None:
    signals = {**run.signals, "joint.A.x": run.t}
    plates = figures.plates(replace(run, signals=signals))
    titles = [plate.title for plate in plates]
    assert "Interface force of joint.A" in titles
    assert "Signals of joint.A" in titles


def test_a_joint_of_three_sides_shows_the_force_of_each_pair(run: Results) -> None:
    names = [f"inner.joint.A.{side}.{F}" for side in ("left", "top") for F in _FORCE]
    signals = dict.fromkeys(names, run.signals["joint.A.Fx"])
    wide = replace(run, signals=signals, units=dict.fromkeys(names, "N"), shapes={})
    titles = [plate.title for plate in figures.plates(wide)]
    assert titles[:2] == [
        "Interface force of inner.joint.A.left",
        "Interface force of inner.joint.A.top",
    ]
    panels = [ax.get_ylabel() for ax in figures.picture(wide).axes]
    assert len(panels) == 2


_FORCE = ("Fx", "Fy")
