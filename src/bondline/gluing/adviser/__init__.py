"""The adviser: what a few windows tell about an assembly, before a run."""

from bondline.gluing.adviser.advice import Advice, Recommendation, Section
from bondline.gluing.adviser.advise import advise

__all__ = ["Advice", "Recommendation", "Section", "advise"]
