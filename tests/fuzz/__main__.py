"""`./run fuzz [SHARE] [SEED]`: 100,000 messages and XML files, 10,000 archives.

SHARE is a part of that, 0.01 for a look. What was found is in fuzz-finds/.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.conversations import ToTalk
from tests.fuzz.files import Archive, Xml
from tests.fuzz.hunt import Hunt, hunt
from tests.fuzz.messages import ToClient, ToHost

FINDS = Path("fuzz-finds")
MESSAGES, FILES, ARCHIVES = 100_000, 100_000, 10_000


def hunts(share: float, seed: int, home: Path) -> Iterator[Hunt]:
    """All of them, a share of each, one after the other."""
    folders = [home / name for name in ("shelf", "xml", "ssp")]
    for folder in folders:
        folder.mkdir()
    kinds = (
        ("requests", ToHost(folders[0]), MESSAGES // 2),
        ("replies", ToClient(), MESSAGES // 2),
        ("conversations", ToTalk(), MESSAGES),
        ("xml", Xml(folders[1]), FILES),
        ("archives", Archive(folders[2]), ARCHIVES),
    )
    for name, how, n in kinds:
        yield hunt(name, how, max(1, int(n * share)), seed)


def main() -> int:
    words = argparse.ArgumentParser(prog="./run fuzz", description=__doc__)
    words.add_argument("share", nargs="?", type=float, default=1.0)
    words.add_argument("seed", nargs="?", type=int, default=0)
    wanted = words.parse_args()
    wrong = False
    with tempfile.TemporaryDirectory() as home:
        for each in hunts(wanted.share, wanted.seed, Path(home)):
            print(each, flush=True)  # an hour before the last one
            wrong |= bool(each.finds)
            for k, text in enumerate(each.finds):
                FINDS.mkdir(exist_ok=True)
                (FINDS / f"{each.what}-{k}.txt").write_text(text, encoding="utf-8")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
