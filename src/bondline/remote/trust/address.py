"""Addresses: host:port, checked before gRPC, which takes port 99999 for 34463."""

from __future__ import annotations

import re

_SHAPE = re.compile(r"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):([0-9]{1,5})")
_MOST = 65535


def misaddressed(address: str, least: int = 1) -> str:
    """What is wrong with `host:port`; "" if nothing is. A listener may have port 0."""
    found = _SHAPE.fullmatch(address)
    if found is None:
        return f"{address!r} is no address with a port."
    if not least <= int(found[1]) <= _MOST:
        return f"{found[1]} is no port: they go from {least} to {_MOST}."
    return ""


def there(address: str) -> tuple[str, int]:
    """Host and port; an IPv6 address without its brackets."""
    host, _, port = address.rpartition(":")
    return host.strip("[]"), int(port)
