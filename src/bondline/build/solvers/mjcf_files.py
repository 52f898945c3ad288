"""MJCF and URDF from elsewhere: MuJoCo reads no file that the model does not name."""

from __future__ import annotations

from collections.abc import Collection

from bondline.description import Problem
from bondline.description.spec import FileSpec
from bondline.description.untrusted import Node, read_xml
from bondline.errors import SettingError

_ELSEWHERE = ("meshdir", "texturedir", "assetdir")


def checked(file: FileSpec, assets: Collection[str]) -> str:
    """The text of a file for MuJoCo; refused where it reaches for others."""
    document = read_xml(file.data, file.shown)
    if isinstance(document, Problem):
        place = str(document.where)
        raise SettingError(place, document.finding, document.remedy)
    _refuse_files(document.root, assets)
    return file.data.decode("utf-8")


def _refuse_files(root: Node, assets: Collection[str]) -> None:
    plain = root.name == "robot" and not any(n.name == "mujoco" for n in root.children)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if plain and node.name == "visual":  # which MuJoCo leaves out of URDF
            continue
        _refuse(node, assets)
        waiting += node.children


def _refuse(node: Node, assets: Collection[str]) -> None:
    reached = [v for k, v in node.attributes.items() if k.startswith("file")]
    reached = [value for value in reached if value not in assets]
    if reached:
        raise SettingError(
            f"{node.where}, {node.name}",
            f"it names the file {reached[0][:100]!r}.",
            'Bring it along and say <asset source="..."/> with that very name, or use '
            "shapes without files.",
        )
    moved = [key for key in _ELSEWHERE if key in node.attributes]
    if moved or node.name in ("plugin", "extension"):
        raise SettingError(
            f"{node.where}, {node.name}",
            f"it has {moved[0] if moved else 'a plug-in'}.",
            "Leave it out: files lie beside the model, and programs are not its own.",
        )
