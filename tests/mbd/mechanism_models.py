"""A model of one mechanism file, and ways to change it."""

from __future__ import annotations

from pathlib import Path

LEAF = """<?xml version="1.0"?>
<mechanism xmlns="urn:bondline:leaf:1" gravity="0 0 -g">
  <parameter name="g" value="9.81" unit="m/s2" meaning="gravity"/>
  <parameter name="arm.length" value="0.8" unit="m" positive="true"/>
  <parameter name="arm.mass" value="2*arm.length" unit="kg" positive="true"/>
  <parameter name="begin" value="straight" choices="straight sag"/>
  <parameter name="form" value="paper" choices="paper residual"/>
  <integration step="1e-3" ratio="2" multirate="form"/>
  <ground>
    <marker name="post" at="0 0 1" axis="0 1 0"/>
  </ground>
  <body name="arm">
    <rod length="arm.length" mass="arm.mass" at="arm.length/2 0 0" axis="1 0 0"/>
    <box size="0.1 0.1 0.1" density="1000" at="arm.length 0 0"/>
    <marker name="root" axis="0 1 0"/>
    <marker name="end" at="arm.length 0 0" rpy="0 0 pi/2"/>
  </body>
  <body name="whip">
    <beam length="0.5" mass="0.3" EIy="40" EIz="40" damping="0.01" sag="begin">
      <shapes kind="bend-z" count="2"/>
      <node name="tip" station="0.5"/>
    </beam>
  </body>
  <joint name="swing" kind="revolute" inboard="ground.post" outboard="arm.root"
         start="0.1" speed="0.2"/>
  <joint name="grip" kind="fixed" inboard="arm.end" outboard="whip"/>
  <joint-load joint="swing" value="3" frequency="2" phase="pi/2"/>
  <joint-load joint="swing" value="1">
    <point t="0" value="0"/>
    <point t="0.05" value="2"/>
  </joint-load>
  <joint-spring joint="swing" stiffness="10" damping="0.1"/>
  <joint-stop joint="swing" stiffness="100" above="1"/>
  <push at="arm.end" force="1 0 0" polynomial="0 1"/>
  <push at="arm.end" force="0 0 1" expression="arm.mass*sin(3*t) + max(t - 0.03, 0)"
        kinks="0.03"/>
  <spring a="ground.post" b="arm.end" stiffness="5" length="0.3"/>
  <port name="tip" at="whip.tip"/>
  <signal name="angle" of="swing.angle"/>
  <signal name="spin" of="swing.angle" component="speed"/>
  <signal name="bend" of="whip.a1"/>
  <signal name="tip.z" of="whip.tip" component="z"/>
  <line name="arm" through="arm arm.end whip.tip"/>
</mechanism>
"""

SYSTEM = """<?xml version="1.0"?>
<ssd:SystemStructureDescription version="2.0" name="whip"
    xmlns:ssd="http://ssp-standard.org/SSP1/SystemStructureDescription"
    xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon"
    xmlns:g="urn:bondline:gluing:1">
  <ssd:System name="whip">
    <ssd:Elements>
      <ssd:Component name="model" type="application/x-bondline-deck"
                     source="whip.leaf.xml">
        <ssd:Connectors>
          <ssd:Connector name="tip" kind="unspecified"/>
          <ssd:Connector name="angle" kind="output"/>
        </ssd:Connectors>
      </ssd:Component>
    </ssd:Elements>
    <ssd:Annotations>
      <ssc:Annotation type="io.github.bondline.gluing">
        <g:gluing step="0.01"/>
      </ssc:Annotation>
    </ssd:Annotations>
  </ssd:System>
  <ssd:DefaultExperiment startTime="0" stopTime="0.1"/>
</ssd:SystemStructureDescription>
"""


def write(folder: Path, *changes: tuple[str, str], system: str = SYSTEM) -> Path:
    """A model in a folder, with some texts of its mechanism replaced."""
    text = LEAF
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "SystemStructure.ssd").write_text(system)
    (folder / "whip.leaf.xml").write_text(text)
    return folder
