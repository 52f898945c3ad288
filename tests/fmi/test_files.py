"""SEC-07, SEC-08: FMUs as files; none of these runs one, or needs fmpy."""

from __future__ import annotations

import io
import random
import stat
import sys
import zipfile
from pathlib import Path

import pytest

from bondline.build import fmus
from bondline.description import ComponentSpec, Place, Problem
from bondline.description.fmu import open_fmu, ports_of, read_fmu, unpack
from bondline.description.fmu.text import FmuText
from bondline.description.spec import FMU_TYPE, FileSpec

LIBRARY = "binaries/linux64/arm.so"
VARIABLE = (
    '<ScalarVariable name="A.{}.x" valueReference="{}" causality="{}"><Real {}/>'
    "</ScalarVariable>"
)
FORCE = VARIABLE.format("F", 1, "input", "{}")
MOTION = "".join(VARIABLE.format(n, k, "output", "") for k, n in enumerate("rva", 2))
KILO = '<Unit name="kN"><BaseUnit kg="1" m="1" s="-2" factor="1000"/></Unit>'
MEMBER = '<TerminalMemberVariable memberName="{0}.x" variableName="A.{0}.x" '


def text(
    solver: str = '<CoSimulation modelIdentifier="arm"/>',
    variables: str = FORCE.format("") + MOTION,
    version: str = "2.0",
    units: str = "",
) -> bytes:
    return (
        f'<fmiModelDescription fmiVersion="{version}" modelName="arm" guid="g">{solver}'
        f"{units}<ModelVariables>{variables}</ModelVariables></fmiModelDescription>"
    ).encode()


Entry = tuple[str | zipfile.ZipInfo, bytes]


def packed(*entries: Entry, main: bytes | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("modelDescription.xml", main or text())
        archive.writestr(LIBRARY, b"\x7fELF")
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


def opened(data: bytes) -> FmuText | Problem:
    found = open_fmu(data, "arm.fmu")
    return found if isinstance(found, Problem) else read_fmu(found)


def told(data: bytes, code: str, finding: str, remedy: str) -> None:
    problem = opened(data)
    assert isinstance(problem, Problem)
    assert (problem.code, problem.severity) == (code, "error")
    assert problem.where.file.startswith("arm.fmu")
    assert finding in problem.finding
    assert remedy in problem.remedy


def _linked() -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("resources/passwd")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


@pytest.mark.parametrize(
    ("entry", "finding"),
    [
        (("../../evil.so", b""), "leaves the archive"),
        (("/etc/evil", b""), "absolute name"),
        (("resources\\evil", b""), "a backslash"),
        ((_linked(), b"/etc/passwd"), "is a link"),
        (("startup/evil.sh", b""), "is in no folder of FMI"),
        (("Binaries/linux64/../x", b""), "leaves the archive"),
        ((LIBRARY.upper(), b""), "two entries are named"),
    ],
)
def test_an_archive_that_could_hurt_is_refused(entry: Entry, finding: str) -> None:
    told(packed(entry), "BND101", finding, "Export it anew")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    bomb = packed(("resources/zeros", bytes(64 * 2**20)))
    told(bomb, "BND102", "100 times its size", "large data")
    assert unpack(bomb, "arm.fmu", LIBRARY, tmp_path) is not None
    assert list(tmp_path.iterdir()) == []
    many = packed(*((f"resources/{k}", b"") for k in range(4096)))
    told(many, "BND102", "more than 4096 entries", "large data")


def test_only_what_a_solver_needs_is_written(tmp_path: Path) -> None:
    more = [
        ("resources/a/t.csv", b"1"),
        ("sources/x.c", b""),
        ("binaries/win64/x", b""),
    ]
    assert unpack(packed(*more), "arm.fmu", LIBRARY, tmp_path) is None
    written = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()}
    assert written == {"modelDescription.xml", LIBRARY, "resources/a/t.csv"}


