"""Who calls a crew works along: every job is done once, and nobody waits for ever."""

from __future__ import annotations

import threading

import pytest

from bondline.gluing.crew import Threads
from bondline.gluing.pool import Pool


@pytest.mark.parametrize("count", [1, 2, 3, 8])
@pytest.mark.parametrize("jobs", [0, 1, 2, 7])
def test_answers_come_in_the_order_of_the_jobs_and_each_is_done_once(count, jobs):
    made = []

    def job(k):
        made.append(k)
        return k * k

    found = Threads(count).call([lambda k=k: job(k) for k in range(jobs)])
    assert found == [k * k for k in range(jobs)]
    assert sorted(made) == list(range(jobs))


def test_two_jobs_that_need_each_other_meet():
    meeting = threading.Barrier(2, timeout=30.0)
    assert sorted(Threads(2).call([meeting.wait] * 2)) == [0, 1]


@pytest.mark.parametrize("wrong", [0, 1, 2])
@pytest.mark.parametrize("error", [IndexError, ValueError])
def test_what_a_job_raises_is_raised(wrong, error):
    def job(k):
        if k == wrong:
            raise error("no")
        return k

    with pytest.raises(error, match="no"):
        Threads(2).call([lambda k=k: job(k) for k in range(3)])


def test_a_call_that_breaks_off_leaves_nothing_behind(monkeypatch):
    def no_thread(thread):
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", no_thread)
    pool = Pool(2)
    with pytest.raises(RuntimeError, match="new thread"):
        pool.call([int, int])
    assert Pool.here(1) is None
    assert pool.call([int]) == [0]


def test_a_crew_that_is_asked_by_its_own_members_does_not_wait_for_them():
    crew = Threads(2)

    def inner():
        return sum(crew.call([lambda: 1] * 3))

    assert crew.call([inner] * 5) == [3] * 5


def test_layers_share_the_threads_of_the_outermost():
    """Whoever has nothing left to do helps the layer inside, and nobody else is asked.

    The two jobs inside wait for each other, with one thread too few unless the one
    that did the short job outside comes along.
    """
    outer, inner, seen = Threads(2), Threads(2), set()
    meeting = threading.Barrier(2, timeout=30.0)

    def job():
        seen.add(threading.get_ident())
        return meeting.wait()

    def layer():
        return sorted(inner.call([job] * 2))

    assert outer.call([lambda: None, layer]) == [None, [0, 1]]
    assert outer.call([layer, lambda: None]) == [[0, 1], None]
    assert len(seen) == 2
    assert threading.get_ident() in seen


def test_what_a_layer_inside_raises_reaches_whoever_called():
    outer, inner = Threads(2), Threads(2)

    def wrong():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        outer.call([lambda: inner.call([wrong, lambda: 1]), lambda: 2])
    assert outer.call([lambda: inner.call([lambda: 1] * 2)] * 3) == [[1, 1]] * 3


def test_threads_end_with_their_crew():
    crew, seen, meeting = Threads(2), [], threading.Barrier(2, timeout=30.0)

    def job():
        seen.append(threading.current_thread())
        meeting.wait()

    crew.call([job] * 2)
    (other,) = (t for t in seen if t is not threading.current_thread())
    assert other.is_alive()
    del crew
    other.join(30.0)
    assert not other.is_alive()


@pytest.mark.parametrize("waits", [(True, False), (False, True), (True, True)])
def test_crews_that_wait_for_others_far_away_keep_their_threads(waits):
    """All jobs of both layers are under way at once: each waits for all the others."""
    outer, inner = (Threads(2, waits=w) for w in waits)
    meeting = threading.Barrier(3, timeout=30.0)

    def layer():
        return inner.call([meeting.wait] * 2)

    outer.call([layer, meeting.wait])
