"""The model library with 10,000 models: search, show, add; SQLite and PostgreSQL.

Wall time, the middle and the worst of many, and our processor's. PostgreSQL is one of
the tests' servers.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bondline.library import Draft, Library, Query

ROOT = Path(__file__).resolve().parents[1]
WHAT = ("rail", "cross", "axle", "arm", "cab", "spring", "bush", "engine")
WHERE = ("left", "right", "front", "rear", "upper", "lower")
QUERIES = {
    "everything, first 50": Query(),
    "one word": Query("axle"),
    "two words": Query("axle left"),
    "the name": Query("rail-04240"),
    "a word that is nowhere": Query("zeppelin"),
    "kind and owner": Query(kind="reduced", owner="alice"),
    "all 10,000 rows": Query(limit=10_000),
}


def drafts(count: int) -> Iterator[Draft]:
    for k in range(count):
        what, where = WHAT[k % 8], WHERE[k // 8 % 6]
        yield Draft(
            f"{what}-{k:05d}",
            ("leaf", "reduced", "integrated")[k % 3],
            "part.inp",
            {"part.inp": f"** {k % 100}\n".encode()},
            meaning=f"{where} {what} of the truck, series {k // 100}, as measured",
            licence="Apache-2.0",
            access="public" if k // 8 % 2 else "",
            ports={f"C{j}": {"dofs": ["x", "y", "z"], "nodes": 4} for j in range(3)},
            parameters=({"name": "thickness", "value": 0.01, "unit": "m"},),
        )


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of an empty database; empty where there is no server."""
    sys.path.insert(0, str(ROOT))
    from tests.library import postgres as server

    why = server.missing()
    if why:
        print(f"no PostgreSQL: {why}")
        yield ""
        return
    with server.server() as url:
        yield server.new_database(url, "bench")


def timed(work: Callable[[], object], turns: int) -> tuple[float, float, float]:
    """The middle and the worst, and processor time on average, in ms."""
    took, worked = [], time.process_time()
    for _ in range(turns):
        began = time.perf_counter()
        work()
        took.append(1e3 * (time.perf_counter() - began))
    worked = 1e3 * (time.process_time() - worked) / turns
    return statistics.median(took), max(took), worked


def measure(url: str, count: int, turns: int) -> None:
    with Library(url, "alice", create=True) as library:
        began = time.perf_counter()
        library.add_all(list(drafts(count)))
        took = time.perf_counter() - began
        print(f"{count} models in one transaction: {took:.1f} s")
        for name, query in QUERIES.items():
            found = len(library.search(query))
            row(name, timed(lambda q=query: library.search(q), turns), f"{found} found")
        row("show", timed(lambda: library.get("rail-00000"), turns))
        entry = library.get("rail-00000")
        row("its files", timed(lambda: library.files(entry), turns))
        news = iter(range(10**6))
        row(
            "add",
            timed(lambda: library.add(Draft(f"n{next(news)}", "leaf")), turns),
            "",
        )
        row("verify, everything", timed(library.verify, 1))
    with Library(url, "bob") as library:
        public = timed(lambda: library.search("axle"), turns)
        row("one word, by a stranger", public, f"{len(library.search('axle'))} found")


def row(name: str, took: tuple[float, float, float], more: str = "") -> None:
    each = "".join(f"{ms:9.1f} ms" for ms in took)
    print(f"  {name:<26}{each}   {more}".rstrip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="1,000 models")
    short = parser.parse_args().short or bool(os.environ.get("BONDLINE_SHORT"))
    count, turns = (1_000, 20) if short else (10_000, 100)
    with tempfile.TemporaryDirectory() as folder:
        print("SQLite                         middle       worst   processor")
        measure(f"{folder}/library", count, turns)
    with postgres() as url:
        if url:
            print("PostgreSQL                     middle       worst   processor")
            measure(url, count, turns)


if __name__ == "__main__":
    main()
