"""The controller, as an FMU of FMI 2: it leads the tip of the arm up along a path.

`make_controller.py` packs this file into resources/controller.fmu.
"""

from pythonfmu import Fmi2Causality, Fmi2Slave, Real

START = 1.0  # m, where the tip is at first


def wanted(t, lift=0.1, time=0.3):
    """How high the tip should be above its start: smooth, then still."""
    s = min(max(t / time, 0.0), 1.0)
    return lift * s**3 * (10.0 - 15.0 * s + 6.0 * s**2)


def speed(t, lift=0.1, time=0.3):
    """Its rate."""
    s = min(max(t / time, 0.0), 1.0)
    return 30.0 * lift / time * (s * (1.0 - s)) ** 2


class Controller(Fmi2Slave):
    """A spring and a damper to where the tip should be, and the weight in advance."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.gain, self.damping, self.weight = 4000.0, 300.0, 34.0
        self.y, self.vy, self.z, self.vz = 0.0, 0.0, START, 0.0
        self.Fy, self.Fz = 0.0, self.weight
        for names, causality in (
            (("gain", "damping", "weight"), Fmi2Causality.parameter),
            (("y", "vy", "z", "vz"), Fmi2Causality.input),
            (("Fy", "Fz"), Fmi2Causality.output),
        ):
            for name in names:
                self.register_variable(Real(name, causality=causality))

    def do_step(self, current_time, step_size):
        """The force for the time after this step."""
        t = current_time + step_size
        off, slow = START + wanted(t) - self.z, speed(t) - self.vz
        self.Fy = -self.gain * self.y - self.damping * self.vy
        self.Fz = self.gain * off + self.damping * slow + self.weight
        return True
