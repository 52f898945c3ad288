"""Complaints: an error on its way to a person or to a program."""

from __future__ import annotations

from pathlib import Path

from bondline import __version__
from bondline.cli.voice import Voice, dim, fit, red
from bondline.errors import BondlineError, document


def complain(voice: Voice, error: BondlineError) -> int:
    """Tell the error once, and give its exit code."""
    import traceback

    voice.answer(document(error), lambda: tell(voice, error))
    if voice.verbose and error.__cause__ is not None:
        voice.complain("".join(traceback.format_exception(error)).rstrip())
    return error.exit_code


def tell(voice: Voice, error: BondlineError) -> None:
    """The error and its remedy, for people."""
    finding = fit(f"{error.place}: {error.finding}", 7, err=True)
    voice.complain(f"{red('error')}  {finding}")
    if error.remedy:
        voice.complain(f"       {dim('try:')} {fit(error.remedy, 12, err=True)}")


def own_fault(error: Exception, verbose: bool) -> BondlineError:
    """What to say about an exception that nobody expected."""
    import tempfile
    import traceback

    text = f"bondline {__version__}\n{''.join(traceback.format_exception(error))}"
    with tempfile.NamedTemporaryFile(
        "w", prefix="bondline-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write(text)
    if verbose:
        traceback.print_exception(error)
    first = str(error).splitlines()[0] if str(error) else "no message"
    return BondlineError(
        "bondline",
        f"{type(error).__name__}: {first}. This is a fault of Bondline, not of your "
        f"model; the traceback is in {Path(file.name)}.",
        "Please report it with that file and the command you gave.",
    )
