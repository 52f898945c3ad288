"""A first hour with the page, in a browser: from a template to a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Server, end, serve

AXE = Path(__file__).resolve().parents[2] / "web/node_modules/axe-core/axe.min.js"
SLOW = 60_000.0  # ms; the machine may be busy


@pytest.fixture
def tab(browser: Any, server: Server) -> Iterator[Any]:
    """A tab that has opened the page; nothing may go wrong in it."""
    context = browser.new_context(
        viewport={"width": 1440, "height": 860}, accept_downloads=True
    )
    context.set_default_timeout(SLOW)
    page, wrong = context.new_page(), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if _grave(m) else None)
    page.goto(server.url)
    yield page
    context.close()
    assert wrong == []


def _grave(message: Any) -> bool:
    """Errors of the page; a 404 it asks about on purpose is told as one, too."""
    return message.type == "error" and "404" not in message.text


@pytest.fixture
def shot(tab: Any, shots: Path) -> Callable[[str], None]:
    return lambda name: tab.screenshot(path=str(shots / f"{name}.png"))


def test_what_is_not_there_is_told(tab: Any, server: Server) -> None:
    from playwright.sync_api import expect

    for name in ("nothing", "%E0%A4%A"):
        tab.goto(f"{server.home}#/model/{name}")
        expect(tab.get_by_text("there is no such model")).not_to_have_count(0)


def test_from_a_template_to_a_report(
    tab: Any, server: Server, shot: Callable[[str], None]
) -> None:
    from playwright.sync_api import expect

    expect.set_options(timeout=SLOW)
    assert "token" not in tab.url, "the token left the address"
    _make(tab, server, shot)
    _draft(tab)
    _mistake(tab, shot)
    _watch(tab, shot)
    tab.goto(f"{server.home}#/model/double_pendulum")  # as it is in the file
    expect(tab.get_by_test_id("verdict")).to_contain_text("0 errors")
    tab.get_by_role("button", name="Run ▸").click()
    expect(tab.get_by_test_id("status")).to_contain_text("done")
    run = tab.url.rpartition("/")[2]
    tab.get_by_role("button", name="Results").click()
    _scrub(tab, shot)
    with tab.expect_download() as saved:
        tab.get_by_label("Export").select_option("csv")
    assert Path(saved.value.path()).read_text().startswith("t,")
    _compare(tab, shot)
    tab.goto(f"{server.home}#/report/{run}")
    tab.get_by_role("button", name="Make the report").click()
    inside = tab.frame_locator("iframe")
    expect(inside.get_by_role("heading").first).to_be_visible()
    shot("report")
    tab.goto(f"{server.home}#/")
    expect(tab.get_by_text(run, exact=True)).to_be_visible()
    expect(tab.get_by_test_id("command")).to_have_text("bondline runs")


def _make(tab: Any, server: Server, shot: Callable[[str], None]) -> None:
    from playwright.sync_api import expect

    tab.get_by_role("button", name=re.compile("^double_pendulum")).click()
    shot("home")
    tab.get_by_role("button", name="Create").click()
    expect(tab.get_by_test_id("verdict")).to_contain_text("0 errors")
    assert (server.folder / "double_pendulum" / "SystemStructure.ssd").is_file()


def _mistake(tab: Any, shot: Callable[[str], None]) -> None:
    """A wrong value is told at once, and mended."""
    from playwright.sync_api import expect

    mass, trouble = tab.get_by_label("upper.mass"), tab.get_by_test_id("trouble")
    mass.fill("-3 kg")
    mass.press("Enter")
    expect(trouble).to_contain_text("mass")
    expect(tab.get_by_role("button", name="Run ▸")).to_be_disabled()
    shot("model_wrong")
    tab.get_by_role("button", name="Undo").click()
    expect(tab.get_by_test_id("verdict")).to_contain_text("0 errors")
    mass.fill("12 kg")
    mass.press("Enter")
    command = tab.get_by_test_id("command")
    expect(command).to_contain_text("--set 'upper.mass=12 kg'")
    end = tab.get_by_label("end", exact=True)
    end.fill("soon")
    end.press("Enter")
    expect(trouble).to_contain_text("end soon")
    tab.get_by_role("button", name="Check").click()  # with what was changed
    expect(tab.get_by_role("button", name="Run ▸")).to_be_disabled()
    for name, value in (("end", "60"), ("step", "2ms")):
        tab.get_by_label(name, exact=True).fill(value)
        tab.get_by_label(name, exact=True).press("Enter")
    expect(command).to_contain_text("--step 0.002s")
    shot("model")


def _draft(tab: Any) -> None:
    """What was typed is there again after one looked elsewhere."""
    from playwright.sync_api import expect

    editor = tab.get_by_label(re.compile("^Source of"))
    files = [
        tab.get_by_role("button", name=re.compile(f"^{name}"))
        for name in ("SystemStructure.ssd", "reference.csv")
    ]
    files[0].click()
    expect(editor).to_have_value(re.compile("^<"))
    editor.fill("<!-- mine -->")
    files[1].click()
    expect(editor).to_have_value(re.compile("^t,"))
    tab.get_by_role("link", name="Home", exact=True).click()
    tab.go_back()
    expect(editor).to_have_value("<!-- mine -->")
    tab.get_by_role("button", name="Revert").click()
    tab.get_by_role("button", name="Diagram").click()


def _watch(tab: Any, shot: Callable[[str], None]) -> None:
    """Live, stopped, resumed, stopped."""
    from playwright.sync_api import expect

    status, reached = tab.get_by_test_id("status"), tab.get_by_test_id("reached")
    stop = tab.get_by_role("button", name="Stop + checkpoint")
    tab.get_by_role("button", name="Run ▸").click()
    expect(status).to_contain_text("running")
    expect(tab.get_by_role("img", name=re.compile("window.residual"))).to_be_visible()
    expect(reached).not_to_have_text(reached.inner_text())  # it moves on
    shot("cockpit")
    stop.click()
    expect(status).to_contain_text("interrupted")
    tab.get_by_role("button", name="Resume").click()
    expect(status).to_contain_text("running")
    stop.click()
    expect(status).to_contain_text("interrupted")


def _compare(tab: Any, shot: Callable[[str], None]) -> None:
    from playwright.sync_api import expect

    tab.get_by_role("button", name="Compare").click()
    expect(tab.get_by_test_id("agree")).to_contain_text("out of tolerance")
    tab.get_by_label("rtol").fill("0.02")
    tab.get_by_label("rtol").press("Enter")
    expect(tab.get_by_test_id("agree")).to_contain_text("all 8 agree")
    shot("compare")


def _until(tab: Any, words: str) -> None:
    """Playwright would have them evaluated in the page, which its policy forbids."""
    for _ in range(600):
        if tab.evaluate(words):
            return
        tab.wait_for_timeout(50)
    raise AssertionError(f"never: {words}")


def _scrub(tab: Any, shot: Callable[[str], None]) -> None:
    """The slider, the plots and the picture are at one instant."""
    from playwright.sync_api import expect

    _until(tab, "window.bondline?.view?.t.length > 100")
    instant = tab.get_by_label("Instant")
    instant.fill("1.5")
    expect(tab.get_by_test_id("now")).to_have_text("1.5 s")
    _until(tab, "Math.abs(window.bondline.view.time - 1.5) < 1e-6")
    plot = tab.get_by_role("img", name=re.compile("joint.A.Fx"))
    box = plot.bounding_box()
    shot("results")
    plot.click(position={"x": 0.8 * box["width"], "y": box["height"] / 2})
    _until(tab, "window.bondline.view.time > 1.6")  # a click goes there
    instant.press("ArrowLeft")
    tab.keyboard.press("Home")
    expect(tab.get_by_test_id("now")).to_have_text("0 s")
    tab.locator("h1").click()
    tab.keyboard.press("Space")
    _until(tab, "window.bondline.view.time > 0")  # it plays
    tab.keyboard.press("Space")
    tab.keyboard.press("/")
    tab.keyboard.type("com.vx")
    expect(tab.get_by_role("button", name="vx m/s")).to_be_visible()
    tab.keyboard.press("Escape")


@pytest.mark.full
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_out(
    browser: Any,
    made: Path,
    shots: Path,
    scheme: str,
) -> None:
    """axe finds no violation on any screen, in light and in dark."""
    if not AXE.is_file():
        pytest.skip("axe-core is not here: npm ci in web/")
    server = serve(made, "--read-only")
    context = browser.new_context(
        viewport={"width": 1440, "height": 860}, color_scheme=scheme
    )
    context.set_default_timeout(SLOW)
    tab, found = context.new_page(), {}
    tab.goto(server.url)
    try:
        for name, path in SCREENS.items():
            tab.goto(f"{server.home}#{path}")
            tab.wait_for_selector("h1")
            tab.wait_for_timeout(1500)
            # the policy of the page forbids scripts that are not ours: it goes around
            tab.evaluate(AXE.read_text(encoding="utf-8"))
            told = tab.evaluate("axe.run()")["violations"]
            found[name] = [(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in told]
            tab.screenshot(path=str(shots / f"{scheme}_{name}.png"))
    finally:
        context.close()
        end(server)
    assert {name: bad for name, bad in found.items() if bad} == {}


SCREENS = {
    "home": "/",
    "model": "/model/pendulum",
    "run": "/run/short",
    "results": "/results/short",
    "compare": "/compare?a=short",
    "report": "/report/short",
    "sweep": "/sweep",
    "partners": "/partners",
}


@pytest.mark.full
def test_values_at_the_cursor_are_those_of_the_run(
    browser: Any, tmp_path: Path, project: Path
) -> None:
    """The plots show some of its instants; the numbers beside them know all."""
    import numpy as np
    from playwright.sync_api import expect

    from bondline.cli import main
    from bondline.run import open_run

    model = str(project / "examples" / "double_pendulum")
    command = ["--quiet", "--project", str(tmp_path), "run", model, "--name", "long"]
    assert main([*command, "--until", "3s", "--step", "1ms"]) == 0
    results = open_run(tmp_path / "runs" / "long").results()
    server = serve(tmp_path, "--read-only")
    context = browser.new_context(viewport={"width": 1440, "height": 860})
    context.set_default_timeout(SLOW)
    tab = context.new_page()
    try:
        tab.goto(server.url)
        tab.goto(f"{server.home}#/results/long")
        _until(tab, "window.bondline?.view?.t.length > 100")
        chip = tab.locator(".chip", has_text="joint.A.Fx").locator("b")
        for share in (0.1, 0.347, 0.62, 0.777):
            tab.get_by_label("Instant").fill(str(round(3.0 * share, 2)))
            expect(chip).not_to_have_class(re.compile("late"))
            now = tab.evaluate("window.bondline.view.time")
            true = np.interp(now, results.t, results.signals["joint.A.Fx"])
            assert float(chip.inner_text()) == pytest.approx(true, rel=1e-3)
    finally:
        context.close()
        end(server)


@pytest.mark.full
def test_a_run_outlives_page_and_server(browser: Any, tmp_path: Path) -> None:
    from bondline.run import open_run
    from bondline.web.processes import writer_of

    server = serve(tmp_path)
    context = browser.new_context()
    context.set_default_timeout(SLOW)
    tab = context.new_page()
    tab.goto(server.url)
    tab.get_by_role("button", name=re.compile("^double_pendulum")).click()
    tab.get_by_role("button", name="Create").click()
    tab.get_by_label("end", exact=True).fill("30")
    tab.get_by_label("end", exact=True).press("Enter")
    tab.get_by_role("button", name="Run ▸").click()
    tab.get_by_text("running").first.wait_for()
    run = open_run(tmp_path / "runs" / tab.url.rpartition("/")[2])
    context.close()
    server.process.kill()
    server.process.wait(20)
    server.process.stdout.close()  # type: ignore[union-attr]
    assert writer_of(run) is not None
    here = run.summary.windows or 0
    while run.summary.status == "running":
        pass  # it goes on, and ends
    assert run.summary.status == "done"
    assert run.summary.windows > here


@pytest.mark.full
def test_names_that_are_scripts_are_shown_and_not_run(
    browser: Any, tmp_path: Path, project: Path
) -> None:
    """SEC-23, in the DOM of a real browser."""
    corpus = (
        "<img src=x onerror=window.hurt=1>",
        "<svg onload=window.hurt=1>",
        "{@html '<b>'}",
        '"><script>window.hurt=1<',
        "javascript:window.hurt=1",
    )
    source = project / "examples" / "double_pendulum" / "SystemStructure.ssd"
    for name in corpus:
        (tmp_path / name).mkdir()
        (tmp_path / name / "SystemStructure.ssd").write_bytes(source.read_bytes())
    server = serve(tmp_path, "--read-only")
    context = browser.new_context()
    context.set_default_timeout(SLOW)
    tab = context.new_page()
    try:
        tab.goto(server.url)
        for name in corpus:
            tab.get_by_text(name, exact=True).first.wait_for()
        tab.get_by_text(corpus[0], exact=True).first.click()
        tab.get_by_test_id("verdict").wait_for()
        assert tab.evaluate("window.hurt") is None
    finally:
        context.close()
        end(server)
