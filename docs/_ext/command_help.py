"""A directive that shows what a command says about itself: ``{command-help} run``."""

from __future__ import annotations

import os
import subprocess
import sys

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class CommandHelp(SphinxDirective):
    """The output of ``bondline ARGUMENTS --help``."""

    has_content = False
    optional_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        words = ["bondline", *(self.arguments[0].split() if self.arguments else [])]
        text = help_of(words)
        return [nodes.literal_block(text, text, language="text")]


def help_of(words: list[str]) -> str:
    """What the command prints, 88 columns wide and without colours."""
    code = "from bondline.cli import main; main()"
    plain = {"COLUMNS": "88", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code, *words[1:], "--help"],
        env={**os.environ, **plain},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(words)} --help failed: {done.stderr}")
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True}
