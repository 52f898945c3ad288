"""The page shows what the store holds, and does what the command line does."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

import numpy as np
import pytest

from bondline.run import Run
from bondline.run.lock import only_writer
from bondline.web.bundle import unbundle
from bondline.web.columns import Columns
from bondline.web.processes import Failure, Processes
from bondline.web.project import Project
from tests.web.conftest import Page, live_of

WRONG = (
    "..",
    "../..",
    "/etc/passwd",
    "a\0b",
    "short'; DROP TABLE run; --",
    "%2e%2e",
    "",
)
SQL = (
    "' OR '1'='1",
    "1; DROP TABLE windows",
    "joint.A.Fx' UNION SELECT sql FROM sqlite_master --",
    '{"$gt": ""}',
    "name) ORDER BY 1--",
)


def test_series_are_the_results_to_the_last_bit(page: Page) -> None:
    results = Run(page.folder / "runs" / "short").results()
    names = ["joint.A.Fx", "lower.com.x", "window.iterations", "energy.stored"]
    answer = page.client.get("/api/runs/short/series", params={"name": names})
    about, arrays = unbundle(answer.content)
    assert about["names"] == names
    assert not about["thinned"]
    np.testing.assert_array_equal(arrays["t"], results.t)
    np.testing.assert_array_equal(arrays["0"], results.signals["joint.A.Fx"])
    np.testing.assert_array_equal(arrays["1"], results.signals["lower.com.x"])
    np.testing.assert_array_equal(arrays["2"][1:], results.windows["iterations"])
    np.testing.assert_array_equal(arrays["3"][1:], results.windows["energy.stored"])


def test_what_was_read_does_not_grow_while_others_look(page: Page) -> None:
    kept = Columns(Run(page.folder / "runs" / "short"))
    seen = kept.refresh()
    before = len(seen.t)
    kept.pieces.append(kept.pieces[0])  # as a later look by another thread does
    assert len(seen.t) == len(seen.get("joint.A.Fx")) == before


def test_everything_that_is_listed_can_be_read(page: Page) -> None:
    told = page.client.get("/api/runs/short/signals").json()
    results = Run(page.folder / "runs" / "short").results()
    units = {s["name"]: s["unit"] for s in told["signals"]}
    assert results.units.items() <= units.items()
    answer = page.client.get("/api/runs/short/series", params={"name": list(units)})
    assert answer.status_code == 200


def test_motion_is_where_the_shapes_are(page: Page) -> None:
    results = Run(page.folder / "runs" / "short").results()
    still = unbundle(page.client.get("/api/runs/short/scene").content)[0]
    assert [p["name"] for p in still["parts"]] == ["upper", "lower"]
    assert still["planar"]
    moving = unbundle(page.client.get("/api/runs/short/motion").content)[1]
    np.testing.assert_array_equal(moving["t"], results.t)
    x = results.shapes["lower"].astype(np.float32)
    np.testing.assert_array_equal(moving["1.x"][:, :, [0, 2]], x)
    few = unbundle(page.client.get("/api/runs/short/motion?most=5").content)[1]
    assert len(few["t"]) == 5
    assert few["t"][-1] == results.t[-1]


@pytest.mark.parametrize("name", [*WRONG, *SQL])
def test_names_that_are_none_are_refused_alike(page: Page, name: str) -> None:
    """SEC-06: the class of the answer does not depend on the payload."""
    for path, params in (
        (f"/api/runs/{quote(name, safe='')}/signals", {}),
        ("/api/runs/short/series", {"name": [name]}),
        ("/api/model", {"path": name}),
        ("/api/model/source", {"path": "pendulum", "file": name}),
        ("/api/compare/series", {"a": "short", "reference": name, "signal": "t"}),
    ):
        answer = page.client.get(path, params=params)
        assert answer.status_code in (404, 409), (path, answer.text)
        assert "sqlite" not in answer.text.lower().replace(name.lower(), "")


def test_a_model_a_wrong_value_and_the_same_mended(page: Page) -> None:
    told = page.client.get("/api/model", params={"path": "pendulum"}).json()
    assert [p["name"] for p in told["tree"]["parts"]] == ["upper", "lower"]
    assert told["problems"] == []
    assert "error" not in told
    changes = {"set": {"upper.mass": "-3 kg"}}
    body = {"model": "pendulum", "changes": changes}
    told = page.client.post("/api/model/try", json=body).json()
    assert "mass" in told["error"]["finding"] + told["error"]["place"]
    changes["set"]["upper.mass"] = "3 m"
    told = page.client.post("/api/model/try", json=body).json()
    assert "mass" in told["error"]["finding"] + told["error"]["place"]
    changes["set"]["upper.mass"] = "12kg"
    told = page.client.post("/api/model/try", json=body).json()
    mass = next(p for p in told["parameters"] if p["name"] == "upper.mass")
    assert mass["value"] == 12.0
    assert told["command"] == "bondline run pendulum --set upper.mass=12kg"


def test_a_file_is_edited_only_as_it_was_read(own: Page) -> None:
    where = {"path": "pendulum", "file": "SystemStructure.ssd"}
    read = own.client.get("/api/model/source", params=where).json()
    wrong = read["text"].replace('name="upper"', 'name="lower"')
    body = {"model": "pendulum", "file": where["file"], "text": wrong}
    answer = own.client.put("/api/model/source", json={**body, "before": "0" * 64})
    assert answer.status_code == 409
    answer = own.client.put(
        "/api/model/source", json={**body, "before": read["digest"]}
    )
    assert answer.status_code == 200
    told = own.client.get("/api/model", params={"path": "pendulum"}).json()
    problems = told["problems"]
    assert problems
    assert "error" not in told  # which would say the same once more
    assert problems[0]["file"] == where["file"]
    assert problems[0]["line"]


def test_compared_with_its_reference(page: Page) -> None:
    body = {"a": "short", "reference": "pendulum/reference.csv", "rtol": 0.02}
    told = page.client.post("/api/compare", json=body).json()
    assert told["ok"]
    assert told["command"].startswith("bondline compare short --ref")
    params = {"a": "short", "reference": body["reference"], "signal": "lower.com.x"}
    answer = page.client.get("/api/compare/series", params=params)
    arrays = unbundle(answer.content)[1]
    np.testing.assert_array_equal(arrays["a"] - arrays["b"], arrays["d"])


def test_the_export_of_a_run_is_the_last_reference_to_offer(own: Page) -> None:
    data = own.client.get("/api/runs/short/export.csv").content
    (own.folder / "a.csv").write_bytes(data)
    told = own.client.get("/api/runs/short/references").json()["references"]
    assert [(r["path"], r["export"]) for r in told] == [
        ("pendulum/reference.csv", False),
        ("a.csv", True),
    ]


def test_variants_say_of_which_sweep_they_are(own: Page) -> None:
    made = own.folder / "sweeps" / "masses"
    made.mkdir(parents=True)
    (made / "sweep.sqlite").touch()
    for name in ("masses.0003", "other.0003"):
        shutil.copytree(own.folder / "runs" / "short", own.folder / "runs" / name)
    told = own.client.get("/api/runs").json()["runs"]
    sweeps = {run["id"]: run["sweep"] for run in told}
    assert (sweeps["short"], sweeps["masses.0003"]) == (None, "masses")
    assert sweeps["other.0003"] is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"set": ["uper.mass=1..2kg:2"]}, "uper.mass"),
        ({"set": ["upper.mass=1...2kg"]}, "upper.mass"),
        ({"set": ["upper.mass"]}, "upper.mass"),
        ({"set": ["upper.mass=1..2kg:2"], "results": ["x:maximum"]}, "maximum"),
    ],
)
def test_a_sweep_that_cannot_begin_is_told_before(
    page: Page, given: dict[str, list[str]], words: str
) -> None:
    answer = page.client.post("/api/sweeps", json={"model": "pendulum", **given})
    assert answer.status_code >= 400
    error = answer.json()["error"]
    assert words in error["place"] + error["finding"]
    assert page.client.get("/api/sweeps").json()["sweeps"] == []


def test_exported_as_the_command_line_does(page: Page) -> None:
    from bondline.run import csv_lines

    text = page.client.get("/api/runs/short/export.csv").text
    results = Run(page.folder / "runs" / "short").results()
    assert text.splitlines() == list(csv_lines(results))


def test_dropped_files_land_in_the_project_and_nowhere_else(own: Page) -> None:
    put = own.client.post(
        "/api/files", params={"name": "rig.csv"}, content=b"t,x\n0,1\n"
    )
    assert put.status_code == 201
    assert (own.folder / "rig.csv").is_file()
    assert "rig.csv" in own.client.get("/api/models").json()["tables"]
    for name in ("rig.csv", "../rig.csv", ".hidden.csv", "a.sh", "a/b.csv"):
        answer = own.client.post("/api/files", params={"name": name}, content=b"x")
        assert answer.status_code == 409


def _until(page: Page, run: str, *wanted: str) -> dict[str, object]:
    """Wait for a process that is not ours to wait for."""
    told: dict[str, object] = {}
    for _ in range(600):
        told = page.client.get(f"/api/runs/{run}").json()
        if told["status"] in wanted:
            return told
        time.sleep(0.05)
    raise AssertionError(f"{run} never was {wanted}: {told}")


def test_a_run_is_started_stopped_and_resumed_without_the_server(own: Page) -> None:
    body = {"model": "pendulum", "changes": {"until": 40.0, "step": 0.001}}
    started = own.client.post("/api/model/run", json=body).json()
    assert started["command"] == (
        "bondline run pendulum --until 40.0s --step 0.001s --watch"
    )
    run = started["run"]
    process = own.app.state.desk.processes.started[run]  # type: ignore[attr-defined]
    _until(own, run, "running")
    with own.client.websocket_connect(live_of(run)) as live:
        assert live.receive_json()["status"] in ("running", "starting")
    import os

    assert os.getsid(process.pid) != os.getsid(0)  # our end is not its end
    assert own.client.post(f"/api/runs/{run}/pause").status_code == 200
    _until(own, run, "paused")
    assert own.client.post(f"/api/runs/{run}/stop").status_code == 200
    stopped = _until(own, run, "interrupted", "done")
    process.wait(30)
    assert stopped["status"] == "interrupted"
    assert stopped["windows"]
    assert own.client.post(f"/api/runs/{run}/stop").status_code == 409
    answer = own.client.post(f"/api/runs/{run}/resume")
    assert answer.json()["command"] == f"bondline run --resume {run} --watch"
    again = own.app.state.desk.processes.started[run]  # type: ignore[attr-defined]
    _until(own, run, "running")
    own.client.post(f"/api/runs/{run}/stop")
    again.wait(30)


def test_two_processes_never_share_a_log(own: Page) -> None:
    processes: Processes = own.app.state.desk.processes  # type: ignore[attr-defined]
    waits = [sys.executable, "-c", "input()"]
    with subprocess.Popen(waits, stdin=subprocess.PIPE) as first:
        processes.started["short"] = first
        answer = own.client.post("/api/runs/short/resume")
        first.communicate(b"\n")
    assert answer.status_code == 409
    assert "at work on it" in answer.json()["error"]["finding"]
    assert not (own.folder / "runs" / ".web" / "short.out").exists()


def test_a_writer_that_is_gone_is_told(own: Page) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    run = own.folder / "runs" / "short"
    with only_writer(run):
        (run / "lock").write_text(f"{gone.pid}\n")
        answer = own.client.post("/api/runs/short/continue")
    assert answer.status_code == 409
    assert "cannot be reached" in answer.json()["error"]["finding"]


def test_a_command_that_takes_too_long_is_told(page: Page) -> None:
    processes = Processes(Project(page.folder), patience=0.0)
    with pytest.raises(Failure, match="not done after 0 s"):
        processes.wait(["runs"])


def test_a_run_that_cannot_begin_says_why(own: Page) -> None:
    body = {"model": "pendulum", "changes": {"set": {"upper.mass": "-1kg"}}}
    run = own.client.post("/api/model/run", json=body).json()["run"]
    told = _until(own, run, "failed")
    own.app.state.desk.processes.started[run].wait(30)  # type: ignore[attr-defined]
    assert "mass" in str(told["error"])


def test_a_name_that_is_a_script_stays_a_name(own: Page) -> None:
    """Names come back as JSON and only as JSON; the page puts them into text nodes."""
    evil = own.folder / "runs" / "<img src=x onerror=alert(1)>"
    (own.folder / "runs" / "short").rename(evil)
    answer = own.client.get("/api/runs")
    assert answer.headers["content-type"] == "application/json"
    assert answer.status_code == 200


def test_there_is_no_way_out_by_links(own: Page, tmp_path: Path) -> None:
    (tmp_path / "secret.csv").write_text("t,x\n0,1\n")
    (own.folder / "link.csv").symlink_to(tmp_path / "secret.csv")
    body = {"a": "short", "reference": "link.csv"}
    assert own.client.post("/api/compare", json=body).status_code == 404
    (own.folder / "pendulum" / "link.csv").symlink_to(tmp_path / "secret.csv")
    asked = {"path": "pendulum", "file": "link.csv"}
    assert own.client.get("/api/model/source", params=asked).status_code == 404
