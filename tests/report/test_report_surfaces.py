"""Pictures of surfaces: what is near hides what is far, colours mean values."""

from __future__ import annotations

from dataclasses import replace

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from numpy.testing import assert_allclose, assert_array_equal
from PIL import Image
from tests.report.surfaces import NONE, seen, sheet, skins

from bondline.core import Skin
from bondline.errors import UsageError
from bondline.report.animate import animate_surfaces
from bondline.report.camera import VIEWS, Camera, camera
from bondline.report.canvas import save
from bondline.report.facets import corners, edges, finer, normals
from bondline.report.mesh_gif import alike, instants
from bondline.report.meshes import (
    Look,
    at_rest,
    largest,
    moved,
    nearest,
    plates_of,
    vibrating,
)
from bondline.report.render import Picture, draw, natural_scale, painter
from bondline.report.strings import strings_of


def strokes(picture: Picture):
    return painter(picture).strokes(picture.bodies())


def filled(found):
    return found.face[:, 3] > 0.0


@pytest.mark.parametrize("name", VIEWS)
def test_a_camera_turns_and_does_not_stretch(name):
    axes = camera(name).axes
    assert_allclose(axes @ axes.T, np.eye(3), atol=1e-15)
    assert_allclose(np.linalg.det(axes), 1.0)


def test_the_named_views_show_what_they_say():
    x, y, z = np.eye(3)
    zero = np.zeros(3)
    assert_allclose(camera("front").project(x, zero, 1.0), [1, 0, 0], atol=1e-15)
    assert_allclose(camera("front").project(z, zero, 1.0), [0, 1, 0], atol=1e-15)
    assert_allclose(camera("top").project(y, zero, 1.0), [0, 1, 0], atol=1e-15)
    assert_allclose(camera("top").project(z, zero, 1.0), [0, 0, 1], atol=1e-15)


def test_in_perspective_what_is_near_is_large():
    near, far = np.array([1.0, 0.0, 0.0]), np.array([1.0, 2.0, 0.0])
    seen_from = replace(camera("front"), distance=3.0)
    a, b = (seen_from.project(p, np.zeros(3), 1.0) for p in (near, far))
    assert a[0] > b[0] > 0.0


@pytest.mark.parametrize("text", ["isoo", "10", "10,100", "nan,0", "a,b"])
def test_a_view_that_is_none_is_refused(text):
    with pytest.raises(UsageError) as caught:
        camera(text)
    assert text in caught.value.place
    assert "angles" in caught.value.finding
    assert "-60,20" in caught.value.remedy


def test_polygons_are_painted_from_far_to_near():
    found = strokes(at_rest("m", skins()))
    assert (np.diff(found.near) >= 0.0).all()


def test_seen_from_above_the_upper_part_is_painted_last():
    look = Look(camera=camera("top"), marks=False)
    picture = at_rest("m", skins(), look)
    found = strokes(picture)
    faces = found.face[filled(found)]
    last = faces[-5:]  # the five facets of `high`
    first = strokes(at_rest("m", {"low": skins()["low"]}, look))
    assert_allclose(faces[: len(faces) - 5], first.face[filled(first)])
    assert not np.isclose(last, faces[0]).all()


def test_every_facet_every_edge_every_bar_and_every_node_of_a_port_is_there():
    one = {"p": sheet(3, 0.0)}
    found = strokes(at_rest("m", one))
    facets, outline, bars, dots = 8 + 2, 12, 1, 4
    assert len(found.near) == facets + outline + bars + dots
    bare = strokes(at_rest("m", one, Look(marks=False)))
    assert len(bare.near) == facets + outline + bars


def test_outlines_are_the_free_and_the_sharp_edges():
    flat = sheet(4, 0.0)
    quads = corners(flat)
    found = edges(quads, normals(flat.points[quads]))
    assert len(found.ends) == 16
    bent = flat.points.copy()
    bent[:, 2] = np.maximum(bent[:, 0] - 0.5, 0.0)  # 45 degrees along x = 0.5
    more = edges(quads, normals(bent[quads]))
    assert len(more.ends) == 16 + 4
    assert_allclose(bent[more.ends][len(more.ends) :, :, 0], np.zeros((0, 2)))


