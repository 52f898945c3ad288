"""A model of one structure file, and ways to change it."""
# ruff: noqa: E501 - XML reads best with one element a line

from __future__ import annotations

from pathlib import Path

LEAF = """<?xml version="1.0"?>
<structure xmlns="urn:bondline:leaf:1" gravity="0 0 -g">
  <parameter name="g" value="9.81" unit="m/s2" meaning="gravity"/>
  <parameter name="side" value="0.4" unit="m" positive="true"/>
  <parameter name="kind" value="soft" choices="soft hard"/>
  <parameter name="ratio" value="1000"/>
  <integration method="generalized-alpha" rho="0.9" tolerance="1e-9"/>
  <large-mass ratio="ratio" radius="0.1" weights="5" tolerance="1e-8"/>
  <material name="steel" E="210e9" density="7850" beta="1e-5">
    <linear yield="420e6" H="1.5e9" when="kind=soft"/>
    <swift K="765e6" strain="0.00995" n="0.13" when="kind=hard"/>
  </material>
  <material name="bronze" E="100e9" nu="0.34" density="8800">
    <table kinematic="1e9">
      <point strain="0" stress="200e6"/>
      <point strain="0.1" stress="300e6"/>
    </table>
  </material>
  <material name="gum" E="3e6" nu="0.45" density="1000"><rubber/></material>
  <node name="root" at="0 0 0"/>
  <node name="knee" at="side 0 0"/>
  <node name="tip" at="side side 0"/>
  <node name="horn" at="side 0 0.1" on="knee"/>
  <node name="peg" at="side 0 0.3"/>
  <beams name="leg" through="root knee tip" elements="2 3" material="steel" direction="0 0 1">
    <box depth="0.04" height="0.03" wall="0.003" cuts="4"/>
  </beams>
  <beams name="stay" through="root tip" via="0 side 0" elements="2" material="bronze" direction="0 0 1">
    <tube radius="0.01" wall="0.002" cuts="8"/>
  </beams>
  <mesh name="plate" source="plate.inp"/>
  <shells of="plate.SKIN" material="steel" thickness="0.002" layers="3"/>
  <node name="b1" at="0 1 0"/><node name="b2" at="0.1 1 0"/>
  <node name="b3" at="0.1 1.1 0"/><node name="b4" at="0 1.1 0"/>
  <node name="t1" at="0 1 0.1"/><node name="t2" at="0.1 1 0.1"/>
  <node name="t3" at="0.1 1.1 0.1"/><node name="t4" at="0 1.1 0.1"/>
  <solids nodes="b1 b2 b3 b4 t1 t2 t3 t4" material="gum"/>
  <hold at="b1 b2 b3 b4"/>
  <hold at="plate.EDGE"/>
  <hold at="peg" dofs="x y z"/>
  <bush a="root" b="plate.3" stiffness="1e5 1e5 1e5 10 10 10" stiffening="0.01" damping="5"/>
  <spring a="horn" b="peg" stiffness="1e4" damping="10" length="0.19"/>
  <spring a="tip" b="peg"><point stretch="-1" force="-1"/><point stretch="1" force="1"/></spring>
  <stop a="horn" b="peg" gap="0.01" stiffness="1e5"/>
  <mass at="tip" mass="1" inertia="1e-3"/>
  <push at="tip" force="0 0 10" expression="sin(10*t)*step(0.05-t)" kinks="0.05"/>
  <push at="tip" moment="1 0 0" polynomial="0 2"/>
  <port name="end" at="tip" frame="true" takes="motion"/>
  <port name="grip" at="plate.3 plate.4" dofs="x y z"/>
  <signal name="sag" of="tip" component="z" from="knee"/>
  <signal name="flow" of="plastic-strain"/>
  <signal name="hold" of="peg" component="Rz"/>
</structure>
"""
PLATE = """*NODE
1, 0, 0.6, 0
2, 0.1, 0.6, 0
3, 0.1, 0.7, 0
4, 0, 0.7, 0
*NSET, NSET=EDGE
1, 2
*ELEMENT, TYPE=S4, ELSET=SKIN
1, 1, 2, 3, 4
*MATERIAL, NAME=M
*ELASTIC
1, 0.3
*SHELL SECTION, ELSET=SKIN, MATERIAL=M
1
"""
SYSTEM = """<?xml version="1.0"?>
<ssd:SystemStructureDescription version="2.0" name="one"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:g="urn:bondline:gluing:1">
  <ssd:System name="one">
    <ssd:Elements>
      <ssd:Component name="model" type="application/x-bondline-deck"
                     source="frame.leaf.xml"/>
    </ssd:Elements>
    <ssd:Annotations>
      <ssc:Annotation type="io.github.bondline.gluing"><g:gluing step="0.001"/>
      </ssc:Annotation>
    </ssd:Annotations>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="0.1"/>
</ssd:SystemStructureDescription>
"""


def write(folder: Path, *changes: tuple[str, str], plate: str = PLATE) -> Path:
    """A folder with the model; each change replaces a text that is there once."""
    text = LEAF
    for old, new in changes:
        assert text.count(old) == 1, (old, text.count(old))
        text = text.replace(old, new)
    (folder / "frame.leaf.xml").write_text(text)
    (folder / "plate.inp").write_text(plate)
    (folder / "SystemStructure.ssd").write_text(SYSTEM)
    return folder
