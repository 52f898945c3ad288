"""Leaf models and adapters. Nothing here knows what gluing is."""

from bondline.leaves.bar import FreeBar, PinnedBar
from bondline.leaves.chain import chain
from bondline.leaves.checkpointed import Checkpointed, StatefulCode
from bondline.leaves.function import FunctionLeaf
from bondline.leaves.structure import Structure

__all__ = [
    "Checkpointed",
    "FreeBar",
    "FunctionLeaf",
    "PinnedBar",
    "StatefulCode",
    "Structure",
    "chain",
]
