"""Programs for one mechanism are built once, in a folder of the user alone."""

import os
import shutil

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


def test_a_folder_that_others_may_write_is_to_be_removed(tmp_path, monkeypatch):
    """Not blessed: what somebody has put there would be run."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "bondline" / "special"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    with pytest.raises(KernelError, match="others may write") as raised:
        special("arm", pack(pendulum(gravity=(0.0, 0.0, -1.62))))
    assert raised.value.place == "specialised kernel of arm"
    assert f"rm -r {folder}" in raised.value.remedy
    assert "chmod" not in raised.value.remedy


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="folders have no owners")
def test_a_folder_of_another_user_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "bondline" / "special").mkdir(parents=True, mode=0o700)
    somebody = os.getuid() + 1
    monkeypatch.setattr("os.getuid", lambda: somebody)
    with pytest.raises(KernelError, match="belongs to another user") as raised:
        special("arm", pack(pendulum(gravity=(0.0, 0.0, -1.62))))
    assert "XDG_CACHE_HOME" in raised.value.remedy
    assert "rm" not in raised.value.remedy.split()


def test_a_cache_that_cannot_be_made_is_an_error_with_a_remedy(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with pytest.raises(KernelError, match="cannot be written") as raised:
        special("arm", pack(pendulum(gravity=(0.0, 0.0, -1.62))))
    assert raised.value.place == "specialised kernel of arm"
    assert "XDG_CACHE_HOME" in raised.value.remedy
    assert "kernel=general" in raised.value.remedy


def test_a_library_that_cannot_be_put_there_is_one_too(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    packed = pack(pendulum(gravity=(0.0, 0.0, -1.62)))
    special("arm", packed)
    (built,) = tmp_path.rglob("*.so")
    built.unlink()
    built.mkdir()
    with pytest.raises(KernelError, match="cannot be written"):
        special("arm", packed)


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


def built(folder):
    (path,) = (folder / "bondline" / "special").glob("*.so")
    return path


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_half_a_library_is_built_again(tmp_path, monkeypatch, share):
    """To load it would end the process without a word."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    packed = pack(pendulum(gravity=(0.0, 0.0, -0.1 - share)))
    special("arm", packed)
    whole = built(tmp_path).read_bytes()
    other = tmp_path / "other"
    monkeypatch.setenv("XDG_CACHE_HOME", str(other))
    shutil.copytree(tmp_path / "bondline", other / "bondline")
    built(other).write_bytes(whole[: int(share * len(whole))])
    special("arm", packed)
    assert len(built(other).read_bytes()) == len(whole)


@pytest.mark.parametrize("asked", ["true", 'gcc "'])
def test_a_compiler_that_makes_nothing_is_followed_by_the_next(
    tmp_path, monkeypatch, asked
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CC", asked)
    special("arm", pack(pendulum(gravity=(0.0, 0.0, -0.01 * len(asked)))))
    assert built(tmp_path).stat().st_size
