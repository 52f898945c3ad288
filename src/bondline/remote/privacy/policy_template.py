"""A policy to start from: every key, with what it means."""

from __future__ import annotations

_TEXT = """\
# Who may do what with your models. What is not granted here is denied.
# Check it with: bondline policy check FILE

[owner]
audit = "audit.jsonl"         # what left, to whom: bondline audit FILE
budgets = "budgets.sqlite"    # what was used today; survives restarts
keep = "counts"               # "numbers": keep what left itself, so that
                              # bondline audit can try what it reveals

[models.{model}]
# band = "60 Hz"              # serve a reduced model that has no mode above: the one
                              # remedy that hides what is not served
# digest = "sha256:..."       # refuse any other file
observables = []              # names that may be seen, such as "tip.z"; or "*"
publish = []                  # of: outline, reactions, notes, parameters, surfaces,
                              # energy and counts of a window, inner (those of
                              # joints and parts inside, if it is an assembly)

[[grant]]
who = "{who}"
model = "{model}"
ports = ["*"]                 # or names
methods = ["session", "run", "begin", "checkpoint"]
                              # also: block, statics, frequency, look, surfaces,
                              # corrector, or single ones: advance ...
steps = ["1 ms"]              # window lengths; many of them are a frequency sweep
windows_per_day = 100000
probes_per_day = 10000        # unit responses
sessions_per_day = 100
cpu_seconds_per_day = 3600
rollbacks = 20                # how often a window may be asked for again
blocks = {{ max = 1 }}          # windows in one call; more hand out impulse responses
monitor = {{ band = "60 Hz", action = "alarm" }}  # or "stop", "off"
"""


def template(who: str, model: str) -> str:
    """The text of a policy that grants one partner ordinary runs of one model."""
    return _TEXT.format(who=who, model=model)
