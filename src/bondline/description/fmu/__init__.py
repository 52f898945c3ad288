"""FMUs as files: archives, model descriptions, terminals, and the ports in them."""

from bondline.description.fmu.archive import Packed, open_fmu, unpack
from bondline.description.fmu.ports import PortText, ports_of
from bondline.description.fmu.text import FmuText, read_fmu
from bondline.description.fmu.variables import Variable

__all__ = [
    "FmuText",
    "Packed",
    "PortText",
    "Variable",
    "open_fmu",
    "ports_of",
    "read_fmu",
    "unpack",
]
