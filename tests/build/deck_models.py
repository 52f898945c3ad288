"""A plate cut into two decks, as a model file; and ways to change it."""

from __future__ import annotations

from pathlib import Path

LEFT = """*HEADING
half a plate
*PARAMETER
thickness = 0.01
force = 5.0
rate = 20.0
omega = 2*3.141592653589793*rate
*NODE
1, 0.0, 0.0, 0.0
2, 1.0, 0.0, 0.0
3, 1.0, 1.0, 0.0
4, 0.0, 1.0, 0.0
*ELEMENT, TYPE=S4, ELSET=ALL
1, 1, 2, 3, 4
*NSET, NSET=Edge
2, 3
*NSET, NSET=WALL
1, 4
*NSET, NSET=CORNER
3
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.0
*SHELL SECTION, ELSET=ALL, MATERIAL=STEEL
<thickness>
*BOUNDARY
WALL, 1, 6
*AMPLITUDE, NAME=SINE, DEFINITION=PERIODIC
1, <omega>, 0.0, 0.0
0.0, 1.0
*STEP
*DYNAMIC, DIRECT
0.001, 0.1
*CLOAD, AMPLITUDE=SINE
CORNER, 3, <force>
*END STEP
"""

RIGHT = """*NODE
1, 1.0, 0.0, 0.0
2, 2.0, 0.0, 0.0
3, 2.0, 1.0, 0.0
4, 1.0, 1.0, 0.0
*ELEMENT, TYPE=S4, ELSET=ALL
1, 1, 2, 3, 4
*NSET, NSET=EDGE
1, 4
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.0
*SHELL SECTION, ELSET=ALL, MATERIAL=STEEL
0.01
"""

ANNOTATION = """
        <ssd:Annotations><ssc:Annotation type="io.github.bondline.fe">
          <g:fe steps="1">
            <g:publish name="tip.az" set="CORNER" component="az"/>
            <g:parameter name="thickness" unit="m" meaning="of the plate"
                         positive="true"/>
          </g:fe>
        </ssc:Annotation></ssd:Annotations>"""

MODEL = f"""<?xml version="1.0" encoding="UTF-8"?>
<ssd:SystemStructureDescription version="2.0" name="plate"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:ssv="http://ssp-standard.org/SSP1/SystemStructureParameterValues"
    xmlns:g="urn:bondline:gluing:1">
  <ssd:System name="plate">
    <ssd:Connectors><ssd:Connector name="tip.az" kind="output"/></ssd:Connectors>
    <ssd:Elements>
      <ssd:Component name="left" type="application/x-bondline-deck" source="resources/left.inp">
        <ssd:Connectors>
          <ssd:Connector name="edge" kind="unspecified"/>
          <ssd:Connector name="tip.az" kind="output"/>
        </ssd:Connectors>{ANNOTATION}
      </ssd:Component>
      <ssd:Component name="right" type="application/x-bondline-deck" source="resources/right.inp">
        <ssd:Connectors><ssd:Connector name="edge" kind="unspecified"/></ssd:Connectors>
      </ssd:Component>
    </ssd:Elements>
    <ssd:Connections>
      <ssd:Connection startElement="left" startConnector="tip.az" endConnector="tip.az"/>
    </ssd:Connections>
    <ssd:Annotations><ssc:Annotation type="io.github.bondline.gluing">
      <g:gluing step="0.001">
        <g:joint name="seam" kind="tie">
          <g:side element="left" connector="edge"/>
          <g:side element="right" connector="edge"/>
        </g:joint>
      </g:gluing>
    </ssc:Annotation></ssd:Annotations>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="0.01"/>
</ssd:SystemStructureDescription>
"""  # noqa: E501 - as people write them


def write(folder: Path, *changes: tuple[str, str]) -> Path:
    """The model in a folder, each change made once in the one file that has it."""
    files = {
        "SystemStructure.ssd": MODEL,
        "resources/left.inp": LEFT,
        "resources/right.inp": RIGHT,
    }
    for old, new in changes:
        name = next(n for n, text in files.items() if old in text)
        files[name] = files[name].replace(old, new, 1)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
