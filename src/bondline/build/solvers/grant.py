"""The operator's word that code in model files may be loaded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from bondline.description import Place, Problem

VARIABLE = "BONDLINE_ALLOW_CODE"  # processes that this one starts know it, too
CODE = "BND130"
_withheld = ContextVar("withheld", default=False)


def code_is_allowed() -> bool:
    """Whether this process may run Python that a model brings along."""
    return os.environ.get(VARIABLE) == "1" and not _withheld.get()


@contextmanager
def code_allowed() -> Iterator[None]:
    """For a while, models that are opened may run their own Python."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before


@contextmanager
def code_withheld() -> Iterator[None]:
    """For a while, this thread runs no such code; processes that it starts may."""
    token = _withheld.set(True)
    try:
        yield
    finally:
        _withheld.reset(token)


def refused(part: str, source: str, where: Place) -> Problem:
    """The problem of code that nobody has allowed."""
    return Problem(
        CODE,
        where,
        f"{part} is made by code, {source}: a model loads none by itself.",
        "Read the file; if you trust whoever wrote it, say bondline --allow-code "
        "before the command.",
    )
