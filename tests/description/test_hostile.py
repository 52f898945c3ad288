"""Hostile files are refused with a code, quickly, and with little memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bondline.description import load
from bondline.description.untrusted import MAX_BYTES, MAX_ELEMENTS, read_xml
from tests.description.wrong import COMMON, NESTED, PENDULUM, changed, write

_TENFOLD = "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10))
LAUGHS = f"<!DOCTYPE a [<!ENTITY a0 'ha'>{_TENFOLD}]><a b='&a9;'>&a9;</a>"
XXE = '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]><a>&e;</a>'
REMOTE = '<!DOCTYPE a SYSTEM "http://localhost:9/x.dtd"><a/>'
PARAMETER = '<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]><a/>'

REFUSED = {
    "external entity": (XXE.encode(), "BND002"),
    "parameter entity": (PARAMETER.encode(), "BND002"),
    "remote document type": (REMOTE.encode(), "BND002"),
    "billion laughs": (LAUGHS.encode(), "BND002"),
    "undeclared entity in an attribute": (b'<a b="&e;"/>', "BND001"),
    "undeclared entity in text": (b"<a>&e;</a>", "BND001"),
    "200,000 deep": (b"<a>" * 200_000, "BND003"),
    "65 deep": (b"<a>" * 65 + b"</a>" * 65, "BND003"),
    "a million elements": (b"<a>" + b"<b/>" * 1_000_000 + b"</a>", "BND003"),
    "257 attributes": (
        b"<a %s/>" % b" ".join(b'a%d=""' % n for n in range(257)),
        "BND003",
    ),
    "a million attributes": (
        b"<a %s/>" % b" ".join(b'a%d=""' % n for n in range(1_000_000)),
        "BND003",
    ),
    "a long attribute": (b'<a b="%s"/>' % (b"x" * 70_000), "BND003"),
    "a long text": (b"<a>%s</a>" % (b"x" * 70_000), "BND003"),
    "a text in many lines": (b"<a>%s</a>" % (b"x\n" * 40_000), "BND003"),
    "a long CDATA": (b"<a><![CDATA[%s]]></a>" % (b"x" * 70_000), "BND003"),
    "one byte too large": (b"<a/>" + b" " * (MAX_BYTES - 3), "BND003"),
    "UTF-16 with a mark": ("<a/>".encode("utf-16"), "BND004"),
    "UTF-16 without a mark": ("<a/>".encode("utf-16-le"), "BND004"),
    "declared UTF-7": (b'<?xml version="1.0" encoding="UTF-7"?><a/>', "BND004"),
    "declared Latin-1": (b'<?xml version="1.0" encoding="latin1"?><a/>', "BND004"),
    "undeclared Latin-1": ("<a>ä</a>".encode("latin-1"), "BND004"),
    "a NUL": (b"<a>\0</a>", "BND004"),
    "nothing": (b"", "BND001"),
    "two roots": (b"<a/><a/>", "BND001"),
    "an unbound prefix": (b"<x:a/>", "BND001"),
    "not XML": (b"\x7fELF", "BND001"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(name: str, tmp_path: Path) -> None:
    data, code = REFUSED[name]
    path = tmp_path / "a.ssd"
    path.write_bytes(data)
    loaded = load(path)
    assert loaded.spec is None
    [problem] = loaded.problems
    assert problem.code == code
    assert problem.where.file == str(path)
    assert problem.finding.endswith(".")
    assert problem.remedy


def test_what_is_just_within_the_limits_passes() -> None:
    deep = b"<a>" * 64 + b"</a>" * 64
    assert not hasattr(read_xml(deep, "deep"), "code")
    attributes = b" ".join(b'a%d=""' % n for n in range(256))
    assert not hasattr(read_xml(b"<a %s/>" % attributes, "wide"), "code")
    assert not hasattr(read_xml(b"\xef\xbb\xbf<a>&lt;&#228;</a>", "mark"), "code")


_LIMITED = """
import os, resource, sys
from bondline.build import catalogue
from bondline.description import examine
catalogue()
limit = int(sys.argv[2]) * 2**20
size = int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGESIZE")
resource.setrlimit(resource.RLIMIT_AS, (size + limit, size + limit))
spec, problems = examine(sys.argv[1], catalogue())
print(spec is None, *(p.code for p in problems))
"""


def _in_little_memory(path: Path, megabytes: int) -> str:
    """Codes found by a process that may only grow by so much."""
    done = subprocess.run(
        [sys.executable, "-c", _LIMITED, str(path), str(megabytes)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited by Linux")
@pytest.mark.parametrize("name", ["billion laughs", "200,000 deep", "external entity"])
def test_a_bomb_needs_little_memory(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.ssd"
    data, code = REFUSED[name]
    path.write_bytes(data)
    assert _in_little_memory(path, 32) == f"True {code}"


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited by Linux")
def test_a_file_of_100_megabytes_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "a.ssd"
    with path.open("wb") as file:
        file.truncate(100 * 2**20)
    assert _in_little_memory(path, 32) == "True BND003"


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited by Linux")
@pytest.mark.full
def test_very_many_violations_end_in_one_problem(tmp_path: Path) -> None:
    bad = '<ssd:Component q=""/>' * 10_000
    text = changed(PENDULUM, "</ssd:Elements>", f"{bad}</ssd:Elements>")
    found = _in_little_memory(write(tmp_path, text), 96)
    assert found.startswith("False BND010")
    [problem] = [p for p in load(tmp_path).problems if p.code == "BND010"]
    assert "more than 100 violations" in problem.finding


def test_something_that_is_not_a_regular_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "SystemStructure.ssd").mkdir()
    [problem] = load(tmp_path).problems
    assert problem.code == "BND005"
    assert "not a regular file" in problem.finding


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    [problem] = load(tmp_path / "none.ssd").problems
    assert problem.code == "BND005"
    assert problem.where.file == str(tmp_path / "none.ssd")
    assert "no such file" in problem.finding
    assert "SystemStructure.ssd" in problem.remedy


@pytest.mark.parametrize(
    "source",
    [
        "../common.ssv",
        "resources/../../common.ssv",
        "%2e%2e/common.ssv",
        "/etc/passwd",
        "C:/common.ssv",
        "C:\\common.ssv",
        "resources\\common.ssv",
        "http://localhost:9/common.ssv",
        "file:///etc/passwd",
        "resources/%00.ssv",
        "",
    ],
)
def test_a_source_that_leaves_the_model_is_refused(source: str, tmp_path: Path) -> None:
    text = NESTED.replace("resources/common.ssv", source)
    loaded = load(write(tmp_path, text))
    assert {p.code for p in loaded.problems} == {"BND008"}
    assert set(loaded.contents) == {"SystemStructure.ssd"}


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.mkdir()
    (tmp_path / "secret.ssv").write_text(COMMON)
    write(model, NESTED)
    (model / "resources" / "common.ssv").unlink()
    (model / "resources" / "common.ssv").symlink_to(tmp_path / "secret.ssv")
    loaded = load(model)
    assert {p.code for p in loaded.problems} == {"BND008"}
    assert "link out of the model" in loaded.problems[0].finding


INCLUDE = '<ssd:Component name="n%d" type="application/x-ssp-definition" source="%s"/>'
SHELL = """<ssd:SystemStructureDescription version="2.0" name="s"
 xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription">
