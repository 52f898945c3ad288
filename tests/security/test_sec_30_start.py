"""SEC-30: a server leaves no core dumps, and says when it runs as root."""

from __future__ import annotations

import json
import os
import subprocess
import sys

CHILD = """
import json, os, resource
before = resource.getrlimit(resource.RLIMIT_CORE)
from bondline.remote.owner.hardening import harden
said = harden()
after = resource.getrlimit(resource.RLIMIT_CORE)
print(json.dumps([after, os.umask(0), said]))
"""


def test_no_core_dump_can_be_written_and_files_are_private():
    done = subprocess.run(
        [sys.executable, "-c", CHILD], capture_output=True, text=True, check=True
    )
    core, umask, said = json.loads(done.stdout)
    assert core == [0, 0]
    assert umask == 0o077
    assert bool(said) == (os.geteuid() == 0)
    assert all("user of its own" in line for line in said)
