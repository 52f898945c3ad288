"""What the page is told is true, and what it is given is taken as it was meant."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bondline.run import Run
from bondline.web.guard import HEADERS, Door
from bondline.web.thin import thin
from tests.web.conftest import Page, TestClient, opened

MODEL = "pendulum"


def test_thinned_points_are_points_of_the_run() -> None:
    """Also where columns have their peaks at different instants, or none at all."""
    rng = np.random.default_rng(9)
    t = np.cumsum(rng.uniform(0.5, 1.5, 5003))
    y = {"a": rng.normal(size=5003), "b": np.where(t > t[2500], np.nan, np.cos(t))}
    at, found = thin(t, y, 200)
    where = np.searchsorted(t, at)
    np.testing.assert_array_equal(t[where], at)
    assert (at[0], at[-1]) == (t[0], t[-1])
    assert len(at) <= 400
    for name, values in found.items():
        np.testing.assert_array_equal(values, y[name][where])
        assert np.nanmax(values) == np.nanmax(y[name])
        assert np.nanmin(values) == np.nanmin(y[name])
    assert np.isnan(found["b"][at > t[2600]]).all()  # a gap stays one


def test_a_value_at_the_cursor_is_the_run_s_own(page: Page) -> None:
    results = Run(page.folder / "runs" / "short").results()
    names = ["joint.A.Fx", "window.iterations", "lower.com.x"]

    def at(t: float) -> list[float | None]:
        asked = {"name": names, "t": t}
        answer = page.client.get("/api/runs/short/at", params=asked)
        return list(answer.json()["values"])

    k, t = 7, results.t
    force, place = results.signals["joint.A.Fx"], results.signals["lower.com.x"]
    steps = float(results.windows["iterations"][k])  # of the window that ends at k + 1
    assert at(float(t[k])) == [
        force[k],
        float(results.windows["iterations"][k - 1]),
        place[k],
    ]
    between = 0.75 * t[k] + 0.25 * t[k + 1]
    lines = [np.interp(between, t, y) for y in (force, place)]
    assert at(float(between)) == pytest.approx([lines[0], steps, lines[1]], rel=1e-12)
    assert at(-1.0) == at(float(t[-1]) + 1.0) == [None] * 3


@pytest.mark.parametrize(
    ("changes", "flag"),
    [
        ({"until": "50ms"}, "--until 0.05s"),
        ({"until": "0.05"}, "--until 0.05s"),
        ({"step": 0.001}, "--step 0.001s"),
        ({"tolerance": "1e-6 mm"}, "--tol 1e-09"),
    ],
)
def test_settings_are_read_with_their_units(
    page: Page, changes: dict[str, Any], flag: str
) -> None:
    told = _tried(page.client, changes)
    assert "error" not in told
    assert told["command"] == f"bondline run {MODEL} {flag}"


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        ({"until": "soon"}, "end soon"),
        ({"until": 0}, "end 0"),
        ({"until": "0,5"}, "end 0,5"),
        ({"step": "3 kg"}, "step 3 kg"),
        ({"tolerance": "-1e-6"}, "tolerance -1e-6"),
    ],
)
def test_a_setting_that_is_no_amount_is_told_and_never_left_out(
    page: Page, changes: dict[str, Any], place: str
) -> None:
    error = _tried(page.client, changes)["error"]
    assert error["place"].startswith(place)
    assert error["finding"]
    assert error["remedy"]
    body = {"model": MODEL, "changes": changes}
    answer = page.client.post("/api/model/run", json=body)
    assert answer.status_code == 422
    assert answer.json()["error"]["place"].startswith(place)


def _tried(client: TestClient, changes: dict[str, Any]) -> dict[str, Any]:
    body = {"model": MODEL, "changes": changes}
    return dict(client.post("/api/model/try", json=body).json())


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/model/run", r'{"model":"pendulum","changes":{"scheme":"a\u0000"}}'),
        (
            "/api/model/run",
            r'{"model":"pendulum","changes":{"set":{"upper.mass":"\ud800"}}}',
        ),
        (
            "/api/model/try",
            r'{"model":"pendulum","changes":{"set":{"\ud800":"1"}}}',
        ),
        ("/api/model/try", r'{"model":"\ud800","changes":{}}'),
        ("/api/sweeps", r'{"model":"pendulum","set":["upper.mass=1,2\u0000"]}'),
        ("/api/model/try", '{"model":'),
    ],
)
def test_text_that_is_none_is_told_in_words(page: Page, path: str, body: str) -> None:
    headers = {"content-type": "application/json"}
    answer = page.client.post(path, content=body, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["error"]["finding"]
    assert HEADERS.items() <= dict(answer.headers).items()


def test_a_fault_of_ours_has_words_and_headers(page: Page) -> None:
    page.app.state.desk = None  # type: ignore[attr-defined]
    client = TestClient(
        page.app,
        base_url=str(page.client.base_url),
        cookies=dict(page.client.cookies),
        raise_server_exceptions=False,
    )
    answer = client.get("/api/runs")
    assert answer.status_code == 500
    assert "fault" in answer.json()["error"]["finding"]
    assert HEADERS.items() <= dict(answer.headers).items()


@pytest.mark.parametrize("name", ["my run", "ünï", "-dash", "x" * 120, "日本", 'a"b'])
def test_a_run_that_is_listed_can_be_opened(own: Page, name: str) -> None:
    """Whatever the command line takes for a name."""
    (own.folder / "runs" / "short").rename(own.folder / "runs" / name)
    (listed,) = own.client.get("/api/runs").json()["runs"]
    assert listed["id"] == name
    path = f"/api/runs/{name}"
    told = own.client.get(path).json()
    assert told["status"] == "done"
    exported = own.client.get(f"{path}/export.csv")
    assert exported.text.startswith("t,")
    assert "attachment" in exported.headers["content-disposition"]
    assert own.client.post(f"{path}/resume").status_code == 409  # it is done


def test_a_run_that_looks_like_a_flag_goes_by_its_path(own: Page) -> None:
    (own.folder / "runs" / "short").rename(own.folder / "runs" / "-dash")
    told = own.client.get("/api/runs/-dash").json()
    assert told["command"] == "bondline runs show runs/-dash"
    shown = own.app.state.desk.processes.wait(  # type: ignore[attr-defined]
        ["runs", "show", "runs/-dash"]
    )
    assert shown["id"] == "-dash"


def test_the_folder_itself_may_be_the_model(own: Page) -> None:
    here = opened(own.folder / MODEL)
    (listed,) = here.client.get("/api/models").json()["models"]
    assert listed == {"path": ".", "name": MODEL}
    told = here.client.get("/api/model", params={"path": "."}).json()
    assert told["problems"] == []


@pytest.mark.parametrize("name", ["docs", "tests", "src"])
def test_no_model_is_made_where_none_is_looked_for(page: Page, name: str) -> None:
    body = {"template": "double_pendulum", "name": name}
    answer = page.client.post("/api/models", json=body)
    assert answer.status_code == 409
    assert not (page.folder / name).exists()


def test_who_only_looks_may_ask_and_leaves_nothing(own: Page) -> None:
    looking = opened(own.folder, Door(port=8765, read_only=True)).client
    before = _files(own.folder)
    body: dict[str, Any] = {"a": "short", "reference": f"{MODEL}/reference.csv"}
    assert looking.post("/api/compare", json=body).status_code == 200
    assert "parameters" in _tried(looking, {"set": {"upper.mass": "3kg"}})
    moving = looking.get("/api/runs/short/animation", params={"to": "glb"})
    assert moving.content[:4] == b"glTF"
    assert looking.post("/api/runs/short/report", json={}).status_code == 403
    assert _files(own.folder) == before


def _files(folder: Path) -> dict[str, bytes]:
    kept = [p for p in folder.rglob("*") if p.is_file() and "sqlite-" not in p.name]
    return {str(p): p.read_bytes() for p in kept}


def test_a_wrong_request_is_told_by_the_name_of_its_field(page: Page) -> None:
    body = json.dumps({"a": "short", "rtol": -1.0})
    headers = {"content-type": "application/json"}
    answer = page.client.post("/api/compare", content=body, headers=headers)
    assert answer.json()["error"]["place"] == "rtol"
