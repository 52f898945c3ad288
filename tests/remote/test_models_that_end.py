"""A model that wants to end its process ends a request."""

from __future__ import annotations

import sys
from asyncio import CancelledError
from dataclasses import replace

import numpy as np
import pytest

from bondline.core import uniform
from bondline.errors import LeafFailed
from bondline.leaves import chain
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served


def made(kind: type[BaseException]):
    model = chain("chain")
    nothing = np.zeros(model.system.M.shape[0])

    def load(t: float):
        if t > 0.15:
            raise kind("out of licences")
        return nothing

    return replace(model, external=load)


KINDS = [SystemExit, KeyboardInterrupt, CancelledError, MemoryError]


@pytest.mark.parametrize("again", [0, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_who_exits_is_told_as_who_failed(supply, again: int, kind) -> None:
    there = supply({"chain": Served("chain", lambda: made(kind), "d", EVERYTHING)})
    model = there.model("chain")
    state = model.start(0.0).state
    for _ in range(1 + again):
        with pytest.raises(LeafFailed) as caught:
            model.advance(state, uniform(0.0, 0.2, 0), {})
        assert "licences" not in str(caught.value), "its words stay with the owner"
    done = model.advance(state, uniform(0.0, 0.1, 0), {})
    assert done.outputs, "the session lives"
    model.close()


@pytest.mark.parametrize("times", [1, 2])
def test_also_before_there_is_a_session(supply, times: int) -> None:
    def make():
        sys.exit("out of licences")

    there = supply({"chain": Served("chain", make, "digest", EVERYTHING)})
    for _ in range(times):
        with pytest.raises(LeafFailed) as caught:
            there.model("chain").start(0.0)
        assert "licences" not in str(caught.value)
