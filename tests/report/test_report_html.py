from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import asdict, replace
from typing import Any

import lxml.html
import numpy as np
import pytest

from bondline.errors import UsageError
from bondline.report.canvas import svg
from bondline.report.curves import plot
from bondline.report.html import Report, page
from bondline.report.ledger import defect, tolerance
from bondline.report.studies import Study
from bondline.report.tree import Joint, TreeNode
from bondline.report.verdict import verdict
from bondline.run.certificate import Balance, Certificate
from bondline.run.results import Results

CORPUS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'><svg onload=alert(1)>",
    "</style><script>alert(1)</script>",
    "</svg></title><iframe src=javascript:alert(1)>",
    "<!--<b>--!><a href='javascript:alert(1)'>",
    '" style="position:fixed" onmouseover="alert(1)',
    "]]><math><mtext></mtext></math>",
    "{style}{body}&lt;script&gt;",
    ' id="x" href="#y" url(#z) ',
)


def hostile(run: Results, evil: str) -> Report:
    joint = f"joint.{evil.replace('.', '')}"
    signals = {f"{joint}.Fx": run.signals["joint.A.Fx"], f"{evil}.com.x": run.t}
    results = replace(
        run,
        run=evil,
        model=evil,
        signals=signals,
        units=dict.fromkeys(signals, evil),
        shapes={evil: run.shapes["lower"]},
        settings={evil: evil, "tolerance": 1e-10},
        certificate={evil: {evil: evil}},
    )
    model = TreeNode(evil, evil, {evil: (evil,)}, [Joint(evil, (evil,), (evil,))])
    return Report(
        results,
        replace(results, run=evil),
        [Study(evil, evil, [1.0], evil, [1.0], caption=evil)],
        replace(model, children=[model]),
        {evil: evil},
        [evil],
        [evil],
    )


@pytest.fixture(scope="module")
def whole(run: Results, all_at_once: Results) -> str:
    model = TreeNode(
        "double_pendulum",
        "integrated",
        joints=[Joint("A", ("upper.A", "lower.A"), ("x", "y"))],
        children=[TreeNode("upper", "pinned-bar", {"A": ("x", "y")})],
    )
    study = Study("Effect of ε", "ε [N]", [1e-6, 1e2], "mean [-]", [3.0, 2.0], True)
    return page(
        Report(
            run,
            all_at_once,
            [study],
            model,
            {"bondline": "0.1.0", "sha-256": "ab" * 32},
            ["something to know"],
            ["bondline run double_pendulum"],
        )
    )


def assert_inert(text: str) -> lxml.html.HtmlElement:
    dom = lxml.html.document_fromstring(text)
    tags = {element.tag for element in dom.iter() if isinstance(element.tag, str)}
    assert not tags & {"script", "iframe", "img", "a", "math", "object", "form"}
    for element in dom.iter():
        names = {str(name).lower() for name in element.attrib}
        assert not any(name.startswith("on") for name in names)
        assert not names & {"src", "srcdoc", "action", "formaction"}
        assert "position" not in element.get("style", "")
    assert len(dom.xpath("//style")) == 1 + len(dom.xpath("//svg"))
    return dom


@pytest.mark.quick(4)
@pytest.mark.parametrize("evil", CORPUS)
def test_names_from_a_model_are_inert(evil: str, run: Results) -> None:
    report = hostile(run, evil)
    undrawn = replace(report.results, signals={evil: run.t}, windows={}, shapes={})
    plain = replace(report, results=undrawn, reference=undrawn, studies=())
    dom = assert_inert(page(plain))
    assert dom.xpath("//h1")[0].text_content() == evil
    assert evil in dom.xpath("//pre")[0].text_content()
    assert dom.text_content().count(evil) >= 15


@pytest.mark.parametrize("k", [0, len(CORPUS) - 1])
def test_names_in_figures_are_inert(k: int, run: Results) -> None:
    dom = assert_inert(page(hostile(run, CORPUS[k])))
    assert any(CORPUS[k].strip() in text for text in dom.xpath("//svg//text/text()"))


