"""What processes do to a disk, call by call, as strace writes it down.

Every call that can change what is below a folder is here with its bytes, from where it
began to where it ended. A call of which nobody knows what it does to a file is an
error: a disk that is built from half of the calls proves nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

WATCHED = (
    *("openat", "open", "creat", "write", "pwrite64", "writev", "pwritev", "pwritev2"),
    *("fsync", "fdatasync", "sync_file_range", "ftruncate", "truncate", "fallocate"),
    *("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"),
    *("unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "mmap"),
    *("copy_file_range", "sendfile"),
)
HOW = ("-xx", "-s", "1048576", "-e", f"trace={','.join(WATCHED)}")
UNSEEN = "-shm"  # SQLite maps it, and makes it anew: no byte of it is relied on
_LINE = re.compile(r"^(\d+) +(?:(\w+)\((.*)|<\.\.\. \w+ resumed>.*)$")
_RETURNED = re.compile(r"\) += (-?\d+|0x[0-9a-f]+|\?)")
_QUOTED = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
_OPEN = re.compile(r"(?:^|, )(?:\d+|AT_FDCWD)<((?:\\x[0-9a-f]{2})*)>")
_NAMING = frozenset(
    {
        *("openat", "open", "creat", "truncate", "rename", "renameat", "renameat2"),
        *("link", "linkat", "symlink", "symlinkat"),
        *("unlink", "unlinkat", "rmdir", "mkdir", "mkdirat"),
    }
)


@dataclass(eq=False)
class Step:
    """One call: `path` and `to` are what it is about; only a call that ended `did`."""

    name: str
    path: Path
    to: Path | None = None
    data: bytes = b""
    at: int | None = None  # where it writes, or how long a file is from then on
    flags: str = ""
    did: bool = False


@dataclass
class Story:
    """Beginnings (True) and ends (False) of steps, in the order in which they were."""

    moments: list[tuple[Step, bool]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.moments)


def told(record: Path, below: Sequence[Path]) -> Story:
    """The story of some folders."""
    story, going = Story(), dict[str, Step | None]()
    for line in record.read_text(encoding="ascii").splitlines():
        found = _LINE.match(line)
        if found is None:
            continue  # a signal, or an end
        thread, name, rest = found.groups()
        if name is not None:
            going[thread] = begun = _begun(name, rest, below)
            if begun is not None:
                story.moments.append((begun, True))
        step, ended = going[thread], _RETURNED.search(line)
        if step is not None and ended is not None:
            step.did = not ended[1].startswith(("-", "?"))
            _check_whole(step, ended[1])
            story.moments.append((step, False))
    return story


def _begun(name: str, rest: str, below: Sequence[Path]) -> Step | None:
    """A step, if it changes something in these folders."""
    first, words = _OPEN.search(rest), _QUOTED.findall(rest)
    base = Path(_plain(first[1])) if first else Path()
    paths = [base / _plain(text) for text, _ in words] if name in _NAMING else [base]
    if not any(path.is_relative_to(folder) for path in paths for folder in below):
        return None
    if name in ("write", "pwrite64"):
        return _writing(name, rest, base, words)
    if name in ("fsync", "fdatasync"):
        return Step("sync", base)
    if name == "ftruncate":
        return Step("cut", base, at=_last_number(rest))
    if name in ("openat", "open"):
        return Step("open", paths[0], flags=rest) if _makes(rest) else None
    if name in ("rename", "renameat", "renameat2"):
        return Step("rename", paths[0], paths[1])
    if name in ("mkdir", "mkdirat", "unlink", "unlinkat", "rmdir"):
        return Step(name.removesuffix("at"), paths[0])
    assert _harmless(name, rest, base), f"what does {name} do here? {rest[:300]}"
    return None


def _writing(name: str, rest: str, path: Path, words: list[tuple[str, str]]) -> Step:
    (text, cut), *_ = words or [("", "")]
    assert not cut, "strace left something out"
    where = _last_number(rest) if name == "pwrite64" else None
    return Step("write", path, data=bytes.fromhex(text.replace("\\x", "")), at=where)


def _makes(rest: str) -> bool:
    return "O_CREAT" in rest or "O_TRUNC" in rest


def _harmless(name: str, rest: str, path: Path) -> bool:
    """To map what is not written, or what nobody relies on."""
    quiet = "MAP_SHARED" not in rest or "PROT_WRITE" not in rest
    return name == "mmap" and (quiet or path.name.endswith(UNSEEN))


def _check_whole(step: Step, returned: str) -> None:
    if step.did and step.name == "write":
        assert int(returned) == len(step.data), "a write in part"


def _last_number(rest: str) -> int:
    """The one before the call's closing bracket."""
    given = re.split(r"\) += |<unfinished", rest)[0]
    found = re.search(r", (\d+)$", given.rstrip(" )"))
    assert found, rest[-80:]
    return int(found[1])


def _plain(text: str) -> str:
    return os.fsdecode(bytes.fromhex(text.replace("\\x", "")))
