"""Models as FMUs: FMI 2 and 3, with state saving and mechanical terminals."""

from bondline.export.fmu.build import Content, build_fmu

__all__ = ["Content", "build_fmu"]
