"""Models with FMUs in them, as folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="2.0" name="pair"
  xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
  xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
  xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">
<ssd:System name="pair"><ssd:Elements>
"""
_TAIL = """</ssd:System><ssd:DefaultExperiment startTime="0" stopTime="{stop}"/>
</ssd:SystemStructureDescription>
"""


def component(
    name: str,
    source: str,
    connectors: Sequence[tuple[str, str]] = (("p", "unspecified"),),
    values: Mapping[str, float] | None = None,
    annotation: str = "",
) -> str:
    """One component; a source with a colon is a leaf of ours."""
    kind = ' type="application/x-bondline-leaf"' if ":" in source else ""
    ends = "".join(f'<ssd:Connector name="{n}" kind="{k}"/>' for n, k in connectors)
    each = "".join(
        f'<ssv:Parameter name="{n}"><ssv:Real value="{v!r}"/></ssv:Parameter>'
        for n, v in (values or {}).items()
    )
    bound = (
        "<ssd:ParameterBindings><ssd:ParameterBinding><ssd:ParameterValues>"
        f'<ssv:ParameterSet version="2.0" name="own"><ssv:Parameters>{each}'
        "</ssv:Parameters></ssv:ParameterSet></ssd:ParameterValues>"
        "</ssd:ParameterBinding></ssd:ParameterBindings>"
    )
    told = (
        '<ssd:Annotations><ssc:Annotation type="io.github.bondline.fmu">'
        f"{annotation}</ssc:Annotation></ssd:Annotations>"
    )
    return (
        f'<ssd:Component name="{name}"{kind} source="{source}">'
        f"<ssd:Connectors>{ends}</ssd:Connectors>"
        f"{bound if values else ''}{told if annotation else ''}</ssd:Component>\n"
    )


def joint(name: str, *sides: str) -> str:
    """A tie between ports."""
    each = "".join(
        '<g:side element="{}" connector="{}"/>'.format(*side.split("."))
        for side in sides
    )
    return f'<g:joint name="{name}" kind="tie">{each}</g:joint>'


def model(
    folder: Path,
    components: Sequence[str],
    joints: Sequence[str] = (),
    wires: Sequence[tuple[str, str]] = (),
    gluing: str = 'step="0.01"',
    stop: float = 1.0,
) -> Path:
    """The folder, with a description of those parts."""
    lines = "".join(
        '<ssd:Connection startElement="{}" startConnector="{}" '
        'endElement="{}" endConnector="{}"/>'.format(
            *source.split(".", 1), *target.split(".", 1)
        )
        for source, target in wires
    )
    carried = f"<ssd:Connections>{lines}</ssd:Connections>" if wires else ""
    text = (
        f"{_HEAD}{''.join(components)}</ssd:Elements>{carried}<ssd:Annotations>"
        '<ssc:Annotation type="io.github.bondline.gluing">'
        f'<g:gluing xmlns:g="urn:bondline:gluing:1" {gluing}>{"".join(joints)}'
        f"</g:gluing></ssc:Annotation></ssd:Annotations>{_TAIL.format(stop=stop)}"
    )
    (folder / "SystemStructure.ssd").write_text(text, encoding="utf-8")
    return folder
