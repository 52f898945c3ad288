"""Models on the page: what they are made of, what is wrong, what a change would do."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bondline.build import Given, Opened, catalogue, open_model, rehearse, templates
from bondline.build.outline import plain as outlined
from bondline.build.solvers.grant import code_withheld
from bondline.description import explain, load
from bondline.errors import BondlineError, UsageError, document
from bondline.errors import plain as told_problem
from bondline.web.amounts import settled
from bondline.web.project import MAIN, NotThere, Project
from bondline.web.told import Changes

_TEXTS = (".ssd", ".ssv", ".ssm", ".xml", ".inp", ".bdf", ".toml", ".csv", ".md")
_MOST = 2_000_000  # bytes of a file that the page shows


def shelf(project: Project) -> list[dict[str, Any]]:
    """Every model of the project: path and name."""
    here = project.folder.resolve().name
    return [{"path": str(p), "name": p.stem or here} for p in project.models()]


def offered() -> list[dict[str, str]]:
    """The templates, with the first sentence of what they say about themselves."""
    return [
        {"name": name, "about": _about(folder)} for name, folder in templates().items()
    ]


def _about(folder: Path) -> str:
    import re

    text = (folder / MAIN).read_text(encoding="utf-8", errors="replace")[:4000]
    found = re.search(r"<!--(.*?)-->", text, re.DOTALL)
    words = " ".join(found[1].split()) if found else ""
    return words.split(". ")[0][:160]


def given(changes: Changes) -> Given:
    """The same as the command line would make of its flags."""
    own = settled(changes).model_dump(exclude={"until", "step"}, exclude_none=True)
    return Given(**own)


def described(path: Path, changes: Changes) -> dict[str, Any]:
    """Tree, parameters, settings, problems; as much as can be told without its code."""
    with code_withheld():
        return _described(path, changes)


def _described(path: Path, changes: Changes) -> dict[str, Any]:
    _, problems = rehearse(path)
    told: dict[str, Any] = {
        "problems": [_placed(path, told_problem(p)) for p in problems],
        "files": [name for name, _ in _files(path)],
        "choices": _choices(),
    }
    try:
        opened = open_model(path, given(changes))
    except BondlineError as error:
        if _listed(error, problems):
            return told
        return {**told, "error": document(error)["error"]}
    return {**told, **_opened(opened)}


def _listed(error: BondlineError, problems: Sequence[Any]) -> bool:
    """Whether all that an error says is among the problems already."""
    told = [told_problem(p) for p in problems]
    own = [told_problem(p) for p in getattr(error, "problems", ())]
    return bool(own) and all(one in told for one in own)


def _opened(opened: Opened) -> dict[str, Any]:
    return {
        "name": opened.model.name,
        "start": opened.spec.start,
        "stop": opened.spec.stop,
        "step": opened.spec.step,
        "tree": outlined(opened.model),
        "parameters": [
            {
                "name": p.name,
                "value": p.shown if p.choices else p.value,
                "unit": p.unit,
                "meaning": p.meaning,
                "choices": list(p.choices),
            }
            for p in opened.parameters
        ],
    }


def _placed(path: Path, problem: dict[str, Any]) -> dict[str, Any]:
    """Files of problems by their names in the model; with the long text."""
    file = str(problem.get("file", ""))
    names = [name for name, _ in _files(path)]
    short = next((n for n in names if f"/{file}".endswith(f"/{n}")), Path(file).name)
    code = problem.get("code")
    return {**problem, "file": short, "explained": explain(code) if code else ""}


def _choices() -> dict[str, list[str]]:
    known = catalogue()
    refresh = [w for s in known.solvers.values() for w in s.choices.get("refresh", ())]
    return {
        "coupling": [*known.methods],
        "solver": [*known.solvers],
        "refresh": list(dict.fromkeys(refresh)),
    }


def _files(path: Path) -> Iterator[tuple[str, Path]]:
    """Texts of a model that is a folder, by their names; no links out of it."""
    if not path.is_dir():
        yield path.name, path
        return
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path)
        hidden = any(p.startswith((".", "runs", "__")) for p in name.parts)
        ours = file.is_file() and file.resolve().is_relative_to(path.resolve())
        if file.suffix in _TEXTS and ours and not hidden:
            yield name.as_posix(), file


def source(path: Path, name: str) -> dict[str, Any]:
    """One file of a model as text."""
    file = _file(path, name)
    if file.suffix == ".ssp":
        data = load(path).contents.get(MAIN, b"")
    else:
        data = file.read_bytes()
    if len(data) > _MOST:
        raise UsageError(name, "it is too long for the page.", "Use an editor.")
    return {
        "file": name,
        "text": data.decode("utf-8", "replace"),
        "digest": hashlib.sha256(data).hexdigest(),
        "editable": file.suffix in (".ssd", ".ssv", ".ssm", ".xml"),
    }


def replace(path: Path, name: str, text: str, before: str) -> dict[str, Any]:
    """Write a file of a model, if it still is what the page showed."""
    shown = source(path, name)
    if not shown["editable"]:
        raise UsageError(name, "such files are not edited here.", "Use an editor.")
    if shown["digest"] != before:
        raise UsageError(
            name, "it has changed since the page read it.", "Open it again."
        )
    file = _file(path, name)
    draft = file.with_name(f".{file.name}.draft")
    draft.write_bytes(text.encode("utf-8", "replace"))
    draft.replace(file)
    return source(path, name)


def _file(path: Path, name: str) -> Path:
    for known, file in _files(path):
        if known == name:
            return file
    raise NotThere(repr(name[:200]), "the model has no such text.", "Take another.")
