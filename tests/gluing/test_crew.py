"""Who calls a crew works along: every job is done once, and nobody waits for ever."""

from __future__ import annotations

import threading

import pytest

from bondline.gluing.crew import Threads


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


def test_a_crew_that_is_asked_by_its_own_members_does_not_wait_for_them():
    crew = Threads(2)

    def inner():
        return sum(crew.call([lambda: 1] * 3))

    assert crew.call([inner] * 5) == [3] * 5
