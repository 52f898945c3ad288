"""Model descriptions: SSP 2.0 files become plain data, and are checked as data."""

from bondline.description.catalogue import Catalogue, JointForm, SolverForm
from bondline.description.check import accept, check, examine, read
from bondline.description.codes import CODES, Code, explain
from bondline.description.digest import (
    bundle,
    contents,
    contents_of,
    digest,
    pack,
)
from bondline.description.load import Loaded, load
from bondline.description.overrides import Setting, override, settable
from bondline.description.package import Change, package, write_package
from bondline.description.place import Place, Problem, refuse
from bondline.description.resolve import leaves, numbers
from bondline.description.spec import (
    ComponentSpec,
    ConnectionSpec,
    GluingSpec,
    JointSpec,
    ModelSpec,
    RatesSpec,
    SystemSpec,
)
from bondline.description.stored import digest_of
from bondline.description.variants import variant, variants

__all__ = [
    "CODES",
    "Catalogue",
    "Change",
    "Code",
    "ComponentSpec",
    "ConnectionSpec",
    "GluingSpec",
    "JointForm",
    "JointSpec",
    "Loaded",
    "ModelSpec",
    "Place",
    "Problem",
    "RatesSpec",
    "Setting",
    "SolverForm",
    "SystemSpec",
    "accept",
    "bundle",
    "check",
    "contents",
    "contents_of",
    "digest",
    "digest_of",
    "examine",
    "explain",
    "leaves",
    "load",
    "numbers",
    "override",
    "pack",
    "package",
    "read",
    "refuse",
    "settable",
    "variant",
    "variants",
    "write_package",
]
