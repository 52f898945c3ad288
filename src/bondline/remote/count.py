"""How many float64 numbers leave with a reply."""

from __future__ import annotations

from bondline.remote import bondline_pb2 as pb


def count(made: pb.Stepped | pb.Responded | pb.Shown) -> int:
    """All numbers of outputs, energies, statistics and views; not those of G."""
    total = sum(_output(each) for each in made.outputs) + len(made.stats.values)
    if not isinstance(made, pb.Shown):
        total += 3 if made.HasField("energy") else 0
    if isinstance(made, pb.Stepped):
        seen = made.view
        total += len(seen.values.values) + len(seen.reactions.values)
        total += len(seen.shapes.values)
    return total


def _output(shown: pb.Output) -> int:
    what = shown.WhichOneof("what")
    if what == "motion":
        return _motion(shown.motion)
    if what == "effort":
        return len(shown.effort.f) + _motion(shown.effort.at)
    return 1


def _motion(m: pb.Motion) -> int:
    return len(m.x) + len(m.v) + len(m.a) + len(m.turn)


def told(description: pb.Description) -> int:
    """Numbers of a description: where the nodes of ports are, and parameters."""
    return len(description.parameters) + sum(len(p.points) for p in description.ports)
