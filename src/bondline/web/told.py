"""What the page tells and is told: the shapes of requests and of some answers."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def _sayable(text: str) -> str:
    """Text that a command line can hold."""
    if "\0" in text:
        raise ValueError("there is a zero character in it")
    return text


Short = Annotated[str, Field(max_length=300), AfterValidator(_sayable)]
Amount = Annotated[float, Field(allow_inf_nan=False)] | Short


class Request(BaseModel):
    """A body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Changes(Request):
    """What is changed of a model: parameters as text with units, settings by name.

    Tolerance and times are numbers in m and s, or text with a unit.
    """

    set: dict[Short, Short] = Field(default_factory=dict, max_length=2000)
    coupling: Short | None = None
    scheme: Short | None = None
    solver: Short | None = None
    refresh: Short | None = None
    tolerance: Amount | None = None
    max_iterations: Annotated[int | None, Field(ge=1, le=10_000)] = None
    until: Amount | None = None
    step: Amount | None = None


class NewModel(Request):
    """A template, and the name of the folder to make of it."""

    template: Short
    name: Short


class Wanted(Request):
    """A model, with changes."""

    model: Short
    changes: Changes = Changes()


class Text(Request):
    """A file of a model, as it shall be."""

    model: Short
    file: Short
    text: Annotated[str, Field(max_length=4_000_000)]
    before: Annotated[str, Field(max_length=80)]


class Compared(Request):
    """Two runs, or a run and a table of the project."""

    a: Short
    b: Short | None = None
    reference: Short | None = None
    rtol: Annotated[float, Field(ge=0, le=1e6, allow_inf_nan=False)] = 1e-3
    atol: Annotated[float, Field(ge=0, le=1e30, allow_inf_nan=False)] = 1e-6


class Reported(Request):
    """What stands beside a run in its report."""

    reference: Short | None = None


class Told(BaseModel):
    """Any answer that did something: the command that would have done the same."""

    model_config = ConfigDict(extra="allow")
    command: str = ""

    @classmethod
    def of(cls, command: str, **more: Any) -> Told:
        """The command, and what came of it."""
        return cls.model_validate({"command": command, **more})


class Failed(BaseModel):
    """Why not: place, finding, remedy; `detail` where a request has no sense."""

    error: dict[str, Any] | None = None
    detail: Any = None
