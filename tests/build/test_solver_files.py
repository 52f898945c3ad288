"""Leaf files that hand a part to another program, or to code: BND130 to BND132."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

import pytest

from bondline.build import open_model, rehearse
from bondline.build.solvers.grant import VARIABLE, code_allowed, code_is_allowed
from bondline.cli.entry import enter
from bondline.description import pack
from bondline.errors import DescriptionError
from bondline.leaves.fmu.sandbox import CONSENT, consented
from bondline.web.models import described
from bondline.web.told import Changes

SSP = "http://ssp-standard.org/SSP1/SystemStructure"
MODEL = f"""<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="2.0" name="pair"
    xmlns:ssd="{SSP}Description" xmlns:ssc="{SSP}Common"
    xmlns:ssv="{SSP}ParameterValues" xmlns:g="urn:bondline:gluing:1">
  <ssd:System name="pair"><ssd:Elements>
    <ssd:Component name="one" type="application/x-bondline-deck"
                   source="one.leaf.xml">
      <ssd:Connectors><ssd:Connector name="PORT" kind="unspecified"/></ssd:Connectors>
    </ssd:Component>
    <ssd:Component name="two" type="application/x-bondline-leaf"
                   source="leaf:KIND">
      <ssd:Connectors><ssd:Connector name="END" kind="unspecified"/></ssd:Connectors>
    </ssd:Component>
  </ssd:Elements>
  <ssd:Annotations><ssc:Annotation type="io.github.bondline.gluing">
    <g:gluing step="0.01"><g:joint name="j" kind="JOINT">
      <g:side element="one" connector="PORT"/><g:side element="two" connector="END"/>
    </g:joint></g:gluing>
  </ssc:Annotation></ssd:Annotations></ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="0.1"/>
</ssd:SystemStructureDescription>
"""
LEAF = '<{root} xmlns="urn:bondline:leaf:1" source="{source}"{more}>{inside}</{root}>'
CODE = """
from pathlib import Path
Path(__file__).with_name("ran").touch()
from bondline.leaves import FunctionLeaf

def mass(name, m=2.0):
    return FunctionLeaf(
        name, [0.0, 0.0], {"end": ("x",)},
        lambda t, y, f: [y[1], f["end"][0] / m - 9.81],
        lambda t, y, dy: {"end": ([y[0]], [y[1]], [dy[1]])},
        publish={"x": "m"},
    )

def nothing(name):
    return 3

def bad(name):
    return 1 / 0
"""
MASS = '<parameter name="m" value="4" unit="kg"/>'


CHAIN = {"KIND": "chain", "END": "left", "JOINT": "tie"}
BODY = {"KIND": "rigid-body", "END": "a", "JOINT": "spherical"}


def write(folder, leaf, files, port="end", other=CHAIN):
    folder.mkdir(exist_ok=True)
    text = MODEL.replace("PORT", port)
    for mark, word in other.items():
        text = text.replace(mark, word)
    (folder / "SystemStructure.ssd").write_text(text)
    (folder / "one.leaf.xml").write_text(leaf)
    for name, content in files.items():
        (folder / name).write_text(content)
    return folder


def coded(folder, make="mass", inside=MASS, code=CODE):
    more = f' make="{make}"'
    leaf = LEAF.format(root="python", source="mass.py", more=more, inside=inside)
    return write(folder, leaf, {"mass.py": code})


def codes(path):
    return {p.code for p in rehearse(path)[1]}


def test_a_model_loads_no_code_by_itself(tmp_path):
    path = coded(tmp_path / "m")
    found = [p for p in rehearse(path)[1] if p.code == "BND130"]
    assert len(found) == 1
    assert found[0].fatal
    assert "mass.py" in found[0].finding
    assert "--allow-code" in found[0].remedy
    with pytest.raises(DescriptionError, match="loads none by itself"):
        open_model(path)
    archive = tmp_path / "m.ssp"
    archive.write_bytes(pack({p.name: p.read_bytes() for p in path.iterdir()}))
    assert "BND130" in codes(archive)
    assert not (path / "ran").exists()


def test_the_operator_may_allow_it(tmp_path):
    path = coded(tmp_path / "m")
    with code_allowed():
        model = open_model(path).model
        assert codes(path) == set()
    assert not code_is_allowed()
    leaf = model.parts["one"]
    fall = leaf.start(0.0).outputs["end"].a
    assert fall == pytest.approx([-9.81])
    pushed = leaf.press(leaf.start(0.0).state, 0.0, {"end": fall}).outputs["end"].a
    assert pushed == pytest.approx(fall + fall / 4.0)  # the mass of the file


DATACLASS = """
from dataclasses import dataclass

@dataclass
class Ball:
    m: float
    kind: "str" = "ball"

