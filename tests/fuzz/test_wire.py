"""FT-20: changed messages over the wire, while an honest partner keeps its bits."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from threading import Event, Thread

import grpc
import pytest

from bondline.build import Given
from bondline.remote.client.dial import SERVICE
from bondline.remote.limits import Limits
from bondline.remote.owner.host import Host
from bondline.remote.owner.shelf import Shelf
from tests.chaos.conftest import EXAMPLES, FLAGS, Home
from tests.fuzz.messages import conversation
from tests.fuzz.mutate import changed
from tests.remote.conftest import parts_of, serving

EXAMPLE = "double_pendulum"
TOGETHER = 20  # messages of one stream
SOON = 30.0  # s for all its replies, on a busy machine


def stream(channel: grpc.Channel, messages: list[bytes]) -> str:
    """How the server ended a conversation of that: with replies, or with a no."""
    call = channel.stream_stream(f"/{SERVICE}/Converse", None, None)
    try:
        for _ in call(iter(messages), timeout=SOON):
            pass
    except grpc.RpcError as error:
        return error.code().name
    return "OK"


def single(channel: grpc.Channel, method: str, message: bytes) -> str:
    call = channel.unary_unary(f"/{SERVICE}/{method}", None, None)
    try:
        call(message, timeout=SOON)
    except grpc.RpcError as error:
        return error.code().name
    return "OK"


@pytest.mark.parametrize("many", [2_000, pytest.param(20_000, marks=pytest.mark.full)])
def test_changed_messages_by_wire_are_in_nobodys_way(tmp_path: Path, many: int):
    dice, ends, hashes, over = Random(21), Counter[str](), set[str](), Event()
    talk = conversation(EXAMPLE, Given(), tmp_path / "talk")
    asked = [raw for method, raw in talk if method == "answer"]
    home = Home(tmp_path, EXAMPLES / EXAMPLE, FLAGS[EXAMPLE])
    host = Host(
        parts_of(home.model), limits=Limits(sessions=64), shelf=Shelf(tmp_path / "s")
    )
    host.shelf.folder.mkdir()  # in the open all are one partner: other sessions, then
    (host.shelf.folder / "epoch").write_text("1000000")
    with serving(host, None) as server:
        address = f"127.0.0.1:{server.port}"
        file = tmp_path / "p.toml"
        place = f'address = "{address}"\nmodel = "lower"\ninsecure = true\n'
        file.write_text(f"[parts.lower]\n{place}")

        def attack() -> None:
            with grpc.insecure_channel(address) as channel:
                for _ in range(many // TOGETHER):
                    lot = [changed(dice.choice(asked), dice) for _ in range(TOGETHER)]
                    ends[stream(channel, lot[2:])] += TOGETHER - 2
                    for method, raw in zip(("Describe", "Pulse"), lot, strict=False):
                        ends[single(channel, method, raw)] += 1
            over.set()

        attacker = Thread(target=attack)
        attacker.start()
        runs = 0
        while attacker.is_alive() or not runs:
            hashes.add(home.run(f"honest-{runs}", "--placement", file))
            runs += 1
        attacker.join()
    assert over.is_set()
    assert ends.total() == many
    assert set(ends) <= {"OK", "INVALID_ARGUMENT"}, ends
    assert hashes == {home.run("here")}
