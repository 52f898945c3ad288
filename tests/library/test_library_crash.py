"""A PostgreSQL server that dies under its writers: nothing is lost or half there."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

import pytest

from bondline.errors import StorageError
from bondline.library import Library, Query
from tests.library import postgres
from tests.library.conftest import rail

_FORK = multiprocessing.get_context("fork")


def write(url: str, who: int, told: int) -> None:
    """Versions without end, each told once it is there; then that there is no more."""
    try:
        with Library(url) as library:
            for k in count():
                library.add(rail(f"*NODE\n{who}, {k}\n"))
                os.write(told, f"{who} {k}\n".encode())
    except StorageError:
        os.write(told, f"{who} end\n".encode())


@contextmanager
def writers(url: str, number: int) -> Iterator[Iterator[str]]:
    """What so many writers at once say."""
    ours, told = os.pipe()
    crew = [_FORK.Process(target=write, args=(url, k, told)) for k in range(number)]
    for process in crew:
        process.start()
    os.close(told)
    with open(ours, encoding="utf-8") as lines:
        yield (line.strip() for line in lines)
    for process in crew:
        process.join(30)
        assert process.exitcode == 0


def crash(url: str, number: int, after: int, die: Callable[[], None]) -> list[str]:
    """Who was told what; the server dies after so many versions."""
    with writers(url, number) as lines:
        heard = [next(lines) for _ in range(after)]
        die()
        heard += lines
    assert sorted(h for h in heard if "end" in h) == [f"{k} end" for k in range(number)]
    return [h for h in heard if "end" not in h]


def whole(url: str, told: list[str]) -> None:
    """Every version that was told is there, once; of others one a writer at most."""
    with Library(url) as library:
        assert library.verify().problems == ()
        every = library.history("rail")
        assert [e.passport.version for e in every] == list(range(1, len(every) + 1))
        texts = [library.files(e)["rail.inp"].decode() for e in every]
        kept = [text.split("\n")[1].replace(",", "") for text in texts]
        assert len(set(kept)) == len(kept)
        assert set(told) <= set(kept)
        writers = {line.split()[0] for line in told}
        assert len(kept) <= len(told) + 1 + len(writers)
        new, _ = library.add(rail("*NODE\nafter\n"))
        assert new.passport.version == len(every) + 1
        assert len(library.search(Query(limit=9))) == 1


def begun(url: str) -> str:
    with Library(url, create=True) as library:
        library.add(rail("*NODE\nfirst\n"))
    return url


def test_a_killed_process_of_the_server_loses_nothing(team):
    url = begun(team())
    told = crash(url, 2, 6, lambda: postgres.kill_one_writer(url))
    postgres.recovered(url)
    whole(url, told)


@pytest.mark.full
def test_a_server_that_stops_at_once_loses_nothing():
    if postgres.missing():
        pytest.skip(postgres.missing())
    with postgres.server() as server:
        for turn in range(3):
            url = begun(postgres.new_database(server, f"t{turn}"))
            told = crash(url, 6, 20 + 7 * turn, lambda: postgres.stop_at_once(server))
            postgres.start(server)
            whole(url, told)
