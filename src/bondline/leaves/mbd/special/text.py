"""Traced equations as C: what only mechanisms have, and the shape of a program.

All that comes from a model is numbers, which are written as hexadecimal floats.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bondline.core import Vector
from bondline.kernels.straight import body, name, number
from bondline.kernels.traced import Traced, Value
from bondline.leaves.mbd.codes import REALS, ForceKind, HistoryKind
from bondline.leaves.mbd.special.reading import Plan


@dataclass(frozen=True, eq=False)
class Function:
    """A function of `System`: what it computes, how it ends and how it begins."""

    title: str
    arguments: str
    numbers: list[Traced]
    rows: list[str]
    start: tuple[str, ...] = ()


def _turning(x: Traced) -> str:
    return f"const Turning v{x.index} = turning({name(x.args[0])});"


def _part(x: Traced) -> str:
    call, key = x.args
    which = f".{key}" if call.op == "turning" else f"[{key}]"
    return f"const double v{x.index} = v{call.index}{which};"


def _law(x: Traced) -> str:
    law, at, *ends = x.args
    told = ", ".join(name(end) for end in ends)
    return (
        f"double v{x.index}[6] = {{0.0}};\n    {{ const double ends[36] = {{{told}}};\n"
        f"      by_law({law.name.lower()}_wrench, R{at}, ends, v{x.index}); }}"
    )


def _stop(x: Traced) -> str:
    at, q, u = x.args
    return f"const double v{x.index} = stop_push(R{at}, {name(q)}, {name(u)});"


def _history(x: Traced) -> str:
    which, t = x.args
    return f"const double v{x.index} = history_at(&H{which}, {name(t)});"


def _before(x: Traced) -> str:
    s, mean, then = map(name, x.args)
    return f"const double v{x.index} = {s} < 0.0 ? {mean} : {then};"


OWN = {
    "turning": _turning,
    "part": _part,
    "law": _law,
    "stop": _stop,
    "history": _history,
    "before": _before,
}


def constants(plan: Plan, numbers: Iterable[Traced]) -> list[str]:
    """The tables that calls among these numbers read."""
    found: dict[str, None] = {}
    for x in numbers:
        if x.op == "law":
            found[_table(plan.reals, x.args[1], x.args[0])] = None
        elif x.op == "stop":
            found[_table(plan.reals, x.args[0], ForceKind.JOINT_STOP)] = None
        elif x.op == "history":
            found[_history_table(plan, x.args[0])] = None
    return list(found)


def _table(reals: Vector, at: int, law: ForceKind) -> str:
    return _doubles(f"R{at}", reals[at : at + REALS[law]])


def _doubles(title: str, reals: Vector) -> str:
    values = ", ".join(number(x) for x in reals.tolist())
    return f"static const double {title}[] = {{{values}}};"


def _history_table(plan: Plan, which: int) -> str:
    kind, n, at = plan.histories[which]
    reals = _doubles(f"T{which}", plan.reals[at : at + 2 * n])
    head = f"HISTORY_{HistoryKind(kind).name}"
    return f"{reals}\nstatic const History H{which} = {{{head}, {n}, T{which}}};"


def outputs(array: str, values: Iterable[Value]) -> list[str]:
    """Results into an array."""
    return [f"{array}[{k}] = {name(x)};" for k, x in enumerate(values)]


def definite(pivots: Iterable[Value]) -> list[str]:
    """Leave if one is not positive."""
    tests = [f"{name(x)} > 0.0" for x in pivots if isinstance(x, Traced)]
    return [f"if (!({' && '.join(tests)})) return NOT_DEFINITE;"] if tests else []


def finite(values: Iterable[Value]) -> str:
    """The verdict at the end, on some results."""
    told = [name(x) for x in values if isinstance(x, Traced)] or ["0.0"]
    return f"return finite_sum({' + '.join(told)}) ? FINE : NOT_FINITE;"


def function(made: Function, ports: int) -> str:
    """A function in C; unused arguments are nobody's fault."""
    heads = [
        "const System *system, double t, const double *q, const double *u",
        "double *work",
        *(f"double *{result}" for result in made.arguments.split()),
    ]
    rows = [
        "(void)system; (void)t; (void)q; (void)u; (void)work;",
        *(_wrenches(ports) if _loaded(made) else ()),
        *made.start,
        *body(made.numbers, OWN),
        *made.rows,
    ]
    return "\n    ".join([f"int {made.title}({', '.join(heads)})\n{{", *rows]) + "\n}\n"


def _loaded(made: Function) -> bool:
    """Whether it reads the wrench at a port, maybe as it is."""
    args = (a for x in made.numbers for a in (x, *x.args) if isinstance(a, Traced))
    named = (a.args[0] for a in args if a.op == "given")
    return any("port[" in text for text in (*named, *made.start, *made.rows))


def _wrenches(ports: int) -> list[str]:
    return [
        f"double port[{6 * ports}];",
        f"wrenches(system->model, PORTS, {ports}, t, port);",
    ]
