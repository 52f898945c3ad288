"""`./run chaos [KILLS] [SEED] [leaves|coordinators]`: so many kills of each.

Kills come in lots, each with a seed of its own, with which it can be repeated. A run
that does not come to its end is noted, and the next one begins.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from bondline.remote.client.link import Patience
from tests.chaos.conftest import EXAMPLES, Home
from tests.chaos.kills import Lives, Toll, coordinators_killed, leaves_killed
from tests.remote.certificates import authority

W1 = ("--until", "3s", "--step", "10ms")
LOT = 50  # kills before the books are looked at: as many as fall into a whole run
TOLD = 100  # kills between two words about progress
GRACE = 300.0  # s: a busy machine takes its time to start a server
KINDS = {"leaves": leaves_killed, "coordinators": coordinators_killed}


@dataclass
class Campaign:
    """Lots of kills of one kind, and what came of them."""

    kind: str
    kills: int
    golden: str
    killed: int = 0
    runs: int = 0
    other: int = 0  # runs with other bits
    ended: int = 0  # runs that gave up, and had to be resumed by hand
    lost: int = 0

    def fight(self, kill: Callable[[int, int], Toll], seed: int) -> None:
        began, told = monotonic(), 0
        while self.killed < self.kills:
            lot, start = min(LOT, self.kills - self.killed), seed + self.killed
            repeat = f"  to repeat: ./run chaos {lot} {start} {self.kind}"
            try:
                troubles = self.count(kill(lot, start))
            except BaseException:  # of the trial itself: nothing can be said of runs
                print(repeat, flush=True)
                raise
            if troubles:
                print(*(f"  {t}" for t in troubles), repeat, sep="\n", flush=True)
            if self.killed - told >= TOLD or self.killed >= self.kills:
                told = self.killed
                print(self.line(monotonic() - began), flush=True)

    def count(self, toll: Toll) -> list[str]:
        """What was not as it must be."""
        self.killed += toll.kills
        self.runs += toll.runs
        wrong = [h for h in toll.hashes if h != self.golden]
        self.other += len(wrong)
        self.ended += len(toll.ended)
        self.lost += len(toll.lost)
        return [
            *toll.ended,
            *(f"{name} is lost" for name in toll.lost),
            *(f"a run has other bits: {h}, not {self.golden}" for h in wrong),
        ]

    def line(self, seconds: float) -> str:
        left = seconds / self.killed * max(0, self.kills - self.killed)
        return (
            f"{self.kind}: {self.killed} of {self.kills} kills in {self.runs} runs of "
            f"300 windows; {self.lost} lost, {self.other} with other bits, "
            f"{self.ended} ended early; {seconds:.0f} s, about {left:.0f} s left"
        )

    @property
    def failed(self) -> bool:
        return bool(self.lost or self.other or self.ended)


def main() -> int:
    words = argparse.ArgumentParser(prog="./run chaos", description=__doc__)
    words.add_argument("kills", nargs="?", type=int, default=1000)
    words.add_argument("seed", nargs="?", type=int, default=0)
    words.add_argument("kind", nargs="?", choices=list(KINDS), help="both, if not said")
    wanted = words.parse_args()
    failed = 0
    usual = Patience().grace
    print(f"partners have {GRACE:g} s to come back, {usual:g} s by default", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder), EXAMPLES / "double_pendulum", W1)
        trust = authority(home.folder / "ca")
        secrets = trust.issue("owner"), trust.issue("integrator")
        lives = Lives(home, *secrets, grace=GRACE, limit=GRACE)
        with redirect_stdout(io.StringIO()):  # its name is of no interest
            golden = home.run("golden")
        for kind in [wanted.kind] if wanted.kind else KINDS:
            how = KINDS[kind]
            campaign = Campaign(kind, wanted.kills, golden)
            campaign.fight(lambda n, s, how=how: how(lives, n, s), wanted.seed)
            failed += campaign.failed
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
