"""Makes resources/controller.fmu from controller.py: `python make_controller.py`."""

from pathlib import Path

from pythonfmu.builder import FmuBuilder

HERE = Path(__file__).resolve().parent

if __name__ == "__main__":
    made = FmuBuilder.build_FMU(
        HERE / "controller.py",
        HERE / "resources",
        canGetAndSetFMUstate=True,
        canSerializeFMUstate=True,
        needsExecutionTool=False,
    )
    Path(made).rename(HERE / "resources" / "controller.fmu")
