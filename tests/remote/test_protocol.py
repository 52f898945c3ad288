"""The protocol file: complete, documented, and unable to carry a state away."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from bondline.core import Capabilities
from bondline.remote import bondline_pb2 as pb
from bondline.remote.client.abilities import BY_WIRE
from bondline.remote.owner.served import ABILITIES

PROTO = Path(pb.__file__).with_name("bondline.proto")
REMAKE = (
    "python -m grpc_tools.protoc -Isrc --python_out=src --pyi_out=src "
    "src/bondline/remote/bondline.proto"
)
ANSWERS = (pb.Reply, pb.DescribeReply, pb.PulseReply)


def inside(message: Descriptor, seen: set[str] | None = None) -> Iterator[Descriptor]:
    """A message and all that it may contain."""
    seen = set() if seen is None else seen
    if message.full_name in seen:
        return
    seen.add(message.full_name)
    yield message
    for field in message.fields:
        if field.message_type is not None:
            yield from inside(field.message_type, seen)


def every() -> list[FieldDescriptor]:
    messages = pb.DESCRIPTOR.message_types_by_name.values()
    return [field for message in messages for field in message.fields]


@pytest.mark.parametrize("reply", ANSWERS)
def test_no_reply_has_bytes(reply):
    for message in inside(reply.DESCRIPTOR):
        for field in message.fields:
            assert field.type != FieldDescriptor.TYPE_BYTES, field.full_name


def test_nothing_is_of_any_type_and_nothing_is_a_map():
    for field in every():
        kind = field.message_type
        if kind is not None:
            assert kind.file is pb.DESCRIPTOR, field.full_name
            assert not kind.GetOptions().map_entry, field.full_name


def test_messages_cannot_nest_without_end():
    """A message that may contain itself lets a partner choose the depth."""
    for message in pb.DESCRIPTOR.message_types_by_name.values():
        for field in message.fields:
            if field.message_type is not None:
                below = [m.full_name for m in inside(field.message_type)]
                assert message.full_name not in below


def test_numbers_are_packed_doubles():
    for field in every():
        assert field.type != FieldDescriptor.TYPE_FLOAT, field.full_name
        if field.type == FieldDescriptor.TYPE_DOUBLE:
            assert not field.is_repeated or field.is_packed, field.full_name


def test_every_message_field_and_value_is_explained():
    lines = PROTO.read_text(encoding="utf-8").splitlines()
    for above, line in zip(["", *lines], lines, strict=False):
        if re.match(r"\s*(message|enum|service|rpc) ", line):
            assert above.strip().startswith("//") or "//" in line, line
        elif re.search(r" = \d+;", line):
            assert "//" in line, line


def test_both_sides_know_every_ability():
    values = {v.number for v in pb.DESCRIPTOR.enum_types_by_name["Ability"].values}
    assert values - {0} == set(ABILITIES) == set(BY_WIRE)


def test_capabilities_are_spelled_alike():
    assert {f.name for f in pb.Capabilities.DESCRIPTOR.fields} == set(
        Capabilities.__slots__
    )


@pytest.mark.skipif(
    importlib.util.find_spec("grpc_tools") is None, reason="grpcio-tools is missing"
)
def test_the_generated_module_is_that_of_the_file(tmp_path: Path):
    source = PROTO.parents[2]
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{source}"]
    out = [f"--python_out={tmp_path}", f"--pyi_out={tmp_path}", str(PROTO)]
    subprocess.run([*command, *out], check=True, timeout=60)
    for name in ("bondline_pb2.py", "bondline_pb2.pyi"):
        made = (tmp_path / "bondline" / "remote" / name).read_text()
        assert made == PROTO.with_name(name).read_text(), REMAKE
