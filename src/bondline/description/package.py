"""Packages: a model as an .ssp with everything in it, and with other values.

What we do not know (annotations, other files, other variants) goes in as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bondline.description.archive import open_archive
from bondline.description.catalogue import Catalogue
from bondline.description.check import read
from bondline.description.digest import pack
from bondline.description.load import load
from bondline.description.overrides import bindings, override
from bondline.description.place import Place, Problem, refuse
from bondline.description.schema import SSC, SSD, SSM, SSV, plain_parser
from bondline.description.sources import MAIN, MAX_DATA, read_limited
from bondline.description.spec import BindingSpec
from bondline.description.variants import variants
from bondline.errors import UsageError

if TYPE_CHECKING:
    from lxml import etree

_OURS = ("resources", "documentation", "extra")  # folders that SSP knows
_WORDS = str.maketrans(dict.fromkeys('/\\:*?"<>|', "_"))


@dataclass(frozen=True)
class Change:
    """Values as for `--set`, and the name of the variant that has them.

    Without a name the values go into the description that is packed.
    """

    values: Mapping[str, str]
    name: str | None = None


def package(
    path: Path, catalogue: Catalogue, change: Change | None = None
) -> dict[str, bytes]:
    """The files of an .ssp: all of a model, also what is not read here."""
    spec = read(path, catalogue)
    files, main = every_file(path, catalogue), load(path).main
    if change is None:
        return files
    override(spec, catalogue, change.values)  # refuses what cannot be set
    stem = (change.name or Path(main).stem).translate(_WORDS)
    made = f"{stem}.ssd" if change.name else main
    if change.name and made in files:
        raise UsageError(
            f"--as {change.name}",
            f"{path} has a variant of this name.",
            "Take another name.",
        )
    return {
        **files,
        **_changed(files, main, made, bindings(spec, catalogue, change.values)),
    }


def every_file(path: Path, catalogue: Catalogue) -> dict[str, bytes]:
    """Everything that belongs to a model, by its name inside.

    All of an archive; of a folder the descriptions, what they read, and the folders
    that SSP knows.
    """
    folder = path if path.is_dir() or _is_archive(path) else path.parent
    files: dict[str, bytes] = {}
    for name in variants(folder):
        files |= load(folder / f"{name}.ssd", catalogue.library).contents
    if _is_archive(folder):
        return _all_of(folder) | files
    if MAIN not in files:
        files[MAIN] = files[load(path).main]
    return files | dict(_beside(folder, files))


def _is_archive(path: Path) -> bool:
    return path.suffix.lower() == ".ssp" and path.is_file()


def _all_of(path: Path) -> dict[str, bytes]:
    archive = open_archive(path, every=True)
    if isinstance(archive, Problem):
        raise refuse([archive])
    return dict(archive.contents)


def _beside(folder: Path, known: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """Files in the folders of SSP that nobody reads; links are not followed."""
    for part in _OURS:
        for path in sorted((folder / part).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if name in known or path.is_symlink() or not path.is_file():
                continue
            data = read_limited(path, str(path), MAX_DATA)
            if isinstance(data, Problem):
                raise refuse([data])
            yield name, data


def _changed(
    files: Mapping[str, bytes], main: str, made: str, told: tuple[BindingSpec, ...]
) -> dict[str, bytes]:
    """The description with one more binding, which comes last and so counts."""
    from lxml import etree

    tree = etree.fromstring(files[main], plain_parser()).getroottree()
    root = tree.getroot()
    stem = _free(files, f"resources/{Path(made).stem}")
    version = "2.0" if root.get("version") == "2.0" else "1.0"
    system = root.find(f"{{{SSD}}}System")
    assert system is not None, "the model was read"
    _bind(system, f"{stem}.ssv", f"{stem}.ssm")
    return {
        made: _text(root),
        f"{stem}.ssv": _text(_values(told, version)),
        f"{stem}.ssm": _text(_mappings(told, version)),
    }


def _free(files: Mapping[str, bytes], stem: str) -> str:
    """A name for new files that no file has."""
    tried, k = stem, 1
    while f"{tried}.ssv" in files or f"{tried}.ssm" in files:
        k += 1
        tried = f"{stem}_{k}"
    return tried


def _bind(system: etree._Element, values: str, mapping: str) -> None:
    from lxml import etree

    group = system.find(f"{{{SSD}}}ParameterBindings")
    if group is None:
        before = [f"{{{SSD}}}{n}" for n in ("Connectors", "ElementGeometry")]
        group = etree.Element(f"{{{SSD}}}ParameterBindings")
        system.insert(sum(1 for child in system if child.tag in before), group)
    binding = etree.SubElement(group, f"{{{SSD}}}ParameterBinding", source=values)
    etree.SubElement(binding, f"{{{SSD}}}ParameterMapping", source=mapping)


def _values(told: tuple[BindingSpec, ...], version: str) -> etree._Element:
    from lxml import etree

    root = etree.Element(f"{{{SSV}}}ParameterSet", nsmap={"ssv": SSV})
    root.set("version", version)
    root.set("name", "values")
    group = etree.SubElement(root, f"{{{SSV}}}Parameters")
    for value in (v for binding in told for v in binding.values):
        one = etree.SubElement(group, f"{{{SSV}}}Parameter", name=value.name)
        kind = "Real" if _is_number(value.text) else "String"
        typed = etree.SubElement(one, f"{{{SSV}}}{kind}", value=value.text)
        if value.unit:
            typed.set("unit", value.unit)
    return root


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _mappings(told: tuple[BindingSpec, ...], version: str) -> etree._Element:
    from lxml import etree

    root = etree.Element(f"{{{SSM}}}ParameterMapping", nsmap={"ssm": SSM, "ssc": SSC})
    root.set("version", version)
    for binding in told:
        for rule in binding.mapping or ():
            entry = _entry(root, rule.source, rule.target)
            if rule.keep_number:
                entry.set("suppressUnitConversion", "true")
            if (rule.factor, rule.offset) != (1.0, 0.0):
                linear = etree.SubElement(entry, f"{{{SSC}}}LinearTransformation")
                linear.set("factor", repr(rule.factor))
                linear.set("offset", repr(rule.offset))
        if binding.mapping is None:
            for value in binding.values:
                _entry(root, value.name, value.name)
    return root


def _entry(root: etree._Element, source: str, target: str) -> etree._Element:
    from lxml import etree

    tag = f"{{{SSM}}}MappingEntry"
    return etree.SubElement(root, tag, source=source, target=target)


def _text(root: etree._Element) -> bytes:
    from lxml import etree

    tree = root.getroottree()
    text: bytes = etree.tostring(tree, encoding="UTF-8", xml_declaration=True)
    return text


def write_package(
    path: Path, out: Path, catalogue: Catalogue, change: Change | None = None
) -> Path:
    """The same as a file, which is read again before it gets its name."""
    files = package(path, catalogue, change)
    draft = out.with_name(f".{out.name}.draft.ssp")
    try:
        draft.write_bytes(pack(files))
        for name in variants(draft):
            _sound(draft / f"{name}.ssd", out)
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)
    return out


def _sound(path: Path, out: Path) -> None:
    """What cannot be read back is our mistake, or one that was there before."""
    wrong = [p for p in load(path).problems if p.fatal]
    if wrong:
        told = [Problem(p.code, Place(str(out)), p.finding, p.remedy) for p in wrong]
        raise refuse(told)
