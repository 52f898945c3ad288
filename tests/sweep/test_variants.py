"""Axes and samplers: which variants there are."""

from __future__ import annotations

import numpy as np
import pytest

from bondline.errors import UsageError
from bondline.sweep import Choice, Range, axis, variants
from bondline.sweep.samplers import latin, sobol


def test_a_range_ends_where_it_says_and_keeps_its_unit():
    found = axis("upper.mass", "8..12kg:5")
    assert found == Range("upper.mass", 8.0, 12.0, "kg", 5)
    assert found.grid() == ["8.0kg", "9.0kg", "10.0kg", "11.0kg", "12.0kg"]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("-1..1:3", "-1.0", "1.0"),
        (".5...75m:2", "0.5m", "0.75m"),
        ("8kg..12kg:2", "8.0kg", "12.0kg"),
        ("1e3..1e5N/m:3:log", "1000.0N/m", "100000.0N/m"),
        ("sag,flat", "sag", "flat"),
        ("3", "3", "3"),
    ],
)
def test_ways_to_write_an_axis(text, first, last):
    values = axis("p", text).grid()
    assert (values[0], values[-1]) == (first, last)


def test_a_unit_behind_the_last_choice_is_everybodys():
    assert axis("m", "1,2,3kg") == Choice("m", ("1kg", "2kg", "3kg"))
    assert axis("m", "1g,2,3kg") == Choice("m", ("1g", "2", "3kg"))


@pytest.mark.parametrize(
    "text",
    [
        "1..",
        "a..b:3",
        "1kg..2m:3",
        "1..2:x",
        "1..2:3:4",
        "1..2..3:3",
        "1,,2",
        "0..1:3:log",
        "1..2:0",
    ],
)
def test_what_is_no_axis_is_told_with_its_flag(text):
    with pytest.raises(UsageError) as told:
        axis("p", text)
    assert told.value.place == f"--set p={text}"
    assert told.value.remedy


def test_a_grid_has_every_combination_in_order():
    found = variants([axis("a", "1..2:2"), axis("b", "x,y")])
    assert [tuple(v.values()) for v in found] == [
        ("1.0", "x"),
        ("1.0", "y"),
        ("2.0", "x"),
        ("2.0", "y"),
    ]


@pytest.mark.parametrize("sampler", ["lhs", "sobol"])
def test_the_same_seed_gives_the_same_variants_and_another_one_others(sampler):
    axes = [axis("a", "1..2kg"), axis("b", "x,y,z")]
    first, again, other = (variants(axes, sampler, 20, seed) for seed in (3, 3, 4))
    assert first == again
    assert first != other
    assert {v["b"] for v in first} == {"x", "y", "z"}


@pytest.mark.parametrize("count", [1, 7, 16])
def test_a_latin_hypercube_takes_every_slice_once(count):
    slices = np.sort(np.floor(count * latin(count, 3, seed=1)), axis=0)
    assert (slices == np.arange(count)[:, None]).all()


def test_the_shift_keeps_the_net_of_sobol():
    points = sobol(64, 2, seed=5)
    cells = np.floor(8 * points).astype(int)  # (0, 6, 2)-net: one point in each cell
    assert len({tuple(c) for c in cells}) == 64


@pytest.mark.parametrize(
    ("sets", "sampler", "samples", "found"),
    [
        ([], "grid", None, "nothing varies"),
        (["a=1..2"], "grid", None, "how many"),
        (["a=1..2"], "lhs", None, "how many"),
        (["a=1..2:3"], "grid", 7, "as many as its axes"),
        (["a=1..2:3"], "lhss", 7, "no such sampler"),
        (["a=1..2:999", "b=1..2:999"], "grid", None, "998001 variants"),
        (["a=1,2", "a=3,4"], "grid", None, "twice"),
    ],
)
def test_what_cannot_be_sampled_is_told(sets, sampler, samples, found):
    axes = [axis(*text.split("=")) for text in sets]
    with pytest.raises(UsageError, match=found):
        variants(axes, sampler, samples)
