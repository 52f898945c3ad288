"""Fenced blocks of Markdown pages, and how to run what they show."""

from __future__ import annotations

import contextlib
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

FENCE = re.compile(
    r"^(?P<ticks>`{3,}|~{3,})(?P<language>\w+)[ ]*(?P<needs>[^\n]*)\n"
    r"(?P<body>.*?)^(?P=ticks)[ ]*$",
    re.MULTILINE | re.DOTALL,
)
SHELLS = {"sh", "bash", "shell", "console"}


@dataclass(frozen=True)
class Rule:
    """What to do with commands that start with `prefix`; no `reason`: run them."""

    prefix: str
    reason: str = ""


RULES = (
    Rule("git clone", "the clone is this one"),
    Rule("cd", "the commands run where the clone would be"),
    Rule("./run test", "that is what is running now"),
    Rule("./run bench", "measures, and takes its time"),
    Rule("./run ladder", "is a test of its own"),
    Rule("./run demo"),
    Rule("./run bondline sweep examples", "is a test of its own"),
    Rule("./run bondline sweeps", "shows what that one has made"),
    Rule("./run bondline"),
    Rule("./run python examples/gun_turret/table.py"),
    Rule("./run docs", "is a gate of its own"),
    Rule("pip install", "would change the environment"),
)


def blocks(page: str, languages: set[str]) -> list[str]:
    """Bodies of the fenced blocks in one of the languages that need nothing else."""
    found = FENCE.finditer(page)
    return [m["body"] for m in found if m["language"] in languages and not m["needs"]]


def needing(page: str) -> list[tuple[str, str]]:
    """Python blocks that say what they need, as in ```python mujoco; with that word."""
    found = [m for m in FENCE.finditer(page) if m["language"] == "python"]
    return [(m["needs"].strip(), m["body"]) for m in found if m["needs"].strip()]


def commands(page: str) -> list[str]:
    """Every shell command a page shows, one string each.

    In a `console` block they follow a `$`, and the rest is output.
    """
    return [c for m in FENCE.finditer(page) for c in _commands(m)]


def _commands(fence: re.Match[str]) -> Iterator[str]:
    if fence["language"] not in SHELLS:
        return
    lines = fence["body"].replace("\\\n", " ").splitlines()
    if any(line.startswith("$ ") for line in lines):
        lines = [line[2:] for line in lines if line.startswith("$ ")]
    for line in lines:
        command = re.sub(r"(^|\s)#.*", "", line).strip()
        if command:
            yield " ".join(command.split())


def refused(page: str) -> set[str]:
    """Commands behind which a page shows the error that they end with."""
    pairs = (
        p for body in blocks(page, {"console"}) for p in pairwise(body.split("\n"))
    )
    told = (a for a, b in pairs if a.startswith("$ ") and b.startswith("error "))
    return {" ".join(a[2:].split()) for a in told}


def rule_for(command: str) -> Rule | None:
    """The first rule whose words the command starts with."""
    for rule in RULES:
        words = rule.prefix.split()
        if command.split()[: len(words)] == words:
            return rule
    return None


def clone_like(project: Path, folder: Path) -> Path:
    """A folder that looks like a clone from inside: `./run` and the examples."""
    (folder / "run").symlink_to(project / "run")
    if (project / "examples").is_dir():
        shutil.copytree(project / "examples", folder / "examples")
    return folder


def surroundings(home: Path) -> dict[str, str]:
    """An environment that uses this Python's packages and somebody else's home."""
    return {
        **os.environ,
        "BONDLINE_VENV": sys.prefix,
        "BONDLINE_AS_IS": "1",
        "HOME": str(home),
        "CI": "true",
        "MPLBACKEND": "Agg",
        "NO_COLOR": "1",
    }


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command there, without a terminal, and show what it printed."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=surroundings(folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    print(f"$ {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done


def run_page(page: str, project: Path, folder: Path) -> list[str]:
    """Run the commands of a page in order; return those that ran."""
    here, ran = clone_like(project, folder), []
    for command in commands(page):
        rule = rule_for(command)
        assert rule, f"no rule in fences.RULES says whether to run: {command}"
        if rule.reason:
            print(f"not run: {command} ({rule.reason})")
            continue
        done = run(["sh", "-c", command], here)
        wrong = (done.returncode != 0) is not (command in refused(page))
        assert not wrong, f"{command} ended with {done.returncode}"
        ran.append(command)
    return ran


def run_python(page: str, folder: Path) -> None:
    """Run the Python blocks of a page as one script, warnings as errors.

    In this process, which has loaded the libraries already.
    """
    script = folder / "page.py"
    script.write_text("\n".join(blocks(page, {"python"})), encoding="utf-8")
    with contextlib.chdir(folder):
        runpy.run_path(script.name, run_name="__main__")
