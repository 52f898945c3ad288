"""The codec: what goes in comes out to the same bits; rubbish is refused as such."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bondline.core import Tree
from bondline.wire.codec import CodecError, pack, unpack

bits = st.integers(0, 2**64 - 1)


def as_double(pattern: int) -> float:
    """Any of the 2⁶⁴ doubles: NaN payloads, infinities, -0.0, denormals."""
    (number,) = struct.unpack("<d", struct.pack("<Q", pattern))
    return float(number)


doubles = st.floats() | bits.map(as_double)
arrays = hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4).flatmap(
    lambda shape: hnp.arrays(np.uint64, shape, elements=bits).map(
        lambda patterns: np.asarray(patterns).view(np.float64)
    )
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | doubles
    | st.text()
    | st.binary()
)
trees = st.recursive(
    scalars | arrays,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def same(a: Tree, b: Tree) -> bool:
    """Equal in type, order, shape and every bit."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return (a.shape, a.dtype, a.tobytes()) == (b.shape, b.dtype, b.tobytes())
    if isinstance(a, float):
        return struct.pack("<d", a) == struct.pack("<d", b)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return a == b


@given(trees)
def test_every_tree_comes_back_to_the_same_bits(tree):
    assert same(unpack(pack(tree)), tree)


@given(trees)
def test_equal_trees_give_equal_bytes(tree):
    assert pack(unpack(pack(tree))) == pack(tree)


@pytest.mark.parametrize(
    "number", [-0.0, float("inf"), as_double(0x7FF0DEAD0000BEEF), 5e-324]
)
def test_special_doubles_survive_alone_and_in_arrays(number):
    assert same(unpack(pack(number)), number)
    assert same(unpack(pack(np.array([number]))), np.array([number]))


@pytest.mark.parametrize("shape", [(), (0,), (3,), (0, 4), (2, 0, 3), (1, 1, 1, 1)])
def test_shapes_survive_empty_ones_too(shape):
    assert same(unpack(pack(np.ones(shape))), np.ones(shape))


@pytest.mark.parametrize("view", [np.arange(12.0)[::3], np.arange(6.0).reshape(2, 3).T])
def test_strided_arrays_come_back_contiguous_and_equal(view):
    assert same(unpack(pack(view)), np.ascontiguousarray(view))


def test_what_was_read_may_be_written_to():
    array = unpack(pack(np.zeros(3)))
    assert isinstance(array, np.ndarray)
    assert array.flags.writeable


@given(trees, st.data())
def test_cut_bytes_are_refused(tree, data):
    whole = pack(tree)
    with pytest.raises(CodecError):
        unpack(whole[: data.draw(st.integers(0, len(whole) - 1))])


@given(trees, st.binary(min_size=1))
def test_bytes_that_follow_are_refused(tree, more):
    with pytest.raises(CodecError, match="follow the end"):
        unpack(pack(tree) + more)


def read(data: bytes) -> None:
    """Read what may be anything: a tree or `CodecError`, never another exception."""
    try:
        unpack(data)
    except CodecError:
        return


@given(st.binary())
def test_rubbish_gives_a_tree_or_a_codec_error(data):
    read(data)


@given(trees, st.data())
def test_one_wrong_byte_gives_a_tree_or_a_codec_error(tree, data):
    mutated = bytearray(pack(tree))
    at = data.draw(st.integers(0, len(mutated) - 1))
    mutated[at] ^= data.draw(st.integers(1, 255))
    read(bytes(mutated))


@pytest.mark.parametrize(
    "shape", [(0, 2**32 - 1, 2**32 - 1, 2**32 - 1), (0,) * 65, (0,) * 255]
)
def test_impossible_empty_shapes_are_refused(shape):
    head = struct.pack(f"<B{len(shape)}I", len(shape), *shape)
    with pytest.raises(CodecError):
        unpack(b"A" + head)


@pytest.mark.parametrize("tag", [b"S", b"B", b"L", b"M"])
def test_a_length_that_cannot_be_true_is_refused_before_it_is_used(tag):
    with pytest.raises(CodecError, match="4294967295"):
        unpack(tag + b"\xff\xff\xff\xff")


def test_nesting_is_limited():
    with pytest.raises(CodecError, match="nested more than 64"):
        unpack(b"L\x01\x00\x00\x00" * 100_000 + b"N")


def test_a_key_must_be_text():
    with pytest.raises(CodecError, match="key must be text"):
        unpack(b"M\x01\x00\x00\x00NN")


def test_text_must_be_utf8():
    with pytest.raises(CodecError, match="not UTF-8"):
        unpack(b"S\x01\x00\x00\x00\xff")


def test_what_is_not_plain_data_is_named():
    with pytest.raises(TypeError, match="complex is not plain data: 1j"):
        pack(1j)


def test_what_cannot_be_read_back_is_not_written():
    deep: object = []
    for _ in range(70):
        deep = [deep]
    with pytest.raises(CodecError, match="more than 64 deep"):
        pack(deep)
    with pytest.raises(CodecError, match="64 bits"):
        pack(2**63)