def test_finer_facets_cover_the_same_area():
    x = np.array([[[0.0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]]])
    four = finer(x)[0]
    cross = np.cross(four[:, 2] - four[:, 0], four[:, 3] - four[:, 1])
    assert_allclose(0.5 * np.abs(cross[:, 2]), 0.5)


def test_colours_are_those_of_the_colour_bar():
    picture = moved("m", skins(), seen()[-1], Look("displacement"))
    assert picture.shown is not None
    assert picture.shown.unit == "mm"
    assert picture.shown.top == pytest.approx(4.0)
    paint = painter(picture)
    values = np.array([0.0, 2.0, 4.0, 9.0])
    expected = mpl.colormaps["viridis"]([0.0, 0.5, 1.0, 1.0])[:, :3]
    assert_allclose(paint.colors(values), expected)


def test_displacements_are_drawn_larger_by_the_scale():
    state = seen()[-1]
    picture = moved("m", skins(), state, Look(scale=100.0))
    rest = skins()["high"].points
    assert_allclose(
        picture.moved("high") - rest, 100.0 * state.parts["high"].displacement
    )
    assert "× 100" in picture.note


def test_motions_that_can_be_seen_are_not_drawn_smaller():
    state = seen()[-1]
    far = {n: replace(d, displacement=1e3 * d.displacement)
           for n, d in state.parts.items()}  # fmt: skip
    assert moved("m", skins(), replace(state, parts=far)).scale == 1.0
    assert moved("m", skins(), state).scale > 1.0


def test_a_scale_is_round_and_shows_a_sixteenth_of_the_model_at_most():
    parts = skins()
    for size in (1e-9, 3.3e-4, 0.02, 7.0):
        scale = natural_scale(parts, size)
        assert scale * size <= 1.5 / 16.0
        assert scale * size > 1.5 / 16.0 / 2.6
        assert f"{scale:.0e}"[0] in "125"
    assert natural_scale(parts, 0.0) == 1.0


def test_the_largest_motion_is_found_and_instants_are_between_two():
    states = seen()
    assert largest(states).t == states[-1].t
    half = nearest("m", states, 0.15)
    u = half.parts["high"].displacement
    assert_allclose(u, 1.5 * states[1].parts["high"].displacement)
    assert nearest("m", states, 0.4).parts["high"].displacement.max() == 4e-3
    with pytest.raises(UsageError) as caught:
        nearest("m", states, 0.9)
    assert "0.9" in caught.value.place
    assert "0.4 s" in caught.value.finding
    assert "0.4s" in caught.value.remedy


def test_a_mode_has_no_size():
    shape = seen()[-1].parts
    twice = {n: replace(d, displacement=2.0 * d.displacement) for n, d in shape.items()}
    one, two = (vibrating("m", skins(), s, 6.2832) for s in (shape, twice))
    assert_allclose(one.moved("high"), two.moved("high"))
    assert one.note == "1 Hz"
    assert one.shown is not None
    assert one.shown.largest == 1.0
    assert max(v.max() for v in one.shown.values.values()) == pytest.approx(1.0)
    with pytest.raises(UsageError, match="no part that shows its surface moves"):
        vibrating("m", skins(), seen()[0].parts, 1.0)
    with pytest.raises(UsageError, match="no size"):
        vibrating("m", skins(), shape, 1.0, Look("stress"))


def test_stress_is_drawn_where_all_parts_show_it():
    shown = moved("m", skins(True), seen(stressed=True)[-1], Look("stress")).shown
    assert shown is not None
    assert (shown.unit, shown.top) == ("MPa", pytest.approx(4.0))
    with pytest.raises(UsageError) as caught:
        moved("m", skins(), seen()[-1], Look("stress"))
    assert caught.value.place == "m: color 'stress'"
    assert "low shows no stress" in caught.value.finding
    assert 'draw="stress"' in caught.value.remedy


