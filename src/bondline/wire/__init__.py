"""Plain data as bytes, to the same bits."""

from bondline.wire.codec import CodecError, arrays, pack, unpack

__all__ = ["CodecError", "arrays", "pack", "unpack"]
