"""`./run chaos [KILLS] [SEED]`: so many kills of servers, and of coordinators."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from time import monotonic

from tests.chaos.conftest import Home
from tests.chaos.kills import Lives, coordinators_killed, leaves_killed
from tests.remote.certificates import authority

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
W1 = ("--until", "3s", "--step", "10ms")
AT_ONCE = 20  # kills before the books are looked at


def main(kills: str = "1000", seed: str = "0") -> int:
    lost = 0
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder), EXAMPLES / "double_pendulum", W1)
        trust = authority(home.folder / "ca")
        lives = Lives(home, trust.issue("owner"), trust.issue("integrator"))
        golden = home.run("golden")
        for how in (leaves_killed, coordinators_killed):
            began, killed, hashes = monotonic(), 0, list[str]()
            while killed < int(kills):
                now = min(AT_ONCE, int(kills) - killed)
                toll = how(lives, now, int(seed) + killed)
                killed, hashes = killed + toll.kills, hashes + toll.hashes
            other = sum(h != golden for h in hashes)
            lost += other
            seconds = monotonic() - began
            print(
                f"{how.__name__}: {killed} kills in {len(hashes)} runs of 300 windows, "
                f"{other} with other bits, {seconds:.0f} s"
            )
    return int(lost > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
