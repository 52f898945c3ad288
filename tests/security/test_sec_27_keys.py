"""SEC-27: keys that others can read are refused; nothing has a default secret."""

from __future__ import annotations

import stat

import pytest

from bondline.cli import main
from bondline.errors import SecurityError
from bondline.remote.trust.authority import Wanted, issue, make_ca
from bondline.remote.trust.certificates import load_key, why_refused


@pytest.fixture
def rail(tmp_path):
    make_ca(tmp_path, "truck")
    return issue(tmp_path, Wanted("rail"))


def test_new_keys_are_private(rail):
    keys = list(rail.key.parent.glob("*.key"))
    assert rail.key in keys
    assert {stat.S_IMODE(key.stat().st_mode) for key in keys} == {0o600}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o601])
def test_a_key_that_others_can_read_is_refused(rail, mode):
    rail.key.chmod(mode)
    with pytest.raises(SecurityError, match=f"{mode:04o}") as refused:
        load_key(rail.key)
    assert refused.value.exit_code == 3
    assert "chmod 600" in refused.value.remedy


def test_a_private_key_is_taken(rail):
    """The positive control: the same file is fine once nobody else can read it."""
    rail.key.chmod(0o644)
    assert "others can read" in (why_refused(rail.certificate, rail.key, None) or "")
    rail.key.chmod(0o600)
    assert why_refused(rail.certificate, rail.key, None) is None


def test_the_command_says_so_and_exits_with_3(rail, capsys):
    rail.key.chmod(0o644)
    assert main(["cert", "show", str(rail.certificate)]) == 3
    assert "others can read this key" in capsys.readouterr().err


def test_an_authority_with_an_exposed_key_gives_no_certificate(tmp_path):
    made = make_ca(tmp_path, "truck")
    made.key.chmod(0o644)
    with pytest.raises(SecurityError, match="others can read"):
        issue(tmp_path, Wanted("rail"))
    assert not (tmp_path / "rail.pem").exists()
