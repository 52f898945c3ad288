"""Every code says where, what was found, and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bondline.build import catalogue
from bondline.description import CODES, explain, read
from bondline.errors import DescriptionError, UsageError
from tests.description.wrong import (
    EXAMPLES,
    PENDULUM,
    WRONG,
    Wrong,
    changed,
    place,
    problems,
    write,
)

SOURCES = Path(__file__).resolve().parents[2] / "src" / "bondline"
ELSEWHERE = {
    *("BND005", "BND006", "BND007", "BND028", "BND029", "BND060"),
    *("BND055", "BND056", "BND057"),  # tests/build/test_deck_doubts.py
    *("BND070", "BND071", "BND072"),  # tests/build/test_decks.py
    *("BND073", "BND074"),  # tests/mbd/test_mechanism_files.py
    "BND080",  # tests/remote/test_placed_parts.py
    "BND081",  # tests/remote/test_placed_commands.py
    "BND082",  # tests/remote/test_misplaced_parts.py
    *("BND083", "BND084", "BND085"),  # tests/remote/test_other_models.py
    *("BND120", "BND121", "BND122"),  # tests/ssp/test_foreign.py
    # tests/library/test_library_models.py
    *("BND090", "BND091", "BND092", "BND093", "BND094", "BND095"),
    *(f"BND{n}" for n in range(100, 109)),  # tests/fmi
    "BND138",  # tests/fmi/test_signal_units.py
    *("BND130", "BND131", "BND132"),  # tests/build/test_solver_files.py
}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda w: f"{w.code}-{w.finding[:20]}")
def test_a_problem_names_its_place_finding_and_remedy(
    wrong: Wrong, tmp_path: Path
) -> None:
    text = changed(wrong.base, wrong.old, wrong.new)
    found = problems(write(tmp_path, text))
    told = [p for p in found if p.code == wrong.code]
    assert told, found
    at = [(p.where.line, p.where.column) for p in told]
    assert place(text, wrong.at) in at
    problem = told[at.index(place(text, wrong.at))]
    assert problem.where.file == str(tmp_path / "SystemStructure.ssd")
    assert wrong.finding in problem.finding
    assert wrong.remedy in problem.remedy
    assert problem.severity == wrong.severity


def test_the_right_models_have_no_problems() -> None:
    for model in ("double_pendulum", "linear_chain", "linear_chain/Nested.ssd"):
        assert problems(EXAMPLES / model) == []


def test_all_problems_are_told_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = changed(PENDULUM, 'value="10" unit="kg"', 'value="10" unit="mm"')
    text = changed(text, "leaf:free-bar", "leaf:fre-bar")
    text = changed(text, 'tolerance="1e-10"', 'tolerance="0"')
    found = problems(write(tmp_path, text))
    assert [p.code for p in found] == ["BND031", "BND023", "BND043"]


def test_read_raises_once_with_all_problems(tmp_path: Path) -> None:
    text = changed(PENDULUM, "leaf:free-bar", "leaf:fre-bar")
    text = changed(text, 'tolerance="1e-10"', 'tolerance="0"')
    with pytest.raises(DescriptionError) as caught:
        read(write(tmp_path, text), catalogue())
    error = caught.value
    line, column = place(text, '<ssd:Component name="lower"')
    assert error.place == f"{tmp_path / 'SystemStructure.ssd'}:{line}:{column}"
    assert "BND023" in error.finding
    assert "(and 1 more)" in error.finding
    assert "free-bar" in error.remedy
    assert len(error.problems) == 2
    assert error.exit_code == 1


def test_a_schema_violation_in_a_tag_over_several_lines_is_placed_at_its_start(
    tmp_path: Path,
) -> None:
    text = changed(PENDULUM, '<ssd:Component name="upper"', "<ssd:Component\n  a=''\n")
    found = [p for p in problems(write(tmp_path, text)) if p.code == "BND010"]
    at = {(p.where.line, p.where.column) for p in found}
    assert at == {place(text, "<ssd:Component\n")}


def test_the_explained_codes_are_the_codes_in_use() -> None:
    used = set()
    for path in (*SOURCES.glob("description/**/*.py"), *SOURCES.glob("build/**/*.py")):
        used |= set(re.findall(r"\bBND\d{3}\b", path.read_text()))
    assert used == set(CODES)


def test_every_code_has_a_test() -> None:
    assert {w.code for w in WRONG} | ELSEWHERE == set(CODES)


def test_explanations_are_complete() -> None:
    for code in CODES.values():
        assert code.title
        assert code.explanation.endswith(".")
        assert code.wrong != code.right


def test_explain_prints_a_page() -> None:
    page = explain("bnd012")
    assert page.startswith("BND012: interface dofs differ")
    assert "wrong:" in page
    assert "right:" in page


def test_explain_suggests_the_nearest_code() -> None:
    with pytest.raises(UsageError) as caught:
        explain("BND81")
    assert caught.value.place == "--explain BND81"
    assert caught.value.finding == "no such code."
    assert "Did you mean 'BND081'?" in caught.value.remedy


def test_a_circle_of_ties_is_found(tmp_path: Path) -> None:
    """Three pairwise ties of three ports: the last one repeats the other two."""
    third = (
        '<ssd:Component name="third" type="application/x-bondline-leaf" '
        'source="leaf:free-bar"><ssd:Connectors>'
        '<ssd:Connector name="A" kind="unspecified"/></ssd:Connectors></ssd:Component>'
    )
    more = "".join(
        f'<g:joint name="{name}" kind="{kind}"><g:side element="{a}" connector="A"/>'
        f'<g:side element="{b}" connector="A"/></g:joint>'
        for name, kind, a, b in (
            ("B", 'tie" dofs="x', "lower", "third"),
            ("C", "tie", "third", "upper"),
        )
    )
    text = changed(PENDULUM, "</ssd:Elements>", f"{third}</ssd:Elements>")
    found = problems(
        write(tmp_path, changed(text, "</g:gluing>", f"{more}</g:gluing>"))
    )
    assert [p.code for p in found] == ["BND054"]
    assert "joint C repeats joints B and A" in found[0].finding
    assert "already in x." in found[0].finding


def test_parts_at_one_node_in_one_joint_repeat_nothing(tmp_path: Path) -> None:
    third = (
        '<ssd:Component name="third" type="application/x-bondline-leaf" '
        'source="leaf:free-bar"><ssd:Connectors>'
        '<ssd:Connector name="A" kind="unspecified"/></ssd:Connectors></ssd:Component>'
    )
    text = changed(PENDULUM, "</ssd:Elements>", f"{third}</ssd:Elements>")
    side = '<g:side element="third" connector="A"/>'
    assert (
        problems(write(tmp_path, changed(text, "</g:joint>", f"{side}</g:joint>")))
        == []
    )


@pytest.mark.parametrize("method", ["auto", "X-T"])
def test_a_port_that_takes_motion_is_right_with_a_method_that_gives_it(
    tmp_path: Path, method: str
) -> None:
    text = changed(PENDULUM, "leaf:free-bar", "leaf:driven")
    text = changed(text, 'method="T-T" scheme="constant/e"', f'method="{method}"')
    found = problems(write(tmp_path, text))
    assert "BND019" not in {p.code for p in found}


def test_a_spherical_joint_holds_a_frame_and_a_point(tmp_path: Path) -> None:
    text = changed(PENDULUM, "leaf:free-bar", "leaf:spatial")
    text = changed(text, "leaf:pinned-bar", "leaf:frame")
    ball = changed(text, "revolute", "spherical")
    told = {p.code for p in problems(write(tmp_path, ball))}
    assert "BND012" not in told
    hinge = {p.code for p in problems(write(tmp_path, text))}
    assert "BND012" in hinge