def test_every_hostile_name_is_inert_in_a_drawing(run: Results) -> None:
    names = dict.fromkeys(CORPUS, run.t)
    units = {name: CORPUS[k % 2] for k, name in enumerate(CORPUS)}
    odd = replace(run, signals=names, units=units)
    drawn = lxml.html.fragment_fromstring(svg(plot(odd, CORPUS), "k"))
    assert {e.tag for e in drawn.iter()} <= {"svg", "g", "path", "use", "text", *_DEFS}
    assert not any(str(n).startswith("on") for e in drawn.iter() for n in e.attrib)


_DEFS = ("defs", "style", "clippath", "rect", "tspan")


def test_control_characters_do_not_survive(run: Results) -> None:
    report = hostile(run, "a\x00b\u202ec\ud800d")
    text = page(replace(report, results=replace(report.results, windows={})))
    assert not re.search("[\x00-\x08\u202e\ud800]", text)
    text.encode("utf-8")


def test_a_page_needs_nothing_from_outside(whole: str) -> None:
    addresses = set(re.findall(r"(?:https?:)?//[\w.]+[\w/.]*", whole))
    assert addresses <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    dom = lxml.html.document_fromstring(whole)
    for element in dom.iter():
        for name, value in element.attrib.items():
            if str(name).endswith("href"):
                assert str(value).startswith("#")
    policy = dom.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]
    assert "<script" not in whole
    assert "@import" not in whole


def test_ids_are_unique_and_every_reference_leads_somewhere(whole: str) -> None:
    dom = lxml.html.document_fromstring(whole)
    ids = dom.xpath("//@id")
    assert len(ids) == len(set(ids))
    used = re.findall(r'(?:href="|url\()#([\w-]+)', whole)
    assert used
    assert set(used) <= set(ids)


def test_a_page_says_everything(whole: str) -> None:
    dom = lxml.html.document_fromstring(whole)
    headings = [h.text_content() for h in dom.xpath("//h2")]
    assert headings == [
        "All checks passed: the parts moved as one model.",
        "Warnings",
        "Figures",
        "Against the reference",
        "Model",
        "Settings",
        "Versions and hashes",
        "How to reproduce",
    ]
    assert len(dom.xpath("//figure")) == 9
    assert all(f.xpath(".//figcaption") for f in dom.xpath("//figure"))
    said = dom.text_content()
    for words in ("pinned-bar", "upper.A — lower.A", "constant/e", "ab" * 32):
        assert words in said
    assert "bondline run double_pendulum" in said


def test_same_report_same_bytes(run: Results) -> None:
    short = replace(run, windows={"gap": run.windows["gap"]}, shapes={})
    assert page(Report(short)) == page(Report(short))


def test_a_bare_run_still_gives_a_page(run: Results) -> None:
    bare = Results("r-2", "chain", run.t, {"left.x": run.t}, {}, {})
    dom = lxml.html.document_fromstring(page(Report(bare)))
    assert "cannot be judged" in dom.xpath("//h2")[0].text_content()
    assert len(dom.xpath("//figure")) == 1
    assert "Signals of left" in dom.text_content()


def test_a_run_that_only_started_still_gives_a_page(run: Results) -> None:
    signals = {name: values[:1] for name, values in run.signals.items()}
    shapes = {name: points[:1] for name, points in run.shapes.items()}
    windows = {name: values[:0] for name, values in run.windows.items()}
    begun = replace(run, t=run.t[:1], signals=signals, shapes=shapes, windows=windows)
    assert "0 windows" in page(Report(begun))


def test_a_run_without_any_record_is_refused(run: Results) -> None:
    empty = Results("r-3", "chain", run.t[:0], {}, {}, {})
    with pytest.raises(UsageError) as caught:
        page(Report(empty))
    assert caught.value.place == "run r-3"
    assert "nothing was recorded" in caught.value.finding
    assert "bondline run chain" in caught.value.remedy


