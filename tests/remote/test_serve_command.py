"""`bondline leaf serve`, as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bondline.cli import main
from bondline.remote.trust.tls import Credentials
from bondline.run import find
from tests.remote.conftest import placement

LIMIT = 60.0


@contextmanager
def served(
    cwd: Path, *args: object, **how: Any
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a server, and its process."""
    command = [sys.executable, "-m", "bondline", "--json", "leaf", "serve"]
    process = subprocess.Popen(
        [*command, *map(str, args)], cwd=cwd, stdout=subprocess.PIPE, text=True, **how
    )
    try:
        assert process.stdout is not None
        told = ""
        while not told.rstrip().endswith("}"):
            line = process.stdout.readline()
            assert line, "the server ended before it served"
            told += line
        yield json.loads(told)["address"], process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(LIMIT)
        process.stdout.close()


def flags(secrets: Credentials) -> list[str]:
    return [
        *("--cert", str(secrets.cert), "--key", str(secrets.key)),
        *("--client-ca", str(secrets.ca), "--allow-all"),
    ]


def run(home: Path, *args: object) -> int:
    return main(["--quiet", "--project", str(home), "run", *map(str, args)])


def test_a_served_part_is_run_and_stops_when_it_is_told(
    project: Path, tmp_path: Path, owner: Credentials, integrator: Credentials
):
    model = project / "examples" / "double_pendulum"
    grid = ("--until", "0.2s")
    assert run(tmp_path, model, "--name", "here", *grid) == 0
    with served(tmp_path, f"{model}:lower", *flags(owner)) as (address, process):
        file = placement(tmp_path / "p.toml", {"lower": address}, integrator)
        there = ("--placement", file)
        assert run(tmp_path, model, "--name", "away", *grid, *there) == 0
        process.send_signal(signal.SIGTERM)
        assert process.wait(LIMIT) == 0
    hashes = {find(tmp_path / "runs", n).summary.sha256 for n in ("here", "away")}
    assert len(hashes) == 1


def test_a_run_goes_on_with_a_server_that_was_started_again(
    project: Path, tmp_path: Path, owner: Credentials, integrator: Credentials
):
    model = project / "examples" / "linear_chain"
    assert run(tmp_path, model, "--name", "here", "--until", "1s") == 0
    for until, how in (("0.4s", ("--name", "away")), ("1s", ("--resume", "away"))):
        with served(tmp_path, f"{model}:two", *flags(owner)) as (address, process):
            file = placement(tmp_path / "p.toml", {"two": address}, integrator)
            named = () if "--resume" in how else (model,)
            assert (
                run(tmp_path, *named, *how, "--until", until, "--placement", file) == 0
            )
            os.kill(process.pid, signal.SIGKILL)
    hashes = {find(tmp_path / "runs", n).summary.sha256 for n in ("here", "away")}
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "--cert, --key and --client-ca"),
        (("--insecure-loopback", "--listen", "0.0.0.0:0"), "only this machine"),
    ],
)
def test_nobody_serves_in_the_open_by_accident(args, words, capsys):
    assert main(["leaf", "serve", "chain", *args]) in (2, 3)
    assert words in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(
    ("listen", "words"),
    [
        ("127.0.0.1:99999", "99999 is no port: they go from 0 to 65535"),
        ("127.0.0.1", "'127.0.0.1' is no address with a port"),
        ("127.0.0.1:", "no address with a port"),
        ("127.0.0.1:http", "no address with a port"),
        ("", "no address with a port"),
    ],
)
def test_a_port_is_a_port(listen, words, owner, tmp_path, capsys, monkeypatch):
    """gRPC would take 99999 for 34463, and none for 443."""
    monkeypatch.chdir(tmp_path)
    assert main(["leaf", "serve", "chain", *flags(owner), "--listen", listen]) == 3
    said = " ".join(capsys.readouterr().err.split())
    assert words in said
    assert "Write HOST:PORT" in said


@pytest.mark.parametrize(
    "given",
    [
        *(("--lease", v) for v in ("nan", "0", "-1", "inf")),
        *(("--max-step", v) for v in ("nan", "0", "-1", "inf")),
    ],
    ids=" ".join,
)
def test_a_time_is_above_zero(given, capsys):
    assert main(["leaf", "serve", "chain", "--insecure-loopback", *given]) == 2
    said = capsys.readouterr().err
    assert " ".join(given) in said
    assert "not a number above 0" in " ".join(said.split())


@pytest.mark.parametrize("name", ["../x", "a b", "a\nb", "", "/x", "..", "x" * 65])
def test_a_served_name_is_a_name(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["leaf", "serve", f"{name}=chain", "--insecure-loopback"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "this cannot be the name of a served model" in said
    assert "NAME=MODEL" in said


def test_two_models_need_two_names(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["leaf", "serve", "a=chain", "a=chain", "--insecure-loopback"]) == 2
    assert "two models have this name" in " ".join(capsys.readouterr().err.split())


def test_a_band_that_leaves_nothing_out_names_the_model(project, tmp_path, capsys):
    rules = tmp_path / "p.toml"
    rules.write_text('[models.mine]\nband = "1000 kHz"\n', encoding="utf-8")
    target = f"mine={project / 'examples' / 'linear_chain'}:two"
    words = ["leaf", "serve", target, "--insecure-loopback", "--policy", str(rules)]
    assert main([*words, "--store", str(tmp_path / "store")]) == 3
    assert "mine: band = 1e+06 Hz" in " ".join(capsys.readouterr().err.split())


def test_without_a_policy_nobody_is_allowed_anything(owner, capsys):
    given = [f for f in flags(owner) if f != "--allow-all"]
    assert main(["leaf", "serve", "chain", *given]) == 2
    assert "nobody is allowed anything" in capsys.readouterr().err


def test_a_certificate_that_ran_out_is_refused_at_the_start(ca, capsys):
    old = ca.issue("tired", days=1.0, late=2.0)
    assert main(["leaf", "serve", "chain", *flags(old)]) == 3
    told = " ".join(capsys.readouterr().err.split())
    assert "tired.pem (CN=tired) ran out on 20" in told
    assert "bondline cert renew" in told


def test_who_signs_nobody_is_no_authority_of_clients(ca, owner, capsys):
    mixed = Credentials(owner.cert, owner.key, ca.issue("stray").cert)
    assert main(["leaf", "serve", "chain", *flags(mixed)]) == 3
    told = " ".join(capsys.readouterr().err.split())
    assert "--client-ca" in told
    assert "stray.pem (CN=stray) is no authority" in told
    assert "Give the ca.pem" in told


def test_a_key_that_others_may_read_is_refused(owner, tmp_path: Path, capsys):
    key = tmp_path / "open.key"
    key.write_bytes(owner.key.read_bytes())
    key.chmod(0o644)
    assert (
        main(["leaf", "serve", "chain", *flags(Credentials(owner.cert, key, owner.ca))])
        == 3
    )
    assert "chmod 600" in capsys.readouterr().err
