"""What a server does to its own process before it holds a key and a model."""

from __future__ import annotations

import os
import resource


def harden() -> list[str]:
    """No core dumps, new files for the owner alone, all the files that we may have.

    Gives warnings to show. Each connection is a file, whoever it comes from.

    A core dump holds the key and the model. The rest is the unit file's part, see the
    guide on privacy.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.umask(0o077)
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if os.geteuid() == 0:
        return ["this server runs as root; give it a user of its own."]
    return []
