"""Why a request is not served: a code, a kind, and one public sentence."""

from __future__ import annotations

from bondline.errors import (
    GONE,
    BondlineError,
    CorruptRun,
    CouplingDiverged,
    LeafFailed,
    LeafInconsistent,
    NonFinite,
    NotAllowed,
    ResourceLimit,
    SettingError,
    SingularInterface,
    StorageError,
    VersionMismatch,
)
from bondline.remote import bondline_pb2 as pb

KINDS: dict[type[BondlineError], pb.Kind] = {
    NonFinite: pb.KIND_NON_FINITE,
    CouplingDiverged: pb.KIND_DIVERGED,
    SingularInterface: pb.KIND_SINGULAR,
    LeafInconsistent: pb.KIND_INCONSISTENT,
    LeafFailed: pb.KIND_LEAF_FAILED,
    StorageError: pb.KIND_STORAGE,
    CorruptRun: pb.KIND_CORRUPT,
    VersionMismatch: pb.KIND_VERSION,
    SettingError: pb.KIND_SETTING,
}

_WORDS: dict[int, str] = {
    pb.KIND_NON_FINITE: "The model found a number that is none.",
    pb.KIND_DIVERGED: "The parts of the model did not agree within their iterations.",
    pb.KIND_SINGULAR: "The model is singular at this instant.",
    pb.KIND_INCONSISTENT: "The model does not do what it declares.",
    pb.KIND_LEAF_FAILED: "The model could not complete the window.",
    pb.KIND_STORAGE: "The owner's disk did not take or give the state.",
    pb.KIND_CORRUPT: "The checkpoint is damaged.",
    pb.KIND_VERSION: "The checkpoint belongs to another model.",
    pb.KIND_SETTING: "The model cannot be used this way.",
}

# What a model was refused by others whom it asked: that it was, not by whom
_PASSED_ON: dict[type[BondlineError], tuple[pb.Code, str]] = {
    NotAllowed: (
        pb.CODE_PERMISSION_DENIED,
        "What was asked is not allowed; its owner's log says why.",
    ),
    ResourceLimit: (
        pb.CODE_RESOURCE_EXHAUSTED,
        "A limit or a budget is reached; its owner's log says which.",
    ),
}


class Refused(Exception):
    """A request that cannot be served, in words that may be shown.

    `noted`: the owner's gate said no itself, and has written it down.
    """

    def __init__(
        self,
        code: pb.Code,
        reason: str,
        kind: pb.Kind = pb.KIND_UNSPECIFIED,
        noted: bool = False,
    ) -> None:
        super().__init__(reason)
        self.message = pb.Failure(code=code, kind=kind, reason=reason)
        self.noted = noted


# What windows of leaves hardly ever end with: these would tell that there are joints
_OF_JOINTS = frozenset({pb.KIND_DIVERGED, pb.KIND_SINGULAR, pb.KIND_SETTING})


def kind_of(error: BaseException | None) -> pb.Kind:
    """What an error means to a run."""
    found = [k for cls, k in KINDS.items() if isinstance(error, cls)]
    return found[0] if found else pb.KIND_UNSPECIFIED


def shown_kind(error: BaseException | None, secretive: bool) -> pb.Kind:
    """What an error may say; of an assembly that looks like a leaf, as one would."""
    kind = kind_of(error)
    return pb.KIND_LEAF_FAILED if secretive and kind in _OF_JOINTS else kind


def public(error: BaseException, secretive: bool = False) -> pb.Failure:
    """What may be said about an error of the model: never its own words.

    They may name parts, files and numbers of the owner, whose log has them. What
    others refused the model is refused in its name, without a word of theirs; who
    compares it with refusals of the owner's policy can guess that there are others.
    """
    for cls, (code, words) in _PASSED_ON.items():
        if isinstance(error, cls):
            return pb.Failure(code=code, reason=words)
    kind = shown_kind(error, secretive)
    words = _WORDS.get(kind, "The model failed; its owner's log says why.")
    if isinstance(error, GONE) and not secretive:  # whose it was is the owner's affair
        words = "A part of the model does not answer any more; its owner's log has it."
    return pb.Failure(code=pb.CODE_INTERNAL, kind=kind, reason=words)
