"""A server of gRPC's own that says everything backwards, and who talks to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import grpc

from bondline.remote.client.stream import Stream
from bondline.remote.trust.tls import Credentials

METHOD = "/parrot/Talk"
SILENT = threading.Event()  # a request came that will not be answered


def talk(requests: Iterator[bytes], context: grpc.ServicerContext) -> Iterator[bytes]:
    for raw in requests:
        if raw == b"end":
            return
        if raw == b"abort":
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "who are you")
        if raw.startswith(b"silence"):
            gone = threading.Event()
            context.add_callback(gone.set)
            SILENT.set()
            gone.wait(30.0)
            return
        yield raw[::-1]


@contextmanager
def parrot(
    *options: tuple[str, int],
    secrets: Credentials | None = None,
    method: str = METHOD,
) -> Iterator[str]:
    """Its address."""
    server = grpc.server(ThreadPoolExecutor(4), options=options)
    handler = grpc.stream_stream_rpc_method_handler(talk)
    _, service, name = method.split("/")
    each = grpc.method_handlers_generic_handler(service, {name: handler})
    server.add_generic_rpc_handlers((each,))
    if secrets is None:
        port = server.add_insecure_port("127.0.0.1:0")
    else:
        port = server.add_secure_port("127.0.0.1:0", secrets.for_server())
    server.start()
    yield f"127.0.0.1:{port}"
    server.stop(None).wait()


def exchange(stream: Stream, raw: bytes) -> bytes:
    stream.ask(raw)
    return stream.hear()
