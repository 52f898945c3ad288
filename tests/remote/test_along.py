"""Pictures and checkpoints come along with the windows that end there.

The record of a run is the same, byte for byte, as where they are asked for one by one:
by a client or of a server that knows nothing of it. Owners count and write down what
came along as if it had been asked for by itself.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest
from google.protobuf.message import Message

from bondline.core import Model, Window
from bondline.errors import Interrupted, LeafInconsistent
from bondline.gluing import glue
from bondline.leaves.fe.leaf import Plug, fe_leaf
from bondline.leaves.fe.loads import NodalForce
from bondline.leaves.fe.model import FeModel
from bondline.leaves.fe.supports import Support
from bondline.leaves.histories import Harmonic
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.link import Patience
from bondline.remote.client.looking import Keeps, Looks
from bondline.remote.client.remote import remote_model
from bondline.remote.limits import Limits
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.gate import Gate
from bondline.remote.owner.host import Host, Open
from bondline.remote.owner.published import EVERYTHING
from bondline.remote.owner.served import Served
from bondline.remote.owner.shelf import Shelf
from bondline.remote.privacy.methods import METHODS
from bondline.remote.privacy.policy import Grant, Policy, Steps
from bondline.remote.privacy.policy_gate import PolicyGate
from bondline.remote.protocol import spoken
from bondline.run import Commits, Plan, Run, Watch, begin, create, resume, verify
from bondline.wire import CodecError, pack
from tests.fe.parts import ALL, DAMPED, plate
from tests.remote.test_coming_back import Direct

H = 1e-3  # s
K, N = 5, 100  # windows of a block and of a run: two rows of ten blocks
ME = "integrator"
SEEN = [0, 1, *range(K, N + 1, K)]  # a load sets in: window 1 is in no block
Bend = Callable[[pb.Request], None]


def as_it_is(request: pb.Request) -> None:
    """A line that changes nothing."""


def older(request: pb.Request) -> None:
    """What a server of version 1.1 reads: it does not know the new fields."""
    if request.HasField("try_block"):
        if request.try_block.HasField("before"):
            request.try_block.before.ClearField("look")
    elif request.HasField("settle_block"):
        request.settle_block.settle.ClearField("look")
        request.settle_block.ClearField("keep")
    elif request.HasField("realise"):
        request.realise.ClearField("look")


@dataclass
class Line(Direct):
    """A line that counts what was answered, and may lose what is new."""

    bend: Bend = as_it_is
    kinds: list[str] = field(default_factory=list)
    requests: list[pb.Request] = field(default_factory=list)

    def exchange(self, raw: bytes, patience: float, busy=None) -> bytes:
        request = pb.Request.FromString(raw)
        self.requests.append(request)
        bent = pb.Request.FromString(raw)
        self.bend(bent)
        reply = super().exchange(bent.SerializeToString(), patience, busy)
        self.kinds.append(request.WhichOneof("ask") or "")
        return reply

    def since(self, first: str) -> Counter[str]:
        """What was asked from the first request of that kind on."""
        return Counter(self.kinds[self.kinds.index(first) :])


@cache
def plates() -> Model:
    """Two plates with a seam; one is clamped, the other one shaken at its end."""
    left, right = (plate(3, 2, x, material=DAMPED) for x in ((0, 1), (1, 2)))
    held = (Support(left.node_sets["u0"], ALL),)
    shaken = NodalForce(right.node_sets["u1"], 2, 5.0, Harmonic(b=(1.0,), omega=90.0))
    parts = [
        fe_leaf(FeModel("left", left, held), {"seam": Plug("u1")}, skin="mesh"),
        fe_leaf(
            FeModel("right", right, loads=(shaken,)),
            {"seam": Plug("u0")},
            skin="mesh",
            publish={"z": f"{right.ids[-1]}.z"},
        ),
    ]
    return glue("both", parts, {"weld": ("left.seam", "right.seam")})


def hosted(
    folder: Path, gate: Gate | None = None, limits: Limits | None = None
) -> Host:
    """Both plates at an owner's."""
    every = plates().parts
    served = {n: Served(n, lambda p=p: p, n, EVERYTHING) for n, p in every.items()}
    return Host(served, gate or Open(), limits or Limits(), Shelf(folder))


