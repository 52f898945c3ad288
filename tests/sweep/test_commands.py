"""`bondline sweep` and `bondline sweeps`."""

from __future__ import annotations

import json

import pytest

from bondline.cli import main


@pytest.fixture
def call(capsys):
    """Calls the command line of a project; its exit code and what it printed."""

    def run(home, *args):
        capsys.readouterr()
        code = main(["--project", str(home.path), *map(str, args)])
        return code, capsys.readouterr()

    return run


def test_sweeps_are_listed_and_shown(swept, call):
    home, _ = swept
    code, seen = call(home, "sweeps", "--json")
    assert code == 0
    (one,) = json.loads(seen.out)["sweeps"]
    assert (one["sweep"], one["counts"]) == ("s", {"done": 4, "failed": 2})
    code, seen = call(home, "sweeps", "show", "s")
    assert code == 0
    assert "upper.mass=8.0kg lower.mass=10kg" in seen.out
    assert "2 × --set lower.mass=-3kg" in seen.out
    code, seen = call(home, "sweeps", "show", "--json")
    assert [v["k"] for v in json.loads(seen.out)["variants"]] == list(range(6))


def test_tables_and_pages_are_written_where_asked(swept, call, tmp_path):
    home, _ = swept
    for kind, name in ("table", "t.csv"), ("report", "t.html"):
        code, _ = call(home, "sweeps", kind, "s", "-o", tmp_path / name)
        assert code == 0
        assert (tmp_path / name).stat().st_size > 500


def test_a_sweep_is_cancelled_by_its_name(home, want, call):
    sweep = home.begin(want("upper.mass=8,9kg"))
    code, _ = call(home, "sweeps", "cancel", "s")
    assert code == 0
    assert sweep.stop.exists()


@pytest.mark.parametrize(
    ("args", "found"),
    [
        (["sweep"], "there is no model"),
        (["sweep", "MODEL"], "nothing varies"),
        (["sweep", "MODEL", "--resume", "s"], "keeps its model"),
        (["sweep", "--resume", "nothing"], "no sweep in"),
        (["sweep", "MODEL", "--set", "upper.mass"], "not a name and a value"),
        (["sweep", "MODEL", "--set", "m=1..2:2"], "nothing is named 'm'"),
    ],
)
def test_what_makes_no_sweep_is_told(home, pendulum, call, args, found):
    code, seen = call(home, *(str(pendulum) if a == "MODEL" else a for a in args))
    assert code == 2
    assert found in seen.err


@pytest.mark.full
def test_a_whole_sweep_from_the_command_line(home, pendulum, call):
    sets = ["--set", "upper.mass=8..12kg:2", "--set", "lower.mass=10,-3kg"]
    command = ["sweep", pendulum, *sets, "--until", "50ms", "--jobs", "2", "--json"]
    code, seen = call(home, *command, "--name", "s")
    told = json.loads(seen.out)
    assert code == 1  # two of them cannot be
    assert told["counts"] == {"done": 2, "failed": 2}
    assert [f.rpartition("/")[2] for f in told["files"]] == ["table.csv", "report.html"]
    code, _ = call(home, "compare", "s.0000", "s.0002", "--json")
    assert code in (0, 1)
