"""MJCF and URDF from elsewhere: MuJoCo reads no file that the model does not name."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Mapping

from bondline.description import Problem
from bondline.description.spec import FileSpec
from bondline.description.untrusted import Node, read_xml
from bondline.errors import SettingError

_ELSEWHERE = ("meshdir", "texturedir", "assetdir")
_READ_XML = ("include", "model")


def checked(file: FileSpec, assets: Mapping[str, FileSpec]) -> str:
    """The text of a file for MuJoCo; refused where it reaches for others.

    What it includes may reach, too: assets that are XML are looked through as well.
    """
    for document in (file, *filter(_is_xml, assets.values())):
        _refuse_files(_root(document), assets)
    return file.data.decode("utf-8")


def _is_xml(file: FileSpec) -> bool:
    named = file.shown.lower().endswith((".xml", ".mjcf", ".urdf"))
    return named or file.data.removeprefix(BOM_UTF8).lstrip().startswith(b"<")


def _root(file: FileSpec) -> Node:
    document = read_xml(file.data, file.shown)
    if isinstance(document, Problem):
        place = str(document.where)
        raise SettingError(place, document.finding, document.remedy)
    return document.root


def _refuse_files(root: Node, assets: Mapping[str, FileSpec]) -> None:
    plain = root.name == "robot" and not any(n.name == "mujoco" for n in root.children)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if plain and node.name == "visual":  # which MuJoCo leaves out of URDF
            continue
        _refuse(node, assets)
        waiting += node.children


def _refuse(node: Node, assets: Mapping[str, FileSpec]) -> None:
    named = [v for k, v in node.attributes.items() if k.startswith("file")]
    reached = [value for value in named if value not in assets]
    if reached:
        raise SettingError(
            f"{node.where}, {node.name}",
            f"it names the file {reached[0][:100]!r}.",
            'Bring it along and say <asset source="..."/> with that very name, or use '
            "shapes without files.",
        )
    if node.name.lower() in _READ_XML and not all(_is_xml(assets[n]) for n in named):
        raise SettingError(
            f"{node.where}, {node.name}",
            f"the file {named[0][:100]!r} does not look like XML.",
            "Let its name end in .xml.",
        )
    moved = [key for key in _ELSEWHERE if key in node.attributes]
    if moved or node.name in ("plugin", "extension"):
        raise SettingError(
            f"{node.where}, {node.name}",
            f"it has {moved[0] if moved else 'a plug-in'}.",
            "Leave it out: files lie beside the model, and programs are not its own.",
        )