"""


@pytest.mark.parametrize("first", ["", "from __future__ import annotations\n"])
def test_code_may_have_dataclasses(first, tmp_path):
    code = DATACLASS + CODE.replace("/ m", "/ Ball(m).m")
    with code_allowed():
        leaf = open_model(coded(tmp_path / "m", code=first + code)).model.parts["one"]
    assert leaf.start(0.0).outputs["end"].a == pytest.approx([-9.81])


def test_code_has_the_annotations_that_it_says(tmp_path):
    code = CODE + "\ndef typed(x: int): ...\nassert typed.__annotations__['x'] is int\n"
    with code_allowed():
        assert codes(coded(tmp_path / "m", code=code)) == set()


def test_the_command_line_allows_it_for_one_command(tmp_path, capsys):
    path = coded(tmp_path / "m")
    here = ["--project", str(tmp_path)]
    assert enter([*here, "check", str(path)]) == 1
    assert enter([*here, "--allow-code", "run", str(path)]) == 0
    assert not code_is_allowed()
    assert enter([*here, "run", str(path)]) == 1
    assert "--allow-code" in capsys.readouterr().err


def test_the_page_looks_at_models_without_their_code(tmp_path):
    path = coded(tmp_path / "m")
    with code_allowed():
        told = described(path, Changes())
        assert code_is_allowed()
    assert "BND130" in {p["code"] for p in told["problems"]}
    assert not (path / "ran").exists()


@pytest.mark.parametrize("word", ["", "0", "no", "true"])
def test_a_grant_is_exactly_one(word, monkeypatch):
    monkeypatch.setenv(VARIABLE, word)
    monkeypatch.setenv(CONSENT, word)
    assert not code_is_allowed()
    assert not consented()


def test_fmus_run_unsandboxed_for_one_command(monkeypatch, capsys):
    monkeypatch.delenv(CONSENT, raising=False)
    assert enter(["--allow-unsandboxed", "--version"]) == 0
    assert not consented()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        ("mss", "no such function"),
        ("nothing", "makes a int, which has no start"),
        ("bad", "raises ZeroDivisionError"),
    ],
)
def test_code_that_makes_no_leaf_is_told(make, words, tmp_path):
    with code_allowed():
        found = rehearse(coded(tmp_path / "m", make, inside=""))[1]
    assert [p.code for p in found if p.fatal] == ["BND131"]
    assert words in found[0].finding


MJCF = """<mujoco><worldbody><body name="bar" pos="0 0 1"><joint axis="0 1 0"/>
<geom type="capsule" fromto="0 0 0 1 0 0" size="0.02" EXTRA/><site name="tip"
 pos="1 0 0"/></body></worldbody></mujoco>"""


def in_mujoco(folder, at="tip", extra="", more="", asset=""):
    port = f'<port name="tip" at="{at}"/>{asset}'
    leaf = LEAF.format(root="mujoco", source="bar.mjcf", more=more, inside=port)
    files = {"bar.mjcf": MJCF.replace("EXTRA", extra)}
    return write(folder, leaf, files, "tip", BODY)


@pytest.mark.skipif(find_spec("mujoco") is None, reason="needs the extra mujoco")
class TestMujoco:
    def test_its_files_are_data(self, tmp_path):
        assert codes(in_mujoco(tmp_path / "m")) <= {"BND060"}  # where bodies start
        spec, _ = rehearse(in_mujoco(tmp_path / "m"))
        assert spec is not None

    @pytest.mark.parametrize("name", ["inner.xml", "inner"])
    def test_what_is_included_reaches_no_further(self, name, tmp_path):
        include = f"/></body><include file='{name}'/><body><geom size='1'"
        asset = f'<asset source="{name}"/>'
        path = in_mujoco(tmp_path / "m", extra=include, asset=asset)
        for inner, words in (
            ("<mujocoinclude><site name='s'/></mujocoinclude>", None),
            (
                "<mujocoinclude><geom file='/home/a.stl'/></mujocoinclude>",
                "names the file",
            ),
            ("text <mujocoinclude/>", "XML" if name == "inner" else "inner.xml"),
        ):
            (path / name).write_text(inner)
            found = [p.finding for p in rehearse(path)[1] if p.code == "BND132"]
            assert found == [] if words is None else words in found[0]

    @pytest.mark.parametrize(
        ("how", "words"),
        [
            ({"at": "tpi"}, "no site and no body 'tpi'"),
            ({"extra": 'mesh="m" /><geom file="/etc/passwd"'}, "names the file"),
            ({"extra": "/></body><include file='x.xml'/><body><geom size='1'"}, "file"),
            ({"extra": "/><plugin plugin='a'/><geom size='1'"}, "a plug-in"),
            ({"more": ' key="home"'}, "no keyframe"),
        ],
    )
    def test_what_reaches_further_is_refused(self, how, words, tmp_path):
        found = [p for p in rehearse(in_mujoco(tmp_path / "m", **how))[1] if p.fatal]
        assert [p.code for p in found] == ["BND132"]
        assert words in found[0].finding


@pytest.mark.skipif(shutil.which("ccx") is None, reason="needs calculix-ccx")
def test_a_deck_goes_to_calculix(tmp_path):
    from tests.solvers.test_calculix import strip

    leaf = LEAF.format(
        root="calculix",
        source="strip.inp",
        more=' alpha="2" beta="1e-6"',
        inside='<port name="tip" at="TIP"/>',
    )
    path = write(tmp_path / "m", leaf, {"strip.inp": strip(cells=1)}, "tip")
    assert not codes(path) & {"BND131", "BND132", "BND073"}
    wrong = leaf.replace('"TIP"', '"TPI"')
    path = write(tmp_path / "w", wrong, {"strip.inp": strip(cells=1)}, "tip")
    assert "BND132" in codes(path)


@pytest.mark.skipif(find_spec("KratosMultiphysics") is None, reason="needs kratos")
def test_a_mesh_goes_to_kratos(tmp_path):
    from tests.solvers.test_kratos import strip

    text = strip("ShellThinElement3D3N", 0, 2)
    inside = '<port name="right"/><hold at="left" dofs="x y z rx ry rz"/>'
    for more, dofs in (("", 3), (' linear="true"', 6)):
        leaf = LEAF.format(root="kratos", source="strip.mdpa", more=more, inside=inside)
        path = write(tmp_path / "m", leaf, {"strip.mdpa": text}, "right")
        from bondline.build.catalogue import catalogue

        spec, _ = rehearse(path)
        passport = catalogue().passport(spec.system.element("one"))
        assert len(passport.ports["right"].dofs) == dofs
