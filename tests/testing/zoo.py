"""Every liar, the check that refuses it, and the quantity that is named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bondline.core import (
    Rejected,
    Signal,
)
from tests.testing.honest import (
    lying,
    moved,
    retold,
    spinner,
    spring,
    without,
    wound,
)
from tests.testing.liars import (
    ForgetsHistory,
    ForgetsPosition,
    ForgetsVelocity,
    counting,
    deaf,
    drops,
    early,
    half_realised,
    half_settled,
    kinetic_only,
    linear,
    misplaced,
    muted,
    noisy,
    off_by,
    pressed,
    raising,
    restless,
    rewriting,
    scarred,
    sharing,
    unbalanced,
)
from tests.testing.unable import (
    blurred,
    counting_modes,
    kinked,
    led,
    lopsided,
    lossy,
    louder,
    pressed_stiff,
    shoved,
    stiffer,
    struck,
    struck_blind,
    unmoved,
    unmoved_stiff,
    yielding,
)

LIES = {  # the leaf, the check that refuses it, the quantity that is named
    "forgets velocity": (
        lambda: wound(ForgetsVelocity),
        "rollback",
        "port end: velocity",
    ),
    "forgets position": (
        lambda: wound(ForgetsPosition),
        "rollback",
        "port end: position",
    ),
    "forgets history": (lambda: wound(ForgetsHistory), "rollback", "port end"),
    "needs every input": (
        lambda: lying(
            spring(),
            advance=lambda s, w, f: spring().advance(s, w, {"end": f["end"]}),
        ),
        "silence",
        "exception",
    ),
    "keeps the last force": (
        lambda: lying(
            spring(),
            advance=lambda s, w, f: spring().advance(
                s, w, f or {"end": Signal.hold(np.ones(1))}
            ),
        ),
        "silence",
        "port end: position",
    ),
    "counts its calls": (counting, "repeatability", "port end: position"),
    "changes its state": (rewriting, "in place", "state"),
    "shares its outputs": (sharing, "in place", "outputs['end'].x"),
    "rolls dice": (noisy, "determinism", "port end: velocity"),
    "start disturbs": (restless, "start", "port end: position"),
    "dump drops a value": (drops, "serialisation", "port"),
    "has no dump": (
        lambda: without(lying(spring()), "dump", "load"),
        "serialisation",
        "dump",
    ),
    "is not linear": (
        lambda: linear(spring(hard=4.0)),
        "affinity",
        "port end",
    ),
    "takes two steps": (early, "one step", "port"),
    "velocity in mm/s": (
        lambda: retold(spring(), moved(v=lambda m: 1e3 * m.v)),
        "velocity",
        "port end: velocity",
    ),
    "position in mm": (
        lambda: retold(spring(), moved(x=lambda m: 1e3 * m.x)),
        "velocity",
        "port end: velocity",
    ),
    "velocity 1 % off": (
        lambda: retold(spring(), moved(v=lambda m: 1.01 * m.v)),
        "velocity",
        "port end: velocity",
    ),
    "acceleration reversed": (
        lambda: retold(spring(), moved(a=lambda m: -m.a)),
        "acceleration",
        "port end: acceleration",
    ),
    "spin in degrees": (
        lambda: retold(
            spinner(),
            moved(v=lambda m: np.array([*m.v[:3], *np.degrees(m.v[3:])])),
        ),
        "velocity",
        "port hub: velocity (rotation)",
    ),
    "no acceleration": (
        lambda: retold(spring(), moved(a=lambda m: None)),
        "ports",
        "port end",
    ),
    "unit quaternion": (
        lambda: spinner(1.001),
        "ports",
        "port hub: orientation",
    ),
    "wrong size": (
        lambda: retold(spring(), moved(v=lambda m: np.zeros(2))),
        "ports",
        "port end: velocity",
    ),
    "NaN": (
        lambda: retold(spring(), moved(a=lambda m: np.nan * m.a)),
        "ports",
        "port end: acceleration",
    ),
    "no answer": (
        lambda: retold(spring(), lambda done: replace(done, outputs={})),
        "ports",
        "port end",
    ),
    "does not follow": (deaf, "ports", "port end: told position"),
    "answers with motion": (
        lambda: deaf(lambda at, told: at),
        "ports",
        "port end",
    ),
    "no potential energy": (kinetic_only, "energy", "energy: stored"),
    "linearise 1 % off": (lambda: off_by(1.0), "linearise", "port left: velocity"),
    "half realised": (half_realised, "superposition", "port"),
    "half settled": (half_settled, "blocks", "port"),
    "rings too little": (muted, "blocks", "impulse"),
    "press moves": (
        lambda: pressed(lambda m: replace(m, v=m.v + 0.1)),
        "press",
        "port A: velocity",
    ),
    "press is wrong": (
        lambda: pressed(lambda m: replace(m, a=1.1 * m.a)),
        "press",
        "port A: acceleration",
    ),
    "misplaced": (misplaced, "place", "port A: velocity"),
    "unbalanced": (unbalanced, "equilibrium", "port"),
    "breaks outside": (
        lambda: lying(spring(), breaks=lambda w: [w.t1]),
        "breaks",
        "breaks",
    ),
    "raises": (raising, "refusal", "huge window"),
    "scarred by a rejection": (scarred, "refusal", "port end: position"),
    "never gets anywhere": (
        lambda: lying(spring(), advance=lambda s, w, f: Rejected("spring", "no")),
        "window",
        "window of",
    ),
    "kick reversed": (lambda: struck(-5.0), "kick", "port left: velocity"),
    "kick 1 % off": (lambda: struck(1.01), "kick", "port left: velocity"),
    "kick off without accelerations": (struck_blind, "kick", "port end: velocity"),
    "kick moves": (shoved, "kick", "port A: position"),
    "press is wrong where it is stiff": (pressed_stiff, "press", "port"),
    "kick is half forgotten where it is stiff": (unmoved_stiff, "kick", "port"),
    "kick is forgotten": (unmoved, "kick", "port end: velocity"),
    "receptance reversed": (lambda: louder(-7.0), "receptance", "receptance"),
    "receptance 1 % off": (lambda: louder(1.01), "receptance", "receptance"),
    "receptance of another": (stiffer, "receptance", "receptance"),
    "receptance not symmetric": (lopsided, "receptance", "receptance"),
    "receptance always damped": (lossy, "receptance", "receptance"),
    "99 modes": (
        lambda: counting_modes(lambda omega, below: 99),
        "receptance",
        "modes below",
    ),
    "no modes": (
        lambda: counting_modes(lambda omega, below: 0),
        "receptance",
        "modes below",
    ),
    "modes fall": (
        lambda: counting_modes(lambda omega, below: 100 - below),
        "receptance",
        "modes below",
    ),
    "modes not told": (
        lambda: counting_modes(lambda omega, below: None),
        "receptance",
        "modes below",
    ),
    "a free motion too many": (
        lambda: counting_modes(lambda omega, below: below + 1, kinked()),
        "receptance",
        "modes below",
    ),
    "compliance reversed": (
        lambda: yielding(lambda key, b: -b if key[0] == "left" else b),
        "compliance",
        "port left: position",
    ),
    "compliance 1 % off": (
        lambda: yielding(lambda key, b: 1.01 * b if key[0] == "right" else b),
        "compliance",
        "port right: position",
    ),
    "blurs a kink": (blurred, "superposition", "port end"),
    "effort per motion 1 % off": (
        lambda: led(lambda key, b: 1.01 * b if key == ("b", "b") else b),
        "linearise",
        "port b: effort",
    ),
    "effort per force reversed": (
        lambda: led(lambda key, b: -b if key == ("b", "a") else b),
        "linearise",
        "port b: effort",
    ),
    "motion per motion 1 % off": (
        lambda: led(lambda key, b: 1.01 * b if key == ("a", "b") else b),
        "linearise",
        "port a",
    ),
}
