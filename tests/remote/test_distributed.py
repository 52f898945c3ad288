"""`bondline demo --distributed`: servers, certificates, policies, one record."""

from __future__ import annotations

import json
import socket
import stat
from pathlib import Path

import numpy as np
import pytest

from bondline.build.single import single
from bondline.cli import main
from bondline.cli.suppliers import Project, serving
from bondline.core import Rejected, Signal, Window
from bondline.errors import LeafLost
from bondline.remote.client.placement import read_placement
from bondline.remote.log.audit_read import read_log
from bondline.remote.owner.served import Served
from tests.remote.conftest import Supply, parts_of

WINDOWS = {"truck_frame": ("5ms", 10), "four_bar": ("10ms", 10)}


@pytest.mark.parametrize(
    "example", [pytest.param("truck_frame", marks=pytest.mark.full), "four_bar"]
)
def test_the_record_is_that_of_the_run_in_process(
    example: str, tmp_path: Path, capsys
) -> None:
    until, windows = WINDOWS[example]
    kept, made = tmp_path / example, tmp_path / f"{example}-2"
    kept.mkdir()  # what was there stays
    flags = ("--until", until, "--out", str(tmp_path), "--json")
    assert main(["demo", "--distributed", example, *flags]) == 0
    seen = capsys.readouterr()
    told = json.loads(seen.out)
    assert "BND081" not in seen.err, "every server reads the same example"
    assert told["same"]
    assert told["sha256"]["here"] == told["sha256"]["away"] != ""
    assert told["windows"] == windows
    places = read_placement(made / "placement.toml")
    assert set(told["parts"]) == set(places), "every part was at its owner's"
    for part, sums in told["parts"].items():
        assert sums["round_trips"] > windows, part
        assert sums["numbers_out"] > 0
        assert sums["bytes_out"] > 8 * windows
        log = made / sums["company"] / "audit.jsonl"
        assert any(r.get("model") == part for r in read_log(log).records)
    keys = list((made / "certs").glob("*.key"))
    assert len(keys) > len({sums["company"] for sums in told["parts"].values()})
    assert {stat.S_IMODE(key.stat().st_mode) for key in keys} == {0o600}
    assert not list(kept.iterdir())
    for place in places.values():
        assert nobody_at(place.address)


def nobody_at(address: str) -> bool:
    host, _, port = address.rpartition(":")
    with socket.socket() as trial:
        return trial.connect_ex((host, int(port))) != 0


@pytest.mark.full
def test_what_was_there_stays(tmp_path: Path, capsys) -> None:
    flags = ("--until", "2ms", "--out", str(tmp_path), "--quiet")
    kept = tmp_path / "four_bar"
    kept.mkdir()
    assert main(["--quiet", "demo", "--distributed", "four_bar", *flags[:4]]) == 0
    assert not list(kept.iterdir())
    assert (tmp_path / "four_bar-2" / "placement.toml").is_file()
    assert "the same record" in capsys.readouterr().out


def test_a_server_that_cannot_start_is_told_and_the_others_end(
    project: Path, tmp_path: Path
) -> None:
    here = Project(tmp_path, "trial")
    companies = {"lower": {"lower": ()}, "upper": {"uper": ()}}
    here.found(companies, 0.01)
    model = project / "examples" / "double_pendulum"
    with (
        pytest.raises(LeafLost, match=r"server of upper.*no part .uper.*server.log"),
        serving(here, model, companies),
    ):
        pytest.fail("it serves a part that is not there")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--until", "1s"), "--distributed"),
        (("--distributed", "truck"), "no such example"),
    ],
)
def test_flags_that_make_no_sense(flags, words: str, capsys) -> None:
    assert main(["demo", *flags]) == 2
    assert words in capsys.readouterr().err


def test_a_served_assembly_shows_the_names_of_its_exports(project: Path) -> None:
    target = f"{project / 'examples' / 'truck_frame'}:left"
    made = Served("left", lambda: single(target, {}).leaf).description(60.0)
    assert [p.name for p in made.ports] == ["C1", "C2", "C3", "C4"]
    assert b"RIGHT" not in made.SerializeToString(), "an inner name"


def test_an_input_that_is_no_number_does_not_leave(
    project: Path, supply: Supply
) -> None:
    there = supply(parts_of(project / "examples" / "linear_chain"))
    part = there.model("two")
    state, trips = part.start(0.0).state, part.link.trips
    mad = {"left": Signal(np.array([[np.nan]]))}
    done = part.advance(state, Window(0.0, 0.01), mad)
    assert isinstance(done, Rejected)
    assert part.link.trips == trips
    part.close()
