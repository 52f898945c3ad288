"""Policies as TOML files: read strictly, with everything that is wrong at once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path as FilePath
from typing import Any

from bondline.errors import SecurityError
from bondline.remote.privacy.methods import GROUPS, METHODS, expand
from bondline.remote.privacy.policy import (
    ACTIONS,
    KEEPS,
    PUBLISHES,
    Budget,
    Grant,
    Policy,
    Steps,
    Terms,
    Watched,
)
from bondline.remote.privacy.toml_values import RATES, TIMES, Values
from bondline.remote.toml_lines import Path, parse

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")

_TOP = ("owner", "models", "grant")
_OWNER = ("audit", "budgets", "keep")
_MODEL = ("band", "digest", "observables", "publish")
_GRANT = (
    *("who", "model", "methods", "ports", "steps", "rollbacks", "blocks"),
    *("windows_per_day", "probes_per_day", "sessions_per_day", "cpu_seconds_per_day"),
    "monitor",
)
_MONITOR = ("band", "action")
_STEPS, _BLOCKS = ("from", "to"), ("max",)


def load_policy(path: FilePath) -> Policy:
    """The policy in a file; `SecurityError` with all its `problems`, line by line."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SecurityError(
            str(path),
            f"the policy cannot be read ({error.strerror}).",
            "Check its name; bondline policy new writes one to start from.",
        ) from error
    except UnicodeDecodeError as error:
        raise SecurityError(
            str(path), "the policy is not UTF-8 text.", "Save it as UTF-8."
        ) from error
    return read_policy(text, path)


def read_policy(text: str, path: FilePath = FilePath("policy.toml")) -> Policy:
    """The policy in a text; its files lie beside `path`."""
    reader = _Reader(parse(str(path), text))
    made = reader.policy(path.parent)
    if reader.problems:
        first, more = reader.problems[0], len(reader.problems) - 1
        words = f" And {more} more." if more else ""
        raise SecurityError(
            first.place, f"{first.finding}{words}", first.remedy, reader.problems
        )
    return made


class _Reader(Values):
    """Goes through a document once, and remembers what was wrong."""

    def policy(self, folder: FilePath) -> Policy:
        tree = self.text.tree
        self.known((), tree, _TOP)
        owner = self.table((), tree, "owner")
        self.known(("owner",), owner, _OWNER)
        models = self.table((), tree, "models")
        log, spent = (self.word(("owner",), owner, k) for k in ("audit", "budgets"))
        return Policy(
            {name: self.terms(name, models) for name in models},
            tuple(self.grants(tree)),
            folder / log if log else None,
            folder / spent if spent else None,
            self.choice(("owner",), owner, "keep", KEEPS),
        )

    def grants(self, tree: Mapping[str, Any]) -> list[Grant]:
        found = tree.get("grant", [])
        if not isinstance(found, list):
            self.wrong(("grant",), "a grant is one of a list.", "Write [[grant]].")
            return []
        made = [self.grant(("grant", k), one) for k, one in enumerate(found)]
        seen: set[tuple[str, str]] = set()
        for k, one in enumerate(made):
            if (one.who, one.model) in seen:
                self.wrong(
                    ("grant", k),
                    f"there is a grant for {one.who} and {one.model} above; only the "
                    "first one would count.",
                    "Put what you grant into one.",
                )
            seen.add((one.who, one.model))
        return made

    def terms(self, name: str, models: Mapping[str, Any]) -> Terms:
        at: Path = ("models", name)
        own = self.table(("models",), models, name)
        self.known(at, own, _MODEL)
        digest = self.word(at, own, "digest")
        if "digest" in own and not _DIGEST.fullmatch(digest):
            self.wrong(
                (*at, "digest"),
                f"{digest!r} is no digest.",
                "Write sha256: and 64 hex digits; sha256sum FILE tells them.",
            )
        return Terms(
            name,
            self.quantity(at, own, "band", RATES, "60 Hz"),
            digest,
            self.words(at, own, "observables"),
            self.some(at, own, "publish", PUBLISHES),
        )

    def grant(self, at: Path, own: Any) -> Grant:
        self.known(at, own, _GRANT)
        for key in ("who", "model", "methods"):
            if key not in own:
                self.wrong(at, f"this grant has no {key}.", f"Say {key} = ... in it.")
        who = self.word(at, own, "who")
        if who == "*":
            self.wrong((*at, "who"), "a grant to everybody is none.", "Name a partner.")
        elif who and not who.startswith("spiffe://"):
            self.wrong(
                (*at, "who"),
                f"{who[:100]!r} is the identity of no certificate.",
                "Write it as `bondline cert show` tells it: spiffe://PROJECT/PARTNER.",
            )
        return Grant(
            who,
            self.word(at, own, "model"),
            self.methods(at, own),
            frozenset(self.words(at, {"ports": ["*"], **own}, "ports")),
            self.steps(at, own),
            Budget(
                self.count(at, own, "windows_per_day"),
                self.count(at, own, "probes_per_day"),
                self.count(at, own, "sessions_per_day"),
                self.count(at, own, "cpu_seconds_per_day"),
            ),
            self.count(at, own, "rollbacks"),
            self.blocks(at, own),
            self.monitor(at, own),
        )

    def methods(self, at: Path, own: Mapping[str, Any]) -> frozenset[str]:
        return expand(self.some(at, own, "methods", (*GROUPS, *METHODS)))

    def steps(self, at: Path, own: Mapping[str, Any]) -> Steps:
        given = own.get("steps", [])
        here: Path = (*at, "steps")
        if isinstance(given, Mapping):
            self.known(here, given, _STEPS)
            ends = [self.quantity(here, given, k, TIMES, "1 ms") for k in _STEPS]
            if None in ends or (ends[0] or 0.0) > (ends[1] or 0.0):
                self.wrong(
                    here,
                    "a range of window lengths needs from and to, in this order.",
                    'Write steps = { from = "0.5 ms", to = "2 ms" }.',
                )
            return Steps((), *ends)
        if not isinstance(given, list):
            given = [given]
        each = [self.measure(here, text, TIMES, "1 ms") for text in given]
        return Steps(tuple(h for h in each if h is not None))

    def blocks(self, at: Path, own: Mapping[str, Any]) -> int:
        given = self.table(at, own, "blocks")
        self.known((*at, "blocks"), given, _BLOCKS)
        found = self.count((*at, "blocks"), given, "max")
        if found == 0:
            self.wrong(
                (*at, "blocks", "max"),
                "a call has at least one window: with 0 every window is denied.",
                "Write max = 1 for single windows, or take blocks away.",
            )
        return int(found) if found is not None else 1

    def monitor(self, at: Path, own: Mapping[str, Any]) -> Watched:
        given, here = self.table(at, own, "monitor"), (*at, "monitor")
        if "monitor" not in own:
            return Watched()
        self.known(here, given, _MONITOR)
        band = self.quantity(here, given, "band", RATES, "60 Hz")
        if band is None and "band" not in given:
            self.wrong(here, "the monitor has no band.", 'Say band = "60 Hz".')
        action = self.choice(here, {"action": "alarm", **given}, "action", ACTIONS)
        return Watched(band or 0.0, action)
