"""SEC-11: nothing that is read can bring code along."""

from __future__ import annotations

import ast
import io
import pickle
from pathlib import Path

import numpy as np
import pytest

from bondline.cli import main
from bondline.errors import BondlineError
from bondline.remote import bondline_pb2 as pb
from bondline.remote.privacy.policy_file import read_policy
from bondline.run.skins import load as load_skin
from bondline.wire import CodecError, unpack

MODULES = {"pickle", "cPickle", "marshal", "shelve", "dill", "joblib", "torch", "yaml"}
CALLS = {"eval", "exec", "__import__", "compile"}
ARRAYS = {"load", "loadtxt", "genfromtxt", "fromfile"}  # of numpy


# runs Python files of a model, and only after `bondline --allow-code`
ASKED_FOR = {"build/solvers/code.py"}


class Bomb:
    """Writes a file when it is unpickled."""

    def __init__(self, canary: Path) -> None:
        self.canary = canary

    def __reduce__(self):
        return (Path.touch, (self.canary,))


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    return tmp_path / "canary"


@pytest.fixture(params=["pickle", "npy"])
def evil(request: pytest.FixtureRequest, canary: Path) -> bytes:
    if request.param == "pickle":
        return pickle.dumps(Bomb(canary))
    file = io.BytesIO()
    np.save(file, np.array([Bomb(canary)], dtype=object), allow_pickle=True)
    return file.getvalue()


def test_the_bomb_goes_off_where_it_is_unpickled(canary: Path):
    """The positive control."""
    pickle.loads(pickle.dumps(Bomb(canary)))  # noqa: S301 - our own
    assert canary.exists()


def test_no_loader_runs_what_it_reads(evil: bytes, canary: Path, tmp_path: Path):
    with pytest.raises(CodecError):
        unpack(evil)
    with pytest.raises(ValueError, match="pickle"):
        load_skin(evil)
    with pytest.raises((BondlineError, UnicodeDecodeError)):
        read_policy(evil.decode("latin-1"))
    for kind in (pb.Request, pb.Reply, pb.DescribeReply):
        with pytest.raises(Exception, match=r"pars|wire|deserial"):
            kind.FromString(evil)
    for name in ("a.ssd", "a.ssp", "a.leaf.xml", "a.inp", "a.urdf"):
        file = tmp_path / name
        file.write_bytes(evil)
        assert main(["check", str(file)]) != 0, name
    assert not canary.exists()


def called(tree: ast.AST) -> set[str]:
    """Builtins that are called, arrays that are read, and modules that are imported."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found.add(_name(node))
        elif isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def _name(call: ast.Call) -> str:
    """numpy.load is told apart where it is told to leave pickles alone."""
    words = {k.arg: ast.unparse(k.value) for k in call.keywords}
    name = ast.unparse(call.func).replace("np.", "numpy.", 1)
    return f"{name} safely" if words.get("allow_pickle") == "False" else name


def test_nothing_of_ours_unpickles_or_evaluates(project: Path):
    for file in sorted((project / "src").rglob("*.py")):
        names = called(ast.parse(file.read_text(encoding="utf-8")))
        wrong = names & (MODULES | CALLS | {f"numpy.{a}" for a in ARRAYS})
        if file.relative_to(project / "src/bondline").as_posix() in ASKED_FOR:
            assert wrong == {"compile", "exec"}
            continue
        assert not wrong, f"{file.relative_to(project)}: {sorted(wrong)}"
