"""Why a handshake failed: BoringSSL's names in our words."""

from __future__ import annotations

_NO_TLS = "it speaks no TLS"
_OTHER = "its certificate is of another authority"
_WORDS = {
    "PEER_DID_NOT_RETURN_A_CERTIFICATE": "it showed no certificate",
    "WRONG_VERSION_NUMBER": _NO_TLS,
    "HTTP_REQUEST": _NO_TLS,
    "HTTPS_PROXY_REQUEST": _NO_TLS,
    "UNSUPPORTED_PROTOCOL": "it speaks no TLS 1.2 or newer",
    "NO_SHARED_CIPHER": "there is no cipher that both know",
}
_VERIFIED = {
    b"certificate has expired": "its certificate has expired",
    b"certificate is not yet valid": "its certificate is not valid yet",
    b"certificate signature failure": _OTHER,
    b"unable to get local issuer certificate": _OTHER,
    b"unable to get issuer certificate": _OTHER,
    b"unable to verify the first certificate": _OTHER,
    b"self signed certificate": _OTHER,
    b"self signed certificate in certificate chain": _OTHER,
}


def reason(name: str, words: bytes) -> str:
    """What BoringSSL calls a failure, in our words."""
    if name in ("CERTIFICATE_VERIFY_FAILED", "BAD_SIGNATURE"):
        return _VERIFIED.get(words.strip(), "its certificate does not hold")
    if "_ALERT_" in name:
        alert = name.partition("_ALERT_")[2].lower().replace("_", " ")
        return f"it broke off ({alert[:60]})"
    return _WORDS.get(name, f"the handshake failed ({name[:60]})")
