"""Build: names become objects, here and nowhere else."""

from bondline.build.build import build
from bondline.build.catalogue import catalogue
from bondline.build.kinds import Kind, kinds
from bondline.build.rehearse import rehearse
from bondline.build.templates import template, templates

__all__ = [
    "Kind",
    "build",
    "catalogue",
    "kinds",
    "rehearse",
    "template",
    "templates",
]
