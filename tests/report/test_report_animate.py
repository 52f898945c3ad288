from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import lxml.html
import numpy as np
import pytest
from PIL import Image

from bondline.errors import UsageError
from bondline.report.animate import animate
from bondline.report.frames import frame_times
from bondline.report.player import player
from bondline.report.scene import scene
from bondline.run.results import Results


def test_a_gif_has_one_picture_every_fps_th_of_a_second(
    run: Results, tmp_path: Path
) -> None:
    path = animate(run, tmp_path / "a.gif")
    assert path.stat().st_size < 1_500_000
    with Image.open(path) as moving:
        assert moving.n_frames == 76  # 3 s at 25 a second, both ends
        assert moving.info["duration"] == 40
        assert moving.convert("RGB").getpixel((2, moving.height - 2)) == (255, 255, 255)


def test_a_gif_at_double_speed_has_half_the_pictures(
    run: Results, tmp_path: Path
) -> None:
    with Image.open(animate(run, tmp_path / "a.gif", fps=10, speed=2.0)) as moving:
        assert moving.n_frames == 16


def test_a_gif_is_the_same_bytes_each_time(run: Results, tmp_path: Path) -> None:
    paths = [animate(run, tmp_path / f"{k}.gif", fps=5) for k in range(2)]
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_the_player_runs_its_own_script_and_no_other(
    run: Results, tmp_path: Path
) -> None:
    text = animate(run, tmp_path / "a.html").read_text("utf-8")
    dom = lxml.html.document_fromstring(text)
    data, script = dom.xpath("//script")
    digest = hashlib.sha256(script.text.encode()).digest()
    (policy,) = dom.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert f"script-src 'sha256-{base64.b64encode(digest).decode()}'" in policy
    assert policy.startswith("default-src 'none'")
    assert not re.search(r"https?://|src=|href=", text)
    told = json.loads(data.text)
    assert len(told["t"]) == 76
    assert [part["name"] for part in told["parts"]] == ["upper", "lower"]
    np.testing.assert_allclose(
        told["parts"][1]["points"][-1], run.shapes["lower"][-1], atol=1e-5
    )


@pytest.mark.parametrize(
    "evil", ["</script><script>alert(1)</script>", "%%SCRIPT%%", "<!--<script>"]
)
def test_names_in_the_player_are_inert(evil: str, run: Results) -> None:
    odd = replace(run, model=evil, shapes={evil: run.shapes["lower"]})
    dom = lxml.html.document_fromstring(player(scene(odd), odd.model, 5.0, 1.0))
    data, _ = dom.xpath("//script")
    assert json.loads(data.text)["parts"][0]["name"] == evil
    assert dom.xpath("//h1")[0].text_content() == evil


def test_unknown_animation_format_lists_the_known(run: Results, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        animate(run, tmp_path / "a.avi")
    assert caught.value.place.endswith("a.avi")
    assert "'.avi'" in caught.value.finding
    assert caught.value.remedy == "Known: .gif, .glb, .html, .mp4."


def test_a_run_without_shapes_cannot_be_animated(run: Results, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        animate(replace(run, shapes={}), tmp_path / "a.gif")
    assert caught.value.place == "run r-1"
    assert "no part" in caught.value.finding
    assert "Plot its signals" in caught.value.remedy


@pytest.mark.parametrize(("fps", "speed"), [(0.0, 1.0), (25.0, -1.0), (25.0, np.nan)])
def test_impossible_rates_are_refused(
    fps: float, speed: float, run: Results, tmp_path: Path
) -> None:
    for suffix in (".gif", ".html"):
        with pytest.raises(UsageError, match=r"animate: \w+ is .* Give a positive"):
            animate(run, tmp_path / f"a{suffix}", fps=fps, speed=speed)


def test_a_film_that_is_too_long_suggests_a_speed_that_fits() -> None:
    t = np.array([0.0, 1000.0])
    with pytest.raises(UsageError) as caught:
        frame_times(t, 25.0, 1.0)
    assert "25001 pictures" in caught.value.finding
    advised = re.search(r"speed=([\d.]+)", caught.value.remedy)
    assert advised
    assert len(frame_times(t, 25.0, float(advised.group(1)))) <= 1500


def test_points_of_a_mechanism_are_told_apart(run: Results) -> None:
    seen = scene(run)
    np.testing.assert_array_equal(seen.supports[-1], [[0.0, 0.0]])
    np.testing.assert_array_equal(seen.joints, run.shapes["upper"][:, 1:])
    np.testing.assert_array_equal(seen.tips, run.shapes["lower"][:, 1:])


def test_every_point_stays_inside_the_box_at_all_times(run: Results) -> None:
    seen = scene(run)
    left, right, bottom, top = seen.box
    for points in seen.parts.values():
        assert ((points > [left, bottom]) & (points < [right, top])).all()


def test_a_mechanism_in_space_is_seen_without_shear_of_the_vertical(
    run: Results,
) -> None:
    n = len(run.t)
    post = np.tile([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]], (n, 1, 1))
    drawn = scene(replace(run, shapes={"post": post})).parts["post"]
    assert drawn.shape == (n, 2, 2)
    assert drawn[0, 0, 0] == drawn[0, 1, 0]
    assert drawn[0, 1, 1] > drawn[0, 0, 1]


def test_a_scene_at_its_own_instants_is_itself(run: Results) -> None:
    seen = scene(run)
    again = seen.at(seen.t)
    for name, points in seen.parts.items():
        np.testing.assert_array_equal(again.parts[name], points)


def _with_a_spatial_lower(run: Results, z: float) -> Results:
    """The lower bar as a part in space has it; its far end `z` out of the plane."""
    lower = np.pad(run.shapes["lower"], ((0, 0), (0, 0), (0, 1)))
    lower[:, 1, 2] = z
    return replace(run, shapes={**run.shapes, "lower": lower})


def test_glued_points_of_planar_and_spatial_parts_are_drawn_in_one_place(
    run: Results,
) -> None:
    """Joints couple x with x and y with y: the plane is z = 0 of the space."""
    for z in (0.0, 0.5):
        drawn = scene(_with_a_spatial_lower(run, z))
        np.testing.assert_allclose(
            drawn.parts["upper"][:, -1], drawn.parts["lower"][:, 0], atol=1e-12
        )
        assert drawn.joints.shape[1] == 1
        assert drawn.oblique is (z > 0.0)
    flat = scene(_with_a_spatial_lower(run, 0.0))
    np.testing.assert_array_equal(flat.parts["lower"], run.shapes["lower"])