def _changes(count: int) -> None:
    """Changed archives write nothing but below the folder, or are refused."""
    rng = random.Random(7)
    good = packed(("resources/a.csv", b"1,2,3" * 50), ("extra/x/y.xml", b"<a/>"))
    for _ in range(count):
        data = bytearray(good)
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        if rng.random() < 0.3:
            del data[rng.randrange(len(data)) :]
        found = opened(bytes(data))
        assert isinstance(found, Problem | FmuText)


def test_changed_archives_are_read_or_refused() -> None:
    _changes(150)


@pytest.mark.full
def test_many_changed_archives_are_read_or_refused() -> None:
    _changes(5000)


@pytest.mark.parametrize("name", ["../../../../evil", "a/b", "1arm", "", "a b", "ä"])
def test_the_model_identifier_is_a_c_identifier(name: str) -> None:
    main = text(solver=f'<CoSimulation modelIdentifier="{name}"/>')
    told(packed(main=main), "BND105", "the model identifier is", "C identifier")


def test_what_is_no_fmu_for_co_simulation_is_told() -> None:
    only = text(solver='<ModelExchange modelIdentifier="arm"/>')
    told(packed(main=only), "BND103", "brings no solver", "co-simulation")
    old = text(version="1.0")
    told(packed(main=old), "BND103", "of FMI '1.0'", "2.0 or 3.0")
    other = text(solver='<CoSimulation modelIdentifier="leg"/>')
    told(packed(main=other), "BND104", "has linux64", "for this machine")


@pytest.mark.parametrize(
    ("variables", "units", "code", "finding"),
    [
        (FORCE.format("") + MOTION.replace("A.v.x", "b"), "", "BND106", "no velocity"),
        (MOTION + FORCE.format("").replace("input", "output"), "", "BND106", "output"),
        (
            FORCE.format('unit="kN"') + MOTION,
            f"<UnitDefinitions>{KILO}</UnitDefinitions>",
            "BND107",
            "A.F.x is in kN",
        ),
        (
            FORCE.format('unit="kN"') + MOTION,
            '<UnitDefinitions><Unit name="kN"/></UnitDefinitions>',
            "BND107",
            "A.F.x is in kN",
        ),
    ],
)
def test_a_port_that_cannot_be_is_told(
    variables: str, units: str, code: str, finding: str
) -> None:
    found = opened(packed(main=text(variables=variables, units=units)))
    assert isinstance(found, FmuText)
    ports, [problem] = ports_of(found)
    assert ports == {}
    assert problem.code == code
    assert finding in problem.finding


def test_terminals_of_our_kind_are_ports() -> None:
    members = "".join(MEMBER.format(m) + 'variableKind="signal"/>' for m in "Frv")
    terminals = (
        '<fmiTerminalsAndIcons fmiVersion="3.0"><Terminals><Terminal name="tip" '
        'terminalKind="io.github.bondline.mech.interface3d" matchingRule="bus">'
        f"{members}</Terminal></Terminals></fmiTerminalsAndIcons>"
    )
    name = "terminalsAndIcons/terminalsAndIcons.xml"
    found = opened(packed((name, terminals.encode())))
    assert isinstance(found, FmuText)
    ports, problems = ports_of(found)
    assert problems == []
    assert list(ports) == ["tip"]
    assert [v.name for v in ports["tip"].force] == ["A.F.x"]
    assert ports["tip"].acceleration == ()


def test_without_fmpy_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fmpy", None)  # as if it were not there
    file = FileSpec("arm.fmu", "arm.fmu", packed())
    where = Place("model.ssd", 3, 1)
    part = ComponentSpec("arm", FMU_TYPE, "arm.fmu", (), (), where, file=file)
    [problem] = fmus.examined(part).problems
    assert problem.code == "BND100"
    assert "fmpy" in problem.finding
    assert "pip install bondline[fmi]" in problem.remedy
