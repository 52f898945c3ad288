"""Asking a leaf for an ability that it may refuse."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from bondline.core import Rejected
from bondline.errors import (
    SettingError,
    SingularInterface,
    StartGap,
    UsageError,
    WiringError,
)

T = TypeVar("T")
_TAUGHT = (SettingError, SingularInterface, StartGap, UsageError, WiringError)


class Declined(Exception):
    """The leaf has a method, and says that it cannot serve here."""


def ask(call: Callable[[], T | Rejected]) -> T:
    """What the call gives; `Declined` where it refuses and says why.

    Glued models have every method, and find out which of them their parts support.
    """
    try:
        found = call()
    except _TAUGHT as error:
        raise Declined(str(error)) from error
    if isinstance(found, Rejected):
        raise Declined(found.reason)
    return found
