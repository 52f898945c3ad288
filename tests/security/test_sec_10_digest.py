"""SEC-10: a model is served only as the file that its owner pinned."""

from __future__ import annotations

import hashlib
import shutil

import pytest

from bondline.build.under_policy import check_pinned, digest_of_file
from bondline.errors import SecurityError
from bondline.remote.privacy.policy import Policy, Terms


def pinned(path):
    return Policy({"rail": Terms("rail", digest=f"sha256:{digest_of_file(path)}")})


def test_a_file_has_the_digest_that_sha256sum_tells(tmp_path):
    path = tmp_path / "rail.inp"
    path.write_bytes(b"*NODE\n")
    assert digest_of_file(path) == hashlib.sha256(b"*NODE\n").hexdigest()


def test_one_changed_byte_is_refused(tmp_path):
    path = tmp_path / "rail.inp"
    path.write_bytes(b"*NODE\n1, 0, 0, 0\n")
    policy = pinned(path)
    check_pinned("rail", path, policy)
    whole = path.read_bytes()
    for at in range(len(whole)):
        changed = bytearray(whole)
        changed[at] ^= 1
        path.write_bytes(changed)
        with pytest.raises(SecurityError, match="the policy serves rail as"):
            check_pinned("rail", path, policy)


def test_one_changed_file_of_a_model_is_refused(tmp_path, project):
    folder = tmp_path / "pendulum"
    shutil.copytree(project / "examples" / "double_pendulum", folder)
    policy = pinned(folder)
    check_pinned("rail", folder, policy)
    root = next(folder.glob("*.ssd"))
    root.write_text(root.read_text() + "\n")
    with pytest.raises(SecurityError, match="the policy serves rail as"):
        check_pinned("rail", folder, policy)


def test_without_a_pin_any_file_is_served(tmp_path):
    """The positive control."""
    path = tmp_path / "rail.inp"
    path.write_bytes(b"anything")
    check_pinned("rail", path, Policy())


def test_a_model_without_a_file_is_not_what_was_pinned():
    policy = Policy({"rail": Terms("rail", digest=f"sha256:{'a' * 64}")})
    with pytest.raises(SecurityError, match="not made of a file"):
        check_pinned("rail", None, policy)
    check_pinned("other", None, policy)
