"""Bodies held more often than they can move: the least forces, and a note."""

import pytest

from bondline.gluing import glue, joint
from bondline.leaves import body, ground
from bondline.run import Keep, simulate

WEIGHT = 9.81


def door(hinges, scheme):
    """A door of 1 kg, hung at its edge along z; a push across makes it swing."""
    leaf = {"Ixx": 0.1, "Iyy": 0.1, "Izz": 0.1, "gy": 3.0, "gz": -WEIGHT}
    edge = {"x": 0.5, "z": 0.5, "ax": -0.5, "az": -0.5, "bx": -0.5, "bz": 0.5}
    wall = [ground("low"), ground("high", z=1.0)][:hinges]
    ends = [("low.a", "door.a"), ("high.a", "door.b")][:hinges]
    joints = {p[0]: joint("revolute", *p, axis=(0, 0, 1)) for p in ends}
    names = {f"h{k}": j for k, j in enumerate(joints.values())}
    parts = [*wall, body("door", mass=1.0, **leaf, **edge)]
    return glue("hung", parts, names, scheme=scheme)


def swing(model):
    record = Keep()
    simulate(model, until=0.3, step=0.005, record=record)
    return record


@pytest.mark.parametrize(
    ("scheme", "repeated", "of"),
    [("constant/e", 5, 10), ("linear-discontinuous/e,v", 10, 20)],
)
def test_two_hinges_share_the_weight(scheme, repeated, of):
    twice, once = swing(door(2, scheme)), swing(door(1, scheme))
    notes = [note for frame in twice.frames for note in frame.notes]
    assert any(f"{repeated} of {of} interface conditions" in note for note in notes)
    two, one = twice.results().signals, once.results().signals
    for name in ("door.com.x", "door.com.y", "door.com.z"):
        assert two[name] == pytest.approx(one[name], abs=2e-7)
    for hinge in ("h0", "h1"):
        assert two[f"joint.{hinge}.Fz"][5:] == pytest.approx(-WEIGHT / 2, rel=1e-3) or (
            two[f"joint.{hinge}.Fz"][5:] == pytest.approx(WEIGHT / 2, rel=1e-3)
        )
    assert max(f.stats.get("condition", 0.0) for f in twice.frames) < 1e4


def test_one_hinge_repeats_nothing():
    frames = swing(door(1, "constant/e")).frames
    assert not [note for frame in frames for note in frame.notes]
