"""A hanging chain with a flexible end: few fast variables, many slow ones.

Writes chain.leaf.xml beside this file: links hinged to each other in the plane x, z,
the last of them a heavy hub that carries a beam clamped to it.
`python make_chain.py 80` makes a longer one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by make_chain.py: {n} links, the last with a beam of two modes. Angles are
     from the downward vertical, towards +x. -->
<mechanism xmlns="urn:bondline:leaf:1" gravity="0 0 -g">
  <parameter name="g" value="9.81" unit="m/s2" meaning="gravity"/>
  <parameter name="step" value="1e-4" unit="s" meaning="step of the modes"
             positive="true"/>
  <parameter name="ratio" value="10" meaning="slow step / fast step" positive="true"/>
  <parameter name="multirate" value="residual" choices="paper residual"
             meaning="how slow accelerations are told between slow steps"/>
  <parameter name="solver" value="auto" choices="auto dense recursive"
             meaning="how accelerations are found"/>
  <parameter name="length" value="0.25" unit="m" meaning="of a link" positive="true"/>
  <parameter name="mass" value="2" unit="kg" meaning="of a link" positive="true"/>
  <parameter name="hub.mass" value="4" unit="kg" meaning="of the last" positive="true"/>
  <parameter name="beam.length" value="0.5" unit="m" meaning="of the beam"
             positive="true"/>
  <parameter name="beam.mass" value="0.4" unit="kg" meaning="of the beam"
             positive="true"/>
  <parameter name="beam.frequency" value="20" unit="Hz" positive="true"
             meaning="of the clamped beam's first mode"/>
  <parameter name="beam.EI" unit="N.m2" meaning="bending stiffness of the beam"
             value="(2*pi*beam.frequency)**2*beam.mass*beam.length**3/12.362363368375"/>
  <integration step="step" ratio="ratio" multirate="multirate" solver="solver"/>
"""

LINK = """  <body name="{name}">
    <rod length="length" mass="{mass}" at="0 0 -length/2"/>
    <marker name="top" axis="0 -1 0"/>
    <marker name="bottom" at="0 0 -length" axis="0 -1 0"/>
  </body>
  <joint name="{joint}" kind="revolute" inboard="{inboard}" outboard="{name}.top"
         start="{start}"/>
"""

BEAM = """  <body name="beam">
    <beam length="beam.length" mass="beam.mass" EIy="beam.EI" rpy="0 pi/2 0"
          start="0.004 0.0004">
      <shapes kind="bend-z" count="2"/>
      <node name="middle" station="0.5*beam.length"/>
      <node name="tip" station="beam.length"/>
    </beam>
    <marker name="root" axis="0 -1 0"/>
  </body>
  <joint name="clamp" kind="fixed" inboard="hub.bottom" outboard="beam.root"/>
"""

TAIL = """  <signal name="first.angle" of="j1.angle"/>
  <signal name="beam.a1" of="beam.a1"/>
  <signal name="beam.a2" of="beam.a2"/>
  <signal name="tip.x" of="beam.tip" component="x"/>
  <signal name="tip.z" of="beam.tip" component="z"/>
  <line name="chain" through="{through} beam.middle beam.tip"/>
</mechanism>
"""


def text(n: int) -> str:
    """The file of a chain with `n` links."""
    angles = 0.1 * np.sin(np.linspace(0.2, 2.5, n))
    starts = np.diff(angles, prepend=0.0)
    names = [f"link{i + 1}" for i in range(n - 1)] + ["hub"]
    pieces = [HEAD.format(n=n), '  <ground>\n    <marker name="top" axis="0 -1 0"/>\n']
    pieces.append("  </ground>\n")
    for i, name in enumerate(names):
        inboard = f"{names[i - 1]}.bottom" if i else "ground.top"
        mass, start = "hub.mass" if name == "hub" else "mass", repr(float(starts[i]))
        told = {"name": name, "joint": f"j{i + 1}", "inboard": inboard}
        pieces.append(LINK.format(**told, mass=mass, start=start))
    through = " ".join(f"{name}.top" for name in names) + " hub.bottom"
    return "".join([*pieces, BEAM, TAIL.format(through=through)])


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    Path(__file__).with_name("chain.leaf.xml").write_text(text(count))
