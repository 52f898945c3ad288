"""Leaf models and adapters. Nothing here knows what gluing is."""

from bondline.leaves.bar import FreeBar, PinnedBar
from bondline.leaves.body import body
from bondline.leaves.chain import chain
from bondline.leaves.checkpointed import Checkpointed, StatefulCode
from bondline.leaves.crank import Crank
from bondline.leaves.flexible_bar import FlexibleBar
from bondline.leaves.function import FunctionLeaf
from bondline.leaves.ground import Ground, ground
from bondline.leaves.large_mass import LargeMass
from bondline.leaves.oscillator import Oscillator
from bondline.leaves.rigid_body import RigidBody
from bondline.leaves.spring_chain import SpringChain
from bondline.leaves.structure import Structure

__all__ = [
    "Checkpointed",
    "Crank",
    "FlexibleBar",
    "FreeBar",
    "FunctionLeaf",
    "Ground",
    "LargeMass",
    "Oscillator",
    "PinnedBar",
    "RigidBody",
    "SpringChain",
    "StatefulCode",
    "Structure",
    "body",
    "chain",
    "ground",
]
