"""`./run fuzz [SHARE] [SEED]`: 100,000 messages and XML files, 10,000 archives.

SHARE is a part of that, 0.01 for a look. What was found is in fuzz-finds/.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.fuzz.files import Archive, Xml
from tests.fuzz.hunt import Hunt, hunt
from tests.fuzz.messages import ToClient, ToHost

FINDS = Path("fuzz-finds")
MESSAGES, FILES, ARCHIVES = 100_000, 100_000, 10_000


def hunts(share: float, seed: int, home: Path) -> list[Hunt]:
    """All of them, a share of each."""
    folders = [home / name for name in ("shelf", "xml", "ssp")]
    for folder in folders:
        folder.mkdir()
    kinds = (
        ("requests", ToHost(folders[0]), MESSAGES // 2),
        ("replies", ToClient(), MESSAGES // 2),
        ("xml", Xml(folders[1]), FILES),
        ("archives", Archive(folders[2]), ARCHIVES),
    )
    return [hunt(name, how, max(1, int(n * share)), seed) for name, how, n in kinds]


def main() -> int:
    words = argparse.ArgumentParser(prog="./run fuzz", description=__doc__)
    words.add_argument("share", nargs="?", type=float, default=1.0)
    words.add_argument("seed", nargs="?", type=int, default=0)
    wanted = words.parse_args()
    with tempfile.TemporaryDirectory() as home:
        found = hunts(wanted.share, wanted.seed, Path(home))
    for each in found:
        print(each)
        for k, text in enumerate(each.finds):
            FINDS.mkdir(exist_ok=True)
            (FINDS / f"{each.what}-{k}.txt").write_text(text, encoding="utf-8")
    return int(any(each.finds for each in found))


if __name__ == "__main__":
    sys.exit(main())
