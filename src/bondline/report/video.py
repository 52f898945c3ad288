"""Films: the pictures of a GIF as an MP4, by ffmpeg."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from bondline.errors import UsageError


def as_mp4(moving: bytes, path: Path) -> Path:
    """Write an animated GIF as a film that every player shows."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "moving.gif"
        source.write_bytes(moving)
        # even sizes and this colour format are what browsers and slides can show
        even = "scale=trunc(iw/2)*2:trunc(ih/2)*2"
        words = ["-y", "-loglevel", "error", "-i", str(source), "-vf", even]
        words += ["-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path)]
        done = subprocess.run([_ffmpeg(), *words], capture_output=True, check=False)
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(
            str(path), f"ffmpeg says: {said[-1] if said else 'nothing'}.", "Try .gif."
        )
    return path


def _ffmpeg() -> str:
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        own: str = importlib.import_module("imageio_ffmpeg").get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        raise UsageError(
            "animate",
            "there is no ffmpeg to make an .mp4 with.",
            "Install ffmpeg, or `pip install bondline[video]`; .gif needs neither.",
        ) from None
    return own
