"""Ed25519: who made a version, if they said so with their key."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from bondline.errors import SecurityError
from bondline.remote.trust.files import PRIVATE, read_private, write_new

_CONTEXT = b"bondline passport 1\n"  # a signature of ours is good for nothing else


@dataclass(frozen=True, slots=True)
class Signature:
    """A public key and what it signed, as hexadecimal digits."""

    signer: str
    text: str

    def holds(self, passport: str) -> bool:
        """Whether it is the signature of that passport."""
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.signer))
            key.verify(bytes.fromhex(self.text), _CONTEXT + passport.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


def sign(key: Ed25519PrivateKey, passport: str) -> Signature:
    """The signature of a passport."""
    signed = key.sign(_CONTEXT + passport.encode())
    return Signature(public_hex(key.public_key()), signed.hex())


def public_hex(key: Ed25519PublicKey) -> str:
    """A public key as it is compared and shown."""
    return key.public_bytes_raw().hex()


def make_key(path: Path) -> tuple[Path, Path]:
    """A new pair: the key, mode 600, and beside it what others know it by."""
    key, public = Ed25519PrivateKey.generate(), Path(f"{path}.pub")
    secret = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    known = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    write_new(path, secret, PRIVATE)
    write_new(public, known)
    return path, public


def read_key(path: Path) -> Ed25519PrivateKey:
    """The key in a file that nobody else can read."""
    data = read_private(path)
    try:
        key = serialization.load_pem_private_key(data, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _not_a_key(path) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _not_a_key(path)
    return key


def read_signer(path: Path) -> str:
    """The public key in a file."""
    try:
        key = serialization.load_pem_public_key(path.read_bytes())
    except (OSError, ValueError, UnsupportedAlgorithm) as error:
        raise _not_a_key(path) from error
    if not isinstance(key, Ed25519PublicKey):
        raise _not_a_key(path)
    return public_hex(key)


def read_signers(paths: Iterable[Path]) -> tuple[str, ...]:
    """Those in files, and in folders of *.pub."""
    files: list[Path] = []
    for path in paths:
        files += sorted(path.glob("*.pub")) if path.is_dir() else [path]
    return tuple(read_signer(path) for path in files)


def default_signers() -> tuple[str, ...] | None:
    """The keys in BONDLINE_SIGNERS; None: everybody's models will do."""
    given = os.environ.get("BONDLINE_SIGNERS")
    return read_signers([Path(p) for p in given.split(os.pathsep)]) if given else None


def _not_a_key(path: Path) -> SecurityError:
    return SecurityError(
        str(path),
        "this is no Ed25519 key in PEM.",
        "Make a pair: bondline db key FILE; FILE signs, FILE.pub is for the others.",
    )
