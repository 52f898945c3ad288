"""The entry: from arguments to an exit code, with one message for every failure."""

from __future__ import annotations

import contextlib
import errno
import sys

import typer

from bondline.cli.complaint import complain, own_fault
from bondline.cli.halted import CODE
from bondline.cli.streams import hush, open_streams
from bondline.cli.threads import one_thread
from bondline.cli.voice import Voice
from bondline.errors import BondlineError, ResourceLimit, StorageError, UsageError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_NO_FILES = (errno.EMFILE, errno.ENFILE)


def enter(args: list[str]) -> int:
    """Run the command line; its exit code."""
    voice = Voice(json="--json" in args, verbose="--verbose" in args)
    try:
        open_streams()
        one_thread()  # before anything imports numpy
        return _call(args, voice)
    except BrokenPipeError:
        hush()
        return 0
    except OSError as error:
        return _unheard(error)


def _call(args: list[str], voice: Voice) -> int:
    try:
        return _run(args, voice)
    except BondlineError as error:
        return complain(voice, error)
    except BrokenPipeError:
        raise
    except Exception as error:
        if _is_full(error):
            raise
        if isinstance(error, OSError) and error.errno in _NO_FILES:
            return complain(voice, _no_files(error))
        return complain(voice, own_fault(error, voice.verbose))


def _run(args: list[str], voice: Voice) -> int:
    from bondline.cli.app import app

    try:
        code = app(args, prog_name="bondline", standalone_mode=False, obj=voice)
        sys.stdout.flush()
    except typer.Abort:
        raise KeyboardInterrupt from None
    except typer.TyperException as error:
        raise _misused(error) from None
    except SystemExit as stop:  # typer's own answer to a closed pipe
        if isinstance(stop.__context__, BrokenPipeError):
            raise BrokenPipeError from None
        raise
    if code == CODE:  # typer's own answer to Ctrl-C
        raise KeyboardInterrupt
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


def _is_full(error: Exception) -> bool:
    """Whether stdout or stderr took no more; errors of files carry their name."""
    return (
        isinstance(error, OSError) and error.errno in _FULL and error.filename is None
    )


def _no_files(error: OSError) -> ResourceLimit:
    return ResourceLimit(
        str(error.filename or "bondline"),
        f"it cannot be opened ({error.strerror}).",
        "Allow this process more files (ulimit -n 1024), or have the machine do less; "
        "a run that had begun can be resumed.",
    )


def _unheard(error: OSError) -> int:
    """The answer cannot be given: say so on stderr, if that still works."""
    hush()
    found = StorageError(
        "stdout",
        f"the answer cannot be written ({error.strerror}).",
        "Make room on that disk, or send the output elsewhere.",
    )
    with contextlib.suppress(OSError):
        complain(Voice(), found)
    return found.exit_code
