"""Which protocol this is."""

from __future__ import annotations

from bondline.remote import bondline_pb2 as pb

VERSION = (1, 2)  # majors must agree; a higher minor only adds
SERVICE = pb.DESCRIPTOR.services_by_name["Leaf"].full_name
CONVERSE, DESCRIBE, PULSE = range(3)  # kinds of frames in a pipe


def spoken() -> pb.Version:
    """The version, as a message."""
    return pb.Version(major=VERSION[0], minor=VERSION[1])
