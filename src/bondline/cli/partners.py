"""Models at partners', for as long as a command needs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bondline.core import Model


@contextmanager
def partners(
    placement: Path | None, takeover: bool = False
) -> Iterator[Mapping[str, Model]]:
    """The models of a placement file, by the parts they stand for."""
    if placement is None:
        yield {}
        return
    from bondline.remote.placement import connected, read_placement

    there = connected(read_placement(placement), takeover)
    try:
        yield there
    finally:
        for model in there.values():
            model.close()
