"""FMUs of our own, made with the system's compiler from the models in c/."""

from __future__ import annotations

import functools
import shutil
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest

from bondline.build import fmus
from bondline.description import ComponentSpec, Place
from bondline.description.spec import FMU_TYPE, FileSpec, FmuSpec

pytest.importorskip("fmpy", reason="FMUs need the extra `fmi`: ./run extras")
if shutil.which("cc") is None:
    pytest.skip("FMUs of our own need a C compiler (cc)", allow_module_level=True)

HERE = Path(__file__).parent / "c"
TOKEN = "{b0de11e0-0000-4000-8000-000000000001}"
Row = tuple[str, str, str | None, str]  # name, causality, start, unit


def rows(names: str) -> list[Row]:
    """Variables by value reference: `F:input:0:N`."""
    found: list[Row] = []
    for word in names.split():
        name, causality, start, unit = [*word.split(":"), "", ""][:4]
        found.append((name, causality, start or None, unit))
    return found


OSCILLATOR = rows(
    "p_F_x:input:0:N p_r_x:output::m p_v_x:output::m/s p_a_x:output::m/s2 "
    "m:parameter:1:kg c:parameter:0:N.s/m k:parameter:0:N/m x0:parameter:0:m "
    "v0:parameter:0:m/s u:input:0:N"
)
CONTROLLER = rows(
    "w:input:0 u:input:0 y:output error:output p:parameter:1 i:parameter:0"
)
BALL = rows("h:output v:output g:parameter:-9.81 e:parameter:0.7")
SPRING = rows(
    "p_r_x:input:0:m p_v_x:input:0:m/s p_F_x:output::N k:parameter:1:N/m "
    "c:parameter:0:N.s/m m:parameter:1:kg"
)
EVIL = rows("deed:input:0 done:output")
EQUATIONS = rows("x:output k:parameter:1 x0:output x1:output mu:parameter:1")
MODELS = {
    "oscillator": OSCILLATOR,
    "signals": CONTROLLER,
    "ball": BALL,
    "rates": EQUATIONS,
    "spring": SPRING,
    "evil": EVIL,
    "matrix": [],  # arrays: test_arrays.py describes them
}


def description(
    model: str, version: int, flags: Mapping[str, str], variables: Sequence[Row]
) -> str:
    """modelDescription.xml."""
    given = {"modelIdentifier": model, "canHandleVariableCommunicationStepSize": "true"}
    told = "".join(f" {k}={quoteattr(v)}" for k, v in {**given, **flags}.items())
    token = "guid" if version == 2 else "instantiationToken"
    head = f'fmiVersion="{version}.0" modelName="{model}" {token}="{TOKEN}"'
    each = [_variable(version, i, row) for i, row in enumerate(variables)]
    if version == 3:
        time = 'name="time" valueReference="999" causality="independent"'
        each.append(f'<Float64 {time} variability="continuous"/>')
    outputs = [i for i, row in enumerate(variables) if row[1] == "output"]
    units = sorted({row[3] for row in variables if row[3]})
    defined = "".join(f'<Unit name="{u}"/>' for u in units)
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<fmiModelDescription {head}>'
        f"<CoSimulation{told}/>"
        + (f"<UnitDefinitions>{defined}</UnitDefinitions>" if units else "")
        + '<DefaultExperiment stepSize="0.01"/>'
        + f"<ModelVariables>{''.join(each)}</ModelVariables>"
        + f"<ModelStructure>{_structure(version, outputs)}</ModelStructure>"
        "</fmiModelDescription>"
    )


def _variable(version: int, number: int, row: Row) -> str:
    name, causality, start, unit = row
    fixed = "fixed" if causality == "parameter" else "continuous"
    about = f'name="{name}" valueReference="{number}" causality="{causality}"'
    about += f' variability="{fixed}"'
    told = (f' unit="{unit}"' if unit else "") + (f' start="{start}"' if start else "")
    if version == 2:
        return f"<ScalarVariable {about}><Real{told}/></ScalarVariable>"
    return f"<Float64 {about}{told}/>"


def _structure(version: int, outputs: Sequence[int]) -> str:
    if version == 3:
        each = (f'<Output valueReference="{i}"/>' for i in outputs)
        first = (f'<InitialUnknown valueReference="{i}"/>' for i in outputs)
        return "".join([*each, *first])
    each = [f'<Unknown index="{i + 1}"/>' for i in outputs]
    lists = ("Outputs", "InitialUnknowns")
    return "".join(f"<{n}>{''.join(each)}</{n}>" for n in lists)


SAVES = {
    2: {"canGetAndSetFMUstate": "true", "canSerializeFMUstate": "true"},
    3: {"canGetAndSetFMUState": "true", "canSerializeFMUState": "true"},
}


@functools.cache
def library(model: str, version: int, *defines: str) -> bytes:
    """The compiled model."""
    import tempfile

    import fmpy

    headers = Path(fmpy.__file__).parent / "c-code"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "x.so")
        told = [f"-I{headers}", f"-I{HERE}", f'-DFRAME="fmi{version}.c"']
        told += [f'-DTOKEN="{TOKEN}"', *(f"-D{d}" for d in defines)]
        source = str(HERE / f"{model}.c")
        subprocess.run(
            ["cc", "-O1", "-w", "-shared", "-fPIC", *told, source, "-lm", "-o", out],
            check=True,
        )
        return out.read_bytes()


def fmu(
    path: Path,
    model: str,
    version: int,
    flags: Mapping[str, str] | None = None,
    defines: Sequence[str] = (),
    more: Mapping[str, bytes] | None = None,
) -> Path:
    """An FMU of one of our models; it saves its state unless flags say otherwise."""
    said = SAVES[version] if flags is None else flags
    text = description(model, version, said, MODELS[model])
    folder = "linux64" if version == 2 else "x86_64-linux"
    files = {
        "modelDescription.xml": text.encode(),
        f"binaries/{folder}/{model}.so": library(model, version, *defines),
        **(more or {}),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def part(path: Path, name: str = "a", said: FmuSpec | None = None) -> ComponentSpec:
    """A component that is this FMU."""
    file = FileSpec(path.name, str(path), path.read_bytes())
    where = Place("model.ssd", 1, 1)
    return ComponentSpec(name, FMU_TYPE, path.name, (), (), where, file=file, fmu=said)


def leaf(
    path: Path, name: str = "a", said: FmuSpec | None = None, **values: float
) -> Any:
    """The leaf of an FMU."""
    return fmus.make(part(path, name, said), values)
