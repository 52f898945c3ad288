"""Makes resources/wheel.fmu (FMI 2) and resources/body.fmu (FMI 3) from our leaves.

Any FMUs with the same ports would do; these are ours so that the example needs nobody.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FMUS = {"wheel": "2", "body": "3"}


def make(name: str, version: str) -> None:
    """One mass on a spring and a damper as an FMU."""
    path = HERE / "resources" / f"{name}.fmu"
    told = ["export", "oscillator", "--to", "fmu", "--fmi", version, "-o", str(path)]
    subprocess.run([sys.executable, "-m", "bondline", *told], check=True)


if __name__ == "__main__":
    for each in FMUS.items():
        make(*each)
