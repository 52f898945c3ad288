"""Building the archive: pythonfmu's runtime, our script, the model, our terminals."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from bondline.core import Model, Serialising
from bondline.errors import SettingError
from bondline.export.fmu.layout import MANIFEST, TERMINAL_KIND, spots, terminals
from bondline.export.fmu.script import script

PACKAGE = "model.ssp"
_BUILD = """\
import sys
from {module}.builder import FmuBuilder
FmuBuilder.build_FMU(sys.argv[1], sys.argv[2], sys.argv[3:],
    canGetAndSetFMU{state}=True, canSerializeFMU{state}={serialises},
    canHandleVariableCommunicationStepSize=True, needsExecutionTool=False)
"""


@dataclass(frozen=True)
class Content:
    """What an FMU will run: `target` as `bondline leaf test` takes it, and settings.

    With a `package` the target is in it: nothing, or `:part`, whose parameters have
    names that start with the `prefix` there. `experiment` is what a run of it would be:
    start_time, stop_time and step_size in seconds, as far as that is known. `shared`
    are parameters of the system itself, their values and units.
    """

    target: str
    package: bytes | None = None
    set: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""
    experiment: Mapping[str, float] = field(default_factory=dict)
    shared: Mapping[str, tuple[float, str]] = field(default_factory=dict)


def build_fmu(model: Model, content: Content, path: Path, version: int) -> Path:
    """An FMU of FMI `version` at `path` that runs what `content` says."""
    module = "pythonfmu" if version == 2 else "pythonfmu3"
    if version not in (2, 3) or find_spec(module) is None:
        raise SettingError(
            f"--to fmu --fmi {version}",
            f"{module} is not installed." if version in (2, 3) else "there is no such.",
            "Install it: pip install bondline[fmi]; FMI is 2 or 3.",
        )
    name = identifier(path.stem)
    with tempfile.TemporaryDirectory(prefix="bondline-export-") as made:
        folder = Path(made)
        files = _files(folder, name, model, content, version)
        _called(folder, module, version, files, isinstance(model, Serialising))
        built = next(folder.joinpath("out").glob("*.fmu"))
        _add(built, model)
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(built, path)
    return path


def identifier(text: str) -> str:
    """A C identifier that looks like a name.

    >>> identifier("control arm-2"), identifier("2.part")
    ('control_arm_2', 'm_2_part')
    """
    word = re.sub(r"\W", "_", text, flags=re.ASCII) or "model"
    return word if word[0].isalpha() else f"m_{word}"


def _files(
    folder: Path, name: str, model: Model, content: Content, version: int
) -> list[Path]:
    """The script first, then what it reads."""
    main = folder / f"{name}_{_mark(content)}.py"
    main.write_text(script(version, name, model.name), encoding="utf-8")
    about = folder / "bondline.json"
    packed = content.package is not None
    target = f"{PACKAGE}{content.target}" if packed else content.target
    told = {"target": target, "packed": packed, "set": dict(content.set)}
    told |= {"prefix": content.prefix, "experiment": dict(content.experiment)}
    told |= {"shared": dict(content.shared)}
    about.write_text(json.dumps(told), encoding="utf-8")
    if content.package is None:
        return [main, about]
    package = folder / PACKAGE
    package.write_bytes(content.package)
    return [main, about, package]


def _mark(content: Content) -> str:
    """Tells contents apart: Python keeps one module of a name in a process."""
    told = json.dumps([content.target, dict(content.set)]).encode()
    return hashlib.sha256(told + (content.package or b"")).hexdigest()[:12]


def _called(
    folder: Path, module: str, version: int, files: list[Path], serialises: bool
) -> None:
    """In a process of its own: it imports the script, and changes where to look."""
    state = "state" if version == 2 else "State"
    code = _BUILD.format(module=module, state=state, serialises=serialises)
    out = folder / "out"
    out.mkdir()
    main, *more = map(str, files)
    done = subprocess.run(
        [sys.executable, "-c", code, main, str(out), *more],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        told = done.stderr.strip().splitlines()
        raise SettingError(
            "--to fmu",
            f"the FMU cannot be built: {told[-1] if told else 'no reason given'}.",
            "Look whether the model runs as it is: bondline leaf test.",
        )


def _add(built: Path, model: Model) -> None:
    """Our terminals, and the manifest that says so."""
    if not spots(model):
        return
    with zipfile.ZipFile(built, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("terminalsAndIcons/terminalsAndIcons.xml", terminals(model))
        archive.writestr(f"extra/{TERMINAL_KIND}/fmi-ls-manifest.xml", MANIFEST)
