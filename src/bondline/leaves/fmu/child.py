"""The process of one FMU: `python -m bondline.leaves.fmu.child`.

It answers frames of plain data until its input is closed, and knows nothing of gluing.
The library of the FMU is loaded after the process has locked itself in.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from bondline.leaves.fmu import jail
from bondline.leaves.fmu.calls import Call, calls
from bondline.wire import pack, unpack
from bondline.wire.pipes import Frames

OPEN, START, ADVANCE, PRESS, DUMP, LOAD, DERIVE = range(1, 8)
_FATAL = 4
_LOG = 20  # messages that are kept


class Failed(Exception):
    """A call of the FMU failed; `status` as FMI numbers it."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


class Server:
    """One library, its instances and the states that were saved."""

    def __init__(self) -> None:
        self.about: dict[str, Any] = {}
        self.instances: dict[int, Any] = {}
        self.states: dict[int, tuple[int, Any]] = {}  # by number: instance, state
        self.at: dict[int, int] = {}  # the state in which an instance is, if saved
        self.count = 0
        self.log: list[str] = []

    def answer(self, kind: int, payload: bytes) -> bytes:
        """One frame: what was asked for, or why not."""
        told: Any = unpack(payload)
        tasks: dict[int, Callable[..., Any]] = {
            OPEN: self.open,
            START: self.start,
            ADVANCE: self.advance,
            PRESS: self.press,
            DUMP: self.dump,
            LOAD: self.load,
            DERIVE: self.derive,
        }
        self.log.clear()
        try:
            self.forget(told.pop("drop", ()), told.pop("close", ()))
            return pack({"ok": tasks[kind](**told)})
        except Exception as error:  # foreign code: anything may come
            status = getattr(error, "status", 3)
            if status == _FATAL:
                os._exit(70)  # FMI: nothing may be called any more
            return pack({"no": str(error), "status": status, "log": [*self.log]})

    def forget(self, states: Sequence[int], instances: Sequence[int]) -> None:
        """What nobody needs; only a fatal error of it is anybody's business."""
        each = [
            *((self.drop, n) for n in states),
            *((self.close, n) for n in instances),
        ]
        for let_go, number in each:
            try:
                let_go(number)
            except Exception as error:  # foreign code: anything may come
                if getattr(error, "status", 3) == _FATAL:
                    raise

    def open(self, **about: Any) -> Any:
        """Lock the process in, then load the library."""
        import fmpy.fmi2
        import fmpy.fmi3  # noqa: F401 - what it looks up is out of reach later

        self.about = about
        layers = jail.lock_in() if about["jailed"] else []
        return {"layers": layers}

    @cached_property
    def taken(self) -> list[Call]:
        """How inputs are set."""
        return calls(self.about["inputs"])

    @cached_property
    def given(self) -> list[Call]:
        """How outputs are got."""
        return calls(self.about["outputs"])

    def number(self) -> int:
        """One that was never used."""
        self.count += 1
        return self.count

    def start(self, t0: float) -> Any:
        """A new instance at its start."""
        fmu = self.instantiate()
        self.set(fmu, calls(self.about["settings"]), self.about["values"])
        if self.about["version"] == 2:
            fmu.setupExperiment(startTime=t0)
            fmu.enterInitializationMode()
        else:
            fmu.enterInitializationMode(startTime=t0)
        fmu.exitInitializationMode()
        mine = self.number()
        self.instances[mine] = fmu
        return {"instance": mine, **self.shown(mine)}

    def instantiate(self) -> Any:
        """An instance of the library."""
        about = self.about
        how = {
            "guid": about["token"],
            "modelIdentifier": about["identifier"],
            "unzipDirectory": about["folder"],
            "instanceName": about["name"],
            "libraryPath": os.path.join(about["folder"], *about["library"].split("/")),
        }
        if about["version"] == 2:
            return self._second(how)
        from fmpy.fmi3 import FMU3Slave

        fmu = FMU3Slave(**how)
        fmu.instantiate(logMessage=self._heard_3)
        return fmu

    def _second(self, how: dict[str, Any]) -> Any:
        from fmpy import calloc, free
        from fmpy.fmi2 import (
            FMU2Slave,
            fmi2CallbackAllocateMemoryTYPE,
            fmi2CallbackFreeMemoryTYPE,
            fmi2CallbackFunctions,
            fmi2CallbackLoggerTYPE,
        )

        calls = fmi2CallbackFunctions()
        calls.logger = fmi2CallbackLoggerTYPE(self._heard_2)
        calls.allocateMemory = fmi2CallbackAllocateMemoryTYPE(calloc)
        calls.freeMemory = fmi2CallbackFreeMemoryTYPE(free)
        fmu = FMU2Slave(**how)
        fmu.instantiate(callbacks=calls)
        return fmu

    def _heard_2(
        self, _: Any, name: bytes, status: int, kind: bytes, text: bytes
    ) -> None:
        self.heard(text)

    def _heard_3(self, _: Any, status: int, kind: bytes, text: bytes) -> None:
        self.heard(text)

    def heard(self, text: bytes | None) -> None:
        """What the FMU says, as far as anybody will read it."""
        if text and len(self.log) < _LOG:
            self.log.append(text[:500].decode(errors="replace"))

    def close(self, number: int) -> None:
        """An instance that nobody needs."""
        fmu = self.instances.pop(number, None)
        for state in [s for s, (i, _) in self.states.items() if i == number]:
            self.drop(state)
        if fmu is not None:
            fmu.terminate()
            free = (
                "fmi2FreeInstance" if self.about["version"] == 2 else "fmi3FreeInstance"
            )
            getattr(fmu, free)(fmu.component)  # the library stays loaded

    def drop(self, number: int) -> None:
        """A state that nobody needs."""
        instance, state = self.states.pop(number, (0, None))
        fmu = self.instances.get(instance)
        if fmu is not None:
            name = "freeFMUstate" if self.about["version"] == 2 else "freeFMUState"
            getattr(fmu, name)(state)

    def keep(self, instance: int) -> int:
        """The number under which the state of an instance is saved; 0: it is not."""
        if not self.about["saves"]:
            return 0
        fmu = self.instances[instance]
        two = self.about["version"] == 2
        state = fmu.getFMUstate() if two else fmu.getFMUState()
        number = self.number()
        self.states[number] = (instance, state)
        self.at[instance] = number
        return number

    def restore(self, instance: int, number: int) -> Any:
        """The instance, in that state; 0: as it is."""
        fmu = self.instances[instance]
        if number and self.at.get(instance) != number:
            _, state = self.states[number]
            two = self.about["version"] == 2
            (fmu.setFMUstate if two else fmu.setFMUState)(state)
        self.at.pop(instance, None)
        return fmu

    def advance(
        self, instance: int, state: int, span: list[float], told: list[Any]
    ) -> Any:
        """A window in steps; `told` has a row of inputs for each, and one for its end.

        A row is values, or values and their derivatives in time.
        """
        fmu = self.restore(instance, state)
        (t0, t1), steps = span, len(told) - 1
        for k in range(steps):
            a, b = t0 + (t1 - t0) * k / steps, t0 + (t1 - t0) * (k + 1) / steps
            self.set(fmu, self.taken, told[k][0])
            if len(told[k]) > 1:
                self.slopes(fmu, told[k][1:])
            self.step(fmu, a, (t1 if k + 1 == steps else b) - a)
        self.set(fmu, self.taken, told[-1][0])
        return self.shown(instance)

    def step(self, fmu: Any, t: float, h: float) -> None:
        """One step of the FMU's own solver, all of it."""
        done = fmu.doStep(t, h)
        if self.about["version"] == 3:
            _, over, early, last = done
            if over or (early and last < t + h * (1.0 - 1e-9)):
                what = "asks for the end" if over else "returned early"
                raise Failed(f"fmi3DoStep {what} at t = {last:.9g} s", 2)

    def slopes(self, fmu: Any, rows: Sequence[Any]) -> None:
        """Derivatives of the inputs, where the FMU interpolates (FMI 2)."""
        inputs = [wire[0] for wire in self.about["inputs"]]
        for order, row in enumerate(rows, 1):
            fmu.setRealInputDerivatives(inputs, [order] * len(inputs), row.tolist())

    def press(self, instance: int, state: int, wires: Any, values: Any) -> Any:
        """The same instant under other inputs."""
        fmu = self.restore(instance, state)
        self.set(fmu, calls(wires), values)
        return self.shown(instance)

    def shown(self, instance: int) -> Any:
        """What the outputs are, and the number of the state."""
        y = self.get(self.instances[instance])
        return {"state": self.keep(instance), "y": y}

    def derive(self, instance: int, state: int, of: Any, by: Any) -> Any:
        """∂ outputs / ∂ inputs at an instant: one column an input."""
        fmu = self.restore(instance, state)
        columns = [fmu.getDirectionalDerivative(of, [r], [1.0]) for r in by]
        return np.array(columns, dtype=float).T

    def dump(self, instance: int, state: int) -> Any:
        """A saved state as bytes."""
        _, saved = self.states[state]
        fmu = self.instances[instance]
        two = self.about["version"] == 2
        return bytes((fmu.serializeFMUstate if two else fmu.serializeFMUState)(saved))

    def load(self, instance: int, data: bytes) -> Any:
        """Go to a state that was bytes."""
        fmu = self.instances[instance]
        if self.about["version"] == 2:
            fmu.setFMUstate(fmu.deSerializeFMUstate(data))
        else:
            fmu.setFMUState(fmu.deserializeFMUState(data))
        return self.shown(instance)

    def set(self, fmu: Any, told: Sequence[Call], values: Any) -> None:
        """Give values to variables; elements that are not told stay as they are."""
        for call in told:
            own = [0.0] * call.size if call.whole else self._got(fmu, call)
            for place, column in zip(call.places, call.columns, strict=True):
                own[place] = _plain(call.kind, float(values[column]))
            self._caller(fmu, "set", call.kind)(call.references, own)

    def get(self, fmu: Any) -> Any:
        """Values of the outputs."""
        y = np.zeros(len(self.about["outputs"]))
        for call in self.given:
            own = self._got(fmu, call)
            y[call.columns] = [own[place] for place in call.places]
        return y

    def _got(self, fmu: Any, call: Call) -> Any:
        sized = () if call.size == len(call.references) else (call.size,)
        return self._caller(fmu, "get", call.kind)(call.references, *sized)

    def _caller(self, fmu: Any, verb: str, kind: str) -> Any:
        if self.about["version"] == 2:
            kind = {"Float64": "Real", "Int32": "Integer"}.get(kind, kind)
        return getattr(fmu, f"{verb}{kind}")


def _plain(kind: str, value: float) -> Any:
    if kind == "Boolean":
        return value != 0.0
    return value if kind.startswith("Float") else round(value)


def main() -> None:
    """Answer until the input is closed."""
    frames = Frames()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):  # what an FMU prints would flood somebody
        os.dup2(nowhere, stream.fileno())
    server = Server()
    frames.answer(server.answer, lambda kind, payload: b"")


if __name__ == "__main__":
    main()
