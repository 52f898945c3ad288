"""What a model file says, as plain data with places. Nothing here is checked yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bondline.description.place import Place

LEAF_TYPE = "application/x-bondline-leaf"
SYSTEM_TYPE = "application/x-ssp-definition"
DECK_TYPE = "application/x-bondline-deck"
FMU_TYPE = "application/x-fmu-sharedlibrary"  # what SSP means by no type
LEAF_ENDING = "leaf.xml"  # mechanisms
_CARRIED = ("output", "input")  # kinds of the ends of a signal
REMOTE = "remote"  # the kind of a leaf whose inside is at a partner's


@dataclass(frozen=True, slots=True)
class ValueSpec:
    """One number as written: not yet read, not yet in SI units."""

    name: str
    text: str
    unit: str | None
    where: Place


@dataclass(frozen=True, slots=True)
class MappingSpec:
    """`target` = factor · `source` + offset."""

    source: str
    target: str
    factor: float
    offset: float
    where: Place
    keep_number: bool = False  # SSP: suppressUnitConversion


@dataclass(frozen=True, slots=True)
class BindingSpec:
    """A set of values given to an element; with a mapping, only what it maps."""

    values: tuple[ValueSpec, ...]
    mapping: tuple[MappingSpec, ...] | None
    prefix: str
    where: Place


@dataclass(frozen=True, slots=True)
class ConnectorSpec:
    """A named point of contact; kind `unspecified` is a mechanical port."""

    name: str
    kind: str
    where: Place
    unit: str | None = None

    @property
    def mechanical(self) -> bool:
        """Whether it is a port rather than a causal signal or a parameter."""
        return self.kind == "unspecified"


@dataclass(frozen=True, slots=True)
class ConnectionSpec:
    """A line between two connectors; an absent element is the system itself.

    What ends there is factor · what starts, in the unit of the end, + offset.
    """

    start: tuple[str | None, str]
    end: tuple[str | None, str]
    where: Place
    factor: float = 1.0
    offset: float = 0.0
    keep_number: bool = False  # SSP: suppressUnitConversion

    @property
    def ends(self) -> tuple[tuple[str | None, str], ...]:
        """Both ends."""
        return (self.start, self.end)


@dataclass(frozen=True, slots=True)
class SideSpec:
    """One end of a joint."""

    element: str
    connector: str
    where: Place

    def __str__(self) -> str:
        return f"{self.element}.{self.connector}"


@dataclass(frozen=True, slots=True)
class JointSpec:
    """Ports that meet, how they are joined, and its settings as they are written."""

    name: str
    kind: str
    sides: tuple[SideSpec, ...]
    where: Place
    settings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RatesSpec:
    """Two rates: the element `fast` takes `ratio` windows while the others take one."""

    fast: str
    where: Place
    ratio: int = 10
    order: int = 3
    form: str = "residual"
    iterate: bool = False


@dataclass(frozen=True, slots=True)
class GluingSpec:
    """How the parts of one system are glued; None leaves the choice to the build.

    `solving` are the settings of the interface solver, as they are written.
    """

    where: Place
    joints: tuple[JointSpec, ...] = ()
    method: str = "auto"
    scheme: str | None = None
    solver: str | None = None
    solving: Mapping[str, str] = field(default_factory=dict)
    epsilon: float | None = None
    step: float | None = None
    windows: int = 1
    threads: int = 1
    adaptive: float | None = None
    start: str | None = None
    estimate: str | None = None
    block: int = 1
    waveform: bool = False
    rates: RatesSpec | None = None
    signals: str | None = None  # how they are exchanged


@dataclass(frozen=True, slots=True)
class FileSpec:
    """A file with data: its name inside the model, what the user calls it, its bytes.

    >>> FileSpec("resources/rail.INP", "rail.INP", b"").ending
    'inp'
    >>> FileSpec("arm.leaf.xml", "arm.leaf.xml", b"").ending
    'leaf.xml'
    """

    name: str
    shown: str
    data: bytes

    @property
    def ending(self) -> str:
        """What its name ends with, which says how to read it."""
        name = self.name.lower()
        leaf = name.endswith(f".{LEAF_ENDING}")
        return LEAF_ENDING if leaf else name.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class PlugSpec:
    """How a port is made of the nodes of a file; empty: the usual."""

    name: str
    set: str
    takes: str
    dofs: str
    where: Place


@dataclass(frozen=True, slots=True)
class PublishSpec:
    """One number that the owner publishes: a component of the motion of a node."""

    name: str
    set: str
    component: str
    where: Place


@dataclass(frozen=True, slots=True)
class DeclaredSpec:
    """What a parameter of a file is, besides its value."""

    name: str
    unit: str
    meaning: str
    positive: bool
    where: Place


@dataclass(frozen=True, slots=True)
class FeSpec:
    """What the owner of a deck says about it; `settings` as they are written."""

    where: Place
    settings: tuple[tuple[str, str], ...] = ()
    ports: tuple[PlugSpec, ...] = ()
    publish: tuple[PublishSpec, ...] = ()
    parameters: tuple[DeclaredSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class InterfaceSpec:
    """Which variables of an FMU make up a port: as many names a level as dofs.

    `turn` names the quaternion of a frame.
    """

    name: str
    dofs: tuple[str, ...]
    force: tuple[str, ...]
    position: tuple[str, ...]
    velocity: tuple[str, ...]
    acceleration: tuple[str, ...]
    turn: tuple[str, ...]
    where: Place


@dataclass(frozen=True, slots=True)
class FmuSpec:
    """What the user of an FMU says about it.

    It is asked to go a window in `steps`, and given up after `patience` seconds.
    """

    where: Place
    steps: int = 1
    patience: float = 60.0
    interfaces: tuple[InterfaceSpec, ...] = ()


@dataclass(frozen=True, slots=True)
class ComponentSpec:
    """A leaf model: of a kind, or made from a file with data.

    `file` is None where there is no such file, or it could not be read. `beside` are
    the files that this one names, by the names it uses.
    """

    name: str
    type: str
    source: str
    connectors: tuple[ConnectorSpec, ...]
    bindings: tuple[BindingSpec, ...]
    where: Place
    file: FileSpec | None = None
    fe: FeSpec | None = None
    beside: tuple[tuple[str, FileSpec], ...] = ()
    fmu: FmuSpec | None = None

    @property
    def kind(self) -> str | None:
        """The kind of leaf that `source="leaf:KIND"` names."""
        scheme, colon, kind = self.source.partition(":")
        named = self.type == LEAF_TYPE and scheme == "leaf" and colon
        return kind if named else None


@dataclass(frozen=True, slots=True)
class SystemSpec:
    """An integrated model: elements, and the gluing between them."""

    name: str
    elements: tuple[Element, ...]
    connectors: tuple[ConnectorSpec, ...]
    bindings: tuple[BindingSpec, ...]
    connections: tuple[ConnectionSpec, ...]
    gluing: GluingSpec | None
    where: Place

    def element(self, name: str) -> Element | None:
        """The element of that name."""
        return next((e for e in self.elements if e.name == name), None)

    @property
    def exports(self) -> dict[str, SideSpec]:
        """Ports of inner elements that the outside sees, by their outer name."""
        return self._shown({c.name for c in self.connectors if c.mechanical})

    @property
    def outputs(self) -> dict[str, SideSpec]:
        """Published values of inner elements that have a name of the system's own."""
        return self._shown({c.name for c in self.connectors if c.kind == "output"})

    @property
    def inputs(self) -> dict[str, SideSpec]:
        """Inputs of inner elements that the outside drives, by their outer name."""
        return self._shown({c.name for c in self.connectors if c.kind == "input"})

    @property
    def wires(self) -> tuple[ConnectionSpec, ...]:
        """Connections that carry a signal from one element to another."""
        return tuple(c for c in self.connections if self.kinds(c) == _CARRIED)

    def kinds(self, c: ConnectionSpec) -> tuple[str, ...]:
        """Kinds of both connectors; none where the connection is not inside."""
        found = []
        for owner, name in c.ends:
            element = self.element(owner) if owner is not None else None
            known = {x.name: x.kind for x in element.connectors} if element else {}
            found.append(known.get(name, ""))
        return tuple(found) if all(found) else ()

    def _shown(self, ports: set[str]) -> dict[str, SideSpec]:
        found: dict[str, SideSpec] = {}
        for c in self.connections:
            for (outer, name), (inner, port) in (c.ends, c.ends[::-1]):
                if outer is None and inner is not None and name in ports:
                    found.setdefault(name, SideSpec(inner, port, c.where))
        return found


Element: TypeAlias = ComponentSpec | SystemSpec


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A whole model: its root system, when it starts and stops, its files."""

    name: str
    system: SystemSpec
    where: Place
    start: float = 0.0
    stop: float | None = None
    files: tuple[str, ...] = field(default=())

    @property
    def step(self) -> float | None:
        """Length of a window, as the root's gluing gives it."""
        return self.system.gluing.step if self.system.gluing else None
