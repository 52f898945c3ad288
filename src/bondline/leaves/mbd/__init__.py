"""Multibody models: rigid and flexible bodies in joint and modal coordinates."""

from __future__ import annotations

from bondline.leaves.mbd.floating import FloatingLeaf
from bondline.leaves.mbd.forces import (
    Bushing,
    Contact,
    JointLoad,
    JointMotion,
    JointSpring,
    JointStop,
    Polynomial,
    Push,
    Spring,
)
from bondline.leaves.mbd.frame import Frame
from bondline.leaves.mbd.integration import Integration
from bondline.leaves.mbd.leaf import MultibodyLeaf
from bondline.leaves.mbd.led import LedLeaf
from bondline.leaves.mbd.making import multibody_leaf
from bondline.leaves.mbd.model import Body, Joint, Mechanism
from bondline.leaves.mbd.modes import Modes, Node
from bondline.leaves.mbd.sheet import Outlet, Seen, Sheet

__all__ = [
    "Body",
    "Bushing",
    "Contact",
    "FloatingLeaf",
    "Frame",
    "Integration",
    "Joint",
    "JointLoad",
    "JointMotion",
    "JointSpring",
    "JointStop",
    "LedLeaf",
    "Mechanism",
    "Modes",
    "MultibodyLeaf",
    "Node",
    "Outlet",
    "Polynomial",
    "Push",
    "Seen",
    "Sheet",
    "Spring",
    "multibody_leaf",
]