def test_a_colouring_that_is_none_is_refused():
    with pytest.raises(UsageError) as caught:
        Look("displacment")
    assert "displacment" in caught.value.place
    assert "Did you mean 'displacement'" in caught.value.remedy
    with pytest.raises(UsageError, match="nothing moves"):
        at_rest("m", skins(), Look("displacement"))


@pytest.mark.parametrize("nothing", [{}, {"p": Skin(np.zeros((0, 3)), *[NONE] * 4)}])
def test_a_model_that_shows_nothing_is_refused(nothing):
    with pytest.raises(UsageError) as caught:
        draw(Picture("m", nothing))
    assert caught.value.place == "m"
    assert "no part shows its surface" in caught.value.finding
    assert 'draw="mesh"' in caught.value.remedy
    assert plates_of("m", nothing, []) == []


def test_a_figure_has_all_polygons_and_is_the_same_every_time(tmp_path):
    picture = moved("m", skins(), seen()[-1])
    figure = draw(picture)
    (found,) = (c for c in figure.axes[0].collections if isinstance(c, PolyCollection))
    assert len(found.get_paths()) == len(strokes(picture).near)
    files = [save(draw(picture), tmp_path / f"{k}.svg") for k in "ab"]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert b"displacement [mm]" in files[0].read_bytes()


def test_a_report_shows_parts_and_the_largest_motion():
    plain = plates_of("m", skins(), seen())
    assert [p.key for p in plain] == ["mesh", "moved"]
    assert "0.004 m" in plain[1].caption
    more = plates_of("m", skins(True), seen(stressed=True))
    assert [p.key for p in more] == ["mesh", "moved", "stress"]
    assert [p.key for p in plates_of("m", skins(), seen(1))] == ["mesh"]


def test_pictures_of_an_animation_differ_in_what_moves_only():
    times = instants(seen(), 25.0, None)
    assert_allclose(times, [0.0, 0.1, 0.2, 0.3, 0.4])
    assert len(instants(seen(), 10.0, 0.5)) == 9
    found = alike("m", skins(), seen(), Look(), times)
    assert len({p.box for p in found}) == len({p.scale for p in found}) == 1
    assert {round(p.shown.top, 9) for p in found if p.shown} == {4.0}
    assert {p.shown.unit for p in found if p.shown} == {"mm"}


def test_surfaces_become_a_gif(tmp_path):
    surfaces = (skins(), seen(3))
    path = animate_surfaces("m", surfaces, tmp_path / "x.gif")
    with Image.open(path) as image:
        assert image.n_frames == 3
    with pytest.raises(UsageError, match="not animated as HTML"):
        animate_surfaces("m", surfaces, tmp_path / "x.html")
    with pytest.raises(UsageError, match="nothing was recorded"):
        animate_surfaces("m", (skins(), []), tmp_path / "x.gif")


def test_the_default_view_is_from_the_front_and_above():
    assert_array_equal(Camera().axes, camera("iso").axes)
    assert Camera().axes[2, 2] > 0.0


def test_mechanisms_beside_surfaces_are_drawn_where_they_are(tmp_path):
    """Lines of parts without a surface; nothing is enlarged then."""
    t, name = np.array([s.t for s in seen(3)]), next(iter(skins()))
    line = np.zeros((len(t), 2, 3))
    line[:, 1, 0], line[:, :, 2] = 1.0, t[:, None]
    shapes = {"car.rod": line, f"{name}.line0": line, "flat.bar": line[..., :2]}
    beside = strings_of(t, shapes, skins())
    assert beside is not None
    assert list(beside.lines) == ["car.rod"]
    assert_allclose(beside.at(0.11)[0][:, 2], t[1])
    assert strings_of(t, {}, skins()) is None
    surfaces = (skins(), seen(3))
    path = animate_surfaces("m", surfaces, tmp_path / "x.gif", strings=beside)
    alone = animate_surfaces("m", surfaces, tmp_path / "y.gif")
    with Image.open(path) as image:
        assert image.n_frames == 3
    assert path.read_bytes() != alone.read_bytes()