def away(
    host: Callable[[], Host], block: int, bend: Bend = as_it_is
) -> tuple[Model, Mapping[str, Line]]:
    """The plates with both parts behind lines."""
    lines = {n: Line(host, ME, bend=bend) for n in plates().parts}
    parts = {
        n: remote_model(n, x, n, Patience(5.0, 5.0, 5.0)) for n, x in lines.items()
    }
    for part in parts.values():
        part.link.pause = lambda s: None
    return replace(plates(), parts=parts, block=block), lines


PLAN, WATCH = Plan(N * H, H), Watch(commits=Commits(7, 1e9))


def record(run: Run) -> tuple[str, list[tuple[int, bytes]], list[int]]:
    """SHA-256, pictures, and where checkpoints are."""
    with closing(sqlite3.connect(run.file)) as db:
        moved = db.execute("SELECT n, blob FROM moved ORDER BY n").fetchall()
        kept = [n for (n,) in db.execute("SELECT n FROM checkpoints ORDER BY n")]
    return verify(run).sha256, moved, kept


@pytest.fixture(scope="module")
def by_themselves(tmp_path_factory: pytest.TempPathFactory):
    """What is recorded where nothing can come along: both plates are here.

    Inside blocks a partner has no pictures.
    """
    found = {}
    for block, seen in ((1, range(N + 1)), (K, SEEN)):
        folder = tmp_path_factory.mktemp("here")
        run = begin(folder, replace(plates(), block=block), PLAN, WATCH).run
        sha, moved, kept = record(run)
        found[block] = sha, [(n, blob) for n, blob in moved if n in seen], kept
    return found


