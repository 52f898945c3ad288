"""The layouts of a run: numbered, and stored with the first window that needs them."""

from __future__ import annotations

import sqlite3

from bondline.core import Frame
from bondline.run.chain import Packed, digest
from bondline.run.layout import Layout
from bondline.run.store import Run, read_layouts


class Layouts:
    """Numbers the layouts of a run; new ones are stored with their first window."""

    def __init__(self, db: sqlite3.Connection, run: Run) -> None:
        self.db = db
        stored = read_layouts(db, run.file)
        self.known = {layout: (k, _sha(layout)) for k, layout in stored.items()}
        self.fresh: list[tuple[int, str]] = []

    def place(self, frame: Frame) -> tuple[int, Packed]:
        """Number of the frame's layout, and the frame as it is stored."""
        layout = Layout.of(frame)
        if layout not in self.known:
            k = len(self.known)
            self.known[layout] = (k, _sha(layout))
            self.fresh.append((k, layout.dump()))
        k, sha = self.known[layout]
        return k, Packed(sha, layout.pack(frame), layout.pack_shapes(frame))

    def put(self) -> None:
        """Store the new ones."""
        self.db.executemany("INSERT OR IGNORE INTO layouts VALUES (?, ?)", self.fresh)


def _sha(layout: Layout) -> bytes:
    return digest(layout.dump().encode())
