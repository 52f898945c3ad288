"""The walk of the guide "Two companies, one truck", command by command."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fences import FENCE, surroundings

LIMIT = 300.0
PLACE = re.compile(r'address = "((\w+\.example):\d+)"')
PROMPT = re.compile(r"(oem|rails|forge)\$ (.*)")


@dataclass
class Walk:
    """Machines as folders, and the servers that run on some of them."""

    root: Path
    stack: ExitStack
    addresses: dict[str, str] = field(default_factory=dict)  # by those on the page
    codes: dict[str, int] = field(default_factory=dict)

    def file(self, text: str) -> None:
        """A block of TOML says whose it is, and its name."""
        who, name = re.match(r"# (\w+): (\S+)\n", text).groups()
        text = PLACE.sub(self.really, text)
        (self.root / who / name).write_text(text, encoding="utf-8")

    def really(self, told: re.Match[str]) -> str:
        place, host = told.groups()
        return f'address = "{self.addresses[place]}"\nserver_name = "{host}"'

    def do(self, who: str, command: str) -> None:
        words = command.split()
        if words[0] == "scp":
            self.send(who, *words[1:])
        elif words[:3] == ["bondline", "leaf", "serve"]:
            self.serve(who, words[3:])
        else:
            done = subprocess.run(command, shell=True, timeout=LIMIT, **self.at(who))
            self.codes[command] = done.returncode

    def send(self, who: str, file: str, to: str) -> None:
        whom, _, folder = to.partition(":")
        shutil.copy(self.root / who / file, self.root / whom / folder)

    def serve(self, who: str, flags: list[str]) -> None:
        at = flags.index("--listen") + 1
        port = flags[at].rpartition(":")[2]
        flags[at] = "127.0.0.1:0"
        command = ["bondline", "--json", "leaf", "serve", *flags]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, **self.at(who)
        )
        self.stack.callback(process.stdout.close)
        self.stack.callback(process.wait, LIMIT)
        self.stack.callback(process.terminate)
        told = ""
        for line in process.stdout:
            told += line
            if line.startswith("}"):
                break
        self.addresses[f"{who}.example:{port}"] = json.loads(told)["address"]

    def at(self, who: str) -> dict:
        env = surroundings(self.root)
        path = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
        return {"cwd": self.root / who, "env": {**env, "PATH": path}}


@pytest.fixture
def walk(tmp_path: Path) -> Iterator[Walk]:
    for who in ("oem", "rails", "forge"):
        (tmp_path / who).mkdir()
    with ExitStack() as stack:
        yield Walk(tmp_path, stack)


@pytest.mark.full
def test_the_walk_works(project: Path, walk: Walk) -> None:
    page = (project / "docs/guide/two_companies.md").read_text(encoding="utf-8")
    for fence in FENCE.finditer(page):
        language, body = fence["language"], fence["body"]
        if language == "toml":
            walk.file(body)
        elif language == "sh":
            walk.do("oem", body.strip())
        elif language == "console":
            for who, command in PROMPT.findall(body):
                walk.do(who, command)
    refused = [c for c, code in walk.codes.items() if code]
    assert refused == [c for c in walk.codes if c.endswith("# refused")]
    assert len(refused) == 1
    assert len(walk.codes) >= 27, "the page shows that many commands"
    assert not (walk.root / "oem/truck/resources/right_rail.inp").exists()
