"""Audit logs as they are read: verified, record by record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bondline.errors import CorruptLog, StorageError
from bondline.remote.log.spelling import chained, line_of

Record = dict[str, Any]
_ZERO = "0" * 64


@dataclass(frozen=True, slots=True)
class Log:
    """A log whose chain holds."""

    path: Path
    records: Sequence[Record]

    @property
    def id(self) -> str:
        """As the other side's heads name it."""
        return str(self.records[0]["hash"])[:16] if self.records else ""

    @property
    def head(self) -> str:
        """As `AuditLog.head` tells it."""
        return f"{self.id}:{self.records[-1]['hash']}" if self.records else ""

    @property
    def heads(self) -> list[Record]:
        """What it heard from other sides."""
        return [r for r in self.records if r["kind"] == "head"]


def read_log(path: Path) -> Log:
    """All records; `CorruptLog` names the first that is not what was written."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise StorageError(
            str(path),
            f"the audit log cannot be read ({error.strerror}).",
            "Check its name and your rights.",
        ) from error
    return Log(path, list(_records(path, data)))


def agree(mine: Log, theirs: Log) -> int:
    """How many heads of `mine` the other side wrote down; all are still in it.

    `CorruptLog` if one is not: records were cut off, or written anew.
    """
    told = [r for r in theirs.heads if str(r["head"]).startswith(f"{mine.id}:")]
    for record in told:
        number, head = int(record["number"]), str(record["head"]).partition(":")[2]
        if number >= len(mine.records):
            raise CorruptLog(
                f"{mine.path}: record {number}",
                f"it is gone: {theirs.path} wrote down its hash in its record "
                f"{record['n']}, and the log here ends with {len(mine.records) - 1}.",
                "Records were cut off the end of this log.",
            )
        if mine.records[number]["hash"] != head:
            raise CorruptLog(
                f"{mine.path}: record {number}",
                f"it is not the one whose hash {theirs.path} wrote down in its record "
                f"{record['n']}.",
                "One of the two logs was written anew after that checkpoint.",
            )
    return len(told)


def compare(mine: Log, others: Sequence[Log]) -> list[int]:
    """How many heads each other log and this one have of each other; all agree.

    `CorruptLog` if one has heads of a log that is in none of these: it was emptied or
    replaced. An owner has heads of many runs, a run those of many owners; but a run
    that heard of one log of a partner shall not have heard of another one.
    """
    known = {log.id for log in (mine, *others)}
    return [_compare(mine, other, known) for other in others]


def _compare(mine: Log, theirs: Log, known: set[str]) -> int:
    heads = agree(mine, theirs) + agree(theirs, mine)
    for log, other in ((mine, theirs), (theirs, mine)):
        strange = [r for r in other.heads if _log_of(r) not in known]
        if heads:
            same = {r["who"] for r in other.heads if _log_of(r) == log.id}
            owner = log.records[0].get("side") == "owner"
            strange = [r for r in strange if owner and r["who"] in same]
        if strange:
            raise _replaced(log, other, strange[-1])
    return heads


def _log_of(head: Record) -> str:
    return str(head["head"]).partition(":")[0]


def _replaced(log: Log, other: Log, head: Record) -> CorruptLog:
    return CorruptLog(
        f"{log.path}: record {head['number']}",
        f"it is missing: {other.path} wrote down its hash "
        f"{str(head['head']).partition(':')[2]} in its record {head['n']}, from "
        f"{head['who']} at {head['at']}, and that is of another log than this one.",
        f"Are {log.path} and {other.path} logs of two partners, or did one rightly "
        "begin anew? Then give the log of that hash, too, with --against. If not, "
        f"{log.path} was emptied or replaced after that: compare with a copy.",
    )


def _records(path: Path, data: bytes) -> Iterator[Record]:
    before, lines = _ZERO, data.split(b"\n")
    if lines[-1]:
        raise _broken(path, len(lines) - 1, "it is cut short")
    for number, line in enumerate(lines[:-1]):
        if b"\0" in line:
            raise _broken(path, number, "it has zeros, as lost pages of a disk have")
        try:
            record = json.loads(line)
            del record["hash"]
            own, sealed = chained(before, line_of(record))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise _broken(path, number, "it is no record") from None
        if sealed.encode() != line or record.get("n") != number:
            raise _broken(path, number, "it is not what was written, by its hash")
        before = own
        yield {**record, "hash": own}


def _broken(path: Path, number: int, what: str) -> CorruptLog:
    return CorruptLog(
        f"{path}: record {number}",
        f"{what}.",
        "Somebody changed this file, here or just before; compare with a copy. "
        f"Records 0 to {number - 1} hold."
        if number
        else "Somebody changed this file from its first record on.",
    )
