"""A line over gRPC without TLS, on this machine."""

from __future__ import annotations

from bondline.remote.client.dial import Dial


class Plain(Dial):
    """A `Dial` without certificates that knows a server which wants them."""

    def __init__(self, address: str) -> None:
        super().__init__(address, None)

    def explain(self) -> tuple[str, str] | None:
        """Whether the server speaks TLS."""
        from bondline.remote.trust.diagnose import unsafe

        found = unsafe(self.place)
        return None if found is None else (found.finding, found.remedy)
