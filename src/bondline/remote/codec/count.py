"""How many float64 numbers leave with a reply."""

from __future__ import annotations

from bondline.remote import bondline_pb2 as pb


def count(made: pb.Stepped | pb.Responded | pb.Shown) -> int:
    """All numbers of outputs, energies, statistics and views; not those of G."""
    total = len(made.outputs.values) + len(made.stats.values)
    if not isinstance(made, pb.Shown):
        total += 3 if made.HasField("energy") else 0
    if isinstance(made, pb.Stepped):
        seen = made.view
        total += len(seen.values.values) + len(seen.reactions.values)
        total += len(seen.shapes.values)
    return total


def pairs(made: pb.Flexibility | pb.Harmonics | pb.Rung) -> int:
    """All numbers of sensitivities."""
    return sum(len(b.values) + len(b.imaginary) for b in made.blocks)


def told(description: pb.Description) -> int:
    """Numbers of a description: where the nodes of ports are, and parameters."""
    return len(description.parameters) + sum(len(p.points) for p in description.ports)
