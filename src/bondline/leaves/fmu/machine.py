"""One FMU that runs: its process, asked frame by frame."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakSet

import numpy as np

from bondline.core import Matrix, Tree, Vector
from bondline.errors import LeafFailed, LeafHung, LeafLost, SettingError
from bondline.leaves.fmu import child as asks
from bondline.leaves.fmu.sandbox import command, missing
from bondline.leaves.fmu.unit import Unit, Wire
from bondline.wire import CodecError, pack, unpack
from bondline.wire.pipes import Child, ChildDied, ChildSilent

_START = 120.0  # seconds that a process may take to start on a busy machine


class Refused(Exception):
    """The FMU says that it cannot do what it was asked for."""


@dataclass(frozen=True, eq=False)
class Instance:
    """One life of an FMU in one of its processes."""

    number: int
    process: int


@dataclass(frozen=True, eq=False)
class Held:
    """A state of an FMU: where its process keeps it, and what the outputs were."""

    life: Instance
    number: int  # 0 where states cannot be saved
    y: Vector


class Machine:
    """The process of an FMU, started when it is first asked for something."""

    def __init__(self, name: str, unit: Unit, wires: tuple[list[Wire], list[Wire]]):
        self.name, self.unit = name, unit
        self.inputs, self.outputs = wires
        self.layers: tuple[str, ...] = ()
        self._child: Child | None = None
        self._drop: list[tuple[int, int]] = []  # of which process, and its number
        self._close: list[tuple[int, int]] = []
        self._processes = 0
        self._lives = WeakSet[Instance]()

    def start(self, t0: float) -> Held:
        """A new instance at its start."""
        answer = self._ask(asks.START, {"t0": t0})
        life = Instance(answer["instance"], self._processes)
        self._lives.add(life)
        weakref.finalize(life, self._close.append, (life.process, life.number))
        return self._held(life, answer)

    def advance(self, state: Held, span: tuple[float, float], told: Tree) -> Held:
        """The state at the end of a window; `Refused` if the FMU cannot go there."""
        frame = self._of(state) | {"span": [*map(float, span)], "told": told}
        return self._held(state.life, self._ask(asks.ADVANCE, frame))

    def press(self, state: Held, wires: Sequence[Wire], values: Vector) -> Held:
        """The same instant under other inputs."""
        frame = self._of(state) | {"wires": [w.plain() for w in wires]}
        answer = self._ask(asks.PRESS, frame | {"values": values})
        return self._held(state.life, answer)

    def derive(self, state: Held, of: Sequence[int], by: Sequence[int]) -> Matrix:
        """∂ outputs / ∂ inputs at an instant, by their references."""
        frame = self._of(state) | {"of": [*of], "by": [*by]}
        return np.asarray(self._ask(asks.DERIVE, frame), dtype=np.float64)

    def dump(self, state: Held) -> bytes:
        """A state as bytes."""
        return bytes(self._ask(asks.DUMP, self._of(state)))

    def load(self, life: Instance, data: bytes) -> Held:
        """A state from bytes."""
        frame: dict[str, Tree] = {"instance": life.number, "data": data}
        return self._held(life, self._ask(asks.LOAD, frame))

    def lives(self, life: Instance) -> bool:
        """Whether the process of an instance is still there."""
        return self._child is not None and life.process == self._processes

    @property
    def taken(self) -> bool:
        """Whether somebody has an instance that lives here."""
        return any(self.lives(life) for life in self._lives)

    def end(self) -> None:
        """End the process; the next question starts another."""
        if self._child is not None:
            self._child.close(0.2)
            self._child = None

    @property
    def pid(self) -> int | None:
        """Of the process, if there is one."""
        return None if self._child is None else self._child.pid

    def _of(self, state: Held) -> dict[str, Tree]:
        if not self.lives(state.life):
            raise self._lost("the one that had this state has ended")
        return {"instance": state.life.number, "state": state.number}

    def _held(self, life: Instance, answer: dict[str, Any]) -> Held:
        state = Held(life, answer["state"], answer["y"])
        if state.number:
            weakref.finalize(state, self._drop.append, (life.process, state.number))
        return state

    def _ask(self, kind: int, frame: dict[str, Tree]) -> Any:
        if self._child is None:
            self._open()
        for key, gone in (("drop", self._drop), ("close", self._close)):
            frame[key] = self._emptied(gone)
        return self._call(kind, frame, self.unit.patience)

    def _emptied(self, gone: list[tuple[int, int]]) -> list[Tree]:
        """Numbers of this process, one by one: finalizers append at any time."""
        numbers: list[Tree] = []
        while gone:
            process, number = gone.pop()
            if process == self._processes:
                numbers.append(number)
        return numbers

    def _open(self) -> None:
        told, folder = command(self.name, self.unit.folder)
        self._child = Child(told)
        self._processes += 1
        try:
            opened = self._call(asks.OPEN, self._about(folder), _START)
        except (LeafLost, Refused) as error:
            self.end()
            why = error.finding if isinstance(error, LeafLost) else f"{error}."
            raise SettingError(
                f"FMU {self.name}",
                f"its process does not start: {why}",
                "Look whether fmpy can be imported: pip install bondline[fmi].",
            ) from error
        walls = () if missing() else ("bubblewrap",)
        self.layers = (*walls, *opened["layers"])
        weakref.finalize(self, self._child.close, 0.2)

    def _about(self, folder: str) -> dict[str, Tree]:
        unit = self.unit
        return {
            "name": self.name,
            "version": unit.version,
            "identifier": unit.identifier,
            "token": unit.token,
            "folder": folder,
            "library": unit.library,
            "settings": [wire.plain() for wire, _ in unit.settings],
            "values": [value for _, value in unit.settings],
            "inputs": [wire.plain() for wire in self.inputs],
            "outputs": [wire.plain() for wire in self.outputs],
            "saves": unit.saves,
            "jailed": True,
        }

    def _call(self, kind: int, frame: dict[str, Tree], patience: float) -> Any:
        assert self._child is not None, "it was opened"
        try:
            answer: Any = unpack(self._child.call(kind, pack(frame), patience))
        except ChildSilent:
            self.end()
            raise self._hung(patience) from None
        except (ChildDied, CodecError) as error:
            self.end()
            raise self._lost(str(error)) from None
        if "ok" in answer:
            return answer["ok"]
        raise Refused("; ".join([answer["no"], *answer["log"]]))

    def _hung(self, patience: float) -> LeafHung:
        return LeafHung(
            f"FMU {self.name}",
            f"it did not answer within {patience:g} s, and was ended.",
            'Give it longer, <g:fmu patience="600">, or look into it.',
        )

    def _lost(self, how: str) -> LeafLost:
        return LeafLost(
            f"FMU {self.name}",
            f"its process is gone: {how}.",
            "Everything before this window is kept; resume the run, or look into the "
            "FMU.",
        )


def failed(name: str, error: Refused) -> LeafFailed:
    """What to raise where an FMU refuses what it must be able to do."""
    return LeafFailed(f"FMU {name}", f"it gives up: {error}", "Look into the FMU.")
