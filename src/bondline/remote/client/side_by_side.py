"""Several partners at a time: who is away is waited for while the others are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

from bondline.errors import GONE, BondlineError
from bondline.remote.client.line import LineDown

T = TypeVar("T")


def side_by_side(asks: Mapping[str, Callable[[], T]]) -> dict[str, T]:
    """What each call comes to, under its name.

    Who stays away for its grace is told in one error with all others who do; whatever
    else goes wrong is told at once. The threads are left behind then, so that nobody
    waits for them: it is for the caller to let them end.
    """
    done: SimpleQueue[tuple[str, T | BaseException]] = SimpleQueue()
    for name, ask in asks.items():
        Thread(target=_answered, args=(name, ask, done), daemon=True).start()
    found: dict[str, T] = {}
    away: dict[str, BondlineError] = {}
    for _ in asks:
        name, got = done.get()
        if isinstance(got, GONE) and not _for_good(got):
            away[name] = got
        elif isinstance(got, BaseException):
            raise got
        else:
            found[name] = got
    if away:
        raise _all([away[name] for name in asks if name in away])
    return {name: found[name] for name in asks}


def _for_good(gone: BondlineError) -> bool:
    """Whether nobody waits for it: a process of ours that ended."""
    return isinstance(gone.__cause__, LineDown) and gone.__cause__.final


def _answered(
    name: str, ask: Callable[[], T], done: SimpleQueue[tuple[str, T | BaseException]]
) -> None:
    try:
        done.put((name, ask()))
    except BaseException as error:  # raised where it is waited for
        done.put((name, error))


def _all(away: list[BondlineError]) -> BondlineError:
    """One error for all of them, of the class of the first."""
    first, *others = away
    if not others:
        return first
    told = " ".join(f"{e.place}: {e.finding}" for e in away)
    made = type(first)(f"{len(away)} partners", told, _remedy(away))
    made.__cause__ = first
    return made


def _remedy(away: list[BondlineError]) -> str:
    """What helps all of them, or each of them."""
    same = {e.remedy for e in away}
    if len(same) > 1:
        return " ".join(f"{e.place}: {e.remedy}" for e in away)
    (text,) = same
    return f"For each of them: {text[:1].lower()}{text[1:]}"
