"""What does it cost that a model is elsewhere?

Three questions, each answered with ratios within one run: how long is a round trip of
ours against a bare gRPC stream that carries as many bytes, how long is the truck frame
with six remote leaves against in process, and how many round trips is a window.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FRAME = ROOT / "examples" / "truck_frame" / "Flat.ssd"
SHORT = "--short" in sys.argv
