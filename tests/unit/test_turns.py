"""Jobs in turns: all ask before any waits, and nobody is left behind."""

from __future__ import annotations

from contextvars import ContextVar
from threading import Event

import pytest

from bondline.wire.turns import OneAtATime, away, in_turns, others_first


class Book:
    """Jobs that ask, wait, and take, and what was done in which order."""

    def __init__(self) -> None:
        self.rows: list[str] = []

    def job(self, name: str, waits: int = 1):
        def ask() -> str:
            try:
                for k in range(waits):
                    self.rows.append(f"{name} asks {k}")
                    others_first()
            finally:
                self.rows.append(f"{name} ends")
            return name

        return ask


def test_all_ask_before_anybody_waits() -> None:
    book = Book()
    assert in_turns([book.job("a"), book.job("b")]) == ["a", "b"]
    assert book.rows == ["a asks 0", "b asks 0", "a ends", "b ends"]


@pytest.mark.parametrize("waits", [(0, 3, 1), (2, 0, 0), (0, 0, 0)])
def test_each_waits_as_often_as_it_likes(waits) -> None:
    book = Book()
    jobs = [book.job(str(k), n) for k, n in enumerate(waits)]
    assert in_turns(jobs) == ["0", "1", "2"]
    assert sum("asks" in row for row in book.rows) == sum(waits)


def test_alone_nobody_has_to_wait() -> None:
    others_first()
    assert in_turns([]) == []


def test_a_job_with_jobs_of_its_own() -> None:
    book = Book()
    inner = [book.job("x"), book.job("y")]
    outer = [lambda: in_turns(inner), book.job("b")]
    assert in_turns(outer) == [["x", "y"], "b"]
    asked = [row for row in book.rows if "asks" in row]
    assert book.rows[:3] == asked, "all ask before anybody waits"


def test_the_first_error_in_order_is_raised_when_all_are_done() -> None:
    book = Book()

    def wrong(text: str) -> None:
        raise ValueError(text)

    jobs = [book.job("a"), lambda: wrong("one"), lambda: wrong("two"), book.job("b")]
    with pytest.raises(ValueError, match="one"):
        in_turns(jobs)
    assert book.rows[-2:] == ["a ends", "b ends"]


def test_who_is_interrupted_waits_for_nobody() -> None:
    book = Book()

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        in_turns([book.job("a", 99), interrupted, book.job("b", 99)])
    assert book.rows == ["a asks 0", "a ends"]


def test_jobs_see_what_was_set_around_them() -> None:
    word: ContextVar[str] = ContextVar("word")
    word.set("here")
    assert in_turns([word.get, word.get]) == ["here", "here"]


def test_time_of_others_is_not_ones_own() -> None:
    assert away() == 0.0

    def first() -> float:
        others_first()
        return away()

    def second() -> float:
        Event().wait(0.02)
        return away()

    mine, others = in_turns([first, second])
    assert mine >= 0.02
    assert others == 0.0


def test_a_job_that_need_not_wait_leaves_its_turn_to_the_next() -> None:
    from greenlet import getcurrent

    one, two = in_turns([getcurrent, getcurrent])
    assert one is two


def test_one_at_a_time() -> None:
    book, door = Book(), OneAtATime()

    def behind(name: str):
        def go() -> None:
            with door:
                book.job(name, 2)()

        return go

    in_turns([behind("a"), behind("b")])
    assert book.rows == [
        *("a asks 0", "a asks 1", "a ends"),
        *("b asks 0", "b asks 1", "b ends"),
    ]


def test_who_fails_at_it_leaves_it_to_the_next() -> None:
    door = OneAtATime()

    def fails() -> None:
        with door:
            others_first()
            raise ValueError("shut")

    def waits() -> str:
        with door:
            return "in"

    with pytest.raises(ValueError, match="shut"):
        in_turns([fails, waits])
    assert in_turns([waits]) == ["in"]


def test_who_is_no_turn_and_meets_another_is_told_so() -> None:
    door = OneAtATime()
    with door, pytest.raises(RuntimeError, match="in turns"), door:
        pass
