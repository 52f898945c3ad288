"""Random mechanisms, twice: for the kernels and as clouds of point masses."""

import numpy as np

from bondline.leaves.mbd.model import Body, Frame, Joint, Mechanism, Modes, Node
from tests.mbd.points import SIZES, Cloud, Points


def random_frame(rng):
    return Frame(tuple(rng.normal(size=3)), tuple(rng.normal(size=4)))


def random_cloud(rng, m):
    """Five masses with m random shapes, and places with and without shapes."""
    A, B = rng.normal(size=(2, m, m))
    cloud = Cloud(
        rng.uniform(0.5, 2.0, 5),
        rng.normal(size=(5, 3)),
        0.3 * rng.normal(size=(5, 3, m)),
        A @ A.T,
        0.1 * B @ B.T,
    )
    for name in ("root", "one", "two"):
        cloud.places[name] = random_frame(rng)
        if m and rng.uniform() < 0.7:
            shift, tilt = 0.3 * rng.normal(size=(2, 3, m))
            which = rng.integers(3)
            cloud.places[name] = Node(
                cloud.places[name], shift * (which != 1), tilt * (which != 2)
            )
    return cloud


def modes_of(cloud):
    """The invariants of a cloud, summed point by point."""
    m, s, f = cloud.m, cloud.s, cloud.shapes
    J0 = sum(
        w * (x @ x * np.eye(3) - np.outer(x, x)) for w, x in zip(m, s, strict=True)
    )
    S2 = np.einsum("p,pik,pjl->klij", m, f, f)
    nodes = {k: v for k, v in cloud.places.items() if isinstance(v, Node)}
    return Modes(
        *(m.sum(), m @ s, J0, np.einsum("p,pik->ki", m, f)),
        *(np.einsum("p,pi,pjk->kij", m, s, f), S2, np.einsum("klii->kl", S2)),
        *(cloud.K, cloud.D, nodes),
    )


def body_of(name, cloud):
    markers = {k: v for k, v in cloud.places.items() if isinstance(v, Frame)}
    if cloud.count:
        return Body(name, markers=markers, modes=modes_of(cloud))
    m, c = cloud.m, cloud.m @ cloud.s / cloud.m.sum()
    d = cloud.s - c
    inertia = sum(
        w * (x @ x * np.eye(3) - np.outer(x, x)) for w, x in zip(m, d, strict=True)
    )
    return Body(name, float(m.sum()), inertia, tuple(c), markers)


def random_tree(rng, kinds, flexible):
    """A mechanism and its points; body i has `flexible[i]` modes."""
    clouds = [random_cloud(rng, m) for m in flexible]
    joints, rows = [], []
    for i, kind in enumerate(kinds):
        parent = int(rng.integers(-1, i))
        side = str(rng.choice(["one", "two"]))
        inboard = random_frame(rng) if parent < 0 else f"b{parent}.{side}"
        joints.append(Joint(f"j{i}", kind, inboard, f"b{i}.root"))
        spot = inboard if parent < 0 else clouds[parent].places[side]
        rows.append((kind, parent, spot, clouds[i].places["root"]))
    gravity = rng.normal(size=3)
    bodies = [body_of(f"b{i}", cloud) for i, cloud in enumerate(clouds)]
    mechanism = Mechanism("random", bodies, joints, gravity=tuple(gravity))
    return mechanism, Points(clouds, rows, gravity)


def random_state(rng, points, size=0.6):
    """Coordinates of that size, quaternions of length one."""
    q, n_u = [], 0
    for (kind, *_), cloud in zip(points.joints, points.clouds, strict=True):
        n_q, n = SIZES[kind]
        own = rng.normal(size=n_q)
        if n_q > n:
            own[-4:] /= np.linalg.norm(own[-4:])
        q.extend((*own, *(size * rng.normal(size=cloud.count))))
        n_u += n + cloud.count
    return np.array(q), rng.normal(size=n_u)


ALL = ("free", "revolute", "universal", "prismatic", "spherical", "cylindrical")
TREES = {
    "rigid": ((*ALL, "planar", "fixed"), (0,) * 8),
    "flexible": ((*ALL, "planar", "fixed"), (2, 0, 3, 1, 2, 0, 2, 1)),
    "chain of two": (("revolute", "revolute"), (0, 4)),
    "all flexible": (("universal", "fixed", "planar", "spherical"), (2, 3, 1, 2)),
    "one free": (("free",), (3,)),
}
