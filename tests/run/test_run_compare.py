"""Laws of compare, and of the CSV files it reads."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_models import Swing, double_pendulum

from bondline.errors import StorageError, UsageError
from bondline.run import (
    Keep,
    Results,
    Table,
    Tolerance,
    compare,
    csv_lines,
    read_csv,
    simulate,
    write_csv,
)
from bondline.run.compare import interpolate


@pytest.fixture(scope="module")
def results() -> Results:
    keep = Keep()
    simulate(Swing(), 2.0, 0.1, record=keep)
    return keep.results("swing")


def sine(step: float, until: float = 2.0) -> Table:
    t = np.arange(0.0, until + 1e-12, step)
    return Table("sine", t, {"y": np.sin(t), "z": 5.0 + t})


def test_a_run_equals_itself_exactly(results: Results) -> None:
    made = compare(results, results, Tolerance(0.0, 0.0))
    assert made.ok
    assert [d.signal for d in made.differences] == list(results.signals)
    assert {(d.largest, d.rms, d.verdict) for d in made.differences} == {
        (0.0, 0.0, "ok")
    }
    assert (made.instants, made.skipped, made.alone) == (21, 0, ())


def test_exported_numbers_read_back_to_the_same_bits(
    results: Results, tmp_path: Path
) -> None:
    table = read_csv(write_csv(results, tmp_path / "out.csv"))
    assert table.t.tolist() == results.t.tolist()
    assert list(table.columns) == list(results.signals)
    for name, y in results.signals.items():
        assert table.columns[name].tolist() == y.tolist()
    assert compare(results, table, Tolerance(0.0, 0.0)).ok
    assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]


def test_a_link_is_followed_not_replaced(results: Results, tmp_path: Path) -> None:
    real, link = tmp_path / "real.csv", tmp_path / "link.csv"
    link.symlink_to(real)
    for _ in range(2):  # the first time there is nothing behind the link
        assert write_csv(results, link) == link
        assert link.is_symlink()
        assert read_csv(real).t.tolist() == results.t.tolist()


def test_a_pipe_is_written_to_not_replaced(results: Results, tmp_path: Path) -> None:
    pipe, seen = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: seen.append(pipe.read_text()), daemon=True)
    reader.start()
    write_csv(results, pipe)
    reader.join(timeout=10.0)
    assert pipe.is_fifo()
    assert seen[0].splitlines() == list(csv_lines(results))
    assert list(tmp_path.iterdir()) == [pipe]


def test_a_folder_is_no_file(results: Results, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="Is a directory"):
        write_csv(results, tmp_path)


def test_names_may_hold_what_separates_columns(tmp_path: Path) -> None:
    t, names = np.arange(2.0), ["a,b.x", "c;d;e;f.x", 'a "g"\tor\ttwo.x']
    made = Results("r", "m", t, {n: t + k for k, n in enumerate(names)}, {}, {})
    table = read_csv(write_csv(made, tmp_path / "x.csv"))
    assert list(table.columns) == names
    assert [y[0] for y in table.columns.values()] == [0.0, 1.0, 2.0]


def test_the_header_of_the_double_pendulum_is_exact() -> None:
    keep = Keep()
    simulate(double_pendulum(), 0.02, 0.01, record=keep)
    assert next(csv_lines(keep.results())) == (
        "t,joint.A.Fx,joint.A.Fy,upper.angle,lower.angle,"
        "lower.com.x,lower.com.y,lower.com.vx,lower.com.vy"
    )


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_every_finite_number_round_trips(numbers: list[float]) -> None:
    t = np.arange(float(len(numbers)))
    results = Results("r", "m", t, {"y": np.array(numbers)}, {}, {})
    _, *lines = csv_lines(results)
    assert [float(line.split(",")[1]) for line in lines] == numbers


@given(jitter=st.floats(-9e-10, 9e-10), k=st.integers(1, 19))
def test_values_are_compared_as_they_are_where_instants_coincide(
    jitter: float, k: int
) -> None:
    t = np.linspace(0.0, 1.0, 21)
    y = (-1.0) ** np.arange(21)
    assert interpolate(t, y, np.array([t[k] + jitter]))[0] == y[k]


def test_between_instants_interpolation_is_fourth_order() -> None:
    def error(n: int) -> float:
        t = np.linspace(0.0, 2.0, n + 1)
        at = 0.5 * (t[:-1] + t[1:])
        return float(np.abs(interpolate(t, np.sin(3 * t), at) - np.sin(3 * at)).max())

    assert np.log2(error(40) / error(80)) == pytest.approx(4.0, abs=0.2)


@pytest.mark.parametrize("points", [1, 2, 3])
def test_few_instants_are_enough_to_interpolate(points: int) -> None:
    t = np.arange(float(points))
    at = np.array([0.0, points - 1.0])
    assert interpolate(t, 2.0 * t, at).tolist() == [0.0, 2.0 * (points - 1)]


def test_a_finer_reference_is_met_by_interpolation() -> None:
    made = compare(sine(0.1), sine(0.01), Tolerance(1e-5, 0.0))
    assert made.ok
    assert made.instants == 201


def test_the_largest_difference_is_named_with_its_time() -> None:
    off = sine(0.1)
    y = off.columns["y"].copy()
    y[7] += 0.3
    made = compare(Table("off", off.t, {"y": y}), sine(0.1), Tolerance(0.1, 0.0))
    (d,) = made.differences
    assert d.largest == pytest.approx(0.3)
    assert d.at == pytest.approx(0.7)
    assert d.rms == pytest.approx(0.3 / np.sqrt(21))
    assert not made.ok
    assert d.verdict == "OUT (3 x)"
    assert made.alone == ("z",)


def test_the_tolerance_is_relative_to_the_largest_reference_value() -> None:
    one = Table("one", np.array([0.0, 1.0]), {"y": np.array([0.0, 101.0])})
    ref = Table("ref", np.array([0.0, 1.0]), {"y": np.array([0.0, 100.0])})
    assert compare(one, ref, Tolerance(1e-2, 0.0)).ok
    assert not compare(one, ref, Tolerance(0.99e-2, 0.0)).ok
    assert compare(one, ref, Tolerance(0.0, 1.0)).ok
    assert (
        compare(one, ref, Tolerance(0.0, 0.0)).differences[0].verdict == "OUT (inf x)"
    )


def test_names_of_the_reference_are_mapped() -> None:
    ref = Table("ref", sine(0.1).t, {"fy": sine(0.1).columns["y"]})
    made = compare(sine(0.1), ref, names={"y": "fy"})
    assert [(d.signal, d.reference) for d in made.differences] == [("y", "fy")]
    assert made.alone == ("z",)


def test_patterns_choose_signals(results: Results) -> None:
    made = compare(results, results, signals=["joint.A.*", "spin"])
    assert [d.signal for d in made.differences] == ["joint.A.Fx", "joint.A.Fy", "spin"]


def test_instants_outside_the_run_are_skipped_and_counted() -> None:
    made = compare(sine(0.1, 1.0), sine(0.1, 2.0), Tolerance(0.0, 0.0))
    assert (made.instants, made.skipped, made.ok) == (11, 10, True)


def test_a_missing_signal_shows_the_nearest(results: Results) -> None:
    with pytest.raises(UsageError) as caught:
        compare(results, results, signals=["spim"])
    assert caught.value.place == "swing"
    assert caught.value.finding == "there is no signal 'spim'."
    assert "Did you mean 'spin'?" in caught.value.remedy
    for names in ({"spim": "spin"}, {"spin": "spim"}):
        with pytest.raises(UsageError, match="Did you mean 'spin'"):
            compare(results, results, names=names)


def test_nothing_in_common_shows_both_sides(results: Results) -> None:
    with pytest.raises(UsageError) as caught:
        compare(results, sine(0.1))
    assert caught.value.place == "compare swing with sine"
    assert "the reference has y, z" in caught.value.finding
    assert "The run has joint.A.Fx" in caught.value.remedy


def test_times_that_do_not_overlap_are_an_error_that_teaches() -> None:
    late = Table("late", np.array([7.0, 8.0]), {"y": np.zeros(2)})
    with pytest.raises(UsageError) as caught:
        compare(sine(0.1), late)
    assert caught.value.place == "compare sine with late"
    assert "0 to 2 s against 7 to 8 s" in caught.value.finding
    assert "in seconds" in caught.value.remedy


def test_a_side_without_instants_is_named() -> None:
    empty = Table("nothing", np.array([]), {"y": np.array([])})
    for pair in ((empty, sine(0.1)), (sine(0.1), empty)):
        with pytest.raises(UsageError) as caught:
            compare(*pair)
        assert caught.value.place == "nothing"
        assert "no instants" in caught.value.finding
        assert "resume" in caught.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "t,a\n0,1\n1,2\n",
        "t;a\r\n0;1\r\n1;2\r\n",
        "\ufeffTime\ta\n0\t1\n\n1\t2",
        "# made by hand\nt, a\n0, 1\n# a remark\n1, 2\n",
        't,"a"\n0,"1"\n1,2e0\n',
    ],
)
def test_csv_dialects(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ref.csv"
    path.write_text(text, encoding="utf-8", newline="")
    table = read_csv(path)
    assert table.t.tolist() == [0.0, 1.0]
    assert table.columns["a"].tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("text", "place", "finding", "remedy"),
    [
        ("", "", "is empty", "header"),
        ("t,a\n", "", "no numbers", "Add rows"),
        ("x,a\n0,1\n", ":1", "first column is 'x'", "must be 't'"),
        ("t,a,a\n0,1,2\n", ":1", "two columns are named 'a'", "Rename"),
        ("t,,b\n0,1,2\n", ":1", "column 2 has no name", "Name"),
        ("t,a\n0,1\n\n1,2,3\n", ":4", "3 values for 2 columns", "one value"),
        ("t,a\n0,1\n1,zwei\n", ":3, column a", "'zwei' is not", "1.25e-3"),
        ("t,a\n0,nan\n", ":2, column a", "'nan' is not", "1.25e-3"),
        ("t,a\n0,1\n# x\n0,2\n", ":4", "does not come after", "Sort"),
    ],
)
def test_bad_csv_is_named_by_line(
    tmp_path: Path, text: str, place: str, finding: str, remedy: str
) -> None:
    path = tmp_path / "ref.csv"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_csv(path)
    assert caught.value.place == f"{path}{place}"
    assert finding in caught.value.finding
    assert remedy in caught.value.remedy


def test_files_that_cannot_be_read_or_written_are_named(
    results: Results, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="cannot be read") as caught:
        read_csv(tmp_path / "none.csv")
    assert caught.value.place == str(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(b"t,\xe9\n")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_csv(tmp_path / "latin.csv")
    with pytest.raises(StorageError, match="cannot be written") as stored:
        write_csv(results, tmp_path / "none" / "x.csv")
    assert stored.value.place == str(tmp_path / "none" / "x.csv")
    assert "Check the folder" in stored.value.remedy


def test_components_beside_each_other_are_measured_by_the_largest() -> None:
    """Round-off in Fz beside 16 kN in Fx is no difference; a moment is its own."""
    t, one = np.array([0.0, 1.0]), np.ones(2)
    ref = {"j.Fx": 16e3 * one, "j.Fz": 1e-9 * one, "j.Mz": 1e-9 * one}
    off = {"j.Fx": 16e3 * one, "j.Fz": -1e-9 * one, "j.Mz": -1e-9 * one}
    made = compare(Table("a", t, off), Table("b", t, ref), Tolerance(1e-6, 0.0))
    assert [d.ok for d in made.differences] == [True, True, False]
