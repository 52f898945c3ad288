"""A disk that loses its power: what a recording could have left on it.

Only what was synced is certain. Of a file that was written since, every block may be
as it was at its last sync or as after any write since then, each for itself; so may its
length. A folder has forgotten some of the names that came or went last. To sync a file
does not sync its name: that is in the folder. Nothing here is kinder than POSIX, except
that a block is not mixed, and names of one folder change in order, as in a journal.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tests.chaos.recording import UNSEEN, Step, Story

PAGE, SECTOR = 4096, 512  # bytes
Pick = Callable[[int], int]  # one of 0..n: how many of n changes a block has seen


@dataclass(eq=False)
class File:
    """What was written, in order; the first `synced` of it for certain."""

    changes: list[Step] = field(default_factory=list)
    synced: int = 0

    @property
    def versions(self) -> list[bytes]:
        """Its contents when it was synced, and after every change since then."""
        content, found = bytearray(), list[bytes]()
        for k, change in enumerate(self.changes):
            if k >= self.synced:
                found.append(bytes(content))
            _apply(content, change)
        return [*found, bytes(content)]

    def left(self, loss: Loss) -> bytes:
        """What is on the disk after the power failed."""
        versions = self.versions
        if len(versions) == 1:
            return versions[0]
        if self.changes[-1] is loss.torn:
            return _torn(*versions[-2:], loss)
        length = len(versions[loss.pick(len(versions) - 1)])
        blocks = range(0, length, loss.block)
        picked = (
            versions[loss.pick(len(versions) - 1)][b:][: loss.block] for b in blocks
        )
        return b"".join(p.ljust(loss.block, b"\0") for p in picked)[:length]


@dataclass(eq=False)
class Folder:
    """Names that came and went, in order; the first `synced` of it for certain."""

    changes: list[tuple[str, File | Folder | None, str]] = field(default_factory=list)
    synced: int = 0

    def names(self, changes: int | None = None) -> dict[str, File | Folder]:
        found = dict[str, File | Folder]()
        for name, what, gone in self.changes[:changes]:
            found.pop(gone, None)
            if what is not None:
                found[name] = what
        return found

    def left(self, loss: Loss) -> dict[str, File | Folder]:
        return self.names(self.synced + loss.pick(len(self.changes) - self.synced))


@dataclass
class Loss:
    """How a power failure treats what was not synced."""

    block: int
    pick: Pick
    dice: random.Random
    torn: Step | None = None  # the one write that is half there


@dataclass
class Disk:
    """The folder `root`, empty in the beginning, after so much of a story.

    `honest` is False for a disk that says yes to a sync and does nothing.
    """

    root: Path
    honest: bool = True
    top: Folder = field(default_factory=Folder)
    last: Step | None = None  # the last write

    def after(self, story: Story, moments: int) -> Disk:
        """What was asked until then; calls that had not ended may have been done."""
        going = dict[Step, int]()  # and how much of it a sync will cover
        for step, begins in story.moments[:moments]:
            if not step.path.is_relative_to(self.root):
                continue
            if begins:
                going[step] = self._covered(step)
            else:
                self._do(step, going.pop(step))
        for step, covered in going.items():
            if step.name != "sync":
                self._do(step, covered)
        return self

    def find(self, path: Path) -> File | Folder | None:
        """What has this name now."""
        here: File | Folder | None = self.top
        for name in path.relative_to(self.root).parts:
            here = here.names().get(name) if isinstance(here, Folder) else None
        return here

    def _covered(self, step: Step) -> int:
        what = self.find(step.path) if step.name == "sync" else None
        return len(what.changes) if what is not None else 0

    def _do(self, step: Step, covered: int) -> None:
        if not step.did:
            return
        what, name = self.find(step.path), step.path.name
        if step.name == "sync":
            assert what is not None, step.path
            if self.honest:
                what.synced = max(what.synced, covered)
        elif step.name in ("write", "cut"):
            assert isinstance(what, File), step.path
            what.changes.append(step)
            self.last = step if step.name == "write" else self.last
        elif step.name == "open":
            self._open(step, what)
        elif step.name == "mkdir":
            self._above(step.path).changes.append((name, Folder(), ""))
        elif step.name == "rename":
            assert step.to is not None
            assert step.to.parent == step.path.parent, "from one folder into another"
            self._above(step.path).changes.append((step.to.name, what, name))
        else:
            assert step.name in ("unlink", "rmdir"), step.name
            self._above(step.path).changes.append(("", None, name))

    def _open(self, step: Step, what: File | Folder | None) -> None:
        if what is None:
            self._above(step.path).changes.append((step.path.name, File(), ""))
        elif "O_TRUNC" in step.flags:
            assert isinstance(what, File)
            what.changes.append(Step("cut", step.path, at=0))

    def _above(self, path: Path) -> Folder:
        found = self.find(path.parent)
        assert isinstance(found, Folder), path
        return found

    def write(self, folder: Path, loss: Loss) -> None:
        """Make it, in an empty folder."""
        _write(self.top, folder, loss)


def _write(what: Folder, folder: Path, loss: Loss) -> None:
    folder.mkdir()
    for name, each in what.left(loss).items():
        if isinstance(each, Folder):
            _write(each, folder / name, loss)
        elif name.endswith(UNSEEN):
            (folder / name).write_bytes(loss.dice.randbytes(len(each.versions[-1])))
        else:
            (folder / name).write_bytes(each.left(loss))


def _apply(content: bytearray, change: Step) -> None:
    if change.name == "cut":
        assert change.at is not None
        content[:] = content[: change.at].ljust(change.at, b"\0")
        return
    start = len(content) if change.at is None else change.at
    end = start + len(change.data)
    content.extend(bytes(max(0, end - len(content))))
    content[start:end] = change.data


def _torn(before: bytes, after: bytes, loss: Loss) -> bytes:
    """All of the last write, except the sectors after one inside of its last block."""
    differs = [
        k
        for k in range(0, len(after), SECTOR)
        if _sector(after, k) != _sector(before, k)
    ]
    if not differs:
        return after
    last = [k for k in differs if k // PAGE == differs[-1] // PAGE]
    tear = loss.dice.choice(last)
    grown = loss.dice.random() < 0.5  # the length may be there before the bytes
    kept = after[:tear] + before[tear:]
    return kept.ljust(len(after), b"\0") if grown else kept


def _sector(data: bytes, k: int) -> bytes:
    return data[k : k + SECTOR]
