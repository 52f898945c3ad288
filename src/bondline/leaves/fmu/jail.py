"""What the process of an FMU denies itself before it loads foreign code.

Limits on memory, files and their sizes; then a seccomp filter that lets through what
numerical code needs (memory, files it can see, threads, clocks) and answers anything
else with "not permitted": no new programs, no new processes, no sockets, no tracing.
"""

from __future__ import annotations

import ctypes
import platform
import struct
import sys

MEMORY = 8 * 2**30  # bytes of address space
FILE = 256 * 2**20  # bytes of one file
FILES = 256
TASKS = 1024
_ALLOW, _REFUSE, _ABSENT = 0x7FFF0000, 0x00050001, 0x00050026  # EPERM, ENOSYS
_X86_64 = 0xC000003E
_CLONE, _CLONE3, _THREAD = 56, 435, 0x00010000
_NUMBERS = (  # of x86_64: files, memory, signals, time, threads, who we are
    *(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21),
    *(22, 23, 24, 25, 26, 27, 28, 32, 33, 34, 35, 36, 37, 38, 39, 40, 60, 61, 63),
    *(72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 87, 89, 95, 96, 97, 98),
    *(99, 100, 102, 104, 107, 108, 110, 111, 121, 124, 127, 128, 130, 131, 137, 138),
    *(143, 144, 145, 146, 147, 148, 157, 158, 186, 187, 200, 201, 202, 203, 204, 213),
    *(217, 218, 219, 221, 222, 223, 224, 225, 226, 228, 229, 230, 231, 232, 233),
    *(234, 235, 247, 257, 258, 262, 263, 264, 267, 269, 270, 271, 273, 274, 281, 284),
    *(285, 286, 287, 290, 291, 292, 293, 295, 296, 302, 309, 316, 318, 319, 324, 325),
    *(332, 334, 436, 439, 441, 449),
)


def lock_in() -> list[str]:
    """Names of the layers that hold from now on; no way back."""
    if not sys.platform.startswith("linux"):
        return []
    layers = _limits()
    return [*layers, "seccomp"] if _filter() else layers


def _limits() -> list[str]:
    import resource

    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_FSIZE, FILE),
        (resource.RLIMIT_NOFILE, FILES),
        (resource.RLIMIT_NPROC, TASKS),
        (resource.RLIMIT_CORE, 0),
    ):
        _, hard = resource.getrlimit(what)
        top = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (top, top))
    return ["limits"]


def _filter() -> bool:
    """Whether the kernel took the filter; on other machines there is none."""
    if platform.machine() != "x86_64":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    code = program()
    held = ctypes.create_string_buffer(code, len(code))
    told = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(held))
    no_new_privileges, seccomp, by_filter, all_threads = 38, 317, 1, 1
    zero = ctypes.c_ulong(0)
    if libc.prctl(no_new_privileges, ctypes.c_ulong(1), zero, zero, zero):
        return False
    first = (ctypes.c_long(seccomp), ctypes.c_long(by_filter))
    return not libc.syscall(*first, ctypes.c_long(all_threads), ctypes.c_char_p(told))


def program() -> bytes:
    """The filter, as the kernel reads it: eight bytes an instruction."""
    load, equal, any_bit, answer = 0x20, 0x15, 0x45, 0x06
    lines: list[tuple[int, int, int, int]] = [
        (load, 0, 0, 4),  # the architecture
        (equal, 1, 0, _X86_64),
        (answer, 0, 0, _REFUSE),
        (load, 0, 0, 0),  # the number of the call
        (equal, 0, 1, _CLONE3),
        (answer, 0, 0, _ABSENT),  # its flags cannot be read; libc falls back to clone
        (equal, 0, 4, _CLONE),
        (load, 0, 0, 16),  # its flags
        (any_bit, 0, 1, _THREAD),
        (answer, 0, 0, _ALLOW),
        (answer, 0, 0, _REFUSE),
    ]
    for number in _NUMBERS:
        lines += [(equal, 0, 1, number), (answer, 0, 0, _ALLOW)]
    lines.append((answer, 0, 0, _REFUSE))
    return b"".join(struct.pack("HBBI", *line) for line in lines)
