"""Plan: everything that decides the bits of a run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bondline.errors import UsageError
from bondline.run.chain import canonical, digest


@dataclass(frozen=True)
class Plan:
    """Grid, settings and model of a run.

    `settings` are what was asked for beyond the grid (parameters, scheme, tolerance),
    as plain JSON; `package` are the bytes kept as `model.ssp`. `digest` names the
    model; without it the SHA-256 of the package does. `notes` are warnings about the
    model, for the certificate; they decide no bits.
    """

    until: float
    step: float
    start: float = 0.0
    settings: Mapping[str, Any] = field(default_factory=dict)
    package: bytes = b""
    digest: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse settings that cannot be written down."""
        try:
            canonical(dict(self.settings))
        except (TypeError, ValueError) as error:
            raise UsageError(
                "settings of the run",
                f"they cannot be written as JSON ({error}).",
                "Use text, finite numbers, true, false, lists and dictionaries.",
            ) from error

    @property
    def model_digest(self) -> str:
        """Names the model: what was given, or the SHA-256 of the package."""
        return self.digest or hashlib.sha256(self.package).hexdigest()


def seed(facts: Mapping[str, Any]) -> bytes:
    """h_-1 of the chain: model, its digest, grid and settings.

    The end of the run is not part of it, so that a longer run continues the chain. Nor
    are settings inside parts: of an assembly that stays with its owner nobody here
    knows them, and it gives the same bits. The model's digest stands for them.
    """
    parts = {k: facts[k] for k in ("model", "digest", "start", "step", "settings")}
    if "parts" in parts["settings"]:
        parts["settings"] = {**parts["settings"], "parts": {}}
    return digest(b"bondline run 2", canonical(parts).encode())
