"""The examples that ship with Bondline, to start from."""

from __future__ import annotations

from pathlib import Path

from bondline.errors import UsageError, did_you_mean

_PACKAGE = Path(__file__).resolve().parent.parent
_SHELVES = (_PACKAGE / "templates", _PACKAGE.parent.parent / "examples")
_MAIN = "SystemStructure.ssd"


def templates() -> dict[str, Path]:
    """Folders of the examples by name: in a wheel `templates`, else `examples`."""
    for shelf in _SHELVES:
        if shelf.is_dir():
            return {p.name: p for p in sorted(shelf.iterdir()) if (p / _MAIN).is_file()}
    return {}


def template(name: str) -> Path:
    """Folder of one example; `double-pendulum` and `double_pendulum` are the same."""
    known = templates()
    found = known.get(name) or known.get(name.replace("-", "_"))
    if found is None:
        raise UsageError(
            f"--template {name}", "no such example.", did_you_mean(name, known)
        )
    return found
