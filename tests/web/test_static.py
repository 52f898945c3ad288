"""The page that is shipped was built from the sources that are shipped."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from bondline.web.app import STATIC


def test_the_build_belongs_to_the_sources(project: Path) -> None:
    """`npm ci && npm run build` in web/ mends it."""
    web = project / "web"
    files = [p for p in (web / "src").rglob("*") if p.is_file()]
    files = sorted(files, key=lambda p: p.relative_to(web).as_posix())
    names = ("index.html", "package.json", "vite.config.ts")
    digest = hashlib.sha256()
    for path in [*files, *(web / name for name in names)]:
        digest.update(f"{path.relative_to(web).as_posix()}\0".encode())
        digest.update(path.read_bytes() + b"\0")
    assert (STATIC / "sources.sha256").read_text().strip() == digest.hexdigest()


def test_the_page_needs_nobody_else() -> None:
    page = (STATIC / "index.html").read_text()
    assert not re.search(r"https?://", page)
    assert not re.search(r"<script(?![^>]*src=)", page), "the policy forbids it"
    for asset in re.findall(r'(?:src|href)="/([^"]+)"', page):
        assert (STATIC / asset).is_file()
