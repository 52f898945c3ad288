"""The Python file inside an exported FMU.

It is read by the runtime of pythonfmu (FMI 2) or pythonfmu3 (FMI 3), which looks for
the line with the class; everything it does is done by `Running`.
"""

from __future__ import annotations

SCRIPT = '''\
"""An FMU that Bondline has written; it needs `pip install bondline[fmi]` to run."""

import json
import sys
from pathlib import Path

{imports}
from bondline.build.single import single
from bondline.export.fmu.running import Running, Written


def told(resources):
    return json.loads(Path(resources, "bondline.json").read_text(encoding="utf-8"))


def made(resources, values):
    about = told(resources)
    target = about["target"]
    if about["packed"]:
        target = str(Path(resources, target))
    given = dict(about["set"])
    given.update({{about["prefix"] + n: repr(v) for n, v in values.items()}})
    return single(target, given).leaf


# pythonfmu runs this text once more for each instance, under the __file__ of the
# first one, whose folder may be gone; if that fails, it takes its host down. So
# nothing is read before an instance says where its own folder is.
RESOURCES = str(Path(__file__).parent)


class {name}({base}):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.time = 0.0
        where = str(self.resources or RESOURCES)
        self.inner = Running(lambda values: made(where, values), made(where, {{}}))
        self.description = "{description}"
        self.default_experiment = DefaultExperiment(**told(where)["experiment"])
{declare}
    def _input(self, name):
        set = lambda value: self.inner.set(name, value)
        return dict(getter=lambda: self.inner.get(name), setter=set)

    def _parameter(self, name):
        own = self.inner
        set = lambda value: own.values.__setitem__(name, float(value))
        get = lambda: own.values.get(name, own.model.parameters[name].value)
        return dict(getter=get, setter=set)

    def setup_experiment(self, start_time, *rest):
        self.time = start_time

    def exit_initialization_mode(self):
        try:
            self.inner.begin(self.time)
        except Exception as error:
            print(error, file=sys.stderr)  # the runtime logs it, where a host logs
            raise

    def do_step(self, current_time, step_size):
        done = self.inner.step(current_time, step_size)
        if not done:
            self.log(self.inner.why, Fmi{version}Status.discard)
        self.time = current_time + step_size
        return {answer}

    def _get_fmu_state(self):
        return self.inner.save()

    def _set_fmu_state(self, state):
        self.inner.restore(state)
        self.time = self.inner.t

    @staticmethod
    def _fmu_state_to_bytes(state):
        return state.to_bytes()

    @staticmethod
    def _fmu_state_from_bytes(data):
        return Written(bytes(data))
{more}'''

_MORE_2 = """
    def to_xml(self, *args):
        root = super().to_xml(*args)
        structure = root.find("ModelStructure")
        first = SubElement(structure, "InitialUnknowns")
        for output in structure.findall("Outputs/Unknown"):
            SubElement(first, "Unknown", dict(output.attrib))
        return root
"""

_DECLARE_2 = """\
        for name, unit in self.inner.inputs():
            self.register_variable(
                Real(name, causality=Fmi2Causality.input, **self._input(name)),
                nested=False,
            )
        for name in self.inner.model.parameters:
            self.register_variable(
                Real(
                    name,
                    causality=Fmi2Causality.parameter,
                    variability=Fmi2Variability.fixed,
                    **self._parameter(name),
                ),
                nested=False,
            )
        for name, unit in self.inner.outputs():
            get = lambda name=name: self.inner.get(name)
            self.register_variable(
                Real(name, causality=Fmi2Causality.output, getter=get), nested=False
            )
"""
_DECLARE_3 = """\
        self.register_variable(
            Float64(
                "time",
                causality=Fmi3Causality.independent,
                variability=Fmi3Variability.continuous,
            )
        )
""" + _DECLARE_2.replace("Real(", "Float64(").replace("Fmi2", "Fmi3")
_IMPORTS = {
    2: "from xml.etree.ElementTree import SubElement\n\n"
    "from pythonfmu import DefaultExperiment, Fmi2Causality, Fmi2Slave\n"
    "from pythonfmu import Fmi2Variability, Real\n"
    "from pythonfmu.enums import Fmi2Status",
    3: "from pythonfmu3 import DefaultExperiment, Fmi3Causality, Fmi3Slave\n"
    "from pythonfmu3 import Fmi3StepResult, Fmi3Status, Fmi3Variability, Float64",
}
_ANSWERS = {
    2: "done",
    3: "Fmi3StepResult(Fmi3Status.ok if done else Fmi3Status.discard)",
}


def script(version: int, name: str, description: str) -> str:
    """The text of the file; `name` is an identifier."""
    plain = "".join(c for c in description if c.isprintable() and c not in '"\\\\')
    return SCRIPT.format(
        version=version,
        imports=_IMPORTS[version],
        name=name,
        base=f"Fmi{version}Slave",
        declare=_DECLARE_2 if version == 2 else _DECLARE_3,
        answer=_ANSWERS[version],
        more=_MORE_2 if version == 2 else "",
        description=plain,
    )
