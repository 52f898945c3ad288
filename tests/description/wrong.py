"""A right model and the ways to make it wrong, one a code."""
# ruff: noqa: E501 - a table reads best with one row a line

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from bondline.build import catalogue
from bondline.core import (
    FRAME_DOFS,
    Capabilities,
    Causality,
    Parameter,
    Passport,
    Port,
)
from bondline.description import Catalogue, Problem, examine

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PENDULUM = (EXAMPLES / "double_pendulum" / "SystemStructure.ssd").read_text()
NESTED = (EXAMPLES / "linear_chain" / "Nested.ssd").read_text()
COMMON = (EXAMPLES / "linear_chain" / "resources" / "common.ssv").read_text()

_PARAMETERS = {"mass": Parameter("mass", 1.0, "kg", positive=True)}


def _odd(kind: str, port: Port, repeatable: bool = True) -> Passport:
    return Passport(
        kind, kind, _PARAMETERS, {"A": port}, Capabilities(repeatable=repeatable)
    )


def wide() -> Catalogue:
    """The real catalogue and kinds with ports of other sorts."""
    own = catalogue()
    plane = ("x", "y")
    odd = {
        "forward": _odd("forward", Port("A", plane), repeatable=False),
        "driven": _odd("driven", Port("A", plane, causality=Causality.MOTION_IN)),
        "spatial": _odd("spatial", Port("A", ("x", "y", "z"))),
        "frame": _odd("frame", Port("A", FRAME_DOFS, frame=True)),
    }
    return replace(own, kinds={**own.kinds, **odd})


@dataclass(frozen=True)
class Wrong:
    """One change to a right model, and what must be said about it."""

    code: str
    old: str
    new: str
    at: str  # the problem's place is where this starts in the changed text
    finding: str
    remedy: str
    base: str = PENDULUM
    severity: str = "error"


def write(folder: Path, text: str) -> Path:
    (folder / "resources").mkdir(exist_ok=True)
    (folder / "resources" / "common.ssv").write_text(COMMON)
    (folder / "SystemStructure.ssd").write_text(text)
    return folder


def changed(base: str, old: str, new: str) -> str:
    assert old in base, old
    return base.replace(old, new, 1)


def place(text: str, snippet: str) -> tuple[int, int]:
    at = text.index(snippet)
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def problems(path: Path) -> list[Problem]:
    return examine(path, wide())[1]


UPPER = '<ssd:Component name="upper"'
LOWER = '<ssd:Component name="lower"'
MASS = '<ssv:Parameter name="mass"><ssv:Real value="10" unit="kg"/>'
GLUING = '<g:gluing method="T-T" scheme="constant/e" tolerance="1e-10" step="0.01">'
JOINT = '<g:joint name="A" kind="revolute">'
SIDE = '<g:side element="upper" connector="A"/>'
OTHER = '<g:side element="lower" connector="A"/>'
EXPORT = '<ssd:Connection startConnector="left" endElement="one" endConnector="left"/>'
ENTRY = '<ssm:MappingEntry source="gravity" target="upper.gravity"/>'
STOP = '<ssd:DefaultExperiment startTime="0" stopTime="3"/>'


def _gluing(code: str, old: str, new: str, finding: str, remedy: str) -> Wrong:
    return Wrong(code, old, new, "<g:gluing", finding, remedy)


def _joint(code: str, new: str, finding: str, remedy: str) -> Wrong:
    """The joint of the pendulum with another kind or with settings."""
    return Wrong(code, 'kind="revolute"', new, "<g:joint", finding, remedy)


def _rates(code: str, new: str, finding: str, remedy: str) -> Wrong:
    """The pendulum at two rates."""
    return Wrong(
        code, "</g:gluing>", f"<g:rates {new}/></g:gluing>", "<g:rates", finding, remedy
    )


def _solver(code: str, new: str, finding: str, remedy: str) -> Wrong:
    return _gluing(code, 'step="0.01"', f'step="0.01" {new}', finding, remedy)


def _mass(code: str, new: str, finding: str, remedy: str) -> Wrong:
    at = new[new.index("<ssv:R") :]
    return Wrong(code, MASS, new, at, finding, remedy)


def _kind(code: str, kind: str, finding: str, remedy: str) -> Wrong:
    return Wrong(code, "leaf:free-bar", kind, LOWER, finding, remedy)


