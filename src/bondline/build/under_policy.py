"""Models as their owner's policy lets them be served."""

from __future__ import annotations

import hashlib
from pathlib import Path

from bondline.build.from_library import find
from bondline.core import Model
from bondline.description.digest import digest
from bondline.errors import SecurityError, SettingError
from bondline.remote.privacy.policy import Policy

_MODELS = (".ssd", ".ssp")


def served_model(model: Model, policy: Policy, name: str = "") -> Model:
    """The model itself, or with a band in its terms the reduced one that replaces it.

    A model that cannot be reduced is refused, not served whole. `name` is what it is
    called on the server, if that is another one.
    """
    from bondline.leaves.fe.reduction.banded import banded
    from bondline.leaves.structure import Structure

    band = policy.terms(name or model.name).band
    if band is None:
        return model
    if not isinstance(model, Structure):
        raise SettingError(
            f"{model.name}: band = {band:g} Hz",
            f"a {type(model).__name__} cannot be reduced to a band; only linear "
            "structures can.",
            "Serve it without a band, or serve a reduced model in its place.",
        )
    try:
        return banded(model, band, samples=0).leaf
    except SettingError as error:
        place = f"{name or model.name}: band = {band:g} Hz"
        raise SettingError(place, error.finding, error.remedy) from error


def check_pinned(model: str, path: Path | None, policy: Policy) -> None:
    """Refuse a file that is not the one the policy pins by its digest."""
    wanted = policy.terms(model).digest.removeprefix("sha256:")
    if not wanted:
        return
    if path is None:
        raise SecurityError(
            model,
            "the policy pins its digest, but it is not made of a file.",
            "Serve a file, or leave digest out of the policy.",
        )
    if wanted != (found := digest_of_file(path)):
        raise SecurityError(
            str(path),
            f"its SHA-256 is {found}, and the policy serves {model} as {wanted}.",
            "Restore the file, or change digest in the policy if the change is meant.",
        )


def digest_of_file(path: Path) -> str:
    """SHA-256 of a file as it is; of a model file or folder that of all its files."""
    if path.is_dir() or path.suffix.lower() in _MODELS:
        return digest(path, find)
    return hashlib.sha256(path.read_bytes()).hexdigest()
