"""The entry: from arguments to an exit code, with one message for every failure."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from bondline.cli.complaint import complain, own_fault
from bondline.cli.threads import one_thread
from bondline.cli.voice import Voice
from bondline.errors import BondlineError, UsageError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; its exit code."""
    args = list(sys.argv[1:] if argv is None else argv)
    one_thread()  # before anything imports numpy
    voice = Voice(json="--json" in args, verbose="--verbose" in args)
    try:
        return _call(args, voice)
    except BrokenPipeError:
        _hush()
        return 0


def _call(args: list[str], voice: Voice) -> int:
    try:
        return _run(args, voice)
    except BondlineError as error:
        return complain(voice, error)
    except BrokenPipeError:
        raise
    except Exception as error:
        return complain(voice, own_fault(error, voice.verbose))


def _run(args: list[str], voice: Voice) -> int:
    from bondline.cli.app import app

    try:
        code = app(args, prog_name="bondline", standalone_mode=False, obj=voice)
        sys.stdout.flush()
    except typer.Abort:
        return 130
    except typer.TyperException as error:
        raise _misused(error) from None
    except SystemExit as stop:  # typer's own answer to a closed pipe
        if isinstance(stop.__context__, BrokenPipeError):
            raise BrokenPipeError from None
        raise
    return code if isinstance(code, int) else 0


def _misused(error: typer.TyperException) -> UsageError:
    """A usage error in our words; typer's message already names the nearest match."""
    ctx = getattr(error, "ctx", None)
    place = ctx.command_path if ctx else "bondline"
    text = error.format_message().rstrip(".")
    finding, _, hint = text.partition(" Did you mean ")
    remedy = f"Did you mean {hint} " if hint else ""
    return UsageError(
        place, f"{finding.rstrip('. ')}.", f"{remedy}See `{place} --help`."
    )


def _hush() -> None:
    """Nobody reads any more: let the interpreter flush into nothing."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