WRONG = [
    Wrong("BND001", "</ssd:Elements>", "</ssd:Element>", "ssd:Element>", "not well-formed XML: mismatched tag", "Correct the markup"),
    Wrong("BND002", "<!-- Double", "<!DOCTYPE a [<!ENTITY e 'x'>]><!-- Double", "<!DOCTYPE", "document type declaration", "Remove the <!DOCTYPE"),
    Wrong("BND003", SIDE, f'<g:side element="upper" connector="{"A" * 70_000}"/>', "<g:side", "more than 65536 characters in one attribute", "refused unread"),
    Wrong("BND004", 'encoding="UTF-8"', 'encoding="UTF-16"', "<?xml", "declares the encoding 'UTF-16'", "Save it as UTF-8"),
    Wrong("BND008", 'source="resources/common.ssv"', 'source="../common.ssv"', '<ssd:ParameterBinding source="../', "'../common.ssv' is refused: it leaves", "inside the model", NESTED),
    Wrong("BND009", 'source="resources/common.ssv"', 'source="resources/comon.ssv"', '<ssd:ParameterBinding source="resources/comon', "cannot be read: no such file", "add the file", NESTED),
    Wrong("BND010", UPPER, '<ssd:Component nam="upper"', '<ssd:Component nam="upper"', "'nam' is not allowed", "spelling"),
    Wrong("BND010", "<ssd:DefaultExperiment", "<ssd:Default", "<ssd:Default ", "not expected", "order"),
    Wrong("BND011", 'tolerance="1e-10"', 'tolerance="ten"', "<g:gluing", "'ten' is not a valid value", "gluing annotation"),
    Wrong("BND011", 'name="A" kind="revolute"', 'kind="revolute"', "<g:joint", "'name' is required but missing", "Add the attribute"),
    Wrong("BND012", "leaf:free-bar", "leaf:spatial", JOINT, "upper.A with 2 (x y) and lower.A with 3 (x y z)", 'a tie with dofs="x y"'),
    Wrong("BND013", "revolute", "revolut", "<g:joint", "which does not exist", "Did you mean 'revolute'?"),
    _joint("BND012", 'kind="cylindrical"', "joint A: a cylindrical joint cannot hold upper.A with 2 (x y)", "tie, revolute (x y), distance"),
    _joint("BND013", 'kind="hinge"', "which does not exist", "Known: bushing, cylindrical"),
    Wrong("BND014", SIDE, SIDE.replace("upper", "uper"), "<g:side", "refers to 'uper'", "Did you mean 'upper'?"),
    Wrong("BND015", SIDE, SIDE.replace('"A"', '"B"'), "<g:side", "refers to upper.B", "Known: A."),
    Wrong("BND016", OTHER, "", JOINT, "joint A has 1 side(s)", "two or more"),
    Wrong("BND017", OTHER, f"{OTHER}<g:side  element='lower' connector='A'/>", "<g:side  ", "lower.A is in joint A twice", "another part"),
    Wrong("BND018", LOWER, f'<ssd:Component name="loose" type="application/x-bondline-leaf" source="leaf:free-bar"/>{LOWER}', '<ssd:Component name="loose"', "loose is glued to nothing", "in a joint", severity="warning"),
    Wrong("BND019", "leaf:free-bar", "leaf:driven", OTHER, "lower.A takes motion", "take force"),
    Wrong("BND019", "T-T", "X-X", SIDE, "upper.A takes force and answers with motion", 'method="auto"'),
    Wrong("BND019", "T-T", "X-T", "<g:joint", "all sides of joint A take force", 'method="T-T" fits'),
    Wrong("BND020", "leaf:free-bar", "leaf:forward", LOWER, "lower (forward) cannot repeat a window", "save and restore", severity="warning"),
    Wrong("BND021", LOWER, LOWER.replace("lower", "upper"), UPPER + ' type="application/x-bondline-leaf" source="leaf:free', "a second element is named 'upper'", "another name"),
    Wrong("BND021", MASS, MASS + "</ssv:Parameter>" + MASS.replace("10", "99"), '<ssv:Real value="99"', "a second value of the set is named 'mass'", "or remove it"),
    Wrong("BND022", 'type="application/x-bondline-leaf" source="leaf:free-bar"', 'type="application/x-cad" source="lower.x"', LOWER, "lower is of the type 'application/x-cad'", "or an FMU: no type"),
    _kind("BND023", "leaf:fre-bar", "'fre-bar', which is not installed", "Did you mean 'free-bar'?"),
    _kind("BND024", "os:system", "the source 'os:system'", 'source="leaf:KIND"'),
    Wrong("BND025", '<ssd:Connector name="A" kind="unspecified"/>', '<ssd:Connector name="tip" kind="unspecified"/>', '<ssd:Connector name="tip"', "upper (pinned-bar) has no port 'tip'", "Known: A."),
    Wrong("BND026", EXPORT, EXPORT.replace("one", "on"), "<ssd:Connection ", "ends at 'on'", "Did you mean 'one'?", NESTED),
    Wrong("BND026", EXPORT, EXPORT.replace('startConnector="left"', 'startConnector="lft"'), "<ssd:Connection ", "near has no connector 'lft'", "Did you mean 'left'?", NESTED),
    Wrong("BND027", EXPORT, "", '<ssd:Connector name="left"', "port 'left' of near leads to no element", "Add an ssd:Connection", NESTED),
    Wrong("BND030", '"mass"', '"mas"', '<ssv:Real value="10"', "no parameter 'upper.mas'", "Did you mean 'upper.mass'?"),
    Wrong("BND030", ENTRY, ENTRY.replace('target="upper.', 'target="uper.'), "<ssm:MappingEntry", "no parameter 'uper.gravity'", "Did you mean 'upper.gravity'?"),
    _mass("BND031", MASS.replace("kg", "mm"), "upper.mass: the unit 'mm' measures [length], but 'kg' is expected", "Give the value in kg"),
    _mass("BND032", MASS.replace("kg", "kgs"), "the unit 'kgs' is not known", "Did you mean 'kg'?"),
    _mass("BND033", MASS.replace('"10"', '"INF"'), "upper.mass is 'INF'", "Give one number"),
    _mass("BND033", MASS.replace('"10"', '"1 2"'), "upper.mass is '1 2'", "Give one number"),
    _mass("BND034", MASS.replace('"10"', '"-10"'), "upper.mass is -10 kg", "greater than zero"),
    Wrong("BND035", ENTRY, ENTRY.replace('source="gravity"', 'source="gravty"'), "<ssm:MappingEntry", "takes 'gravty'", "Did you mean 'gravity'?"),
    Wrong("BND036", 'type="io.github.bondline.gluing"', 'type="org.example"', "<ssd:System ", "does not say how its parts are glued", "Add an annotation"),
    Wrong("BND036", '<ssc:Annotation type="io', '<ssc:Annotation type="io.github.bondline.gluing"/><ssc:Annotation type="io', "<ssc:Annotation type", "holds nothing instead of g:gluing", "<g:gluing xmlns:g="),
    Wrong("BND136", EXPORT, EXPORT[:-2] + '><ssc:LinearTransformation factor="2"/></ssd:Connection>', EXPORT[:-2], "carries no signal between two elements", "an output to an input", NESTED),
    Wrong("BND037", ENTRY, ENTRY[:-2] + '><ssc:BooleanMappingTransformation><ssc:MapEntry source="0" target="1"/></ssc:BooleanMappingTransformation></ssm:MappingEntry>', "<ssc:Boolean", "not for numbers", "LinearTransformation"),
    Wrong("BND038", '<ssv:Parameter name="gravity">', '<ssv:Parameter name="wind"><ssv:Real value="1"/></ssv:Parameter><ssv:Parameter name="gravity">', '<ssv:Real value="1"/>', "the value 'wind' goes nowhere", "mapping entry", severity="warning"),
    _gluing("BND040", "constant/e", "constnt/e", "no scheme 'constnt/e'", "Did you mean 'constant/e'?"),
    _gluing("BND041", "constant/e", "linear/e", "linear/e is refused: a continuous linear force", "linear/deadbeat"),
    _gluing("BND040", "constant/e", "newmark/f", "newmark/f is for X-X and X-T, not T-T", "Use one of constant/e"),
    _gluing("BND042", "T-T", "TT", "no method 'TT'", "Did you mean 'T-T'?"),
    _gluing("BND043", 'step="0.01"', 'step="0"', "step is 0", "above zero"),
    _gluing("BND043", 'tolerance="1e-10"', 'tolerance="NaN"', "tolerance is NaN", "one finite number"),
    _gluing("BND043", 'step="0.01"', 'step="0.01" maxIterations="0"', "maxIterations is 0", "1 or more"),
    _solver("BND043", 'threads="0"', "threads is 0", "1 or more"),
    _solver("BND043", 'adaptive="0"', "adaptive is 0", "above zero"),
    _solver("BND044", 'adaptive="1e-6" estimate="doublng"', 'estimate="doublng"', "Did you mean 'doubling'?"),
    _solver("BND044", 'start="statik"', 'start="statik"', "Did you mean 'static'?"),
    _solver("BND053", 'estimate="doubling"', "the windows are not adaptive", 'adaptive="1e-6"'),
    _solver("BND043", 'patience="0"', "patience is 0", "1 or more"),
    _solver("BND043", 'solver="relaxation" factor="3"', "factor: 3 is not above 0 and at most 2", "Take 0.7"),
    _solver("BND043", 'solver="iqn-ils" reuse="-1"', "reuse: -1 is less than 0", "Take 3"),
    _gluing("BND044", 'step="0.01"', 'step="0.01" refresh="windw"', 'refresh="windw"', "Did you mean 'window'?"),
    _rates("BND011", "", "'fast' is required but missing", "Add the attribute"),
    _rates("BND043", 'fast="lower" ratio="0"', "ratio is 0", "from 1 to 1000000"),
    _rates("BND043", 'fast="lower" order="4"', "order is 4", "from 1 to 3"),
    _rates("BND044", 'fast="lower" form="papr"', 'form="papr"', "Did you mean 'paper'?"),
    _rates("BND058", 'fast="lwer"', "no element 'lwer' that could be fast", "Did you mean 'lower'?"),
    Wrong("BND045", 'step="0.01"', "", "<g:gluing", "no step", "--step", severity="warning"),
    Wrong("BND045", STOP, "", "<ssd:SystemStructureDescription", "no stop time", "--until", severity="warning"),
    Wrong("BND046", 'step="0.01"', 'step="0.07"', "<g:gluing", "3 s are not a whole number of steps of 0.07 s", "2.94 s or 3.01 s", severity="warning"),
    Wrong("BND047", STOP, STOP.replace('"3"', '"-3"'), "<ssd:SystemStructureDescription", "stops at -3 s and starts at 0 s", "the larger one"),
    _joint("BND048", 'kind="tie" dofs="x z"', 'joint A asks for dofs="x z", and upper.A has 2 (x y)', "Known: x, y."),
    Wrong("BND049", JOINT, JOINT.replace('"A"', '"A.B"'), "<g:joint", "'A.B' has a dot", "another character"),
    _joint("BND050", 'kind="tie" axis="0 0 1"', "joint A is of the kind tie, which takes no 'axis'", "Known: dofs."),
    _joint("BND050", 'kind="revolute" axs="0 0 1"', "which takes no 'axs'", "Did you mean 'axis'?"),
    _joint("BND051", 'kind="point-on-line" axis="1 0"', 'joint A has axis="1 0"', "three numbers separated by blanks"),
    _joint("BND051", 'kind="point-on-line" axis="0 0 0"', "an axis is 0 0 0", "not all zero"),
    _joint("BND051", 'kind="distance"', "a distance joint without a length", "Give its length"),
    _joint("BND051", 'kind="distance" length="-1"', "its length is -1.0", "positive length"),
    _joint("BND051", 'kind="bushing" stiffness="1 2 3"', "its stiffness is 1 2 3", "for each of Fx Fy"),
    _joint("BND051", 'kind="mesh-tie" method="mortr"', "method is 'mortr'", "Did you mean 'mortar'?"),
    _solver("BND052", 'solver="newtn"', "no solver 'newtn'", "Did you mean 'newton'?"),
    _solver("BND053", 'tolerence="1e-9"', "the solver newton has no setting 'tolerence'", "Did you mean 'tolerance'?"),
    _solver("BND053", 'solver="iqn-ils" refresh="window"', "iqn-ils has no setting 'refresh'; it is one of newton, broyden, bfgs", "Leave refresh out"),
    Wrong("BND054", "</g:joint>", f"</g:joint><g:joint name='B' kind='tie'>{SIDE}{OTHER}</g:joint>", "<g:joint name='B'", "joint B repeats joint A: its sides are tied already in x y", "Remove it", severity="warning"),
]  # fmt: skip