def test_a_good_run_is_called_good(run: Results) -> None:
    assert verdict(run).good


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("residual", np.full(300, 2e-10)),
        ("gap_rate", np.full(300, 0.2)),
        ("halvings", np.r_[1.0, np.zeros(299)]),
        ("interface_work", np.full(300, 1.0)),
        ("energy.supplied", np.zeros(300)),
        ("iterations", np.r_[np.full(299, 2.0), 20.0]),
    ],
)
def test_one_bad_number_is_enough_for_amber(
    name: str, values: np.ndarray, run: Results
) -> None:
    said = verdict(replace(run, windows={**run.windows, name: values}))
    assert not said.good
    assert "failed" in said.words


def test_the_gap_is_told_and_the_residual_is_judged(run: Results) -> None:
    wide = {**run.windows, "gap": np.full(300, 1.39e-6)}
    said = verdict(replace(run, windows=wide))
    assert said.good
    assert "Largest gap 1.39e-06 m." in said.checks[0].finding
    assert "Largest residual 7e-12 m, tolerance 1e-10 m." in said.checks[0].finding


def test_an_unfinished_run_is_warned_like_a_finished_one(run: Results) -> None:
    rough = {"gap": run.windows["gap"], "gap_rate": np.full(300, 0.2)}
    rough["speed"] = run.windows["speed"]
    begun = replace(run, signals={}, windows=rough, shapes={})
    dom = lxml.html.document_fromstring(page(Report(begun)))
    [warning] = dom.xpath("//ul[@class='warnings']/li/text()")
    assert "velocities at the joints differ by up to 10%" in warning
    assert dom.xpath("//section[@class='certificate care']")


def test_the_tolerance_is_that_of_the_outermost_solver() -> None:
    loose = {"near": {"solver": {"tolerance": 1e-3}}}
    settings = {"parts": loose, "solver": {"kind": "lagged", "tolerance": 1e-9}}
    assert tolerance(settings) == 1e-9
    assert tolerance({"parts": loose}) is None


CERTIFICATE: dict[str, Any] = asdict(
    Certificate(
        windows=300,
        leaves=2,
        gap=1e-11,
        gap_at=1.0,
        residual=1e-11,
        rate_gap=0.01,
        rate_share=0.005,
        work_error=1e-9,
        work_net=0.0,
        energy=Balance(1e-6, 1.0, 5e-7, 1e-6, 300.0, 1e-6 / 300.0),
        iterations_mean=2.0,
        iterations_max=3,
        iterations_at=1,
        halved=0,
        builds=1,
        solves=900,
        solves_per_window=1.5,
        warnings=(),
    )
)


def test_a_stored_certificate_has_the_last_word(run: Results) -> None:
    sealed = replace(run, certificate=CERTIFICATE)
    assert verdict(sealed).good
    found = " ".join(check.finding for check in verdict(sealed).checks)
    assert "1e-11 m" in found
    assert "1e-06 J, largest energy 300 J" in found
    assert not verdict(replace(run, certificate={**CERTIFICATE, "residual": 1e-9})).good
    balance = defect(sealed)
    assert balance is not None
    assert balance[-1] == pytest.approx(5e-7)


def test_warnings_of_a_certificate_are_shown_once_and_count(run: Results) -> None:
    warned = {**CERTIFICATE, "warnings": ["the energy is off"]}
    bare = replace(run, signals={}, windows={}, shapes={}, certificate=warned)
    assert "1 of 8 checks failed" in verdict(bare).words
    dom = lxml.html.document_fromstring(page(Report(bare, warnings=warned["warnings"])))
    assert dom.xpath("//ul[@class='warnings']/li/text()") == ["the energy is off"]


def test_signals_that_are_not_finite_are_named(run: Results) -> None:
    broken = {**run.signals, "upper.angle": np.full(301, np.inf)}
    said = verdict(replace(run, signals=broken))
    assert not said.good
    assert any("upper.angle" in check.finding for check in said.checks)


def test_what_was_not_recorded_is_not_called_good(run: Results) -> None:
    silent = {n: v for n, v in run.windows.items() if not n.startswith("energy")}
    said = verdict(replace(run, windows=silent))
    assert not said.good
    assert "cannot be judged" in said.words


def test_importing_the_package_loads_no_drawing_library() -> None:
    ask = "import sys, bondline.report; print({'matplotlib', 'PIL'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, check=True)
    assert done.stdout.strip() == b"set()"
