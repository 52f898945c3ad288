"""A mechanism file as a `Sheet`, and everything that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from bondline.build.leaf_files.presence import present
from bondline.build.leaf_files.values import Values, named, wrong
from bondline.build.mechanisms.bodies import Files, read_body, read_markers, share_of
from bondline.build.mechanisms.forces import FORCES, read_motion
from bondline.core import FRAME_DOFS, Causality, Parameter
from bondline.description import Problem
from bondline.description.schema import LEAF
from bondline.description.untrusted import Node
from bondline.errors import SettingError, did_you_mean
from bondline.leaves.mbd.codes import SOLVERS
from bondline.leaves.mbd.forces import Force, JointMotion
from bondline.leaves.mbd.integration import (
    CORRECTORS,
    FORMS,
    KERNELS,
    METHODS,
    SPECTRUM,
    Integration,
)
from bondline.leaves.mbd.layout import Layout
from bondline.leaves.mbd.making import check_led
from bondline.leaves.mbd.model import Joint, Mechanism
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.sheet import Outlet, Seen, Sheet, check_seen
from bondline.leaves.mbd.starting import sagged

TAKES = {"force": Causality.FORCE_IN, "motion": Causality.MOTION_IN}
_GRAVITY = (0.0, 0.0, -9.81)
_ABOUT = re.compile(r"\b(joint|body|loop) ([^\s.,]+)")


def read_sheet(
    root: Node, name: str, parameters: Mapping[str, Parameter], files: Files
) -> tuple[Sheet | None, list[Problem]]:
    """The sheet with these values of the parameters, or what is wrong."""
    v = Values(parameters)
    root = present(root, v)
    forces = _forces(root, v)
    tree = v.attempt(root, lambda n: _tree(n, name, v, files))
    if tree is None or v.problems:
        return None, v.problems
    whole = replace(tree, forces=[force for _, force in forces])
    _hold(root, tree, v)
    if v.problems:
        return None, v.problems
    try:
        order = pack(whole).layout
    except SettingError as error:
        return None, _placed(root, error, tree, forces)
    sheet = _sheet(root, whole, order, v)
    return (None if v.problems else sheet), v.problems


def _tree(root: Node, name: str, v: Values, files: Files) -> Mechanism:
    """Bodies and joints, without forces."""
    nodes = list(root.all(LEAF, "body"))
    bodies = [v.attempt(n, lambda n: read_body(n, v, files)) for n in nodes]
    made = Mechanism(
        name,
        [body for body in bodies if body is not None],
        _joints(root, "joint", v),
        (),
        v.triple(root, "gravity", _GRAVITY),
        read_markers(root.one(LEAF, "ground"), v),
        _joints(root, "loop", v),
        v.number(root, "closing", 0.0),
        _motions(root, v),
    )
    shares = {n.get("name"): share_of(n, v) for n in nodes}
    return made if v.problems else sagged(made, shares)


def _joints(root: Node, kind: str, v: Values) -> list[Joint]:
    each = (v.attempt(n, lambda n: _joint(n, v)) for n in root.all(LEAF, kind))
    return [joint for joint in each if joint is not None]


def _joint(node: Node, v: Values) -> Joint:
    return Joint(
        node.get("name"),
        node.get("kind"),
        node.get("inboard"),
        node.get("outboard"),
        v.numbers(node, "start", (), ()),
        v.numbers(node, "speed", (), ()),
    )


def _motions(root: Node, v: Values) -> list[JointMotion]:
    nodes = root.all(LEAF, "joint-motion")
    each = (v.attempt(n, lambda n: read_motion(n, v)) for n in nodes)
    return [motion for motion in each if motion is not None]


def _forces(root: Node, v: Values) -> list[tuple[Node, Force]]:
    nodes = root.all(LEAF, *FORCES)
    each = [(n, v.attempt(n, lambda n: FORCES[n.name](n, v))) for n in nodes]
    return [(n, force) for n, force in each if force is not None]


def _hold(root: Node, tree: Mechanism, v: Values) -> None:
    """Every end of a joint and every port must be on something."""
    for key in ("inboard", "outboard", "at"):
        kinds = ("port",) if key == "at" else ("joint", "loop")
        for node in root.all(LEAF, *kinds):
            v.attempt(node, partial(_spot, tree, key))


def _spot(tree: Mechanism, key: str, node: Node) -> None:
    tree.spot(named(node), node.get(key))


def _placed(
    root: Node,
    error: SettingError,
    tree: Mechanism,
    forces: Sequence[tuple[Node, Force]],
) -> list[Problem]:
    """The problems at the elements that are to blame."""
    about = _ABOUT.search(error.place)
    if about is not None:
        for node in root.all(LEAF, about[1], "joint", "loop"):
            if node.get("name") == about[2]:
                return [wrong(node, error)]
    found = []
    for node, force in forces:
        try:
            pack(replace(tree, forces=[force]))
        except SettingError as own:
            found.append(wrong(node, own))
    return found or [wrong(root, error)]


def _sheet(root: Node, whole: Mechanism, order: Layout, v: Values) -> Sheet:
    ports, signals = dict[str, Outlet](), dict[str, Seen]()
    for node in root.all(LEAF, "port"):
        outlet = v.attempt(node, lambda n: _port(n, whole, ports))
        if outlet is not None:
            ports[node.get("name")] = outlet
    for node in root.all(LEAF, "signal"):
        seen = v.attempt(node, lambda n: _signal(n, whole, order, signals))
        if seen is not None:
            signals[node.get("name")] = seen
    how = root.one(LEAF, "integration")
    made = v.attempt(how, lambda n: _integration(n, whole, v)) if how else None
    led = [n for n in root.all(LEAF, "port") if n.get("takes") == "motion"]
    if led and not v.problems:
        shown = Sheet(whole, ports)
        v.attempt(led[0], lambda _: check_led(shown, [n.get("name") for n in led]))
    drawn = {n.get("name"): _line(n, whole, v) for n in root.all(LEAF, "line")}
    how_far = made or Integration()
    return Sheet(whole, ports, signals, how_far, v.parameters, drawn)


def _line(node: Node, whole: Mechanism, v: Values) -> tuple[str, ...]:
    through = tuple(node.get("through").split())
    place = f"line {node.get('name')}"
    v.attempt(node, lambda _: [whole.spot(place, ref) for ref in through])
    return through


def _port(node: Node, whole: Mechanism, known: Mapping[str, Outlet]) -> Outlet:
    name, at, takes = node.get("name"), node.get("at"), node.get("takes", "force")
    whole.spot(f"port {name}", at)
    _once("port", name, known)
    if takes not in TAKES:
        raise SettingError(
            f"port {name}", f"takes={takes!r}.", did_you_mean(takes, TAKES)
        )
    dofs = tuple(node.get("dofs").split()) or FRAME_DOFS
    return Outlet(at, TAKES[takes], dofs)


def _signal(
    node: Node, whole: Mechanism, order: Layout, known: Mapping[str, Seen]
) -> Seen:
    name = node.get("name")
    seen = Seen(node.get("of"), node.get("component"))
    _once("signal", name, known)
    check_seen(whole, order, name, seen)
    return seen


def _once(kind: str, name: str, known: Mapping[str, object]) -> None:
    if name in known:
        raise SettingError(f"{kind} {name}", "it is there twice.", "Name it once.")


def _integration(node: Node, whole: Mechanism, v: Values) -> Integration:
    usual = Integration()
    made = Integration(
        v.choice(node, "method", tuple(METHODS), usual.method),
        v.number(node, "step", usual.step),
        v.whole(node, "ratio", usual.ratio),
        v.choice(node, "multirate", FORMS, usual.multirate),
        tuple(node.get("fast").split()) if "fast" in node.attributes else None,
        v.choice(node, "solver", tuple(SOLVERS), usual.solver),
        v.choice(node, "corrector", CORRECTORS, usual.corrector),
        v.number(node, "tolerance", usual.tolerance),
        v.choice(node, "kernel", KERNELS, usual.kernel),
    )
    pack(whole, None if made.fast == SPECTRUM else made.fast, made.solver)
    return made
