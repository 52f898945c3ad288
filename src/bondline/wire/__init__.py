"""Plain data as bytes, to the same bits."""

from bondline.wire.codec import CodecError, pack, unpack

__all__ = ["CodecError", "pack", "unpack"]