<ssd:System name="s"><ssd:Elements>%s</ssd:Elements></ssd:System>
</ssd:SystemStructureDescription>"""


def test_a_description_that_includes_itself_is_refused(tmp_path: Path) -> None:
    write(tmp_path, SHELL % (INCLUDE % (0, "SystemStructure.ssd")))
    [problem] = load(tmp_path).problems
    assert problem.code == "BND029"
    assert (problem.where.line, problem.where.column) == (3, 36)
    assert "included inside itself" in problem.finding
    assert "outside itself" in problem.remedy


def test_descriptions_that_multiply_each_other_are_refused(tmp_path: Path) -> None:
    twice = "".join(INCLUDE % (k, "%s") for k in range(2))
    write(tmp_path, SHELL % twice.replace("%s", "d1.ssd"))
    for n in range(1, 16):
        (tmp_path / f"d{n}.ssd").write_text(
            SHELL % twice.replace("%s", f"d{n + 1}.ssd")
        )
    (tmp_path / "d16.ssd").write_text(SHELL % (INCLUDE % (0, "d17.ssd")))
    assert "BND003" in {p.code for p in load(tmp_path).problems}


def test_the_limit_on_elements_counts_elements() -> None:
    plenty = b"<a>" + b"<b/>" * (MAX_ELEMENTS - 1) + b"</a>"
    assert not hasattr(read_xml(plenty, "plenty"), "code")
    assert hasattr(
        read_xml(plenty.replace(b"<b/>", b"<b/><b/>", 1), "one more"), "code"
    )


def test_schemas_named_by_a_file_are_not_fetched(tmp_path: Path) -> None:
    """The canary schema would object to the annotation, if it were read."""
    canary = tmp_path / "canary.xsd"
    canary.write_text(
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace='
        '"urn:x"><xs:element name="a"><xs:complexType><xs:attribute name="b" '
        'use="required"/></xs:complexType></xs:element></xs:schema>'
    )
    text = changed(
        PENDULUM,
        "<ssd:Annotations>",
        '<ssd:Annotations><ssc:Annotation type="org.example">'
        '<x:a xmlns:x="urn:x" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="urn:x {canary.as_uri()}"/></ssc:Annotation>',
    )
    assert load(write(tmp_path, text)).problems == ()


def test_inclusions_of_other_xml_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "more.xml").write_text("<not-closed>")
    text = changed(
        PENDULUM,
        "<ssd:Annotations>",
        '<ssd:Annotations><ssc:Annotation type="org.example"><xi:include '
        'xmlns:xi="http://www.w3.org/2001/XInclude" href="more.xml"/>'
        "</ssc:Annotation>",
    )
    loaded = load(write(tmp_path, text))
    assert loaded.problems == ()
    assert set(loaded.contents) == {"SystemStructure.ssd"}
