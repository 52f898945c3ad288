"""Programs for one mechanism are built once, in a folder of the user alone."""

import pytest

from bondline.errors import KernelError
from bondline.leaves.mbd.pack import pack
from bondline.leaves.mbd.special import special
from tests.mbd.special_models import pendulum


def test_without_a_compiler_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(KernelError) as raised:
        special("arm", pack(pendulum(gravity=(0.0, 0.0, -3.71))))
    assert raised.value.place == "specialised kernel of arm"
    assert "there is no C compiler" in raised.value.finding
    assert "kernel=general" in raised.value.remedy
    assert not list(tmp_path.rglob("*.c"))


def test_a_folder_that_others_may_write_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "bondline" / "special"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    with pytest.raises(KernelError, match="others may write") as raised:
        special("arm", pack(pendulum(gravity=(0.0, 0.0, -1.62))))
    assert "chmod 700" in raised.value.remedy


def test_a_program_that_a_compiler_refuses_is_our_fault(tmp_path, monkeypatch):
    """Nobody needs another compiler then."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    refuses = tmp_path / "cc"
    refuses.write_text("#!/bin/sh\necho 'program.c:3: error: too few' >&2\nexit 1\n")
    refuses.chmod(0o700)
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(KernelError) as raised:
        special("arm", pack(pendulum(gravity=(0.0, 0.0, -8.87))))
    assert raised.value.place == "specialised kernel of arm"
    assert "cc: program.c:3: error: too few" in raised.value.finding
    assert "the fault is ours: report it" in raised.value.remedy
    assert "kernel=general" in raised.value.remedy
    assert "Install" not in raised.value.remedy
