"""What every gRPC server is asked: whether it is well, and what it speaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection
from grpc_reflection.v1alpha import reflection_pb2 as spoken

from bondline.remote.protocol import SERVICE

M = TypeVar("M", bound=Message)
Asked = Callable[[bytes, str, grpc.ServicerContext], bytes]  # by whom


def check(raw: bytes, who: str, context: grpc.ServicerContext) -> bytes:
    """It is well as long as it listens."""
    asked = _parsed(health_pb2.HealthCheckRequest(), raw, context)
    if asked.service not in ("", SERVICE):
        context.abort(grpc.StatusCode.NOT_FOUND, "There is no such service here.")
    well = health_pb2.HealthCheckResponse.SERVING
    told: bytes = health_pb2.HealthCheckResponse(status=well).SerializeToString()
    return told


class Reflection:
    """gRPC's own answers to what a server speaks."""

    def __init__(self) -> None:
        names = (SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)
        self._known: Any = reflection.ReflectionServicer(names)

    def answer(self, raw: bytes, who: str, context: grpc.ServicerContext) -> bytes:
        """To one request."""
        asked = _parsed(spoken.ServerReflectionRequest(), raw, context)
        (told,) = self._known.ServerReflectionInfo(iter([asked]), context)
        answer: bytes = told.SerializeToString()
        return answer


def _parsed(message: M, raw: bytes, context: grpc.ServicerContext) -> M:
    try:
        message.ParseFromString(raw)
    except DecodeError:
        words = "These bytes are no request."
        context.abort(grpc.StatusCode.INVALID_ARGUMENT, words)
    return message
