"""A process of its own that carries on one run, and says how far it is.

    python run_child.py RUN MODEL [largest file in bytes]

Prints the number of every window, then the SHA-256 of the run.
"""

from __future__ import annotations

import resource
import sys
from pathlib import Path

import run_models

from bondline.errors import BondlineError
from bondline.run import Commits, Run, Watch, resume

MODELS = {
    "swing": run_models.Swing,
    "double_pendulum": run_models.double_pendulum,
    "noting": run_models.noting,
}


def main(path: str, kind: str, limit: str = "") -> int:
    if limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit), int(limit)))
    watch = Watch(progress=lambda f: print(f.n, flush=True), commits=Commits(windows=3))
    try:
        done = resume(Run(Path(path)), MODELS[kind](), watch=watch)
    except BondlineError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    print(done.run.summary.sha256)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
