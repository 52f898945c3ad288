"""What decks say is heard at the command line."""

from __future__ import annotations

from pathlib import Path

from tests.build.deck_models import write
from tests.cli.conftest import Call

NOTED = ("*END STEP", "*NODE FILE\nU\n*END STEP")


def test_check_and_info_say_what_readers_pass_over(call: Call, tmp_path: Path) -> None:
    model = write(tmp_path / "plate", NOTED)
    for command in ("check", "info"):
        told = call(command, model, "--json")
        assert told.code == 0
        assert any("NODE FILE is passed over" in note for note in told.json["notes"])
        assert "passed over" in call(command, model).out


def test_what_a_run_proposes_next_works(call: Call, tmp_path: Path) -> None:
    project = ("--project", tmp_path)
    got = call(*project, "run", write(tmp_path / "plate"), "--until", "2ms")
    line = next(x for x in got.out.splitlines() if "bondline plot" in x)
    words = line.split("bondline plot ")[1].replace("'", "").split()
    picture = tmp_path / "plot.svg"
    assert call(*project, "plot", *words[:2], "-o", picture).code == 0


def test_a_model_without_loads_at_rest_is_doubted(call: Call, tmp_path: Path) -> None:
    model = write(tmp_path / "plate", ('steps="1"', 'staticTime="0"'))
    got = call("--project", tmp_path, "static", model, "--json")
    assert any("set staticTime" in note for note in got.json["warnings"])