def test_a_run_in_blocks_with_pictures_and_a_store_costs_its_exchanges_only(
    tmp_path: Path, by_themselves
):
    host = hosted(tmp_path / "shelf")
    model, lines = away(lambda: host, K)
    run = begin(tmp_path / "runs", model, PLAN, WATCH).run
    assert record(run) == by_themselves[K]
    assert [n for n, _ in record(run)[1]] == SEEN
    assert record(run)[2] == [1, N // 2, N]
    for line in lines.values():
        asked = line.since("try_block")
        assert asked["try_block"] == N // K
        assert asked["settle_block"] == 2
        assert asked["deformed"] == 0
        assert asked["keep"] <= 1, "that of the first window"
        assert set(asked) <= {"try_block", "settle_block", "keep"}


def test_windows_one_by_one_with_pictures_cost_one_round_trip_each(
    tmp_path: Path, by_themselves
):
    host = hosted(tmp_path / "shelf")
    model, lines = away(lambda: host, 1)
    run = begin(tmp_path / "runs", model, PLAN, WATCH).run
    assert record(run) == by_themselves[1]
    assert len(record(run)[1]) == N + 1
    for line in lines.values():
        asked = line.since("realise")
        assert asked["realise"] == N
        assert asked["deformed"] <= 2, "until it is known how often somebody looks"
        assert asked["keep"] == pytest.approx(N / 7, abs=1.0), "these are by themselves"


def test_every_second_window_that_is_looked_at_brings_its_picture_and_no_other_does(
    tmp_path: Path,
):
    host = hosted(tmp_path / "shelf")
    model, lines = away(lambda: host, 1)
    run = begin(tmp_path / "runs", model, Plan(400 * H, H), WATCH).run
    assert len(record(run)[1]) == 201
    for line in lines.values():
        assert line.since("realise")["deformed"] <= 1
        assert sum(r.realise.look for r in line.requests) == 200 - 1


@pytest.mark.parametrize("block", [1, K])
def test_an_older_server_is_asked_by_itself(tmp_path: Path, by_themselves, block: int):
    host = hosted(tmp_path / "shelf")
    model, lines = away(lambda: host, block, older)
    run = begin(tmp_path / "runs", model, PLAN, WATCH).run
    assert record(run) == by_themselves[block]
    for line in lines.values():
        assert line.kinds.count("deformed") == len(record(run)[1])


def test_what_does_not_fit_into_a_message_is_asked_by_itself(
    tmp_path: Path, by_themselves
):
    small = Limits(message=2**16 + 2000)
    host = hosted(tmp_path / "shelf", limits=small)
    model, lines = away(lambda: host, K)
    run = begin(tmp_path / "runs", model, PLAN, WATCH).run
    assert record(run) == by_themselves[K]
    assert lines["left"].kinds.count("deformed") == len(SEEN)


def logged(tmp_path: Path, bend: Bend, *denied: str) -> tuple[Counter[str], int, int]:
    """Answered calls by method, all numbers and refusals of a run, by the owner."""
    methods = frozenset(METHODS) - set(denied)
    grant = Grant(ME, "*", methods, steps=Steps((H,)), blocks=K)
    log = tmp_path / "audit.jsonl"
    gate = PolicyGate.of(Policy(grants=(grant,), audit=log))
    host = hosted(tmp_path / "shelf", gate)
    model, _ = away(lambda: host, K, bend)
    begin(tmp_path / "runs", model, PLAN, WATCH)
    gate.close()
    records = read_log(log).records
    calls = [r for r in records if r["kind"] == "call"]
    digests = {r["request"] for r in calls} - {""}
    assert digests
    return (
        Counter(r["method"] for r in calls),
        sum(r["numbers"] for r in calls),
        sum(r["kind"] == "denied" for r in records),
    )


@pytest.mark.parametrize("denied", [(), ("deformed",), ("skins",)])
def test_an_owner_counts_and_writes_down_what_comes_along_as_if_it_was_asked_for(
    tmp_path: Path, denied: tuple[str, ...]
):
    along, alone = (
        logged(tmp_path / name, bend, *denied)
        for name, bend in (("along", as_it_is), ("alone", older))
    )
    assert along == alone
    calls, _, refusals = along
    assert calls["keep"] > 0
    assert bool(calls["deformed"]) is bool(not denied)
    assert bool(refusals) is bool(denied)


@pytest.mark.parametrize("along", [True, False])
def test_a_checkpoint_that_cannot_be_read_is_refused_and_written_down(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, along: bool
):
    """Along with a block as by itself; nothing is wrong with the model."""
    grant = Grant(ME, "*", frozenset(METHODS), steps=Steps((H,)), blocks=K)
    log = tmp_path / "audit.jsonl"
    gate = PolicyGate.of(Policy(grants=(grant,), audit=log))
    host = hosted(tmp_path / "shelf", gate)

    def ask(n: int, **what: Message) -> pb.Reply:
        own = {"session": opened.session, "epoch": opened.epoch, "sequence": n}
        raw, _ = host.answer(pb.Request(**own, **what).SerializeToString(), ME)
        return pb.Reply.FromString(raw)

    opened, hello = pb.Opened(), pb.Open(version=spoken(), coordinator="me")
    hello.model = "left"
    opened = ask(0, open=hello).opened
    ask(1, start=pb.Start(t0=0.0, result=1))
    two = pb.Block(starts=[0.0, H], ends=[H, 2 * H])
    ask(2, respond_block=pb.RespondBlock(state=1, block=two, result=2))
    ask(3, try_block=pb.TryBlock(response=2, result=3))
    wrong = pb.Keep(state=1, log_number="7", log_head="no head")
    if along:
        last = pb.Settle(trial=3, same=True, result=4)
        reply = ask(4, settle_block=pb.SettleBlock(settle=last, keep=wrong))
        assert len(reply.settled_block.advances) == 2, "the block is good"
        assert not reply.settled_block.HasField("kept")
    else:
        assert ask(4, keep=wrong).failure.reason == "this is no head of a log."
    gate.close()
    (no,) = [r for r in read_log(log).records if r["kind"] == "denied"]
    assert (no["method"], no["rule"]) == ("keep", "request")
    assert no["reason"] == "this is no head of a log."
    assert not caplog.records


@pytest.mark.parametrize("block", [1, K])
def test_a_server_that_is_started_again_makes_states_and_nothing_else(
    tmp_path: Path, by_themselves, block: int
):
    hosts = [hosted(tmp_path / "shelf")]
    model, lines = away(lambda: hosts[-1], block)
    line = lines["left"]

    def restart(n: int) -> str:
        if n in (25, 31, 37):
            hosts.append(hosted(tmp_path / "shelf"))
        return ""

    line.break_at = restart
    run = begin(tmp_path / "runs", model, PLAN, WATCH).run
    assert model.parts["left"].link.recoveries == 3
    assert record(run) == by_themselves[block]
    opened = [k for k, r in enumerate(line.requests) if r.HasField("open")]
    assert len(opened) == 4
    for at in opened[1:]:
        gone = line.requests[at - 1]  # what found the server gone is asked once more
        again = list(takewhile(partial(unlike, gone), line.requests[at + 1 :]))
        assert again[0].WhichOneof("ask") in ("restore", "start")
        assert not any(brings(r) for r in again)


def unlike(one: pb.Request, other: pb.Request) -> bool:
    """Whether two requests ask for different things."""
    what = one.WhichOneof("ask") or ""
    return not other.HasField(what) or getattr(one, what) != getattr(other, what)


def brings(request: pb.Request) -> bool:
    """Whether a request asks for a picture or a checkpoint along with windows."""
    before, last = request.try_block.before, request.settle_block
    look = request.realise.look or before.look or last.settle.look
    return look or last.HasField("keep")


@pytest.mark.parametrize("windows", [30, 62, 90])
def test_a_run_is_resumed_from_a_checkpoint_that_came_along(
    tmp_path: Path, by_themselves, windows: int
):
    host = hosted(tmp_path / "shelf")
    model, lines = away(lambda: host, K)
    run, seen = create(tmp_path / "runs", model, PLAN), list[int]()
    stop = Watch(
        lambda f: seen.append(f.n),
        lambda: bool(seen) and seen[-1] >= windows,
        Commits(7, 1e9),
    )
    with pytest.raises(Interrupted):
        resume(run, model, watch=stop)
    again, _ = away(lambda: host, K)
    done = resume(run, again, watch=WATCH)
    assert done.taken_up == (1 if windows < 50 else 50)
    sha, moved, _ = record(run)
    assert (sha, moved) == by_themselves[K][:2]
    for line in lines.values():
        assert line.kinds.count("keep") <= 1 + (windows < 50), "and as it stops"


def test_parts_of_a_supplier_of_a_supplier_bring_their_pictures_along(
    tmp_path: Path,
):
    below = hosted(tmp_path / "below")
    made: list[Mapping[str, Line]] = []

    def assembled() -> Model:
        model, lines = away(lambda: below, 1)
        made.append(lines)
        return model

    above = Host(
        {"both": Served("both", assembled, "both", EVERYTHING)},
        shelf=Shelf(tmp_path / "above"),
    )
    line = Line(lambda: above, ME)
    both = remote_model("both", line, "both")
    here, there = plates(), both
    mine, yours = here.start(0.0).state, there.start(0.0).state
    for k in range(1, 13):
        first, second = (
            m.advance(s, window(k), {}) for m, s in ((here, mine), (there, yours))
        )
        mine, yours = first.state, second.state
        seen = [m.deformed(s, k * H) for m, s in ((here, mine), (there, yours))]
        for own, shown in zip(*(s.values() for s in seen), strict=True):
            assert np.array_equal(own.displacement, shown.displacement)
    assert line.kinds.count("deformed") <= 3
    (lines,) = [x for x in made if any(y.kinds.count("realise") for y in x.values())]
    for inner in lines.values():
        assert inner.kinds.count("deformed") <= 3
    both.close()


def test_a_picture_that_cannot_be_is_told(tmp_path: Path):
    host = hosted(tmp_path / "shelf")

    class Lying(Line):
        def exchange(self, raw: bytes, patience: float, busy=None) -> bytes:
            reply = pb.Reply.FromString(super().exchange(raw, patience, busy))
            for one in reply.stepped.moved.each:
                one.values.extend([0.0] * 3)
            return reply.SerializeToString()

    part = remote_model("left", Lying(lambda: host, ME), "left")
    state = part.start(0.0).state
    for k in range(1, 4):
        state = part.advance(state, window(k), {}).state
        if state.seen is None:
            part.deformed(state, k * H)
    with pytest.raises(LeafInconsistent, match="no displacements of"):
        part.deformed(state, 3 * H)
    part.close()


def test_pictures_under_a_share_of_the_loads_say_nothing_of_later_ones(tmp_path: Path):
    """They never come along, so nobody shall guess that they are wanted, or not."""
    host = hosted(tmp_path / "shelf")
    part = remote_model("left", Line(lambda: host, ME), "left")
    state = part.start(0.0).state
    for k in range(1, 6):
        state = part.advance(state, window(k), {}).state
        assert state.seen is None
        assert part.deformed(state, k * H, 0.5)
    part.close()


def looks(*instants: float) -> Looks:
    made = Looks()
    for t in instants:
        made.looked(t)
    return made


def window(n: float) -> Window:
    return Window((n - 1) * H, n * H)


def test_windows_bring_pictures_at_the_distance_of_the_last_ones():
    made = looks(0.0, 5 * H)
    assert [n for n in range(1, 21) if made.after(window(n))] == [10, 15, 20]
    made, ends = looks(0.0, 5 * H), (7, 12, 14, 21)
    assert [n for n in ends if made.after_block((n - 5) * H, n * H)] == [12, 14, 21]


def test_nobody_looks_before_somebody_looked():
    for made in (Looks(), looks(0.0)):
        assert not any(made.after(window(n)) for n in range(1, 9))
    assert not Looks().after_block(0.0, H)
    assert looks(0.0).after_block(0.0, H), "the end of a block is worth a guess"


def test_windows_that_are_taken_several_times_bring_none():
    made = looks(0.0, H)
    again = [n for n in range(2, 9) for _ in range(3)]
    assert not any(made.after(window(n)) for n in again)


def test_who_looked_in_vain_does_not_guess():
    made = looks(0.0, H)
    made.vain()
    assert not made.after_block(0.0, H)
    assert not any(made.after(window(n)) for n in range(2, 9))


@pytest.mark.parametrize("instants", [(0.0,), (0.0, H)])
def test_when_nobody_looks_any_more_pictures_end(instants: tuple[float, ...]):
    made, ends = looks(*instants), [k * H for k in range(2, 100)]
    assert sum(made.after_block(end - H, end) for end in ends) == 3
    made.looked(100 * H)
    assert made.after_block(198 * H, 200 * H)


def test_the_same_instant_seen_twice_is_no_distance():
    assert not looks(0.0, 5e-324).after_block(H, 2 * H)


def test_of_checkpoints_that_nobody_wants_there_is_one_at_most():
    keeps = Keeps()
    assert not keeps.guess()
    keeps.made()
    assert [keeps.guess() for _ in range(3)] == [True, False, False]


def test_a_checkpoint_that_came_along_is_given_once():
    keeps, kept = Keeps(), pb.Kept(handle="a")
    keeps.came(7, kept)
    assert keeps.wanted(7) is kept
    assert keeps.wanted(7) is None, "it may be gone by then"
    keeps.came(7, kept)
    assert keeps.wanted(8) is None


@pytest.mark.parametrize("data", [b"last", b"", pack({"x": 1.0})])
def test_a_state_of_a_part_that_was_here_is_told_as_such(tmp_path: Path, data: bytes):
    model, _ = away(partial(hosted, tmp_path), 1)
    with pytest.raises(CodecError, match="left was not at a partner's"):
        model.parts["left"].load(data)
