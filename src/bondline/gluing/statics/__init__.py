"""Statics of glued models: supported parts, floating parts, load steps."""

from bondline.gluing.statics.dofs import Here
from bondline.gluing.statics.glued import GluedStatics
from bondline.gluing.statics.holding import METHODS
from bondline.gluing.statics.statics import Equilibrium, Statics

__all__ = ["METHODS", "Equilibrium", "GluedStatics", "Here", "Statics"]
