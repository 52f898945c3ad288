"""Remarks: notes of a window that are no warnings."""

from __future__ import annotations

_MARK = "for information: "


def remark(text: str) -> str:
    """A note that tells something, where others warn of something."""
    return f"{_MARK}{text}"


def remarked(note: str) -> str | None:
    """What a remark says, with the names of the parts it came through; else None.

    >>> remarked(f"arm: {remark('linear/explicit was chosen.')}")
    'arm: linear/explicit was chosen.'
    >>> remarked("the gap grows.")
    """
    before, mark, text = note.partition(_MARK)
    return before + text if mark else None
