"""Requests about partners: what the files of the project say about them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fastapi import APIRouter

from bondline.errors import BondlineError
from bondline.remote.client.placement import read_placement
from bondline.remote.log.audit_read import read_log
from bondline.remote.privacy.policy_file import load_policy
from bondline.remote.trust.certificates import facts
from bondline.web.desk import ANSWERS, AtDesk
from bondline.web.processes import typed
from bondline.web.project import Project

api = APIRouter(prefix="/api", responses=ANSWERS, tags=["partners"])
_DEEP, _MOST = 4, 200


@api.get("/partners")
def partners(desk: AtDesk) -> dict[str, Any]:
    """Placements, certificates, policies and audit logs; no key is ever opened."""
    project = desk.project
    tables = [p for p in _found(project, "*.toml") if _parsed(p)]
    return {
        "placements": [row for p in tables for row in _placed(project, p)],
        "policies": [row for p in tables for row in _policy(project, p)],
        "certificates": [c for p in _found(project, "*.pem") for c in _one(project, p)]
        + [c for p in _found(project, "*.crt") for c in _one(project, p)],
        "audits": [a for p in _found(project, "*.jsonl") for a in _log(project, p)],
        "command": typed(["audit", "show", "FILE"]),
    }


def _found(project: Project, pattern: str) -> list[Path]:
    paths = (p for p in project.folder.rglob(pattern) if p.is_file())
    near = (p for p in paths if len(p.relative_to(project.folder).parts) <= _DEEP)
    return sorted(near)[:_MOST]


def _name(project: Project, path: Path) -> str:
    return path.relative_to(project.folder).as_posix()


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def _placed(project: Project, path: Path) -> Iterator[dict[str, Any]]:
    if "parts" not in _parsed(path):
        return
    try:
        places = read_placement(path)
    except BondlineError as error:
        yield {"part": "?", "address": str(error), "file": _name(project, path)}
        return
    for part, place in places.items():
        yield {
            "part": part,
            "address": place.address,
            "server": place.server_name or None,
            "certificate": "mTLS" if place.secrets is not None else None,
            "file": _name(project, path),
        }


def _policy(project: Project, path: Path) -> Iterator[dict[str, Any]]:
    tree = _parsed(path)
    if "parts" in tree or not {"models", "grants", "grant"} & tree.keys():
        return
    told: dict[str, Any] = {"file": _name(project, path), "grants": [], "trouble": ""}
    try:
        policy = load_policy(path)
    except BondlineError as error:
        yield {**told, "trouble": str(error)}
        return
    grants = [
        {"who": g.who, "model": g.model, "methods": sorted(g.methods)}
        for g in policy.grants
    ]
    yield {**told, "grants": grants}


def _one(project: Project, path: Path) -> Iterator[dict[str, Any]]:
    try:
        if b"BEGIN CERTIFICATE-----" not in path.read_bytes()[:100_000]:
            return
        told = facts(path)
    except (OSError, BondlineError):
        return
    yield {
        "file": _name(project, path),
        "name": told.identity or told.subject,
        "issuer": told.issuer,
        "until": told.end.isoformat(),
        "days": told.days_left(datetime.now(UTC)),
    }


def _log(project: Project, path: Path) -> Iterator[dict[str, Any]]:
    try:
        log = read_log(path)
    except (OSError, BondlineError) as error:
        yield {"file": _name(project, path), "records": 0, "last": [str(error)]}
        return
    last = [json.dumps(r, default=str)[:300] for r in list(log.records)[-8:]]
    yield {"file": _name(project, path), "records": len(log.records), "last": last}
