"""Rows that are written as bytes are what protobuf writes of a list of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from bondline.core import (
    Effort,
    ForceRows,
    Inputs,
    Motion,
    MotionRows,
    Motions,
    Output,
    Port,
    Signal,
)
from bondline.remote import bondline_pb2 as pb
from bondline.remote.codec import encode
from bondline.remote.codec.decode import Reader
from bondline.remote.codec.malformed import Malformed
from bondline.remote.codec.rows import Numbers

PORTS = (Port("left", ("x", "y")), Port("right", ("x",)), Port("top", ("x", "y", "z")))
NUMBERS = Numbers(p.name for p in PORTS)
PLACES = {"top": slice(3, 6), "left": slice(0, 2)}  # neither all nor in order


def levels(seed: int = 1) -> np.ndarray:
    made = np.random.default_rng(seed).normal(size=(3, 7))
    made[1, 0], made[2, 5] = -0.0, np.nan  # bits, not values
    return made


def written(shown: dict[str, Motion] | Motions[str]) -> bytes:
    made = pb.Outputs()
    count = encode.outputs(shown, NUMBERS, made)
    assert count == len(made.values)
    return made.SerializeToString()


def test_ports_in_one_array_are_the_message_of_single_ones() -> None:
    for seed in (1, 2):
        shown = Motions(PLACES, levels(seed))
        assert written(shown) == written(dict(shown))


def test_other_places_make_another_message() -> None:
    one = Motions(PLACES, levels())
    other = Motions({"right": slice(6, 7)}, levels())
    same = Motions(dict(PLACES), levels())  # another mapping, equal
    for shown in (one, other, same, one):
        assert written(shown) == written(dict(shown))


def test_without_accelerations_there_are_none() -> None:
    shown = Motions(PLACES, levels()[:2])
    got = Reader(PORTS).outputs(pb.Outputs.FromString(written(shown)))
    assert all(m.a is None for m in got.values())
    assert written(dict(got)) == written(shown)


def test_what_is_read_has_the_same_bits_and_can_be_written_to() -> None:
    reader, raw = Reader(PORTS), written(Motions(PLACES, levels()))
    for _ in range(3):  # the first one is read otherwise than those that look like it
        got = reader.outputs(pb.Outputs.FromString(raw))
        assert isinstance(got, Motions)
        assert written(dict(got)) == raw
        got.levels[:] = 0.0


def several(windows: int = 4) -> MotionRows[str]:
    return MotionRows(PLACES, np.stack([levels(k) for k in range(windows)]))


def all_written(shown: Sequence[Mapping[str, Output]]) -> list[bytes]:
    made = [pb.Outputs() for _ in shown]
    count = encode.outputs_rows(shown, NUMBERS, made)
    assert count == sum(len(each.values) for each in made)
    return [each.SerializeToString() for each in made]


def test_windows_in_one_array_are_the_messages_of_single_ones() -> None:
    shown = several()
    want = [written(dict(one)) for one in shown]
    assert all_written(shown) == want
    assert all_written(list(shown)) == want
    assert all_written([dict(one) for one in shown]) == want
    odd = [*shown, Motions({"right": slice(6, 7)}, levels())]
    assert all_written(odd) == [*want, written(dict(odd[-1]))]


def test_windows_that_are_read_at_once_have_the_same_bits() -> None:
    reader, want = Reader(PORTS), all_written(several())
    for _ in range(2):  # the first time one by one: the reader learns how they look
        got = reader.outputs_rows([pb.Outputs.FromString(raw) for raw in want])
        assert all_written([dict(one) for one in got]) == want
    assert isinstance(got, MotionRows)
    other = [*want, written(Motions({"right": slice(6, 7)}, levels()))]
    got = reader.outputs_rows([pb.Outputs.FromString(raw) for raw in other])
    assert all_written(got) == other
    assert reader.outputs_rows([]) == []


def pushes(powers: int = 1) -> ForceRows[str]:
    rows = np.random.default_rng(5).normal(size=(4, powers, 5))
    rows[0, 0, 0] = -0.0
    return ForceRows({"top": slice(0, 3), "left": slice(3, 5)}, rows)


def asked(each: Sequence[Inputs]) -> pb.TryBlock:
    made = pb.TryBlock()
    encode.inputs_rows(each, NUMBERS, made.more)
    return made


@pytest.mark.parametrize("powers", [1, 3])
def test_forces_over_windows_are_the_messages_of_single_ones(powers: int) -> None:
    told = pushes(powers)
    want = pb.TryBlock(more=[encode.inputs(one, NUMBERS) for one in told])
    assert asked(told).SerializeToString() == want.SerializeToString()
    got = Reader(PORTS).signals_rows(want.more)
    assert isinstance(got, ForceRows) == (powers == 1)
    assert asked(got) == want


def test_forces_that_are_laid_out_otherwise_are_read_one_by_one() -> None:
    told = [dict(one) for one in pushes()]
    told[2]["top"] = Signal(np.ones((2, 3)))
    got = Reader(PORTS).signals_rows(asked(told).more)
    assert asked(got) == asked(told)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (pb.Signal(port=2, rows=1, coefficients=[1.0, np.nan, 1.0]), "none"),
        (pb.Signal(port=2, rows=1, coefficients=[1.0, 1.0]), "2 numbers"),
        (pb.Signal(port=7, rows=1, coefficients=[1.0]), "no port number 7"),
    ],
)
def test_a_force_that_is_none_is_refused_in_any_window(
    wrong: pb.Signal, said: str
) -> None:
    for place in (0, 3):
        more = list(asked(pushes()).more)
        more[place] = pb.Inputs(signals=[wrong])
        with pytest.raises(Malformed, match=said):
            Reader(PORTS).signals_rows(more)


def test_a_field_that_nobody_knows_does_not_move_numbers() -> None:
    raw, reader = written(Motions(PLACES, levels())), Reader(PORTS)
    unknown = b"\x7a\x08" + b"\x01" * 8  # field 15, eight bytes
    for _ in range(2):
        got = reader.outputs(pb.Outputs.FromString(raw + unknown))
        assert written(dict(got)) == raw


def test_a_row_that_is_too_short_is_refused_every_time() -> None:
    reader, made = Reader(PORTS), pb.Outputs()
    made.ParseFromString(written(Motions(PLACES, levels())))
    reader.outputs(made)
    made.values.pop()
    for _ in range(2):
        with pytest.raises(Malformed, match="14 numbers came, 15 were expected"):
            reader.outputs(made)


def test_signals_are_what_a_list_of_numbers_makes() -> None:
    rows = np.asfortranarray(levels()[:, :2])
    (made,) = encode.signals({"left": Signal(rows)}, NUMBERS)
    want = pb.Signal(port=0, rows=3, coefficients=rows.ravel().tolist())
    assert made.SerializeToString() == want.SerializeToString()


def test_ports_without_a_number_stay_out() -> None:
    numbers = Numbers(["top", "right"])
    motion = Motion(np.ones(2), np.ones(2), np.ones(2))
    shown = {"left": motion, "right": Effort(np.ones(1), Motion(*np.full((2, 1), 7.0)))}
    made, alone = pb.Outputs(), pb.Outputs()
    assert encode.outputs({**shown, "hidden": 4.0}, numbers, made) == 3
    encode.outputs({"right": shown["right"]}, numbers, alone)
    assert made == alone
    made, alone = pb.Outputs(), pb.Outputs()
    every = Motions(PLACES, levels())
    assert encode.outputs(every, numbers, made) == 9
    encode.outputs({"top": every["top"]}, numbers, alone)
    assert made.SerializeToString() == alone.SerializeToString()
